package store

import (
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
)

// actor is a session in a separate task that does what the test says, step by step.
type actor struct {
	w     *world
	x     *Session
	tx    *Txn
	task  *kernel.Task
	inbox []*call
	ended bool
}

// call is a step: it is executed at once, or later if the actor had to wait.
type call struct {
	fn   func(tx *Txn) error
	done bool
	err  error
	rows []int64
}

func (w *world) actor(name string) *actor {
	a := &actor{w: w}
	a.task = w.k.Go(name, func(task *kernel.Task) {
		a.x = w.s.NewSession(task)
		a.x.Label = name
		defer func() {
			a.x.Close()
			a.ended = true
		}()
		for {
			if len(a.inbox) == 0 {
				task.Block(kernel.Wait{For: -1})
				continue
			}
			c := a.inbox[0]
			a.inbox = a.inbox[1:]
			if a.tx == nil || a.tx.Done() {
				a.tx = a.x.Begin()
			}
			a.tx.NewStatement()
			c.err = c.fn(a.tx)
			c.done = true
		}
	}, nil)
	w.k.RunReady()
	return a
}

// do starts a step and runs everybody until nothing can run anymore.
func (a *actor) do(fn func(tx *Txn) error) *call {
	c := a.start(fn)
	a.w.k.RunReady()
	return c
}

// start queues a step without running anybody.
func (a *actor) start(fn func(tx *Txn) error) *call {
	c := &call{fn: fn}
	a.inbox = append(a.inbox, c)
	a.task.Wake(nil)
	return c
}

// must does a step that neither waits nor fails.
func (a *actor) must(fn func(tx *Txn) error) {
	a.w.t.Helper()
	c := a.do(fn)
	require.True(a.w.t, c.done, "it waits")
	require.NoError(a.w.t, c.err)
}

func (a *actor) read(t *Table, acc Access) *call {
	c := a.start(nil)
	c.fn = func(tx *Txn) (err error) {
		c.rows, err = tryRead(tx, t, acc)
		return err
	}
	a.w.k.RunReady()
	return c
}

func (a *actor) insert(t *Table, ns ...int64) *call {
	return a.do(func(tx *Txn) error {
		_, err := tx.Insert(t, ints(ns...))
		return err
	})
}

func (a *actor) update(t *Table, id RowID, ns ...int64) *call {
	return a.do(func(tx *Txn) error { return tx.Update(t, id, ints(ns...)) })
}

func (a *actor) delete(t *Table, id RowID) *call {
	return a.do(func(tx *Txn) error { return tx.Delete(t, id) })
}

func (a *actor) lock(r Resource, m LockMode) *call {
	return a.do(func(tx *Txn) error { return tx.Store().Lock(tx.Owner(), r, m, a.x.Wait()) })
}

func (a *actor) commit() {
	a.w.t.Helper()
	a.must(func(tx *Txn) error { tx.Commit(); return nil })
}

func (a *actor) rollback() {
	a.w.t.Helper()
	a.must(func(tx *Txn) error { tx.Rollback(); return nil })
}

// ok requires that steps have ended without error.
func (w *world) ok(calls ...*call) {
	w.t.Helper()
	for _, c := range calls {
		require.True(w.t, c.done, "it waits")
		require.NoError(w.t, c.err)
	}
}

// waits requires that steps are still waiting.
func (w *world) waits(calls ...*call) {
	w.t.Helper()
	for _, c := range calls {
		require.False(w.t, c.done, "it does not wait; error %v", c.err)
	}
}

// clean requires that nothing is left behind when every transaction has ended.
func (w *world) clean(tables ...*Table) {
	w.t.Helper()
	require.Empty(w.t, w.s.locks)
	require.Zero(w.t, w.s.ranges)
	require.Empty(w.t, w.s.snaps)
	require.Empty(w.t, w.s.trash)
	for _, t := range tables {
		require.Equal(w.t, t.count, t.rows.Len(), t.Name())
		t.rows.Scan(func(_ RowID, v *version) bool {
			require.Nil(w.t, v.prev)
			require.False(w.t, v.deleted || v.moved)
			return true
		})
		for _, ix := range t.indexes {
			want := 0
			t.rows.Scan(func(id RowID, v *version) bool {
				if key, ok := ix.entryOf(v.row); ok {
					want++
					_, there := ix.tree.Get(newEntry(key, id))
					require.True(w.t, there)
				}
				return true
			})
			require.Equal(w.t, want, ix.Len(), ix.Name())
		}
	}
}
