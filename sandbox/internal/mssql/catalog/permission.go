package catalog

import (
	"cmp"
	"iter"
	"slices"

	"github.com/tidwall/btree"
)

// Class is the class of a securable: sys.database_permissions.class.
type Class uint8

// The classes of securables.
const (
	ClassDatabase    Class = 0
	ClassObject      Class = 1 // and columns, by Minor
	ClassSchema      Class = 3
	ClassPrincipal   Class = 4
	ClassType        Class = 6
	ClassMessageType Class = 15
	ClassContract    Class = 16
	ClassService     Class = 17
	ClassServer      Class = 100
)

// Securable is what a permission applies to.
type Securable struct {
	Class  Class
	ID     int32 // object, schema, principal, user type, message type, contract or service id
	Schema int32 // the schema that contains it, for objects and types
	Owner  int32 // the principal that owns it; 0 where nobody in the database does
	Role   bool  // for a principal: a role, not a user
}

// OnDatabase is the database itself as a securable.
func OnDatabase() Securable { return Securable{Class: ClassDatabase} }

// OnObject is an object as a securable.
func OnObject(o *Object) Securable {
	return Securable{Class: ClassObject, ID: o.ID, Schema: o.SchemaID, Owner: o.Owner}
}

// OnSchema is a schema as a securable.
func OnSchema(s *Schema) Securable {
	return Securable{Class: ClassSchema, ID: s.ID, Owner: s.Owner}
}

// OnType is a user-defined type as a securable.
func OnType(t *UserType) Securable {
	return Securable{Class: ClassType, ID: t.ID, Schema: t.SchemaID, Owner: t.Owner}
}

// OnPrincipal is a user or role as a securable. A user owns itself.
func OnPrincipal(p *Principal) Securable {
	s := Securable{Class: ClassPrincipal, ID: p.ID, Owner: p.Owner, Role: p.Kind == DatabaseRole}
	if !s.Role {
		s.Owner = p.ID
	}
	return s
}

// GrantState is the state of a permission: sys.database_permissions.state.
type GrantState byte

// The states of a permission.
const (
	Granted GrantState = 'G'
	Denied  GrantState = 'D'
)

// Permission is a row of sys.database_permissions.
type Permission struct {
	Class            Class
	Major, Minor     int32
	Grantee, Grantor int32
	Name             string // permission_name, upper case
	State            GrantState
}

// permissions are the explicit permissions of a database or of the server. Per securable,
// grantee and permission there is one row: the newest statement wins.
type permissions struct{ rows *btree.BTreeG[Permission] }

func newPermissions() permissions {
	less := func(a, b Permission) bool { return comparePermissions(a, b) < 0 }
	return permissions{btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

func comparePermissions(a, b Permission) int {
	return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Major, b.Major), cmp.Compare(a.Minor, b.Minor),
		cmp.Compare(a.Grantee, b.Grantee), cmp.Compare(a.Name, b.Name))
}

// set stores a row, or deletes it when its state is 0; an undo reverts that.
func (p permissions) set(u Undoer, row Permission) {
	old, had := p.rows.Get(row)
	if row.State == 0 {
		p.rows.Delete(row)
	} else {
		p.rows.Set(row)
	}
	u.Undo(func() {
		if had {
			p.rows.Set(old)
		} else {
			p.rows.Delete(row)
		}
	})
}

// of yields the rows about one securable, columns included.
func (p permissions) of(c Class, id int32) iter.Seq[Permission] {
	return func(yield func(Permission) bool) {
		p.rows.Ascend(Permission{Class: c, Major: id, Minor: -1}, func(r Permission) bool {
			return r.Class == c && r.Major == id && yield(r)
		})
	}
}

// removeSecurable deletes what was granted on a dropped securable.
func (p permissions) removeSecurable(u Undoer, c Class, id int32) {
	for _, r := range slices.Collect(p.of(c, id)) {
		r.State = 0
		p.set(u, r)
	}
}

