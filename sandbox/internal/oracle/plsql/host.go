package plsql

import (
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Library resolves names outside a unit while it is compiled, with the names and rights of its owner.
type Library interface {
	// Table is as in plan.Scope: it finds tables, views and sequences.
	Table(ref *ast.Ref, privilege string) (*catalog.Object, error)
	// Operand is as in plan.Scope, for functions of the session only (SYSDATE, USER, SYS_CONTEXT, SYS_GUID); neither binds
	// nor anything in PL/SQL.
	Operand(e ast.Expr, sub func(ast.Expr) *plan.Expr) (*plan.Expr, error)
	// Uses is called with every object that the unit depends on.
	Uses(o *catalog.Object)
	// Unit finds a package's specification, a procedure, a function or a type outside the unit being compiled, and
	// the names after it. It returns nil without error if no such object is visible: PLS-00201. Errors: PLS-00905 for
	// one that is invalid (see [ErrInvalidUnit]). Unit calls Uses.
	Unit(ref *ast.Ref) (u *Unit, rest []ast.Name, err error)
}

// Host is the session that runs PL/SQL.
type Host interface {
	plan.Env

	// State returns where package plsql keeps what belongs to the session; it is always the same.
	State() *State
	// Commit, Rollback, Savepoint and RollbackTo are the statements. Errors: of the commit; ORA-01086, and ORA-02074
	// and the like where a transaction may not end.
	Commit(c *ast.Commit) error
	Rollback() error
	Savepoint(name string)
	RollbackTo(name string) error
	// Autonomous begins a separate transaction. leave ends it: one that is still open when the unit has ended normally
	// is rolled back with ORA-06519.
	Autonomous() (leave func(normal bool) error)
	// Run runs one SQL statement: with its own statement number; if fn fails, what it did is undone. Time is spent
	// and others may run before it.
	Run(fn func() error) error
	// Tick is called once in a while by code that runs for long without SQL: time is spent and others may run. Errors are a
	// break's and a kill's.
	Tick() error
	// HandlesBreaks reports whether exception handlers can catch ORA-01013.
	HandlesBreaks() bool
	// Prepare parses and compiles a text for the rights and names of the running unit: EXECUTE IMMEDIATE, OPEN FOR.
	Prepare(text string) (Dynamic, error)
	// Statement runs SET TRANSACTION, LOCK TABLE and the like, written in a unit.
	Statement(s ast.Statement) error
	// Enter is called when a stored unit's code begins to run, and leave when it ends, however it ends: the library
	// pin, the current user and schema of a definer's rights unit. Errors: ORA-04061 and the like.
	Enter(u *Unit) (leave func(), err error)
	// Package returns the instance of a package in this session. A new one is made with [NewInstance], kept, and then
	// initialized by [Instance.Initialize]. Errors: those of the initialization, ORA-04067 and ORA-06508 without a body,
	// ORA-04063 with errors in it, ORA-04068 for one whose state was discarded.
	Package(u *Unit) (*Instance, error)
}

// Dynamic is a text that was prepared.
type Dynamic interface {
	// Kind says what it is.
	Kind() DynamicKind
	// Placeholders are the names of its binds, upper case: in SQL one for each occurrence, in a block one for each
	// distinct name. Those in RETURNING … INTO are the last.
	Placeholders() []string
	// Columns returns the columns of a query.
	Columns() []plan.Column
	// Returning returns the values of the RETURNING clause of DML, one for each of the last placeholders.
	Returning() []plan.Column
	// Execute runs it with one bind for each placeholder, except those of RETURNING … INTO. Values of OUT binds are put
	// into the binds. It includes what Host.Run does.
	Execute(binds []*Bind) (*Result, error)
}

// DynamicKind is the kind of a dynamic statement.
type DynamicKind uint8

// Kinds of dynamic statements.
const (
	DynamicQuery DynamicKind = iota
	DynamicDML
	DynamicBlock // a block or CALL
	DynamicDDL
	DynamicOther // transaction control, ALTER SESSION and the like
)

// Bind is a value that goes into a statement or block, or comes out.
type Bind struct {
	Name  string        // upper case, without colon
	Mode  ast.ParamMode // the mode in USING; empty for a client's bind: as the block uses it, see Block.Modes
	Type  datatype.Type // of Value, and what an OUT value is converted to; its length is the limit
	Value value.Value   // a *Cursor in a Ref if Cursor is set
	// Cursor says that it is a REF CURSOR.
	Cursor bool
	// Array is the maximum number of elements of a client's associative array of Type, a []value.Value in a Ref; 0: not an array.
	Array int
	// Composite is the type of a record or collection that a block of this package passes to another, otherwise nil.
	Composite *Type
}

// Result is what a dynamic statement did.
type Result struct {
	Rows      *plan.Rows  // for a query; the caller closes it
	Count     int64       // rows affected by DML
	Returning []value.Row // for DML with RETURNING
}
