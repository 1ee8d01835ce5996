package catalog

import (
	"iter"
	"strings"
	"time"
)

// Certificate is a certificate that signs modules: its public part, and whether its private key still exists. There is no
// cryptography behind it: HasPrivate and Password alone say who holds the private key. Certificates are immutable and
// replaced as a whole.
type Certificate struct {
	ID         int32
	Name       string
	Owner      int32 // the database principal
	Subject    string
	Thumbprint string // raw bytes, the same in every database that has it
	HasPrivate bool
	Password   string // of the private key
	Start      time.Time
	Expiry     time.Time
}

// firstCertificate is the first id that is assigned.
const firstCertificate int32 = 256

// encodedHead is the prefix of what replaces the encoded public part (CERTENCODED).
const encodedHead = "sandbox certificate\x00"

// encodedTimes is the format of the dates in it.
const encodedTimes = "20060102"

// Encoded returns the public part, from which another database can create the certificate.
func (c *Certificate) Encoded() string {
	return encodedHead + c.Thumbprint + c.Start.Format(encodedTimes) + c.Expiry.Format(encodedTimes) + c.Subject
}

// DecodeCertificate creates a certificate without a private key from its public part; false if that is not valid.
func DecodeCertificate(encoded string) (*Certificate, bool) {
	rest, ok := strings.CutPrefix(encoded, encodedHead)
	if !ok || len(rest) < 36 {
		return nil, false
	}
	c := &Certificate{Thumbprint: rest[:20], Subject: rest[36:]}
	var err1, err2 error
	c.Start, err1 = time.Parse(encodedTimes, rest[20:28])
	c.Expiry, err2 = time.Parse(encodedTimes, rest[28:36])
	return c, err1 == nil && err2 == nil
}

// SID is the security identifier of the certificate, and of the login that is created from it.
func (c *Certificate) SID() string {
	return "\x01\x06\x00\x00\x00\x00\x00\x09\x01\x00\x00\x00" + c.Thumbprint
}

// Certificates yields the certificates of the database by id.
func (db *Database) Certificates() iter.Seq2[int32, *Certificate] { return ordered(&db.certificates) }

// CertificateByName returns a certificate, or nil.
func (db *Database) CertificateByName(name string) *Certificate {
	return named(&db.certificates, db.Collation, name, func(c *Certificate) string { return c.Name })
}

// CertificateByID returns a certificate, or nil.
func (db *Database) CertificateByID(id int32) *Certificate {
	c, _ := db.certificates.Get(id)
	return c
}

// PutCertificate adds a certificate (ID 0) or replaces the one with the same id.
func (db *Database) PutCertificate(u Undoer, c *Certificate) {
	if c.ID == 0 {
		c.ID = firstCertificate
		if last, _, ok := db.certificates.Max(); ok {
			c.ID = last + 1
		}
	}
	old, had := db.certificates.Set(c.ID, c)
	db.touch(u, func() {
		if had {
			db.certificates.Set(c.ID, old)
		} else {
			db.certificates.Delete(c.ID)
		}
	})
}

// RemoveCertificate drops a certificate.
func (db *Database) RemoveCertificate(u Undoer, c *Certificate) {
	db.certificates.Delete(c.ID)
	db.touch(u, func() { db.certificates.Set(c.ID, c) })
}

// LoginOfCertificate returns the login that was created from a certificate, or nil.
func (s *Server) LoginOfCertificate(thumbprint string) *Login {
	return first(ordered(&s.logins), func(l *Login) bool { return thumbprint != "" && l.Certificate == thumbprint })
}

// UserOfCertificate returns the user of the database that was created from a certificate, or nil.
func (db *Database) UserOfCertificate(thumbprint string) *Principal {
	sid := (&Certificate{Thumbprint: thumbprint}).SID()
	return first(db.Principals(), func(p *Principal) bool { return p.Kind == CertificateUser && p.SID == sid })
}

func (s *Server) certificateViews() {
	s.view("certificates", func(v *viewer) {
		for _, c := range v.db.Certificates() {
			if !v.Token.Dbo && !v.Token.Is(RoleOwner) && !v.Token.Sysadmin && !v.Token.Is(c.Owner) {
				continue
			}
			kind, desc := "NA", "NO_PRIVATE_KEY"
			if c.HasPrivate {
				kind, desc = "PW", "ENCRYPTED_BY_PASSWORD"
			}
			v.emit(c.Name, c.ID, c.Owner, kind, desc, false, []byte(c.SID()), c.Subject, c.Expiry, c.Start, []byte(c.Thumbprint))
		}
	})
	s.view("crypt_properties", func(v *viewer) {
		for _, o := range v.db.Objects() {
			if m := o.Module(); m != nil && v.db.SeesDefinition(v.Token, o) {
				for _, thumb := range m.Signatures {
					v.emit(uint8(ClassObject), "OBJECT_OR_COLUMN", o.ID, []byte(thumb), "SPVC", "SIGNATURE BY CERTIFICATE")
				}
			}
		}
	})
}
