package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
)

// The tables of "Transaction locking and row versioning guide" (lock compatibility, key-range
// lock compatibility), and the rows S, U and X of the complete matrix.
func TestCompatibility(t *testing.T) {
	check := func(columns []LockMode, rows map[LockMode]string) {
		for m, answers := range rows {
			for i, a := range strings.Fields(answers) {
				require.Equal(t, a == "y", m.Compatible(columns[i]), "%s while %s is held", m, columns[i])
				require.Equal(t, a == "y", columns[i].Compatible(m), "%s while %s is held", columns[i], m)
			}
		}
	}
	check([]LockMode{IS, S, U, IX, SIX, X}, map[LockMode]string{
		IS:  "y y y y y n",
		S:   "y y y n n n",
		U:   "y y n n n n",
		IX:  "y n n y n n",
		SIX: "y n n n n n",
		X:   "n n n n n n",
	})
	check([]LockMode{S, U, X, RangeSS, RangeSU, RangeIN, RangeXX}, map[LockMode]string{
		S:       "y y n y y y n",
		U:       "y n n y n y n",
		X:       "n n n n n y n",
		RangeSS: "y y n y y n n",
		RangeSU: "y n n y n n n",
		RangeIN: "y y y n n y n",
		RangeXX: "n n n n n n n",
	})
	check([]LockMode{SchS, SchM, UIX, BU, RangeIS, RangeIU, RangeIX, RangeXS, RangeXU}, map[LockMode]string{
		NL:   "y y y y y y y y y",
		SchM: "n n n n n n n n n",
		S:    "y n n n y y n y y",
		U:    "y n n n y n n y n",
		X:    "y n n n n n n n n",
	})
	check([]LockMode{SchS, SchM, IS, IX, S, U, X, SIX, UIX, BU}, map[LockMode]string{
		SchS: "y n y y y y y y y y",
		BU:   "y n n n n n n n n y",
	})
}

func TestConversion(t *testing.T) {
	for _, c := range []struct{ held, asked, result LockMode }{
		{NL, S, S}, {S, X, X}, {X, S, X}, {S, U, U}, {U, X, X}, {IS, IX, IX}, {S, IX, SIX}, {IX, S, SIX}, {U, IX, UIX},
		{SIX, U, UIX}, {IS, S, S}, {IX, X, X}, {SIX, X, X}, {SchS, IS, IS}, {IX, SchS, IX}, {IX, SchM, SchM}, {BU, IX, X}, {BU, BU, BU},
		// "Key-range locking", conversion locks
		{S, RangeIN, RangeIS}, {U, RangeIN, RangeIU}, {X, RangeIN, RangeIX}, {RangeIN, RangeSS, RangeXS}, {RangeIN, RangeSU, RangeXU},
		{RangeSS, U, RangeSU}, {RangeSS, X, RangeXX}, {RangeSU, X, RangeXX}, {RangeSS, RangeXX, RangeXX}, {RangeXX, S, RangeXX}, {S, RangeSS, RangeSS},
	} {
		require.Equal(t, c.result, c.held.With(c.asked), "%s and %s", c.held, c.asked)
		require.Equal(t, c.result, c.asked.With(c.held), "%s and %s", c.asked, c.held)
		require.True(t, c.result.Covers(c.held))
	}
}

func res(n int64) Resource { return Resource{Class: Application, DB: 1, Key: fmt.Sprint("r", n)} }

func TestLockCounts(t *testing.T) {
	w := newWorld(t, Options{})
	a, b := w.s.NewSession(nil), w.s.NewSession(nil)
	o := a.Owner()
	lock := func(o *Owner, m LockMode) error { return w.s.Lock(o, res(1), m, LockWait{}) }
	require.NoError(t, lock(o, S))
	require.NoError(t, lock(o, X))
	require.Equal(t, X, w.s.ModeHeld(o, res(1)))
	require.False(t, w.s.Compatible(b.Owner(), res(1), S))
	require.True(t, w.s.Compatible(o, res(1), X))
	require.True(t, w.s.Unlock(o, res(1), false))
	require.Equal(t, X, w.s.ModeHeld(o, res(1)), "the mode stays until the last release")
	var timeout *LockTimeout
	require.ErrorAs(t, lock(b.Owner(), S), &timeout)
	require.Equal(t, res(1), timeout.Resource)
	require.True(t, w.s.Unlock(o, res(1), false))
	require.False(t, w.s.Unlock(o, res(1), false))
	require.NoError(t, lock(b.Owner(), S))
	require.NoError(t, lock(b.Owner(), S))
	require.True(t, w.s.Unlock(b.Owner(), res(1), true))
	w.clean()
}

