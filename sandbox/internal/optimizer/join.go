package optimizer

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// flatten turns nested inner joins into a list of relations and a pool of conditions.
func (b *Block) flatten(r Relation, items *[]Relation, pool []*Cond, keep *bool) []*Cond {
	switch x := r.(type) {
	case *Join:
		if x.Kind != query.Inner {
			break
		}
		*keep = *keep || x.InOrder
		pool = b.flatten(x.Left, items, pool, keep)
		pool = b.flatten(x.Right, items, pool, keep)
		return append(pool, x.On...)
	case *Filtered:
		pool = b.flatten(x.Of, items, pool, keep)
		return append(pool, x.Where...)
	case Nothing:
		return pool
	}
	*items = append(*items, r)
	return pool
}

// deps are the slots that must be set before a relation can be opened.
func deps(r Relation) Slots {
	switch x := r.(type) {
	case *Source:
		return x.Deps
	case *Join:
		return deps(x.Left).Union(deps(x.Right)).Minus(x.Slots())
	case *Filtered:
		return deps(x.Of)
	}
	return nil
}

// inner plans inner joins: it begins with what is cheapest to read and continues with what the rows
// so far make cheapest, as a rule an index seek.
func (b *Block) inner(items []Relation, pool []*Cond, given Slots, order []Order, keep bool) Plan {
	if len(items) == 0 {
		return b.filtered(Plan{Op: query.One{}, rest: pool, Ordered: true, Rows: 1}, given)
	}
	var cur Plan
	have, first := given, true
	for len(items) > 0 {
		best, bestScore := -1, 0.0
		var next Plan
		for i, it := range items {
			if !deps(it).Minus(have).Minus(it.Slots()).Meets(b.Own) {
				cand, score := b.candidate(cur, it, pool, have, order, first)
				if best < 0 || score < bestScore {
					best, bestScore, next = i, score, cand
				}
			}
			if keep && best >= 0 {
				break
			}
		}
		if best < 0 {
			panic("optimizer: circular dependency of relations")
		}
		have = have.Union(items[best].Slots())
		items = slices.Concat(items[:best], items[best+1:])
		cur = b.filtered(next, have)
		pool, first = cur.rest, false
	}
	return cur
}

// candidate is cur joined with one more relation, and its cost.
func (b *Block) candidate(cur Plan, it Relation, pool []*Cond, have Slots, order []Order, first bool) (Plan, float64) {
	if first {
		pl := b.relation(it, pool, have, order)
		if len(order) > 0 && !pl.Ordered {
			return pl, pl.Cost + sortCost(pl.Rows)
		}
		return pl, pl.Cost
	}
	pl := b.join(query.Inner, cur, it, pool, have)
	return pl, pl.Cost
}

// sortCost returns the cost of sorting rows.
func sortCost(rows float64) float64 { return 2*rows + 5 }

