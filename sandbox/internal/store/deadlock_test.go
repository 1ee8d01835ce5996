package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
)

// cross makes a and b wait for each other and returns their waits.
func cross(w *world, a, b *actor) (*call, *call) {
	w.ok(a.lock(res(1), X), b.lock(res(2), X))
	x, y := a.lock(res(2), X), b.lock(res(1), X)
	w.waits(x, y)
	return x, y
}

func TestDeadlockIsFoundAfterAWhile(t *testing.T) {
	w := newWorld(t, Options{DetectAfter: 5 * time.Second})
	tab, _, _ := w.people()
	a, b := w.actor("a"), w.actor("b")
	w.ok(a.insert(tab, 1, 1, 1)) // a has more to undo
	x, y := cross(w, a, b)
	w.k.Advance(4 * time.Second)
	w.waits(x, y)
	w.k.Advance(2 * time.Second)
	var lost *Deadlock
	require.ErrorAs(t, y.err, &lost)
	require.Len(t, lost.Cycle, 2)
	require.Equal(t, res(1), lost.Resource)
	w.waits(x) // the victim keeps its locks until it rolls back
	b.rollback()
	w.ok(x)
	a.commit()
	w.clean(tab)
}

func TestDeadlockPriority(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, _ := w.people()
	a, b := w.actor("a"), w.actor("b")
	a.x.DeadlockPriority = -5
	w.ok(a.insert(tab, 1, 1, 1))
	x, y := cross(w, a, b)
	w.k.Advance(6 * time.Second)
	var lost *Deadlock
	require.ErrorAs(t, x.err, &lost)
	a.rollback()
	w.ok(y)
}

func TestDeadlockPolicy(t *testing.T) {
	var asked []*Session
	w := newWorld(t, Options{Victim: func(cycle []*Session) *Session {
		asked = cycle
		for _, x := range cycle {
			if x.Label == "b" {
				return x
			}
		}
		return nil
	}})
	a, b := w.actor("a"), w.actor("b")
	_, y := cross(w, a, b)
	w.k.Advance(6 * time.Second)
	require.Error(t, y.err)
	require.Len(t, asked, 2)
}

func TestDeadlockVictimIsTheSeedsChoice(t *testing.T) {
	lost := map[string]int{}
	for seed := range uint64(20) {
		w := newWorld(t, Options{})
		w.k = kernel.New(kernel.Options{Seed: seed})
		w.s = New(w.k, Options{DetectAfter: time.Second})
		a, b := w.actor("a"), w.actor("b")
		x, y := cross(w, a, b)
		w.k.Advance(2 * time.Second)
		require.NotEqual(t, x.err != nil, y.err != nil)
		if x.err != nil {
			lost["a"]++
		} else {
			lost["b"]++
		}
	}
	require.Len(t, lost, 2)
}

func TestDeadlockOfThreeAndConversion(t *testing.T) {
	w := newWorld(t, Options{})
	a, b, c := w.actor("a"), w.actor("b"), w.actor("c")
	w.ok(a.lock(res(1), X), b.lock(res(2), X), c.lock(res(3), X))
	w.waits(a.lock(res(2), S), b.lock(res(3), S))
	c.x.DeadlockPriority = -1
	z := c.lock(res(1), S)
	w.k.Advance(6 * time.Second)
	var lost *Deadlock
	require.ErrorAs(t, z.err, &lost)
	require.Len(t, lost.Cycle, 3)

	w = newWorld(t, Options{})
	a, b = w.actor("a"), w.actor("b")
	w.ok(a.lock(res(1), S), b.lock(res(1), S)) // the classic deadlock: both read, both want to write
	x, y := a.lock(res(1), X), b.lock(res(1), X)
	w.k.Advance(6 * time.Second)
	require.NotEqual(t, x.err != nil, y.err != nil)
}

func TestDeadlockWithOneself(t *testing.T) {
	w := newWorld(t, Options{})
	a := w.actor("a")
	w.ok(a.lock(res(1), X))
	c := a.do(func(tx *Txn) error {
		autonomous := a.x.Begin()
		defer autonomous.Rollback()
		return w.s.Lock(autonomous.Owner(), res(1), X, a.x.Wait())
	})
	w.waits(c)
	w.k.Advance(6 * time.Second)
	var lost *Deadlock
	require.ErrorAs(t, c.err, &lost)
	require.Equal(t, []*Session{a.x}, lost.Cycle)
}

func TestWaitersBehindWaitersDeadlock(t *testing.T) {
	w := newWorld(t, Options{})
	a, b, c := w.actor("a"), w.actor("b"), w.actor("c")
	w.ok(a.lock(res(1), S), c.lock(res(2), X))
	x := b.lock(res(1), X) // waits for a
	s := c.lock(res(1), S) // waits only behind b
	y := a.lock(res(2), S) // waits for c: a cycle through the queue
	w.waits(x, s, y)
	w.k.Advance(6 * time.Second)
	failed := 0
	for _, k := range []*call{x, s, y} {
		if k.done && k.err != nil {
			failed++
		}
	}
	require.Equal(t, 1, failed)
}

func TestUncontendedWaitIsNoDeadlock(t *testing.T) {
	w := newWorld(t, Options{})
	a, b := w.actor("a"), w.actor("b")
	w.ok(a.lock(res(1), X))
	x := b.lock(res(1), X)
	w.k.Advance(time.Minute)
	w.waits(x)
	a.commit()
	w.ok(x)
}

// Reader: index, then row. Writer: row, then index.
func TestKeyLookupDeadlock(t *testing.T) {
	w := newWorld(t, Options{})
	tab, pk, ix := w.people(ints(1, 10, 0))
	a, b := w.actor("reader"), w.actor("writer")
	_ = pk
	w.ok(b.do(func(tx *Txn) error { return tx.LockRow(tab, 1, X, LockWait{}) }))
	r := a.read(tab, Access{Index: ix, Lo: k8(10), Hi: k8(10)})
	w.waits(r) // it holds the index key, and waits for the row
	u := b.update(tab, 1, 1, 11, 0)
	w.waits(u)
	b.x.DeadlockPriority = 5
	w.k.Advance(6 * time.Second)
	var lost *Deadlock
	require.ErrorAs(t, r.err, &lost)
	a.rollback()
	w.ok(u)
	b.commit()
	w.clean(tab)
}
