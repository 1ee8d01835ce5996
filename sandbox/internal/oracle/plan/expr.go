package plan

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// shape says what a query may know of an expression.
type shape uint8

const (
	opaque   shape = iota
	constant       // val
	fixed          // the same for the whole run of the statement
	column         // slot, ord
	and            // args
	or             // args
	not            // args[0]
	compare        // args[0] op args[1], both of type in
	isNull         // args[0]
	inList         // args: the comparisons with each of the list
	inQuery        // args[0] IN many, both of type in
	exists
)

// Expr is an expression that has been bound: its type, how it is computed, and what a query may know of it.
// A condition is of type BOOLEAN; true, false or NULL for unknown.
type Expr struct {
	Type      datatype.Type
	Composite any        // a PL/SQL type that is no scalar (record, collection, cursor), whatever package plsql says; Type is zero then
	Eval      query.Expr // panics SQL errors
	Nullable  bool

	refs  optimizer.Slots // the slots that it reads
	cols  optimizer.Slots // the columns that it reads, as slotRef.column numbers them
	shape shape
	op    ast.Op
	args  []*Expr
	slot  int
	ord   int
	val   value.Value   // of a constant
	in    datatype.Type // the type in which a comparison compares
	many  func(fr *query.Frame) *members
	key   string // canonical text: equal keys mean equal values; empty: not comparable
	name  string // the column's name, if it is one

	perRow bool // evaluated anew for each row: user-defined functions, SYS_GUID, sequences
	size   size // of a whole expression: what its frame needs
}

// Constant returns an expression of one value.
func Constant(v value.Value, t datatype.Type) *Expr {
	return &Expr{
		Type: t, shape: constant, val: v, Nullable: v.IsNull(), key: fmt.Sprintf("k%s:%#v", t, v),
		Eval: func(*query.Frame) value.Value { return v },
	}
}

// Fixed returns an expression that has one value throughout a SQL statement, in which it is evaluated once, when the
// statement starts: a variable, a bind, SYSDATE, USER. Equal keys must mean the same thing.
func Fixed(key string, t datatype.Type, eval query.Expr) *Expr {
	return &Expr{Type: t, shape: fixed, Nullable: true, key: "f:" + key, Eval: eval}
}

// Computed returns a function of arguments that gives the same result for the same arguments.
func Computed(name string, t datatype.Type, args []*Expr, eval query.Expr) *Expr {
	return derive(t, name, args, eval)
}

// Volatile returns a function of arguments that is called anew for each row: a user-defined function, SYS_GUID.
func Volatile(name string, t datatype.Type, args []*Expr, eval query.Expr) *Expr {
	e := derive(t, name, args, eval)
	e.perRow, e.key, e.shape, e.Nullable = true, "", opaque, true
	return e
}

// ConstantValue returns the value of an expression that is a constant.
func (e *Expr) ConstantValue() (value.Value, bool) { return e.val, e.shape == constant }

// slotRef is a slot of the frame and where its columns are in sets of columns.
type slotRef struct {
	slot  int
	base  int
	width int
}

func (s slotRef) column(ord int) int { return s.base + ord }

func columnExpr(at slotRef, ord int, t datatype.Type, nullable bool, name string) *Expr {
	slot := at.slot
	return &Expr{
		Type: t, shape: column, slot: slot, ord: ord, refs: optimizer.SlotsOf(slot), cols: optimizer.SlotsOf(at.column(ord)),
		Nullable: nullable, name: name, key: fmt.Sprintf("c%d.%d", slot, ord),
		Eval: func(fr *query.Frame) value.Value { return fr.Slots[slot].Row[ord] },
	}
}

func env(fr *query.Frame) Env { return fr.Env.(Env) }

// derive makes an opaque expression of others; NULL comes if one of them may be.
func derive(t datatype.Type, name string, args []*Expr, eval query.Expr) *Expr {
	e := &Expr{Type: t, Eval: eval, args: args}
	var b strings.Builder
	b.WriteString(name)
	b.WriteByte('(')
	known, still := true, len(args) > 0
	for i, a := range args {
		e.refs, e.cols = e.refs.Union(a.refs), e.cols.Union(a.cols)
		e.Nullable = e.Nullable || a.Nullable
		e.perRow = e.perRow || a.perRow
		known = known && a.key != ""
		still = still && (a.shape == constant || a.shape == fixed)
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(a.key)
	}
	b.WriteByte(')')
	if known && !e.perRow {
		e.key = b.String()
	}
	if still && !e.perRow {
		e.shape = fixed
	}
	return e
}

// conjuncts splits a condition at its ANDs.
func conjuncts(e *Expr, out []*Expr) []*Expr {
	if e == nil {
		return out
	}
	if e.shape == and {
		for _, a := range e.args {
			out = conjuncts(a, out)
		}
		return out
	}
	return append(out, e)
}

func evals(exprs []*Expr) []query.Expr {
	out := make([]query.Expr, len(exprs))
	for i, e := range exprs {
		out[i] = e.Eval
	}
	return out
}
