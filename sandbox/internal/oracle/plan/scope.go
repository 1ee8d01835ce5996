package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Scope says what names mean where something is compiled. Sessions and PL/SQL units implement it.
type Scope interface {
	// Table finds a table, view or sequence by name, synonyms resolved, and checks an object privilege (SELECT,
	// INSERT, …) on it: ORA-00942, 01031.
	Table(ref *ast.Ref, privilege string) (*catalog.Object, error)
	// Operand compiles a Ref, Call, Field, Attribute, Bind or Inquiry that is neither a column nor a built-in function: a
	// variable, a package's function, a function of the session (SYSDATE, USER, SYS_CONTEXT, SYS_GUID, SQLCODE). It
	// returns nil, nil if it does not know the name. sub compiles an argument at the place of the call and panics with SQL errors.
	// The result is made by Constant, Fixed, Computed or Volatile.
	Operand(e ast.Expr, sub func(ast.Expr) *Expr) (*Expr, error)
	// PLSQL reports whether PL/SQL itself evaluates the expression: BOOLEAN, no columns, its own conversions.
	PLSQL() bool
	// Linguistic is Env.Linguistic of the session that a statement is compiled for. Expressions ask the session that evaluates them.
	Linguistic() bool
	// Uses is called with every object that the compiled thing depends on.
	Uses(o *catalog.Object)
}

// Env is what a running statement or expression needs from its session; it is query.Frame.Env.
type Env interface {
	// Txn is the transaction that the statement reads and writes in.
	Txn() *store.Txn
	// Snapshot returns what a statement that begins now sees.
	Snapshot() store.Snapshot
	// Serializable reports whether the transaction is SERIALIZABLE or READ ONLY.
	Serializable() bool
	// Format returns the session's clock and formats for conversions, of SQL or of PL/SQL.
	Format(plsql bool) *datatype.Env
	// Linguistic reports whether text is compared by the collation BINARY_CI (NLS_COMP and NLS_SORT).
	Linguistic() bool
	// Table returns a table's rows, which for a global temporary table are the session's own.
	Table(t *catalog.Table) (data *store.Table, index func(*catalog.Index) *store.Index)
	// NextVal takes the next value of a sequence.
	NextVal(s *catalog.Sequence) value.Value
	// CurrVal returns the value that the session last took: ORA-08002 if it took none.
	CurrVal(s *catalog.Sequence, name string) (value.Value, error)
	// ViewContext says who reads system views.
	ViewContext() catalog.ViewContext
	// Track and Untrack register and unregister open cursors; the session buffers them before it ends the transaction.
	Track(r *Rows)
	Untrack(r *Rows)
	// Defer defers a violated constraint to the end of the transaction; false: the violation counts at once.
	Defer(d Deferred) bool
	// Task is the kernel task that runs the session.
	Task() *kernel.Task
}