func TestOwnersOfOneSession(t *testing.T) {
	w := newWorld(t, Options{})
	x := w.s.NewSession(nil)
	tx, autonomous := x.Begin(), x.Begin()
	require.NoError(t, w.s.Lock(x.Owner(), res(1), X, LockWait{}))
	require.NoError(t, w.s.Lock(tx.Owner(), res(1), X, LockWait{}), "a session is not in its own way")
	var timeout *LockTimeout
	require.ErrorAs(t, w.s.Lock(autonomous.Owner(), res(1), X, LockWait{}), &timeout, "but another transaction of it is")
	tx.Commit()
	require.Equal(t, X, w.s.ModeHeld(x.Owner(), res(1)), "it outlives the transaction")
	x.Close()
	require.True(t, autonomous.Done())
	w.clean()
}

func TestDowngrade(t *testing.T) {
	w := newWorld(t, Options{})
	a, b := w.actor("a"), w.actor("b")
	w.ok(a.lock(res(1), X))
	reader := b.lock(res(1), S)
	lower := func(m LockMode) {
		a.must(func(tx *Txn) error { w.s.Downgrade(tx.Owner(), res(1), m); return nil })
	}
	lower(IX)
	w.waits(reader)
	lower(S)
	w.waits(reader) // S is not less than IX
	lower(IS)
	w.ok(reader)
	a.commit()
	b.commit()
	w.clean()
}

func TestWaitersAreGrantedInOrder(t *testing.T) {
	w := newWorld(t, Options{})
	a, b, c, d := w.actor("a"), w.actor("b"), w.actor("c"), w.actor("d")
	w.ok(a.lock(res(1), S))
	x := b.lock(res(1), X)
	s := c.lock(res(1), S)
	s2 := d.lock(res(1), S)
	w.waits(x, s, s2)
	require.False(t, w.s.Compatible(w.s.NewSession(nil).Owner(), res(1), S))
	a.commit()
	w.ok(x)
	w.waits(s, s2)
	b.commit()
	w.ok(s, s2)
	c.rollback()
	d.rollback()
	w.clean()
}

func TestSchemaModificationConvoy(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, _ := w.people(ints(1, 1, 1))
	a, b, c := w.actor("reader"), w.actor("alter"), w.actor("late")
	w.ok(a.lock(tab.Resource(), SchS))
	alter := b.lock(tab.Resource(), SchM)
	late := c.read(tab, Access{Mode: Dirty})
	w.waits(alter, late)
	a.commit()
	w.ok(alter)
	w.waits(late)
	b.commit()
	w.ok(late)
	c.commit()
	w.clean(tab)
}

func TestConversionGoesFirst(t *testing.T) {
	w := newWorld(t, Options{})
	a, b, c := w.actor("a"), w.actor("b"), w.actor("c")
	w.ok(a.lock(res(1), S), b.lock(res(1), S))
	x := c.lock(res(1), X)
	conv := a.lock(res(1), X)
	w.waits(x, conv)
	b.commit()
	w.ok(conv)
	w.waits(x)
	a.commit()
	w.ok(x)
	c.commit()
	w.clean()
}

func TestUpdateLocksKeepReadersGoing(t *testing.T) {
	w := newWorld(t, Options{})
	a, b, c := w.actor("a"), w.actor("b"), w.actor("c")
	w.ok(a.lock(res(1), U), b.lock(res(1), S))
	u := c.lock(res(1), U)
	w.waits(u)
	x := a.lock(res(1), X)
	w.waits(x)
	b.commit()
	w.ok(x)
	a.commit()
	w.ok(u)
}

func TestLockTimeoutInVirtualTime(t *testing.T) {
	w := newWorld(t, Options{})
	a, b, c := w.actor("a"), w.actor("b"), w.actor("c")
	w.ok(a.lock(res(1), S))
	b.x.LockTimeout = 3 * time.Second
	start := w.k.Now()
	x, s := b.lock(res(1), X), c.lock(res(1), S)
	w.waits(x, s)
	require.NoError(t, w.k.RunUntil(func() bool { return x.done }))
	var timeout *LockTimeout
	require.ErrorAs(t, x.err, &timeout)
	require.Equal(t, 3*time.Second, w.k.Now().Sub(start))
	w.k.RunReady()
	w.ok(s) // it only waited behind the request that gave up
	require.EqualValues(t, 1, b.x.Counters.LockWaits)
}

