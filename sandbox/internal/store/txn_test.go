package store

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func TestUndoRunsBackwards(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, _ := w.people()
	tx := w.s.NewSession(nil).Begin()
	var log []string
	note := func(s string) func() { return func() { log = append(log, s) } }
	tx.Undo(note("undo a"))
	tx.OnCommit(note("commit a"))
	m := tx.Mark()
	_, err := tx.Insert(tab, ints(1, 1, 1))
	require.NoError(t, err)
	tx.Undo(func() { log = append(log, "undo b"); require.Equal(t, 1, tab.Rows()) })
	tx.OnCommit(note("commit b"))
	require.Equal(t, 3, tx.UndoLen())
	tx.RollbackTo(m)
	require.Equal(t, []string{"undo b"}, log)
	require.Zero(t, tab.Rows())
	require.NotZero(t, tx.Owner().Len(), "locks are kept")
	tx.OnCommit(note("commit c"))
	tx.Commit()
	require.Equal(t, []string{"undo b", "commit a", "commit c"}, log)
	require.True(t, tx.Done())
	tx.Rollback() // nothing happens
	require.Len(t, log, 3)
	w.clean(tab)
}

func TestCommitPublishesBeforeItLetsGo(t *testing.T) {
	w := newWorld(t, Options{})
	tx := w.s.NewSession(nil).Begin()
	require.NoError(t, w.s.Lock(tx.Owner(), res(1), X, LockWait{}))
	ran := false
	tx.OnCommit(func() {
		ran = true
		require.True(t, tx.Done())
		require.Equal(t, X, w.s.ModeHeld(tx.Owner(), res(1)))
	})
	tx.Commit()
	require.True(t, ran)
	w.clean()
}

func TestOnEnd(t *testing.T) {
	w := newWorld(t, Options{})
	for name, end := range map[string]func(*Txn){"true": (*Txn).Commit, "false": (*Txn).Rollback} {
		tx := w.s.NewSession(nil).Begin()
		require.NoError(t, w.s.Lock(tx.Owner(), res(1), X, LockWait{}))
		m := tx.Mark()
		var got []string
		tx.OnEnd(func(committed bool) {
			got = append(got, fmt.Sprint(committed))
			require.Equal(t, NL, w.s.ModeHeld(tx.Owner(), res(1)))
		})
		tx.RollbackTo(m)
		require.Empty(t, got)
		end(tx)
		tx.Rollback()
		require.Equal(t, []string{name}, got)
	}
}

func TestVolatileTables(t *testing.T) {
	w := newWorld(t, Options{})
	x := w.s.NewSession(nil)
	tx := x.Begin()
	tab := w.s.NewTable(TableSpec{Name: "@t", Volatile: true})
	_, err := tab.AddIndex(tx, IndexSpec{Name: "pk", Unique: true, Clustered: true, Key: intKey(0)})
	require.NoError(t, err)
	tx.Commit()
	tx = x.Begin()
	_, err = tx.Insert(tab, ints(1, 1))
	require.NoError(t, err)
	tx.NewStatement()
	m := tx.Mark()
	require.NoError(t, tx.Update(tab, 1, ints(2, 1)))
	tx.NewStatement()
	require.Equal(t, []int64{2}, read(t, tx, tab, Access{Mode: Versioned}))
	statement := tx.Mark()
	_, err = tx.Insert(tab, ints(3, 1))
	require.NoError(t, err)
	_, err = tx.Insert(tab, ints(3, 2))
	require.Error(t, err)
	tx.RollbackStatement(statement) // a failed statement leaves nothing
	tx.NewStatement()
	require.Equal(t, []int64{2}, read(t, tx, tab, Access{}))
	tx.RollbackTo(m) // a rollback to a savepoint leaves it alone
	tx.NewStatement()
	require.Equal(t, []int64{2}, read(t, tx, tab, Access{}))
	tx.Rollback()
	tx = x.Begin()
	require.Equal(t, []int64{2}, read(t, tx, tab, Access{}))
	require.Zero(t, tx.Owner().Len())
	require.NoError(t, tx.Delete(tab, 1))
	tx.Rollback()
	require.Zero(t, tab.Rows())
	w.clean(tab)
}

func TestKillRollsBack(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, _ := w.people(ints(1, 1, 1))
	a, b := w.actor("a"), w.actor("b")
	undone := false
	w.ok(a.update(tab, 1, 1, 2, 2), a.insert(tab, 2, 2, 2))
	a.must(func(tx *Txn) error { tx.Undo(func() { undone = true }); return nil })
	r := b.read(tab, Access{})
	w.waits(r)
	a.task.Kill()
	w.k.RunReady()
	require.True(t, undone)
	w.ok(r)
	require.Equal(t, []int64{1}, r.rows)
	b.commit()
	w.clean(tab)
}

