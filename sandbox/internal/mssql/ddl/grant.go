package ddl

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// grantTarget is what GRANT, DENY or REVOKE is about.
type grantTarget struct {
	on   catalog.Securable
	kind catalog.Kind // of an object
	obj  *catalog.Object
}

// permissionNames expands the permissions of a statement; ALL has its documented meaning.
func permissionNames(p *ast.Permission, t grantTarget) []string {
	words := make([]string, len(p.Identifiers))
	for i, id := range p.Identifiers {
		words[i] = strings.ToUpper(id.Value)
	}
	name := strings.Join(words, " ")
	switch name {
	case "EXEC":
		return []string{"EXECUTE"}
	case "ALL", "ALL PRIVILEGES":
		if t.on.Class == catalog.ClassDatabase {
			return []string{"BACKUP DATABASE", "BACKUP LOG", "CREATE DEFAULT", "CREATE FUNCTION", "CREATE PROCEDURE", "CREATE RULE", "CREATE TABLE", "CREATE VIEW"}
		}
		switch t.kind {
		case catalog.Procedure:
			return []string{"EXECUTE"}
		case catalog.ScalarFunction:
			return []string{"EXECUTE", "REFERENCES"}
		case catalog.UserTable, catalog.View, catalog.InlineFunction, catalog.TableFunction:
			return []string{"DELETE", "INSERT", "REFERENCES", "SELECT", "UPDATE"}
		default:
		}
	}
	return []string{name}
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
		return grantTarget{on: catalog.OnObject(o), kind: o.Kind, obj: o}
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
	case "Service", "Contract", "MessageType":
		return x.brokerSecurable(t.ObjectKind, name)
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
	column  int32
}

// changes lists what a statement changes, and checks that the session may.
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
			columns := perm.Columns
			if target != nil && len(target.Columns) > 0 {
				columns = target.Columns
			}
			ids := x.columnIDs(t, columns)
			for _, name := range permissionNames(perm, t) {
				if !catalog.Grantable(t.on.Class, t.kind, name) {
					incompatible(t, name)
					return nil
				}
				if !x.db.CanGrant(x.token(), name, t.on) {
					x.mayNotGrant(t, target)
					return nil
				}
				if len(columns) > 0 && name != "SELECT" && name != "UPDATE" && name != "REFERENCES" {
					panic(message.MS(1020))
				}
				if p.Kind == catalog.CertificateUser && name != "AUTHENTICATE" {
					panic(sqlerr.NotSupported("%s of the user of a certificate", name)) // what its modules may in this way is not modelled
				}
				for _, id := range ids {
					out = append(out, change{t, name, p, id})
				}
			}
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

// grantee resolves who a permission is for; nil for dbo, sys, the owner and oneself, for whom the
// statement has no effect but a message.
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

// columnIDs resolves a column list; without one it is the whole securable.
func (x *run) columnIDs(t grantTarget, columns []*ast.Identifier) []int32 {
	if len(columns) == 0 {
		return []int32{0}
	}
	if t.obj == nil {
		panic(message.MS(1020))
	}
	var cols []catalog.Column
	if tab := t.obj.Table(); tab != nil {
		cols = tab.Columns
	} else if m := t.obj.Module(); m != nil {
		cols = m.Columns
	}
	var ids []int32
next:
	for _, id := range columns {
		for i := range cols {
			if catalog.SameName(x.db.Collation, cols[i].Name, id.Value) {
				ids = append(ids, cols[i].ID)
				continue next
			}
		}
		panic(message.MS(207, id.Value))
	}
	return ids
}

// server reports whether a statement is about the server: no ON, and permissions that exist there only.
func isServer(perms []*ast.Permission, target *ast.SecurityTargetObject) bool {
	if target != nil {
		return false
	}
	for _, p := range perms {
		if !catalog.IsServerPermission(permissionNames(p, grantTarget{})[0]) {
			return false
		}
	}
	return true
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
				Class: catalog.ClassServer, Grantee: l.ID, Grantor: me.ID, Name: permissionNames(p, grantTarget{})[0], State: state,
			})
		}
	}

}

// errSelf is 4624. It arrives as a message of severity 0 (SQLSTATE 01000), not as an error.
func errSelf() *sqlerr.Error {
	return message.MS(4624).At(0, 2)
}

func (x *run) grant(n *ast.GrantStatement) {
	state := catalog.Granted
	if n.WithGrantOption {
		state = catalog.WithGrant
	}
	if isServer(n.Permissions, n.SecurityTargetObject) {
		x.onServer(n.Permissions, n.Principals, state)
		return
	}
	list := x.changes(n.Permissions, n.Principals, n.SecurityTargetObject, n.AsClause)
	for _, c := range list {
		x.put(c, state)
	}

}

