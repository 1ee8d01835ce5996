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
	t := &bound.Tail[expr, *expr]{
		Layout: &c.Layout, Grouped: s.grouped, Group: s.group, By: s.by, Aggs: s.gather.aggs, Having: s.having, Windows: s.gather.windows,
		Distinct: s.distinct, Out: out, Project: distinctColumns, Order: s.order, Goal: s.top.goal(),
	}
	if s.top != nil {
		t.Limit = s.top.op
	}
	p := &optimizer.Block{
		Own: s.own, Need: bound.Need(append(t.Exprs(), after...)...), Goal: s.top.goal(), InOrder: c.hints.force, Loops: c.hints.loop,
		Width: func(slot int) int { return c.Widths[slot] }, NoPath: noPath, LastOfEqual: s.n.sc.Settings().Guess.LastOfEqual,
	}
	if s.qc.exists {
		p.Goal = 1
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
	if first != nil || order == nil {
		pl.Ordered = false
	}
	pl, out = rules.Finish(t, pl, slots)
	if len(after) > 0 {
		pl.Op = &query.Filter{Child: pl.Op, Pred: rules.AllOf(after...).Eval}
	}
	return pl, out
}

// distinctColumns are the columns of a select list after DISTINCT.
func distinctColumns(at bound.Slot, out []*expr) []*expr {
	columns := make([]*expr, len(out))
	for i, e := range out {
		if !e.Type.IsComparable() && !e.Type.IsUntyped() {
			panic(message.MS(421, e.Type.Name()))
		}
		columns[i] = columnExpr(at, i, e.Type, e.Null, e.Name)
		columns[i].coll = e.coll
	}
	return columns
}

// noPath raises the error of hints that leave a table no access path.
func noPath() {
	panic(message.MS(8622))
}
