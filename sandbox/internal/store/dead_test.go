package store

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// first returns the id of the first row of a group and what it cost to find it.
func (w *world) first(tab *Table, ix *Index, group int64) (id, cost int64) {
	w.t.Helper()
	x := w.s.NewSession(nil)
	tx := x.Begin()
	defer tx.Rollback()
	c := tx.Open(tab, Access{Index: ix, Lo: k8(group), Hi: k8(group), Mode: Dirty, Seek: true})
	defer c.Close()
	_, row, ok, err := c.Next()
	require.NoError(w.t, err)
	if ok {
		id = row[0].Int64()
	}
	return id, x.Counters.RowsSeek
}

// TestDeadEntries: while clean-up is stalled, entries of deleted, changed and rolled back rows stay, and a scan pays for each that it passes; a
// row that comes back to its place uses its entry again. Otherwise they cost nothing.
func TestDeadEntries(t *testing.T) {
	for _, stalled := range []bool{false, true} {
		w := newWorld(t, Options{Stalled: stalled})
		tab, pk, ix := w.people(ints(1, 7, 0), ints(2, 7, 0), ints(3, 7, 0), ints(4, 7, 0))
		dead := func(n int64) int64 {
			if stalled {
				return n
			}
			return 0
		}
		tx := w.s.NewSession(nil).Begin()
		id := func(n int64) RowID {
			rid, _, ok, err := find(tx, tab, pk, n, Access{})
			require.NoError(t, err)
			require.True(t, ok)
			return rid
		}
		require.NoError(t, tx.Delete(tab, id(1)))
		require.NoError(t, tx.Update(tab, id(2), ints(2, 8, 0)))
		_, err := tx.Insert(tab, ints(0, 6, 0))
		require.NoError(t, err)
		tx.RollbackTo(Mark{})
		tx.NewStatement()
		n, cost := w.first(tab, ix, 7)
		require.Equal(t, []int64{1, 1}, []int64{n, cost}, "nothing is dead: it is undone")
		_, cost = w.first(tab, ix, 6)
		require.Equal(t, dead(1), cost, "the row that was undone")

		require.NoError(t, tx.Delete(tab, id(1)))
		require.NoError(t, tx.Update(tab, id(2), ints(2, 8, 0)))
		tx.Commit()
		n, cost = w.first(tab, ix, 7)
		require.Equal(t, []int64{3, 1 + dead(2)}, []int64{n, cost})

		tx = w.s.NewSession(nil).Begin()
		require.NoError(t, tx.Update(tab, id(2), ints(2, 7, 0)))
		tx.Commit()
		n, cost = w.first(tab, ix, 7)
		require.Equal(t, []int64{2, 1 + dead(1)}, []int64{n, cost})
	}
}

// TestDeadEntriesOfABlock: where an insert cleans its block, only dead entries near it go.
func TestDeadEntriesOfABlock(t *testing.T) {
	w := newWorld(t, Options{Stalled: true, Block: 4})
	tab, pk, ix := w.people()
	tx := w.s.NewSession(nil).Begin()
	for n := range int64(10) {
		_, err := tx.Insert(tab, ints(n+1, 7, 0))
		require.NoError(t, err)
	}
	tx.NewStatement()
	for n := range int64(9) {
		rid, _, _, err := find(tx, tab, pk, n+1, Access{})
		require.NoError(t, err)
		require.NoError(t, tx.Delete(tab, rid))
	}
	tx.Commit()
	n, cost := w.first(tab, ix, 7)
	require.Equal(t, []int64{10, 10}, []int64{n, cost})
	tx = w.s.NewSession(nil).Begin()
	_, err := tx.Insert(tab, ints(11, 7, 0))
	require.NoError(t, err)
	tx.Commit()
	n, cost = w.first(tab, ix, 7)
	require.Equal(t, []int64{10, 9}, []int64{n, cost}, "of its two neighbors one was dead")
}
