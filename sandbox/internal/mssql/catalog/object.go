package catalog

import (
	"slices"
	"time"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Kind is the kind of an object: what sys.objects calls type.
type Kind uint8

// The kinds of objects.
const (
	NoKind            Kind = iota
	UserTable              // U
	View                   // V
	Procedure              // P
	ScalarFunction         // FN
	InlineFunction         // IF
	TableTypeObject        // TT: the hidden object behind a table type
	Queue                  // SQ
	PrimaryKey             // PK
	UniqueConstraint       // UQ
	CheckConstraint        // C
	DefaultConstraint      // D
	ForeignKey             // F
	SystemViewObject       // V in schema sys or INFORMATION_SCHEMA
)

// Code returns the two-letter code of sys.objects.type, padded to char(2) as it is stored.
func (k Kind) Code() string { return kindNames[k].code }

// Describe returns the text of sys.objects.type_desc.
func (k Kind) Describe() string { return kindNames[k].desc }

// IsConstraint reports whether objects of the kind belong to a parent table.
func (k Kind) IsConstraint() bool { return k >= PrimaryKey && k <= ForeignKey }

// IsModule reports whether objects of the kind have a text in sys.sql_modules.
func (k Kind) IsModule() bool { return k >= View && k <= InlineFunction }

// IsFunction reports whether objects of the kind are functions of either sort.
func (k Kind) IsFunction() bool { return k >= ScalarFunction && k <= InlineFunction }

var kindNames = [...]struct{ code, desc string }{
	NoKind:            {"  ", ""},
	UserTable:         {"U ", "USER_TABLE"},
	View:              {"V ", "VIEW"},
	Procedure:         {"P ", "SQL_STORED_PROCEDURE"},
	ScalarFunction:    {"FN", "SQL_SCALAR_FUNCTION"},
	InlineFunction:    {"IF", "SQL_INLINE_TABLE_VALUED_FUNCTION"},
	TableTypeObject:   {"TT", "TYPE_TABLE"},
	Queue:             {"SQ", "SERVICE_QUEUE"},
	PrimaryKey:        {"PK", "PRIMARY_KEY_CONSTRAINT"},
	UniqueConstraint:  {"UQ", "UNIQUE_CONSTRAINT"},
	CheckConstraint:   {"C ", "CHECK_CONSTRAINT"},
	DefaultConstraint: {"D ", "DEFAULT_CONSTRAINT"},
	ForeignKey:        {"F ", "FOREIGN_KEY_CONSTRAINT"},
	SystemViewObject:  {"V ", "VIEW"},
}

// Object is something with a name in a schema and an object id. Objects are immutable: a
// change replaces the whole object under the same id.
type Object struct {
	ID       int32
	DB       *Database // nil for a system view, which is in every database
	Home     *Database // for a system view: the database in which it was looked up, whose rows it shows
	SchemaID int32
	Schema   string
	Name     string
	Kind     Kind
	Parent   int32 // for a constraint: the table's object id
	Owner    int32 // the principal that owns it, its own owner or the schema's: what ownership chaining compares
	OwnOwner int32 // the owner set by ALTER AUTHORIZATION; 0: the schema's
	Created  time.Time
	Modified time.Time
	Def      any // *Table, *Module, *TableType, *Constraint, *SystemView, or the broker's queue
}

// Table returns the definition of a table, or of a table type's columns; nil for other kinds.
func (o *Object) Table() *Table {
	switch d := o.Def.(type) {
	case *Table:
		return d
	case *TableType:
		return d.Table
	}
	return nil
}

// Module returns the definition of a view, procedure or function; nil for other kinds.
func (o *Object) Module() *Module { m, _ := o.Def.(*Module); return m }

// QualifiedName returns the name as schema.name, for messages.
func (o *Object) QualifiedName() string { return o.Schema + "." + o.Name }

// Table is the definition of a table, a table type or the result of a table function.
type Table struct {
	Columns    []Column // in the order of their ids; a stored row has one value for each
	LastColumn int32    // the highest column id ever used: ids of dropped columns are not used again
	Indexes    []*Index // the clustered index (id 1), if any, first; then by id
	Checks     []*Check
	Identity   int  // ordinal of the identity column, or -1
	NoEscalate bool // LOCK_ESCALATION = DISABLE
	Temp       bool // a #temp table, table variable or table-valued parameter
	Data       *store.Table
}

// Column returns the ordinal of the column with a name, or -1. Names compare as the database's do.
func (t *Table) Column(c datatype.Collation, name string) int {
	return slices.IndexFunc(t.Columns, func(col Column) bool { return SameName(c, col.Name, name) })
}

// ColumnByID returns the ordinal of the column with an id, or -1.
func (t *Table) ColumnByID(id int32) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.ID == id })
}

// Clustered returns the clustered index, or nil for a heap.
func (t *Table) Clustered() *Index {
	if len(t.Indexes) > 0 && t.Indexes[0].Clustered {
		return t.Indexes[0]
	}
	return nil
}

// PrimaryKey returns the index of the primary key, or nil.
func (t *Table) PrimaryKey() *Index {
	return first(slices.All(t.Indexes), func(x *Index) bool { return x.PrimaryKey })
}

// Column is a column of a table, view, table function or table type.
type Column struct {
	ID       int32 // from 1; not reused after DROP COLUMN
	Name     string
	Type     datatype.Type
	UserType int32 // user_type_id of an alias type or sysname; 0: the system type
	Nullable bool
	Identity *Identity
	Default  *Default
	GuidCol  bool // ROWGUIDCOL
}

