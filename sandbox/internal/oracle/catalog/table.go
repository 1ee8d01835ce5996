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
	Hidden        bool        // INVISIBLE: not in SELECT *
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
	Keys        []int // positions in Table.Columns
	Data        *store.Index
	Generated   bool // the system chose the name
	ForKey      bool // made for a constraint, and dropped with it
	Invisible   bool
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
	return store.IndexSpec{
		Name: x.Name, Unique: x.Unique, Columns: x.Keys,
		Key: func(r value.Row) []byte {
			key := make([]byte, 0, 16*len(x.Keys))
			for _, k := range x.Keys {
				key = datatype.AppendKey(key, r[k], t.Columns[k].Type, false, false)
			}
			return key
		},
		Filter: func(r value.Row) bool {
			return slices.ContainsFunc(x.Keys, func(k int) bool { return !r[k].IsNull() })
		},
	}
}
