package plan

import (
	"slices"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/bound"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// setOperation binds UNION, EXCEPT and INTERSECT.
func (n *names) setOperation(x *ast.BinaryQueryExpression, qc queryContext) *block {
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
	left := &query.Project{Child: pa.Op, Slot: at.Slot, Exprs: bound.Evals(oa), KeepID: -1}
	right := &query.Project{Child: pb.Op, Slot: at.Slot, Exprs: bound.Evals(ob), KeepID: -1}
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

// withCTEs makes the common table expressions of a statement known.
func (n *names) withCTEs(w *ast.WithCtesAndXmlNamespaces) {
	if w == nil {
		return
	}
	for _, def := range w.CommonTableExpressions {
		name := def.ExpressionName.Value
		for s := n.ctes; s != nil; s = s.next {
			if s.in == n && n.same(s.name, name) {
				panic(message.MS(239, name))
			}
		}
		n.ctes = &cteScope{next: n.ctes, name: name, def: def, in: n}
	}
}

// commonTable expands a common table expression where it is used.
func (n *names) commonTable(cte *cteScope, alias string) optimizer.Relation {
	if cte.self != nil {
		cte.self.used++
		src := &source{alias: alias, cols: append([]sourceColumn{}, cte.self.cols...)}
		n.sources = append(n.sources, src)
		return &optimizer.Source{Op: query.One{}, Sets: optimizer.SlotsOf(cte.self.at.Slot), Rows: 1, Access: []string{alias + ": work table"}}
	}
	body := &names{c: n.c, sc: cte.in.sc, ctes: cte.next, params: cte.in.params, free: new(bound.Usage)}
	columns := identifiers(cte.def.Columns)
	if u, ok := unparenthesized(cte.def.QueryExpression).(*ast.BinaryQueryExpression); ok && mentions(u, cte.name) {
		return n.recursive(cte, u, body, alias, columns)
	}
	if mentions(cte.def.QueryExpression, cte.name) && n.nearest(cte.next, cte.name) == nil { // it can only mean itself
		panic(message.MS(252, cte.name))
	}
	rel := n.derived(body.query(cte.def.QueryExpression, queryContext{}), body, alias, columns)
	if n.free != nil {
		n.free.Slots, n.free.Cols = n.free.Slots.Union(body.free.Slots), n.free.Cols.Union(body.free.Cols)
	}
	return rel
}

func unparenthesized(q ast.QueryExpression) ast.QueryExpression {
	for {
		p, ok := q.(*ast.QueryParenthesisExpression)
		if !ok {
			return q
		}
		q = p.QueryExpression
	}
}

// recursive expands a recursive common table expression: the last operand of the top-level
// UNION ALL is the recursive member, what is before it the anchor.
func (n *names) recursive(cte *cteScope, u *ast.BinaryQueryExpression, body *names, alias string, columns []string) optimizer.Relation {
	if u.BinaryQueryExpressionType != "Union" || !u.All {
		panic(message.MS(252, cte.name))
	}
	if mentions(u.FirstQueryExpression, cte.name) {
		panic(sqlerr.NotSupported("several recursive members in common table expression %s", cte.name))
	}
	c := n.c
	anchor := body.query(u.FirstQueryExpression, queryContext{})
	pa, oa := anchor.build(nil)
	at, work := c.Slot(len(oa)), c.Slot(len(oa))
	if len(columns) > 0 && len(columns) != len(oa) {
		panic(message.MS(8158, alias))
	}
	src := &source{alias: alias}
	self := &recursiveRef{at: work}
	for i, e := range oa {
		name := anchor.cols[i].name
		if len(columns) > 0 {
			name = columns[i]
		}
		if name == "" {
			panic(message.MS(8155, i+1, alias))
		}
		t := e.Type
		if t.IsUntyped() {
			t = datatype.Of(datatype.Int)
			oa[i] = implicitTo(e, t)
		}
		src.cols = append(src.cols, sourceColumn{name: name, e: columnExpr(at, i, t, true, name)})
		self.cols = append(self.cols, sourceColumn{name: name, e: columnExpr(work, i, t, true, name)})
	}
	member := &names{c: c, sc: cte.in.sc, params: cte.in.params, free: body.free}
	member.ctes = &cteScope{next: cte.next, name: cte.name, in: cte.in, self: self}
	step := member.query(u.SecondQueryExpression, queryContext{})
	if self.used > 1 {
		panic(message.MS(253, cte.name))
	}
	if len(step.cols) != len(oa) {
		panic(message.MS(205))
	}
	if len(step.assigns) > 0 || !step.simple {
		panic(message.MS(460, cte.name))
	}
	ps, os := step.build(nil)
	for i := range os {
		if want := src.cols[i].e.Type; os[i].Type != want && !os[i].Type.IsUntyped() {
			panic(message.MS(240, src.cols[i].name, cte.name))
		}
	}
	limit := c.hints.maxRecursion
	op := &query.Recursive{
		Anchor: &query.Project{Child: pa.Op, Slot: at.Slot, Exprs: bound.Evals(oa), KeepID: -1},
		Step:   &query.Project{Child: ps.Op, Slot: at.Slot, Exprs: bound.Evals(os), KeepID: -1},
		Slot:   at.Slot, Work: work.Slot, Limit: limit,
		TooDeep: func(limit int) {
			panic(message.MS(530, limit))
		},
	}
	n.sources = append(n.sources, src)
	return &optimizer.Source{Op: op, Sets: optimizer.SlotsOf(at.Slot), Deps: body.free.Slots, Rows: optimizer.TempRows, Access: slices.Concat(pa.Access, ps.Access)}
}
