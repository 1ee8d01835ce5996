package optimizer

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// Block is a query block to be planned: what it needs from its relations besides conditions and order.
type Block struct {
	Own     Slots              // the slots of all its relations; others are set before it is opened
	Need    Slots              // the columns that are used after its relations have been joined
	Goal    float64            // how many rows will be requested (TOP, ROWNUM, EXISTS); 0: all
	InOrder bool               // relations are joined in the order written
	Loops   bool               // join by nested loops wherever possible
	Width   func(slot int) int // the number of columns of a slot's rows, for outer joins
	// LastOfEqual takes the last of several access paths with equal cost, instead of the first: neither is guaranteed.
	LastOfEqual bool
	// NoPath raises the error of hints that leave a table no access path in any order of joining; nil: such hints are ignored.
	NoPath func()
}

// Order is an element of the requested order.
type Order struct {
	// Slot and Ord are the column; Slot is -1 for anything else, and for a column that may be NULL if
	// NULLs must be where indexes do not put them.
	Slot, Ord int
	Desc      bool
	Fixed     bool // the same for all rows: it orders nothing
}

// Plan describes how a block's relations are read.
type Plan struct {
	Op      query.Op
	Ordered bool     // rows come in the requested order; otherwise they must be sorted
	Cost    float64  // of reading it once, in rows touched
	Rows    float64  // estimated number of rows
	Access  []string // the access paths, one line for each table: "t: seek IX_Claim (ProcessId=, Rank>) ordered"
	Slots   Slots    // the slots that it sets

	rest  []*Cond // conditions that are still to be applied
	bound bool    // depends on rows of other relations of the block: a nested-loops join drives it
}

// Plan plans the block: the rows of r for which all conditions are true, in the order if possible. Conditions
// that read nothing of the block are checked once, before anything is read.
//
// MIN or MAX of a column alone is the first row in the order of the column (or against it), with Goal 1
// and a condition that the column is not NULL: one row of an index, if there is an ordered one.
func (b *Block) Plan(r Relation, where []*Cond, order []Order) Plan {
	var startup, rest []*Cond
	for _, c := range where {
		if !c.PerRow && !c.Refs.Meets(b.Own) && !b.Own.Empty() {
			startup = append(startup, c)
		} else {
			rest = append(rest, c)
		}
	}
	pl := b.filtered(b.relation(r, rest, nil, order), b.Own)
	if pl.Cost >= hopeless && b.NoPath != nil {
		b.NoPath()
	}
	if pred := All(startup); pred != nil {
		pl.Op = &query.Guard{Child: pl.Op, Pred: pred}
	}
	return pl
}

// ready reports whether a condition can be applied once the slots in have are set.
func (b *Block) ready(c *Cond, have Slots) bool {
	for i := range min(len(c.Refs), len(b.Own)) {
		w := c.Refs[i] & b.Own[i]
		if i < len(have) {
			w &^= have[i]
		}
		if w != 0 {
			return false
		}
	}
	return true
}

func (b *Block) split(list []*Cond, have Slots) (now, later []*Cond) {
	for _, c := range list {
		if b.ready(c, have) {
			now = append(now, c)
		} else {
			later = append(later, c)
		}
	}
	return now, later
}

// filtered adds a filter with the conditions that are ready.
func (b *Block) filtered(pl Plan, have Slots) Plan {
	now, later := b.split(pl.rest, have)
	if pred := All(now); pred != nil {
		pl.Op = &query.Filter{Child: pl.Op, Pred: pred}
	}
	pl.rest = later
	return pl
}

// relation plans a relation. Conditions that cannot be used come back as rest. given are slots of the
// block that will be set when the operator is opened.
func (b *Block) relation(r Relation, where []*Cond, given Slots, order []Order) Plan {
	switch x := r.(type) {
	case Nothing:
		return b.filtered(Plan{Op: query.One{}, rest: where, Ordered: true, Rows: 1}, given)
	case *Table:
		return b.table(x, where, given, order)
	case *Source:
		pl := Plan{Op: x.Op, rest: where, Cost: x.Rows, Rows: x.Rows, Access: x.Access, Slots: x.Sets, bound: x.Deps.Meets(b.Own)}
		return b.filtered(pl, given.Union(x.Sets))
	case *Filtered:
		return b.relation(x.Of, slices.Concat(where, x.Where), given, order)
	case *Join:
		if x.Kind == query.Inner {
			var items []Relation
			keep := b.InOrder
			pool := b.flatten(x, &items, slices.Clone(where), &keep)
			return b.inner(items, pool, given, order, keep)
		}
		return b.outer(x, where, given, order)
	}
	panic("optimizer: unknown relation")
}
