package plsql

import (
	"github.com/dbsched/dbsched/sandbox/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
	"github.com/dbsched/dbsched/sandbox/value"
)

// Unit is a compiled unit: a package's specification or body, a procedure, a function. It is immutable but for
// SetNatives, and the same for all sessions.
type Unit struct {
	Object      *catalog.Object // what it was compiled for, set by the caller of CompileUnit before it runs
	Owner, Name string
	Kind        ast.ObjectKind
	CurrentUser bool // AUTHID CURRENT_USER
	// Stateful reports that a package has variables or cursors, which are lost when it is compiled again.
	Stateful bool
}

// CompileUnit compiles a package's specification or body (spec is its specification then), a procedure or a function
// of a schema. With errors the unit is nil; they are in the order of their lines. Refusals of what is not modelled
// are among them.
func CompileUnit(lib Library, owner string, n *ast.CreateUnit, spec *Unit) (*Unit, []catalog.CompileError) {
	_, _, _, _ = lib, owner, n, spec
	return nil, nil
}

// SetNatives gives a package's specification Go bodies, by "NAME", or "NAME#2" for the second overload in the order
// of the text. It tells of subprograms without a native and natives without a subprogram. Such a package has no body.
func (u *Unit) SetNatives(natives map[string]Native) error {
	_ = natives
	return nil
}

// Block is a compiled anonymous block. It may run many times.
type Block struct {
	Modes []ast.ParamMode // of the binds that it was compiled with: assigned to, read, or both
}

// CompileBlock compiles an anonymous block (a *ast.Block, perhaps *ast.Labeled) or a *ast.CallStatement. binds are its
// different binds with their types and, as far as they matter, no values. The error is ORA-06550 with all messages.
func CompileBlock(lib Library, s ast.Statement, binds []*Bind) (*Block, error) {
	_, _, _ = lib, s, binds
	return nil, sqlerr.NotSupported("PL/SQL")
}

// Run runs a block. binds are in the order and of the types that it was compiled with; OUT values are put into them,
// and stay as they were if it fails. The error has the frames of ORA-06512; see [ErrorText].
func (b *Block) Run(h Host, binds []*Bind) error {
	_, _, _ = h, binds, b
	return sqlerr.NotSupported("PL/SQL")
}

// Instance is the state of a package in a session.
type Instance struct {
	Spec, Body *Unit // Body is nil of natives and of packages that need none
}

// NewInstance returns an instance with nothing initialized.
func NewInstance(spec, body *Unit) *Instance { return &Instance{Spec: spec, Body: body} }

// Initialize computes the initial values of variables and runs the body's initialization. The caller has put the
// instance where Host.Package finds it, because that code calls the package itself; if it fails, it forgets it.
func (i *Instance) Initialize(h Host) error {
	_ = h
	return nil
}

// NeedsBody reports whether a package's specification declares subprograms or cursors that only a body defines.
func (u *Unit) NeedsBody() bool { return false }

type routine struct {
	name   string
	params []param
}

type param struct{ name string }

// Type is a type of PL/SQL that is no scalar: a record, a collection or a cursor variable.
type Type struct{}

// Record is a value of a record type.
type Record struct{}

// Get returns a field, by its name in upper case.
func (r *Record) Get(name string) value.Value { _ = name; return value.Value{} }

// Set changes a field to a value of its type.
func (r *Record) Set(name string, v value.Value) { _, _ = name, v }

// Collection is a value of a collection type.
type Collection struct{}

// Len returns the number of elements.
func (c *Collection) Len() int { return 0 }

// Each calls fn for every element in the order of the keys, which are numbers or text, until it returns false.
func (c *Collection) Each(fn func(key, v value.Value) bool) { _ = fn }

// Get returns the element with a whole number as key; false: there is none.
func (c *Collection) Get(key int64) (value.Value, bool) { _ = key; return value.Value{}, false }

// Put sets the element with a whole number as key, a value of the element's type.
func (c *Collection) Put(key int64, v value.Value) { _, _ = key, v }

// NewElement returns a record with the defaults of the type of the elements, which are records.
func (c *Collection) NewElement() *Record { return nil }

// Clear removes all elements.
func (c *Collection) Clear() {}

// State is what PL/SQL keeps of a session: the error that is being handled, the implicit cursor's attributes, how
// deep calls are nested. The zero State is that of a new session.
type State struct{}

// Handling returns the error that the innermost exception handler handles, or nil.
func (s *State) Handling() *sqlerr.Error { return nil }

// Stack returns where the session's PL/SQL is, the innermost call first.
func (s *State) Stack() []sqlerr.Frame { return nil }

// ErrorText is an error as clients see it: "ORA-20001: text", then a line "ORA-06512: at …" for each frame, then what
// the error was raised on top of.
func ErrorText(err error) string { return err.Error() }

// ErrorStack is the error's lines without those of ORA-06512 (DBMS_UTILITY.FORMAT_ERROR_STACK), each ended by a newline.
func ErrorStack(e *sqlerr.Error) string { return e.Text }

// Backtrace is the lines of ORA-06512 (DBMS_UTILITY.FORMAT_ERROR_BACKTRACE), each ended by a newline.
func Backtrace(e *sqlerr.Error) string { return e.Text }

// ErrInvalidUnit is PLS-00905, for Library.Unit.
func ErrInvalidUnit(owner, name string) error {
	return sqlerr.New(6550, "PLS-00905: object %s.%s is invalid", owner, name)
}

// Cursor is an open or closed cursor that a cursor variable stands for, in a Ref.
type Cursor struct{}

// Rows returns the rows of an open cursor, nil of a closed one. Whoever fetches closes them by Close.
func (c *Cursor) Rows() *plan.Rows { return nil }

// Close closes it; a closed one stays so.
func (c *Cursor) Close() {}
