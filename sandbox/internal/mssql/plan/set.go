package plan

import (
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// setOperation binds UNION.
func (n *names) setOperation(x *ast.BinaryQueryExpression, qc queryContext) *block {
	part := func(q ast.QueryExpression) *block {
		sub := n.beside(nil)
		sub.free = n.free
		return sub.query(q, queryContext{})
	}
	if x.BinaryQueryExpressionType != "Union" {
		panic(sqlerr.NotSupported("%s", strings.ToUpper(x.BinaryQueryExpressionType)))
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
		if !t.IsComparable() && !x.All {
			panic(message.MS(5335, t.Name()))
		}
	}
	left := &query.Project{Child: pa.Op, Slot: at.Slot, Exprs: expression.Evals(oa), KeepID: -1}
	right := &query.Project{Child: pb.Op, Slot: at.Slot, Exprs: expression.Evals(ob), KeepID: -1}
	var op query.Op = &query.Concat{Children: []query.Op{left, right}}
	if !x.All {
		op = &query.Distinct{Child: op, Key: rules.GroupKey(out)}
	}
	blk := &block{perRow: a.perRow || b.perRow}
	for i, e := range out {
		blk.cols = append(blk.cols, outColumn{name: a.cols[i].name, e: e})
	}
	if x.OrderByClause != nil {
		if !qc.top {
			panic(message.MS(1033))
		}
		for _, el := range x.OrderByClause.OrderByElements {
			if ref, ok := el.Expression.(*ast.ColumnReferenceExpression); ok && len(idents(ref.MultiPartIdentifier)) > 1 {
				panic(sqlerr.NotSupported("a qualified name in the ORDER BY of UNION"))
			}
		}
		s := &selection{n: n.with(), cols: blk.cols, distinct: true}
		s.bindOrder(x.OrderByClause)
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
