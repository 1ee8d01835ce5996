package store

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// keyChange is what a write does to one index.
type keyChange struct {
	ix      *Index
	old     string
	new     string
	had     bool // the row was under old
	has     bool // the row will be under new
	touched bool // the entry is locked even if it does not change
}

func (k keyChange) moves() bool { return k.had != k.has || k.old != k.new }

// Insert adds a row and returns its id. The row must not be changed afterwards.
// It waits for a duplicate key that is not yet committed.
// Errors: *UniqueViolation, those of Lock; the row then does not exist, but the locks are kept.
func (tx *Txn) Insert(t *Table, row value.Row) (RowID, error) {
	w := tx.sess.Wait()
	if tx.sess.s.k.Fails("write") {
		return 0, ErrFull
	}
	if _, err := tx.lockTable(t, IX, w); err != nil {
		return 0, err
	}
	t.last++
	id := t.last
	if err := tx.lockStamp(t); err != nil {
		return 0, err
	}
	if t.clustered == nil {
		if _, err := tx.lockWrite(t, t.base(id, ""), X, w); err != nil {
			return 0, err
		}
		tx.add(t, id, row, "")
	}
	mark := tx.Mark()
	if t.clustered == nil {
		mark.undo--
	}
	for _, ix := range t.indexes { // the clustered one is the first
		key, ok := ix.entryOf(row)
		if !ok {
			continue
		}
		if err := tx.lockNew(ix, newEntry(key, id), row, w); err != nil {
			tx.RollbackStatement(mark)
			return 0, err
		}
		if ix.clustered {
			tx.add(t, id, row, key)
		}
		ix.enter(newEntry(key, id))
	}
	return id, nil
}

func (tx *Txn) add(t *Table, id RowID, row value.Row, key string) {
	tx.put(t, id, row, &version{key: key})
	t.count++
}

// lockNew locks a key that is about to be inserted, once the gap it goes into is free,
// and checks that it is not taken. Nobody else runs between the last check and the return.
func (tx *Txn) lockNew(ix *Index, e entry, row value.Row, w LockWait) error {
	for free := false; !free; _, _, free = tx.gap(ix, e) {
		if err := tx.lockInto(ix, e, w); err != nil {
			return err
		}
	}
	if ix.unique && ix.taken(e.key, e.id) {
		return &UniqueViolation{Table: ix.t, Index: ix, Row: row}
	}
	return nil
}

// lockInto tests the gap into which an entry goes and then locks the entry's key. While that is
// being granted, somebody may lock the gap, so it has to be tested again.
func (tx *Txn) lockInto(ix *Index, e entry, w LockWait) error {
	for {
		own, err := tx.testGap(ix, e, w)
		if err != nil {
			return err
		}
		mode := X
		if own { // the new key splits a range of this transaction: both parts stay locked
			mode = RangeXX
		}
		g, err := tx.lockWrite(ix.t, ix.resource(e), mode, w)
		if err != nil {
			return err
		}
		by := tx.contender(ix, e)
		if by == nil {
			return nil
		}
		if err := tx.awaitWithout(ix.t, g, by, w); err != nil {
			return err
		}
	}
}

// testGap waits until nobody else has locked the gap into which the entry goes. own: the
// transaction has locked it itself.
func (tx *Txn) testGap(ix *Index, e entry, w LockWait) (own bool, err error) {
	for {
		next, own, free := tx.gap(ix, e)
		if free {
			return own, nil
		}
		g, err := tx.s.lock(&tx.owner, next, RangeIN, w)
		if err != nil {
			return own, err
		}
		tx.drop(g, g.gen)
	}
}

// gap returns the resource that locks the gap into which an entry goes, the next key or infinity, and whether
// nobody else holds it.
func (tx *Txn) gap(ix *Index, e entry) (next Resource, own, free bool) {
	if tx.s.ranges == 0 || ix.t.spec.Volatile || tx.use(ix.t).mode().coversRows(X) {
		return next, false, true
	}
	next = Resource{Class: Key, DB: ix.t.spec.DB, Object: ix.id, Row: infinity}
	if above, ok := ix.seekLive(newEntry(e.key, e.id+1)); ok {
		next = ix.resource(above)
	}
	lk := tx.s.locks[next]
	if lk == nil {
		return next, false, true
	}
	g := lk.held(&tx.owner)
	return next, g != nil && parts[g.mode]&pRange != 0, lk.free(&tx.owner, RangeIN)
}