// put stores a permission. GRANT after GRANT WITH GRANT OPTION keeps the option.
func (x *run) put(c change, state catalog.GrantState) {
	on := c.target.on
	on.Column = c.column
	if state == catalog.Granted && x.db.Granted(on, c.name, c.grantee.ID) == catalog.WithGrant {
		return
	}
	if c.column == 0 && on.Class == catalog.ClassObject { // the whole object covers its columns anew
		for p := range x.db.PermissionsOn(catalog.ClassObject, on.ID) {
			if p.Minor != 0 && p.Grantee == c.grantee.ID && p.Name == c.name {
				col := on
				col.Column = p.Minor
				x.db.Revoke(x.tx, col, c.name, c.grantee.ID)
			}
		}
	}
	grantor := on.Owner
	if grantor == 0 || on.Class == catalog.ClassDatabase {
		grantor = catalog.DboUser
	}
	if !x.token().Dbo && !x.token().Sysadmin && !x.token().Is(grantor) {
		grantor = x.user()
	}
	x.db.Grant(x.tx, catalog.Permission{
		Class: on.Class, Major: on.ID, Minor: c.column, Grantee: c.grantee.ID, Grantor: grantor, Name: c.name, State: state,
	})
}

func (x *run) deny(n *ast.DenyStatement) {
	if isServer(n.Permissions, n.SecurityTargetObject) {
		x.onServer(n.Permissions, n.Principals, catalog.Denied)
		return
	}
	list := x.changes(n.Permissions, n.Principals, n.SecurityTargetObject, n.AsClause)
	for _, c := range list {
		on := c.target.on
		on.Column = c.column
		if x.db.Granted(on, c.name, c.grantee.ID) == catalog.WithGrant && !n.CascadeOption {
			panic(query.Raised(message.MS(4611)))
		}
		x.put(c, catalog.Denied)
	}

}

func (x *run) revoke(n *ast.RevokeStatement) {
	if isServer(n.Permissions, n.SecurityTargetObject) {
		x.onServer(n.Permissions, n.Principals, 0)
		return
	}
	list := x.changes(n.Permissions, n.Principals, n.SecurityTargetObject, n.AsClause)
	for _, c := range list {
		on := c.target.on
		on.Column = c.column
		state := x.db.Granted(on, c.name, c.grantee.ID)
		if state == catalog.WithGrant && !n.CascadeOption {
			panic(query.Raised(message.MS(4611)))
		}
		if n.GrantOptionFor {
			if state == catalog.WithGrant {
				x.cascade(on, c.name, c.grantee.ID)
				x.db.Revoke(x.tx, on, c.name, c.grantee.ID)
				x.put(c, catalog.Granted)
			}
			continue
		}
		if n.CascadeOption {
			x.cascade(on, c.name, c.grantee.ID)
		}
		x.db.Revoke(x.tx, on, c.name, c.grantee.ID)
	}

}

// cascade takes a permission from those to whom a principal has granted it.
func (x *run) cascade(on catalog.Securable, name string, grantor int32) {
	for p := range x.db.PermissionsOn(on.Class, on.ID) {
		if p.Grantor == grantor && p.Name == name && p.Grantee != grantor {
			x.cascade(on, name, p.Grantee)
			s := on
			s.Column = p.Minor
			x.db.Revoke(x.tx, s, name, p.Grantee)
		}
	}
}

// authorize is ALTER AUTHORIZATION: it changes an owner and takes away what was granted on the securable.
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
	switch t.on.Class {
	case catalog.ClassSchema:
		x.db.SetSchemaOwner(x.tx, t.on.ID, owner)
	case catalog.ClassObject:
		o, err := x.claim(&ast.SchemaObjectName{SchemaIdentifier: &ast.Identifier{Value: t.obj.Schema}, BaseIdentifier: &ast.Identifier{Value: t.obj.Name}})
		query.Check(err)
		if o == nil {
			return nil
		}
		c := *o
		c.OwnOwner, c.Modified = owner, x.Now()
		x.db.Replace(x.tx, &c)
		x.db.RevokeAll(x.tx, catalog.ClassObject, o.ID)
	case catalog.ClassType:
		c := *x.db.TypeByID(t.on.ID)
		c.OwnOwner = owner
		x.db.ReplaceType(x.tx, &c)
		x.db.RevokeAll(x.tx, catalog.ClassType, c.ID)
	case catalog.ClassPrincipal:
		if !t.on.Role {
			return sqlerr.NotSupported("ALTER AUTHORIZATION ON USER")
		}
		c := *x.db.PrincipalByID(t.on.ID)
		c.Owner, c.Modified = owner, x.Now()
		x.db.PutPrincipal(x.tx, &c)
	default:
		return sqlerr.NotSupported("ALTER AUTHORIZATION ON %s", n.SecurityTargetObject.ObjectKind)
	}
	return nil
}
