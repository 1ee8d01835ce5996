package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// serial reads with key-range locks.
func serial(ix *Index, lo, hi []byte) Access {
	return Access{Index: ix, Lo: lo, Hi: hi, Range: true, Keep: true}
}

func TestRangeLocksKeepPhantomsOut(t *testing.T) {
	for name, desc := range map[string]bool{"up": false, "down": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Options{})
			tab, pk, _ := w.people(ints(10, 0, 0), ints(20, 0, 0), ints(30, 0, 0), ints(40, 0, 0))
			a, b, c := w.actor("a"), w.actor("b"), w.actor("c")
			acc := serial(pk, k8(15), k8(25))
			acc.Desc = desc
			r := a.read(tab, acc)
			w.ok(r)
			require.Equal(t, []int64{20}, r.rows)
			w.ok(b.insert(tab, 5, 0, 0), b.insert(tab, 35, 0, 0)) // outside
			in := b.insert(tab, 22, 0, 0)
			beyond := c.insert(tab, 29, 0, 0) // the gap up to the next key is locked, too
			w.waits(in, beyond)
			r = a.read(tab, acc)
			require.Equal(t, []int64{20}, r.rows)
			a.commit()
			w.ok(in, beyond)
			b.commit()
			c.commit()
			w.clean(tab)
		})
	}
}

func TestRangeLockOfAMissingKey(t *testing.T) {
	w := newWorld(t, Options{})
	tab, pk, _ := w.people(ints(10, 0, 0), ints(30, 0, 0))
	a, b, c := w.actor("a"), w.actor("b"), w.actor("c")
	r := a.read(tab, Access{Index: pk, Lo: k8(20), Hi: k8(20), Lock: U, Range: true})
	require.Empty(t, r.rows)
	next := pk.resource(entry{key: string(k8(30))})
	require.Equal(t, RangeSU, w.s.ModeHeld(a.tx.Owner(), next))
	second := b.read(tab, Access{Index: pk, Lo: k8(21), Hi: k8(21), Lock: U, Range: true})
	w.waits(second) // an upsert with UPDLOCK, HOLDLOCK waits for the first
	w.ok(c.insert(tab, 5, 0, 0))
	w.ok(a.insert(tab, 20, 0, 0))
	require.Equal(t, RangeXX, w.s.ModeHeld(a.tx.Owner(), pk.resource(entry{key: string(k8(20))})), "it splits a locked range")
	a.commit()
	w.ok(second)
	b.commit()
	c.commit()
	w.clean(tab)
}

func TestRangeLockOfAFoundUniqueKey(t *testing.T) {
	w := newWorld(t, Options{})
	tab, pk, _ := w.people(ints(10, 0, 0), ints(20, 0, 0))
	a, b := w.actor("a"), w.actor("b")
	r := a.read(tab, serial(pk, k8(20), k8(20)))
	require.Equal(t, []int64{20}, r.rows)
	require.Equal(t, S, w.s.ModeHeld(a.tx.Owner(), pk.resource(entry{key: string(k8(20))})), "no range is needed")
	w.ok(b.insert(tab, 15, 0, 0), b.insert(tab, 25, 0, 0))
	d := b.delete(tab, 2)
	w.waits(d)
	a.commit()
	w.ok(d)
}

func TestRangeToInfinityAndNonUnique(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, ix := w.people(ints(1, 10, 0), ints(2, 20, 0))
	a, b, c := w.actor("a"), w.actor("b"), w.actor("c")
	r := a.read(tab, serial(ix, k8(20), nil))
	require.Equal(t, []int64{2}, r.rows)
	w.ok(b.insert(tab, 3, 5, 0))
	end, equal := b.insert(tab, 4, 99, 0), c.insert(tab, 5, 20, 0)
	w.waits(end, equal)
	require.NotContains(t, a.read(tab, Access{Mode: Dirty, Index: ix}).rows, int64(4), "it is not in the index before its gap is free")
	a.rollback()
	w.ok(end, equal)
	b.commit()
	c.commit()
	w.clean(tab)
}

func TestUpdateIntoALockedRange(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, ix := w.people(ints(1, 10, 0), ints(2, 50, 0))
	a, b := w.actor("a"), w.actor("b")
	w.ok(a.read(tab, serial(ix, k8(5), k8(20))))
	u := b.update(tab, 2, 2, 15, 0)
	w.waits(u)
	a.commit()
	w.ok(u)
	b.commit()
	w.clean(tab)
}

func TestRangeScanSeesRowsThatCameWhileItWaited(t *testing.T) {
	w := newWorld(t, Options{})
	tab, pk, _ := w.people(ints(10, 0, 0), ints(30, 0, 0))
	a, b, c := w.actor("a"), w.actor("b"), w.actor("c")
	w.ok(b.update(tab, 2, 30, 0, 1))
	r := a.read(tab, serial(pk, k8(5), k8(40)))
	w.waits(r) // at 30
	w.ok(c.insert(tab, 20, 0, 0))
	c.commit()
	w.waits(r)
	b.commit()
	w.ok(r)
	require.Equal(t, []int64{10, 20, 30}, r.rows)
	a.commit()
	w.clean(tab)
}

func TestSerializableInsertDeadlock(t *testing.T) {
	w := newWorld(t, Options{})
	tab, pk, _ := w.people(ints(10, 0, 0), ints(30, 0, 0))
	a, b := w.actor("a"), w.actor("b")
	for _, x := range []*actor{a, b} {
		w.ok(x.read(tab, serial(pk, k8(20), k8(20))))
	}
	x, y := a.insert(tab, 20, 0, 0), b.insert(tab, 20, 0, 0)
	w.waits(x, y)
	w.k.Advance(6 * time.Second)
	require.NotEqual(t, x.done && x.err != nil, y.done && y.err != nil)
}

func TestSerializableHeapLocksTheTable(t *testing.T) {
	w := newWorld(t, Options{})
	tab := w.s.NewTable(TableSpec{Name: "heap"})
	a, b := w.actor("a"), w.actor("b")
	w.ok(a.insert(tab, 1))
	a.commit()
	w.ok(a.read(tab, Access{Range: true}))
	require.Equal(t, S, w.s.ModeHeld(a.tx.Owner(), tab.Resource()))
	in := b.insert(tab, 2)
	w.waits(in)
	a.commit()
	w.ok(in)
	w.waits(a.read(tab, Access{}))
	b.commit()
	w.clean(tab)
}

func TestRolledBackInsertLeavesTheGapLocked(t *testing.T) {
	w := newWorld(t, Options{})
	tab, pk, _ := w.people(ints(10, 0, 0), ints(30, 0, 0))
	a, b := w.actor("a"), w.actor("b")
	w.ok(a.read(tab, serial(pk, k8(11), k8(29))))
	var m Mark
	w.ok(a.do(func(tx *Txn) error {
		m = tx.Mark()
		_, err := tx.Insert(tab, ints(20, 0, 0))
		return err
	}))
	w.ok(a.do(func(tx *Txn) error { tx.RollbackTo(m); return nil }))
	in := b.insert(tab, 15, 0, 0)
	w.waits(in)
	a.commit()
	w.ok(in)
	b.commit()
	w.clean(tab)
}
