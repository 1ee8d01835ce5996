package query

// Concat produces the rows of its children one after the other: UNION ALL. All of them
// produce the same slot.
type Concat struct{ Children []Op }

// Open starts it.
func (c *Concat) Open(fr *Frame) Iter { return &concatIter{fr: fr, rest: c.Children} }

type concatIter struct {
	fr   *Frame
	rest []Op
	cur  Iter
}

func (c *concatIter) Next() bool {
	for {
		if c.cur == nil {
			if len(c.rest) == 0 {
				return false
			}
			c.cur, c.rest = c.rest[0].Open(c.fr), c.rest[1:]
		}
		if c.cur.Next() {
			return true
		}
		c.cur.Close()
		c.cur = nil
	}
}

func (c *concatIter) Close() {
	if c.cur != nil {
		c.cur.Close()
	}
	c.rest = nil
}

// Distinct lets the first row of each key pass.
type Distinct struct {
	Child Op
	Key   Key
}

// Open starts it.
func (d *Distinct) Open(fr *Frame) Iter {
	return &distinctIter{fr: fr, op: d, child: d.Child.Open(fr), seen: map[string]struct{}{}}
}

type distinctIter struct {
	fr    *Frame
	op    *Distinct
	child Iter
	seen  map[string]struct{}
	buf   []byte
}

func (d *distinctIter) Next() bool {
	for d.child.Next() {
		d.buf = d.op.Key(d.fr, d.buf[:0])
		if _, dup := d.seen[string(d.buf)]; !dup {
			d.seen[string(d.buf)] = struct{}{}
			return true
		}
	}
	return false
}

func (d *distinctIter) Close() { d.child.Close() }

// Member lets the distinct rows of Child pass that Other also has (INTERSECT) or does not have (EXCEPT).
type Member struct {
	Child, Other Op
	Key          Key // of both: they produce the same slot
	Not          bool
	Slots        []int // what they produce
}

// Open starts it.
func (m *Member) Open(fr *Frame) Iter { return &memberIter{fr: fr, op: m} }

type memberIter struct {
	fr    *Frame
	op    *Member
	child Iter
	other map[string]struct{}
	buf   []byte
}

func (m *memberIter) Next() bool {
	if m.child == nil {
		m.other = map[string]struct{}{}
		Each(m.fr, m.op.Other, func() bool {
			m.buf = m.op.Key(m.fr, m.buf[:0])
			m.other[string(m.buf)] = struct{}{}
			return true
		})
		m.child = (&Distinct{Child: m.op.Child, Key: m.op.Key}).Open(m.fr)
	}
	for m.child.Next() {
		m.buf = m.op.Key(m.fr, m.buf[:0])
		if _, in := m.other[string(m.buf)]; in != m.op.Not {
			return true
		}
	}
	return false
}

func (m *memberIter) Close() {
	if m.child != nil {
		m.child.Close()
	}
}

// Recursive is a recursive common table expression: Anchor's rows, then those that Step derives from
// them, level by level. All produce Slot; Step reads the row that it extends from Work.
type Recursive struct {
	Anchor, Step Op
	Slot, Work   int
	Limit        int             // depth after which TooDeep is called; 0: none
	TooDeep      func(limit int) // raises the dialect's error
}

// Open starts it.
func (r *Recursive) Open(fr *Frame) Iter {
	return &recursiveIter{fr: fr, op: r, cur: r.Anchor.Open(fr)}
}

type recursiveIter struct {
	fr    *Frame
	op    *Recursive
	cur   Iter
	level []Tuple // the rows that Step has yet to extend
	next  []Tuple // the rows of the level that is being built
	depth int
}

func (r *recursiveIter) Next() bool {
	for {
		r.fr.Step()
		if r.cur != nil {
			if r.cur.Next() {
				if r.op.Limit > 0 && r.depth > r.op.Limit {
					r.op.TooDeep(r.op.Limit)
				}
				r.next = append(r.next, r.fr.Slots[r.op.Slot])
				return true
			}
			r.cur.Close()
			r.cur = nil
		}
		if len(r.level) == 0 {
			if len(r.next) == 0 {
				return false
			}
			r.level, r.next = r.next, nil
			r.depth++
		}
		r.fr.Slots[r.op.Work] = r.level[0]
		r.level = r.level[1:]
		r.cur = r.op.Step.Open(r.fr)
	}
}

func (r *recursiveIter) Close() {
	if r.cur != nil {
		r.cur.Close()
	}
}