// join joins what has been planned with one more relation: by nested loops where that makes it a seek or
// where it depends on the left row, otherwise by a hash or spool. For outer joins conds are the ON
// conditions, for inner joins all of them.
func (b *Block) join(kind query.JoinKind, left Plan, it Relation, conds []*Cond, have Slots) Plan {
	slots := it.Slots()
	all := have.Union(slots)
	must := deps(it).Minus(slots).Meets(b.Own)
	loop := b.relation(it, conds, have, nil)
	loopCost := left.Cost + max(left.Rows, 1)*loop.Cost
	out := Plan{Ordered: left.Ordered, Slots: left.Slots.Union(slots), bound: left.bound}
	var alone Plan
	aloneCost := 0.0
	if !must {
		early := conds
		if kind == query.Full { // right rows for which ON is not true are returned anyway
			early = nil
		}
		alone = b.relation(it, early, have.Minus(left.Slots), nil) // with the slots that are set regardless of the left side
		if kind == query.Full {
			alone.rest = conds
		}
		aloneCost = left.Cost + alone.Cost + left.Rows + 1
	}
	// A seek that finds few rows is preferred whatever the estimate of the outer side: estimates are fixed
	// guesses here, and OLTP tables are joined by seeks.
	if must || kind != query.Full && (b.Loops || loop.bound && (loop.Rows <= 10 || loopCost <= aloneCost)) {
		now, later := b.split(loop.rest, all)
		l := &query.Loop{Kind: kind, Left: left.Op, Right: loop.Op, On: All(now)}
		if kind == query.Left {
			l.RightNull = b.nullSide(slots)
		}
		out.Op, out.rest, out.Cost = l, later, loopCost
		out.Rows = left.Rows * loop.Rows
		out.Access = slices.Concat(left.Access, loop.Access)
		return out
	}
	now, later := b.split(alone.rest, all)
	h := &query.Hash{Kind: kind, Left: left.Op, Right: alone.Op, RightSlots: slots.List(), LeftSlots: left.Slots.List()}
	now = b.hashKeys(h, now, slots)
	h.On = All(now)
	if kind != query.Inner {
		h.RightNull = b.nullSide(slots)
	}
	if kind == query.Full {
		h.LeftNull = b.nullSide(left.Slots)
	}
	out.Op, out.rest, out.Cost = h, later, aloneCost
	out.Rows = left.Rows * alone.Rows
	if h.LeftKey != nil {
		out.Rows = max(left.Rows, alone.Rows)
	}
	out.Access = slices.Concat(left.Access, alone.Access)
	return out
}

// nullSide says what the slots of a set hold when an outer join has no row for them.
func (b *Block) nullSide(s Slots) query.NullSide {
	out := query.NullSide{Slots: s.List()}
	for _, slot := range out.Slots {
		out.Widths = append(out.Widths, b.Width(slot))
	}
	return out
}

// hashKeys removes the equalities between the two sides from the conditions and returns them as hash keys.
func (b *Block) hashKeys(h *query.Hash, conds []*Cond, right Slots) (rest []*Cond) {
	var lk, rk []KeyFunc
	for _, c := range conds {
		if c.Equal == nil || c.PerRow {
			rest = append(rest, c)
			continue
		}
		l, r := c.Equal.Left, c.Equal.Right
		if l.Refs.Meets(right) {
			l, r = r, l
		}
		if l.Refs.Meets(right) || !r.Refs.Meets(right) || r.Refs.Meets(b.Own.Minus(right)) || !l.Refs.Meets(b.Own) {
			rest = append(rest, c)
			continue
		}
		lk, rk = append(lk, l.Key), append(rk, r.Key)
	}
	if len(lk) > 0 {
		h.LeftKey, h.RightKey = joinKey(lk), joinKey(rk)
	}
	return rest
}

func joinKey(list []KeyFunc) KeyFunc {
	return func(fr *query.Frame, dst []byte) (key []byte, ok bool) {
		for _, f := range list {
			if dst, ok = f(fr, dst); !ok {
				return dst, false
			}
		}
		return dst, true
	}
}

// outer plans a left or full outer join.
func (b *Block) outer(j *Join, where []*Cond, given Slots, order []Order) Plan {
	ls := j.Left.Slots()
	if j.Kind == query.Full {
		left := b.relation(j.Left, nil, given, nil)
		pl := b.join(query.Full, left, j.Right, j.On, given.Union(ls))
		pl.rest = where
		pl.Ordered = false
		return b.filtered(pl, given.Union(j.Slots()))
	}
	push, stay := b.split(where, given.Union(ls))
	left := b.filtered(b.relation(j.Left, push, given, order), given.Union(ls))
	pl := b.join(query.Left, left, j.Right, j.On, given.Union(ls))
	if len(pl.rest) > 0 {
		panic("optimizer: ON condition of an outer join left over")
	}
	pl.rest = append(stay, left.rest...)
	return b.filtered(pl, given.Union(j.Slots()))
}
