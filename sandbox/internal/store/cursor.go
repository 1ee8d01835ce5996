package store

import (
	"cmp"
	"errors"
	"unsafe"

	"github.com/tidwall/btree"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// ReadMode says how a cursor deals with what others have not committed.
type ReadMode uint8

// The read modes.
const (
	Locking   ReadMode = iota // waits for the others: sees the newest state, under locks
	Dirty                     // sees uncommitted changes: READ UNCOMMITTED
	Versioned                 // sees the state of a snapshot, without locks
)

// Access says what a cursor reads and how.
type Access struct {
	Index *Index // nil: the clustered index, or the heap in order of row ids
	// Lo and Hi are key prefixes that bound what is read; nil: unbounded. They include every key
	// that begins with them, or exclude all of those when LoOpen or HiOpen is set.
	// They must not be changed while the cursor is open.
	Lo, Hi         []byte
	LoOpen, HiOpen bool
	Desc           bool // from high to low keys

	Mode     ReadMode
	Snapshot Snapshot // for Versioned

	Lock       LockMode // of rows, for Locking: S (the default), U or X
	Keep       bool     // row locks are kept to the end of the transaction
	Range      bool     // take key-range locks, to the end of the transaction: no phantoms
	SkipLocked bool     // skip rows that others have locked
	NoWait     bool     // fail instead of waiting
	TableLock  LockMode // lock the table in this mode; row locks only if that does not make them unnecessary
	Covered    bool     // the index has all requested columns: rows themselves are not locked
	Seek       bool     // count rows as seeks, not as scans
	Brief      bool     // the row is about to change: its locks last to the statement's end, or longer if they are X and rows are not stamped

	// Statement is the number of the statement that reads, if not the transaction's current one:
	// what this and later statements of the transaction wrote is invisible.
	Statement int32
}

// Cursor reads rows of a table in the order of an index. Changes to the table do not disturb it.
type Cursor struct {
	tx   *Txn
	t    *Table
	ix   *Index // nil: heap
	a    Access
	stmt int32
	row  LockMode // mode of row locks
	lo   string
	hi   string

	begun, ended bool
	placed       bool   // last is valid
	seen         uint64 // the tree's changes when the iterator was placed
	last         entry
	anchor       entry // Range: the last entry that was locked; entries after it may still change
	anchored     bool
	tree         btree.IterG[entry]

	table *grant // table lock to release at Close
	gen   uint32
	held  [2]heldRow // locks of the current row, unless they are kept
}

// heldRow is a row lock and the generation it had when it was taken.
type heldRow struct {
	g   *grant
	gen uint32
}

// Open returns a cursor before its first row. Locks are taken by Next.
func (tx *Txn) Open(t *Table, a Access) *Cursor {
	c := &Cursor{tx: tx, t: t, ix: a.Index, a: a, stmt: a.Statement, row: a.Lock}
	if c.ix == nil {
		c.ix = t.clustered
	}
	c.stmt = cmp.Or(c.stmt, tx.stmt)
	if c.row == NL {
		c.row = S
	}
	c.lo, c.hi = unsafe.String(unsafe.SliceData(a.Lo), len(a.Lo)), unsafe.String(unsafe.SliceData(a.Hi), len(a.Hi))
	return c
}

// Close releases the locks that are not kept. It may be called more than once.
func (c *Cursor) Close() {
	c.ended = true
	c.moveOn()
	if c.table != nil && c.a.Brief {
		c.tx.brief = append(c.tx.brief, heldRow{c.table, c.gen})
	} else if c.table != nil {
		c.tx.drop(c.table, c.gen)
	}
	c.table = nil
}

// KeepRow keeps the locks of the row that Next last returned to the end of the transaction.
func (c *Cursor) KeepRow() {
	c.held = [2]heldRow{}
	c.table = nil
}

// DropRow releases the locks of the row that Next last returned: it turned out not to qualify.
// Kept locks stay.
func (c *Cursor) DropRow() { c.letGo() }

// moveOn leaves the row that Next last returned.
func (c *Cursor) moveOn() {
	if c.a.Brief {
		c.keepBriefly()
	} else {
		c.letGo()
	}
}

func (c *Cursor) letGo() {
	for i := range c.held {
		if h := &c.held[i]; h.g != nil {
			c.tx.drop(h.g, h.gen)
			h.g = nil
		}
	}
}

// wait returns how the cursor's lock requests wait.
func (c *Cursor) wait() LockWait {
	if c.a.NoWait {
		return LockWait{}
	}
	return c.tx.sess.Wait()
}

// begin locks the table.
func (c *Cursor) begin() error {
	c.begun = true
	m := SchS
	if c.a.Mode == Locking {
		m = intent(c.row)
		if c.a.TableLock != NL {
			if m = c.a.TableLock; !m.coversRows(c.row) {
				m = m.With(intent(c.row))
			}
		}
		if c.a.Range && c.ix == nil { // a heap has no keys to lock ranges of
			if m = m.With(S); c.row != S {
				m = X
			}
		}
	}
	g, err := c.tx.lockTable(c.t, m, c.wait())
	if err != nil || g == nil {
		return err
	}
	if c.a.Mode != Locking || !c.a.Keep && !c.a.Range {
		c.table, c.gen = g, g.gen
	}
	if c.a.Range && c.a.Desc && c.a.Mode == Locking && c.ix != nil {
		for { // the gap above the range, before the first row is read
			if changed, err := c.lockAbove(); err != nil || !changed {
				return err
			}
		}
	}
	return nil
}

// Next moves to the next row; false at the end. Errors: those of Lock, *UpdateConflict.
func (c *Cursor) Next() (RowID, value.Row, bool, error) {
	c.moveOn()
	if c.ended {
		return 0, nil, false, nil
	}
	if !c.begun {
		if err := c.begin(); err != nil {
			c.ended = true
			return 0, nil, false, err
		}
	}
	c.tx.sess.offer(atRows)
	for {
		e, head, ok := c.advance()
		if !ok {
			if c.a.Range && !c.a.Desc && c.a.Mode == Locking && c.ix != nil && !c.t.spec.Volatile {
				changed, err := c.lockAbove()
				if err != nil {
					c.ended = true
					return 0, nil, false, err
				}
				if changed { // rows may have been added
					c.rewind()
					continue
				}
			}
			c.ended = true
			return 0, nil, false, nil
		}
		if head == nil {
			c.passed(e, head)
			continue
		}
		var v *version
		switch {
		case c.a.Mode == Versioned && !c.t.spec.Volatile:
			v = head.asOf(c.a.Snapshot.Seq, c.tx.stamp, c.stmt)
		case c.a.Mode == Locking && !c.t.spec.Volatile:
			var again bool
			var err error
			if v, head, again, err = c.lockSettled(e, head); err != nil {
				c.ended = true
				return 0, nil, false, err
			}
			if again {
				c.rewind()
				continue
			}
		default:
			v = head.past(c.tx.stamp, c.stmt)
		}
		if v == nil || v.deleted || c.ix != nil && !c.ix.has(v, head, e.key) {
			c.passed(e, head)
			c.letGo()
			continue
		}
		if c.point() {
			c.ended = true // there is no other row with that key
		}
		if c.a.Keep {
			c.held = [2]heldRow{}
		}
		c.tx.sess.countRead(c.a.Seek)
		return e.id, v.row, true, nil
	}
}

// rewind goes back to the last entry that was locked.
func (c *Cursor) rewind() { c.last, c.placed, c.seen = c.anchor, c.anchored, 0 }

// point reports whether the current row is the only one the cursor can find.
func (c *Cursor) point() bool {
	return c.ix != nil && c.ix.unique && c.a.Lo != nil && !c.a.LoOpen && c.last.key == c.lo && c.lo == c.hi
}

// passed counts an entry that was passed over if it is dead.
func (c *Cursor) passed(e entry, head *version) {
	if c.ix != nil && c.t.stalled() && !c.ix.needed(head, e.key) {
		c.tx.sess.countRead(c.a.Seek)
	}
}

func (x *Session) countRead(seek bool) {
	if seek {
		x.Counters.RowsSeek++
		x.s.Counters.RowsSeek++
	} else {
		x.Counters.RowsScanned++
		x.s.Counters.RowsScanned++
	}
}

// lockEntry takes the locks for an entry and returns the version seen under them; nil: none.
// again: while it waited, rows may have been added before this one.
func (c *Cursor) lockEntry(e entry, head *version) (v, now *version, again bool, err error) {
	if !c.live(head, e.key) {
		return nil, head, false, nil
	}
	w, mode := c.wait(), c.row
	if c.a.SkipLocked {
		w = LockWait{}
	}
	if c.a.Range && !c.point() {
		mode = ranged(c.row)
	}
	changes, own := c.t.changes, c.ix == nil || c.ix.clustered // own: the entry is the row
	if !own {
		if err := c.take(0, c.ix.resource(e), mode, w); err != nil {
			return nil, head, false, c.unlessSkipped(err)
		}
		mode = c.row
	}
	for {
		key := head.key
		if own {
			key = e.key
		}
		if own || !c.a.Covered {
			if err := c.take(1, c.t.base(e.id, key), mode, w); err != nil {
				return nil, head, false, c.unlessSkipped(err)
			}
		}
		if c.t.changes == changes {
			break
		}
		if c.a.Range {
			return nil, head, true, nil
		}
		changes = c.t.changes
		var ok bool
		if head, ok = c.t.rows.Get(e.id); !ok || !c.live(head, e.key) {
			return nil, nil, false, nil
		}
		if own || c.a.Covered || head.key == key {
			break
		}
		c.tx.drop(c.held[1].g, c.held[1].gen) // the row has moved: lock it there
		c.held[1].g = nil
	}
	c.anchor, c.anchored = e, true
	if c.row != S && c.tx.behind(head) {
		return nil, head, false, &UpdateConflict{Table: c.t, ID: e.id}
	}
	return head.past(c.tx.stamp, c.stmt), head, false, nil
}

// unlessSkipped returns err, unless it says that others have locked a row that is to be skipped.
func (c *Cursor) unlessSkipped(err error) error {
	var busy *LockTimeout
	if c.a.SkipLocked && errors.As(err, &busy) {
		return nil
	}
	return err
}

// take locks one of the row's resources. It is remembered until it is known whether the row is
// read at all; range locks are kept anyway.
func (c *Cursor) take(i int, r Resource, m LockMode, w LockWait) error {
	brief := c.a.Brief && c.t.stamped()
	g, err := c.tx.lockRow(c.t, r, m, w, !brief && (c.a.Keep || c.a.Range))
	if err == nil && g != nil && !c.a.Range {
		c.held[i] = heldRow{g, g.gen}
	}
	return err
}

// live reports whether an entry, or a row of a heap, exists or may exist again.
func (c *Cursor) live(head *version, key string) bool {
	if c.ix == nil {
		return !head.deleted || head.by.seq == 0
	}
	return c.ix.live(head, key)
}

// behind reports whether the row was changed by a commit after the snapshot that was promised.
func (tx *Txn) behind(head *version) bool {
	if tx.guard == 0 {
		return false
	}
	v := head.settled()
	return v != nil && v.by.seq > tx.guard
}
