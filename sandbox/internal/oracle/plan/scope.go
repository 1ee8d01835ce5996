package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Scope tells what names mean where something is compiled. Sessions and PL/SQL units implement it.
type Scope interface {
	// Table finds a table, view or sequence by name, synonyms resolved, and checks an object privilege (SELECT,
	// INSERT, …) on it: ORA-00942, 01031.
	Table(ref *ast.Ref, privilege string) (*catalog.Object, error)
	// Operand compiles a Ref, Call, Field, Attribute, Bind or Inquiry that is no column and no built-in function: a
	// variable, a package's function, a function of the session (SYSDATE, USER, SYS_CONTEXT, SYS_GUID, SQLCODE). It
	// returns nil, nil if it knows none such. sub compiles an argument where the call stands, and panics SQL errors.
	// What comes back is made by Constant, Fixed, Computed or Volatile.
	Operand(e ast.Expr, sub func(ast.Expr) *Expr) (*Expr, error)
	// PLSQL reports whether PL/SQL itself evaluates the expression: BOOLEAN, no columns, its own conversions.
	PLSQL() bool
	// Linguistic is that of the session for which a statement is compiled. Expressions ask the session that evaluates them.
	Linguistic() bool
	// Uses is told of every object that the compiled thing depends on.
	Uses(o *catalog.Object)
}

// Env is what a running statement or expression asks of its session; it is query.Frame.Env.
type Env interface {
	// Txn is the transaction that the statement reads and writes in.
	Txn() *store.Txn
	// Snapshot is what a statement that begins now sees.
	Snapshot() store.Snapshot
	// Serializable reports whether the transaction is SERIALIZABLE or READ ONLY.
	Serializable() bool
	// Format is the session's clock and formats for conversions, of SQL or of PL/SQL.
	Format(plsql bool) *datatype.Env
	// Linguistic reports whether text is compared by the collation BINARY_CI (NLS_COMP and NLS_SORT).
	Linguistic() bool
	// Table returns a table's rows, which of a global temporary table are the session's own.
	Table(t *catalog.Table) (data *store.Table, index func(*catalog.Index) *store.Index)
	// NextVal takes the next value of a sequence of that name: ORA-08004 at its end.
	NextVal(s *catalog.Sequence, name string) (value.Value, error)
	// CurrVal is the value that the session took last: ORA-08002 if it took none.
	CurrVal(s *catalog.Sequence, name string) (value.Value, error)
	// ViewContext is for whom system views are read.
	ViewContext() catalog.ViewContext
	// Track and Untrack tell of open cursors; the session buffers them before it ends the transaction.
	Track(r *Rows)
	Untrack(r *Rows)
	// Defer leaves a constraint that is violated to the end of the transaction; false: it counts at once.
	Defer(d Deferred) bool
	// Fire runs a trigger: ORA-04098 if it is invalid, and what it raises.
	Fire(trigger *catalog.Object, x *Firing) error
	// Mutating reports whether a table is changed by a statement that has fired row triggers which run now.
	Mutating(table *catalog.Object) bool
	// Task is the kernel task that runs the session.
	Task() *kernel.Task
}
