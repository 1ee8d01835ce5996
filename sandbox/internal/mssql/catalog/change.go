package catalog

import (
	"time"

	"github.com/tidwall/btree"

	"github.com/dbsched/dbsched/sandbox/internal/broker"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
)

// firstObjectID and idStep give user objects ids like those of a real database, which also
// counts upwards in this step and wraps below 2^31.
const (
	firstObjectID = 565577053
	idStep        = 16000057
)

// NewServer returns an instance with its system databases, the login sa and the fixed server roles.
func NewServer(name string, major int, c datatype.Collation, brokers *broker.Instance, now time.Time) *Server {
	s := &Server{Name: name, Major: major, Collation: c, Brokers: brokers, views: map[viewKey]*Object{}, nextDB: 1, nextLogin: 1}
	s.grants = newPermissions()
	s.addSystemLogins(now)
	s.registerViews()
	for _, n := range []string{"master", "tempdb", "model", "msdb"} {
		db := s.newDatabase(n, c, saLogin, now)
		asInstalled(db)
		s.databases.Set(db.ID, db)
		if brokers != nil { // on in tempdb and msdb only, as installed
			db.Broker = brokers.AddDatabase(db.ID, n == "tempdb" || n == "msdb")
		}
	}
	return s
}

// asInstalled gives a system database the options that it has after setup
// (learn.microsoft.com "System databases", the tables of database options).
func asInstalled(db *Database) {
	switch db.Name {
	case "master", "msdb":
		db.SnapshotIsolation = true
		db.Trustworthy = db.Name == "msdb"
		db.Recovery = "SIMPLE"
	case "tempdb":
		db.Recovery = "SIMPLE"
	}
}

// newDatabase creates a database with what every database contains, and assigns its id.
func (s *Server) newDatabase(name string, c datatype.Collation, owner int32, now time.Time) *Database {
	db := &Database{
		ID: s.nextDB, Name: name, Server: s, Collation: c, CompatLevel: 160, Created: now, Owner: owner,
		Recovery:  "FULL",
		schemaIDs: map[string]int32{}, byName: map[nameKey]int32{}, pending: map[nameKey]int32{},
		grants: newPermissions(),
		nextID: firstObjectID, nextType: 257, nextSchem: 5,
		Version: 1,
	}
	s.nextDB++
	db.addSystemPrincipals(now)
	return db
}

// CreateDatabase creates a user database, with its broker enabled; the caller has checked that the
// name is free. There is no undo: CREATE DATABASE is refused in a transaction.
func (s *Server) CreateDatabase(name string, c datatype.Collation, owner int32, now time.Time) *Database {
	db := s.newDatabase(name, c, owner, now)
	if s.Brokers != nil {
		db.Broker = s.Brokers.AddDatabase(db.ID, true)
	}
	s.databases.Set(db.ID, db)
	s.Version++
	return db
}

// DropDatabase removes a database.
func (s *Server) DropDatabase(db *Database) {
	s.databases.Delete(db.ID)
	if db.Broker != nil {
		s.Brokers.RemoveDatabase(db.Broker)
	}
	s.Version++
	db.Version++
}

// Change sets fields of a database that are not under a transaction (ALTER DATABASE).
func (db *Database) Change(fn func()) {
	fn()
	db.Version++
	db.Server.Version++
}

// touch raises the version now and when the change is undone.
func (db *Database) touch(u Undoer, undo func()) {
	db.Version++
	u.Undo(func() {
		undo()
		db.Version++
	})
}

// NewID returns an object id that nothing in the database uses.
func (db *Database) NewID() int32 {
	for {
		id := db.nextID
		next := int64(id) + idStep
		if next > 1<<31-1 {
			next -= 1<<31 - 1
		}
		db.nextID = int32(next)
		if _, taken := db.objects.Get(id); !taken && id > 0 {
			return id
		}
	}
}

// Add adds a new object to the database. A zero ID is assigned; DB, Schema and Owner are
// filled in from SchemaID.
func (db *Database) Add(u Undoer, o *Object) {
	if o.ID == 0 {
		o.ID = db.NewID()
	}
	db.own(o)
	db.put(o)
	db.touch(u, func() { db.forget(o) })
}

func (db *Database) own(o *Object) {
	s := db.SchemaByID(o.SchemaID)
	o.DB, o.Schema, o.Owner = db, s.Name, s.Owner
	if o.OwnOwner != 0 {
		o.Owner = o.OwnOwner
	}
}

func (db *Database) put(o *Object) {
	db.objects.Set(o.ID, o)
	db.byName[db.key(o)] = o.ID
}

func (db *Database) forget(o *Object) {
	db.objects.Delete(o.ID)
	delete(db.byName, db.key(o))
}

