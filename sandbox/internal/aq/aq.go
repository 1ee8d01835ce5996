// Package aq is Oracle's classic Advanced Queuing as a state machine over package store: queue
// tables, single-consumer queues with RAW payload, exception queues, correlation, retries. It knows
// nothing about statements, the case of names, privileges or sessions: a dialect binds it to DBMS_AQADM and DBMS_AQ.
//
// Messages are rows of store tables, so that locks, undo, savepoints and visibility are those of
// any other row. What goes beyond rows:
//
//   - A dequeue skips messages that others have locked; one that finds nothing waits, without
//     holding anything, until something has happened to the queue, or its time is up.
//   - A transaction that enqueued or dequeued holds its queue shared until it ends; STOP_QUEUE takes
//     it exclusively, and so waits for "outstanding transactions", or fails.
//   - A rollback that undoes a dequeue counts as an attempt, unless the session was killed
//     (DBMS_AQADM, CREATE_QUEUE, max_retries).
//   - Definitions are not transactional: changing them first commits the caller's transaction (Caller).
//
// Not modeled, and refused: multiple consumers, object payloads, sort lists other than ENQ_TIME, modes
// LOCKED and REMOVE_NODATA, patterns as correlations. Dates of messages, retention, message grouping, conditions, transformations, buffered messages, LISTEN
// and notification are the dialect's to refuse: this package has no way to ask for them.
package aq

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Caller is the session that calls a procedure of DBMS_AQADM.
type Caller interface {
	// Session is the session that waits, if there is something to wait for.
	Session() *store.Session
	// Commit commits the session's open transaction: every administrative call does that first.
	Commit() error
}

// Instance holds the queues of an engine.
type Instance struct {
	k      *kernel.Kernel
	st     *store.Store
	tables []*QueueTable // by owner and name
	works  store.Works[work]
	qid    int64 // last queue id
	step   int64 // last enqueue, over all queues
}

// New returns an instance without queues.
func New(k *kernel.Kernel, st *store.Store) *Instance {
	return &Instance{k: k, st: st, works: store.Works[work]{}}
}

// work is what others need to know about a transaction when it has ended.
type work struct {
	touched []*Queue // whose messages it locked, or that it added some to
	failed  []attempt
}

// attempt is a dequeue that was undone.
type attempt struct {
	q  *Queue
	id MsgID
}

// work returns the record of a transaction that touches a queue.
func (in *Instance) work(tx *store.Txn, q *Queue) *work {
	w := in.works.Of(tx, func(w *work, _ bool) { in.ended(w, killed(tx.Session())) })
	if !slices.Contains(w.touched, q) {
		w.touched = append(w.touched, q)
	}
	return w
}

// killed reports whether a session's work is undone because it was killed.
func killed(s *store.Session) bool { return s.Task != nil && s.Task.Dying() }

// ended handles what the end of a transaction makes possible. Its locks are already released.
func (in *Instance) ended(w *work, killed bool) {
	if !killed {
		for _, a := range w.failed {
			in.retry(a)
		}
	}
	for _, q := range w.touched {
		q.wake()
	}
}

// retry counts an attempt that failed: a message that has used up its retries goes to the exception queue.
func (in *Instance) retry(a attempt) {
	in.st.Alone(func(tx *store.Txn) {
		id, m, err := a.q.table.find(tx, a.id)
		if err != nil || m == nil || m.Queue != a.q {
			return // the message is gone, or was dequeued again
		}
		now := *m
		if now.Attempts++; now.Attempts > a.q.settings.MaxRetries {
			now.Queue, now.State = a.q.table.queues[0], Expired
		}
		_ = tx.Update(a.q.table.rows, id, now.row())
	})
}
