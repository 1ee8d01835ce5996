package ddl

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// security executes statements about schemas, principals and permissions.
func (x *run) security(st ast.Statement) bool {
	switch n := st.(type) {
	case *ast.CreateSchemaStatement:
		query.Check(x.createSchema(n))
	case *ast.DropSchemaStatement:
		x.dropSchema(n)
	case *ast.CreateUserStatement:
		x.createUser(n)
	case *ast.AlterUserStatement:
		x.alterUser(n)
	case *ast.DropUserStatement:
		x.dropPrincipal("user", n.Name.Value, n.IsIfExists)
	case *ast.CreateRoleStatement:
		x.createRole(n)
	case *ast.CreateApplicationRoleStatement:
		x.createApplicationRole(n)
	case *ast.AlterRoleStatement:
		x.alterRole(n)
	case *ast.DropRoleStatement:
		x.dropPrincipal("role", n.Name.Value, n.IsIfExists)
	case *ast.CreateLoginStatement:
		x.createLogin(n)
	case *ast.DropLoginStatement:
		x.dropLogin(n)
	case *ast.AlterServerRoleStatement:
		x.alterServerRole(n)
	case *ast.GrantStatement:
		x.grant(n)
	case *ast.DenyStatement:
		x.deny(n)
	case *ast.RevokeStatement:
		x.revoke(n)
	case *ast.AlterAuthorizationStatement:
		query.Check(x.authorize(n))
	default:
		return x.certificates(st)
	}
	return true
}

// newOwner finds the principal of an AUTHORIZATION clause, which must be the session's user, a role
// that the user is in, or somebody the user may impersonate or act for. Without a clause it is the user.
func (x *run) newOwner(id *ast.Identifier) (int32, error) {
	if id == nil {
		return x.user(), nil
	}
	p := x.db.PrincipalByName(id.Value)
	if p == nil {
		return 0, catalog.Cannot("find", "user", id.Value)
	}
	tok, err := x.TokenIn(x.db)
	if err != nil {
		return 0, err
	}
	right := "IMPERSONATE"
	if p.Kind == catalog.DatabaseRole {
		right = "ALTER"
	}
	if !tok.Is(p.ID) && !x.may(right, catalog.OnPrincipal(p)) {
		return 0, catalog.Cannot("find", kindOf(p), id.Value)
	}
	return p.ID, nil
}

func kindOf(p *catalog.Principal) string {
	if p.Kind == catalog.DatabaseRole {
		return "role"
	}
	return "user"
}

func (x *run) createSchema(n *ast.CreateSchemaStatement) error {
	if n.StatementList != nil && len(n.StatementList.Statements) > 0 {
		return sqlerr.NotSupported("CREATE SCHEMA with schema elements")
	}
	failed := message.MS(2759).At(16, 0)
	if !x.may("CREATE SCHEMA", catalog.OnDatabase()) {
		return chain(message.MS(2760, identifierOr(n.Name, "")), failed)
	}
	owner, err := x.newOwner(n.Owner)
	if err != nil {
		return chain(err, failed)
	}
	name := identifierOr(n.Name, identifierOr(n.Owner, ""))
	if x.db.SchemaByName(name) != nil {
		return chain(ErrExists(name).At(16, 6), failed)
	}
	x.db.AddSchema(x.tx, name, owner)
	return nil
}

func (x *run) dropSchema(n *ast.DropSchemaStatement) {
	name := base(n.Schema)
	s := x.db.SchemaByName(name)
	if s == nil && n.IsIfExists {
		return
	}
	if s == nil || !x.may("CONTROL", catalog.OnSchema(s)) && !x.may("ALTER ANY SCHEMA", catalog.OnDatabase()) {
		panic(catalog.Cannot("drop", "schema", name))
	}
	if s.ID <= catalog.SysSchema && s.ID != catalog.GuestSchema {
		panic(message.MS(15150, "drop", "schema", name))
	}
	for _, o := range x.db.Objects() {
		if o.SchemaID == s.ID && !o.Kind.IsConstraint() {
			panic(message.MS(3729, "drop schema", name, o.Name))
		}
	}
	for _, t := range x.db.Types() {
		if t.SchemaID == s.ID {
			panic(message.MS(3729, "drop schema", name, t.Name))
		}
	}
	x.db.RemoveSchema(x.tx, s)
}

