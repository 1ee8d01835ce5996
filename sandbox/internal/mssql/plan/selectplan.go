package plan

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// plan plans the selection.
func (s *selection) plan(extra []*expr) (optimizer.Plan, []*expr) {
	c := s.n.c
	out := make([]*expr, len(s.cols))
	for i := range s.cols {
		out[i] = s.cols[i].e
	}
	where, after := s.where, extra
	if !s.grouped && len(s.gather.windows) == 0 && !s.distinct && s.top == nil {
		where, after = slices.Concat(where, c.conds(extra)), nil
	}
	p := &optimizer.Block{
		Own: s.own, Goal: s.top.goal(), InOrder: c.hints.force, Loops: c.hints.loop,
		Width: func(slot int) int { return c.widths[slot] }, NoPath: noPath, LastOfEqual: s.n.sc.Settings().Guess.LastOfEqual,
	}
	if s.qc.exists {
		p.Goal = 1
	}
	for _, list := range [][]*expr{out, s.by, after} {
		for _, e := range list {
			p.Need = p.Need.Union(e.cols)
		}
	}
	for _, a := range s.gather.aggs {
		if a.arg != nil {
			p.Need = p.Need.Union(a.arg.cols)
		}
	}
	for _, w := range s.gather.windows {
		p.Need = p.Need.Union(w.cols)
	}
	for _, o := range s.order {
		p.Need = p.Need.Union(o.e.cols)
	}
	order := s.order
	if s.grouped || len(s.gather.windows) > 0 {
		order = nil
		p.Goal = 0
	}
	first := s.extremeOnly()
	if first != nil {
		order, p.Goal = []orderKey{*first}, 1
	}
	pl := p.Plan(s.rel, where, orders(order))
	slots := s.own.List()
	if first != nil && pl.Ordered {
		if first.e.null {
			pl.Op = &query.Filter{Child: pl.Op, Pred: negate(isNullExpr(first.e)).eval}
		}
		pl.Op = &query.Top{Child: pl.Op, Count: func(*query.Frame) int64 { return 1 }}
	}
	if first != nil {
		order = nil
	}
	if s.grouped {
		g := &query.Group{Child: pl.Op, Slot: s.group.slot, By: evals(s.by), Key: groupKey(s.by)}
		for _, a := range s.gather.aggs {
			g.Aggs = append(g.Aggs, a.agg)
		}
		pl.Op, slots, pl.Ordered = g, []int{s.group.slot}, false
		if s.having != nil {
			pl.Op = &query.Filter{Child: pl.Op, Pred: s.having.eval}
		}
		if len(s.by) == 0 {
			pl.Rows = 1
		}
	}
	for _, w := range s.gather.windows {
		pl.Op = w.op(pl.Op, slots)
		slots = append(append([]int{}, slots...), w.at.slot)
		pl.Ordered = false
	}
	needSort := len(s.order) > 0 && (!pl.Ordered || order == nil)
	keys := s.order
	if s.distinct {
		if s.out.width == 0 {
			s.out = c.slot(len(out))
		}
		pl.Op = &query.Project{Child: pl.Op, Slot: s.out.slot, Exprs: evals(out), KeepID: -1}
		proj := make([]*expr, len(out))
		for i, e := range out {
			proj[i] = columnExpr(s.out, i, e.typ, e.null, e.name)
			proj[i].coll = e.coll
			if !e.typ.IsComparable() && !e.typ.IsUntyped() {
				panic(message.MS(421, e.typ.Name()))
			}
		}
		pl.Op = &query.Distinct{Child: pl.Op, Key: groupKey(proj)}
		keys = nil
		for _, o := range s.order {
			for i, e := range out {
				if o.e == e {
					keys = append(keys, orderKey{e: proj[i], desc: o.desc})
					break
				}
			}
		}
		out, slots = proj, []int{s.out.slot}
	}
	if needSort {
		pl.Op = sortOp(pl.Op, slots, keys)
	}
	if s.top != nil {
		pl.Op = s.top.op(pl.Op, keys)
		if g := s.top.goal(); g > 0 {
			pl.Rows = min(pl.Rows, g)
		}
	}
	if len(after) > 0 {
		pl.Op = &query.Filter{Child: pl.Op, Pred: allOf(after).eval}
	}
	pl.Slots = optimizer.SlotsOf(slots...)
	return pl, out
}

// noPath raises the error of hints that leave a table no access path.
func noPath() {
	panic(message.MS(8622))
}

// extremeOnly returns the order in which the first row is the answer: of a query that asks for nothing
// but the MIN or MAX of a column. SQL Server reads one row of an index then, not all.
func (s *selection) extremeOnly() *orderKey {
	if !s.grouped || len(s.by) > 0 || len(s.gather.aggs) != 1 {
		return nil
	}
	a := s.gather.aggs[0]
	if a.extreme == 0 || a.arg.shape != column || !a.arg.refs.Within(s.own) {
		return nil
	}
	return &orderKey{e: a.arg, desc: a.extreme > 0}
}
