package expression

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Layout lays out the frame of one statement while it is bound.
type Layout struct {
	Widths []int // of each slot
	cols   int   // columns of all slots
	memos  int
	starts []start
}

// start is an expression that has one value for a whole statement, however long it waits for locks: the time, a variable.
type start struct {
	key  string
	memo int
	eval query.Expr
}

// Slot allocates a slot for rows with a number of columns.
func (l *Layout) Slot(width int) Slot {
	s := Slot{Slot: len(l.Widths), Base: l.cols, Width: width}
	l.Widths = append(l.Widths, width)
	l.cols += width
	return s
}

// Memo allocates a place for what a closure remembers during a run.
func (l *Layout) Memo() int { l.memos++; return l.memos - 1 }

// Start arranges for an expression to be evaluated when a run starts, and replaces it by its value. Equal keys share one.
func (l *Layout) Start(key string, eval *query.Expr) {
	i := slices.IndexFunc(l.starts, func(s start) bool { return s.key == key })
	if i < 0 {
		i = len(l.starts)
		l.starts = append(l.starts, start{key, l.Memo(), *eval})
	}
	memo := l.starts[i].memo
	*eval = func(fr *query.Frame) value.Value { return fr.Memos[memo].(value.Value) }
}

// Size is how large a frame a bound statement or expression needs, and what is evaluated when it starts.
type Size struct {
	slots, memos int
	starts       []start
}

// Size returns the size for what has been bound so far.
func (l *Layout) Size() Size { return Size{len(l.Widths), l.memos, l.starts} }

// None reports that nothing is needed but the environment.
func (s Size) None() bool { return s.slots+s.memos == 0 }

// Frame starts a run: it evaluates what stays the same throughout.
func (s Size) Frame(env any) *query.Frame {
	fr := query.NewFrame(env, s.slots, s.memos)
	for _, st := range s.starts {
		fr.Memos[st.memo] = st.eval(fr)
	}
	return fr
}
