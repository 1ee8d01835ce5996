package plan

import (
	"iter"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Scope says what names mean where a statement is compiled. The session implements it.
type Scope interface {
	// Database is the current database (for a module: the one that it belongs to).
	Database() *catalog.Database
	// Resolve finds a table, view, function, sequence, queue or system view by its one- to three-part
	// name: temporary tables, the default schema, sys, other databases; error 208 when there is none.
	Resolve(name *ast.SchemaObjectName) (*catalog.Object, error)
	// Variable finds a scalar variable or parameter by its name, @ included.
	Variable(name string) (slot int, t datatype.Type, ok bool)
	// TableVariable finds a table variable or table-valued parameter by its name, @ included.
	// The table is its definition; the rows are Env.TableVar's.
	TableVariable(name string) (slot int, t *catalog.Table, ok bool)
	// SessionFunction finds what only a session can answer, by upper-case name: GETDATE, USER_NAME,
	// OBJECT_ID, ERROR_NUMBER, @@ROWCOUNT, CURRENT_TIMESTAMP (and the other functions without parentheses).
	SessionFunction(name string) (*SessionFunc, bool)
	// DataType returns the type of a CAST, a declaration or an OPENJSON column; alias types are resolved.
	DataType(ref ast.DataTypeReference) (datatype.Type, error)
	// Collation is that of literals and variables: the database's.
	Collation() datatype.Collation
	// Within is the scope of the body of a view or inline function: names without a schema are looked for in
	// the module's own schema, there are no variables, and the module's settings apply.
	Within(module *catalog.Object) Scope
	// Settings are the SET options that are fixed when a statement is compiled.
	Settings() Settings
}

// Settings are the SET options that decide what a statement means when it is compiled.
type Settings struct {
	AnsiNulls        bool // comparisons with NULL are unknown
	QuotedIdentifier bool
	AnsiWarnings     bool
	AnsiPadding      bool
	ArithAbort       bool
	ConcatNull       bool // CONCAT_NULL_YIELDS_NULL
	NumericRoundOff  bool // NUMERIC_ROUNDABORT
	Guess            Guess
}

// Guess is what the planner assumes where the server may do either: a statement whose locks must not depend on it can be
// compiled with each.
type Guess struct {
	// LastOfEqual takes the last of the indexes that cost the same.
	LastOfEqual bool
	// ManyVariableRows takes table variables to be large, as table variable deferred compilation does when they are
	// (compatibility level 150), instead of having one row.
	ManyVariableRows bool
}

// SessionFunc is a function that needs the session: its result depends on more than its arguments.
type SessionFunc struct {
	Name    string
	Result  datatype.Type
	MinArgs int                                           // error 174 or 189 outside MinArgs..MaxArgs
	MaxArgs int                                           //
	Eval    func(env Env, args []value.Value) value.Value // arguments as they were compiled, not converted; raises
	PerRow  bool                                          // evaluated for each row (NEWID); otherwise once per reference and statement
	NotNull bool                                          // never NULL: the column of a result is not nullable
}

// Isolation is a transaction isolation level.
type Isolation uint8

// The isolation levels, in the order of their numbers in sys.dm_exec_sessions.
const (
	ReadUncommitted Isolation = iota + 1
	ReadCommitted
	RepeatableRead
	Serializable
	Snapshot
)

// Env is what a running statement asks of its session.
type Env interface {
	// Txn is the transaction that the statement reads and writes in.
	Txn() *store.Txn
	// Kernel is the clock and the source of choices.
	Kernel() *kernel.Kernel
	// Var is the storage of a scalar variable in the current frame of the session.
	Var(slot int) *value.Value
	// TableVar is a table variable of the current frame: its own catalog.Table, with indexes in
	// the order of the definition that it was compiled with.
	TableVar(slot int) *catalog.Table
	// Isolation is the session's level.
	Isolation() Isolation
	// VersionedReadCommitted reports whether READ_COMMITTED_SNAPSHOT is on.
	VersionedReadCommitted() bool
	// StatementSnapshot is what a versioned read at READ COMMITTED sees: the same for all of a statement.
	StatementSnapshot() store.Snapshot
	// TransactionSnapshot is what a read at SNAPSHOT sees.
	TransactionSnapshot() store.Snapshot
	// CallScalar runs a user-defined scalar function; arguments have the types of its parameters.
	CallScalar(fn *catalog.Object, args []value.Value) (value.Value, error)
	// SystemRows returns the rows of a system view as the current user may see them.
	SystemRows(view *catalog.Object) iter.Seq[value.Row]
	// QueueRows returns the messages of a Service Broker queue, as SELECT on a queue shows them.
	QueueRows(queue *catalog.Object) ([]value.Row, error)
	// NextIdentity takes the next identity value of a table; it is never given back.
	NextIdentity(t *catalog.Table) (value.Value, error)
	// SawIdentity reports an explicit identity value (IDENTITY_INSERT), so that the next one is above it.
	SawIdentity(t *catalog.Table, v value.Value)
	// SetScopeIdentity records the last identity value that a row of this scope got.
	SetScopeIdentity(v value.Value)
	// IdentityInsert reports whether SET IDENTITY_INSERT is ON for the table.
	IdentityInsert(t *catalog.Object) bool
	// CreateTable creates the table of a SELECT INTO, in the statement's transaction.
	CreateTable(name *ast.SchemaObjectName, columns []catalog.Column) (*catalog.Object, error)
	// Warn sends an informational message once the statement ends: 8153 (NULL eliminated by an aggregate).
	Warn(e *sqlerr.Error)
	// LeftOpen notes what a statement, or the view or inline function in it, leaves open of an access to a table.
	LeftOpen(table, within *catalog.Object, o Open)
	// RowCount is SET ROWCOUNT; 0 means all rows.
	RowCount() int64
}
