package plan

import (
	"slices"
	"strconv"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// intersectFirst gives INTERSECT its precedence, which the parser does not know (learn.microsoft.com, "EXCEPT and INTERSECT").
func intersectFirst(x *ast.BinaryQueryExpression) *ast.BinaryQueryExpression {
	first, ok := x.FirstQueryExpression.(*ast.BinaryQueryExpression)
	if !ok || x.BinaryQueryExpressionType != "Intersect" {
		return x
	}
	if first = intersectFirst(first); first.BinaryQueryExpressionType == "Intersect" {
		return x
	}
	outer, inner := *first, *x
	inner.FirstQueryExpression, inner.OrderByClause = first.SecondQueryExpression, nil
	outer.SecondQueryExpression, outer.OrderByClause = &inner, x.OrderByClause
	return &outer
}

// setOperation binds UNION, EXCEPT and INTERSECT.
func (n *names) setOperation(x *ast.BinaryQueryExpression, qc queryContext) *block {
	x = intersectFirst(x)
	part := func(q ast.QueryExpression) *block {
		sub := n.beside(nil)
		sub.free = n.free
		return sub.query(q, queryContext{})
	}
	a, b := part(x.FirstQueryExpression), part(x.SecondQueryExpression)
	if len(a.cols) != len(b.cols) {
		panic(message.MS(205))
	}
	if len(a.assigns)+len(b.assigns) > 0 {
		panic(message.MS(141))
	}
	pa, oa := a.build(nil)
	pb, ob := b.build(nil)
	at := n.c.Slot(len(oa))
	out := make([]*expr, len(oa))
	for i := range oa {
		t, pair := unifyAll([]*expr{oa[i], ob[i]}, x.BinaryQueryExpressionType)
		oa[i], ob[i] = pair[0], pair[1]
		out[i] = columnExpr(at, i, t, oa[i].Null || ob[i].Null, a.cols[i].name)
		out[i].coll = oa[i].coll
		if !t.IsComparable() && (x.BinaryQueryExpressionType != "Union" || !x.All) {
			panic(message.MS(5335, t.Name()))
		}
	}
	left := &query.Project{Child: pa.Op, Slot: at.Slot, Exprs: expression.Evals(oa), KeepID: -1}
	right := &query.Project{Child: pb.Op, Slot: at.Slot, Exprs: expression.Evals(ob), KeepID: -1}
	var op query.Op
	switch x.BinaryQueryExpressionType {
	case "Union":
		op = &query.Concat{Children: []query.Op{left, right}}
		if !x.All {
			op = &query.Distinct{Child: op, Key: rules.GroupKey(out)}
		}
	case "Except", "Intersect":
		if x.All {
			panic(message.MS(102, "ALL"))
		}
		op = &query.Member{Child: left, Other: right, Key: rules.GroupKey(out), Not: x.BinaryQueryExpressionType == "Except", Slots: []int{at.Slot}}
	default:
		panic(sqlerr.NotSupported("%s", x.BinaryQueryExpressionType))
	}
	blk := &block{perRow: a.perRow || b.perRow}
	for i, e := range out {
		blk.cols = append(blk.cols, outColumn{name: a.cols[i].name, e: e})
	}
	if x.OrderByClause != nil {
		if !qc.top {
			panic(message.MS(1033))
		}
		s := &selection{n: n.with(), cols: blk.cols, distinct: true}
		s.bindOrder(n.orderOfFirst(x))
		op = rules.Sort(op, []int{at.Slot}, s.order)
	}
	blk.build = func(extra []*expr) (optimizer.Plan, []*expr) {
		pl := optimizer.Plan{Op: op, Cost: pa.Cost + pb.Cost, Rows: pa.Rows + pb.Rows, Access: slices.Concat(pa.Access, pb.Access), Slots: optimizer.SlotsOf(at.Slot)}
		if cond := rules.AllOf(extra...); cond != nil {
			pl.Op = &query.Filter{Child: pl.Op, Pred: cond.Eval}
		}
		return pl, out
	}
	return blk
}

// orderOfFirst is the ORDER BY of a set operation, whose qualified names are those of the first select list, by position.
func (n *names) orderOfFirst(x *ast.BinaryQueryExpression) *ast.OrderByClause {
	out := &ast.OrderByClause{}
	for _, el := range x.OrderByClause.OrderByElements {
		if ref, ok := el.Expression.(*ast.ColumnReferenceExpression); ok && len(idents(ref.MultiPartIdentifier)) > 1 {
			i := n.positionOf(idents(ref.MultiPartIdentifier), x)
			el = &ast.ExpressionWithSortOrder{Expression: &ast.IntegerLiteral{Value: strconv.Itoa(i + 1)}, SortOrder: el.SortOrder}
		}
		out.OrderByElements = append(out.OrderByElements, el)
	}
	return out
}

// positionOf finds a qualified name in the first select list.
func (n *names) positionOf(name []string, q ast.QueryExpression) int {
	switch q := q.(type) {
	case *ast.BinaryQueryExpression:
		return n.positionOf(name, q.FirstQueryExpression)
	case *ast.QueryParenthesisExpression:
		return n.positionOf(name, q.QueryExpression)
	case *ast.QuerySpecification:
		for i, e := range q.SelectElements {
			item, ok := e.(*ast.SelectScalarExpression)
			if !ok { // a star
				break
			}
			if c, ok := item.Expression.(*ast.ColumnReferenceExpression); ok && slices.EqualFunc(idents(c.MultiPartIdentifier), name, n.same) {
				return i
			}
		}
	}
	panic(sqlerr.NotSupported("a qualified name in the ORDER BY of a set operation that does not stand so in the first select list"))
}