// userOptions reads WITH DEFAULT_SCHEMA and NAME.
func userOptions(p *catalog.Principal, opts []ast.UserOption) (login *ast.Identifier, err error) {
	for _, o := range opts {
		n, ok := o.(*ast.IdentifierPrincipalOption)
		if !ok {
			return nil, sqlerr.NotSupported("user option %T", o)
		}
		switch n.OptionKind {
		case "DefaultSchema":
			p.DefaultSchema = n.Identifier.Value
		case "Name":
			p.Name = n.Identifier.Value
		case "Login":
			login = n.Identifier
		default:
			return nil, sqlerr.NotSupported("user option %s", n.OptionKind)
		}
	}
	return login, nil
}

func (x *run) createUser(n *ast.CreateUserStatement) {
	name := n.Name.Value
	if !x.may("ALTER ANY USER", catalog.OnDatabase()) {
		panic(catalog.MayNot())
	}
	p := &catalog.Principal{Name: name, Kind: catalog.SQLUser, DefaultSchema: "dbo", Created: x.Now(), Modified: x.Now()}
	query.Must(userOptions(p, n.UserOptions))
	kind := ""
	if n.UserLoginOption != nil {
		kind = n.UserLoginOption.UserLoginOptionType
	}
	switch kind {
	case "WithoutLogin":
		p.WithoutLogin, p.SID = true, catalog.UserSID(x.NewGUID())
	case "", "Login", "ForLogin", "FromLogin":
		login := name
		if n.UserLoginOption != nil && n.UserLoginOption.Identifier != nil {
			login = n.UserLoginOption.Identifier.Value
		}
		l := x.Server().LoginByName(login)
		if l == nil || l.Role {
			panic(message.MS(15007, login))
		}
		if strings.EqualFold(name, "guest") && kind == "" {
			panic(sqlerr.NotSupported("CREATE USER guest"))
		}
		for _, other := range x.db.Principals() {
			if other.Kind == catalog.SQLUser && other.SID == l.SID {
				panic(message.MS(15063))
			}
		}
		p.SID = l.SID
	case "Certificate":
		c := x.certificate("find", n.UserLoginOption.Identifier.Value)
		if x.db.UserOfCertificate(c.Thumbprint) != nil {
			panic(message.MS(15063))
		}
		p.Kind, p.SID, p.DefaultSchema = catalog.CertificateUser, c.SID(), ""
	default:
		panic(sqlerr.NotSupported("CREATE USER … %s", kind))
	}
	if x.db.PrincipalByName(name) != nil {
		panic(message.MS(15023, name))
	}
	x.db.PutPrincipal(x.tx, p)
	x.db.Grant(x.tx, catalog.Permission{Grantee: p.ID, Grantor: catalog.DboUser, Name: "CONNECT", State: catalog.Granted})
}

func (x *run) alterUser(n *ast.AlterUserStatement) {
	p := x.db.PrincipalByName(n.Name.Value)
	if p == nil || p.Kind != catalog.SQLUser || !x.may("ALTER", catalog.OnPrincipal(p)) && p.ID != x.user() {
		panic(catalog.Cannot("alter", "user", n.Name.Value))
	}
	if p.ID <= catalog.SysUser {
		panic(message.MS(15150, "alter", "user", p.Name))
	}
	c := *p
	c.Modified = x.Now()
	login := query.Must(userOptions(&c, n.UserOptions))
	if login != nil {
		l := x.Server().LoginByName(login.Value)
		if l == nil || l.Role {
			panic(message.MS(15007, login.Value))
		}
		if c.WithoutLogin {
			panic(message.MS(33016))
		}
		c.SID = l.SID
	}
	if c.Name != p.Name {
		if other := x.db.PrincipalByName(c.Name); other != nil && other.ID != c.ID {
			panic(message.MS(15023, c.Name))
		}
		if !x.may("ALTER ANY USER", catalog.OnDatabase()) {
			panic(catalog.Cannot("alter", "user", n.Name.Value))
		}
	}
	x.db.PutPrincipal(x.tx, &c)
}

func (x *run) createRole(n *ast.CreateRoleStatement) {
	if !x.may("CREATE ROLE", catalog.OnDatabase()) {
		panic(catalog.MayNot())
	}
	owner := query.Must(x.newOwner(n.Owner))
	if x.db.PrincipalByName(n.Name.Value) != nil {
		panic(message.MS(15023, n.Name.Value))
	}
	x.db.PutPrincipal(x.tx, &catalog.Principal{Name: n.Name.Value, Kind: catalog.DatabaseRole, Owner: owner, Created: x.Now(), Modified: x.Now()})
}

