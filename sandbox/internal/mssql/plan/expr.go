package plan

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// shape says what the planner may know of an expression.
type shape uint8

const (
	opaque   shape = iota
	constant       // val
	column         // slot, ord
	variable       // the same for the whole run of the statement
	and            // args
	or             // args
	not            // args[0]
	compare        // op, args[0], args[1]
	isNull         // args[0]
	inList         // args[0] IN args[1:]
	inQuery        // args[0] IN many
	exists         // semi
)

// coercion is how strongly an expression holds its collation
// (learn.microsoft.com "Collation Precedence").
type coercion uint8

const (
	coercible coercion = iota // literal, variable
	implicit                  // column
	explicit                  // COLLATE
)

// expr is an expression that has been bound: static type, closure, and what the planner needs.
// Truth values are of type datatype.Bit inside the binder only; predicates never leave it.
type expr struct {
	typ   datatype.Type
	eval  query.Expr
	refs  optimizer.Slots // the slots that it reads
	cols  optimizer.Slots // the columns that it reads, by slotRef.column
	shape shape
	op    datatype.CompareOp
	args  []*expr
	slot  int
	ord   int
	val   value.Value
	coll  coercion
	null  bool   // may be NULL
	key   string // canonical text: equal keys mean equal values; empty: not comparable (subqueries)
	name  string // the column's name, when it is one

	perRow   bool // evaluated anew for each row (NEWID)
	identity bool // straight from an identity column
	literal  bool // a literal as written (filtered indexes match literals, not variables)
	many     *manyValues
	semi     *semiJoin
}

// manyValues is the right side of col IN (uncorrelated subquery).
type manyValues struct {
	typ  datatype.Type
	keys func(fr *query.Frame) [][]byte
}

// semiJoin is what EXISTS (SELECT … FROM x WHERE x.c = outer AND rest) can become: outer IN (SELECT c FROM x WHERE rest).
type semiJoin struct {
	in *expr
}

func constExpr(v value.Value, t datatype.Type) *expr {
	return &expr{
		typ: t, shape: constant, val: v, null: v.IsNull(), key: fmt.Sprintf("k%s:%#v", t, v),
		eval: func(*query.Frame) value.Value { return v },
	}
}

// slotRef is a slot of the frame and where its columns are in sets of columns.
type slotRef struct {
	slot  int
	base  int
	width int
}

func (s slotRef) column(ord int) int { return s.base + ord }

func columnExpr(at slotRef, ord int, t datatype.Type, nullable bool, name string) *expr {
	slot := at.slot
	return &expr{
		typ: t, shape: column, slot: slot, ord: ord, refs: optimizer.SlotsOf(slot), cols: optimizer.SlotsOf(at.column(ord)), null: nullable, name: name,
		coll: implicit, key: fmt.Sprintf("c%d.%d", slot, ord),
		eval: func(fr *query.Frame) value.Value { return fr.Slots[slot].Row[ord] },
	}
}

func variableExpr(slot int, t datatype.Type) *expr {
	return &expr{
		typ: t, shape: variable, null: true, key: fmt.Sprintf("v%d", slot),
		eval: func(fr *query.Frame) value.Value { return *env(fr).Var(slot) },
	}
}

func env(fr *query.Frame) Env { return fr.Env.(Env) }

// derive makes an opaque expression of others.
func derive(t datatype.Type, name string, args []*expr, eval query.Expr) *expr {
	e := &expr{typ: t, eval: eval, args: args}
	var b strings.Builder
	b.WriteString(name)
	b.WriteByte('(')
	known := true
	fixed := len(args) > 0
	for i, a := range args {
		e.refs, e.cols = e.refs.Union(a.refs), e.cols.Union(a.cols)
		e.null = e.null || a.null
		e.perRow = e.perRow || a.perRow
		if a.typ.IsCharacter() {
			e.coll = max(e.coll, a.coll)
		}
		known = known && a.key != ""
		fixed = fixed && (a.shape == constant || a.shape == variable)
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(a.key)
	}
	b.WriteByte(')')
	if known {
		e.key = b.String()
	}
	if fixed && !e.perRow {
		e.shape = variable
	}
	return e
}

// conjuncts splits a condition at its ANDs.
func conjuncts(e *expr, out []*expr) []*expr {
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

var (
	trueValue  = value.NewBool(true)
	falseValue = value.NewBool(false)
)

func truth(b bool) value.Value {
	if b {
		return trueValue
	}
	return falseValue
}

func boolType() datatype.Type { return datatype.Of(datatype.Bit) }

// allOf is the conjunction of conditions; nil for none.
func allOf(list []*expr) *expr { return junction(list, and, "and", query.And(evals(list))) }

// anyOf is the disjunction of conditions.
func anyOf(list []*expr) *expr { return junction(list, or, "or", query.Or(evals(list))) }

func junction(list []*expr, s shape, name string, eval query.Expr) *expr {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	e := derive(boolType(), name, list, eval)
	e.shape = s
	return e
}

func negate(x *expr) *expr {
	e := derive(boolType(), "not", []*expr{x}, query.Not(x.eval))
	e.shape = not
	return e
}

func isNullExpr(x *expr) *expr {
	f := x.eval
	e := derive(boolType(), "isnull", []*expr{x}, func(fr *query.Frame) value.Value { return truth(f(fr).IsNull()) })
	e.shape, e.null = isNull, false
	return e
}

// orNull makes an expression over the null side of an outer join NULL where the side has no row.
func orNull(e *expr, witness int) *expr {
	if e.shape == column {
		c := *e
		c.null = true
		return &c
	}
	f := e.eval
	out := *e
	out.shape, out.args, out.null = opaque, nil, true
	out.refs = e.refs.With(witness)
	if out.key != "" {
		out.key = "ornull(" + out.key + ")"
	}
	out.eval = func(fr *query.Frame) value.Value {
		if fr.Slots[witness].ID == query.Missing {
			return value.Value{}
		}
		return f(fr)
	}
	return &out
}
