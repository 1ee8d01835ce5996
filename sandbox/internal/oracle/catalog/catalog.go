// Package catalog is what an Oracle database knows about itself: users and roles, objects in their namespaces, privileges,
// name resolution, dependencies and the dictionary views over all that. It compiles and runs nothing.
//
// DDL commits before and after itself and is never rolled back, so nothing here can be undone: whoever changes the
// catalog first does everything that can fail, and then calls Add, Replace or Remove. What is published in
// Object.Def is never changed in place (except for the few fields that say so): a change publishes a new definition, so
// that a running statement keeps the one it was compiled for.
//
// Sources: Database SQL Language Reference 19c ("Database Object Names and Qualifiers", "Schema Object Naming Rules",
// "GRANT"), Database Reference 19c (dictionary views), Database Development Guide 19c ("Schema Object Dependency").
package catalog

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/tidwall/btree"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// Public is the owner of public synonyms and the grantee that stands for everybody.
const Public = "PUBLIC"

// Sys is the owner of the dictionary.
const Sys = "SYS"

// Kinds of objects that other packages keep (see SetOthers).
const (
	KindQueue    ast.ObjectKind = "QUEUE"
	KindJob      ast.ObjectKind = "JOB"
	KindProgram  ast.ObjectKind = "PROGRAM"
	KindSchedule ast.ObjectKind = "SCHEDULE"
	KindChain    ast.ObjectKind = "CHAIN"
)

// SchedulerKinds are the kinds of objects that the Scheduler keeps.
func SchedulerKinds() []ast.ObjectKind {
	return []ast.ObjectKind{KindJob, KindProgram, KindSchedule, KindChain}
}

// Catalog holds everything that is defined in the database.
type Catalog struct {
	kernel      *kernel.Kernel
	objects     *btree.BTreeG[*Object] // by owner, name, namespace
	ids         *btree.Map[int64, *Object]
	users       *btree.Map[string, *User] // users, roles and PUBLIC, by name
	grants      *btree.BTreeG[ObjectGrant]
	constraints map[nameKey]*Object // the table that has the constraint
	others      func(owner string) iter.Seq[*Object]
	lastID      int64
	version     int64
	droppedIDs  map[string]int64 // of users and roles that were dropped
}

type nameKey struct{ owner, name string }

// New returns a catalog with the users SYS and SYSTEM, the predefined roles, and the dictionary views.
func New(k *kernel.Kernel) *Catalog {
	c := &Catalog{
		kernel:      k,
		objects:     btree.NewBTreeGOptions(lessObject, btree.Options{NoLocks: true}),
		ids:         &btree.Map[int64, *Object]{},
		users:       &btree.Map[string, *User]{},
		grants:      btree.NewBTreeGOptions(lessGrant, btree.Options{NoLocks: true}),
		constraints: map[nameKey]*Object{}, droppedIDs: map[string]int64{},
		lastID: 1000, // lower ids belong to the dictionary, as in a real database
	}
	c.addPredefined()
	c.registerViews()
	return c
}

// NumberFrom sets the next object number, however many objects the dictionary has.
func (c *Catalog) NumberFrom(id int64) { c.lastID = id - 1 }

// Now returns the time of the database, with which objects are stamped.
func (c *Catalog) Now() time.Time { return c.kernel.Now() }

// Version returns a number that every change of the catalog raises, grants included: whoever has compiled something
// compares it and resolves names again.
func (c *Catalog) Version() int64 { return c.version }

// Object is a schema object, or a public synonym.
type Object struct {
	ID          int64
	Owner, Name string
	Kind        ast.ObjectKind
	Created     time.Time
	LastDDL     time.Time // the last DDL or grant
	Timestamp   time.Time // when the definition last changed
	Stamp       int64     // changes with each change of the definition
	Invalid     bool      // has errors or depends on something that changed; changed in place
	Generated   bool      // the system chose the name
	Temporary   bool
	Segment     bool      // a table that has space, which the first row needs; changed in place
	Triggers    []*Object // of a table; changed in place
	// Uses are the objects that the definition depends on: set by the compiler, before Add or Replace or, when it
	// compiles again, by Validate.
	Uses []*Object
	// Def is *Table, *Index, *Sequence, *View, *Synonym, *Unit or *SystemView.
	Def any
}

// SetOthers registers a source of objects that other packages keep, of one owner or, for "", of all: queues, queue tables, jobs.
// The views of objects show them, and their names count as taken; otherwise nothing is done with them here.
func (c *Catalog) SetOthers(others func(owner string) iter.Seq[*Object]) { c.others = others }

// other returns the object of that name that another package keeps, or nil.
func (c *Catalog) other(owner, name string) *Object {
	if c.others != nil {
		for o := range c.others(owner) {
			if o.Name == name {
				return o
			}
		}
	}
	return nil
}

// Job returns the job of that name, or nil. Jobs are objects that privileges are granted on.
func (c *Catalog) Job(owner, name string) *Object {
	if o := c.other(owner, name); o != nil && slices.Contains(SchedulerKinds(), o.Kind) {
		return o
	}
	return nil
}

// Used reports whether the name for a new object of a kind is taken.
func (c *Catalog) Used(owner, name string, kind ast.ObjectKind) bool {
	return c.Find(owner, name, kind) != nil || namespace(kind) == 1 && c.other(owner, name) != nil
}

// namespace numbers the sets in which names must differ (SQL Language Reference, "Schema Object Naming Rules").
func namespace(k ast.ObjectKind) int {
	switch k {
	case ast.KindIndex:
		return 4
	case ast.KindPackageBody:
		return 2
	case ast.KindTrigger:
		return 3
	}
	return 1
}

func lessObject(a, b *Object) bool {
	return cmp.Or(cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Name, b.Name), namespace(a.Kind)-namespace(b.Kind)) < 0
}

// Object returns the table, view, sequence, synonym, unit, queue or job of that name, or nil.
func (c *Catalog) Object(owner, name string) *Object { return c.Find(owner, name, ast.KindTable) }

// Index returns the object of an index (Def is *Index), or nil.
func (c *Catalog) Index(owner, name string) *Object { return c.Find(owner, name, ast.KindIndex) }

// Body returns the object of a package body (Def is *Unit), or nil.
func (c *Catalog) Body(owner, name string) *Object { return c.Find(owner, name, ast.KindPackageBody) }

// ByID returns the object with an id, or nil.
func (c *Catalog) ByID(id int64) *Object {
	o, _ := c.ids.Get(id)
	return o
}

// Constraint returns the table that has the constraint of that name, and the constraint; nil if there is none.
func (c *Catalog) Constraint(owner, name string) (*Object, *Constraint) {
	o := c.constraints[nameKey{owner, name}]
	if o == nil {
		return nil, nil
	}
	return o, o.Def.(*Table).Constraint(name)
}

// Find returns the object of that name in the namespace of a kind, or nil.
func (c *Catalog) Find(owner, name string, kind ast.ObjectKind) *Object {
	o, _ := c.objects.Get(&Object{Owner: owner, Name: name, Kind: kind})
	return o
}

// Objects yields the objects of an owner, or of all if owner is "", by owner and name.
func (c *Catalog) Objects(owner string) iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		c.objects.Ascend(&Object{Owner: owner}, func(o *Object) bool {
			return (owner == "" || o.Owner == owner) && yield(o)
		})
	}
}
