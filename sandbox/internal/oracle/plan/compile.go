package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// compile runs a compilation; its error says where it is (see [Where]).
func compile(sc Scope, fn func(c *compiler)) error {
	c := newCompiler(sc)
	return located(query.Catch(func() error { fn(c); return nil }), c)
}

// CompileExpr compiles an expression without columns; in SQL not a condition.
func CompileExpr(sc Scope, e ast.Expr) (out *Expr, err error) {
	err = compile(sc, func(c *compiler) { out = c.whole(c.alone().expr(e)) })
	return out, err
}

// CompileCondition compiles a condition: of IF, WHILE, WHEN. PLS-00382 if it is not a condition.
func CompileCondition(sc Scope, e ast.Expr) (out *Expr, err error) {
	err = compile(sc, func(c *compiler) { out = c.whole(c.alone().cond(e)) })
	return out, err
}

// alone returns the names for an expression that is not part of a statement: subqueries are not allowed in it.
func (c *compiler) alone() *binder {
	c.rowOnly, c.formats = true, session(c.plsql)()
	return c.binder()
}

// whole records what the frame of a standalone expression needs.
func (c *compiler) whole(e *Expr) *Expr {
	w := *e
	w.size = c.Size()
	return &w
}

// Value evaluates an expression that CompileExpr or CompileCondition made.
func (e *Expr) Value(env Env) (v value.Value, err error) {
	err = query.Catch(func() error { v = e.In()(&query.Frame{Env: env}); return nil })
	return v, err
}

// In returns a closure for Value in a frame without rows; it panics SQL errors. It does not keep what the expression was made of.
func (e *Expr) In() query.Expr {
	eval, size := e.Eval, e.size
	if size.None() {
		return eval
	}
	return func(fr *query.Frame) value.Value { return eval(size.Frame(fr.Env)) }
}

// RowExpr is an expression over one row of a table.
type RowExpr struct {
	Type     datatype.Type
	Nullable bool
	Pure     bool // depends on the row alone: not on the clock, the user, sequences or user-defined functions

	at   expression.Slot
	size expression.Size
	eval query.Expr
}

// CompileRow compiles an expression or condition over the columns of a table: for a virtual column, an index, a CHECK.
// ORA-02251 for a subquery, ORA-02287 for a sequence.
func CompileRow(sc Scope, t *catalog.Table, e ast.Expr) (out *RowExpr, err error) {
	err = compile(sc, func(c *compiler) { c.stored = true; out = c.row(t, e) })
	return out, err
}

// Eval computes it for a row of the table; it panics SQL errors.
func (r *RowExpr) Eval(env Env, row value.Row) value.Value {
	fr := r.size.Frame(env)
	fr.Slots[r.at.Slot] = query.Tuple{Row: row}
	return r.eval(fr)
}
