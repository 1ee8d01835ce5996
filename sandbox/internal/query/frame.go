// Package query holds the relational operators that the dialects share: joins, filters, groups,
// windows, sorts, set operations. They see rows, compiled closures and order-preserving keys that a
// dialect injects; NULL order, collations and conversions are decided before they get here.
//
// An operator is immutable and may be open many times at once; what belongs to one run lives in its
// Frame and in the iterator that Open returns. SQL errors travel as panics, up to the statement.
package query

import "github.com/dbsched/dbsched/sandbox/internal/value"

// Tuple is the current row of one row source.
type Tuple struct {
	Row value.Row
	ID  int64 // identity of the stored row, where the source is a table
}

// Frame is the state of a running statement. Every row source of the statement, those of its
// subqueries included, has its own slot, so that correlation is only a matter of looking at it.
type Frame struct {
	Env   any     // the session, for closures that need it
	Slots []Tuple // the current row of each source
	*memory
}

// memory is the part of a frame that an expression without row sources does not need; procedures evaluate such expressions all the time.
type memory struct {
	Memos []any // what closures remember for the length of the run (a subquery's result)
	steps int
}

// stepsEvery is the number of steps after which a statement lets others run, and a client can cancel it.
const stepsEvery = 1 << 18

// Step counts a row that a join or hierarchy looks at: there can be any number of them.
func (fr *Frame) Step() {
	if fr.steps++; fr.steps%stepsEvery == 0 {
		if e, ok := fr.Env.(interface{ Tick() error }); ok {
			Check(e.Tick())
		}
	}
}

// NewFrame returns a frame for one run of a statement.
func NewFrame(env any, slots, memos int) *Frame {
	if slots == 0 && memos == 0 {
		return &Frame{Env: env}
	}
	fr := &struct {
		Frame
		memory
	}{memory: memory{Memos: make([]any, memos)}}
	fr.Frame = Frame{env, make([]Tuple, slots), &fr.memory}
	return &fr.Frame
}

// Expr computes a value from the current rows.
type Expr func(fr *Frame) value.Value

// Key appends an order-preserving, self-delimiting image of something about the current rows:
// equal things have equal images, and images compare as the dialect orders the things.
type Key func(fr *Frame, dst []byte) []byte

// Op is a relational operator.
type Op interface {
	// Open starts it. Whatever slots it reads from outside must be set.
	Open(fr *Frame) Iter
}

// Iter is a running operator.
type Iter interface {
	// Next moves to the next row: it sets the slots that the operator produces.
	Next() bool
	// Close ends it early or late; it may be called once, at any time.
	Close()
}

// OpFunc makes a function an operator.
type OpFunc func(fr *Frame) Iter

// Open calls the function.
func (f OpFunc) Open(fr *Frame) Iter { return f(fr) }

// saved is a copy of some slots.
type saved []Tuple

func save(fr *Frame, slots []int) saved {
	t := make(saved, len(slots))
	for i, s := range slots {
		t[i] = fr.Slots[s]
	}
	return t
}

func (t saved) restore(fr *Frame, slots []int) {
	for i, s := range slots {
		fr.Slots[s] = t[i]
	}
}

// Each opens op and calls fn for every row until it returns false.
func Each(fr *Frame, op Op, fn func() bool) {
	it := op.Open(fr)
	defer it.Close()
	for it.Next() {
		if !fn() {
			return
		}
	}
}

// replay iterates over rows kept before.
type replay struct {
	fr    *Frame
	slots []int
	rows  []saved
	next  int
}

func (r *replay) Next() bool {
	if r.next >= len(r.rows) {
		return false
	}
	r.rows[r.next].restore(r.fr, r.slots)
	r.next++
	return true
}

func (r *replay) Close() { r.rows = nil }
