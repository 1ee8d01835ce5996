package plan

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/optimizer"
	"github.com/dbsched/dbsched/sandbox/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/query"
)

// cteScope is a query of a WITH clause and those that could be named before it.
type cteScope struct {
	next *cteScope
	name string
	def  *ast.CommonTable
	in   *binder    // where the WITH clause stands
	self *recursion // set inside its own recursive member
}

// recursion is the row of the level before that a recursive member extends.
type recursion struct {
	at   slotRef
	cols []sourceColumn
	used int
}

func (s *cteScope) find(name string) *cteScope {
	for ; s != nil; s = s.next {
		if s.name == name {
			return s
		}
	}
	return nil
}

// commonTables makes the queries of a WITH clause known.
func (b *binder) commonTables(list []ast.CommonTable) {
	for i := range list {
		def := &list[i]
		for s := b.ctes; s != nil; s = s.next {
			if s.in == b && s.name == def.Name.Text {
				fail(32037, "unsupported use of WITH clause")
			}
		}
		b.ctes = &cteScope{next: b.ctes, name: def.Name.Text, def: def, in: b}
	}
}

// commonTable expands a common table where it is named.
func (b *binder) commonTable(cte *cteScope, alias string) optimizer.Relation {
	if cte.self != nil {
		cte.self.used++
		b.sources = append(b.sources, &source{alias: alias, cols: slices.Clone(cte.self.cols)})
		return &optimizer.Source{Op: query.One{}, Sets: optimizer.SlotsOf(cte.self.at.slot), Rows: 1, Access: []string{alias + ": recursive with pump"}}
	}
	body := func() *binder {
		sub := b.beside(nil).inner()
		sub.outer, sub.ctes = cte.in.outer, cte.next
		return sub
	}
	var columns []string
	for _, n := range cte.def.Columns {
		columns = append(columns, n.Text)
	}
	q := cte.def.Query
	if u, ok := q.Body.(*ast.SetOperation); ok && u.Op == ast.UnionAll && len(q.With) == 0 && len(q.OrderBy) == 0 && columns != nil {
		if rel := b.recursive(cte, u, body, alias, columns); rel != nil {
			return rel
		}
	}
	sub := body()
	blk := sub.query(q)
	if columns != nil && len(columns) != len(blk.cols) {
		fail(32038, "number of WITH clause column names does not match number of elements in select list")
	}
	b.uses(sub.free, cte.in)
	return b.derived(blk, sub, alias, columns)
}

// uses tells all queries from b to where a WITH clause stands of what its query uses of those further out.
func (b *binder) uses(u *usage, in *binder) {
	for n := b; n != nil; n = n.outer {
		n.free.merge(u)
		if n == in {
			return
		}
	}
}

// recursive expands a common table whose last UNION ALL names the table itself; nil: it does not.
func (b *binder) recursive(cte *cteScope, u *ast.SetOperation, body func() *binder, alias string, columns []string) optimizer.Relation {
	c, sub := b.c, body()
	anchor := sub.query(&ast.Query{Pos: u.Pos, Body: u.Left})
	if len(anchor.cols) != len(columns) {
		fail(32038, "number of WITH clause column names does not match number of elements in select list")
	}
	at, work := c.slot(len(columns)), c.slot(len(columns))
	src, self := &source{alias: alias}, &recursion{at: work}
	for i, name := range columns {
		t := anchor.cols[i].e.Type
		src.cols = append(src.cols, sourceColumn{name: name, e: columnExpr(at, i, t, true, name)})
		self.cols = append(self.cols, sourceColumn{name: name, e: columnExpr(work, i, t, true, name)})
	}
	member := body()
	member.free = sub.free
	member.ctes = &cteScope{next: cte.next, name: cte.name, in: cte.in, self: self}
	step := member.query(&ast.Query{Pos: u.Pos, Body: u.Right})
	switch {
	case self.used == 0:
		return nil
	case self.used > 1:
		fail(32042, "recursive WITH clause must reference itself directly in one of the UNION ALL branches")
	case len(step.cols) != len(columns):
		fail(1789, "query block has incorrect number of result columns")
	case !step.simple:
		refuse("a recursive member of WITH with DISTINCT, GROUP BY, analytic functions, ROWNUM or row limits")
	}
	pa, oa := anchor.build()
	ps, os := step.build()
	for i, e := range os {
		if _, err := datatype.Common(oa[i].Type, e.Type); err != nil {
			fail(1790, "expression must have same datatype as corresponding expression")
		}
		os[i] = ConvertTo(e, oa[i].Type, false)
	}
	b.uses(sub.free, cte.in)
	b.sources = append(b.sources, src)
	const deep = 100000 // Oracle finds rows that come again and raises ORA-32044
	op := &query.Recursive{
		Anchor: &query.Project{Child: pa.Op, Slot: at.slot, Exprs: evals(oa), KeepID: -1},
		Step:   &query.Project{Child: ps.Op, Slot: at.slot, Exprs: evals(os), KeepID: -1},
		Slot:   at.slot, Work: work.slot, Limit: deep,
		TooDeep: func(int) { fail(32044, "cycle detected while executing recursive WITH query") },
	}
	return &optimizer.Source{
		Op: op, Sets: optimizer.SlotsOf(at.slot), Deps: sub.free.slots.Minus(optimizer.SlotsOf(work.slot)), Rows: optimizer.TempRows,
		Access: slices.Concat(pa.Access, ps.Access),
	}
}

