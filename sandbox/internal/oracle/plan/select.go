package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// block is a query that has been bound.
type block struct {
	cols   []outColumn
	perRow bool // has something that is evaluated each time
	one    bool // only its first row is needed: EXISTS

	// A simple block only selects, filters and joins: it can be merged into the query around it.
	simple  bool
	rel     optimizer.Relation
	where   []*Expr
	single  bool // a plain SELECT without DISTINCT, GROUP BY and row limit: FOR UPDATE may lock its rows
	limited bool // OFFSET or FETCH
	into    *ast.Into
	build   func() (optimizer.Plan, []*Expr)
	c       *compiler
}

// plan builds the block on its own; out are its columns after the operator has moved to a row.
func (b *block) plan() (op query.Op, out []*Expr) {
	pl, out := b.build()
	b.c.paths = append(b.c.paths, pl.Access...)
	return pl.Op, out
}

// query binds a query; b has the names around it (see inner) and then gets those of the query itself: what it uses from
// outer queries is then in b.free.
func (b *binder) query(q *ast.Query) *block {
	b.commonTables(q.With)
	var blk *block
	switch x := q.Body.(type) {
	case *ast.Select:
		blk = b.specification(x, q)
	case *ast.SetOperation:
		blk = b.arranged(b.setOperation(x), q)
	case *ast.Query:
		if len(q.OrderBy) == 0 && q.Offset == nil && q.Fetch == nil {
			blk = b.query(x)
		} else {
			blk = b.arranged(b.boxed(b.query(x)), q)
		}
	default:
		refuse("query %T", q.Body)
	}
	blk.c = b.c
	for _, c := range blk.cols {
		blk.perRow = blk.perRow || c.e.PerRow
	}
	return blk
}

// selection is a SELECT … FROM … that is being bound and planned.
type selection struct {
	b        *binder
	q        *ast.Select
	rel      optimizer.Relation
	where    []*Expr
	own      optimizer.Slots
	grouped  bool
	having   *Expr
	gather   gathering
	distinct bool
	cols     []outColumn
	order    []orderBy
	limit    *limit
	rownum   expression.Slot
	tree     *hierarchy // CONNECT BY
	blk      *block
}

func (b *binder) specification(x *ast.Select, q *ast.Query) *block {
	b.c.pos = x.Pos
	s := &selection{b: b, q: x, distinct: x.Distinct}
	rels := b.from(x.From)
	for _, r := range rels {
		s.rel = optimizer.Cross(s.rel, r)
	}
	b.c.hints(x.Hint, s.rel)
	s.own = s.rel.Slots()
	s.rownum = b.c.Slot(1)
	if b.pseudo == nil {
		b.pseudo = map[string]*Expr{}
	}
	sequences := !b.noSeq && !x.Distinct && len(q.OrderBy) == 0
	b.noSeq = true // except in the select list
	b.pseudo["ROWNUM"] = columnExpr(s.rownum, 0, datatype.Of(datatype.Number), false, "ROWNUM")
	if x.ConnectBy != nil {
		s.bindHierarchy()
	}
	if x.Where != nil {
		s.bindWhere(rels)
	}
	s.bind(q, sequences)
	if b.free != nil {
		b.free.Slots = b.free.Slots.Minus(s.own)
	}
	plain := !s.grouped && !s.distinct && s.limit == nil
	blk := &block{cols: s.cols, rel: s.rel, where: s.where, build: s.plan, single: plain && s.tree == nil && len(s.gather.windows) == 0, limited: s.limit != nil, into: x.Into}
	for _, e := range s.where {
		blk.perRow = blk.perRow || e.PerRow
	}
	blk.simple = plain && s.tree == nil && len(s.gather.windows) == 0 && len(s.order) == 0 && !s.numbers()
	s.blk = blk
	return blk
}

// numbers reports whether anything reads ROWNUM.
func (s *selection) numbers() bool {
	return slices.ContainsFunc(append(s.tail().Exprs(), s.where...), func(e *Expr) bool { return e.Refs.Has(s.rownum.Slot) })
}

func (s *selection) bind(q *ast.Query, sequences bool) {
	b, x := s.b, s.q
	s.grouped = len(x.GroupBy) > 0 || x.Having != nil || slices.ContainsFunc(x.Items, func(i ast.SelectItem) bool { return hasAggregate(i.Value) }) ||
		slices.ContainsFunc(q.OrderBy, func(o ast.OrderItem) bool { return hasAggregate(o.Value) })
	if s.grouped {
		s.bindGroup()
	}
	b.gather = &s.gather
	if x.Having != nil {
		if s.having = b.cond(x.Having); len(s.gather.windows) > 0 {
			fail(30483)
		}
	}
	b.noSeq = !sequences || s.grouped
	s.bindList()
	b.noSeq = true
	s.limit = b.limit(q)
	for _, o := range q.OrderBy {
		s.order = append(s.order, s.orderKey(o))
	}
	b.gather = nil
	if s.grouped {
		g := s.gather.group
		b.c.Widths[g.at.Slot] = len(g.by) + len(s.gather.aggs)
	}
	for _, w := range s.gather.windows {
		b.c.Widths[w.At.Slot] = len(w.Funcs)
	}
}

