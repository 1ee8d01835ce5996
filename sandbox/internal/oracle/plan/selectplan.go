package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/bound"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// plan plans the selection: rows that fulfil WHERE, numbered (ROWNUM), grouped, with windows, distinct, sorted, limited.
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
	p := &optimizer.Block{Own: s.own, Need: bound.Need(append(t.Exprs(), counted...)...), Width: func(slot int) int { return c.Widths[slot] }}
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

// tail is the query without FROM and WHERE.
func (s *selection) tail() *bound.Tail[Expr, *Expr] {
	t := &bound.Tail[Expr, *Expr]{
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

// columnsAt are expressions after they have been projected into a slot; LOBs cannot be compared there.
func (s *selection) columnsAt(at bound.Slot, list []*Expr) []*Expr {
	out := make([]*Expr, len(list))
	for i, e := range list {
		s.b.sortable(e)
		out[i] = columnExpr(at, i, e.Type, e.Null, e.Name)
	}
	return out
}

// counter gives rows their ROWNUM as they pass, and ends when no more can pass (COUNT STOPKEY).
type counter struct {
	Child query.Op
	slot  int
	stops []stop
	pred  query.Expr // other conditions on ROWNUM, with the number that the row would have
}

// stop is rownum <= limit, or < limit if open.
type stop struct {
	limit *Expr
	open  bool
}

// counter makes the counter of the conditions on ROWNUM; nil: nothing reads it.
func (s *selection) counter(conds []*Expr) *counter {
	if len(conds) == 0 && !s.numbers() {
		return nil
	}
	n := &counter{slot: s.rownum.Slot}
	var others []*Expr
	for _, e := range conds {
		if !n.stop(e, s.own) {
			others = append(others, e)
		}
	}
	n.pred = optimizer.All(s.b.c.conds(others))
	return n
}

// stop takes a condition that ends the counting.
func (n *counter) stop(e *Expr, own optimizer.Slots) bool {
	if e.Shape != bound.Compare || !e.in.IsNumeric() {
		return false
	}
	number, limit, op := e.Args[0], e.Args[1], e.Op
	if limit.Refs.Has(n.slot) {
		number, limit = limit, number
		op = op.Flip()
	}
	if number.Shape != bound.Column || number.Slot != n.slot || limit.Refs.Has(n.slot) || limit.Refs.Meets(own) || limit.PerRow {
		return false
	}
	one, _ := limit.ConstantValue()
	switch {
	case op == optimizer.LessEqual || op == optimizer.Less:
		n.stops = append(n.stops, stop{limit, op == optimizer.Less})
	case op == optimizer.Equal && limit.Shape == bound.Constant && one.Kind == value.Int && one.N == 1:
		n.stops = append(n.stops, stop{limit, false})
	default:
		return false
	}
	return true
}

// goal is how many rows will be asked for.
func (n *counter) goal() float64 {
	if len(n.stops) == 0 {
		return 0
	}
	if v, ok := n.stops[0].limit.ConstantValue(); ok {
		return max(1, float64(floor(v)))
	}
	return 100
}

// Open implements query.Op.
func (n *counter) Open(fr *query.Frame) query.Iter {
	it := &counterIter{fr: fr, op: n, limit: -1}
	for _, s := range n.stops {
		v := s.limit.Eval(fr)
		most := floor(v)
		if s.open && most > 0 && datatype.Compare(v, value.NewInt(most), datatype.Of(datatype.Number)) == 0 {
			most--
		}
		if it.limit < 0 || most < it.limit {
			it.limit = most
		}
	}
	return it
}

type counterIter struct {
	fr    *query.Frame
	op    *counter
	child query.Iter
	count int64
	limit int64 // -1: none
}

func (it *counterIter) Next() bool {
	if it.count == it.limit {
		return false
	}
	if it.child == nil {
		it.child = it.op.Child.Open(it.fr)
	}
	for it.child.Next() {
		it.fr.Slots[it.op.slot] = query.Tuple{Row: value.Row{value.NewInt(it.count + 1)}}
		if it.op.pred == nil || it.op.pred(it.fr).IsTrue() {
			it.count++
			return true
		}
	}
	return false
}

func (it *counterIter) Close() {
	if it.child != nil {
		it.child.Close()
	}
}
