package optimizer

import "slices"

// arg is a condition that can bound a column of the table being planned.
type arg struct {
	*Bound
	cond *Cond
}

// point reports whether the column must be one of a list of values.
func (a *arg) point() bool { return a.Op == Equal || a.Op == In || a.Op == IsNull }

// path is a way to read a table.
type path struct {
	index    *Index  // nil: the heap
	eq       []arg   // of the first key columns
	lo, hi   *arg    // of the next one
	rangeCol int     // position in the key of the column that lo and hi bound; -1: none
	used     []*Cond // conditions that the path meets
	covered  bool    // the index suffices: rows need not be looked up
	ordered  bool
	desc     bool
	cost     float64
	rows     float64
	multi    bool // one of eq is an In: several ranges are read
	one      bool // eq fixes all columns of a unique key
}

func (x *path) seeks() bool { return len(x.eq) > 0 || x.lo != nil || x.hi != nil }

// args are all conditions that bound the path.
func (x *path) args() []arg {
	out := slices.Clone(x.eq)
	for _, a := range []*arg{x.lo, x.hi} {
		if a != nil {
			out = append(out, *a)
		}
	}
	return out
}

// table chooses the access path of a table and builds its operator.
func (b *Block) table(t *Table, conds []*Cond, given Slots, order []Order) Plan {
	now, later := b.split(conds, given.Union(t.Slots()))
	best := b.choose(t, now, order)
	pl := Plan{
		Op: scanOp(t, best, All(without(now, best.used))), rest: later, Ordered: best.ordered, Cost: best.cost, Rows: best.rows,
		Slots: t.Slots(), Access: []string{describe(t, best)},
	}
	for _, a := range best.args() {
		pl.bound = pl.bound || a.Refs.Meets(b.Own)
	}
	return pl
}

func without(list, gone []*Cond) (out []*Cond) {
	for _, c := range list {
		if !slices.Contains(gone, c) {
			out = append(out, c)
		}
	}
	return out
}

// hopeless is the cost of a path that hints forbid: any other way to join the tables is better.
const hopeless = 1e15

// choose weighs the paths: the heap and all indexes, or those that hints leave.
func (b *Block) choose(t *Table, conds []*Cond, order []Order) *path {
	var args []arg
	for _, c := range conds {
		for i := range c.Bounds {
			if c.Bounds[i].Slot == t.Slot && !c.PerRow {
				args = append(args, arg{&c.Bounds[i], c})
			}
		}
	}
	var paths []int
	seek := false
	if t.Hints != nil {
		paths, seek = t.Hints()
	}
	allowed := func(id int) bool { return paths == nil || slices.Contains(paths, id) }
	var best *path
	var bestScore float64
	consider := func(x *path) {
		if x == nil || seek && !x.seeks() {
			return
		}
		score := x.cost
		if len(order) > 0 && !x.ordered {
			score += sortCost(x.rows)
		}
		if best == nil || score < bestScore || b.LastOfEqual && score == bestScore {
			best, bestScore = x, score
		}
	}
	weigh := func() {
		if t.Heap && allowed(-1) {
			consider(b.path(t, nil, conds, args, order))
		}
		for i := range t.Indexes {
			if ix := &t.Indexes[i]; allowed(ix.ID) {
				consider(b.path(t, ix, conds, args, order))
			}
		}
	}
	weigh()
	if best == nil {
		paths, seek = nil, false
		weigh()
		if b.NoPath != nil {
			best.cost += hopeless
		}
	}
	return best
}

// path weighs the heap or one index. nil: the index does not have all the rows.
func (b *Block) path(t *Table, ix *Index, conds []*Cond, args []arg, order []Order) *path {
	x := &path{index: ix, rangeCol: -1, covered: true, rows: t.Rows}
	if ix != nil {
		if !ix.complete(args) {
			return nil
		}
		if ix.Implied != nil {
			superfluous, ok := ix.Implied(conds)
			if !ok {
				return nil
			}
			x.used = superfluous
			x.rows *= 0.1
		}
		x.seek(ix, args)
		x.one = x.oneRow(t)
	}
	share := 1.0
	for range x.eq {
		share *= 0.1
	}
	x.rows *= share
	if x.lo != nil || x.hi != nil {
		x.rows *= 0.3
	}
	if x.one || x.rows < 1 {
		x.rows = 1
	}
	if x.multi {
		x.rows *= 3
	}
	if ix != nil {
		x.covered = b.covers(t, ix, without(conds, x.used))
	}
	x.orderBy(t, order, x.one)
	residual := min(len(conds)-len(x.used), 2)
	touched := x.rows
	if b.Goal > 0 && (len(order) == 0 || x.ordered) {
		goal := b.Goal
		for range residual {
			goal *= 10
		}
		touched = min(touched, goal)
	}
	per := 1.0
	if !x.covered {
		per = 3
	}
	x.cost = touched*per + 2
	if !x.seeks() {
		x.cost++
	}
	for range residual {
		x.rows = max(1, x.rows*0.5)
	}
	return x
}

