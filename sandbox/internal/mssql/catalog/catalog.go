// Package catalog holds what a SQL Server instance knows about its databases: schemas, objects,
// columns, indexes, types, principals and permissions, and the system views that show them.
// It holds definitions only; rows are in store, message types and conversations in broker.
//
// Objects are immutable and replaced as a whole. Every change takes an Undoer (a transaction), to
// which it adds a function that undoes the change, and raises the Version of its database, so that
// compiled plans are known to be out of date. Isolation is up to the caller: a statement that
// changes an object holds a Sch-M lock on it, a statement that uses it holds a Sch-S lock.
package catalog

import (
	"iter"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/btree"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/broker"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
)

// Undoer collects the closures that undo changes and runs them newest first: a store.Txn.
type Undoer interface{ Undo(fn func()) }

// Server is an instance: its databases and logins.
type Server struct {
	Name       string
	Unresolved map[string]int // users of whom EXECUTE AS learns nothing, with its error
	Major      int            // the product's major version: 16 or 17
	Collation  datatype.Collation
	Version    int64 // raised by every change of a login or of the list of databases
	Brokers    *broker.Instance

	databases btree.Map[int32, *Database]
	logins    btree.Map[int32, *Login]
	grants    permissions // server-level permissions, on logins
	views     map[viewKey]*Object
	viewIDs   btree.Map[int32, *Object]
	Differ    differ.Set // what the server does otherwise
	nextDB    int32
	nextLogin int32
}

type viewKey struct{ schema, name string }

// Database is a database. Its fields are changed by DDL only, through Change.
type Database struct {
	ID                    int32
	Name                  string
	Server                *Server
	Collation             datatype.Collation
	CompatLevel           uint8
	Created               time.Time
	Owner                 int32 // the login that owns it, which is dbo here
	ReadCommittedSnapshot bool
	SnapshotIsolation     bool
	AcceleratedRecovery   bool
	OptimizedLocking      bool     // on a 2025 server: store.TableSpec.Stamped of its tables
	Mirroring             [16]byte // mirroring_guid; zero: not mirrored
	Group                 [16]byte // group_database_id; zero: in no availability group
	Trustworthy           bool
	SingleUser            bool
	Recovery              string           // FULL, SIMPLE or BULK_LOGGED: shown, and asked by BACKUP LOG
	BackedUp              bool             // a full backup was made, on which others can rest
	Version               int64            // raised by every DDL statement and by its undo
	Broker                *broker.Database // nil in a server without brokers

	objects      btree.Map[int32, *Object]
	byName       map[nameKey]int32
	pending      map[nameKey]int32 // dropped by a transaction that has not ended
	schemas      btree.Map[int32, *Schema]
	schemaIDs    map[string]int32 // by folded name
	types        btree.Map[int32, *UserType]
	users        btree.Map[int32, *Principal]
	members      btree.Map[int64, struct{}] // role<<32 | member
	grants       permissions
	certificates btree.Map[int32, *Certificate]
	nextID       int32
	nextType     int32
	nextSchem    int32
}

type nameKey struct {
	schema int32
	name   string // folded
}

// Schema is a schema of a database.
type Schema struct {
	ID    int32
	Name  string
	Owner int32
}

// UserType is an alias type or a table type.
type UserType struct {
	ID       int32 // user_type_id, above 256
	SchemaID int32
	Schema   string
	Name     string
	Owner    int32
	OwnOwner int32
	Base     datatype.Type // for an alias type
	Nullable bool
	Table    *Object // for a table type
}

// DatabaseByName returns a database, or nil. Names compare as the server's do.
func (s *Server) DatabaseByName(name string) *Database {
	return named(&s.databases, s.Collation, name, func(db *Database) string { return db.Name })
}

// DatabaseByID returns a database, or nil.
func (s *Server) DatabaseByID(id int32) *Database {
	db, _ := s.databases.Get(id)
	return db
}

// Databases yields the databases by id.
func (s *Server) Databases() iter.Seq2[int32, *Database] { return ordered(&s.databases) }

// SchemaByName returns a schema, or nil.
func (db *Database) SchemaByName(name string) *Schema {
	id, ok := db.schemaIDs[Fold(db.Collation, name)]
	if !ok {
		return nil
	}
	return db.SchemaByID(id)
}

// putSchema adds a schema or replaces the one with its id; names of schemas never change.
func (db *Database) putSchema(s *Schema) {
	db.schemas.Set(s.ID, s)
	db.schemaIDs[Fold(db.Collation, s.Name)] = s.ID
}

