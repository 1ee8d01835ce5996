package query

import "github.com/dbsched/dbsched/sandbox/internal/value"

// JoinKind is what a join does with rows that have no partner.
type JoinKind uint8

// The kinds of joins.
const (
	Inner JoinKind = iota
	Left           // left rows without partner come once, with NULLs on the right
	Full           // both (hash and spooled joins only)
)

// NullSide says how the slots of a side look when it has no row.
type NullSide struct {
	Slots  []int
	Widths []int
}

// Missing is the Tuple.ID of a slot that an outer join filled with NULLs.
const Missing = -1

func (n NullSide) set(fr *Frame) {
	for i, s := range n.Slots {
		fr.Slots[s] = Tuple{Row: make(value.Row, n.Widths[i]), ID: Missing}
	}
}

// Loop is a nested-loops join: the right side is opened for each left row and may look at it.
type Loop struct {
	Kind        JoinKind // Inner or Left
	Left, Right Op
	On          Expr // nil: always
	RightNull   NullSide
}

// Open starts it.
func (l *Loop) Open(fr *Frame) Iter { return &loopIter{fr: fr, op: l, left: l.Left.Open(fr)} }

type loopIter struct {
	fr      *Frame
	op      *Loop
	left    Iter
	right   Iter
	matched bool
}

func (l *loopIter) Next() bool {
	for {
		if l.right == nil {
			if !l.left.Next() {
				return false
			}
			l.right, l.matched = l.op.Right.Open(l.fr), false
		}
		for l.right.Next() {
			l.fr.Step()
			if l.op.On == nil || l.op.On(l.fr).IsTrue() {
				l.matched = true
				return true
			}
		}
		l.right.Close()
		l.right = nil
		if l.op.Kind == Left && !l.matched {
			l.op.RightNull.set(l.fr)
			return true
		}
	}
}

func (l *loopIter) Close() {
	if l.right != nil {
		l.right.Close()
	}
	l.left.Close()
}

// Hash is a hash join: it reads the right side once, and streams the left side. Without keys it
// compares every pair (a nested-loops join over a spool).
type Hash struct {
	Kind                  JoinKind
	Left, Right           Op
	LeftKey, RightKey     func(fr *Frame, dst []byte) (key []byte, ok bool) // not ok: a NULL, matches nothing; nil: no keys
	On                    Expr                                              // what the keys do not decide; nil: nothing
	RightSlots, LeftSlots []int
	LeftNull, RightNull   NullSide
}

// Open starts it.
func (h *Hash) Open(fr *Frame) Iter { return &hashIter{fr: fr, op: h} }

type hashIter struct {
	fr      *Frame
	op      *Hash
	left    Iter
	table   map[string][]int
	rows    []saved
	used    []bool
	all     []int
	bucket  []int
	matched bool
	active  bool
	rest    int // position among unmatched right rows, once the left side is done
	done    bool
	buf     []byte
}

func (h *hashIter) build() {
	h.table = map[string][]int{}
	Each(h.fr, h.op.Right, func() bool {
		n := len(h.rows)
		h.rows = append(h.rows, save(h.fr, h.op.RightSlots))
		if h.op.RightKey == nil {
			h.all = append(h.all, n)
			return true
		}
		key, ok := h.op.RightKey(h.fr, h.buf[:0])
		h.buf = key
		if ok {
			h.table[string(key)] = append(h.table[string(key)], n)
		}
		return true
	})
	h.used = make([]bool, len(h.rows))
}

func (h *hashIter) Next() bool {
	first := h.left == nil
	if first {
		h.left = h.op.Left.Open(h.fr)
	}
	for !h.done {
		if !h.active {
			more := h.left.Next()
			// The right side is not read at all when the left one is empty and does not ask for it.
			if first && (more || h.op.Kind == Full) {
				row := save(h.fr, h.op.LeftSlots)
				h.build()
				row.restore(h.fr, h.op.LeftSlots)
			}
			first = false
			if !more {
				h.done = true
				break
			}
			h.start()
		}
		for len(h.bucket) > 0 {
			n := h.bucket[0]
			h.bucket = h.bucket[1:]
			h.rows[n].restore(h.fr, h.op.RightSlots)
			h.fr.Step()
			if h.op.On == nil || h.op.On(h.fr).IsTrue() {
				h.matched, h.used[n] = true, true
				return true
			}
		}
		h.active = false
		if h.op.Kind != Inner && !h.matched {
			h.op.RightNull.set(h.fr)
			return true
		}
	}
	if h.op.Kind != Full {
		return false
	}
	for h.rest < len(h.rows) {
		n := h.rest
		h.rest++
		if !h.used[n] {
			h.rows[n].restore(h.fr, h.op.RightSlots)
			h.op.LeftNull.set(h.fr)
			return true
		}
	}
	return false
}

func (h *hashIter) start() {
	h.active, h.matched, h.bucket = true, false, nil
	if h.op.LeftKey == nil {
		h.bucket = h.all
		return
	}
	key, ok := h.op.LeftKey(h.fr, h.buf[:0])
	h.buf = key
	if ok {
		h.bucket = h.table[string(key)]
	}
}

func (h *hashIter) Close() {
	if h.left != nil {
		h.left.Close()
	}
}

// Probe reports whether op has a row: EXISTS.
func Probe(fr *Frame, op Op) bool {
	it := op.Open(fr)
	defer it.Close()
	return it.Next()
}