// taken reports whether another row has key now. The key is locked, so nobody
// but the transaction itself has an uncommitted change of that.
func (ix *Index) taken(key string, id RowID) (yes bool) {
	ix.tree.Ascend(newEntry(key, 0), func(e entry) bool {
		if e.key != key {
			return false
		}
		if e.id != id {
			head, ok := ix.t.rows.Get(e.id)
			yes = ok && ix.has(head, head, key)
		}
		return !yes
	})
	return yes
}

// claim locks a row in the given mode and returns its newest version.
func (tx *Txn) claim(t *Table, id RowID, m LockMode, w LockWait, keep bool) (*version, *grant, error) {
	for {
		head, ok := t.rows.Get(id)
		if !ok {
			return nil, nil, ErrGone
		}
		var g *grant
		if r := t.base(id, head.key); m != X || tx.s.ModeHeld(&tx.owner, r) != X { // an owner that already has it requests nothing
			var err error
			if g, err = tx.lockRow(t, r, m, w, keep); err != nil {
				return nil, nil, err
			}
		}
		now, ok := t.rows.Get(id)
		if ok && now.key == head.key {
			switch {
			case t.stamped() && tx.foreign(now) != nil:
				if err := tx.awaitWithout(t, g, tx.foreign(now), w); err != nil {
					return nil, nil, err
				}
				continue
			case m != S && tx.behind(now):
				return nil, nil, &UpdateConflict{Table: t, ID: id}
			case !now.deleted:
				return now, g, nil
			}
		}
		if g != nil {
			tx.drop(g, g.gen)
		}
		if !ok || now.deleted {
			return nil, nil, ErrGone
		}
	}
}

// LockRow locks a row, and its table with the intent, to the end of the transaction.
// Errors: ErrGone, *UpdateConflict, those of Lock.
func (tx *Txn) LockRow(t *Table, id RowID, m LockMode, w LockWait) error {
	if _, err := tx.lockTable(t, intent(m), w); err != nil {
		return err
	}
	_, _, err := tx.claim(t, id, m, w, true)
	return err
}

// Update replaces a row. It locks the row and, under its old and new key, every index
// that the change touches. Errors: ErrGone, *UniqueViolation, *UpdateConflict, those of Lock.
func (tx *Txn) Update(t *Table, id RowID, row value.Row) error {
	head, err := tx.lockChange(t, id, row)
	if err != nil {
		return err
	}
	for _, k := range tx.changes {
		if k.ix.unique && k.has && k.moves() && k.ix.taken(k.new, id) {
			return &UniqueViolation{Table: t, Index: k.ix, Row: row}
		}
	}
	tx.change(t, id, row, head)
	return nil
}

// UpdateAll replaces rows as one statement does: keys must be unique at the end, not in
// between, so that keys may be exchanged or shifted. Errors: as Update; nothing is then changed.
func (tx *Txn) UpdateAll(t *Table, ids []RowID, rows []value.Row) error {
	for i, id := range ids {
		if _, err := tx.lockChange(t, id, rows[i]); err != nil {
			return err
		}
	}
	mark := tx.Mark()
	type moved struct {
		ix  *Index
		key string
		at  int
	}
	var check []moved
	for i, id := range ids {
		head, ok := t.rows.Get(id)
		if !ok || head.deleted {
			tx.RollbackStatement(mark)
			return ErrGone
		}
		tx.compare(t, head, rows[i])
		if err := tx.settle(id, tx.sess.Wait()); err != nil {
			tx.RollbackStatement(mark)
			return err
		}
		for _, k := range tx.changes {
			if k.ix.unique && k.has && k.moves() {
				check = append(check, moved{k.ix, k.new, i})
			}
		}
		tx.change(t, id, rows[i], head)
	}
	for _, m := range check {
		if m.ix.taken(m.key, ids[m.at]) {
			tx.RollbackStatement(mark)
			return &UniqueViolation{Table: t, Index: m.ix, Row: rows[m.at]}
		}
	}
	return nil
}