func (x *run) createApplicationRole(n *ast.CreateApplicationRoleStatement) {
	if !x.may("ALTER ANY APPLICATION ROLE", catalog.OnDatabase()) {
		panic(catalog.MayNot())
	}
	if x.db.PrincipalByName(n.Name.Value) != nil {
		panic(message.MS(15023, n.Name.Value))
	}
	p := &catalog.Principal{Name: n.Name.Value, Kind: catalog.ApplicationRole, SID: catalog.UserSID(x.NewGUID()), DefaultSchema: "dbo", Created: x.Now(), Modified: x.Now()}
	for _, o := range n.ApplicationRoleOptions {
		password, ok := o.Value.ValueExpression.(*ast.StringLiteral)
		if o.OptionKind != "Password" || !ok {
			panic(sqlerr.NotSupported("CREATE APPLICATION ROLE … %s", o.OptionKind))
		}
		p.Password = password.Value
	}
	x.db.PutPrincipal(x.tx, p)
}

func (x *run) alterRole(n *ast.AlterRoleStatement) {
	switch a := n.Action.(type) {
	case *ast.AddMemberAlterRoleAction:
		query.Check(x.member(n.Name.Value, a.Member.Value, true))
		return
	case *ast.DropMemberAlterRoleAction:
		query.Check(x.member(n.Name.Value, a.Member.Value, false))
		return
	}
	panic(sqlerr.NotSupported("ALTER ROLE %T", n.Action))
}

// member adds or drops a member of a role. Only db_owner changes the fixed roles.
func (x *run) member(role, member string, add bool) error {
	verb := map[bool]string{true: "add", false: "drop"}[add]
	r := x.db.PrincipalByName(role)
	may := false
	if r != nil && r.Kind == catalog.DatabaseRole {
		if r.Fixed {
			tok, err := x.TokenIn(x.db)
			may = err == nil && (tok.Dbo || tok.Sysadmin || tok.Is(catalog.RoleOwner))
		} else {
			may = x.may("ALTER", catalog.OnPrincipal(r))
		}
	}
	if !may {
		return catalog.Cannot("alter", "role", role)
	}
	m := x.db.PrincipalByName(member)
	if m == nil {
		return catalog.Cannot(verb, "principal", member)
	}
	if m.Kind == catalog.CertificateUser { // the effect on the user's modules is not modeled
		return sqlerr.NotSupported("the user of a certificate in a role")
	}
	switch {
	case r.ID == catalog.PublicRole:
		return message.MS(15081)
	case m.ID == catalog.DboUser || m.ID == catalog.SysUser || m.ID == catalog.InformationUser || m.ID == catalog.PublicRole || m.Fixed:
		return message.MS(15405, member)
	case add && x.db.IsMember(r.ID, m.ID):
		return message.MS(15413)
	}
	if x.db.IsDirectMember(m.ID, r.ID) == add {
		return nil // adding a member again and dropping a non-member succeed
	}
	x.db.SetMember(x.tx, r.ID, m.ID, add)
	return nil
}

func (x *run) dropPrincipal(kind, name string, ifExists bool) {
	p := x.db.PrincipalByName(name)
	if p == nil && ifExists {
		return
	}
	if p == nil || kindOf(p) != kind || !x.may("ALTER", catalog.OnPrincipal(p)) {
		panic(catalog.Cannot("drop", kind, name))
	}
	if p.ID <= catalog.SysUser || p.Fixed {
		panic(message.MS(15150, "drop", kind, p.Name))
	}
	owns := func(what string) error {
		return message.MS(15138, what)
	}
	for _, s := range x.db.Schemas() {
		if s.Owner == p.ID {
			query.Check(owns("schema"))
			return
		}
	}
	for _, o := range x.db.Objects() {
		if o.OwnOwner == p.ID && o.Kind != catalog.TableTypeObject {
			query.Check(owns("object"))
			return
		}
		if m := o.Module(); m != nil && m.ExecuteAs == catalog.AsUser && m.ExecuteAsUser == p.ID {
			panic(message.MS(15136))
		}
	}
	for _, r := range x.db.Principals() {
		if r.Kind == catalog.DatabaseRole && r.Owner == p.ID {
			query.Check(owns("database role"))
			return
		}
	}
	x.ownsBroker(p.ID, owns)
	if p.Kind == catalog.DatabaseRole {
		for role := range x.db.Members() {
			if role == p.ID {
				panic(message.MS(15144))
			}
		}
	}
	for g := range x.db.Permissions() {
		if g.Grantor == p.ID {
			panic(message.MS(15284))
		}
	}
	x.db.RemovePrincipal(x.tx, p)
}

// mayAlterLogins: ALTER ANY LOGIN.
func (x *run) mayAlterLogins() bool { return x.Server().ServerAllowed(x.LoginID(), "ALTER ANY LOGIN") }