// oneRow reports whether the path seeks every column of a unique key, even if it is another index's.
func (x *path) oneRow(t *Table) bool {
	return slices.ContainsFunc(t.Indexes, func(ix Index) bool {
		return ix.Unique && (ix.Implied == nil || ix.ID == x.index.ID) && !slices.ContainsFunc(ix.Keys, func(k KeyColumn) bool {
			return !slices.ContainsFunc(x.eq, func(a arg) bool { return a.Ord == k.Ord })
		})
	})
}

// complete reports whether the index has all rows that can qualify, as far as NULLs are concerned.
func (ix *Index) complete(args []arg) bool {
	return !ix.SkipsNulls || slices.ContainsFunc(ix.Keys, func(k KeyColumn) bool {
		return k.NotNull || slices.ContainsFunc(args, func(a arg) bool { return a.Ord == k.Ord && a.RejectsNull() })
	})
}

// seek determines how far conditions bound the key.
func (x *path) seek(ix *Index, args []arg) {
	for k, key := range ix.Keys {
		var eq *arg
		for i := range args {
			a := &args[i]
			if a.Ord == key.Ord && a.point() && (eq == nil || eq.Op == In && a.Op != In) && (a.Op != In || !x.multi) {
				eq = a
			}
		}
		if eq != nil {
			x.eq = append(x.eq, *eq)
			x.used = append(x.used, eq.cond)
			x.multi = x.multi || eq.Op == In
			continue
		}
		for i := range args {
			a := &args[i]
			if a.Ord != key.Ord || a.point() {
				continue
			}
			lower := a.Op == Greater || a.Op == GreaterEqual
			switch {
			case a.Op == NotNull: // weaker than every other bound; redundant if a filter says the same
				if x.lo != nil || x.hi != nil || slices.Contains(x.used, a.cond) {
					continue
				}
				x.lo = a
			case lower && (x.lo == nil || x.lo.Op == NotNull):
				x.lo = a
			case !lower && x.hi == nil:
				x.hi = a
			default:
				continue
			}
			x.rangeCol = k
			x.used = append(x.used, a.cond)
		}
		return
	}
}

// covers reports whether the index has every column of the table that is needed; conds are still to be
// checked.
func (b *Block) covers(t *Table, ix *Index, conds []*Cond) bool {
	if ix.Columns == nil {
		return true
	}
	need := b.Need
	for _, c := range conds {
		need = need.Union(c.Cols)
	}
	for ord := range t.Cols {
		if need.Has(t.Base+ord) && !slices.Contains(ix.Columns, ord) {
			return false
		}
	}
	return true
}

// orderBy decides whether the path reads in the requested order, forward or backward.
func (x *path) orderBy(t *Table, order []Order, unique bool) {
	if len(order) == 0 {
		return
	}
	if unique && !x.multi {
		x.ordered = true
		return
	}
	var keys []KeyColumn
	if x.index != nil {
		keys = x.index.Keys
	}
	fixed := func(ord int) bool {
		return slices.ContainsFunc(x.eq, func(a arg) bool { return a.Ord == ord && a.Op != In })
	}
	k, decided := 0, false
	for _, o := range order {
		if o.Fixed {
			continue
		}
		if o.Slot != t.Slot {
			return
		}
		if fixed(o.Ord) {
			continue
		}
		for k < len(keys) && fixed(keys[k].Ord) {
			k++
		}
		if k == len(keys) {
			if x.index != nil && x.index.Unique && !x.multi {
				break // nothing left to distinguish rows by
			}
			return
		}
		if keys[k].Ord != o.Ord {
			return
		}
		desc := keys[k].Desc != o.Desc
		if decided && desc != x.desc {
			x.desc = false
			return
		}
		x.desc, decided = desc, true
		k++
	}
	if x.multi { // several ranges are read one after the other
		x.desc = false
		return
	}
	x.ordered = true
}
