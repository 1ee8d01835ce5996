package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

var (
	boolean    = datatype.Of(datatype.Boolean)
	trueValue  = value.NewBool(true)
	falseValue = value.NewBool(false)
)

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

// condition binds what is a condition by its syntax.
func (b *binder) condition(e ast.Expr) *Expr {
	switch x := e.(type) {
	case *ast.Between:
		first, again := b.c.held(b.expr(x.X))
		between := allOf([]*Expr{b.comparison(">=", first, b.expr(x.Low)), b.comparison("<=", again, b.expr(x.High))})
		if first != again { // the two must not be taken apart
			between.shape = opaque
		}
		return unless(x.Not, between)
	case *ast.In:
		return unless(x.Not, b.in(x))
	case *ast.Like:
		return unless(x.Not, b.like(x))
	case *ast.IsNull:
		return unless(x.Not, isNullExpr(b.bind(x.X)))
	case *ast.Quantified:
		return b.quantified(x)
	case *ast.Exists:
		return b.exists(x.Query)
	}
	refuse("expression %T", e)
	return nil
}

func unless(not bool, e *Expr) *Expr {
	if not {
		return negate(e)
	}
	return e
}

func truth(b bool) value.Value {
	if b {
		return trueValue
	}
	return falseValue
}

// allOf is the conjunction of conditions, from left to right up to one that is false; nil for none.
func allOf(list []*Expr) *Expr { return junction(list, and, "and", falseValue) }

// anyOf is the disjunction of conditions, from left to right up to one that is true; nil for none.
func anyOf(list []*Expr) *Expr { return junction(list, or, "or", trueValue) }

func junction(list []*Expr, s shape, name string, decides value.Value) *Expr {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	eval := query.And(evals(list))
	if decides.IsTrue() {
		eval = query.Or(evals(list))
	}
	e := derive(boolean, name, list, eval)
	e.shape = s
	return e
}

func negate(x *Expr) *Expr {
	e := derive(boolean, "not", []*Expr{x}, query.Not(x.Eval))
	e.shape = not
	return e
}

// isNullExpr is x IS NULL; of a collection or cursor, whether it is one.
func isNullExpr(x *Expr) *Expr {
	f := x.Eval
	e := derive(boolean, "isnull", []*Expr{x}, func(fr *query.Frame) value.Value { return truth(f(fr).IsNull()) })
	e.shape, e.Nullable = isNull, false
	return e
}

// holds tells whether an operator is true of operands that compare so.
func holds(op ast.Op, c int) bool {
	switch op {
	case "=":
		return c == 0
	case "<>":
		return c != 0
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}

// collated is the type as which text is compared: NLS_COMP and NLS_SORT are asked when it is (Globalization Support Guide,
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
	f, g, stored := cx.Eval, cy.Eval, b.c.stored
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
			return truth(holds(op, datatype.Compare(v, w, t)))
		}
		return truth(holds(op, datatype.Compare(v, w, collated(fr, t))))
	})
	if e.op, e.in = op, t; !b.c.linguistic(t) {
		e.shape = compare
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
	return unless(x.Op == "<>", b.rowsEqual(b.exprs(left.Items), b.exprs(right.Items)))
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
	return allOf(tests)
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
	return b.inValues("=", left, x.List, false)
}

// inValues is x op ANY | ALL (list); IN is = ANY.
func (b *binder) inValues(op ast.Op, left []*Expr, list []ast.Expr, all bool) *Expr {
	if len(list) > 1000 && !b.c.plsql {
		fail(1795)
	}
	first, again := make([]*Expr, len(left)), make([]*Expr, len(left))
	for i, x := range left {
		first[i], again[i] = b.c.held(x)
	}
	tests := make([]*Expr, len(list))
	for i, item := range list {
		if len(left) == 1 {
			tests[i] = b.comparison(op, first[0], b.expr(item))
		} else {
			tests[i] = b.rowsEqual(first, b.row(item))
			if op == "<>" {
				tests[i] = negate(tests[i])
			}
		}
		first = again
	}
	if all || len(tests) == 1 {
		return allOf(tests)
	}
	e := anyOf(tests)
	if op == "=" && len(left) == 1 && (tests == nil || tests[0].shape == compare) {
		e.shape = inList
	}
	return e
}

func (b *binder) quantified(x *ast.Quantified) *Expr {
	left := b.row(x.X)
	if len(left) > 1 && x.Op != "=" && x.Op != "<>" {
		fail(1796)
	}
	switch {
	case x.Query == nil:
		return b.inValues(x.Op, left, x.List, x.All)
	case x.Op == "=" && !x.All:
		return b.inSubquery(left, x.Query)
	case x.Op == "<>" && x.All:
		return negate(b.inSubquery(left, x.Query))
	case len(left) > 1:
		refuse("comparison of a row with a subquery by %s", x.Op)
	}
	return b.quantifiedSubquery(x, left[0])
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
		return truth(query.Must(datatype.Like(s.Str(), pattern.Str(), esc.Str())))
	})
}
