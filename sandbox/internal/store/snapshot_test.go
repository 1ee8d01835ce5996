package store

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// asOf reads an index as a snapshot saw it.
func asOf(sn Snapshot, ix *Index) Access { return Access{Index: ix, Mode: Versioned, Snapshot: sn} }

func TestSnapshotReads(t *testing.T) {
	w := newWorld(t, Options{})
	tab, pk, ix := w.people(ints(1, 10, 0), ints(2, 20, 0), ints(3, 30, 0))
	a, b := w.actor("writer"), w.actor("reader")
	var sn Snapshot
	b.must(func(tx *Txn) error { sn = tx.Snapshot(); return nil })
	w.ok(a.update(tab, 1, 1, 25, 0), a.delete(tab, 2), a.insert(tab, 4, 5, 0))
	require.Equal(t, []int64{1, 2, 3}, b.read(tab, asOf(sn, ix)).rows, "not committed")
	a.commit()
	require.Equal(t, []int64{1, 2, 3}, b.read(tab, asOf(sn, ix)).rows, "committed later")
	require.Equal(t, []int64{1, 2, 3}, b.read(tab, asOf(sn, pk)).rows)
	require.Equal(t, []int64{4, 1, 3}, b.read(tab, asOf(Snapshot{w.s.Sequence()}, ix)).rows)
	r := b.read(tab, Access{Index: ix, Mode: Versioned, Snapshot: sn, Lo: k8(10), Hi: k8(10)})
	require.Equal(t, []int64{1}, r.rows, "the entry of the old key is still there")
	require.Equal(t, 5, ix.Len())
	w.ok(b.insert(tab, 9, 9, 9))
	require.Equal(t, []int64{9, 1, 2, 3}, b.read(tab, asOf(sn, ix)).rows, "and its own earlier statements")
	b.rollback()
	w.clean(tab)
}

func TestStatementSnapshotsAndRelease(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, ix := w.people(ints(1, 10, 0))
	a := w.actor("a")
	long, short := w.s.NewSession(nil).Begin(), w.s.NewSession(nil).Begin()
	old := long.Snapshot()
	for n := range int64(20) {
		sn := short.Snapshot()
		w.ok(a.update(tab, 1, 1, n, n))
		a.commit()
		if n > 0 {
			require.Equal(t, []int64{1}, read(t, short, tab, Access{Index: ix, Mode: Versioned, Snapshot: sn, Lo: k8(n - 1), Hi: k8(n - 1)}))
		}
		short.Release(sn)
	}
	require.Equal(t, []int64{1}, read(t, long, tab, Access{Index: ix, Mode: Versioned, Snapshot: old, Lo: k8(10), Hi: k8(10)}))
	require.Equal(t, 20, ix.Len())
	long.Release(old)
	require.Equal(t, 1, ix.Len(), "nobody needs the old versions")
	long.Commit()
	short.Commit()
	w.clean(tab)
}

// A row goes from key A to B and back to A: two versions are under the same entry.
func TestKeyGoesThereAndBack(t *testing.T) {
	for name, end := range map[string]func(*Txn){
		"commit": (*Txn).Commit, "rollback": (*Txn).Rollback,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Options{})
			tab, _, ix := w.people(ints(1, 10, 0))
			at := func(sn Snapshot, key int64) []int64 {
				tx := w.s.NewSession(nil).Begin()
				defer tx.Rollback()
				return read(t, tx, tab, Access{Index: ix, Mode: Versioned, Snapshot: sn, Lo: k8(key), Hi: k8(key)})
			}
			pin := w.s.NewSession(nil).Begin()
			first := pin.Snapshot()
			x := w.s.NewSession(nil)
			tx := x.Begin()
			require.NoError(t, tx.Update(tab, 1, ints(1, 20, 0)))
			tx.Commit()
			second := pin.Snapshot()
			tx = x.Begin()
			require.NoError(t, tx.Update(tab, 1, ints(1, 10, 5)))
			pin.Release(first) // version 1 goes while version 3 is not committed
			end(tx)
			require.Equal(t, []int64{1}, at(second, 20))
			require.Empty(t, at(second, 10))
			now := Snapshot{w.s.Sequence()}
			if name == "commit" {
				require.Equal(t, []int64{1}, at(now, 10))
				require.Empty(t, at(now, 20))
			} else {
				require.Equal(t, []int64{1}, at(now, 20))
				require.Empty(t, at(now, 10))
			}
			pin.Commit()
			w.clean(tab)
			require.Len(t, read(t, x.Begin(), tab, Access{Index: ix}), 1)
		})
	}
}

