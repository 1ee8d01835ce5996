package plan

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/bound"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
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
	at   bound.Slot
	cols []sourceColumn
	used int
}

// commonTables makes the queries of a WITH clause known.
func (b *binder) commonTables(list []ast.CommonTable) {
	for i := range list {
		def := &list[i]
		for s := b.ctes; s != nil; s = s.next {
			if s.in == b && s.name == def.Name.Text {
				fail(32037)
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
		return &optimizer.Source{Op: query.One{}, Sets: optimizer.SlotsOf(cte.self.at.Slot), Rows: 1, Access: []string{alias + ": recursive with pump"}}
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
		fail(32038)
	}
	b.uses(sub.free, cte.in)
	return b.derived(blk, sub, alias, columns)
}

// uses tells all queries from b to where a WITH clause stands of what its query uses of those further out.
func (b *binder) uses(u *bound.Usage, in *binder) {
	for n := b; n != nil; n = n.outer {
		n.free.Add(u.Slots, u.Cols)
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
		fail(32038)
	}
	at, work := c.Slot(len(columns)), c.Slot(len(columns))
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
		fail(32042)
	case len(step.cols) != len(columns):
		fail(1789)
	case !step.simple:
		refuse("a recursive member of WITH with DISTINCT, GROUP BY, analytic functions, ROWNUM or row limits")
	}
	pa, oa := anchor.build()
	ps, os := step.build()
	for i, e := range os {
		if _, err := datatype.Common(oa[i].Type, e.Type); err != nil {
			fail(1790)
		}
		os[i] = ConvertTo(e, oa[i].Type, false)
	}
	b.uses(sub.free, cte.in)
	b.sources = append(b.sources, src)
	const deep = 100000 // Oracle finds rows that come again and raises ORA-32044
	op := &query.Recursive{
		Anchor: &query.Project{Child: pa.Op, Slot: at.Slot, Exprs: bound.Evals(oa), KeepID: -1},
		Step:   &query.Project{Child: ps.Op, Slot: at.Slot, Exprs: bound.Evals(os), KeepID: -1},
		Slot:   at.Slot, Work: work.Slot, Limit: deep,
		TooDeep: func(int) { fail(32044) }}
	return &optimizer.Source{
		Op: op, Sets: optimizer.SlotsOf(at.Slot), Deps: sub.free.Slots.Minus(optimizer.SlotsOf(work.Slot)), Rows: optimizer.TempRows,
		Access: slices.Concat(pa.Access, ps.Access),
	}
}
