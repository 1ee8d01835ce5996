package ddl

import (
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// certificates executes statements about certificates and signatures (learn.microsoft.com, "CREATE CERTIFICATE",
// "ADD SIGNATURE", "ALTER CERTIFICATE").
func (x *run) certificates(st ast.Statement) bool {
	switch n := st.(type) {
	case *ast.CreateCertificateStatement:
		query.Check(x.createCertificate(n))
	case *ast.AlterCertificateStatement:
		x.alterCertificate(n)
	case *ast.DropCertificateStatement:
		x.dropCertificate(n)
	case *ast.AddSignatureStatement:
		x.sign(n.IsCounter, n.ElementKind, n.Element, n.Cryptos, true)
	case *ast.DropSignatureStatement:
		x.sign(n.IsCounter, n.ElementKind, n.Element, n.Cryptos, false)
	default:
		return false
	}
	return true
}

func (x *run) createCertificate(n *ast.CreateCertificateStatement) error {
	if !x.may("CREATE CERTIFICATE", catalog.OnDatabase()) {
		return catalog.MayNot()
	}
	if n.ActiveForBeginDialog != "NotSet" || n.PrivateKeyPath != nil || n.DecryptionPassword != nil {
		return sqlerr.NotSupported("CREATE CERTIFICATE with ACTIVE FOR BEGIN_DIALOG or PRIVATE KEY")
	}
	owner, err := x.newOwner(n.Owner)
	if err != nil {
		return err
	}
	if x.db.CertificateByName(n.Name.Value) != nil {
		return message.MS(15232, n.Name.Value)
	}
	c := &catalog.Certificate{}
	switch src := n.CertificateSource.(type) {
	case nil:
		if n.EncryptionPassword == nil {
			return message.MS(15581)
		}
		a, b := x.NewGUID(), x.NewGUID()
		c.HasPrivate, c.Password, c.Thumbprint = true, n.EncryptionPassword.Value, string(a[:])+string(b[:4])
		c.Start = x.Now().Truncate(24 * time.Hour)
		c.Expiry = c.Start.AddDate(1, 0, 0)
		if err := certificateOptions(c, n.CertificateOptions); err != nil {
			return err
		}
	case *ast.FileEncryptionSource: // FROM BINARY, as package parser rewrites it
		raw, err := hex.DecodeString(strings.TrimPrefix(strings.ToLower(src.File.Value), "0x"))
		decoded, ok := catalog.DecodeCertificate(string(raw))
		if err != nil || !ok || n.EncryptionPassword != nil || len(n.CertificateOptions) > 0 {
			return sqlerr.NotSupported("CREATE CERTIFICATE from what CERTENCODED has not made, or with options")
		}
		for _, other := range x.db.Certificates() {
			if other.Thumbprint == decoded.Thumbprint {
				return message.MS(15232, n.Name.Value)
			}
		}
		c = decoded
	default:
		return sqlerr.NotSupported("CREATE CERTIFICATE from %T", src)
	}
	c.Name, c.Owner = n.Name.Value, owner
	x.db.PutCertificate(x.tx, c)
	return nil
}

func certificateOptions(c *catalog.Certificate, opts []*ast.CertificateOption) error {
	for _, o := range opts {
		switch o.Kind {
		case "Subject":
			c.Subject = o.Value.Value
		case "ExpiryDate":
			t, err := time.Parse("20060102", o.Value.Value)
			if err != nil {
				return sqlerr.NotSupported("EXPIRY_DATE that is not yyyymmdd")
			}
			c.Expiry = t
		default:
			return sqlerr.NotSupported("certificate option %s", o.Kind)
		}
	}
	if c.Subject == "" {
		return sqlerr.NotSupported("CREATE CERTIFICATE without SUBJECT")
	}
	return nil
}

// certificate finds a certificate that the session controls: as its owner, or with the right to alter any.
func (x *run) certificate(verb, name string) *catalog.Certificate {
	c := x.db.CertificateByName(name)
	if c == nil || c.Owner != x.user() && !x.may("ALTER ANY CERTIFICATE", catalog.OnDatabase()) {
		panic(catalog.Cannot(verb, "certificate", name))
	}
	return c
}

func (x *run) alterCertificate(n *ast.AlterCertificateStatement) {
	if n.Kind != "RemovePrivateKey" {
		panic(sqlerr.NotSupported("ALTER CERTIFICATE ... %s", n.Kind))
	}
	c := x.certificate("alter", n.Name.Value)
	bare := *c
	bare.HasPrivate, bare.Password = false, ""
	x.db.PutCertificate(x.tx, &bare)
}

func (x *run) dropCertificate(n *ast.DropCertificateStatement) {
	if n.IsIfExists {
		panic(sqlerr.NotSupported("DROP CERTIFICATE IF EXISTS"))
	}
	c := x.certificate("drop", n.Name.Value)
	used := x.db.Name == "master" && x.Server().LoginOfCertificate(c.Thumbprint) != nil
	for _, o := range x.db.Objects() {
		m := o.Module()
		used = used || m != nil && slices.Contains(m.Signatures, c.Thumbprint)
	}
	if x.db.UserOfCertificate(c.Thumbprint) != nil {
		panic(message.MS(15559, "certificate", c.Name, "user"))
	}
	if used {
		panic(message.MS(15352, "certificate"))
	}
	x.db.RemoveCertificate(x.tx, c)
}

// sign adds or drops a signature. A signature belongs to the text of a module: replacing the text removes it.
func (x *run) sign(counter bool, kind string, name *ast.SchemaObjectName, cryptos []*ast.CryptoMechanism, add bool) {
	if counter || kind != "NotSpecified" && kind != "Object" || len(cryptos) != 1 || cryptos[0].CryptoMechanismType != "Certificate" {
		panic(sqlerr.NotSupported("signatures other than of one module by one certificate"))
	}
	o := x.lookup(name)
	if o == nil || o.Module() == nil || !x.mayAlter(o) {
		panic(catalog.Cannot(map[bool]string{true: "add", false: "drop"}[add]+" signature to", "object", base(name)))
	}
	if o.Kind == catalog.View || o.Kind == catalog.InlineFunction {
		panic(sqlerr.NotSupported("signature of a %s", strings.ToLower(o.Kind.Describe())))
	}
	c := x.certificate("find", cryptos[0].Identifier.Value)
	m := *o.Module()
	signed := slices.Contains(m.Signatures, c.Thumbprint)
	m.Signatures = slices.DeleteFunc(slices.Clone(m.Signatures), func(t string) bool { return t == c.Thumbprint })
	if signed == add {
		panic(sqlerr.NotSupported("adding a signature twice, or dropping one that is not there"))
	}
	if add {
		password, ok := cryptos[0].PasswordOrSignature.(*ast.StringLiteral)
		if !ok {
			panic(sqlerr.NotSupported("ADD SIGNATURE without WITH PASSWORD"))
		}
		if !c.HasPrivate || c.Password != password.Value {
			panic(message.MS(15556, "certificate"))
		}
		m.Signatures = append(m.Signatures, c.Thumbprint)
	}
	x.replace(o, &m)
}

// certificateLogin creates the login of a certificate; nobody can log in with it.
func (x *run) certificateLogin(n *ast.CreateLoginStatement, src *ast.CertificateCreateLoginSource) {
	master := x.Server().DatabaseByName("master")
	c := master.CertificateByName(src.Certificate.Value)
	if c == nil {
		panic(catalog.Cannot("find", "certificate", src.Certificate.Value))
	}
	if x.Server().LoginOfCertificate(c.Thumbprint) != nil {
		panic(message.MS(15063))
	}
	x.Server().PutLogin(x.tx, &catalog.Login{
		Name: n.Name.Value, SID: c.SID(), Certificate: c.Thumbprint, DefaultDB: "master", Language: "us_english", Created: x.Now(), Modified: x.Now(),
	})
}
