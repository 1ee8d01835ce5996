package plan

import (
	"github.com/dbsched/dbsched/sandbox/query"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
)

// plan plans the selection.
func (s *selection) plan(extra []*expr) (planned, []*expr) {
	c := s.n.c
	out := make([]*expr, len(s.cols))
	for i := range s.cols {
		out[i] = s.cols[i].e
	}
	where, after := append([]*expr{}, s.where...), extra
	if !s.grouped && len(s.gather.windows) == 0 && !s.distinct && s.top == nil {
		where, after = append(where, extra...), nil
	}
	p := &planner{c: c, own: s.own, goal: s.top.goal(), keep: c.hints.force}
	if s.qc.exists {
		p.goal = 1
	}
	for _, list := range [][]*expr{out, s.by, after} {
		for _, e := range list {
			p.need = p.need.union(e.cols)
		}
	}
	for _, a := range s.gather.aggs {
		if a.arg != nil {
			p.need = p.need.union(a.arg.cols)
		}
	}
	for _, w := range s.gather.windows {
		p.need = p.need.union(w.cols)
	}
	for _, o := range s.order {
		p.need = p.need.union(o.e.cols)
	}
	order := s.order
	if s.grouped || len(s.gather.windows) > 0 {
		order = nil
		p.goal = 0
	}
	first := s.extremeOnly()
	if first != nil {
		order, p.goal = []orderKey{*first}, 1
	}
	// Conditions on nothing that is read decide whether anything is read at all.
	var startup []*expr
	where = partition(where, &startup, func(e *expr) bool { return !e.perRow && !e.refs.meets(s.own) && !s.own.empty() })
	pl := p.relation(s.rel, where, nil, order)
	pl = p.filtered(pl, s.own)
	if cond := allOf(startup); cond != nil {
		pl.op = &query.Guard{Child: pl.op, Pred: cond.eval}
	}
	slots := s.own.list()
	if first != nil && pl.ordered {
		if first.e.null {
			pl.op = &query.Filter{Child: pl.op, Pred: negate(isNullExpr(first.e)).eval}
		}
		pl.op = &query.Top{Child: pl.op, Count: func(*query.Frame) int64 { return 1 }}
	}
	if first != nil {
		order = nil
	}
	if s.grouped {
		g := &query.Group{Child: pl.op, Slot: s.group.slot, By: evals(s.by), Key: groupKey(s.by)}
		for _, a := range s.gather.aggs {
			g.Aggs = append(g.Aggs, a.agg)
		}
		pl.op, slots, pl.ordered = g, []int{s.group.slot}, false
		if s.having != nil {
			pl.op = &query.Filter{Child: pl.op, Pred: s.having.eval}
		}
		if len(s.by) == 0 {
			pl.rows = 1
		}
	}
	for _, w := range s.gather.windows {
		pl.op = w.op(pl.op, slots)
		slots = append(append([]int{}, slots...), w.at.slot)
		pl.ordered = false
	}
	needSort := len(s.order) > 0 && (!pl.ordered || order == nil)
	keys := s.order
	if s.distinct {
		if s.out.width == 0 {
			s.out = c.slot(len(out))
		}
		pl.op = &query.Project{Child: pl.op, Slot: s.out.slot, Exprs: evals(out), KeepID: -1}
		proj := make([]*expr, len(out))
		for i, e := range out {
			proj[i] = columnExpr(s.out, i, e.typ, e.null, e.name)
			proj[i].coll = e.coll
			if !e.typ.IsComparable() && !e.typ.IsUntyped() {
				panic(sqlerr.New(421, "The %s data type cannot be selected as DISTINCT because it is not comparable.", e.typ.Name()))
			}
		}
		pl.op = &query.Distinct{Child: pl.op, Key: groupKey(proj)}
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
		pl.op = sortOp(pl.op, slots, keys)
	}
	if s.top != nil {
		pl.op = s.top.op(pl.op, keys)
		if g := s.top.goal(); g > 0 {
			pl.rows = min(pl.rows, g)
		}
	}
	if len(after) > 0 {
		pl.op = &query.Filter{Child: pl.op, Pred: allOf(after).eval}
	}
	pl.slots = slotOf(slots...)
	return pl, out
}

func partition(list []*expr, yes *[]*expr, test func(*expr) bool) (no []*expr) {
	for _, e := range list {
		if test(e) {
			*yes = append(*yes, e)
		} else {
			no = append(no, e)
		}
	}
	return no
}

// extremeOnly returns the order in which the first row is the answer: of a query that asks for nothing
// but the MIN or MAX of a column. SQL Server reads one row of an index then, not all.
func (s *selection) extremeOnly() *orderKey {
	if !s.grouped || len(s.by) > 0 || len(s.gather.aggs) != 1 {
		return nil
	}
	a := s.gather.aggs[0]
	if a.extreme == 0 || a.arg.shape != column || !a.arg.refs.within(s.own) {
		return nil
	}
	return &orderKey{e: a.arg, desc: a.extreme > 0}
}
