package ddl

import (
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// grantTarget is the target of GRANT, DENY or REVOKE.
type grantTarget struct {
	on   catalog.Securable
	kind catalog.Kind // for an object
}

// permissionName is the permission that a statement names.
func permissionName(p *ast.Permission) string {
	words := make([]string, len(p.Identifiers))
	for i, id := range p.Identifiers {
		words[i] = strings.ToUpper(id.Value)
	}
	switch name := strings.Join(words, " "); name {
	case "EXEC":
		return "EXECUTE"
	case "ALL", "ALL PRIVILEGES":
		panic(sqlerr.NotSupported("GRANT ALL"))
	default:
		return name
	}
}

// securable resolves ON class::name.
func (x *run) securable(t *ast.SecurityTargetObject) grantTarget {
	if t == nil {
		return grantTarget{on: catalog.OnDatabase()}
	}
	ids := t.ObjectName.MultiPartIdentifier.Identifiers
	name := ids[len(ids)-1].Value
	find := func(kind string) (grantTarget, error) { return grantTarget{}, catalog.Cannot("find", kind, name) }
	switch t.ObjectKind {
	case "", "NotSpecified", "Object":
		n := &ast.SchemaObjectName{BaseIdentifier: ids[len(ids)-1]}
		if len(ids) > 1 {
			n.SchemaIdentifier = ids[len(ids)-2]
		}
		if len(ids) > 2 {
			panic(message.MS(4610))
		}
		o := x.lookup(n)
		if o == nil || !x.db.SeesObject(x.token(), o) || o.Kind.IsConstraint() {
			return query.Must(find("object"))
		}
		if o.DB == nil {
			panic(sqlerr.NotSupported("permissions on system views"))
		}
		return grantTarget{on: catalog.OnObject(o), kind: o.Kind}
	case "Schema":
		if s := x.db.SchemaByName(name); s != nil {
			return grantTarget{on: catalog.OnSchema(s)}
		}
		return query.Must(find("schema"))
	case "Database":
		if !catalog.SameName(x.Server().Collation, name, x.db.Name) {
			return query.Must(find("database"))
		}
		return grantTarget{on: catalog.OnDatabase()}
	case "User", "Role":
		p := x.db.PrincipalByName(name)
		if p == nil || (p.Kind == catalog.DatabaseRole) != (t.ObjectKind == "Role") {
			return query.Must(find(strings.ToLower(t.ObjectKind)))
		}
		return grantTarget{on: catalog.OnPrincipal(p)}
	case "Type":
		n := &ast.SchemaObjectName{BaseIdentifier: ids[len(ids)-1]}
		if len(ids) > 1 {
			n.SchemaIdentifier = ids[len(ids)-2]
		}
		if ut := x.userType(n); ut != nil {
			return grantTarget{on: catalog.OnType(ut)}
		}
		return query.Must(find("type"))
	}
	panic(sqlerr.NotSupported("permissions on %s", t.ObjectKind))
}

func (x *run) token() catalog.Token {
	tok, err := x.TokenIn(x.db)
	if err != nil {
		return catalog.Token{Database: x.db, Roles: []int32{catalog.PublicRole}}
	}
	return tok
}

// change is one permission for one principal.
type change struct {
	target  grantTarget
	name    string
	grantee *catalog.Principal
}

// changes lists what a statement changes, and checks that the session may change it.
func (x *run) changes(perms []*ast.Permission, to []*ast.SecurityPrincipal, target *ast.SecurityTargetObject, as *ast.Identifier) []change {
	if as != nil {
		panic(sqlerr.NotSupported("GRANT, DENY or REVOKE … AS"))
	}
	t := x.securable(target)
	var out []change
	for _, sp := range to {
		p := x.grantee(sp, t)
		if p == nil {
			x.Info(errSelf())
			continue
		}
		for _, perm := range perms {
			if len(perm.Columns) > 0 || target != nil && len(target.Columns) > 0 {
				panic(sqlerr.NotSupported("permissions on columns"))
			}
			name := permissionName(perm)
			if !catalog.Grantable(t.on.Class, t.kind, name) {
				incompatible(t, name)
			}
			if !x.db.CanGrant(x.token(), t.on) {
				x.mayNotGrant(t, target)
			}
			if p.Kind == catalog.CertificateUser && name != "AUTHENTICATE" {
				panic(sqlerr.NotSupported("%s of the user of a certificate", name)) // its effect on the user's modules is not modeled
			}
			out = append(out, change{t, name, p})
		}
	}
	return out
}

func incompatible(t grantTarget, name string) {
	if _, ok := catalog.PermissionCode(name); !ok {
		panic(message.MS(102, strings.ToLower(name)))
	}
	if t.on.Class == catalog.ClassDatabase {
		panic(message.MS(4621))
	}
	panic(message.MS(4606, name))
}

func (x *run) mayNotGrant(t grantTarget, target *ast.SecurityTargetObject) {
	if t.on.Class == catalog.ClassDatabase {
		panic(message.MS(4613))
	}
	ids := target.ObjectName.MultiPartIdentifier.Identifiers
	kind := strings.ToLower(target.ObjectKind)
	if kind == "" || kind == "notspecified" {
		kind = "object"
	}
	panic(catalog.Cannot("find", kind, ids[len(ids)-1].Value))
}

// grantee resolves who a permission is for; nil for dbo, sys, the owner and the session's own user, for whom
// the statement only sends a message.
func (x *run) grantee(sp *ast.SecurityPrincipal, t grantTarget) *catalog.Principal {
	if sp.PrincipalType == ast.PrincipalTypePublic {
		return x.db.PrincipalByID(catalog.PublicRole)
	}
	if sp.Identifier == nil {
		panic(sqlerr.NotSupported("GRANT, DENY or REVOKE for %s", sp.PrincipalType))
	}
	p := x.db.PrincipalByName(sp.Identifier.Value)
	if p == nil {
		panic(catalog.Cannot("find", "user", sp.Identifier.Value))
	}
	if p.Fixed {
		panic(message.MS(4617))
	}
	if p.ID == catalog.DboUser || p.ID == catalog.SysUser || p.ID == catalog.InformationUser || p.ID == x.user() ||
		t.on.Owner == p.ID && t.on.Class != catalog.ClassPrincipal {
		return nil
	}
	return p
}

// isServer reports whether a statement is about the server: no ON clause, and permissions that exist only there.
func isServer(perms []*ast.Permission, target *ast.SecurityTargetObject) bool {
	return target == nil && !slices.ContainsFunc(perms, func(p *ast.Permission) bool { return !catalog.IsServerPermission(permissionName(p)) })
}

// onServer grants, denies or revokes server-level permissions of logins.
func (x *run) onServer(perms []*ast.Permission, to []*ast.SecurityPrincipal, state catalog.GrantState) {
	if x.db.Name != "master" {
		panic(message.MS(4622))
	}
	me := x.Server().LoginByID(x.LoginID())
	if me == nil || !me.Sysadmin && !x.Server().ServerAllowed(me.ID, "CONTROL SERVER") {
		panic(message.MS(4613))
	}
	for _, sp := range to {
		name := "public"
		if sp.Identifier != nil {
			name = sp.Identifier.Value
		}
		l := x.Server().LoginByName(name)
		if l == nil {
			panic(catalog.Cannot("find", "login", name))
		}
		if l.ID == catalog.SaLogin || l.ID == me.ID {
			x.Info(errSelf())
			continue
		}
		for _, p := range perms {
			x.Server().GrantServer(x.tx, catalog.Permission{
				Class: catalog.ClassServer, Grantee: l.ID, Grantor: me.ID, Name: permissionName(p), State: state,
			})
		}
	}
}

// errSelf is 4624. It arrives as a message of severity 0 (SQLSTATE 01000), not as an error.
func errSelf() *sqlerr.Error {
	return message.MS(4624).At(0, 2)
}

func (x *run) grant(n *ast.GrantStatement) {
	if n.WithGrantOption {
		panic(sqlerr.NotSupported("WITH GRANT OPTION"))
	}
	x.change(n.Permissions, n.Principals, n.SecurityTargetObject, n.AsClause, catalog.Granted)
}

// change stores a permission; no state is REVOKE.
func (x *run) change(perms []*ast.Permission, to []*ast.SecurityPrincipal, target *ast.SecurityTargetObject, as *ast.Identifier, state catalog.GrantState) {
	if isServer(perms, target) {
		x.onServer(perms, to, state)
		return
	}
	for _, c := range x.changes(perms, to, target, as) {
		on := c.target.on
		grantor := on.Owner
		if grantor == 0 || on.Class == catalog.ClassDatabase {
			grantor = catalog.DboUser
		}
		if !x.token().Dbo && !x.token().Sysadmin && !x.token().Is(grantor) {
			grantor = x.user()
		}
		x.db.Grant(x.tx, catalog.Permission{Class: on.Class, Major: on.ID, Grantee: c.grantee.ID, Grantor: grantor, Name: c.name, State: state})
	}
}

func (x *run) deny(n *ast.DenyStatement) {
	x.change(n.Permissions, n.Principals, n.SecurityTargetObject, n.AsClause, catalog.Denied)
}

func (x *run) revoke(n *ast.RevokeStatement) {
	if n.GrantOptionFor {
		panic(sqlerr.NotSupported("REVOKE GRANT OPTION FOR"))
	}
	x.change(n.Permissions, n.Principals, n.SecurityTargetObject, n.AsClause, 0)
}

// authorize is ALTER AUTHORIZATION: it changes an owner and revokes what was granted on the securable.
func (x *run) authorize(n *ast.AlterAuthorizationStatement) error {
	if n.SecurityTargetObject != nil && n.SecurityTargetObject.ObjectKind == "Database" {
		x.authorizeDatabase(n)
		return nil
	}
	t := x.securable(n.SecurityTargetObject)
	if !x.may("TAKE OWNERSHIP", t.on) {
		x.mayNotGrant(t, n.SecurityTargetObject)
		return nil
	}
	owner := int32(0)
	if !n.ToSchemaOwner {
		owner = query.Must(x.newOwner(n.PrincipalName))
	}
	if t.on.Class == catalog.ClassObject {
		x.db.SetObjectOwner(x.tx, t.on.ID, owner)
		return nil
	}
	if t.on.Class != catalog.ClassSchema {
		return sqlerr.NotSupported("ALTER AUTHORIZATION ON %s", n.SecurityTargetObject.ObjectKind)
	}
	x.db.SetSchemaOwner(x.tx, t.on.ID, owner)
	return nil
}
