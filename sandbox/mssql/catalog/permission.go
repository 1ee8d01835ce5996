package catalog

import "github.com/tidwall/btree"

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
	ClassLogin       Class = 101
)

// Securable is what a permission is about.
type Securable struct {
	Class  Class
	ID     int32 // object, schema, principal, user type, message type, contract or service id
	Column int32 // column id with ClassObject; 0: the whole object
	Schema int32 // the schema that contains it, for objects and types
	Owner  int32 // the principal that owns it; 0 where nobody in the database does
}

// OnDatabase is the database itself as a securable.
func OnDatabase() Securable { return Securable{Class: ClassDatabase} }

// OnObject is an object as a securable.
func OnObject(o *Object) Securable {
	return Securable{Class: ClassObject, ID: o.ID, Schema: o.SchemaID, Owner: o.Owner}
}

// Permission is a row of sys.database_permissions.
type Permission struct {
	Class            Class
	Major, Minor     int32
	Grantee, Grantor int32
	Name             string // permission_name, upper case
	State            GrantState
}

// GrantState is the state of a permission: sys.database_permissions.state.
type GrantState byte

// The states of a permission.
const (
	Granted   GrantState = 'G'
	WithGrant GrantState = 'W'
	Denied    GrantState = 'D'
)

type permissions struct {
	rows *btree.BTreeG[Permission]
}