// Identity is the generator of an identity column. Its position is shared by all versions of
// the table's definition and is never rolled back.
type Identity struct {
	Seed, Increment int64
	state           *counter
}

// counter is a position that belongs to no transaction.
type counter struct {
	used bool  // whether a value was ever handed out
	last int64 // the value handed out last
}

// NewIdentity returns a generator that has handed out nothing.
func NewIdentity(seed, increment int64) *Identity {
	return &Identity{Seed: seed, Increment: increment, state: &counter{}}
}

// Next hands out the next value. The caller checks that it fits the column's type (8115).
func (i *Identity) Next() int64 {
	if !i.state.used {
		i.state.used, i.state.last = true, i.Seed
	} else {
		i.state.last += i.Increment
	}
	return i.state.last
}

// Last returns the value handed out last; ok is false when there was none.
func (i *Identity) Last() (v int64, ok bool) { return i.state.last, i.state.used }

// Saw tells the generator about an explicitly inserted value (IDENTITY_INSERT): it continues after
// the highest (for a negative increment, lowest) value it knows.
func (i *Identity) Saw(v int64) {
	s := i.state
	if !s.used || (i.Increment > 0 && v > s.last) || (i.Increment < 0 && v < s.last) {
		s.used, s.last = true, v
	}
}

// reset makes the generator start from its seed again (TRUNCATE TABLE); the returned function undoes that.
func (i *Identity) reset() func() {
	before := *i.state
	*i.state = counter{}
	return func() { *i.state = before }
}

// Reset makes the generator start from its seed again (TRUNCATE TABLE), and restores it on undo.
func (i *Identity) Reset(u Undoer) { u.Undo(i.reset()) }

// Fresh returns a generator with the same seed and increment that has handed out nothing: for
// a table variable or another instance of a table type.
func (i *Identity) Fresh() *Identity { return NewIdentity(i.Seed, i.Increment) }

// Default is a DEFAULT constraint.
type Default struct {
	ID          int32 // object id
	Name        string
	SystemNamed bool
	Text        string // as sys.default_constraints shows it, in parentheses
	Expr        ast.ScalarExpression
}

// Index is an index, a PRIMARY KEY or a UNIQUE constraint.
type Index struct {
	ID           int32 // 1: clustered; nonclustered ones from 2; 0 is the heap itself
	Name         string
	Unique       bool
	Clustered    bool
	PrimaryKey   bool
	UniqueConstr bool
	Constraint   int32 // object id of the PRIMARY KEY or UNIQUE constraint; 0: a plain index
	FillFactor   int   // in percent; 0: as the server is configured
	SystemNamed  bool
	Keys         []KeyColumn
	Included     []int // ordinals
	Filter       ast.BooleanExpression
	FilterText   string               // as sys.indexes.filter_definition shows it
	Matches      func(value.Row) bool // the compiled filter; nil: all rows
	Data         *store.Index         // nil in a table type
}

// KeyColumn is a column of an index key.
type KeyColumn struct {
	Column int // ordinal in Table.Columns
	Desc   bool
}

// Columns returns the ordinals of key and included columns: the columns that the index alone can return,
// apart from the clustered key and the heap's row id.
func (x *Index) Columns() []int {
	out := make([]int, 0, len(x.Keys)+len(x.Included))
	for _, k := range x.Keys {
		out = append(out, k.Column)
	}
	return append(out, x.Included...)
}

// Check is a CHECK constraint.
type Check struct {
	ID          int32
	Name        string
	SystemNamed bool
	Text        string
	Expr        ast.BooleanExpression
	Column      int32 // column id when declared with a column; 0: a table constraint
	NotTrusted  bool
}

// Constraint is the object of a constraint: a name, found in its table's definition by id.
type Constraint struct {
	Table       int32
	SystemNamed bool
}

// TableType is a user-defined table type.
type TableType struct {
	UserType int32
	Table    *Table // without data: every variable gets its own
}

// ExecuteAs says whose rights a module runs with.
type ExecuteAs uint8

// The EXECUTE AS clauses of modules.
const (
	AsCaller ExecuteAs = iota
	AsOwner            // the owner at run time
	AsUser             // a fixed user; EXECUTE AS SELF is stored this way
)

// Module is the definition of a view, procedure or function.
type Module struct {
	Text      string        // the batch that created it, as sys.sql_modules shows it
	Statement ast.Statement // the CREATE or ALTER statement
	Params    []Param
	Body      *ast.StatementList   // for a procedure or scalar function
	Select    *ast.SelectStatement // for a view or inline function

	AnsiNulls        bool // SET ANSI_NULLS when it was created
	QuotedIdentifier bool // SET QUOTED_IDENTIFIER when it was created
	ExecuteAs        ExecuteAs
	ExecuteAsUser    int32    // principal id for AsUser
	Signatures       []string // thumbprints of the certificates that have signed it
	Recompile        bool
	CheckOption      bool

	Columns        []Column      // for a view or inline function, as bound when created
	Returns        datatype.Type // for a scalar function
	ReturnUserType int32
}

// Param is a parameter of a module.
type Param struct {
	Name       string // with @
	Type       datatype.Type
	UserType   int32
	TableType  *Object // for a table-valued parameter
	Output     bool
	ReadOnly   bool
	Varying    bool // CURSOR VARYING
	HasDefault bool
	Default    ast.ScalarExpression // a constant, or an identifier that is read as a string
}

// SystemView is a catalog view: its columns, and either where its rows come from or the engine's own SQL that produces them.
type SystemView struct {
	Columns []Column
	Rows    Rows
	Query   func() *ast.SelectStatement // nil: use Rows
}
