package optimizer

import (
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// How many rows tables are taken to have.
const (
	TableRows    = 1000.0 // a table that sessions share
	TempRows     = 100.0  // a temporary table, a system view
	VariableRows = 1.0    // a table variable
)

// Relation is a FROM clause or a part of it that has been bound: what rows it has, not how they are
// found. It is one of *Table, *Source, *Join, *Filtered and Nothing. Relations may be changed until they
// are planned.
type Relation interface {
	// Slots are those that are set for each of its rows.
	Slots() Slots
}

// Table is a stored table.
type Table struct {
	Name string  // in descriptions of access paths: the alias
	Slot int     // where its rows appear
	Base int     // column ord of the table has number Base+ord in sets of columns
	Cols int     // number of its columns
	Rows float64 // how many rows it is taken to have

	Heap    bool // it can be read without an index: there is no clustered one
	Indexes []Index

	// NullKey is the image of NULL in an index key; NullsHigh tells that NULL comes after all values in
	// an ascending key and not before them.
	NullKey   []byte
	NullsHigh bool

	// Hints, if not nil, tells when the table is planned which paths are allowed, by Index.ID and -1 for
	// the heap (nil: all), and whether only those that seek are. It may raise an error.
	Hints func() (paths []int, seek bool)

	// Open returns the transaction that reads, the stored table, and how it is read and locked, by the index
	// of that ID (Access.Index nil for -1, the heap). The scan fills in Desc, Seek, Covered and the bounds.
	Open func(fr *query.Frame, index int) (*store.Txn, *store.Table, store.Access)
}

// Slots is the table's slot.
func (t *Table) Slots() Slots { return SlotsOf(t.Slot) }

// Index is an index of a Table.
type Index struct {
	ID     int    // what the dialect finds it by in Table.Open
	Name   string // in descriptions
	Keys   []KeyColumn
	Unique bool
	// Columns are the ordinals that can be read from the index alone; nil: all of them, it is the table.
	Columns []int
	// SkipsNulls tells that rows whose key columns are all NULL have no entry, as in Oracle's B-trees. The
	// index is used only where such rows cannot qualify, or do not exist because a key column is NotNull.
	SkipsNulls bool
	// Implied, if not nil, tells that not all rows have an entry (a filtered index), and reports whether
	// those that fulfil all conditions have one, and which conditions are superfluous then.
	Implied func(conds []*Cond) (superfluous []*Cond, ok bool)
}

// KeyColumn is a column of an index key.
type KeyColumn struct {
	Ord     int    // of the column, or of the hidden column that an index on an expression has
	Name    string // in descriptions
	Desc    bool   // entries have the complement of the image's bytes
	NotNull bool   // the column is never NULL
}

// Source is anything that is already an operator: VALUES, a table function, a grouped derived table.
type Source struct {
	Op     query.Op
	Sets   Slots    // the slots that it sets
	Deps   Slots    // the slots that must be set when it is opened
	Rows   float64  // how many it is likely to have
	Access []string // descriptions of what is inside it
}

// Slots are those that it sets.
func (s *Source) Slots() Slots { return s.Sets }

// Join is a join.
type Join struct {
	Kind        query.JoinKind
	Left, Right Relation
	On          []*Cond
	InOrder     bool // a join hint: relations are joined in the order as written
}

// Cross adds a relation to those of a FROM clause before it; nil: there is none yet.
func Cross(left, right Relation) Relation {
	if left == nil {
		return right
	}
	return &Join{Kind: query.Inner, Left: left, Right: right}
}

// Slots are those of both sides.
func (j *Join) Slots() Slots { return j.Left.Slots().Union(j.Right.Slots()) }

// Filtered is a derived table that was merged into the query around it: its FROM and WHERE.
type Filtered struct {
	Of    Relation
	Where []*Cond
}

// Slots are those of its FROM.
func (f *Filtered) Slots() Slots { return f.Of.Slots() }

// Nothing is a missing FROM clause: one row without columns.
type Nothing struct{}

// Slots is empty.
func (Nothing) Slots() Slots { return nil }

// Witness is a slot of a relation whose Tuple.ID is query.Missing exactly where an outer join has no row
// for the relation.
func Witness(r Relation) int {
	switch x := r.(type) {
	case *Join:
		return Witness(x.Left)
	case *Filtered:
		return Witness(x.Of)
	}
	return r.Slots().List()[0]
}
