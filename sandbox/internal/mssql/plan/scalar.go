package plan

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// scalar binds a scalar expression.
func (n *names) scalar(e ast.ScalarExpression) *expr {
	if n.group != nil {
		if g := n.group.match(n, e); g != nil {
			return g
		}
	}
	switch x := e.(type) {
	case *ast.ParenthesisExpression:
		return n.scalar(x.Expression)
	case *ast.ColumnReferenceExpression:
		return n.columnRef(x)
	case *ast.VariableReference:
		return n.variable(x.Name)
	case *ast.GlobalVariableExpression:
		return n.sessionCall(strings.ToUpper(x.Name), x.Name, nil)
	case *ast.ParameterlessCall:
		return n.collated(n.sessionCall(parameterless(x.ParameterlessCallType), x.ParameterlessCallType, nil), x.Collation)
	case *ast.UnaryExpression:
		return n.unary(x)
	case *ast.BinaryExpression:
		return n.binary(x)
	case *ast.SearchedCaseExpression:
		return n.collated(n.searchedCase(x), x.Collation)
	case *ast.SimpleCaseExpression:
		return n.collated(n.simpleCase(x), x.Collation)
	case *ast.IIfCall:
		return n.choose([]*expr{n.predicate(x.Predicate)}, []*expr{n.scalar(x.ThenExpression)}, n.scalar(x.ElseExpression))
	case *ast.CoalesceExpression:
		return n.coalesce(x)
	case *ast.NullIfExpression:
		return n.nullIf(x)
	case *ast.CastCall:
		return n.collated(n.cast(x.DataType, x.Parameter, nil, false), x.Collation)
	case *ast.ConvertCall:
		return n.collated(n.cast(x.DataType, x.Parameter, x.Style, false), x.Collation)
	case *ast.TryCastCall:
		return n.collated(n.cast(x.DataType, x.Parameter, nil, true), x.Collation)
	case *ast.TryConvertCall:
		return n.collated(n.cast(x.DataType, x.Parameter, x.Style, true), x.Collation)
	case *ast.FunctionCall:
		return n.collated(n.function(x), x.Collation)
	case *ast.LeftFunctionCall:
		return n.builtin("LEFT", x.Parameters)
	case *ast.RightFunctionCall:
		return n.builtin("RIGHT", x.Parameters)
	case *ast.ScalarSubquery:
		return n.collated(n.subquery(x.QueryExpression), x.Collation)
	case *ast.AtTimeZoneCall:
		return n.atTimeZone(x)
	default:
		return n.literal(e)
	}
}

// literal binds a constant.
func (n *names) literal(e ast.ScalarExpression) *expr {
	var v value.Value
	var t datatype.Type
	var err error
	switch x := e.(type) {
	case *ast.NullLiteral:
		return constExpr(value.Value{}, datatype.Type{Coll: datatype.NoColl})
	case *ast.IntegerLiteral:
		v, t, err = datatype.NumberLiteral(x.Value)
	case *ast.NumericLiteral:
		v, t, err = datatype.NumberLiteral(x.Value)
	case *ast.RealLiteral:
		v, t, err = datatype.NumberLiteral(x.Value)
	case *ast.StringLiteral:
		v, t = datatype.StringLiteral(x.Value, x.IsNational, n.sc.Collation())
	case *ast.BinaryLiteral:
		digits := strings.NewReplacer("\\\r\n", "", "\\\n", "").Replace(x.Value)
		v, t, err = datatype.BinaryLiteral(digits[2:])
	case *ast.DefaultLiteral:
		panic(message.MS(156, "DEFAULT"))
	case nil:
		panic(sqlerr.NotSupported("missing expression"))
	default:
		panic(sqlerr.NotSupported("expression %T", e))
	}
	query.Check(err)
	c := constExpr(v, t)
	c.literal = true
	return c
}

func (n *names) variable(name string) *expr {
	for s := n; s != nil; s = s.outer {
		if p, ok := s.params[strings.ToLower(name)]; ok {
			for crossed := n; ; crossed = crossed.outer {
				crossed.free.Add(p.Refs, p.Cols)
				if crossed == s {
					return p
				}
			}
		}
	}
	slot, t, ok := n.sc.Variable(name)
	if !ok {
		panic(message.MS(137, name).At(15, 2))
	}
	return variableExpr(slot, t)
}

func (n *names) columnRef(x *ast.ColumnReferenceExpression) *expr {
	if x.ColumnType != "" && x.ColumnType != "Regular" {
		panic(sqlerr.NotSupported("column reference %s", x.ColumnType))
	}
	return n.collated(n.resolve(idents(x.MultiPartIdentifier)), x.Collation)
}