func TestAutonomousTransactions(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, _ := w.people()
	x := w.s.NewSession(nil)
	outer := x.Begin()
	_, err := outer.Insert(tab, ints(1, 1, 1))
	require.NoError(t, err)
	inner := x.Begin()
	_, err = inner.Insert(tab, ints(2, 2, 2))
	require.NoError(t, err)
	require.Equal(t, 2, x.Undo())
	inner.Commit()
	outer.Rollback()
	require.Equal(t, []int64{2}, read(t, x.Begin(), tab, Access{}))
	require.Equal(t, 1, tab.Rows())
}

func TestIndexesComeAndGo(t *testing.T) {
	w := newWorld(t, Options{})
	x := w.s.NewSession(nil)
	tab := w.s.NewTable(TableSpec{Name: "t"})
	tx := x.Begin()
	for n := range int64(4) {
		_, err := tx.Insert(tab, ints(n, 10-n, n%2))
		require.NoError(t, err)
	}
	tx.Commit()
	pin := w.s.NewSession(nil).Begin()
	sn := pin.Snapshot()
	tx = x.Begin()
	require.NoError(t, tx.Update(tab, 1, ints(0, 50, 0)))
	tx.Commit()

	tx = x.Begin()
	_, err := tab.AddIndex(tx, IndexSpec{Name: "u", Unique: true, Key: intKey(2)})
	var dup *UniqueViolation
	require.ErrorAs(t, err, &dup)
	require.Empty(t, tab.Indexes())
	odd := func(r value.Row) bool { return r[2].Int64() == 1 }
	f, err := tab.AddIndex(tx, IndexSpec{Name: "f", Unique: true, Key: intKey(1), Filter: odd})
	require.NoError(t, err)
	c, err := tab.AddIndex(tx, IndexSpec{Name: "c", Unique: true, Clustered: true, Key: intKey(1)})
	require.NoError(t, err)
	_, err = tab.AddIndex(tx, IndexSpec{Name: "c2", Clustered: true, Key: intKey(1)})
	require.Error(t, err)
	require.Same(t, c, tab.Clustered())
	require.Equal(t, []*Index{c, f}, tab.Indexes())
	tx.Commit()
	require.Equal(t, []int64{3, 2, 1, 0}, read(t, pin, tab, Access{}))
	require.Equal(t, []int64{3, 2, 1, 0}, read(t, pin, tab, asOf(sn, c)), "old versions are in it, too")
	require.Equal(t, []int64{0}, read(t, pin, tab, Access{Index: c, Mode: Versioned, Snapshot: sn, Lo: k8(10), Hi: k8(10)}))
	require.Equal(t, []int64{3, 1}, read(t, pin, tab, Access{Index: f}))
	pin.Commit()

	tx = x.Begin()
	require.NoError(t, tab.DropIndex(tx, f))
	require.NoError(t, tab.DropIndex(tx, c))
	require.Error(t, tab.DropIndex(tx, c))
	require.NoError(t, tx.Update(tab, 2, ints(1, 99, 0)))
	_, err = tx.Insert(tab, ints(9, 7, 0))
	require.NoError(t, err)
	tx.NewStatement()
	require.Equal(t, []int64{0, 1, 2, 3, 9}, read(t, tx, tab, Access{}))
	tx.Rollback()
	require.Equal(t, []int64{3, 2, 1, 0}, read(t, x.Begin(), tab, Access{}))
	require.Equal(t, []int64{3, 1}, read(t, x.Begin(), tab, Access{Index: f}))
	x.Close()
	w.clean(tab)
	require.Empty(t, tab.dropped)
}

func TestFilteredIndexFollowsItsFilter(t *testing.T) {
	w := newWorld(t, Options{})
	x := w.s.NewSession(nil)
	tab := w.s.NewTable(TableSpec{Name: "t"})
	tx := x.Begin()
	f, err := tab.AddIndex(tx, IndexSpec{Name: "f", Unique: true, Key: intKey(0), Columns: []int{0},
		Filter: func(r value.Row) bool { return r[1].Int64() > 0 }})
	require.NoError(t, err)
	a, err := tx.Insert(tab, ints(5, 0))
	require.NoError(t, err)
	_, err = tx.Insert(tab, ints(5, 1))
	require.NoError(t, err, "the other is not in the index")
	var dup *UniqueViolation
	require.ErrorAs(t, tx.Update(tab, a, ints(5, 2)), &dup)
	require.NoError(t, tx.Update(tab, a, ints(6, 2)))
	tx.NewStatement()
	require.Equal(t, []int64{5, 6}, read(t, tx, tab, Access{Index: f}))
	require.NoError(t, tx.Update(tab, a, ints(6, 0)))
	tx.NewStatement()
	require.Equal(t, []int64{5}, read(t, tx, tab, Access{Index: f}))
	tx.Commit()
	w.clean(tab)
}

