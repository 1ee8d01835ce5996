package plan

import (
	"bytes"
	"slices"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// predicate binds a search condition. Its value is a truth value or NULL for unknown.
func (n *names) predicate(e ast.BooleanExpression) *expr {
	switch x := e.(type) {
	case *ast.BooleanParenthesisExpression:
		return n.predicate(x.Expression)
	case *ast.BooleanBinaryExpression:
		a, b := n.predicate(x.FirstExpression), n.predicate(x.SecondExpression)
		if x.BinaryExpressionType == "And" {
			return rules.AllOf(a, b)
		}
		return rules.AnyOf(a, b)
	case *ast.BooleanNotExpression:
		return rules.Negate(n.predicate(x.Expression))
	case *ast.BooleanComparisonExpression:
		op, ok := comparisons[x.ComparisonType]
		if !ok {
			panic(sqlerr.NotSupported("comparison %s", x.ComparisonType))
		}
		n.comparable(x.FirstExpression, x.SecondExpression)
		return comparison(op, n.scalar(x.FirstExpression), n.scalar(x.SecondExpression))
	case *ast.BooleanIsNullExpression:
		c := rules.IsNull(n.scalar(x.Expression))
		if x.IsNot {
			return rules.Negate(c)
		}
		return c
	case *ast.BooleanTernaryExpression:
		v := n.scalar(x.FirstExpression)
		between := rules.AllOf(
			comparison(datatype.GreaterEqual, v, n.scalar(x.SecondExpression)),
			comparison(datatype.LessEqual, v, n.scalar(x.ThirdExpression)))
		if x.TernaryExpressionType == "NotBetween" {
			return rules.Negate(between)
		}
		return between
	case *ast.BooleanInExpression:
		return n.in(x)
	case *ast.BooleanLikeExpression:
		return n.like(x)
	case *ast.ExistsPredicate:
		return n.exists(x.Subquery)
	case *ast.DistinctPredicate, *ast.SubqueryComparisonPredicate: // SQL Server 2022; the parser reads ANY and ALL only with it
		panic(sqlerr.NotSupported("IS [NOT] DISTINCT FROM"))
	case nil:
		panic(sqlerr.NotSupported("missing condition"))
	}
	panic(sqlerr.NotSupported("condition %T", e))
}

// comparable refuses what ANSI_NULLS OFF changes: there NULL, and a variable that is NULL, equal NULL ("SET ANSI_NULLS").
func (n *names) comparable(operands ...ast.ScalarExpression) {
	if n.sc.Settings().AnsiNulls {
		return
	}
	for _, e := range operands {
		switch e.(type) {
		case *ast.NullLiteral, *ast.VariableReference:
			panic(sqlerr.NotSupported("comparison with NULL or a variable under SET ANSI_NULLS OFF"))
		}
	}
}

var comparisons = map[string]datatype.CompareOp{
	"Equals": datatype.Equal, "NotEqualToBrackets": datatype.NotEqual, "NotEqualToExclamation": datatype.NotEqual,
	"LessThan": datatype.Less, "LessThanOrEqualTo": datatype.LessEqual, "NotGreaterThan": datatype.LessEqual,
	"GreaterThan": datatype.Greater, "GreaterThanOrEqualTo": datatype.GreaterEqual, "NotLessThan": datatype.GreaterEqual,
}

var ops = map[datatype.CompareOp]optimizer.Op{
	datatype.Equal: optimizer.Equal, datatype.NotEqual: optimizer.NotEqual, datatype.Less: optimizer.Less,
	datatype.LessEqual: optimizer.LessEqual, datatype.Greater: optimizer.Greater, datatype.GreaterEqual: optimizer.GreaterEqual,
}

// commonType brings two expressions to the type in which op compares them.
func commonType(op datatype.CompareOp, a, b *expr) (*expr, *expr, datatype.Type) {
	a, b = settle(a, b, string(op))
	t := query.Must(datatype.CompareType(literalType(a, b), literalType(b, a), op))
	if a.Type.IsCharacter() && b.Type.IsCharacter() {
		t = t.WithCollation(a.Type.Coll)
	}
	if t.IsUntyped() {
		t = datatype.Of(datatype.Int)
	}
	return implicitTo(a, t), implicitTo(b, t), t
}

// comparison binds a op b.
func comparison(op datatype.CompareOp, a, b *expr) *expr {
	ca, cb, t := commonType(op, a, b)
	f, g, holds := ca.Eval, cb.Eval, ops[op]
	eval := func(fr *query.Frame) value.Value {
		x := f(fr)
		if x.IsNull() {
			return x
		}
		y := g(fr)
		if y.IsNull() {
			return y
		}
		return expression.Truth(holds.Holds(datatype.Compare(x, y, t)))
	}
	if t.IsInteger() && op == datatype.Equal {
		eval = func(fr *query.Frame) value.Value {
			x, y := f(fr), g(fr)
			if x.IsNull() || y.IsNull() {
				return value.Value{}
			}
			return expression.Truth(x.N == y.N)
		}
	}
	e := derive(boolType(), string(op), []*expr{ca, cb}, eval)
	e.Shape, e.Op = expression.Compare, ops[op]
	return e
}

func (n *names) in(x *ast.BooleanInExpression) *expr {
	n.comparable(append(slices.Clone(x.Values), x.Expression)...) // the parsed text is shared
	v := n.scalar(x.Expression)
	var e *expr
	if x.Subquery != nil {
		e = n.inSubquery(v, x.Subquery)
	} else {
		e = inValues(v, n.scalars(x.Values))
	}
	if x.NotDefined {
		return rules.Negate(e)
	}
	return e
}

func (n *names) scalars(list []ast.ScalarExpression) []*expr {
	out := make([]*expr, len(list))
	for i, e := range list {
		out[i] = n.scalar(e)
	}
	return out
}

func inValues(v *expr, list []*expr) *expr {
	tests := make([]*expr, len(list))
	for i, item := range list {
		tests[i] = comparison(datatype.Equal, v, item)
	}
	if len(tests) == 1 {
		return tests[0]
	}
	e := rules.AnyOf(tests...)
	e.Shape = expression.InList
	return e
}

// inSubquery is v IN (SELECT …). An uncorrelated subquery is evaluated once; a correlated one for each row.
func (n *names) inSubquery(v *expr, q ast.QueryExpression) *expr {
	sub := n.inner()
	b := sub.query(q, queryContext{})
	if len(b.cols) != 1 {
		panic(message.MS(116))
	}
	if sub.free.Slots.Empty() && !b.perRow {
		return n.inUncorrelated(v, b)
	}
	// x IN (correlated) is true when some row is equal, unknown when none is but one is unknown.
	eq := comparison(datatype.Equal, v, b.cols[0].e)
	op, _ := b.plan([]*expr{eq})
	all, _ := b.plan(nil)
	f, some := v.Eval, query.Some(all, eq.Eval)
	return rules.Condition(expression.Expr[expr]{Refs: sub.free.Slots.Union(v.Refs), Cols: sub.free.Cols.Union(v.Cols), Null: true, PerRow: v.PerRow || b.perRow, Eval: func(fr *query.Frame) value.Value {
		if !f(fr).IsNull() && query.Probe(fr, op) {
			return expression.True
		}
		return some(fr)
	}})
}

// members is the result of an uncorrelated IN subquery.
type members struct {
	keys map[string]struct{}
	list [][]byte // distinct, not NULL, in order
	null bool
}

func (n *names) inUncorrelated(v *expr, b *block) *expr {
	cv, cc, t := commonType(datatype.Equal, v, b.cols[0].e)
	op, _ := b.plan(nil)
	memo := n.c.Memo()
	out := cc.Eval
	read := func(fr *query.Frame) *members {
		if m, ok := fr.Memos[memo].(*members); ok {
			return m
		}
		m := &members{keys: map[string]struct{}{}}
		query.Each(fr, op, func() bool {
			x := out(fr)
			if x.IsNull() {
				m.null = true
				return true
			}
			k := datatype.AppendKey(nil, x, t, false)
			if _, dup := m.keys[string(k)]; !dup {
				m.keys[string(k)] = struct{}{}
				m.list = append(m.list, k)
			}
			return true
		})
		slices.SortFunc(m.list, bytes.Compare)
		fr.Memos[memo] = m
		return m
	}
	f := cv.Eval
	e := rules.Condition(expression.Expr[expr]{Refs: v.Refs, Cols: v.Cols, Null: true, PerRow: v.PerRow, Shape: expression.InQuery, Args: []*expr{cv}, Eval: func(fr *query.Frame) value.Value {
		m := read(fr)
		x := f(fr)
		switch {
		case len(m.keys) == 0 && !m.null:
			return expression.False
		case x.IsNull():
			return x
		}
		var buf [64]byte
		if _, ok := m.keys[string(datatype.AppendKey(buf[:0], x, t, false))]; ok {
			return expression.True
		}
		if m.null {
			return value.Value{}
		}
		return expression.False
	}})
	e.many = &manyValues{typ: t, keys: func(fr *query.Frame) [][]byte { return read(fr).list }}
	return e
}

func (n *names) exists(q ast.QueryExpression) *expr {
	sub := n.inner()
	b := sub.query(q, queryContext{exists: true})
	op, _ := b.plan(nil)
	e := rules.Condition(expression.Expr[expr]{Refs: sub.free.Slots, Cols: sub.free.Cols, PerRow: b.perRow, Eval: query.Exists(op)})
	if sub.free.Slots.Empty() && !b.perRow {
		e.Shape, e.Eval = expression.Fixed, query.Once(n.c.Memo(), e.Eval)
		return e
	}
	e.Shape = expression.Exists
	if in := n.semijoin(q, b, sub); in != nil {
		e.Args = []*expr{in}
	}
	return e
}

func (n *names) like(x *ast.BooleanLikeExpression) *expr {
	a, p := n.scalar(x.FirstExpression), n.scalar(x.SecondExpression)
	for _, e := range []*expr{a, p} {
		if !e.Type.IsCharacter() && !e.Type.IsUntyped() {
			panic(sqlerr.NotSupported("LIKE with a %s", e.Type))
		}
	}
	a, p = settle(a, p, "like")
	t := query.Must(datatype.Unify(a.Type, p.Type))
	if t.IsUntyped() {
		t = datatype.Sized(datatype.VarChar, 1).WithCollation(n.sc.Collation())
	}
	t = t.WithCollation(a.Type.Coll)
	args := []*expr{a, p}
	f, g := a.Eval, p.Eval
	h := func(*query.Frame) value.Value { return value.Value{} }
	if x.EscapeExpression != nil {
		esc := n.scalar(x.EscapeExpression)
		h = esc.Eval
		args = append(args, esc)
	}
	escaped := x.EscapeExpression != nil
	compile := func(pat, esc value.Value) *datatype.Like {
		if escaped && charset.Len16(esc.Str()) != 1 {
			panic(message.MS(506, esc.Str()))
		}
		return query.Must(datatype.NewLike(pat.Str(), esc.Str(), t))
	}
	var fixed *datatype.Like
	if p.Shape == expression.Constant && !p.Null && !escaped {
		fixed = compile(p.Const, value.Value{})
	}
	e := derive(boolType(), "like", args, func(fr *query.Frame) value.Value {
		s := f(fr)
		if s.IsNull() {
			return s
		}
		if fixed != nil {
			return expression.Truth(fixed.Match(s.Str()))
		}
		pat, esc := g(fr), h(fr)
		if pat.IsNull() || escaped && esc.IsNull() {
			return value.Value{}
		}
		return expression.Truth(compile(pat, esc).Match(s.Str()))
	})
	if x.NotDefined {
		return rules.Negate(e)
	}
	return e
}
