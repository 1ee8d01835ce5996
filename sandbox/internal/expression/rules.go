package expression

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Rules hold what differs between engines.
type Rules[E any, P Node[E]] struct {
	// Condition makes a condition.
	Condition func(Expr[E]) P
	// Append adds the order-preserving image of a value of an expression to dst. Moved: NULLs are not at their default end, which
	// is also their end in an index.
	Append func(dst []byte, fr *query.Frame, v value.Value, of P, desc, moved bool) []byte
	// Choose lets the seed choose among n rows that are equal in ORDER BY.
	Choose func(fr *query.Frame, n int) int
}

// derive makes a condition from others.
func (r *Rules[E, P]) derive(shape Shape, name string, args []P, eval query.Expr) P {
	e := Derive(name, args, eval)
	e.Shape = shape
	return r.Condition(e)
}

// AllOf is the conjunction of conditions, from left to right up to one that is false; nil for none.
func (r *Rules[E, P]) AllOf(list ...P) P { return r.junction(And, "and", list, query.And) }

// AnyOf is the disjunction of conditions, from left to right up to one that is true; nil for none.
func (r *Rules[E, P]) AnyOf(list ...P) P { return r.junction(Or, "or", list, query.Or) }

func (r *Rules[E, P]) junction(shape Shape, name string, list []P, eval func([]query.Expr) query.Expr) P {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return r.derive(shape, name, list, eval(Evals(list)))
}

// Negate is NOT x.
func (r *Rules[E, P]) Negate(x P) P { return r.derive(Not, "not", []P{x}, query.Not(x.Bound().Eval)) }

// Unless is e, or NOT e.
func (r *Rules[E, P]) Unless(not bool, e P) P {
	if not {
		return r.Negate(e)
	}
	return e
}

// IsNull is x IS NULL.
func (r *Rules[E, P]) IsNull(x P) P {
	f := x.Bound().Eval
	e := r.derive(IsNull, "isnull", []P{x}, func(fr *query.Frame) value.Value { return Truth(f(fr).IsNull()) })
	e.Bound().Null = false
	return e
}

// The truth values.
var (
	True  = value.NewBool(true)
	False = value.NewBool(false)
)

// Truth is a truth value.
func Truth(b bool) value.Value {
	if b {
		return True
	}
	return False
}

// OrderBy is an element of ORDER BY. Moved: see Rules.Append.
type OrderBy[P any] struct {
	E           P
	Desc, Moved bool
}

// SortKey is an order-preserving image of ORDER BY.
func (r *Rules[E, P]) SortKey(order []OrderBy[P]) query.Key {
	evals := make([]query.Expr, len(order))
	for i, o := range order {
		evals[i] = o.E.Bound().Eval
	}
	return func(fr *query.Frame, dst []byte) []byte {
		for i, o := range order {
			dst = r.Append(dst, fr, evals[i](fr), o.E, o.Desc, o.Moved)
		}
		return dst
	}
}

// GroupKey is an image of expressions under which equal rows (NULL equals NULL) are the same.
func (r *Rules[E, P]) GroupKey(list []P) query.Key {
	order := make([]OrderBy[P], len(list))
	for i, e := range list {
		order[i].E = e
	}
	return r.SortKey(order)
}

// Sort sorts the rows of child, which sets slots.
func (r *Rules[E, P]) Sort(child query.Op, slots []int, order []OrderBy[P]) query.Op {
	return &query.Sort{Child: child, Slots: slots, Key: r.SortKey(order), Choose: r.Choose}
}

// Window is the window functions of a query that share PARTITION BY and ORDER BY.
type Window[E any, P Node[E]] struct {
	At    Slot // the result of Funcs[i] is column i
	Part  []P
	Order []OrderBy[P]
	Args  []P // of all functions
	Funcs []query.WindowFunc
	key   string
}

// Exprs returns the expressions that the window reads.
func (w *Window[E, P]) Exprs() []P {
	out := slices.Concat(w.Part, w.Args)
	for _, o := range w.Order {
		out = append(out, o.E)
	}
	return out
}

// Op computes the functions over the rows of child, which sets slots.
func (r *Rules[E, P]) Op(w *Window[E, P], child query.Op, slots []int) query.Op {
	op := &query.Window{Child: child, Slots: slots, Slot: w.At.Slot, Funcs: w.Funcs}
	if len(w.Part) > 0 {
		op.PartitionBy = r.GroupKey(w.Part)
	}
	if len(w.Order) > 0 {
		op.OrderBy = r.SortKey(w.Order)
	}
	return op
}

// Over adds the only function of w to the window with the same partition and order, or else adds w itself, and returns the function's column.
func Over[E any, P Node[E]](l *Layout, windows []*Window[E, P], w *Window[E, P]) (all []*Window[E, P], at Slot, ord int) {
	var b strings.Builder
	known := true
	write := func(e P) {
		b.WriteString(e.Bound().Key)
		known = known && e.Bound().Key != ""
	}
	for _, e := range w.Part {
		write(e)
		b.WriteByte(';')
	}
	for _, o := range w.Order {
		b.WriteByte('|')
		write(o.E)
		fmt.Fprint(&b, o.Desc, o.Moved)
	}
	w.key = b.String()
	i := slices.IndexFunc(windows, func(o *Window[E, P]) bool { return known && o.key == w.key })
	if i < 0 {
		w.At = l.Slot(32)
		return append(windows, w), w.At, 0
	}
	to := windows[i]
	to.Args, to.Funcs = append(to.Args, w.Args...), append(to.Funcs, w.Funcs...)
	return windows, to.At, len(to.Funcs) - 1
}
