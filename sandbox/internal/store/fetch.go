package store

import (
	"cmp"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Fetch reads one row by its id; false: there is none for this reader. With Locking it takes the
// table's intent lock and the row's lock; they are released at once unless Keep is set.
// Fields of Access that concern an index are ignored.
// Errors: those of Lock, *UpdateConflict.
func (tx *Txn) Fetch(t *Table, id RowID, a Access) (value.Row, bool, error) {
	c := Cursor{tx: tx, t: t, a: a, stmt: a.Statement, row: a.Lock}
	c.stmt = cmp.Or(c.stmt, tx.stmt)
	if c.row == NL {
		c.row = S
	}
	c.a.Range = false // a row that is found by its id has no range
	c.a.Keep = a.Keep || a.Range
	defer c.Close()
	if err := c.begin(); err != nil {
		return nil, false, err
	}
	head, ok := t.rows.Get(id)
	if !ok {
		return nil, false, nil
	}
	var v *version
	switch {
	case a.Mode == Versioned && !t.spec.Volatile:
		v = head.asOf(a.Snapshot.Seq, tx.stamp, c.stmt)
	case a.Mode == Locking && !t.spec.Volatile:
		var err error
		if v, err = c.fetchLocked(id); err != nil {
			return nil, false, err
		}
	default:
		v = head.past(tx.stamp, c.stmt)
	}
	if v == nil || v.deleted {
		return nil, false, nil
	}
	switch {
	case a.Brief && t.stamped():
		c.keepBriefly()
		c.table = nil
	case c.a.Keep:
		c.held = [2]heldRow{}
	}
	tx.sess.countRead(true)
	return v.row, true, nil
}

func (c *Cursor) fetchLocked(id RowID) (*version, error) {
	w := c.wait()
	if c.a.SkipLocked {
		w = LockWait{}
	}
	for {
		head, ok := c.t.rows.Get(id)
		if !ok {
			return nil, nil
		}
		if err := c.take(1, c.t.base(id, head.key), c.row, w); err != nil {
			return nil, c.unlessSkipped(err)
		}
		now, ok := c.t.rows.Get(id)
		if ok && now.key == head.key {
			if by := c.tx.foreign(now); by != nil && c.t.stamped() {
				c.letGo()
				if err := c.tx.await(c.t, by, w); err != nil {
					return nil, c.unlessSkipped(err)
				}
				continue
			}
			if c.row != S && c.tx.behind(now) {
				return nil, &UpdateConflict{Table: c.t, ID: id}
			}
			return now.past(c.tx.stamp, c.stmt), nil
		}
		c.letGo()
	}
}
