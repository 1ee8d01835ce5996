package catalog

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Table is the definition of a table. A row has a value for each of Columns, including virtual and hidden ones.
type Table struct {
	Columns     []Column
	Indexes     []*Index
	Constraints []*Constraint
	// Data holds the rows; for a temporary table it is always empty and serves only for locks, since each session
	// has its own rows. DDL that changes more than names publishes a definition with other, newly filled Data while it
	// holds the old one's lock X: whoever waits to write (store.Txn.LockTable with IX) must then check whether the
	// object's definition still has this Data, and compile again if not. Queries continue with the old Data.
	Data         *store.Table
	Temporary    bool
	PreserveRows bool   // of a temporary table: rows live as long as the session, not the transaction
	Comment      string // changed in place
	// Since is the store's commit sequence number (store.Store.Sequence) that Data begins at: an older snapshot
	// cannot read it, ORA-01466.
	Since      int64
	NextColumn int // the ID of the next column
}

// Column is a column of a table or of a system view.
type Column struct {
	Name          string
	ID            int // permanent: positions change, IDs do not
	Type          datatype.Type
	Nullable      bool
	Default       *Expression // nil: NULL
	DefaultOnNull bool
	Identity      *Identity
	Virtual       *Expression // what a virtual column is computed from
	Hidden        bool        // the system's column of an index expression, or INVISIBLE: not in SELECT *
	Generated     bool        // the system's column of an index expression: no SQL can name it
	Comment       string      // changed in place
}

// Expression is an expression of a definition, with its text as it was written.
type Expression struct {
	Text string
	Expr ast.Expr
}

// Identity describes how an identity column is numbered.
type Identity struct {
	Kind     ast.IdentityKind
	Sequence *Sequence
}

// Index is the definition of an index. Rows whose keys are all NULL are not in it.
type Index struct {
	ID          int64 // the index's object id; Add and Replace assign it to new ones
	Owner, Name string
	Table       *Object // set by Add and Replace
	Unique      bool
	Keys        []Key
	Data        *store.Index
	Generated   bool // the system chose the name
	ForKey      bool // made for a constraint, and dropped with it
	Invisible   bool
}

// Key is a column of an index: an expression is a hidden virtual column.
type Key struct {
	Column int // position in Table.Columns
	Desc   bool
}

// Constraint is a constraint of a table.
type Constraint struct {
	Name       string
	Kind       ast.ConstraintKind
	Columns    []int // positions in Table.Columns; for a CHECK in a column's definition, that column
	Check      *Expression
	Index      *Index // the index that enforces PRIMARY KEY or UNIQUE; nil while disabled
	Disabled   bool
	NoValidate bool // ENABLE NOVALIDATE: old rows were not checked
	Generated  bool // the system chose the name: SYS_C00n
	Deferred   bool // INITIALLY DEFERRED: checked when the transaction ends
}

// Constraint returns the constraint of that name, or nil.
func (t *Table) Constraint(name string) *Constraint {
	i := slices.IndexFunc(t.Constraints, func(k *Constraint) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	return t.Constraints[i]
}

// Column returns the position of the column of that name, or -1. The system's own columns are found too.
func (t *Table) Column(name string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
}

// PrimaryKey returns the primary key, or nil.
func (t *Table) PrimaryKey() *Constraint {
	i := slices.IndexFunc(t.Constraints, func(k *Constraint) bool { return k.Kind == ast.PrimaryKey })
	if i < 0 {
		return nil
	}
	return t.Constraints[i]
}

// IndexSpec describes an index of the table to the store.
func (t *Table) IndexSpec(x *Index) store.IndexSpec {
	type part struct {
		column int
		typ    datatype.Type
		desc   bool
	}
	parts := make([]part, len(x.Keys))
	columns := make([]int, len(x.Keys))
	for i, k := range x.Keys {
		parts[i] = part{k.Column, t.Columns[k.Column].Type, k.Desc}
		columns[i] = k.Column
	}
	return store.IndexSpec{
		Name: x.Name, Unique: x.Unique, Columns: columns,
		Key: func(r value.Row) []byte {
			key := make([]byte, 0, 16*len(parts))
			for _, p := range parts {
				from := len(key)
				key = datatype.AppendKey(key, r[p.column], p.typ, false, false)
				for i := from; p.desc && i < len(key); i++ { // the complement, as package optimizer has it
					key[i] = ^key[i]
				}
			}
			return key
		},
		Filter: func(r value.Row) bool {
			return slices.ContainsFunc(parts, func(p part) bool { return !r[p.column].IsNull() })
		},
	}
}
