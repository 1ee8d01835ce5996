package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
)

func TestReadCommittedWaitsForWriters(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, _ := w.people(ints(1, 1, 1), ints(2, 2, 2), ints(3, 3, 3))
	a, b := w.actor("writer"), w.actor("reader")
	w.ok(a.update(tab, 2, 2, 2, 99), a.delete(tab, 3), a.insert(tab, 4, 4, 4))
	require.Equal(t, []int64{1, 2, 4}, b.read(tab, Access{Mode: Dirty}).rows)
	r := b.read(tab, Access{})
	w.waits(r)
	a.commit()
	w.ok(r)
	require.Equal(t, []int64{1, 2, 4}, r.rows)
	require.Zero(t, b.tx.Owner().Len(), "read committed keeps no locks")
	b.commit()
	w.clean(tab)
}

func TestReadersDoNotWaitForRolledBackRows(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, ix := w.people(ints(1, 1, 1))
	a, b, c := w.actor("a"), w.actor("b"), w.actor("c")
	w.ok(a.insert(tab, 2, 2, 2), a.delete(tab, 1))
	r, r2 := b.read(tab, Access{}), c.read(tab, Access{Index: ix})
	w.waits(r, r2)
	a.rollback()
	w.ok(r, r2)
	require.Equal(t, []int64{1}, r.rows)
	require.Equal(t, []int64{1}, r2.rows)
}

func TestRepeatableReadKeepsItsLocks(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, ix := w.people(ints(1, 1, 1), ints(2, 2, 2))
	a, b := w.actor("a"), w.actor("b")
	w.ok(a.read(tab, Access{Index: ix, Keep: true}))
	require.Equal(t, 5, a.tx.Owner().Len(), "two keys, two rows, the table")
	w.ok(b.insert(tab, 3, 3, 3)) // phantoms are allowed
	u := b.update(tab, 1, 1, 1, 7)
	w.waits(u)
	a.commit()
	w.ok(u)
}

func TestCoveredReadDoesNotTouchTheRow(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, ix := w.people(ints(1, 10, 1), ints(2, 20, 2))
	a, b, c := w.actor("a"), w.actor("b"), w.actor("c")
	w.ok(a.update(tab, 1, 1, 10, 99)) // no column of the index
	covered := b.read(tab, Access{Index: ix, Covered: true})
	w.ok(covered)
	require.Equal(t, []int64{1, 2}, covered.rows)
	w.ok(a.update(tab, 1, 1, 11, 99))
	covered = b.read(tab, Access{Index: ix, Covered: true})
	lookup := c.read(tab, Access{Index: ix})
	w.waits(covered, lookup)
	a.rollback()
	w.ok(covered, lookup)
	require.Equal(t, []int64{1, 2}, lookup.rows)
}

func TestReadPast(t *testing.T) {
	w := newWorld(t, Options{})
	tab, pk, ix := w.people(ints(1, 10, 0), ints(2, 10, 0), ints(3, 20, 0))
	a, b, c := w.actor("a"), w.actor("b"), w.actor("c")
	claim := Access{Index: ix, Lo: k8(10), Hi: k8(10), Lock: U, Keep: true, SkipLocked: true}
	first := func(tx *Txn) (int64, error) {
		cur := tx.Open(tab, claim)
		defer cur.Close()
		_, row, ok, err := cur.Next()
		if !ok || err != nil {
			return 0, err
		}
		return row[0].Int64(), nil
	}
	var got []int64
	for _, x := range []*actor{a, b, c} {
		w.ok(x.do(func(tx *Txn) error {
			n, err := first(tx)
			got = append(got, n)
			return err
		}))
	}
	require.Equal(t, []int64{1, 2, 0}, got)
	require.Equal(t, []int64{3}, c.read(tab, Access{Index: pk, Lock: U, SkipLocked: true}).rows)
	require.Equal(t, []int64{1, 2, 3}, c.read(tab, Access{Index: pk, SkipLocked: true}).rows, "U locks do not hide rows from readers")
	w.ok(a.delete(tab, 1))
	require.Equal(t, []int64{2, 3}, c.read(tab, Access{SkipLocked: true}).rows)
	a.rollback()
	require.Equal(t, []int64{1, 2, 3}, c.read(tab, Access{SkipLocked: true}).rows)
}

