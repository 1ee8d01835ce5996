package plan

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/bound"
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
		Width: func(slot int) int { return c.Widths[slot] }, NoPath: noPath, LastOfEqual: s.n.sc.Settings().Guess.LastOfEqual,
	}
	if s.qc.exists {
		p.Goal = 1
	}
	for _, list := range [][]*expr{out, s.by, after} {
		for _, e := range list {
			p.Need = p.Need.Union(e.Cols)
		}
	}
	for _, a := range s.gather.aggs {
		if a.Arg != nil {
			p.Need = p.Need.Union(a.Arg.Cols)
		}
	}
	for _, w := range s.gather.windows {
		for _, e := range w.Exprs() {
			p.Need = p.Need.Union(e.Cols)
		}
	}
	for _, o := range s.order {
		p.Need = p.Need.Union(o.E.Cols)
	}
	order := s.order
	if s.grouped || len(s.gather.windows) > 0 {
		order = nil
		p.Goal = 0
	}
	var first *orderBy
	if s.grouped && len(s.by) == 0 {
		first = c.access().Extreme(s.gather.aggs, s.own)
	}
	if first != nil {
		order, p.Goal = []orderBy{*first}, 1
	}
	pl := p.Plan(s.rel, where, c.access().Orders(order))
	slots := s.own.List()
	if first != nil && pl.Ordered {
		if first.E.Null {
			pl.Op = &query.Filter{Child: pl.Op, Pred: rules.Negate(rules.IsNull(first.E)).Eval}
		}
		pl.Op = &query.Top{Child: pl.Op, Count: func(*query.Frame) int64 { return 1 }}
	}
	if first != nil {
		order = nil
	}
	if s.grouped {
		g := &query.Group{Child: pl.Op, Slot: s.group.Slot, By: bound.Evals(s.by), Key: rules.GroupKey(s.by)}
		for _, a := range s.gather.aggs {
			g.Aggs = append(g.Aggs, a.Agg)
		}
		pl.Op, slots, pl.Ordered = g, []int{s.group.Slot}, false
		if s.having != nil {
			pl.Op = &query.Filter{Child: pl.Op, Pred: s.having.Eval}
		}
		if len(s.by) == 0 {
			pl.Rows = 1
		}
	}
	for _, w := range s.gather.windows {
		pl.Op = rules.Op(w, pl.Op, slots)
		slots = append(append([]int{}, slots...), w.At.Slot)
		pl.Ordered = false
	}
	needSort := len(s.order) > 0 && (!pl.Ordered || order == nil)
	keys := s.order
	if s.distinct {
		if s.out.Width == 0 {
			s.out = c.Slot(len(out))
		}
		pl.Op = &query.Project{Child: pl.Op, Slot: s.out.Slot, Exprs: bound.Evals(out), KeepID: -1}
		proj := make([]*expr, len(out))
		for i, e := range out {
			proj[i] = columnExpr(s.out, i, e.Type, e.Null, e.Name)
			proj[i].coll = e.coll
			if !e.Type.IsComparable() && !e.Type.IsUntyped() {
				panic(message.MS(421, e.Type.Name()))
			}
		}
		pl.Op = &query.Distinct{Child: pl.Op, Key: rules.GroupKey(proj)}
		keys = nil
		for _, o := range s.order {
			for i, e := range out {
				if o.E == e {
					keys = append(keys, orderBy{E: proj[i], Desc: o.Desc})
					break
				}
			}
		}
		out, slots = proj, []int{s.out.Slot}
	}
	if needSort {
		pl.Op = rules.Sort(pl.Op, slots, keys)
	}
	if s.top != nil {
		pl.Op = s.top.op(pl.Op, keys)
		if g := s.top.goal(); g > 0 {
			pl.Rows = min(pl.Rows, g)
		}
	}
	if len(after) > 0 {
		pl.Op = &query.Filter{Child: pl.Op, Pred: rules.AllOf(after...).Eval}
	}
	pl.Slots = optimizer.SlotsOf(slots...)
	return pl, out
}

// noPath raises the error of hints that leave a table no access path.
func noPath() {
	panic(message.MS(8622))
}
