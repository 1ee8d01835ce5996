package query

import (
	"bytes"
	"slices"
)

// Sort reads all its input, then produces it in the order of Key.
type Sort struct {
	Child Op
	Slots []int // slots that the child produces and that later operators need
	Key   Key
	// Choose, if not nil, returns a number in [0, n): it decides the order of rows with equal keys, of
	// which an engine promises nothing.
	Choose func(fr *Frame, n int) int
}

// Open starts it.
func (s *Sort) Open(fr *Frame) Iter { return &sortIter{fr: fr, op: s} }

type sortIter struct {
	fr   *Frame
	op   *Sort
	rows *replay
}

type keyed struct {
	key []byte
	row saved
}

func sorted(fr *Frame, child Op, slots []int, key Key) []keyed {
	var rows []keyed
	Each(fr, child, func() bool {
		rows = append(rows, keyed{key: key(fr, nil), row: save(fr, slots)})
		return true
	})
	slices.SortStableFunc(rows, func(a, b keyed) int { return bytes.Compare(a.key, b.key) })
	return rows
}

func (s *sortIter) Next() bool {
	if s.rows == nil {
		s.rows = &replay{fr: s.fr, slots: s.op.Slots}
		rows := sorted(s.fr, s.op.Child, s.op.Slots, s.op.Key)
		if s.op.Choose != nil {
			s.mix(rows)
		}
		for _, r := range rows {
			s.rows.rows = append(s.rows.rows, r.row)
		}
	}
	return s.rows.Next()
}

// mix shuffles rows with equal keys.
func (s *sortIter) mix(rows []keyed) {
	for len(rows) > 1 {
		n := 1
		for n < len(rows) && bytes.Equal(rows[0].key, rows[n].key) {
			n++
		}
		for i := n - 1; i > 0; i-- {
			j := s.op.Choose(s.fr, i+1)
			rows[i], rows[j] = rows[j], rows[i]
		}
		rows = rows[n:]
	}
}

func (s *sortIter) Close() {}

// Top lets rows pass after the first Skip, at most Count of them; with Ties also those that follow
// with the key of the last one.
type Top struct {
	Child Op
	Skip  func(fr *Frame) int64 // nil: none
	Count func(fr *Frame) int64 // nil: all
	Ties  Key                   // nil: without ties
}

// Open starts it.
func (t *Top) Open(fr *Frame) Iter {
	it := &topIter{fr: fr, op: t, left: -1}
	if t.Skip != nil {
		it.skip = t.Skip(fr)
	}
	if t.Count != nil {
		it.left = t.Count(fr)
	}
	return it
}

type topIter struct {
	fr    *Frame
	op    *Top
	child Iter
	skip  int64
	left  int64
	last  []byte
}

func (t *topIter) Next() bool {
	if t.left == 0 && (t.op.Ties == nil || t.child == nil) {
		return false
	}
	if t.child == nil {
		t.child = t.op.Child.Open(t.fr)
	}
	for ; t.skip > 0; t.skip-- {
		if !t.child.Next() {
			return false
		}
	}
	if !t.child.Next() {
		return false
	}
	if t.left == 0 {
		return bytes.Equal(t.last, t.op.Ties(t.fr, nil))
	}
	if t.left > 0 {
		t.left--
		if t.left == 0 && t.op.Ties != nil {
			t.last = t.op.Ties(t.fr, nil)
		}
	}
	return true
}

func (t *topIter) Close() {
	if t.child != nil {
		t.child.Close()
	}
}