// collated applies COLLATE.
func (n *names) collated(e *expr, id *ast.Identifier) *expr {
	if id == nil {
		return e
	}
	var c datatype.Collation
	if strings.EqualFold(id.Value, "database_default") {
		c = n.c.db.Collation
	} else {
		var ok bool
		if c, ok = datatype.CollationByName(id.Value); !ok {
			panic(sqlerr.NotSupported("collation %s", id.Value))
		}
	}
	if !e.Type.IsCharacter() {
		panic(message.MS(447, e.Type.Name()))
	}
	if e.Type.Coll == c {
		out := *e
		out.coll = explicit
		return &out
	}
	return recollate(e, &expr{Type: datatype.Type{Coll: c}, coll: explicit})
}

func (n *names) unary(x *ast.UnaryExpression) *expr {
	e := n.scalar(x.Expression)
	if x.UnaryExpressionType != "Negative" {
		panic(sqlerr.NotSupported("operator %s", x.UnaryExpressionType))
	}
	t, fn, err := datatype.Negate(e.Type)
	query.Check(err)
	if e.Shape == expression.Constant {
		if v, err := fn(e.Const); err == nil {
			c := constExpr(v, t)
			c.literal = e.literal
			return c
		}
	}
	f := e.Eval
	return derive(t, x.UnaryExpressionType, []*expr{e}, func(fr *query.Frame) value.Value { return query.Must(fn(f(fr))) })
}

var operators = map[string]datatype.Op{
	"Add": datatype.Add, "Subtract": datatype.Subtract, "Multiply": datatype.Multiply, "Divide": datatype.Divide,
	"Modulo": datatype.Modulo, "BitwiseAnd": datatype.BitAnd, "BitwiseOr": datatype.BitOr, "BitwiseXor": datatype.BitXor,
}

func (n *names) binary(x *ast.BinaryExpression) *expr {
	op, ok := operators[x.BinaryExpressionType]
	if !ok {
		panic(sqlerr.NotSupported("operator %s", x.BinaryExpressionType))
	}
	// + - & | ^ have the same precedence in T-SQL ("Operator Precedence"), but not in the parser:
	// what it may have grouped differently must be written with parentheses.
	if op >= datatype.BitAnd {
		for _, side := range []ast.ScalarExpression{x.FirstExpression, x.SecondExpression} {
			if b, ok := side.(*ast.BinaryExpression); ok && b.BinaryExpressionType != x.BinaryExpressionType &&
				b.BinaryExpressionType != "Multiply" && b.BinaryExpressionType != "Divide" && b.BinaryExpressionType != "Modulo" {
				panic(sqlerr.NotSupported("bitwise and additive operators together without parentheses"))
			}
		}
	}
	return arith(op, n.scalar(x.FirstExpression), n.scalar(x.SecondExpression), n.sc.Settings())
}

// arith binds an arithmetic, bitwise or concatenating operator.
func arith(op datatype.Op, a, b *expr, set Settings) *expr {
	text := op == datatype.Add && a.Type.IsCharacter() && b.Type.IsCharacter()
	if text {
		a, b = settle(a, b, "concatenation")
	}
	ta, tb := literalType(a, b), literalType(b, a)
	t, fn, err := datatype.BinaryOp(op, ta, tb)
	query.Check(err)
	if set.NumericRoundOff && t.ID == datatype.Decimal { // a loss of precision would be an error
		panic(sqlerr.NotSupported("arithmetic with decimals under SET NUMERIC_ROUNDABORT ON"))
	}
	if (a.Type.IsCharacter() || b.Type.IsCharacter()) && op == datatype.Add && !set.ConcatNull && (text || a.Type.IsUntyped() || b.Type.IsUntyped()) {
		panic(sqlerr.NotSupported("SET CONCAT_NULL_YIELDS_NULL OFF"))
	}
	f, g := a.Eval, b.Eval
	name := "op" + op.String()
	if a.Type.ID == datatype.Int && b.Type.ID == datatype.Int && t.ID == datatype.Int && op <= datatype.Subtract {
		sign := int64(1)
		if op == datatype.Subtract {
			sign = -1
		}
		return derive(t, name, []*expr{a, b}, func(fr *query.Frame) value.Value {
			x, y := f(fr), g(fr)
			if x.Kind == value.Int && y.Kind == value.Int {
				if r := x.N + sign*y.N; r == int64(int32(r)) {
					return value.NewInt(r)
				}
			}
			if x.IsNull() || y.IsNull() {
				return value.Value{}
			}
			panic(datatype.ErrOverflow(t))
		})
	}
	return derive(t, name, []*expr{a, b}, func(fr *query.Frame) value.Value {
		return query.Must(fn(f(fr), g(fr)))
	})
}