func (s *selection) bindList() {
	b := s.b
	for _, item := range s.q.Items {
		b.c.pos = item.Pos
		if star, ok := item.Value.(*ast.Star); ok {
			s.star(star)
			continue
		}
		e := b.expr(item.Value)
		if s.grouped && len(s.q.GroupBy) == 0 && hasSubquery(item.Value) {
			fail(937)
		}
		name := columnName(item)
		s.cols = append(s.cols, outColumn{name: name, e: e})
	}
}

// columnName returns the name of a column for clients: its alias, its name, or the expression in upper case without white space.
func columnName(item ast.SelectItem) string {
	if item.Alias != nil {
		return item.Alias.Text
	}
	if ref, ok := item.Value.(*ast.Ref); ok {
		return ref.Parts[len(ref.Parts)-1].Text
	}
	name := strings.ToUpper(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, item.Text))
	if len(name) > 128 { // the maximum length of a name
		name = strings.ToValidUTF8(name[:128], "")
	}
	return name
}

// star expands * and t.*.
func (s *selection) star(x *ast.Star) {
	b := s.b
	found := false
	for _, src := range b.sources {
		if x.Of != nil && !src.is(x.Of.Parts) {
			continue
		}
		found = true
		for i := range src.cols {
			c := &src.cols[i]
			if c.hidden || c.merged {
				continue
			}
			e := c.e
			if b.group != nil {
				e = b.group.column(e)
			}
			s.cols = append(s.cols, outColumn{name: c.name, e: e})
		}
	}
	if !found {
		fail(904, fmt.Sprintf("%q", x.Of.String()))
	}
}

// plan plans the selection: rows that fulfill WHERE, numbered (ROWNUM), grouped, with windows, distinct, sorted, limited.
func (s *selection) plan() (optimizer.Plan, []*Expr) {
	c := s.b.c
	var where, counted []*Expr
	for _, e := range s.where {
		if e.Refs.Has(s.rownum.Slot) {
			counted = append(counted, e)
		} else {
			where = append(where, e)
		}
	}
	t := s.tail()
	p := &optimizer.Block{Own: s.own, Need: expression.Need(append(t.Exprs(), counted...)...), Width: func(slot int) int { return c.Widths[slot] }}
	count := s.counter(counted)
	order := s.order
	plain := !s.grouped && len(s.gather.windows) == 0 && !s.distinct
	switch {
	case count != nil:
		p.Goal = count.goal()
		order = nil // ROWNUM does not wait for the sort
	case plain && (s.limit != nil || s.blk.one):
		p.Goal = s.limit.goal()
		if s.blk.one && s.limit == nil {
			p.Goal = 1
		}
	}
	if !plain && !s.distinct {
		order = nil
	}
	var first *orderBy
	if s.grouped && len(s.gather.group.by) == 0 && count == nil && s.tree == nil {
		first = c.access().Extreme(s.gather.aggs, s.own) // INDEX FULL SCAN (MIN/MAX)
	}
	if first != nil {
		order, p.Goal = []orderBy{*first}, 1
		if first.E.Null {
			where = append(where, rules.Negate(rules.IsNull(first.E)))
		}
	}
	var pl optimizer.Plan
	if s.tree != nil {
		pl, order = s.tree.plan(p, where), nil
	} else {
		pl = p.Plan(s.rel, c.conds(where), c.access().Orders(order))
	}
	slots := s.own.List()
	if s.tree != nil {
		slots = append(slots, s.tree.level.Slot)
	}
	if count != nil {
		count.Child = pl.Op
		pl.Op, slots = count, append(slots, s.rownum.Slot)
	}
	if first != nil && pl.Ordered {
		pl.Op = &query.Top{Child: pl.Op, Count: func(*query.Frame) int64 { return 1 }}
		pl.Access[len(pl.Access)-1] += " (min/max)"
	}
	if first != nil || order == nil {
		pl.Ordered = false
	}
	return rules.Finish(t, pl, slots)
}

// tail returns the query without FROM and WHERE.
func (s *selection) tail() *expression.Tail[Expr, *Expr] {
	t := &expression.Tail[Expr, *Expr]{
		Layout: &s.b.c.Layout, Grouped: s.grouped, Aggs: s.gather.aggs, Having: s.having, Windows: s.gather.windows,
		Distinct: s.distinct, Project: s.columnsAt, Order: s.order, Goal: s.limit.goal(),
	}
	for _, c := range s.cols {
		t.Out = append(t.Out, c.e)
	}
	if g := s.gather.group; g != nil {
		t.Group, t.By = g.at, g.by
	}
	if s.limit != nil {
		t.Limit = s.limit.op
	}
	return t
}

// columnsAt returns expressions after they have been projected into a slot; LOBs cannot be compared there.
func (s *selection) columnsAt(at expression.Slot, list []*Expr) []*Expr {
	out := make([]*Expr, len(list))
	for i, e := range list {
		s.b.sortable(e)
		out[i] = columnExpr(at, i, e.Type, e.Null, e.Name)
	}
	return out
}
