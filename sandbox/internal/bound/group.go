package bound

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

// AddAggregate adds an aggregate to those of a query, or finds its like, and returns which it is.
func AddAggregate[P any](list []Aggregate[P], a Aggregate[P]) ([]Aggregate[P], int) {
	if i := slices.IndexFunc(list, func(o Aggregate[P]) bool { return a.Key != "" && o.Key == a.Key }); i >= 0 {
		return list, i
	}
	return append(list, a), len(list)
}

// Extreme returns the order in which the first row is the answer: of a query without GROUP BY that asks for nothing but the MIN or MAX of
// a stored column. Both servers read one row of an index then, not all.
func (a *Access[E, P]) Extreme(list []Aggregate[P], own optimizer.Slots) *OrderBy[P] {
	if len(list) != 1 || list[0].Extreme == 0 {
		return nil
	}
	if _, _, ok := a.Column(list[0].Arg); !ok || !list[0].Arg.Bound().Refs.Within(own) {
		return nil
	}
	return &OrderBy[P]{E: list[0].Arg, Desc: list[0].Extreme > 0}
}