func (n *names) searchedCase(x *ast.SearchedCaseExpression) *expr {
	var conds, results []*expr
	for _, w := range x.WhenClauses {
		conds = append(conds, n.predicate(w.WhenExpression))
		results = append(results, n.scalar(w.ThenExpression))
	}
	return n.choose(conds, results, n.optional(x.ElseExpression))
}

func (n *names) simpleCase(x *ast.SimpleCaseExpression) *expr {
	input := n.scalar(x.InputExpression)
	var conds, results []*expr
	for _, w := range x.WhenClauses {
		conds = append(conds, comparison(datatype.Equal, input, n.scalar(w.WhenExpression)))
		results = append(results, n.scalar(w.ThenExpression))
	}
	return n.choose(conds, results, n.optional(x.ElseExpression))
}

func (n *names) optional(e ast.ScalarExpression) *expr {
	if e == nil {
		return constExpr(value.Value{}, datatype.Type{Coll: datatype.NoColl})
	}
	return n.scalar(e)
}

// choose is CASE: the first result whose condition is true, or other.
func (n *names) choose(conds, results []*expr, other *expr) *expr {
	all := append(append([]*expr{}, results...), other)
	untyped := true
	for _, r := range all {
		untyped = untyped && r.Type.IsUntyped()
	}
	if untyped {
		panic(message.MS(8133))
	}
	t, all := unifyAll(all, "CASE")
	evals := make([]query.Expr, len(all))
	for i, r := range all {
		evals[i] = r.Eval
	}
	tests := make([]query.Expr, len(conds))
	for i, c := range conds {
		tests[i] = c.Eval
	}
	e := derive(t, "case", append(append([]*expr{}, conds...), all...), func(fr *query.Frame) value.Value {
		for i, test := range tests {
			if test(fr).IsTrue() {
				return evals[i](fr)
			}
		}
		return evals[len(evals)-1](fr)
	})
	e.Null, e.coll = false, coercible
	for _, r := range all {
		e.Null = e.Null || r.Null
		if r.Type.IsCharacter() {
			e.coll = max(e.coll, r.coll)
		}
	}
	return e
}

// coalesce is CASE WHEN a IS NOT NULL THEN a …; the arguments are evaluated like that, too.
func (n *names) coalesce(x *ast.CoalesceExpression) *expr {
	list := make([]*expr, len(x.Expressions))
	untyped := true
	for i, a := range x.Expressions {
		list[i] = n.scalar(a)
		untyped = untyped && list[i].Type.IsUntyped()
	}
	if untyped {
		panic(message.MS(4127))
	}
	t, list := unifyAll(list, "COALESCE")
	e := derive(t, "coalesce", list, func(fr *query.Frame) value.Value {
		for _, a := range list {
			if v := a.Eval(fr); !v.IsNull() {
				return v
			}
		}
		return value.Value{}
	})
	e.Null = true
	for _, a := range list {
		e.Null = e.Null && a.Null
	}
	return e
}

func (n *names) nullIf(x *ast.NullIfExpression) *expr {
	a, b := n.scalar(x.FirstExpression), n.scalar(x.SecondExpression)
	if a.Type.IsUntyped() {
		panic(message.MS(4151))
	}
	eq, f := comparison(datatype.Equal, a, b), a.Eval
	e := derive(a.Type, "nullif", []*expr{a, b}, func(fr *query.Frame) value.Value {
		if eq.Eval(fr).IsTrue() {
			return value.Value{}
		}
		return f(fr)
	})
	e.Null = true
	return e
}

// subquery is a scalar subquery.
func (n *names) subquery(q ast.QueryExpression) *expr {
	sub := n.inner()
	b := sub.query(q, queryContext{})
	if len(b.cols) != 1 {
		panic(message.MS(116))
	}
	op, out := b.plan(nil)
	e := &expr{Type: out[0].Type, Expr: expression.Expr[expr]{Refs: sub.free.Slots, Cols: sub.free.Cols, Null: true}, coll: out[0].coll}
	e.Eval = query.Single(op, out[0].Eval, func() {
		panic(message.MS(512))
	})
	if sub.free.Slots.Empty() && !b.perRow {
		e.Shape, e.Eval = expression.Fixed, query.Once(n.c.Memo(), e.Eval)
	}
	return e
}
