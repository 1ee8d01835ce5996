package plsql

import (
	"errors"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// compiler compiles one unit or block.
type compiler struct {
	lib   Library
	unit  *Unit
	list  *[]Statement // all statements
	spec  *Unit        // for a body
	names *names
	fn    *function
	binds map[string]*variable // for a block, by name

	sub           func(ast.Expr) *plan.Expr // in a SQL statement: compiles an argument of a function
	query         bool                      // the SQL statement is a query
	linguistic    bool                      // compiled for a session with linguistic comparison
	statementCall bool                      // what is called next must be a procedure
	static        bool                      // in the default of a record's field, which is evaluated without an activation
	errs          []catalog.CompileError
	first         ast.Pos       // place of the first error
	refusal       *sqlerr.Error // the first refusal of what is not modeled
}

// function is what the compiler knows about the subprogram, block or package whose code it compiles.
type function struct {
	routine  *routine // nil: a block's or package's own code
	level    int      // of its activation: 0 is the block or package
	slots    int
	loops    []*loop
	exits    flow // the last number given to a loop
	handlers int  // exception handlers around
}

// names holds what is declared in one block, subprogram or package.
type names struct {
	outer *names
	label string // the label of the block or subprogram, which may qualify its names
	level int
	list  map[string]any // *variable, *Type, *exception, *cursor, *overloads, *broken
	order []*routine     // subprograms, to see that all are defined
}

// variable is a variable, constant, parameter, loop index or bind.
type variable struct {
	name     string
	typ      *Type
	level    int
	slot     int
	owner    *Unit // for a package's variable that another unit names
	readOnly bool  // a constant, an IN parameter, a loop's index
	index    bool  // a loop's
	bind     *bind
	cursor   *cursor // declared as a cursor
}

// bind says how a block uses the bind.
type bind struct{ in, out bool }

type exception struct {
	name   string
	number int32 // 0: user-defined without EXCEPTION_INIT
}

// overloads are the subprograms of one name in one scope.
type overloads struct {
	name string
	list []*routine
}

// push opens a scope; close it by setting c.names back.
func (c *compiler) push(label string) *names {
	n := &names{outer: c.names, label: label, list: map[string]any{}}
	if c.fn != nil {
		n.level = c.fn.level
	}
	c.names = n
	return n
}

// declare adds an entity. PLS-00371 is Oracle's error for a use of a name that is declared twice.
func (c *compiler) declare(name ast.Name, x any) {
	if _, ok := c.names.list[name.Text]; ok {
		fail(name, 371, name.Text)
	}
	c.names.list[name.Text] = x
}

func (c *compiler) slot() int { c.fn.slots++; return c.fn.slots - 1 }

// variable declares a variable of the function being compiled.
func (c *compiler) variable(name ast.Name, t *Type) *variable {
	v := &variable{name: name.Text, typ: t, level: c.fn.level, slot: c.slot()}
	c.declare(name, v)
	return v
}

// guard runs fn, which compiles the code at a place. An error becomes a line of USER_ERRORS, and another line says
// what is ignored because of it.
func (c *compiler) guard(at ast.Node, ignored string, fn func()) bool {
	err := query.Catch(func() error { fn(); return nil })
	if err == nil {
		return true
	}
	c.report(err, at.Position())
	if ignored != "" {
		p := at.Position()
		c.errs = append(c.errs, catalog.CompileError{Line: p.Line, Position: p.Column, Text: "PL/SQL: " + ignored + " ignored", Attribute: "ERROR"})
	}
	return false
}

func (c *compiler) report(err error, at ast.Pos) {
	var e *sqlerr.Error
	if errors.As(err, &e) && e.Number == sqlerr.NotSupportedNumber && c.refusal == nil {
		r := *e
		r.Line = place(err, at).Line
		r.Cause = nil
		c.refusal = &r
	}
	if len(c.errs) == 0 {
		c.first = place(err, at)
	}
	c.errs = append(c.errs, compileError(err, at))
}

// scope is plan's view of the compiler's names: of a PL/SQL expression, or of a SQL statement.
type scope struct {
	*compiler
	sql bool
}

var _ plan.Scope = scope{}

func (s scope) PLSQL() bool { return !s.sql }

func (s scope) Linguistic() bool { return s.linguistic }

func (s scope) Uses(o *catalog.Object) { s.lib.Uses(o) }

func (s scope) Table(ref *ast.Ref, privilege string) (*catalog.Object, error) {
	o, err := s.lib.Table(ref, privilege)
	if s.sql && s.unit != nil && o != nil && o.Owner != catalog.Sys {
		s.unit.ownSQL = true
	}
	return o, err
}

// Within implements plan.OwnerScope.
func (s scope) Within(owner string) plan.Scope {
	if lib, ok := s.lib.(interface{ Within(owner string) plan.Scope }); ok {
		return lib.Within(owner)
	}
	return s
}

// Operand implements plan.Scope.
func (s scope) Operand(e ast.Expr, sub func(ast.Expr) *plan.Expr) (out *plan.Expr, err error) {
	err = query.Catch(func() error {
		if s.sql {
			out = s.sqlOperand(e, sub)
		} else {
			out = s.operand(e, sub)
		}
		return nil
	})
	return out, err
}

// expr compiles an expression of PL/SQL.
func (c *compiler) expr(e ast.Expr) *plan.Expr {
	sub := c.sub
	c.sub = nil
	defer func() { c.sub = sub }()
	if isDesignator(e) && !c.builtin(e) {
		if x := c.special(e); x != nil {
			return x
		}
		if x := c.local(e); x != nil {
			return c.value(e, x).operand()
		}
	}
	x, err := plan.CompileExpr(scope{c, false}, e)
	raise(err)
	return x
}

// eval makes a closure from an expression.
func eval(e *plan.Expr) func(f *frame) value.Value {
	if v, ok := e.ConstantValue(); ok {
		return func(*frame) value.Value { return v }
	}
	in := e.In()
	return func(f *frame) value.Value { return in(&f.q) }
}

// condition compiles a condition; the closure reports whether it is true.
func (c *compiler) condition(e ast.Expr) func(f *frame) bool {
	x, err := plan.CompileCondition(scope{c, false}, e)
	raise(err)
	ev := eval(x)
	return func(f *frame) bool { return ev(f).IsTrue() }
}

// assign compiles an expression whose value is assigned to something of type t, as an assignment does.
func (c *compiler) assign(at ast.Node, x *plan.Expr, t *Type) func(f *frame) value.Value {
	if t.kind == recordKind && isNull(x) { // NULL means NULL in each field
		return func(*frame) value.Value { return t.null() }
	}
	from := typeOf(x)
	ev := eval(c.convert(at, x, t))
	switch {
	case t.kind != scalarKind && from.kind == t.kind && t.kind != cursorKind:
		return func(f *frame) value.Value { return t.store(f, ev(f), from) }
	case t.constrained():
		return func(f *frame) value.Value { return t.check(ev(f)) }
	}
	return ev
}

// convert converts an expression to type t, as for a parameter. PLS-00382 if that is impossible.
func (c *compiler) convert(at ast.Node, x *plan.Expr, t *Type) *plan.Expr {
	from := typeOf(x)
	if t.kind == scalarKind && from.kind == scalarKind {
		var out *plan.Expr
		raiseAt(at, query.Catch(func() error { out = plan.ConvertTo(x, t.scalar, true); return nil }))
		return out
	}
	if t.kind != scalarKind && t.kind != recordKind && isNull(x) && (t.kind != collectionKind || t.index == nil) {
		return x
	}
	if t.kind == scalarKind || from.kind == scalarKind || !t.accepts(from) {
		fail(at, 382)
	}
	return x
}

func isNull(x *plan.Expr) bool {
	v, ok := x.ConstantValue()
	return ok && v.IsNull()
}

// constant returns the value of a static expression: a length, a bound.
func (c *compiler) constant(e ast.Expr) int {
	v, ok := c.expr(e).ConstantValue()
	if !ok || v.Kind != value.Int {
		fail(e, 491)
	}
	return int(v.Int64())
}