func TestRollbackOfKeyChangesCleansIndexes(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, ix := w.people(ints(1, 10, 0))
	tx := w.s.NewSession(nil).Begin()
	for _, key := range []int64{20, 30, 10, 40, 10} {
		require.NoError(t, tx.Update(tab, 1, ints(1, key, 0)))
	}
	m := tx.Mark()
	require.NoError(t, tx.Update(tab, 1, ints(7, 50, 0)))
	require.NoError(t, tx.Delete(tab, 1))
	tx.RollbackTo(m)
	tx.NewStatement()
	require.Equal(t, []int64{1}, read(t, tx, tab, Access{Index: ix, Lo: k8(10), Hi: k8(10)}))
	require.Empty(t, read(t, tx, tab, Access{Index: ix, Lo: k8(50)}))
	tx.Rollback()
	w.clean(tab)
}

func TestUpdateConflict(t *testing.T) {
	w := newWorld(t, Options{})
	tab, pk, _ := w.people(ints(1, 10, 0), ints(2, 20, 0), ints(3, 30, 0))
	a, b := w.actor("a"), w.actor("b")
	var sn Snapshot
	b.must(func(tx *Txn) error { sn = tx.Snapshot(); tx.GuardWrites(sn); return nil })
	w.ok(a.update(tab, 1, 1, 10, 1))
	u := b.update(tab, 1, 1, 10, 2)
	w.waits(u)
	a.commit()
	var conflict *UpdateConflict
	require.ErrorAs(t, u.err, &conflict)
	w.ok(b.update(tab, 2, 2, 20, 2), b.update(tab, 2, 2, 20, 3))
	w.ok(a.delete(tab, 3))
	a.commit()
	require.ErrorAs(t, b.delete(tab, 3).err, &conflict)
	require.ErrorAs(t, b.read(tab, Access{Index: pk, Lo: k8(1), Hi: k8(1), Lock: U}).err, &conflict)
	b.rollback()
	w.clean(tab)
}

func TestUniqueKeyReusedWhileASnapshotNeedsTheOldRow(t *testing.T) {
	w := newWorld(t, Options{})
	tab, pk, _ := w.people(ints(1, 10, 0))
	pin := w.s.NewSession(nil).Begin()
	sn := pin.Snapshot()
	tx := w.s.NewSession(nil).Begin()
	require.NoError(t, tx.Delete(tab, 1))
	_, err := tx.Insert(tab, ints(1, 77, 0))
	require.NoError(t, err)
	tx.NewStatement()
	require.Equal(t, []int64{1}, read(t, tx, tab, Access{Index: pk, Lo: k8(1), Hi: k8(1)}))
	tx.Commit()
	require.Equal(t, 2, pk.Len())
	for _, s := range []struct {
		sn    Snapshot
		group int64
	}{{sn, 10}, {Snapshot{w.s.Sequence()}, 77}} {
		c := pin.Open(tab, Access{Index: pk, Lo: k8(1), Hi: k8(1), Mode: Versioned, Snapshot: s.sn})
		_, row, ok, err := c.Next()
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, s.group, row[1].Int64())
		c.Close()
	}
	pin.Commit()
	w.clean(tab)
}
