package store

import (
	"errors"
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// What queues of either engine do with their rows and with the sessions that wait for them.

// Alone runs fn in a separate transaction that cannot wait for anybody, and commits it.
func (s *Store) Alone(fn func(tx *Txn)) {
	tx := s.NewSession(nil).Begin()
	defer tx.Rollback() // a no-op unless fn panics
	fn(tx)
	tx.Commit()
}

// IsBusy reports whether a request that was not allowed to wait was refused.
func IsBusy(err error) bool {
	_, busy := errors.AsType[*LockTimeout](err)
	return busy
}

// MustIndex adds an index to an empty table that nobody else uses yet.
func (t *Table) MustIndex(tx *Txn, s IndexSpec) *Index {
	x, err := t.AddIndex(tx, s)
	if err != nil {
		panic(err)
	}
	return x
}

// Each calls fn with the rows that an access finds, until it returns false.
func (tx *Txn) Each(t *Table, a Access, fn func(id RowID, r value.Row) bool) error {
	c := tx.Open(t, a)
	defer c.Close()
	for {
		id, r, ok, err := c.Next()
		if err != nil || !ok || !fn(id, r) {
			return err
		}
	}
}

// First returns the first row that an access finds; a nil row: there is none.
func (tx *Txn) First(t *Table, a Access) (id RowID, r value.Row, err error) {
	err = tx.Each(t, a, func(at RowID, row value.Row) bool {
		id, r = at, row
		return false
	})
	return id, r, err
}

// DeleteAll deletes the rows that an access finds.
func (tx *Txn) DeleteAll(t *Table, a Access) error {
	var ids []RowID
	err := tx.Each(t, a, func(id RowID, _ value.Row) bool {
		ids = append(ids, id)
		return true
	})
	for _, id := range ids {
		if err == nil {
			err = tx.Delete(t, id)
		}
	}
	return err
}

// Waiters are the tasks that wait for something to happen to a queue. The zero value has no waiters.
type Waiters struct {
	Events int // raised by whatever may let a waiter find something
	tasks  []*kernel.Task
}

// Len counts the waiters.
func (w *Waiters) Len() int { return len(w.tasks) }

// Enter adds a task; leave removes it, even when a kill unwinds.
func (w *Waiters) Enter(t *kernel.Task) (leave func()) {
	w.tasks = append(w.tasks, t)
	return func() {
		w.tasks = slices.DeleteFunc(slices.Clone(w.tasks), func(o *kernel.Task) bool { return o == t })
	}
}

// Wake makes all waiters check again, in the order the seed chooses.
func (w *Waiters) Wake(k *kernel.Kernel, choice string) {
	w.Events++
	ts := slices.Clone(w.tasks)
	for len(ts) > 0 {
		i := k.Choose(choice, len(ts))
		ts[i].Wake(nil)
		ts = slices.Delete(ts, i, i+1)
	}
}

// Sleep blocks a task until it is woken, or until the time is up; ErrInterrupted if its session is canceled.
func Sleep(t *kernel.Task, left time.Duration, kind kernel.TimerKind) error {
	if reason, _ := t.Block(kernel.Wait{For: left, Kind: kind}); reason == kernel.Interrupted {
		return ErrInterrupted
	}
	return nil
}

// Works records what open transactions did that others need to know when they have ended. What a savepoint's rollback undid stays
// recorded: an unnecessary check does no harm.
type Works[W any] map[*Txn]*W

// Of returns the record of a transaction. ended is called with it when the transaction has ended and released its locks.
func (m Works[W]) Of(tx *Txn, ended func(w *W, committed bool)) *W {
	w := m[tx]
	if w == nil {
		w = new(W)
		m[tx] = w
		tx.OnEnd(func(committed bool) {
			delete(m, tx)
			ended(w, committed)
		})
	}
	return w
}