func (db *Database) dropSchema(s *Schema) {
	db.schemas.Delete(s.ID)
	delete(db.schemaIDs, Fold(db.Collation, s.Name))
}

// SchemaByID returns a schema, or nil.
func (db *Database) SchemaByID(id int32) *Schema {
	s, _ := db.schemas.Get(id)
	return s
}

// Schemas yields the schemas by id.
func (db *Database) Schemas() iter.Seq2[int32, *Schema] { return ordered(&db.schemas) }

// Object finds a user object by schema and name, or a system view when the schema is sys or
// INFORMATION_SCHEMA (or the name is that of a compatibility view such as dbo.sysobjects).
// It returns nil when there is none.
func (db *Database) Object(schema, name string) *Object {
	if s := db.SchemaByName(schema); s != nil {
		if id, ok := db.byName[nameKey{s.ID, Fold(db.Collation, name)}]; ok {
			o, _ := db.objects.Get(id)
			return o
		}
		if s.ID == DboSchema && (db.Name != "msdb" || isCompatView(name)) {
			schema = "sys"
			if !isCompatView(name) {
				return nil
			}
		}
	}
	v := db.Server.views[viewKey{strings.ToLower(schema), strings.ToLower(name)}]
	if v == nil {
		return nil
	}
	here := *v
	here.Home = db
	return &here
}

// ObjectByID returns a user object or a system view, or nil.
func (db *Database) ObjectByID(id int32) *Object {
	if o, ok := db.objects.Get(id); ok {
		return o
	}
	o, _ := db.Server.viewIDs.Get(id)
	return o
}

// Objects yields the user objects by id, constraints included, system views not.
func (db *Database) Objects() iter.Seq2[int32, *Object] { return ordered(&db.objects) }

// Dropping returns the id of an object of that name that a transaction has dropped and not yet
// committed: to use the name, wait for the Sch-S lock on that id and look again.
func (db *Database) Dropping(schema, name string) (id int32, ok bool) {
	if s := db.SchemaByName(schema); s != nil {
		id, ok = db.pending[nameKey{s.ID, Fold(db.Collation, name)}]
	}
	return id, ok
}

// TypeByName returns an alias or table type, or nil.
func (db *Database) TypeByName(schema, name string) *UserType {
	key := Fold(db.Collation, name)
	s := db.SchemaByName(schema)
	if s == nil {
		return nil
	}
	for _, t := range ordered(&db.types) {
		if t.SchemaID == s.ID && Fold(db.Collation, t.Name) == key {
			return t
		}
	}
	return nil
}

// TypeByID returns an alias or table type by its user_type_id, or nil.
func (db *Database) TypeByID(id int32) *UserType {
	t, _ := db.types.Get(id)
	return t
}

// Types yields the user-defined types by id.
func (db *Database) Types() iter.Seq2[int32, *UserType] { return ordered(&db.types) }

// Fold returns a form of a name that is the same for all names that are equal under a collation.
func Fold(c datatype.Collation, name string) string {
	name = strings.TrimRight(name, " ")
	if c != datatype.CIAS {
		return name
	}
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return strings.ToLower(strings.ToUpper(name))
		}
	}
	return strings.ToLower(name)
}

// SameName reports whether two names are the same under a collation.
func SameName(c datatype.Collation, a, b string) bool {
	if a == b {
		return true
	}
	const toLower = 0x20
	if a != "" && b != "" && a[0] < utf8.RuneSelf && b[0] < utf8.RuneSelf && a[0]|toLower != b[0]|toLower {
		return false // a cheap test: most names differ
	}
	return Fold(c, a) == Fold(c, b)
}

// first returns the first of a list that matches, or nil.
func first[K, V any](list iter.Seq2[K, *V], match func(*V) bool) *V {
	for _, v := range list {
		if match(v) {
			return v
		}
	}
	return nil
}

// ordered yields the entries of a map by key.
func ordered[V any](m *btree.Map[int32, V]) iter.Seq2[int32, V] {
	return func(yield func(int32, V) bool) { m.Scan(yield) }
}

// named returns the first entry of a map whose name equals name under the collation, or nil.
func named[V any](m *btree.Map[int32, *V], c datatype.Collation, name string, of func(*V) string) *V {
	return first(ordered(m), func(v *V) bool { return SameName(c, of(v), name) })
}

// isCompatView reports whether a view of schema sys is also found in dbo.
func isCompatView(name string) bool { return strings.EqualFold(name, "sysobjects") }