func (x *run) createLogin(n *ast.CreateLoginStatement) {
	if !x.mayAlterLogins() {
		panic(catalog.MayNot())
	}
	if c, ok := n.Source.(*ast.CertificateCreateLoginSource); ok {
		if x.Server().LoginByName(n.Name.Value) != nil {
			panic(message.MS(15025, n.Name.Value))
		}
		x.certificateLogin(n, c)
		return
	}
	src, ok := n.Source.(*ast.PasswordCreateLoginSource)
	if !ok {
		panic(sqlerr.NotSupported("CREATE LOGIN from %T", n.Source))
	}
	if x.Server().LoginByName(n.Name.Value) != nil {
		panic(message.MS(15025, n.Name.Value))
	}
	guid := x.NewGUID()
	l := &catalog.Login{
		Name: n.Name.Value, SID: string(guid[:]), DefaultDB: "master", Language: "us_english", Policy: true,
		Created: x.Now(), Modified: x.Now(),
	}

	l.Password = stringOf(src.Password)
	x.loginOptions(l, src.Options)
	x.Server().PutLogin(x.tx, l)
}

func stringOf(e ast.ScalarExpression) string {
	if s, ok := e.(*ast.StringLiteral); ok {
		return s.Value
	}
	panic(sqlerr.NotSupported("password that is no string"))
}

func (x *run) loginOptions(l *catalog.Login, opts []ast.PrincipalOption) {
	for _, o := range opts {
		switch n := o.(type) {
		case *ast.IdentifierPrincipalOption:
			switch n.OptionKind {
			case "DefaultDatabase":
				if x.Server().DatabaseByName(n.Identifier.Value) == nil {
					panic(message.MS(15010, n.Identifier.Value))
				}
				l.DefaultDB = n.Identifier.Value
			default:
				panic(sqlerr.NotSupported("login option %s", n.OptionKind))
			}
		case *ast.OnOffPrincipalOption:
			switch n.OptionKind {
			case "CheckPolicy":
				l.Policy = n.OptionState == "On"
			case "CheckExpiration":
				l.Expires = n.OptionState == "On"
			default:
				panic(sqlerr.NotSupported("login option %s", n.OptionKind))
			}
		default:
			panic(sqlerr.NotSupported("login option %T", o))
		}
	}
}

func (x *run) login(verb, name string) *catalog.Login {
	l := x.Server().LoginByName(name)
	if l == nil || l.Role || !x.mayAlterLogins() && (verb == "drop" || l.ID != x.LoginID()) {
		panic(catalog.Cannot(verb, "login", name))
	}
	return l
}

func (x *run) dropLogin(n *ast.DropLoginStatement) {
	if n.IsIfExists {
		panic(sqlerr.NotSupported("DROP LOGIN IF EXISTS"))
	}
	l := x.login("drop", n.Name.Value)
	if l.ID == catalog.SaLogin {
		panic(message.MS(15150, "drop", "login", l.Name))
	}
	for _, db := range x.Server().Databases() {
		if db.Owner == l.ID {
			panic(message.MS(15174, l.Name))
		}
	}
	if x.LoginID() == l.ID {
		panic(message.MS(15434, l.Name))
	}
	x.Server().RemoveLogin(x.tx, l)
}

// alterServerRole supports sysadmin only; the other fixed server roles are not modeled.
func (x *run) alterServerRole(n *ast.AlterServerRoleStatement) {
	if !strings.EqualFold(n.Name.Value, "sysadmin") {
		panic(sqlerr.NotSupported("server role %s", n.Name.Value))
	}
	var member string
	add := false
	switch a := n.Action.(type) {
	case *ast.AddMemberAlterRoleAction:
		member, add = a.Member.Value, true
	case *ast.DropMemberAlterRoleAction:
		member = a.Member.Value
	default:
		panic(sqlerr.NotSupported("ALTER SERVER ROLE %T", n.Action))
	}
	me := x.Server().LoginByID(x.LoginID())
	if me == nil || !me.Sysadmin {
		panic(catalog.Cannot("alter", "server role", n.Name.Value))
	}
	l := x.Server().LoginByName(member)
	if l == nil || l.Role {
		panic(catalog.Cannot(map[bool]string{true: "add", false: "drop"}[add], "principal", member))
	}
	if l.ID == catalog.SaLogin {
		panic(message.MS(15405, l.Name))
	}
	c := *l
	c.Sysadmin, c.Modified = add, x.Now()
	x.Server().PutLogin(x.tx, &c)
}
