package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

var boolean = datatype.Of(datatype.Boolean)

// cond binds a condition.
func (b *binder) cond(e ast.Expr) *Expr {
	x := b.bind(e)
	switch {
	case x.Composite == nil && x.Type == boolean:
		return x
	case b.c.plsql && x.Composite == nil && x.Type.ID == datatype.Untyped:
		return b.convert(x, boolean)
	case b.c.plsql:
		panic(ErrPLS(382))
	}
	fail(920)
	return nil
}

// condition binds an expression that is a condition by its syntax.
func (b *binder) condition(e ast.Expr) *Expr {
	switch x := e.(type) {
	case *ast.Between:
		first, again := b.c.held(b.expr(x.X))
		between := rules.AllOf(b.comparison(">=", first, b.expr(x.Low)), b.comparison("<=", again, b.expr(x.High)))
		if first != again { // the two must not be separated
			between.Shape = expression.Opaque
		}
		return rules.Unless(x.Not, between)
	case *ast.In:
		return rules.Unless(x.Not, b.in(x))
	case *ast.Like:
		return rules.Unless(x.Not, b.like(x))
	case *ast.IsNull:
		return rules.Unless(x.Not, rules.IsNull(b.bind(x.X)))
	case *ast.Exists:
		return b.exists(x.Query)
	}
	refuse("expression %T", e)
	return nil
}

var ops = map[ast.Op]optimizer.Op{
	"=": optimizer.Equal, "<>": optimizer.NotEqual, "<": optimizer.Less, "<=": optimizer.LessEqual,
	">": optimizer.Greater, ">=": optimizer.GreaterEqual,
}

// collated returns the type that text is compared as: NLS_COMP and NLS_SORT are read at that time (Globalization Support Guide,
// "Performing Linguistic Comparisons").
func collated(fr *query.Frame, t datatype.Type) datatype.Type {
	t.CI = t.IsText() && env(fr).Linguistic()
	return t
}

// linguistic reports whether comparisons of a type need another index than a binary one.
func (c *compiler) linguistic(t datatype.Type) bool { return t.IsText() && c.sc.Linguistic() }

// comparison binds x op y of bound operands.
func (b *binder) comparison(op ast.Op, x, y *Expr) *Expr {
	if x.Composite != nil || y.Composite != nil || !b.c.plsql && (x.Type == boolean || y.Type == boolean) {
		b.scalars(string(op), x, y)
	}
	t, err := datatype.CompareType(x.Type, y.Type, b.c.plsql)
	b.check(string(op), err)
	cx, cy := b.convert(x, t), b.convert(y, t)
	f, g, holds, stored := cx.Eval, cy.Eval, ops[op], b.c.stored
	e := derive(boolean, string(op), []*Expr{cx, cy}, func(fr *query.Frame) value.Value {
		v := f(fr)
		if v.IsNull() {
			return v
		}
		w := g(fr)
		if w.IsNull() {
			return w
		}
		if stored {
			return expression.Truth(holds.Holds(datatype.Compare(v, w, t)))
		}
		return expression.Truth(holds.Holds(datatype.Compare(v, w, collated(fr, t))))
	})
	if e.Op, e.in = ops[op], t; !b.c.linguistic(t) {
		e.Shape = expression.Compare
	}
	return e
}

// compared binds a comparison as written: of values, or of rows with = and <>.
func (b *binder) compared(x *ast.Binary) *Expr {
	left, lok := x.X.(*ast.Tuple)
	right, rok := x.Y.(*ast.Tuple)
	switch {
	case !lok && !rok:
		return b.comparison(x.Op, b.expr(x.X), b.expr(x.Y))
	case !lok || !rok:
		refuse("comparison of a row with a subquery by %s", x.Op)
	case x.Op != "=" && x.Op != "<>":
		fail(1796)
	}
	return rules.Unless(x.Op == "<>", b.rowsEqual(b.exprs(left.Items), b.exprs(right.Items)))
}

func (b *binder) rowsEqual(x, y []*Expr) *Expr {
	if len(x) < len(y) {
		fail(913)
	}
	if len(x) > len(y) {
		fail(947)
	}
	tests := make([]*Expr, len(x))
	for i := range x {
		tests[i] = b.comparison("=", x[i], y[i])
	}
	return rules.AllOf(tests...)
}

// row binds the left side of IN: a value or several.
func (b *binder) row(e ast.Expr) []*Expr {
	if t, ok := e.(*ast.Tuple); ok {
		return b.exprs(t.Items)
	}
	return []*Expr{b.expr(e)}
}

func (b *binder) in(x *ast.In) *Expr {
	left := b.row(x.X)
	if x.Query != nil {
		return b.inSubquery(left, x.Query)
	}
	if len(x.List) > 1000 && !b.c.plsql {
		fail(1795)
	}
	first, again := make([]*Expr, len(left)), make([]*Expr, len(left))
	for i, e := range left {
		first[i], again[i] = b.c.held(e)
	}
	tests := make([]*Expr, len(x.List))
	for i, item := range x.List {
		if len(left) == 1 {
			tests[i] = b.comparison("=", first[0], b.expr(item))
		} else {
			tests[i] = b.rowsEqual(first, b.row(item))
		}
		first = again
	}
	if len(tests) == 1 {
		return tests[0]
	}
	e := rules.AnyOf(tests...)
	if len(left) == 1 && (tests == nil || tests[0].Shape == expression.Compare) {
		e.Shape = expression.InList
	}
	return e
}

func (b *binder) like(x *ast.Like) *Expr {
	args := []*Expr{b.text("LIKE", b.expr(x.X)), b.text("LIKE", b.expr(x.Pattern))}
	escape := func(*query.Frame) value.Value { return value.Value{} }
	if x.Escape != nil {
		e := b.text("LIKE", b.expr(x.Escape))
		args, escape = append(args, e), e.Eval
	}
	f, g, escaped := args[0].Eval, args[1].Eval, x.Escape != nil
	return derive(boolean, "like", args, func(fr *query.Frame) value.Value {
		s, pattern, esc := f(fr), g(fr), escape(fr)
		if s.IsNull() || pattern.IsNull() || escaped && esc.IsNull() {
			return value.Value{}
		}
		if collated(fr, args[0].Type).CI {
			refuse("LIKE with NLS_COMP = LINGUISTIC")
		}
		return expression.Truth(query.Must(datatype.Like(s.Str(), pattern.Str(), esc.Str())))
	})
}