func TestSkippedRowsAreNotLocked(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, ix := w.people(ints(1, 10, 0), ints(2, 10, 0), ints(3, 20, 0))
	a, b := w.actor("a"), w.actor("b")
	w.ok(b.do(func(tx *Txn) error { return tx.LockRow(tab, 1, X, LockWait{}) })) // the row, not its index keys
	r := a.read(tab, Access{Index: ix, Hi: k8(10), Lock: U, Keep: true, SkipLocked: true})
	require.Equal(t, []int64{2}, r.rows)
	require.Equal(t, 3, a.tx.Owner().Len(), "table, key and row of what was read")
	w.ok(a.delete(tab, 2)) // a deleted row that others wait for is not kept locked, either
	c := w.actor("c")
	wait := c.read(tab, Access{Index: ix, Hi: k8(10), Lock: U, Keep: true})
	w.waits(wait)
	b.commit()
	w.waits(wait)
	a.commit()
	w.ok(wait)
	require.Equal(t, []int64{1}, wait.rows)
	require.Equal(t, 3, c.tx.Owner().Len())
	c.commit()
	w.clean(tab)
}

func TestNoWait(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, _ := w.people(ints(1, 10, 0))
	a, b := w.actor("a"), w.actor("b")
	w.ok(a.update(tab, 1, 1, 10, 5))
	r := b.read(tab, Access{NoWait: true})
	var timeout *LockTimeout
	require.ErrorAs(t, r.err, &timeout)
	require.Equal(t, Key, timeout.Resource.Class)
}

func TestTableLocks(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, _ := w.people(ints(1, 10, 0), ints(2, 10, 0))
	a, b := w.actor("a"), w.actor("b")
	w.ok(a.read(tab, Access{TableLock: X, Keep: true}))
	require.Equal(t, 1, a.tx.Owner().Len(), "no row locks")
	r := b.read(tab, Access{})
	w.waits(r)
	require.Equal(t, []int64{1, 2}, func() []int64 {
		c := w.actor("c")
		return c.read(tab, Access{Mode: Versioned, Snapshot: Snapshot{w.s.Sequence()}}).rows
	}())
	a.commit()
	w.ok(r, b.read(tab, Access{TableLock: S, Keep: true}))
	u := a.update(tab, 1, 1, 1, 1)
	w.waits(u)
	b.commit()
	w.ok(u)
}

func TestCursorSurvivesChanges(t *testing.T) {
	for name, desc := range map[string]bool{"up": false, "down": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Options{})
			tab, pk, _ := w.people(ints(10, 0, 0), ints(20, 0, 0), ints(30, 0, 0), ints(40, 0, 0))
			for _, heap := range []bool{false, true} {
				tx := w.s.NewSession(nil).Begin()
				acc := Access{Index: pk, Desc: desc}
				use := tab
				if heap {
					acc.Index, use = nil, w.s.NewTable(TableSpec{Name: "heap"})
					for _, n := range []int64{10, 20, 30, 40} {
						_, err := tx.Insert(use, ints(n))
						require.NoError(t, err)
					}
					tx.NewStatement()
				}
				c := tx.Open(use, acc)
				var got []int64
				for {
					id, row, ok, err := c.Next()
					require.NoError(t, err)
					if !ok {
						break
					}
					got = append(got, row[0].Int64())
					require.NoError(t, tx.Delete(use, id)) // under the cursor
					if !heap {
						_, err = tx.Insert(use, ints(row[0].Int64()+1000, 0, 0))
						require.NoError(t, err)
						_, err = tx.Insert(use, ints(row[0].Int64()-1000, 0, 0))
						require.NoError(t, err)
					}
				}
				want := []int64{10, 20, 30, 40}
				if desc {
					want = []int64{40, 30, 20, 10}
				}
				require.Equal(t, want, got)
				c.Close()
				tx.Rollback()
				w.clean(tab, use)
			}
		})
	}
}

func TestKeepRowAndDropRow(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, _ := w.people(ints(1, 0, 0), ints(2, 0, 0), ints(3, 0, 0))
	a, b := w.actor("a"), w.actor("b")
	a.must(func(tx *Txn) error {
		c := tx.Open(tab, Access{Lock: U})
		defer c.Close()
		for {
			_, row, ok, err := c.Next()
			if !ok || err != nil {
				return err
			}
			if row[0].Int64() == 2 {
				c.KeepRow()
			} else {
				c.DropRow()
			}
		}
	})
	require.Equal(t, []int64{1, 3}, b.read(tab, Access{Lock: U, SkipLocked: true}).rows)
	require.Equal(t, IX, w.s.ModeHeld(a.tx.Owner(), tab.Resource()))
}

