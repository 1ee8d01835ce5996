package expression

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// Aggregate is an aggregate of a query; its result is a column of the group's row, after those of GROUP BY.
type Aggregate[P any] struct {
	Key     string // canonical text of the call; empty: equal to no other
	Agg     query.Agg
	Arg     P   // nil: COUNT(*)
	Extreme int // MIN: -1, MAX: 1
}

// AddAggregate adds an aggregate to those of a query, or finds an equal one, and returns its position.
func AddAggregate[P any](list []Aggregate[P], a Aggregate[P]) ([]Aggregate[P], int) {
	if i := slices.IndexFunc(list, func(o Aggregate[P]) bool { return a.Key != "" && o.Key == a.Key }); i >= 0 {
		return list, i
	}
	return append(list, a), len(list)
}

// Extreme returns the order in which the first row is the result, for a query without GROUP BY that asks only for the MIN or MAX of
// a stored column. Both servers then read one row of an index, not all of them.
func (a *Access[E, P]) Extreme(list []Aggregate[P], own optimizer.Slots) *OrderBy[P] {
	if len(list) != 1 || list[0].Extreme == 0 {
		return nil
	}
	if _, _, ok := a.Column(list[0].Arg); !ok || !list[0].Arg.Bound().Refs.Within(own) {
		return nil
	}
	return &OrderBy[P]{E: list[0].Arg, Desc: list[0].Extreme > 0}
}

// Tail is what a query does with the rows of FROM and WHERE.
type Tail[E any, P Node[E]] struct {
	Layout   *Layout
	Grouped  bool
	Group    Slot // the row of a group: By, then Aggs
	By       []P
	Aggs     []Aggregate[P]
	Having   P
	Windows  []*Window[E, P]
	Distinct bool
	Out      []P                        // the select list
	Project  func(at Slot, out []P) []P // its columns after DISTINCT
	Order    []OrderBy[P]
	Limit    func(child query.Op, order []OrderBy[P]) query.Op // TOP, OFFSET, FETCH; nil: all rows
	Goal     float64                                           // how many rows Limit lets through; 0: unknown
}

// Exprs are the expressions that are evaluated before grouping, windows and DISTINCT, and those of the select list and ORDER BY.
func (t *Tail[E, P]) Exprs() []P {
	out := slices.Concat(t.Out, t.By)
	for _, a := range t.Aggs {
		if a.Arg != nil {
			out = append(out, a.Arg)
		}
	}
	for _, w := range t.Windows {
		out = append(out, w.Exprs()...)
	}
	for _, o := range t.Order {
		out = append(out, o.E)
	}
	return out
}

// Need returns the columns that expressions read.
func Need[E any, P Node[E]](list ...P) (cols optimizer.Slots) {
	for _, e := range list {
		cols = cols.Union(e.Bound().Cols)
	}
	return cols
}

// Finish adds the operators of a query's tail to the plan of its FROM and WHERE, which sets slots, and returns the select list after them.
func (r *Rules[E, P]) Finish(t *Tail[E, P], pl optimizer.Plan, slots []int) (optimizer.Plan, []P) {
	out, order := t.Out, t.Order
	if t.Grouped {
		g := &query.Group{Child: pl.Op, Slot: t.Group.Slot, By: Evals(t.By), Key: r.GroupKey(t.By)}
		for _, a := range t.Aggs {
			g.Aggs = append(g.Aggs, a.Agg)
		}
		pl.Op, slots, pl.Ordered = g, []int{t.Group.Slot}, false
		if t.Having != nil {
			pl.Op = &query.Filter{Child: pl.Op, Pred: t.Having.Bound().Eval}
		}
		if len(t.By) == 0 {
			pl.Rows = 1
		}
	}
	for _, w := range t.Windows {
		pl.Op = r.Op(w, pl.Op, slots)
		slots, pl.Ordered = append(slices.Clip(slots), w.At.Slot), false
	}
	if t.Distinct {
		at := t.Layout.Slot(len(out))
		pl.Op = &query.Project{Child: pl.Op, Slot: at.Slot, Exprs: Evals(out), KeepID: -1}
		columns := t.Project(at, out)
		pl.Op = &query.Distinct{Child: pl.Op, Key: r.GroupKey(columns)}
		order = nil
		for _, o := range t.Order {
			if i := slices.Index(out, o.E); i >= 0 {
				o.E = columns[i]
				order = append(order, o)
			}
		}
		out, slots = columns, []int{at.Slot}
	}
	if len(order) > 0 && !pl.Ordered {
		pl.Op = r.Sort(pl.Op, slots, order)
	}
	if t.Limit != nil {
		pl.Op = t.Limit(pl.Op, order)
		if t.Goal > 0 {
			pl.Rows = min(pl.Rows, t.Goal)
		}
	}
	pl.Slots = optimizer.SlotsOf(slots...)
	return pl, out
}
