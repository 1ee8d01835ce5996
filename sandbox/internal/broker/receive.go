package broker

import (
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// ReceiveSpec are the clauses of RECEIVE.
type ReceiveSpec struct {
	Top     int64         // at most this many messages; negative: no TOP
	Waiting bool          // inside WAITFOR
	Wait    time.Duration // with Waiting: TIMEOUT; negative: without limit
	// Project, if not nil, evaluates the select list while the statement can still fail. If it
	// fails, its error is returned, the queue monitor has not seen a RECEIVE (an activated
	// procedure whose RECEIVE fails leaves its monitor NOTIFIED), and the caller undoes the statement.
	Project func([]Message) error
}

// Receive takes messages of one conversation group from a queue and locks the group until the
// transaction ends. It holds the queue shared while it looks and, if it has found something, until
// the end of the transaction. No messages and no error: there are none, or TIMEOUT has passed.
// Errors: 9617, 208 (the queue was dropped), those of Project and of locks, store.ErrInterrupted.
func (d *Database) Receive(tx *store.Txn, q *Queue, r ReceiveSpec) ([]Message, error) {
	sess := tx.Session()
	deadline := d.in.k.Now().Add(r.Wait)
	for {
		held := d.in.st.ModeHeld(tx.Owner(), q.resource()) != store.NL
		if err := q.lock(tx, store.S, sess.Wait()); err != nil {
			return nil, err
		}
		if q.dropped {
			return nil, errQueueDropped(q)
		}
		if !q.settings.Enabled {
			d.in.st.Unlock(tx.Owner(), q.resource(), !held)
			return nil, errQueueDisabled(q)
		}
		seen := q.waiters.Events
		ms, err := d.receive(tx, q, r)
		if err != nil {
			return nil, err
		}
		left := r.Wait
		if left >= 0 {
			left = deadline.Sub(d.in.k.Now())
		}
		if len(ms) > 0 || !r.Waiting || r.Wait >= 0 && left <= 0 {
			if r.Project != nil {
				if err := r.Project(ms); err != nil {
					return nil, err
				}
			}
			q.monitor.received(len(ms) == 0)
			if len(ms) > 0 {
				d.in.work(tx).receive(q)
			}
			return ms, nil
		}
		d.in.st.Unlock(tx.Owner(), q.resource(), !held)
		if seen != q.waiters.Events { // something came while it looked
			continue
		}
		if err := q.block(sess.Task, left); err != nil {
			return nil, err
		}
	}
}

// block waits until something has happened to the queue, or until the time is up.
func (q *Queue) block(t *kernel.Task, left time.Duration) error {
	leave := q.waiters.Enter(t)
	q.monitor.receiving()
	defer func() { // also when a kill unwinds
		leave()
		q.monitor.left()
	}()
	return store.Sleep(t, left, kernel.Demand)
}

// wake lets everybody who waits for messages look again.
func (q *Queue) wake() { q.waiters.Wake(q.Database.in.k, "reader") }

// receive takes the messages that are available now.
func (d *Database) receive(tx *store.Txn, q *Queue, r ReceiveSpec) ([]Message, error) {
	for {
		group, ok, err := q.nextGroup(tx)
		if err != nil || !ok {
			return nil, err
		}
		var ms []Message
		if err := tx.Each(q.table, q.ready(group[:]), func(id store.RowID, row value.Row) bool {
			ms = append(ms, decodeMessage(id, row))
			return true
		}); err != nil {
			return nil, err
		}
		if len(ms) == 0 {
			continue // another session took them between the look and the lock
		}
		inReceiveOrder(ms)
		if r.Top >= 0 && int64(len(ms)) > r.Top {
			ms = ms[:r.Top]
		}
		for i := range ms {
			ms[i].Status = statusReceived
			if err := tx.Delete(q.table, ms[i].row); err != nil {
				return nil, err
			}
		}
		return ms, nil
	}
}

// candidates is the number of the oldest groups with messages from which the seed chooses: SQL Server
// promises no order among groups of one priority.
const candidates = 4

// nextGroup locks a group that has messages ready and that nobody else has locked.
func (q *Queue) nextGroup(tx *store.Txn) (group Handle, ok bool, err error) {
	d := q.Database
	seen := map[Handle]bool{}
	var found []Handle
	take := func() error {
		for len(found) > 0 && !ok {
			i := d.in.k.Choose("group", len(found))
			g := found[i]
			found = slices.Delete(found, i, i+1)
			switch err := d.lockGroup(tx, g, store.LockWait{}); {
			case err == nil:
				group, ok = g, true
				d.in.work(tx).touch(q)
			case !store.IsBusy(err):
				return err
			}
		}
		return nil
	}
	c := tx.Open(q.table, q.ready(nil))
	defer c.Close()
	for !ok {
		_, row, more, err := c.Next()
		if err != nil {
			return group, false, err
		}
		if !more {
			break
		}
		if g := Handle(row[columnGroup].GUIDBytes()); !seen[g] {
			seen[g] = true
			found = append(found, g)
		}
		if len(found) == candidates {
			if err := take(); err != nil {
				return group, false, err
			}
		}
	}
	err = take()
	return group, ok, err
}

// ready reads messages that nobody else is about to add or to take; key is a prefix of group
// and conversation, nil for all in queuing order.
func (q *Queue) ready(key []byte) store.Access {
	a := store.Access{Lo: key, Hi: key, Mode: store.Locking, Lock: store.S, SkipLocked: true, Seek: true}
	if key != nil {
		a.Index = q.byGroup
	}
	return a
}

// Rows returns the messages of the queue in queuing order as a SELECT sees them that waits for
// nobody and shows only what is committed, or done by its own transaction: the columns
// are those of SELECT *. A SELECT with other isolation reads Table.
func (q *Queue) Rows(tx *store.Txn) []value.Row {
	sn := tx.Snapshot()
	defer tx.Release(sn)
	var rows []value.Row
	_ = tx.Each(q.table, store.Access{Mode: store.Versioned, Snapshot: sn}, func(_ store.RowID, row value.Row) bool {
		rows = append(rows, row)
		return true
	}) // an error is possible only while the queue is being created
	return rows
}