// Delete removes a row. It locks the row and its keys. Errors: ErrGone, *UpdateConflict, those of Lock.
func (tx *Txn) Delete(t *Table, id RowID) error {
	head, err := tx.lockChange(t, id, nil)
	if err != nil {
		return err
	}
	tx.put(t, id, head.row, &version{key: head.key, prev: head, deleted: true, moved: head.moved})
	t.count--
	return nil
}

// lockChange takes all the locks for replacing a row, or for deleting it (nil), and leaves in
// tx.changes the effects on the indexes. All are taken before anything changes: whoever reads
// an index alone must not see a new state before the index entry is locked.
func (tx *Txn) lockChange(t *Table, id RowID, row value.Row) (*version, error) {
	w := tx.sess.Wait()
	if tx.sess.s.k.Fails("write") {
		return nil, ErrFull
	}
	if _, err := tx.lockTable(t, IX, w); err != nil {
		return nil, err
	}
	if err := tx.lockStamp(t); err != nil {
		return nil, err
	}
	head, g, err := tx.claim(t, id, X, w, !t.stamped())
	if err != nil {
		return nil, err
	}
	if t.stamped() {
		tx.keepBriefly(g)
	}
	tx.compare(t, head, row)
	if t.spec.Volatile {
		return head, nil
	}
	for _, k := range tx.changes {
		if k.had && !k.ix.clustered {
			if _, err := tx.lockWrite(t, k.ix.resource(newEntry(k.old, id)), X, w); err != nil {
				return nil, err
			}
		}
		if !k.has || !k.moves() {
			continue
		}
		if err := tx.lockInto(k.ix, newEntry(k.new, id), w); err != nil {
			return nil, err
		}
	}
	return head, tx.settle(id, w)
}

// settle waits until all gaps into which the row's new entries go are free at the same time.
// Nobody else runs between the last check and the return.
func (tx *Txn) settle(id RowID, w LockWait) error {
	for again := true; again; {
		again = false
		for _, k := range tx.changes {
			if !k.has || !k.moves() {
				continue
			}
			e := newEntry(k.new, id)
			if _, _, free := tx.gap(k.ix, e); !free {
				again = true
				if err := tx.lockInto(k.ix, e, w); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// compare sets tx.changes to the effects on the indexes of replacing head with row (nil: deleting it).
func (tx *Txn) compare(t *Table, head *version, row value.Row) {
	tx.changes = tx.changes[:0]
	for _, ix := range t.indexes {
		if row != nil && ix.columns != nil && ix.filter == nil && !differ(ix.columns, head.row, row) {
			continue
		}
		k := keyChange{ix: ix}
		if ix.clustered {
			k.old, k.had = head.key, true
		} else {
			k.old, k.had = ix.entryOf(head.row)
		}
		if row != nil {
			k.new, k.has = ix.entryOf(row)
			k.touched = k.had && k.has && ix.columns != nil && differ(ix.columns, head.row, row)
		}
		if (k.had || k.has) && (k.moves() || k.touched) {
			tx.changes = append(tx.changes, k)
		}
	}
}

func differ(columns []int, a, b value.Row) bool {
	return slices.ContainsFunc(columns, func(i int) bool { return !same(a[i], b[i]) })
}

// change pushes the new version and enters the new keys.
func (tx *Txn) change(t *Table, id RowID, row value.Row, head *version) {
	v := &version{key: head.key, prev: head, moved: head.moved}
	for _, k := range tx.changes {
		if !k.moves() {
			continue
		}
		v.moved = true
		if k.ix.clustered {
			v.key = k.new
		}
		if k.has {
			k.ix.enter(newEntry(k.new, id))
		}
	}
	tx.put(t, id, row, v)
}
