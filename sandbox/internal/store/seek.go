package store

import "strings"

// lockAbove locks the gap above the range: the first key beyond it, or infinity.
func (c *Cursor) lockAbove() (changed bool, err error) {
	r := Resource{Class: Key, DB: c.t.spec.DB, Object: c.ix.id, Row: infinity}
	if pivot, ok := c.above(); ok {
		if e, ok := c.ix.seekLive(newEntry(pivot, 0)); ok {
			r = c.ix.resource(e)
		}
	}
	changes := c.t.changes
	_, err = c.tx.lockRow(c.t, r, ranged(c.row), c.wait(), true)
	return c.t.changes != changes, err
}

// above returns the least key beyond the range; false if there is no bound.
func (c *Cursor) above() (string, bool) {
	switch {
	case c.a.Hi == nil:
		return "", false
	case c.a.HiOpen:
		return c.hi, true
	default:
		return successor(c.hi)
	}
}

// seekLive returns the first entry at or after e that counts for locking.
func (ix *Index) seekLive(e entry) (found entry, ok bool) {
	ix.tree.Ascend(e, func(at entry) bool {
		head, there := ix.t.rows.Get(at.id)
		if there && ix.live(head, at.key) {
			found, ok = at, true
		}
		return !ok
	})
	return found, ok
}

// successor returns the least string above all that begin with the prefix; false if there is none.
func successor(prefix string) (string, bool) {
	n := len(prefix)
	for n > 0 && prefix[n-1] == 0xff {
		n--
	}
	if n == 0 {
		return "", false
	}
	return prefix[:n-1] + string([]byte{prefix[n-1] + 1}), true
}

// advance moves to the next entry within the bounds and returns it with the row's newest version.
func (c *Cursor) advance() (entry, *version, bool) {
	if c.ix == nil {
		return c.advanceHeap()
	}
	var ok bool
	switch {
	case c.placed && c.seen == c.ix.changes+1:
		if c.a.Desc {
			ok = c.tree.Prev()
		} else {
			ok = c.tree.Next()
		}
	case c.a.Desc:
		ok = c.seekDown()
	default:
		ok = c.seekUp()
	}
	if !ok {
		return entry{}, nil, false
	}
	c.seen = c.ix.changes + 1
	e := c.tree.Item()
	if !c.inside(e.key) {
		return entry{}, nil, false
	}
	c.last, c.placed = e, true
	head, _ := c.t.rows.Get(e.id)
	return e, head, true
}

func (c *Cursor) inside(key string) bool {
	if c.a.Desc {
		switch {
		case c.a.Lo == nil:
			return true
		case c.a.LoOpen:
			return key > c.lo && !strings.HasPrefix(key, c.lo)
		default:
			return key >= c.lo
		}
	}
	switch {
	case c.a.Hi == nil:
		return true
	case c.a.HiOpen:
		return key < c.hi
	default:
		return key <= c.hi || strings.HasPrefix(key, c.hi)
	}
}

func (c *Cursor) seekUp() bool {
	c.tree.Init(c.ix.tree, false)
	if c.placed {
		ok := c.tree.Seek(c.last)
		if ok && c.tree.Item() == c.last {
			ok = c.tree.Next()
		}
		return ok
	}
	switch {
	case c.a.Lo == nil:
		return c.tree.First()
	case c.a.LoOpen:
		pivot, ok := successor(c.lo)
		return ok && c.tree.Seek(newEntry(pivot, 0))
	default:
		return c.tree.Seek(newEntry(c.lo, 0))
	}
}

func (c *Cursor) seekDown() bool {
	c.tree.Init(c.ix.tree, false)
	pivot, bounded := c.last, c.placed
	if !bounded {
		var key string
		key, bounded = c.above()
		pivot = newEntry(key, 0)
	}
	if bounded && c.tree.Seek(pivot) {
		return c.tree.Prev()
	}
	return c.tree.Last()
}

func (c *Cursor) advanceHeap() (entry, *version, bool) {
	var id RowID
	var head *version
	var ok bool
	switch {
	case !c.a.Desc:
		id, head, ok = c.t.rows.Up(c.last.id + 1)
	case c.placed:
		id, head, ok = c.t.rows.Down(c.last.id - 1)
	default:
		id, head, ok = c.t.rows.Down(c.t.last)
	}
	if ok {
		c.last, c.placed = entry{id: id}, true
	}
	return c.last, head, ok
}
