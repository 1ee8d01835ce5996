package plan

import (
	"bytes"
	"slices"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
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
			return allOf([]*expr{a, b})
		}
		return anyOf([]*expr{a, b})
	case *ast.BooleanNotExpression:
		return negate(n.predicate(x.Expression))
	case *ast.BooleanComparisonExpression:
		op, ok := comparisons[x.ComparisonType]
		if !ok {
			panic(sqlerr.NotSupported("comparison %s", x.ComparisonType))
		}
		if !n.sc.Settings().AnsiNulls && (isNullLiteral(x.FirstExpression) || isNullLiteral(x.SecondExpression)) {
			panic(sqlerr.NotSupported("comparison with NULL under SET ANSI_NULLS OFF"))
		}
		return comparison(op, n.scalar(x.FirstExpression), n.scalar(x.SecondExpression))
	case *ast.BooleanIsNullExpression:
		c := isNullExpr(n.scalar(x.Expression))
		if x.IsNot {
			return negate(c)
		}
		return c
	case *ast.BooleanTernaryExpression:
		v := n.scalar(x.FirstExpression)
		between := allOf([]*expr{
			comparison(datatype.GreaterEqual, v, n.scalar(x.SecondExpression)),
			comparison(datatype.LessEqual, v, n.scalar(x.ThirdExpression)),
		})
		if x.TernaryExpressionType == "NotBetween" {
			return negate(between)
		}
		return between
	case *ast.BooleanInExpression:
		return n.in(x)
	case *ast.BooleanLikeExpression:
		return n.like(x)
	case *ast.ExistsPredicate:
		return n.exists(x.Subquery)
	case *ast.DistinctPredicate, *ast.SubqueryComparisonPredicate: // SQL Server 2022; the parser knows ANY and ALL with it only
		panic(sqlerr.NotSupported("IS [NOT] DISTINCT FROM"))
	case nil:
		panic(sqlerr.NotSupported("missing condition"))
	}
	panic(sqlerr.NotSupported("condition %T", e))
}

func isNullLiteral(e ast.ScalarExpression) bool {
	_, ok := e.(*ast.NullLiteral)
	return ok
}

var comparisons = map[string]datatype.CompareOp{
	"Equals": datatype.Equal, "NotEqualToBrackets": datatype.NotEqual, "NotEqualToExclamation": datatype.NotEqual,
	"LessThan": datatype.Less, "LessThanOrEqualTo": datatype.LessEqual, "NotGreaterThan": datatype.LessEqual,
	"GreaterThan": datatype.Greater, "GreaterThanOrEqualTo": datatype.GreaterEqual, "NotLessThan": datatype.GreaterEqual,
}

func holds(op datatype.CompareOp, c int) bool {
	switch op {
	case datatype.Equal:
		return c == 0
	case datatype.NotEqual:
		return c != 0
	case datatype.Less:
		return c < 0
	case datatype.LessEqual:
		return c <= 0
	case datatype.Greater:
		return c > 0
	default:
		return c >= 0
	}
}

// commonType brings two expressions to the type in which op compares them.
func commonType(op datatype.CompareOp, a, b *expr) (*expr, *expr, datatype.Type) {
	a, b = settle(a, b, string(op))
	t := query.Must(datatype.CompareType(literalType(a, b), literalType(b, a), op))
	if a.typ.IsCharacter() && b.typ.IsCharacter() {
		t = t.WithCollation(a.typ.Coll)
	}
	if t.IsUntyped() {
		t = datatype.Of(datatype.Int)
	}
	return implicitTo(a, t), implicitTo(b, t), t
}

// comparison binds a op b.
func comparison(op datatype.CompareOp, a, b *expr) *expr {
	ca, cb, t := commonType(op, a, b)
	f, g := ca.eval, cb.eval
	eval := func(fr *query.Frame) value.Value {
		x := f(fr)
		if x.IsNull() {
			return x
		}
		y := g(fr)
		if y.IsNull() {
			return y
		}
		return truth(holds(op, datatype.Compare(x, y, t)))
	}
	if t.IsInteger() && op == datatype.Equal {
		eval = func(fr *query.Frame) value.Value {
			x, y := f(fr), g(fr)
			if x.IsNull() || y.IsNull() {
				return value.Value{}
			}
			return truth(x.N == y.N)
		}
	}
	e := derive(boolType(), string(op), []*expr{ca, cb}, eval)
	e.shape, e.op = compare, op
	return e
}

