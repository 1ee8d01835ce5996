package expression

import (
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// Access determines which columns of tables conditions can bound, and how.
type Access[E any, P Node[E]] struct {
	// Column returns the stored column that an expression refers to.
	Column func(e P) (slot, ord int, ok bool)
	// Key makes images of x like those of the column col that cond compares it with; nil: the column's images are not comparable.
	Key func(cond, col, x P) optimizer.KeyFunc
	// Keys gives the images of the members of cond, an IN with a subquery; nil: the column's images are not comparable.
	Keys func(cond, col P) func(fr *query.Frame) [][]byte
	// Image makes the images that cond compares for one side.
	Image func(cond, side P) optimizer.KeyFunc
}

// Conds tells the optimizer what it needs to know about conditions. The tables that they name must have been bound.
func (a *Access[E, P]) Conds(list []P) []*optimizer.Cond {
	out := make([]*optimizer.Cond, len(list))
	for i, p := range list {
		e := p.Bound()
		out[i] = &optimizer.Cond{Eval: e.Eval, Refs: e.Refs, Cols: e.Cols, PerRow: e.PerRow, Bounds: a.bounds(p), Of: p}
		if e.Shape == Compare && e.Op == optimizer.Equal {
			side := func(x P) optimizer.Side { return optimizer.Side{Refs: x.Bound().Refs, Key: a.Image(p, x)} }
			out[i].Equal = &optimizer.Equality{Left: side(e.Args[0]), Right: side(e.Args[1])}
		}
	}
	return out
}

// bounds finds the columns of tables that a condition can bound.
func (a *Access[E, P]) bounds(p P) (out []optimizer.Bound) {
	e := p.Bound()
	if e.PerRow {
		return nil
	}
	single := func(x P, op optimizer.Op) {
		if slot, ord, ok := a.Column(x); ok {
			out = append(out, optimizer.Bound{Slot: slot, Ord: ord, Op: op})
		}
	}
	compare := func(x P, op optimizer.Op, y P) {
		slot, ord, ok := a.Column(x)
		if b := y.Bound(); !ok || b.PerRow || b.Refs.Has(slot) {
			return
		}
		if key := a.Key(p, x, y); key != nil {
			out = append(out, optimizer.Bound{Slot: slot, Ord: ord, Op: op, Key: key, Refs: y.Bound().Refs})
		}
	}
	switch e.Shape {
	case Compare:
		if e.Op != optimizer.NotEqual {
			compare(e.Args[0], e.Op, e.Args[1])
			compare(e.Args[1], e.Op.Flip(), e.Args[0])
		}
	case IsNull:
		single(e.Args[0], optimizer.IsNull)
	case Not:
		if in := P(e.Args[0]).Bound(); in.Shape == IsNull {
			single(in.Args[0], optimizer.NotNull)
		}
	case InList, Or:
		parts := make([][]optimizer.Bound, len(e.Args))
		for i, x := range e.Args {
			parts[i] = a.bounds(x)
		}
		return optimizer.Either(parts...)
	case InQuery:
		if slot, ord, ok := a.Column(e.Args[0]); ok {
			if keys := a.Keys(p, e.Args[0]); keys != nil {
				out = append(out, optimizer.Bound{Slot: slot, Ord: ord, Op: optimizer.In, Refs: e.Refs.Minus(P(e.Args[0]).Bound().Refs), Keys: keys})
			}
		}
	case Exists:
		if len(e.Args) == 1 {
			return a.bounds(e.Args[0])
		}
	}
	return out
}

// Orders is what the optimizer needs to know about ORDER BY.
func (a *Access[E, P]) Orders(list []OrderBy[P]) []optimizer.Order {
	out := make([]optimizer.Order, len(list))
	for i, o := range list {
		e := o.E.Bound()
		out[i] = optimizer.Order{Slot: -1, Desc: o.Desc, Fixed: e.Shape == Constant || e.Shape == Fixed}
		if slot, ord, ok := a.Column(o.E); ok && (!o.Moved || !e.Null) {
			out[i].Slot, out[i].Ord = slot, ord
		}
	}
	return out
}
