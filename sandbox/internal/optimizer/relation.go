package optimizer

import (
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// The assumed numbers of rows.
const (
	TableRows    = 1000.0 // a table that sessions share
	TempRows     = 100.0  // a temporary table, a system view
	VariableRows = 1.0    // a table variable
)

// Relation is a FROM clause or a part of it that has been bound: which rows it has, not how they are
// found. It is one of *Table, *Source, *Join, *Filtered and Nothing. Relations may be changed until they
// are planned.
type Relation interface {
	// Slots returns the slots that are set for each of its rows.
	Slots() Slots
}

// Table is a stored table.
type Table struct {
	Name string  // in descriptions of access paths: the alias
	Slot int     // where its rows appear
	Base int     // column ord of the table has number Base+ord in sets of columns
	Cols int     // number of its columns
	Rows float64 // its assumed number of rows

	Heap    bool // it can be read without an index: there is no clustered index
	Indexes []Index

	// NullKey is the image of NULL in an index key; NullsHigh says that NULL comes after all values in
	// an ascending key and not before them.
	NullKey   []byte
	NullsHigh bool

	// Hints, if not nil, says at planning time which paths are allowed, by Index.ID and -1 for
	// the heap (nil: all), and whether only seeks are. It may raise an error.
	Hints func() (paths []int, seek bool)

	// Open returns the transaction that reads, the stored table, and how it is read and locked, by the index
	// of that ID (Access.Index nil for -1, the heap); one says that a key leads to at most one row. The scan fills in Desc, Seek, Covered
	// and the bounds.
	Open func(fr *query.Frame, index int, one bool) (*store.Txn, *store.Table, store.Access)
}

// Slots is the table's slot.
func (t *Table) Slots() Slots { return SlotsOf(t.Slot) }

// Index is an index of a Table.
type Index struct {
	ID     int    // by which the dialect finds it in Table.Open
	Name   string // in descriptions
	Keys   []KeyColumn
	Unique bool
	// Columns are the ordinals that can be read from the index alone; nil: all of them, the index is the table.
	Columns []int
	// SkipsNulls says that rows whose key columns are all NULL have no entry, as in Oracle's B-trees. The
	// index is used only where such rows cannot qualify, or do not exist because a key column is NotNull.
	SkipsNulls bool
	// Implied, if not nil, says that not all rows have an entry (a filtered index), and reports whether
	// those that fulfill all conditions have one, and which conditions are then redundant.
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
	Rows   float64  // its estimated number of rows
	Access []string // descriptions of what is inside it
}

// Slots returns the slots that it sets.
func (s *Source) Slots() Slots { return s.Sets }

// Join is a join.
type Join struct {
	Kind        query.JoinKind
	Left, Right Relation
	On          []*Cond
	InOrder     bool // a join hint: relations are joined in the order written
}

// Cross adds a relation to those of a FROM clause before it; nil: there is none yet.
func Cross(left, right Relation) Relation {
	if left == nil {
		return right
	}
	return &Join{Kind: query.Inner, Left: left, Right: right}
}

// Slots returns the slots of both sides.
func (j *Join) Slots() Slots { return j.Left.Slots().Union(j.Right.Slots()) }

// Filtered is a derived table that was merged into the query around it: its FROM and WHERE.
type Filtered struct {
	Of    Relation
	Where []*Cond
}

// Slots returns the slots of its FROM.
func (f *Filtered) Slots() Slots { return f.Of.Slots() }

// Nothing is a missing FROM clause: one row without columns.
type Nothing struct{}

// Slots returns the empty set.
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
