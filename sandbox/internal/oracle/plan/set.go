package plan

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// setOperation binds UNION, INTERSECT and MINUS.
func (b *binder) setOperation(x *ast.SetOperation) *block {
	part := func(q ast.QueryBody) *block { return b.beside(nil).query(&ast.Query{Pos: q.Position(), Body: q}) }
	l, r := part(x.Left), part(x.Right)
	if len(l.cols) != len(r.cols) {
		fail(1789)
	}
	pl, ol := l.build()
	pr, or := r.build()
	at := b.c.Slot(len(ol))
	out := make([]*Expr, len(ol))
	blk := &block{c: b.c, into: l.into}
	for i := range ol {
		t, err := datatype.Common(ol[i].Type, or[i].Type)
		if err != nil {
			fail(1790)
		}
		ol[i], or[i] = ConvertTo(ol[i], t, false), ConvertTo(or[i], t, false)
		out[i] = columnExpr(at, i, t, ol[i].Null || or[i].Null, l.cols[i].name)
		if x.Op != ast.UnionAll {
			b.sortable(out[i])
		}
		blk.cols = append(blk.cols, outColumn{name: l.cols[i].name, e: out[i]})
	}
	left := &query.Project{Child: pl.Op, Slot: at.Slot, Exprs: expression.Evals(ol), KeepID: -1}
	right := &query.Project{Child: pr.Op, Slot: at.Slot, Exprs: expression.Evals(or), KeepID: -1}
	plan := optimizer.Plan{Cost: pl.Cost + pr.Cost, Rows: pl.Rows + pr.Rows, Access: slices.Concat(pl.Access, pr.Access), Slots: optimizer.SlotsOf(at.Slot)}
	switch x.Op {
	case ast.UnionAll:
		plan.Op = &query.Concat{Children: []query.Op{left, right}}
	case ast.Union:
		plan.Op = &query.Distinct{Child: &query.Concat{Children: []query.Op{left, right}}, Key: rules.GroupKey(out)}
	default:
		plan.Op = &query.Member{Child: left, Other: right, Key: rules.GroupKey(out), Not: x.Op == ast.Minus, Slots: []int{at.Slot}}
	}
	blk.perRow = l.perRow || r.perRow
	blk.build = func() (optimizer.Plan, []*Expr) { return plan, out }
	return blk
}

// boxed gives a query's rows their own slot.
func (b *binder) boxed(inner *block) *block {
	pl, out := inner.build()
	at := b.c.Slot(len(out))
	blk := &block{c: b.c, perRow: inner.perRow, into: inner.into}
	cols := make([]*Expr, len(out))
	for i, e := range out {
		cols[i] = columnExpr(at, i, e.Type, e.Null, inner.cols[i].name)
		blk.cols = append(blk.cols, outColumn{name: inner.cols[i].name, e: cols[i]})
	}
	pl.Op, pl.Slots = &query.Project{Child: pl.Op, Slot: at.Slot, Exprs: expression.Evals(out), KeepID: -1}, optimizer.SlotsOf(at.Slot)
	blk.build = func() (optimizer.Plan, []*Expr) { return pl, cols }
	return blk
}

// arranged puts ORDER BY, OFFSET and FETCH on top of rows that have their own slot; only columns of the result can
// be named (ORA-01785 is for other expressions in the documentation, ORA-00904 for other names).
func (b *binder) arranged(blk *block, q *ast.Query) *block {
	if len(q.OrderBy) == 0 && q.Offset == nil && q.Fetch == nil {
		return blk
	}
	pl, out := blk.build()
	names := b.beside(nil)
	src := &source{}
	for i, c := range blk.cols {
		src.cols = append(src.cols, sourceColumn{name: c.name, e: out[i]})
	}
	names.sources = []*source{src}
	var order []orderBy
	for _, o := range q.OrderBy {
		e := position(o.Value, blk.cols)
		if e == nil {
			e = names.expr(o.Value)
		}
		order = append(order, b.keyOf(e, o))
	}
	if len(order) > 0 {
		pl.Op = rules.Sort(pl.Op, pl.Slots.List(), order)
	}
	if l := b.limit(q); l != nil {
		pl.Op = l.op(pl.Op, order)
	}
	o := *blk
	o.simple, o.build = false, func() (optimizer.Plan, []*Expr) { return pl, out }
	return &o
}
