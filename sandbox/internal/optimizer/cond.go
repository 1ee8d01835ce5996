// Package optimizer chooses access paths and join orders of one query block and builds the operators
// for them. It knows tables as indexes with key columns and a number of rows, and conditions as closures
// with the little of their shape that matters. It knows no dialect, syntax or types: values
// reach it as order-preserving key bytes only.
//
// A dialect makes a Relation from FROM and Conds from the conditions, describes what is wanted with a Block,
// and gets back a Plan. Plans use fixed guesses of row counts, never real ones: they are compiled
// once, often while tables are empty, and must suit tables in use.
package optimizer

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// KeyFunc appends the order-preserving, self-delimiting image of a value to dst. It is not ok if the value
// is NULL, which is neither equal to anything nor ordered.
type KeyFunc func(fr *query.Frame, dst []byte) (key []byte, ok bool)

// Image makes the images of an expression as image writes its values.
func Image(eval query.Expr, image func(dst []byte, v value.Value) []byte) KeyFunc {
	return func(fr *query.Frame, dst []byte) ([]byte, bool) {
		v := eval(fr)
		if v.IsNull() {
			return dst, false
		}
		return image(dst, v), true
	}
}

// Cond is a condition: one conjunct of WHERE or ON. It is used by identity and must not be copied.
type Cond struct {
	Eval   query.Expr // true, false or NULL for unknown
	Refs   Slots      // the row slots that it reads
	Cols   Slots      // the columns that it reads, numbered as Table.Base says
	PerRow bool       // evaluated again for each row (a random number): Bounds and Equal are not used
	Bounds []Bound    // how it can bound a column of a table: at most one for each slot
	Equal  *Equality  // for lhs = rhs: what a hash join needs; nil: not an equality
	Of     any        // what the dialect made it from, for its own callbacks
}

// Op is how a condition compares, and how a Bound compares a column.
type Op uint8

// The ways to compare. A Bound has no NotEqual.
const (
	Equal Op = iota
	Less
	LessEqual
	Greater
	GreaterEqual
	In      // equal to one of several values
	IsNull  // has no value
	NotNull // has one
	NotEqual
)

// Holds reports whether op is true for operands whose comparison is less than, equal to or greater than zero.
func (op Op) Holds(c int) bool {
	switch op {
	case Equal:
		return c == 0
	case NotEqual:
		return c != 0
	case Less:
		return c < 0
	case LessEqual:
		return c <= 0
	case Greater:
		return c > 0
	}
	return c >= 0
}

// Flip is op with its sides exchanged.
func (op Op) Flip() Op {
	switch op {
	case Less:
		return Greater
	case LessEqual:
		return GreaterEqual
	case Greater:
		return Less
	case GreaterEqual:
		return LessEqual
	}
	return op
}

// Bound says that a condition can be true only for values of a column in one range, or at
// several points: column op value.
type Bound struct {
	Slot, Ord int // the column; bounds are images of its values, in the order of its indexes
	Op        Op
	Key       KeyFunc // the value, for Equal to GreaterEqual
	Refs      Slots   // the slots that Key and Keys read: never Slot itself

	// In has either Parts, which are Equal or IsNull, or Keys: the images of all values, none of them NULL.
	Parts []Bound
	Keys  func(fr *query.Frame) [][]byte
}

// RejectsNull reports whether the condition cannot be true where the column is NULL.
func (b *Bound) RejectsNull() bool {
	for i := range b.Parts {
		if !b.Parts[i].RejectsNull() {
			return false
		}
	}
	return b.Op != IsNull
}

// Either returns how the disjunction of conditions (OR, or an IN list as equalities) bounds columns, given
// the Bounds of each of them.
func Either(alternatives ...[]Bound) (out []Bound) {
next:
	for _, first := range alternatives[0] {
		in := Bound{Slot: first.Slot, Ord: first.Ord, Op: In}
		for _, list := range alternatives {
			n := slices.IndexFunc(list, func(b Bound) bool { return b.Slot == in.Slot })
			if n < 0 || list[n].Ord != in.Ord || list[n].Op != Equal && list[n].Op != IsNull {
				continue next
			}
			in.Parts = append(in.Parts, list[n])
			in.Refs = in.Refs.Union(list[n].Refs)
		}
		out = append(out, in)
	}
	return out
}

// Equality is an equality of two expressions whose images are comparable with each other.
type Equality struct{ Left, Right Side }

// Side is one side of an Equality.
type Side struct {
	Refs Slots // the row slots that it reads
	Key  KeyFunc
}

// All is the conjunction of conditions (see query.And); nil for none.
func All(conds []*Cond) query.Expr {
	evals := make([]query.Expr, len(conds))
	for i, c := range conds {
		evals[i] = c.Eval
	}
	return query.And(evals)
}