func (n *names) in(x *ast.BooleanInExpression) *expr {
	v := n.scalar(x.Expression)
	var e *expr
	if x.Subquery != nil {
		e = n.inSubquery(v, x.Subquery)
	} else {
		e = inValues(v, n.scalars(x.Values))
	}
	if x.NotDefined {
		return negate(e)
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
	e := anyOf(tests)
	e.shape = inList
	return e
}

// inSubquery is v IN (SELECT …). An uncorrelated subquery is evaluated once; a correlated one for each row.
func (n *names) inSubquery(v *expr, q ast.QueryExpression) *expr {
	sub := n.inner()
	b := sub.query(q, queryContext{})
	if len(b.cols) != 1 {
		panic(message.MS(116))
	}
	if sub.free.slots.Empty() && !b.perRow {
		return n.inUncorrelated(v, b)
	}
	// x IN (correlated) is true when some row is equal, unknown when none is but one is unknown.
	eq := comparison(datatype.Equal, v, b.cols[0].e)
	op, _ := b.plan([]*expr{eq})
	all, _ := b.plan(nil)
	f, some := v.eval, query.Some(all, eq.eval)
	e := &expr{typ: boolType(), refs: sub.free.slots.Union(v.refs), cols: sub.free.cols.Union(v.cols), null: true, eval: func(fr *query.Frame) value.Value {
		if !f(fr).IsNull() && query.Probe(fr, op) {
			return trueValue
		}
		return some(fr)
	}}
	e.perRow = v.perRow || b.perRow
	return e
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
	memo := n.c.memo()
	out := cc.eval
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
	f := cv.eval
	e := &expr{typ: boolType(), refs: v.refs, cols: v.cols, null: true, perRow: v.perRow, shape: inQuery, args: []*expr{cv}, eval: func(fr *query.Frame) value.Value {
		m := read(fr)
		x := f(fr)
		switch {
		case len(m.keys) == 0 && !m.null:
			return falseValue
		case x.IsNull():
			return x
		}
		var buf [64]byte
		if _, ok := m.keys[string(datatype.AppendKey(buf[:0], x, t, false))]; ok {
			return trueValue
		}
		if m.null {
			return value.Value{}
		}
		return falseValue
	}}
	e.many = &manyValues{typ: t, keys: func(fr *query.Frame) [][]byte { return read(fr).list }}
	return e
}

func (n *names) exists(q ast.QueryExpression) *expr {
	sub := n.inner()
	b := sub.query(q, queryContext{exists: true})
	op, _ := b.plan(nil)
	e := &expr{typ: boolType(), refs: sub.free.slots, cols: sub.free.cols, perRow: b.perRow, eval: query.Exists(op)}
	if sub.free.slots.Empty() && !b.perRow {
		e.shape, e.eval = variable, query.Once(n.c.memo(), e.eval)
		return e
	}
	e.shape = exists
	if in := n.semijoin(q, b, sub); in != nil {
		e.semi = &semiJoin{in: in}
	}
	return e
}

func (n *names) like(x *ast.BooleanLikeExpression) *expr {
	a, p := n.scalar(x.FirstExpression), n.scalar(x.SecondExpression)
	for i, e := range []*expr{a, p} {
		if !e.typ.IsCharacter() && !e.typ.IsUntyped() {
			if e.typ.IsBinary() {
				panic(datatype.ErrArgument(e.typ, i+1, "like"))
			}
			e = implicitTo(e, datatype.Sized(datatype.VarChar, 8000).WithCollation(n.sc.Collation()))
			if i == 0 {
				a = e
			} else {
				p = e
			}
		}
	}
	a, p = settle(a, p, "like")
	t := query.Must(datatype.Unify(a.typ, p.typ))
	if t.IsUntyped() {
		t = datatype.Sized(datatype.VarChar, 1).WithCollation(n.sc.Collation())
	}
	t = t.WithCollation(a.typ.Coll)
	args := []*expr{a, p}
	f, g := a.eval, p.eval
	h := func(*query.Frame) value.Value { return value.Value{} }
	if x.EscapeExpression != nil {
		esc := n.scalar(x.EscapeExpression)
		h = esc.eval
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
	if p.shape == constant && !p.null && !escaped {
		fixed = compile(p.val, value.Value{})
	}
	e := derive(boolType(), "like", args, func(fr *query.Frame) value.Value {
		s := f(fr)
		if s.IsNull() {
			return s
		}
		if fixed != nil {
			return truth(fixed.Match(s.Str()))
		}
		pat, esc := g(fr), h(fr)
		if pat.IsNull() || escaped && esc.IsNull() {
			return value.Value{}
		}
		return truth(compile(pat, esc).Match(s.Str()))
	})
	if x.NotDefined {
		return negate(e)
	}
	return e
}