func TestSpuriousWakeDoesNotGrant(t *testing.T) {
	w := newWorld(t, Options{})
	a, b := w.actor("a"), w.actor("b")
	w.ok(a.lock(res(1), X))
	b.x.LockTimeout = 10 * time.Second
	x := b.lock(res(1), X)
	w.k.Advance(4 * time.Second)
	b.task.Wake("something else")
	w.k.RunReady()
	w.waits(x)
	w.k.Advance(7 * time.Second)
	var timeout *LockTimeout
	require.ErrorAs(t, x.err, &timeout)
}

func TestInterruptEndsWait(t *testing.T) {
	w := newWorld(t, Options{})
	a, b := w.actor("a"), w.actor("b")
	w.ok(a.lock(res(1), X))
	x := b.lock(res(1), X)
	b.task.Interrupt()
	w.k.RunReady()
	require.ErrorIs(t, x.err, ErrInterrupted)
	w.ok(b.lock(res(2), X)) // the interrupt no longer applies
	a.commit()
	b.commit()
	w.clean()
}

func TestKilledWaiterLeavesTheQueue(t *testing.T) {
	w := newWorld(t, Options{})
	tab, _, _ := w.people(ints(1, 1, 1))
	a, b, c := w.actor("a"), w.actor("b"), w.actor("c")
	w.ok(b.insert(tab, 2, 2, 2), a.lock(res(1), S))
	x := b.lock(res(1), X)
	s := c.lock(res(1), S)
	w.waits(x, s)
	b.task.Kill()
	w.k.RunReady()
	require.True(t, b.ended)
	w.ok(s)
	a.commit()
	c.commit()
	require.Equal(t, 1, tab.Rows())
	w.clean(tab)
}

func TestKilledWhenGranted(t *testing.T) {
	w := newWorld(t, Options{})
	a, b := w.actor("a"), w.actor("b")
	w.ok(a.lock(res(1), X))
	x := b.lock(res(1), X)
	w.waits(x)
	release := a.start(func(tx *Txn) error { tx.Commit(); b.task.Kill(); return nil })
	w.k.RunReady()
	w.ok(release)
	require.True(t, b.ended)
	w.clean()
}

func TestLocksLists(t *testing.T) {
	w := newWorld(t, Options{})
	a, b, c := w.actor("a"), w.actor("b"), w.actor("c")
	w.ok(a.lock(res(2), S), b.lock(res(2), S), a.lock(res(1), X))
	w.waits(c.lock(res(2), X), b.lock(res(1), S))
	var got []string
	for l := range w.s.Locks() {
		line := fmt.Sprint(l.Resource.Key, " ", l.Owner.Session().Label, " ", l.Mode, " ", l.Count)
		for _, x := range l.Blockers {
			line += fmt.Sprint(" <", x.Label)
		}
		got = append(got, line)
	}
	require.Equal(t, []string{"r1 a X 1", "r1 b S 0 <a", "r2 a S 1", "r2 b S 1", "r2 c X 0 <b <a"}, got)
	require.Len(t, b.x.Blockers(), 1)
	require.Nil(t, a.x.Blockers())
	r, m, ok := c.x.Waiting()
	require.True(t, ok)
	require.Equal(t, X, m)
	require.Equal(t, res(2), r)
}

func TestSwitchPoints(t *testing.T) {
	for _, c := range []struct {
		g    kernel.Granularity
		some bool
	}{{kernel.AtStatements, false}, {kernel.AtLocks, true}} {
		k := kernel.New(kernel.Options{Seed: 3, Granularity: c.g})
		s := New(k, Options{DetectAfter: time.Second})
		var order []int
		for i := range 2 {
			k.Go("t", func(task *kernel.Task) {
				x := s.NewSession(task)
				for n := range 20 {
					require.NoError(t, s.Lock(x.Owner(), res(int64(100*i+n)), X, x.Wait()))
					order = append(order, i)
				}
			}, nil)
		}
		k.RunReady()
		require.Equal(t, !c.some, slices.IsSorted(order))
	}
}