func TestFetch(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, _ := w.people(ints(1, 0, 0), ints(2, 0, 0))
	a, b := w.actor("a"), w.actor("b")
	fetch := func(x *actor, id RowID, acc Access) *call {
		c := x.start(nil)
		c.fn = func(tx *Txn) error {
			row, ok, err := tx.Fetch(tab, id, acc)
			if ok {
				c.rows = append(c.rows, row[0].Int64(), row[2].Int64())
			}
			return err
		}
		w.k.RunReady()
		return c
	}
	w.ok(a.update(tab, 1, 7, 0, 5)) // its clustered key moves
	require.Equal(t, []int64{7, 5}, fetch(b, 1, Access{Mode: Dirty}).rows)
	require.Equal(t, []int64{1, 0}, fetch(b, 1, Access{Mode: Versioned, Snapshot: Snapshot{w.s.Sequence()}}).rows)
	require.Empty(t, fetch(b, 1, Access{SkipLocked: true}).rows)
	c := fetch(b, 1, Access{})
	w.waits(c)
	a.rollback()
	w.ok(c)
	require.Equal(t, []int64{1, 0}, c.rows)
	w.ok(fetch(b, 2, Access{Lock: U, Keep: true}))
	del := a.delete(tab, 2)
	w.waits(del)
	b.commit()
	w.ok(del)
	a.commit()
	require.Empty(t, fetch(b, 2, Access{}).rows)
	require.ErrorIs(t, b.update(tab, 2, 0, 0, 0).err, ErrGone)
}

func TestUniqueKeysWaitForUncommittedOnes(t *testing.T) {
	for _, end := range []string{"commit", "rollback"} {
		w := newWorld(t, Options{})
		tab, _, _ := w.people(ints(1, 0, 0))
		a, b := w.actor("a"), w.actor("b")
		w.ok(a.insert(tab, 5, 0, 0))
		x := b.insert(tab, 5, 0, 0)
		w.waits(x)
		var dup *UniqueViolation
		if end == "commit" {
			a.commit()
			require.ErrorAs(t, x.err, &dup)
		} else {
			a.rollback()
			w.ok(x)
		}
		b.commit()
		w.ok(a.delete(tab, 1)) // conversely, a deleted key is taken until the delete is committed
		x = b.insert(tab, 1, 0, 0)
		w.waits(x)
		if end == "commit" {
			a.commit()
			w.ok(x)
		} else {
			a.rollback()
			require.ErrorAs(t, x.err, &dup)
		}
		b.commit()
		w.clean(tab)
	}
}

func TestRowsSwitch(t *testing.T) {
	w := newWorld(t, Options{})
	w.k = kernel.New(kernel.Options{Granularity: kernel.AtRows, Seed: 5})
	w.s = New(w.k, Options{})
	tab, _, _ := w.people(ints(1, 1, 1), ints(2, 2, 2), ints(3, 3, 3))
	a, b := w.actor("a"), w.actor("b")
	x := a.start(nil)
	x.fn = func(tx *Txn) (err error) { x.rows, err = tryRead(tx, tab, Access{Mode: Dirty}); return err }
	y := b.start(func(tx *Txn) error { return tx.Delete(tab, 3) })
	w.k.RunReady()
	w.ok(x, y)
}

func TestCounters(t *testing.T) {
	w := newWorld(t, Options{})
	tab, pk, _ := w.people(ints(1, 1, 1), ints(2, 2, 2))
	before := w.s.Counters
	x := w.s.NewSession(nil)
	tx := x.Begin()
	read(t, tx, tab, Access{})
	read(t, tx, tab, Access{Index: pk, Lo: k8(1), Hi: k8(1), Seek: true})
	require.NoError(t, tx.Delete(tab, 1))
	tx.Commit()
	x.Count(Counters{Statements: 3})
	want := Counters{Statements: 3, RowsScanned: 2, RowsSeek: 1, RowsWritten: 1, Locks: 8, Transactions: 1, Flushes: 1, LogRecords: 1, ByMode: LocksByMode{S: 3, X: 2, IS: 2, IX: 1}}
	require.Equal(t, want, x.Counters)
	before.Add(want)
	require.Equal(t, before, w.s.Counters)
}