// removeGrantee deletes what was granted to a dropped principal.
func (p permissions) removeGrantee(u Undoer, id int32) {
	for _, r := range p.rows.Items() {
		if r.Grantee == id {
			r.State = 0
			p.set(u, r)
		}
	}
}

// Permissions yields the explicit permissions of the database in a fixed order.
func (db *Database) Permissions() iter.Seq[Permission] {
	return func(yield func(Permission) bool) { db.grants.rows.Scan(yield) }
}

// RevokeAll deletes everything granted or denied on a securable.
func (db *Database) RevokeAll(u Undoer, c Class, id int32) {
	db.grants.removeSecurable(u, c, id)
	db.touch(u, func() {})
}

// Grant stores a permission row (GRANT or DENY), replacing an earlier one.
func (db *Database) Grant(u Undoer, row Permission) {
	db.grants.set(u, row)
	db.touch(u, func() {})
}

// Granted returns the explicit state of a permission for one grantee; 0 when there is none.
func (db *Database) Granted(s Securable, name string, grantee int32) GrantState {
	r, _ := db.grants.rows.Get(Permission{Class: s.Class, Major: s.ID, Grantee: grantee, Name: name})
	return r.State
}

// GrantServer stores a server-level permission row of a login, or removes it if State is 0.
func (s *Server) GrantServer(u Undoer, row Permission) {
	s.grants.set(u, row)
	s.Version++
	u.Undo(func() { s.Version++ })
}

// ServerAllowed reports whether a login has a server-level permission, such as VIEW SERVER
// STATE or ALTER ANY CONNECTION. CONTROL SERVER covers all of them.
func (s *Server) ServerAllowed(login int32, name string) bool {
	l := s.LoginByID(login)
	switch {
	case l == nil:
		return false
	case l.Sysadmin:
		return true
	}
	allowed := false
	for r := range s.grants.of(ClassServer, 0) {
		if r.Grantee != login && r.Grantee != publicLogin {
			continue
		}
		if r.Name != name && r.Name != "CONTROL SERVER" && !slices.Contains(serverCovered[r.Name], name) {
			continue
		}
		if r.State == Denied {
			return false
		}
		allowed = true
	}
	return allowed
}

// serverCovered lists what server-level permissions imply, apart from CONTROL SERVER
// (learn.microsoft.com "GRANT Server Permissions").
var serverCovered = map[string][]string{
	"ALTER ANY DATABASE":  {"CREATE ANY DATABASE", "VIEW ANY DATABASE"},
	"ALTER SERVER STATE":  {"VIEW SERVER STATE", "VIEW SERVER PERFORMANCE STATE", "VIEW SERVER SECURITY STATE"},
	"VIEW SERVER STATE":   {"VIEW SERVER PERFORMANCE STATE", "VIEW SERVER SECURITY STATE"},
	"VIEW ANY DEFINITION": {"VIEW ANY DATABASE", "VIEW ANY SECURITY DEFINITION", "VIEW ANY PERFORMANCE DEFINITION"},
}

// Allowed reports whether a token has a permission on a securable, by the documented
// permission check algorithm (learn.microsoft.com "Permissions (Database Engine)"): dbo and
// sysadmin pass; a DENY of the permission or of one that covers it, on the securable or on one
// that contains it, fails; then a GRANT of one of those passes. Owners hold CONTROL.
func (db *Database) Allowed(tok Token, name string, s Securable) bool {
	if tok.Dbo || tok.Sysadmin {
		return true
	}
	if s.Class == ClassObject && db.isSystem(s) {
		return name == "SELECT" || name == "EXECUTE" || name == "VIEW DEFINITION"
	}
	c := check{db: db, tok: tok}
	c.walk(s, name)
	return c.owner || c.granted && !c.denied
}

func (db *Database) isSystem(s Securable) bool {
	_, ok := db.Server.viewIDs.Get(s.ID)
	return ok
}

// check is one run of the permission check.
type check struct {
	db                     *Database
	tok                    Token
	granted, denied, owner bool
}