func (db *Database) key(o *Object) nameKey { return nameKey{o.SchemaID, Fold(db.Collation, o.Name)} }

// Replace replaces the object with the same id by o; name and schema may differ.
func (db *Database) Replace(u Undoer, o *Object) {
	old, _ := db.objects.Get(o.ID)
	db.own(o)
	db.forget(old)
	db.put(o)
	db.touch(u, func() {
		db.forget(o)
		db.put(old)
	})
}

// Committer runs closures after the commit of a transaction: a store.Txn.
type Committer interface {
	Undoer
	OnCommit(fn func())
}

// Remove removes an object from the database, with its permissions and extended properties.
// Until the transaction ends its name is known to Dropping.
func (db *Database) Remove(tx Committer, o *Object) {
	key := db.key(o)
	db.forget(o)
	before, had := db.pending[key]
	db.pending[key] = o.ID
	restore := func() {
		if delete(db.pending, key); had {
			db.pending[key] = before
		}
	}
	tx.OnCommit(func() {
		if db.pending[key] == o.ID {
			delete(db.pending, key)
		}
	})
	db.touch(tx, func() {
		restore()
		db.put(o)
	})
	db.grants.removeSecurable(tx, ClassObject, o.ID)
}

// AddSchema creates a schema.
func (db *Database) AddSchema(u Undoer, name string, owner int32) *Schema {
	s := &Schema{ID: db.nextSchem, Name: name, Owner: owner}
	db.nextSchem++
	db.putSchema(s)
	db.touch(u, func() { db.dropSchema(s) })
	return s
}

// RemoveSchema drops an empty schema with its permissions.
func (db *Database) RemoveSchema(u Undoer, s *Schema) {
	db.dropSchema(s)
	db.touch(u, func() { db.putSchema(s) })
	db.grants.removeSecurable(u, ClassSchema, s.ID)
}

// SetSchemaOwner changes the owner of a schema, and of its objects and types that have no
// owner of their own; permissions granted on the schema are dropped, as ALTER AUTHORIZATION documents.
func (db *Database) SetSchemaOwner(u Undoer, id, owner int32) {
	old := db.SchemaByID(id)
	s := *old
	s.Owner = owner
	db.putSchema(&s)
	db.touch(u, func() { db.putSchema(old) })
	var objects []*Object
	for _, o := range db.Objects() {
		if o.SchemaID == id && o.OwnOwner == 0 {
			objects = append(objects, o)
		}
	}
	for _, o := range objects {
		c := *o
		db.Replace(u, &c)
	}
	for _, t := range collect(&db.types) {
		if t.SchemaID == id && t.OwnOwner == 0 {
			c := *t
			db.ReplaceType(u, &c)
		}
	}
	db.grants.removeSecurable(u, ClassSchema, id)
}

// SetObjectOwner changes the owner of an object, 0: that of its schema. All permissions on it are dropped (ALTER AUTHORIZATION, Remarks).
func (db *Database) SetObjectOwner(u Undoer, id, owner int32) {
	o := *db.ObjectByID(id)
	o.OwnOwner = owner
	db.Replace(u, &o)
	db.grants.removeSecurable(u, ClassObject, id)
}

// AddType adds an alias or table type; a zero ID is assigned.
func (db *Database) AddType(u Undoer, t *UserType) {
	if t.ID == 0 {
		t.ID = db.nextType
		db.nextType++
	}
	db.ownType(t)
	db.types.Set(t.ID, t)
	db.touch(u, func() { db.types.Delete(t.ID) })
}

// NewTypeID returns an unused user_type_id.
func (db *Database) NewTypeID() int32 {
	db.nextType++
	return db.nextType - 1
}

func (db *Database) ownType(t *UserType) {
	s := db.SchemaByID(t.SchemaID)
	t.Schema, t.Owner = s.Name, s.Owner
	if t.OwnOwner != 0 {
		t.Owner = t.OwnOwner
	}
}

// ReplaceType replaces the type with the same id by t.
func (db *Database) ReplaceType(u Undoer, t *UserType) {
	old, _ := db.types.Get(t.ID)
	db.ownType(t)
	db.types.Set(t.ID, t)
	db.touch(u, func() { db.types.Set(t.ID, old) })
}

// RemoveType drops a type with its permissions.
func (db *Database) RemoveType(u Undoer, t *UserType) {
	db.types.Delete(t.ID)
	db.touch(u, func() { db.types.Set(t.ID, t) })
	db.grants.removeSecurable(u, ClassType, t.ID)
}

// collect returns the values of a map in the order of their keys, for loops that change the map.
func collect[V any](m *btree.Map[int32, V]) []V { return m.Values() }
