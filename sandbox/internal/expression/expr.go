// Package expression describes expressions after their names and types are known: what both engines' planners know about a closure besides
// how to call it. An engine embeds Expr in its own expression type, with its datatypes, and passes the rest as hooks.
package expression

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Shape is what a planner may know about an expression.
type Shape uint8

// The shapes.
const (
	Opaque   Shape = iota
	Constant       // Value
	Fixed          // the same for the whole run of the statement
	Column         // Slot, Ord
	And            // Args
	Or             // Args
	Not            // Args[0]
	Compare        // Args[0] Op Args[1]
	IsNull         // Args[0]
	InList         // Args: the comparisons with each of the list
	InQuery        // Args[0] IN a subquery that is evaluated once
	Exists         // Args: a condition that bounds columns as EXISTS does, if there is one
)

// Expr is what planners need to know about an expression of type E, which embeds it. A condition is true, false, or NULL for unknown.
type Expr[E any] struct {
	Eval   query.Expr
	Refs   optimizer.Slots // the slots it reads
	Cols   optimizer.Slots // the columns it reads, as Slot.Column numbers them
	Shape  Shape
	Op     optimizer.Op
	Args   []*E
	Slot   int
	Ord    int
	Const  value.Value // of a constant
	Null   bool        // may be NULL
	Key    string      // canonical text: equal keys mean equal values; empty: not comparable (subqueries)
	Name   string      // the column's name, if it is one
	PerRow bool        // evaluated again for each row: NEWID, SYS_GUID, sequences
}

// Bound returns e: how Node reaches what E embeds.
func (e *Expr[E]) Bound() *Expr[E] { return e }

// Node is an engine's expression.
type Node[E any] interface {
	*E
	Bound() *Expr[E]
}

// Slot is a slot of the frame and the place of its columns in sets of columns.
type Slot struct{ Slot, Base, Width int }

// Column numbers a column in sets of columns.
func (s Slot) Column(ord int) int { return s.Base + ord }

// NewConstant returns an expression of one value; typ is its type as keys show it.
func NewConstant[E any](v value.Value, typ fmt.Stringer) Expr[E] {
	return Expr[E]{
		Shape: Constant, Const: v, Null: v.IsNull(), Key: fmt.Sprintf("k%s:%#v", typ, v),
		Eval: func(*query.Frame) value.Value { return v },
	}
}

// NewColumn returns a column of a slot's row.
func NewColumn[E any](at Slot, ord int, null bool, name string) Expr[E] {
	slot := at.Slot
	return Expr[E]{
		Shape: Column, Slot: slot, Ord: ord, Refs: optimizer.SlotsOf(slot), Cols: optimizer.SlotsOf(at.Column(ord)), Null: null, Name: name,
		Key:  "c" + strconv.Itoa(slot) + "." + strconv.Itoa(ord),
		Eval: func(fr *query.Frame) value.Value { return fr.Slots[slot].Row[ord] },
	}
}

// Derive makes an opaque expression from others; it may be NULL if one of them may be.
func Derive[E any, P Node[E]](name string, args []P, eval query.Expr) Expr[E] {
	e := Expr[E]{Eval: eval}
	var b strings.Builder
	b.WriteString(name)
	b.WriteByte('(')
	known, still := true, len(args) > 0
	for i, p := range args {
		a := p.Bound()
		e.Args = append(e.Args, (*E)(p))
		e.Refs, e.Cols = e.Refs.Union(a.Refs), e.Cols.Union(a.Cols)
		e.Null, e.PerRow = e.Null || a.Null, e.PerRow || a.PerRow
		known = known && a.Key != ""
		still = still && (a.Shape == Constant || a.Shape == Fixed)
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(a.Key)
	}
	b.WriteByte(')')
	if known && !e.PerRow {
		e.Key = b.String()
	}
	if still && !e.PerRow {
		e.Shape = Fixed
	}
	return e
}

// OrNull makes an expression over the null side of an outer join NULL where the side has no matching row.
func OrNull[E any, P Node[E]](p P, witness int) P {
	out := P(new(E))
	*out = *p
	e := out.Bound()
	e.Null = true
	if e.Shape == Column {
		return out
	}
	f := e.Eval
	e.Shape, e.Args = Opaque, nil
	e.Refs = e.Refs.With(witness)
	if e.Key != "" {
		e.Key = "ornull(" + e.Key + ")"
	}
	e.Eval = func(fr *query.Frame) value.Value {
		if fr.Slots[witness].ID == query.Missing {
			return value.Value{}
		}
		return f(fr)
	}
	return out
}

// Conjuncts splits a condition at its ANDs and adds the parts to out; nil is no condition.
func Conjuncts[E any, P Node[E]](e P, out []P) []P {
	if e == nil {
		return out
	}
	if b := e.Bound(); b.Shape == And {
		for _, a := range b.Args {
			out = Conjuncts(P(a), out)
		}
		return out
	}
	return append(out, e)
}

// Evals returns the closures of expressions.
func Evals[E any, P Node[E]](list []P) []query.Expr {
	out := make([]query.Expr, len(list))
	for i, e := range list {
		out[i] = e.Bound().Eval
	}
	return out
}

// Usage is what a query uses of the queries around it; nil records nothing.
type Usage struct{ Slots, Cols optimizer.Slots }

// Add records what an expression reads.
func (u *Usage) Add(slots, cols optimizer.Slots) {
	if u != nil {
		u.Slots, u.Cols = u.Slots.Union(slots), u.Cols.Union(cols)
	}
}
