package store

// What SQL Server calls optimized locking (learn.microsoft.com, "Optimized locking"): every row bears the id of the transaction that
// changed it last, its TID. A transaction that changes rows holds an X lock on its TID until it ends; the locks of rows and keys end with
// the statement. Whoever meets a row that an open transaction has changed releases its own lock on the row, waits with an S lock on
// the TID, and checks again. Locks requested by hints or by stricter isolation levels stay to the end as usual; locks of tables, ranges,
// and everything that is not a row are untouched. If it is not turned on, nothing here has any effect.

// stamped reports whether the table's rows are protected by transactions at present.
func (t *Table) stamped() bool { return t.spec.Stamped != nil && *t.spec.Stamped }

// Stamped reports whether the table's rows are protected by transactions at present.
func (t *Table) Stamped() bool { return t.stamped() }

// lockStamp locks the transaction itself, before its first change in a database. It never waits.
func (tx *Txn) lockStamp(t *Table) error {
	if !t.stamped() || tx.marked == t.spec.DB {
		return nil
	}
	_, err := tx.s.lock(&tx.owner, t.stampOf(tx.stamp), X, LockWait{})
	tx.marked = t.spec.DB
	return err
}

func (t *Table) stampOf(by *stamp) Resource { return Resource{Class: Xact, DB: t.spec.DB, Row: by.txn} }

// lockWrite takes the lock of a row or key that is about to be changed.
func (tx *Txn) lockWrite(t *Table, r Resource, m LockMode, w LockWait) (*grant, error) {
	brief := t.stamped() && parts[m]&pRange == 0
	g, err := tx.lockRow(t, r, m, w, !brief)
	if brief && err == nil {
		tx.keepBriefly(g)
	}
	return g, err
}

// keepBriefly keeps a lock to the end of the statement.
func (tx *Txn) keepBriefly(g *grant) {
	if g != nil {
		tx.brief = append(tx.brief, heldRow{g, g.gen})
	}
}

// keepBriefly keeps the locks of the current row to the end of the statement.
func (c *Cursor) keepBriefly() {
	for _, h := range c.held {
		if h.g != nil {
			c.tx.brief = append(c.tx.brief, h)
		}
	}
	c.held = [2]heldRow{}
}

// EndStatement releases the locks that end with the statement. It never blocks.
func (tx *Txn) EndStatement() {
	for _, h := range tx.brief {
		tx.drop(h.g, h.gen)
	}
	tx.brief = tx.brief[:0]
}

// foreign returns the stamp of another transaction, not ended, that changed the row; nil: nobody did.
func (tx *Txn) foreign(head *version) *stamp {
	if head.by == tx.stamp || head.by.seq != 0 {
		return nil
	}
	return head.by
}

// await waits for another transaction to end.
func (tx *Txn) await(t *Table, by *stamp, w LockWait) error {
	g, err := tx.s.lock(&tx.owner, t.stampOf(by), S, w)
	if err == nil {
		tx.drop(g, g.gen)
	}
	return err
}

// awaitWithout is await without holding the row's lock meanwhile: the other transaction may change the row again.
func (tx *Txn) awaitWithout(t *Table, g *grant, by *stamp, w LockWait) error {
	if g != nil {
		if n := len(tx.brief) - 1; n >= 0 && tx.brief[n].g == g {
			tx.brief = tx.brief[:n]
		}
		tx.drop(g, g.gen)
	}
	return tx.await(t, by, w)
}

// contender returns the stamp of another transaction that has added or removed the key of a unique index
// and has not ended; nil: nobody has.
func (tx *Txn) contender(ix *Index, e entry) (by *stamp) {
	if !ix.unique || !ix.t.stamped() {
		return nil
	}
	ix.tree.Ascend(newEntry(e.key, 0), func(other entry) bool {
		if other.key != e.key {
			return false
		}
		if head, ok := ix.t.rows.Get(other.id); ok && other.id != e.id && ix.live(head, e.key) {
			by = tx.foreign(head)
		}
		return by == nil
	})
	return by
}

// lockSettled is lockEntry, and waits for the transaction that has changed the row.
func (c *Cursor) lockSettled(e entry, head *version) (v, now *version, again bool, err error) {
	for {
		v, now, again, err = c.lockEntry(e, head)
		if v == nil || err != nil || !c.t.stamped() {
			return v, now, again, err
		}
		by := c.writer(now)
		if by == nil {
			return v, now, again, nil
		}
		c.letGo()
		w := c.wait()
		if c.a.SkipLocked {
			w = LockWait{}
		}
		if err := c.tx.await(c.t, by, w); err != nil {
			return nil, now, false, c.unlessSkipped(err)
		}
		if c.a.Range { // rows may have been added before this one
			return nil, now, true, nil
		}
		var ok bool
		if head, ok = c.t.rows.Get(e.id); !ok || !c.live(head, e.key) {
			return nil, nil, false, nil
		}
	}
}

// writer returns the stamp of another transaction that changed what the cursor reads of a row: entries of an index are stamped
// with the changes that touch it.
func (c *Cursor) writer(head *version) *stamp {
	by := c.tx.foreign(head)
	if by == nil || c.ix == nil || c.ix.clustered || !c.a.Covered {
		return by
	}
	for v := head; v != nil && v.by == by; v = v.prev {
		if v.prev == nil || v.deleted != v.prev.deleted || c.ix.touched(v.prev, v) {
			return by
		}
	}
	return nil
}

// touched reports whether an index changes between two versions of a row.
func (ix *Index) touched(a, b *version) bool {
	old, had := ix.entryOf(a.row)
	now, has := ix.entryOf(b.row)
	return had != has || had && (old != now || ix.columns != nil && differ(ix.columns, a.row, b.row))
}

// ChangedSince reports whether another transaction's change of the row was committed after the snapshot.
func (tx *Txn) ChangedSince(t *Table, id RowID, sn Snapshot) bool {
	head, ok := t.rows.Get(id)
	return !ok || head.by != tx.stamp && head.by.seq > sn.Seq
}