// setOperation binds UNION, INTERSECT and MINUS.
func (b *binder) setOperation(x *ast.SetOperation) *block {
	part := func(q ast.QueryBody) *block { return b.beside(nil).query(&ast.Query{Pos: q.Position(), Body: q}) }
	l, r := part(x.Left), part(x.Right)
	if len(l.cols) != len(r.cols) {
		fail(1789, "query block has incorrect number of result columns")
	}
	pl, ol := l.build()
	pr, or := r.build()
	at := b.c.slot(len(ol))
	out := make([]*Expr, len(ol))
	blk := &block{c: b.c, into: l.into}
	for i := range ol {
		t, err := datatype.Common(ol[i].Type, or[i].Type)
		if err != nil {
			fail(1790, "expression must have same datatype as corresponding expression")
		}
		ol[i], or[i] = ConvertTo(ol[i], t, false), ConvertTo(or[i], t, false)
		out[i] = columnExpr(at, i, t, ol[i].Nullable || or[i].Nullable, l.cols[i].name)
		if x.Op != ast.UnionAll {
			b.sortable(out[i])
		}
		blk.cols = append(blk.cols, outColumn{name: l.cols[i].name, e: out[i]})
	}
	left := &query.Project{Child: pl.Op, Slot: at.slot, Exprs: evals(ol), KeepID: -1}
	right := &query.Project{Child: pr.Op, Slot: at.slot, Exprs: evals(or), KeepID: -1}
	plan := optimizer.Plan{Cost: pl.Cost + pr.Cost, Rows: pl.Rows + pr.Rows, Access: slices.Concat(pl.Access, pr.Access), Slots: optimizer.SlotsOf(at.slot)}
	switch x.Op {
	case ast.UnionAll:
		plan.Op = &query.Concat{Children: []query.Op{left, right}}
	case ast.Union:
		plan.Op = &query.Distinct{Child: &query.Concat{Children: []query.Op{left, right}}, Key: groupKey(out)}
	default:
		plan.Op = &query.Member{Child: left, Other: right, Key: groupKey(out), Not: x.Op == ast.Minus, Slots: []int{at.slot}}
	}
	blk.perRow = l.perRow || r.perRow
	blk.build = func() (optimizer.Plan, []*Expr) { return plan, out }
	return blk
}

// boxed gives the rows of a query a slot of their own.
func (b *binder) boxed(inner *block) *block {
	pl, out := inner.build()
	at := b.c.slot(len(out))
	blk := &block{c: b.c, perRow: inner.perRow, into: inner.into}
	cols := make([]*Expr, len(out))
	for i, e := range out {
		cols[i] = columnExpr(at, i, e.Type, e.Nullable, inner.cols[i].name)
		blk.cols = append(blk.cols, outColumn{name: inner.cols[i].name, e: cols[i]})
	}
	pl.Op, pl.Slots = &query.Project{Child: pl.Op, Slot: at.slot, Exprs: evals(out), KeepID: -1}, optimizer.SlotsOf(at.slot)
	blk.build = func() (optimizer.Plan, []*Expr) { return pl, cols }
	return blk
}

// arranged puts ORDER BY, OFFSET and FETCH on top of rows that have a slot of their own; only columns of the result can
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
	var order []orderKey
	for _, o := range q.OrderBy {
		e := position(o.Value, blk.cols)
		if e == nil {
			e = names.expr(o.Value)
		}
		order = append(order, b.keyOf(e, o))
	}
	if len(order) > 0 {
		pl.Op = sortOp(pl.Op, pl.Slots.List(), order)
	}
	if l := b.limit(q); l != nil {
		pl.Op = l.op(pl.Op, order)
	}
	o := *blk
	o.simple, o.build = false, func() (optimizer.Plan, []*Expr) { return pl, out }
	return &o
}
