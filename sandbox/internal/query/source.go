package query

import (
	"iter"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// One produces a single row without columns: a SELECT without FROM.
type One struct{}

// Open starts it.
func (One) Open(*Frame) Iter { return &oneIter{} }

type oneIter struct{ done bool }

func (o *oneIter) Next() bool {
	more := !o.done
	o.done = true
	return more
}

func (o *oneIter) Close() {}

// None produces nothing.
type None struct{}

// Open starts it.
func (None) Open(*Frame) Iter { return &oneIter{done: true} }

// Values produces rows of expressions: a VALUES constructor.
type Values struct {
	Slot int
	Rows [][]Expr
}

// Open starts it.
func (v *Values) Open(fr *Frame) Iter { return &valuesIter{fr: fr, op: v} }

type valuesIter struct {
	fr *Frame
	op *Values
	n  int
}

func (v *valuesIter) Next() bool {
	if v.n >= len(v.op.Rows) {
		return false
	}
	v.fr.Slots[v.op.Slot] = Tuple{Row: Eval(v.fr, v.op.Rows[v.n])}
	v.n++
	return true
}

func (v *valuesIter) Close() {}

// Eval computes a row of expressions.
func Eval(fr *Frame, exprs []Expr) value.Row {
	row := make(value.Row, len(exprs))
	for i, e := range exprs {
		row[i] = e(fr)
	}
	return row
}

// Rows produces what a function returns for the current frame: a system view, a table function.
type Rows struct {
	Slot int
	Seq  func(fr *Frame) iter.Seq[value.Row]
}

// Open starts it.
func (r *Rows) Open(fr *Frame) Iter {
	next, stop := iter.Pull(r.Seq(fr))
	return &rowsIter{fr: fr, slot: r.Slot, next: next, stop: stop}
}

type rowsIter struct {
	fr   *Frame
	slot int
	next func() (value.Row, bool)
	stop func()
}

func (r *rowsIter) Next() bool {
	row, ok := r.next()
	if ok {
		r.fr.Slots[r.slot] = Tuple{Row: row}
	}
	return ok
}

func (r *rowsIter) Close() { r.stop() }

// Filter lets rows pass for which Pred is true.
type Filter struct {
	Child Op
	Pred  Expr
}

// Open starts it.
func (f *Filter) Open(fr *Frame) Iter { return &filterIter{fr: fr, op: f, child: f.Child.Open(fr)} }

type filterIter struct {
	fr    *Frame
	op    *Filter
	child Iter
}

func (f *filterIter) Next() bool {
	for f.child.Next() {
		if f.op.Pred(f.fr).IsTrue() {
			return true
		}
	}
	return false
}

func (f *filterIter) Close() { f.child.Close() }

// Guard runs its child only when Pred, which must not depend on the child, is true:
// the start-up predicate of a filter.
type Guard struct {
	Child Op
	Pred  Expr
}

// Open starts it.
func (g *Guard) Open(fr *Frame) Iter {
	if !g.Pred(fr).IsTrue() {
		return None{}.Open(fr)
	}
	return g.Child.Open(fr)
}

// Project computes a row into a slot.
type Project struct {
	Child Op
	Slot  int
	Exprs []Expr
	// KeepID is the slot whose row identity the new row inherits; -1 for none.
	KeepID int
}

// Open starts it.
func (p *Project) Open(fr *Frame) Iter { return &projectIter{fr: fr, op: p, child: p.Child.Open(fr)} }

type projectIter struct {
	fr    *Frame
	op    *Project
	child Iter
}

func (p *projectIter) Next() bool {
	if !p.child.Next() {
		return false
	}
	t := Tuple{Row: Eval(p.fr, p.op.Exprs)}
	if p.op.KeepID >= 0 {
		t.ID = p.fr.Slots[p.op.KeepID].ID
	}
	p.fr.Slots[p.op.Slot] = t
	return true
}

func (p *projectIter) Close() { p.child.Close() }