func TestTruncate(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, ix := w.people(ints(1, 1, 1), ints(2, 2, 2))
	a, b := w.actor("a"), w.actor("b")
	w.ok(a.do(func(tx *Txn) error { return tab.Truncate(tx) }), a.insert(tab, 1, 5, 5))
	r := b.read(tab, Access{Mode: Dirty})
	w.waits(r)
	require.Equal(t, []int64{1}, a.read(tab, Access{Index: ix}).rows)
	a.rollback()
	w.ok(r)
	require.Equal(t, []int64{1, 2}, r.rows)
	b.commit()
	w.clean(tab)
	w.ok(a.do(func(tx *Txn) error { return tab.Truncate(tx) }))
	a.commit()
	require.Zero(t, tab.Rows())
	w.clean(tab)
}

func TestUpdateAllShiftsKeys(t *testing.T) {
	w := newWorld(t, Options{})
	tab, pk, _ := w.people(ints(1, 1, 1), ints(2, 2, 2), ints(3, 3, 3))
	x := w.s.NewSession(nil)
	tx := x.Begin()
	require.NoError(t, tx.UpdateAll(tab, []RowID{1, 2, 3}, []value.Row{ints(2, 1, 1), ints(3, 2, 2), ints(1, 3, 3)}))
	tx.NewStatement()
	require.Equal(t, []int64{1, 2, 3}, read(t, tx, tab, Access{Index: pk}))
	tx.Commit()
	tx = x.Begin()
	var dup *UniqueViolation
	require.ErrorAs(t, tx.UpdateAll(tab, []RowID{1, 2}, []value.Row{ints(8, 1, 1), ints(1, 2, 2)}), &dup)
	tx.NewStatement()
	require.Equal(t, []int64{1, 2, 3}, read(t, tx, tab, Access{Index: pk}))
	require.ErrorAs(t, tx.Update(tab, 1, ints(1, 1, 1)), &dup)
	require.Zero(t, tx.UndoLen())
	tx.Commit()
	w.clean(tab)
}

// TestRowsFoundForAChangeStayLocked: between finding a row and changing it by a statement, nobody else can change it.
func TestRowsFoundForAChangeStayLocked(t *testing.T) {
	w := newWorld(t, Options{})
	tab, pk, _ := w.people(ints(1, 1, 1), ints(2, 2, 2))
	a, b := w.actor("a"), w.actor("b")
	w.ok(a.read(tab, Access{Index: pk, Lo: k8(1), Hi: k8(1), Lock: U, Brief: true}))
	r := b.update(tab, 1, 1, 9, 9)
	w.waits(r)
	a.commit()
	w.ok(r)
	b.commit()
	w.clean(tab)
}

func TestLockEscalation(t *testing.T) {
	w := newWorld(t, Options{EscalateAt: 8})
	var rows []value.Row
	for n := range int64(30) {
		rows = append(rows, ints(n, n, n))
	}
	tab, _, _ := w.people(rows...)
	a, b := w.actor("a"), w.actor("b")
	upTo := func(n int64) Access { return Access{Hi: k8(n), HiOpen: true, Lock: U, Keep: true} }
	w.ok(a.read(tab, upTo(7)))
	require.Equal(t, 8, a.tx.Owner().Len())
	w.ok(a.read(tab, upTo(7)), a.read(tab, Access{Lo: k8(20), Lock: U, Keep: true, Hi: k8(26)}))
	require.Equal(t, 15, a.tx.Owner().Len(), "counts are per statement, and held locks do not count again")
	w.ok(b.read(tab, Access{Lo: k8(28), Keep: true}))
	w.ok(a.read(tab, Access{Lo: k8(7), Hi: k8(18), Lock: U, Keep: true}))
	require.Equal(t, 27, a.tx.Owner().Len(), "somebody is in the way, it goes on with row locks")
	b.commit()
	w.ok(a.read(tab, Access{Lo: k8(7), Lock: U, Keep: true}))
	w.ok(a.do(func(tx *Txn) error {
		for id := RowID(1); id <= 9; id++ {
			if err := tx.Update(tab, id, ints(int64(id-1), 99, 99)); err != nil {
				return err
			}
		}
		return nil
	}))
	require.Equal(t, 1, a.tx.Owner().Len())
	require.Equal(t, X, w.s.ModeHeld(a.tx.Owner(), tab.Resource()))
	r := b.read(tab, Access{})
	w.waits(r)
	a.commit()
	w.ok(r)

	w.ok(a.read(tab, Access{Keep: true}))
	require.Equal(t, S, w.s.ModeHeld(a.tx.Owner(), tab.Resource()), "only read locks: a shared table lock")
	a.commit()
	tab.SetNoEscalation(true)
	w.ok(a.read(tab, Access{Keep: true}))
	require.Equal(t, 31, a.tx.Owner().Len())
	a.commit()
	b.commit()
	w.clean(tab)
}
