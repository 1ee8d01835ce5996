package aq

import (
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Enqueue adds a message to a queue: in the transaction, or in a separate one that is committed
// at once (visibility IMMEDIATE). Errors: 25205, 25206, 25207; those of locks.
func (in *Instance) Enqueue(tx *store.Txn, q *Queue, immediate bool, p Properties, payload []byte) (id MsgID, err error) {
	err = visibly(tx, immediate, func(tx *store.Txn) error {
		id, err = in.enqueue(tx, q, p, payload)
		return err
	})
	return id, err
}

// visibly runs fn in the transaction, or in a separate one that it commits.
func visibly(tx *store.Txn, immediate bool, fn func(*store.Txn) error) error {
	if !immediate {
		return fn(tx)
	}
	own := tx.Session().Begin()
	defer own.Rollback()
	if err := fn(own); err != nil {
		return err
	}
	own.Commit()
	return nil
}

func (in *Instance) enqueue(tx *store.Txn, q *Queue, p Properties, payload []byte) (id MsgID, err error) {
	held, err := q.share(tx)
	if err != nil {
		return id, err
	}
	defer func() {
		if err != nil {
			q.unshare(tx, held)
		}
	}()
	switch {
	case q.dropped:
		return id, message.ORA(25205, q.table.spec.Owner, q.name)
	case q.isException:
		return id, message.ORA(25206, q)
	case !q.enqueue:
		return id, message.ORA(25207, q)
	}
	in.step++
	m := &Message{Properties: p, Queue: q, Payload: slices.Clone(payload), Enqueued: in.k.Now(), step: in.step}
	in.k.Random(m.ID[:])
	in.work(tx, q)
	if _, err := tx.Insert(q.table.rows, m.row()); err != nil {
		return id, err
	}
	tx.Session().Count(store.Counters{Messages: 1})
	return m.ID, nil
}

// share locks the queue shared until the transaction ends; held: it was locked already.
func (q *Queue) share(tx *store.Txn) (held bool, err error) {
	held = q.table.in.st.ModeHeld(tx.Owner(), q.resource()) != store.NL
	return held, q.lock(tx, store.S, tx.Session().Wait())
}

// unshare undoes share.
func (q *Queue) unshare(tx *store.Txn, held bool) {
	q.table.in.st.Unlock(tx.Owner(), q.resource(), !held)
}

// wake makes everybody who waits for messages look again.
func (q *Queue) wake() {
	k := q.table.in.k
	late := time.Duration(0)
	switch {
	case k.Differs(differ.WakesLate):
		late = 15 * time.Second
	case k.Differs(differ.WakesVeryLate):
		late = 30 * time.Second
	}
	if late > 0 {
		k.After(late, kernel.Demand, func() { q.waiters.Wake(k, "consumer") })
		return
	}
	q.waiters.Wake(k, "consumer")
}

// block waits until something has happened to the queue, or until the time is up.
func (q *Queue) block(s *store.Session, left time.Duration, kind kernel.TimerKind) error {
	defer q.waiters.Enter(s.Task)()
	return store.Sleep(s.Task, left, kind)
}
