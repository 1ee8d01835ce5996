package store

import (
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Txn is a transaction: an undo log and an owner of locks. A session may have several at a time.
type Txn struct {
	s       *Store
	sess    *Session
	id      int64
	owner   Owner
	stamp   *stamp
	stmt    int32
	undo    []undo
	commits []func()
	ends    []func(committed bool)
	snaps   []int64
	uses    []tableUse
	changes []keyChange // scratch of the row being written
	brief   []heldRow   // row locks released at the end of the statement
	marked  int64       // the database in which the transaction itself was last locked
	guard   int64       // GuardWrites: the snapshot; rows committed after it must not change
	wrote   bool
	later   bool // nobody waits for its log
	done    bool
}

// undo is an entry of the undo log: a version on top of a row's chain, or a function.
type undo struct {
	table *Table
	id    RowID
	ver   *version
	fn    func()
}

// Mark is a place in a transaction's undo log: the start of a statement, or a savepoint.
type Mark struct{ undo, commits int }

// Snapshot is a point in the order of commits: a versioned read sees what was committed then
// and the earlier statements of its own transaction.
type Snapshot struct{ Seq int64 }

// Begin starts a transaction. It sees its first statement as number 1.
func (x *Session) Begin() *Txn {
	x.s.txn++
	tx := &Txn{s: x.s, sess: x, id: x.s.txn, stamp: &stamp{txn: x.s.txn}, stmt: 1}
	tx.owner = Owner{sess: x, txn: tx}
	x.txns = append(x.txns, tx)
	return tx
}

// ID numbers transactions in the order in which they began.
func (tx *Txn) ID() int64 { return tx.id }

// Session returns the session of the transaction.
func (tx *Txn) Session() *Session { return tx.sess }

// Store returns the store of the transaction.
func (tx *Txn) Store() *Store { return tx.s }

// Owner owns the locks that end with the transaction.
func (tx *Txn) Owner() *Owner { return &tx.owner }

// Done reports whether the transaction was committed or rolled back.
func (tx *Txn) Done() bool { return tx.done }

// Wrote reports whether the transaction has changed a row.
func (tx *Txn) Wrote() bool { return tx.wrote }

// UndoLen returns the length of the undo log: 0 if there is nothing to undo.
func (tx *Txn) UndoLen() int { return len(tx.undo) }

// Mark returns the current end of the undo log.
func (tx *Txn) Mark() Mark { return Mark{len(tx.undo), len(tx.commits)} }

// NewStatement starts the next statement and returns its number: cursors opened from now on see
// what earlier statements wrote but nothing that this one writes.
func (tx *Txn) NewStatement() int32 {
	tx.stmt++
	return tx.stmt
}

// Statement returns the number of the current statement.
func (tx *Txn) Statement() int32 { return tx.stmt }

// Undo pushes a function onto the undo log; it must not block.
func (tx *Txn) Undo(fn func()) { tx.push(undo{fn: fn}) }

func (tx *Txn) push(u undo) {
	if tx.done {
		panic("store: the transaction has ended")
	}
	tx.undo = append(tx.undo, u)
}

// OnCommit registers fn to be run by Commit, in order, when the changes are durable and visible but the
// locks are still held. It must not block. Rolling back to an earlier mark discards it.
func (tx *Txn) OnCommit(fn func()) { tx.commits = append(tx.commits, fn) }

// OnEnd registers fn to be run when the transaction has ended, either way, and has released its locks.
// It must not block. Unlike OnCommit it survives a rollback to an earlier mark, as locks do.
func (tx *Txn) OnEnd(fn func(committed bool)) { tx.ends = append(tx.ends, fn) }

func (tx *Txn) end(committed bool) {
	tx.sess.Count(Counters{Transactions: 1})
	for _, fn := range tx.ends {
		fn(committed)
	}
}

// Snapshot takes a snapshot. Its versions are kept until Release or the transaction's end.
func (tx *Txn) Snapshot() Snapshot {
	seq := tx.s.pin()
	tx.snaps = append(tx.snaps, seq)
	return Snapshot{seq}
}

// Release releases a snapshot before the transaction ends.
func (tx *Txn) Release(sn Snapshot) {
	if i := slices.Index(tx.snaps, sn.Seq); i >= 0 {
		tx.snaps = slices.Delete(tx.snaps, i, i+1)
		tx.s.unpin(sn.Seq)
	}
}

// GuardWrites makes the transaction refuse, with *UpdateConflict, to change or lock for a change
// rows changed by commits after the snapshot: SQL Server's SNAPSHOT isolation.
func (tx *Txn) GuardWrites(sn Snapshot) { tx.guard = sn.Seq }

// RollbackTo undoes, in reverse order, what was done since the mark: rows, index entries, and
// functions given to Undo. Volatile tables keep their rows. All locks are kept, as SQL Server
// keeps them when a statement fails or a transaction is rolled back to a savepoint. It never blocks.
func (tx *Txn) RollbackTo(m Mark) { tx.rollback(m, false) }

// RollbackStatement is RollbackTo for a statement that failed: it undoes changes of volatile tables, too.
func (tx *Txn) RollbackStatement(m Mark) { tx.rollback(m, true) }

func (tx *Txn) rollback(m Mark, volatile bool) {
	var kept []undo
	for len(tx.undo) > m.undo {
		u := tx.undo[len(tx.undo)-1]
		tx.undo[len(tx.undo)-1] = undo{}
		tx.undo = tx.undo[:len(tx.undo)-1]
		switch {
		case u.ver != nil && u.table.spec.Volatile && !volatile:
			kept = append(kept, u)
		case u.ver != nil:
			u.table.undo(u.id, u.ver)
		default:
			u.fn()
		}
	}
	slices.Reverse(kept)
	tx.undo = append(tx.undo, kept...)
	if m.commits < len(tx.commits) {
		clear(tx.commits[m.commits:])
		tx.commits = tx.commits[:m.commits]
	}
}

// undo removes the newest version of a row.
func (t *Table) undo(id RowID, ver *version) {
	t.changes++
	if head, _ := t.rows.Get(id); head != ver {
		panic("store: undo out of order")
	}
	switch {
	case ver.prev == nil:
		t.rows.Delete(id)
		t.count--
		t.dropEntries(id, ver, nil)
		return
	case ver.deleted:
		t.count++
	case ver.moved:
		t.dropEntries(id, ver, ver.prev)
	}
	t.rows.Set(id, ver.prev)
}

// Commit makes the changes durable and visible, runs the functions given to OnCommit, and only
// then releases the locks: whoever waited for this transaction finds everything in place that
// its commit publishes (messages, timers, new definitions). Nobody else runs in between, so a
// kill finds the transaction either open or completely committed.
func (tx *Txn) Commit() {
	if tx.done {
		panic("store: commit of a transaction that has ended")
	}
	tx.sess.offer(atLocks)
	if tx.wrote {
		tx.sess.Count(Counters{LogRecords: int64(len(tx.undo))})
		tx.s.Work.Log += logBytes(tx.undo)
		if tx.later {
			tx.s.keepLog(tx)
		} else {
			tx.sess.Count(Counters{Flushes: 1})
			tx.s.Sync()
		}
		tx.s.seq++
		tx.stamp.seq = tx.s.seq
	}
	fns := tx.commits
	tx.finish()
	for _, fn := range fns {
		fn()
	}
	tx.owner.ReleaseAll()
	tx.end(true)
	tx.sess.offer(atLocks)
}

// Rollback undoes everything and releases the locks. It never blocks; a killed session calls
// it while it unwinds. If the transaction has already ended, nothing happens.
func (tx *Txn) Rollback() {
	if tx.done {
		return
	}
	tx.rollback(Mark{}, false)
	if tx.wrote {
		tx.stamp.seq = tx.s.seq // only volatile rows still bear the stamp, and they are kept
	}
	tx.finish()
	tx.owner.ReleaseAll()
	tx.end(false)
}

// finish drops what the transaction kept alive: its snapshots, and the versions it replaced.
func (tx *Txn) finish() {
	tx.done = true
	for _, seq := range tx.snaps {
		tx.s.unpin(seq)
	}
	s, h := tx.s, tx.s.horizon()
	for _, u := range tx.uses {
		if !u.since.IsZero() {
			s.Work.Locked[u.t.spec.Name] += s.k.Now().Sub(u.since)
		}
	}
	for _, u := range tx.undo {
		if u.ver != nil {
			u.table.changes++ // what others saw as uncommitted has changed its meaning
		}
		switch {
		case u.ver == nil || u.ver.prev == nil:
		case u.table.spec.Volatile:
			u.table.prune(u.id, s.seq)
		case h >= tx.stamp.seq:
			u.table.prune(u.id, h)
		default:
			s.trash = append(s.trash, garbage{tx.stamp.seq, u.table, u.id})
		}
	}
	tx.undo, tx.commits, tx.snaps, tx.uses, tx.brief = nil, nil, nil, nil, nil
	if i := slices.Index(tx.sess.txns, tx); i >= 0 {
		tx.sess.txns = slices.Delete(tx.sess.txns, i, i+1)
	}
}

// tableUse is what a transaction knows about a table it uses.
type tableUse struct {
	t     *Table
	hold  *grant // the table lock, if gen still matches
	gen   uint32
	stmt  int32 // the statement that the counts belong to
	count []indexLocks
	since time.Time // when the transaction first locked a row to change it
}

// indexLocks counts the row locks that one statement keeps on one index or heap.
type indexLocks struct{ object, locks int64 }

func (u *tableUse) mode() LockMode {
	if u.hold != nil && u.hold.gen == u.gen {
		return u.hold.mode
	}
	return NL
}

func (tx *Txn) use(t *Table) *tableUse {
	for i := len(tx.uses) - 1; i >= 0; i-- {
		if tx.uses[i].t == t {
			return &tx.uses[i]
		}
	}
	tx.uses = append(tx.uses, tableUse{t: t})
	return &tx.uses[len(tx.uses)-1]
}

// LockTable locks a table to the end of the transaction, waiting as the session does.
func (tx *Txn) LockTable(t *Table, m LockMode) error {
	_, err := tx.lockTable(t, m, tx.sess.Wait())
	return err
}

// lockTable takes a table lock, or counts one that is already held.
func (tx *Txn) lockTable(t *Table, m LockMode, w LockWait) (*grant, error) {
	if tx.done {
		panic("store: the transaction has ended")
	}
	if t.spec.Volatile {
		return nil, nil
	}
	if u := tx.use(t); u.mode() != NL && u.hold.mode.Covers(m) {
		u.hold.count++
		return u.hold, nil
	}
	g, err := tx.s.lock(&tx.owner, t.res, m, w)
	if err != nil {
		return nil, err
	}
	u := tx.use(t) // the list may have grown in the meantime
	u.hold, u.gen = g, g.gen
	return g, nil
}

// lockRow takes a lock on a row or key, unless the table lock already covers it (nil).
// A lock that is kept counts for escalation.
func (tx *Txn) lockRow(t *Table, r Resource, m LockMode, w LockWait, keep bool) (*grant, error) {
	if t.spec.Volatile || tx.use(t).mode().coversRows(m) {
		return nil, nil
	}
	g, err := tx.s.lock(&tx.owner, r, m, w)
	if u := tx.use(t); err == nil && parts[m]&(pU|pX) != 0 && u.since.IsZero() {
		u.since = tx.s.k.Now()
	}
	if err != nil || !keep || g.count > 1 || tx.s.opts.EscalateAt == 0 || t.spec.NoEscalation {
		return g, err
	}
	if tx.countLock(t, r.Object) {
		return nil, nil // the table lock has replaced it
	}
	return g, nil
}

// countLock counts a kept row lock and tries to replace all with a table lock when there are too
// many; true if it did. SQL Server tries at 5,000 locks of one statement on one index, and again
// after every 1,250 more ("Transaction locking and row versioning guide", lock escalation).
func (tx *Txn) countLock(t *Table, object int64) bool {
	u := tx.use(t)
	if u.stmt != tx.stmt {
		u.stmt, u.count = tx.stmt, u.count[:0]
	}
	i := slices.IndexFunc(u.count, func(c indexLocks) bool { return c.object == object })
	if i < 0 {
		i = len(u.count)
		u.count = append(u.count, indexLocks{object: object})
	}
	u.count[i].locks++
	at := int64(tx.s.opts.EscalateAt)
	over := u.count[i].locks - at
	return over >= 0 && over%max(at/4, 1) == 0 && tx.escalate(u)
}

// escalate replaces the transaction's row locks with a table lock if nothing conflicts; it never waits.
func (tx *Txn) escalate(u *tableUse) bool {
	if u.mode() == NL {
		return false
	}
	want := S
	if parts[u.hold.mode]&(pIX|pU|pX) != 0 {
		want = X
	}
	if !u.hold.lk.free(&tx.owner, want) {
		return false
	}
	tx.s.convert(u.hold, want)
	u.hold.count++ // it lasts as long as the row locks would have
	u.count = u.count[:0]
	for g := tx.owner.first; g != nil; {
		next := g.next
		if u.t.hasRowLock(g.lk.res) {
			tx.s.release(g)
		}
		g = next
	}
	return true
}

func (t *Table) hasRowLock(r Resource) bool {
	switch r.Class {
	case RID:
		return r.Object == t.heap
	case Key:
		return slices.ContainsFunc(t.indexes, func(ix *Index) bool { return ix.id == r.Object })
	default:
		return false
	}
}

// drop releases one row lock, unless it is already gone.
func (tx *Txn) drop(g *grant, gen uint32) {
	switch {
	case g == nil || g.gen != gen:
	case g.count > 1:
		g.count--
	default:
		tx.s.release(g)
	}
}

// put pushes a new version on a row's chain.
func (tx *Txn) put(t *Table, id RowID, row value.Row, v *version) {
	v.row, v.by, v.stmt = row, tx.stamp, tx.stmt
	tx.wrote = true
	t.rows.Set(id, v)
	t.changes++
	tx.push(undo{table: t, id: id, ver: v})
	tx.sess.Count(Counters{RowsWritten: 1})
}