// explicit looks at the rows about a securable for exactly this permission.
func (c *check) explicit(s Securable, name string) GrantState {
	var st GrantState
	for r := range c.db.grants.of(s.Class, s.ID) {
		if r.Name != name || !c.tok.Is(r.Grantee) {
			continue
		}
		if r.State == Denied {
			return Denied
		}
		st = Granted
	}
	return st
}

// walk visits a permission on a securable and everything that covers it.
func (c *check) walk(s Securable, name string) {
	if s.Owner != 0 && c.tok.Is(s.Owner) {
		c.owner = true
	}
	switch c.explicit(s, name) {
	case Denied:
		c.denied = true
	case Granted:
		c.granted = true
	default:
	}
	if s.Class == ClassDatabase {
		c.fixedRoles(name)
	}
	for _, up := range covering(s.Class, name, s.Role) {
		if up.class == s.Class {
			c.walk(s, up.name)
			continue
		}
		c.walk(c.parent(s, up.class), up.name)
	}
}

func (c *check) parent(s Securable, class Class) Securable {
	if class == ClassSchema {
		if sch := c.db.SchemaByID(s.Schema); sch != nil {
			return OnSchema(sch)
		}
	}
	return OnDatabase()
}

// fixedRoles applies the permissions of the fixed database roles on the database.
func (c *check) fixedRoles(name string) {
	for _, f := range fixedRolePermissions {
		if c.tok.Is(f.role) && slices.Contains(f.names, name) {
			if f.deny {
				c.denied = true
			} else {
				c.granted = true
			}
		}
	}
}

// Is reports whether a principal is one of the identities of the token.
func (t Token) Is(principal int32) bool {
	_, ok := slices.BinarySearch(t.Roles, principal)
	return ok
}

// CanGrant reports whether a token may grant, deny or revoke a permission on a securable: as its owner, with CONTROL on it, or
// as a member of db_securityadmin.
func (db *Database) CanGrant(tok Token, s Securable) bool {
	return tok.Dbo || tok.Sysadmin || tok.Is(RoleSecAdmin) || db.Allowed(tok, "CONTROL", s)
}

// CheckObject returns nil when a token has a permission on an object, otherwise error 229.
func (db *Database) CheckObject(tok Token, name string, o *Object) error {
	if o.DB != nil && o.DB != db {
		db = o.DB
	}
	if db.Allowed(tok, name, OnObject(o)) {
		return nil
	}
	return PermissionDenied(name, o)
}

// SeesObject reports whether a token may see the metadata of an object: it has any permission
// on it (learn.microsoft.com "Metadata Visibility Configuration").
func (db *Database) SeesObject(tok Token, o *Object) bool {
	if tok.Dbo || tok.Sysadmin || o.Kind == SystemViewObject {
		return true
	}
	if o.Kind.IsConstraint() || o.Kind == TableTypeObject {
		if p := db.ObjectByID(o.Parent); p != nil {
			o = p
		}
	}
	if tt, ok := o.Def.(*TableType); ok {
		if t := db.TypeByID(tt.UserType); t != nil {
			return db.SeesType(tok, t)
		}
	}
	return db.sees(tok, OnObject(o), objectPermissions)
}

// SeesType reports whether a token may see the metadata of a user-defined type.
func (db *Database) SeesType(tok Token, t *UserType) bool {
	return db.sees(tok, OnType(t), []string{"REFERENCES", "EXECUTE", "VIEW DEFINITION", "CONTROL", "TAKE OWNERSHIP"})
}

// SeesDefinition reports whether a token may read the text of a module: VIEW DEFINITION.
func (db *Database) SeesDefinition(tok Token, o *Object) bool {
	return db.Allowed(tok, "VIEW DEFINITION", OnObject(o))
}

func (db *Database) sees(tok Token, s Securable, names []string) bool {
	for _, n := range names {
		if db.Allowed(tok, n, s) {
			return true
		}
	}
	for r := range db.grants.of(s.Class, s.ID) {
		if r.State != Denied && tok.Is(r.Grantee) {
			return true
		}
	}
	return false
}
