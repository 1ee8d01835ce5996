package broker

import (
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// ReceiveSpec are the clauses of RECEIVE.
type ReceiveSpec struct {
	Top          int64         // at most so many messages; negative: no TOP
	Conversation *Handle       // WHERE conversation_handle = …; nil: not given
	Group        *Handle       // WHERE conversation_group_id = …; nil: not given
	Waiting      bool          // inside WAITFOR
	Wait         time.Duration // with Waiting: TIMEOUT; negative: without limit
	// Project, if not nil, evaluates the select list while the statement can still fail. If it
	// fails, its error is returned, the queue monitor has not seen a RECEIVE (an activated
	// procedure whose RECEIVE fails leaves its monitor NOTIFIED), and the caller undoes the statement.
	Project func([]Message) error
}

// waiter is a session inside WAITFOR (RECEIVE …) or WAITFOR (GET CONVERSATION GROUP …).
type waiter struct {
	task     *kernel.Task
	anyGroup bool // it has no WHERE
}

// Receive takes messages of one conversation group from a queue and locks the group until the
// transaction ends. The messages are gone from the queue, or kept with status 0 if it has
// RETENTION. No messages and no error: there are none, or TIMEOUT has passed.
// Errors: 9617, 208 (the queue was dropped), 8426, 8436, those of Project and of locks,
// store.ErrInterrupted.
func (d *Database) Receive(tx *store.Txn, q *Queue, r ReceiveSpec) ([]Message, error) {
	var ms []Message
	err := q.wait(tx, r.Waiting, r.Wait, r.Conversation == nil && r.Group == nil, func() (bool, error) {
		var err error
		ms, err = d.receive(tx, q, r)
		return len(ms) > 0, err
	}, func() error {
		if r.Project != nil {
			return r.Project(ms)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(ms) > 0 {
		d.in.work(tx).receive(q)
	}
	return ms, nil
}

// wait repeats try until it finds something, or TIMEOUT has passed. It holds the queue shared
// while it tries and, if it has found something, until the end of the transaction.
func (q *Queue) wait(tx *store.Txn, waiting bool, limit time.Duration, anyGroup bool, try func() (bool, error), then func() error) error {
	in, sess := q.Database.in, tx.Session()
	deadline := in.k.Now().Add(limit)
	for {
		held := in.st.ModeHeld(tx.Owner(), q.resource()) != store.NL
		if err := q.lock(tx, store.S, sess.Wait()); err != nil {
			return err
		}
		if q.dropped {
			return errQueueDropped(q)
		}
		if !q.settings.Enabled {
			in.st.Unlock(tx.Owner(), q.resource(), !held)
			return errQueueDisabled(q)
		}
		seen := q.events
		found, err := try()
		if err != nil {
			return err
		}
		left := limit
		if limit >= 0 {
			left = deadline.Sub(in.k.Now())
		}
		if found || !waiting || limit >= 0 && left <= 0 {
			if err := then(); err != nil {
				return err
			}
			q.monitor.received(!found, anyGroup)
			return nil
		}
		in.st.Unlock(tx.Owner(), q.resource(), !held)
		if seen != q.events { // something came while it looked
			continue
		}
		if err := q.block(sess.Task, left, anyGroup); err != nil {
			return err
		}
	}
}

// block waits until something has happened to the queue, or for so long.
func (q *Queue) block(t *kernel.Task, left time.Duration, anyGroup bool) error {
	w := &waiter{task: t, anyGroup: anyGroup}
	q.waiters = append(q.waiters, w)
	q.monitor.receiving()
	defer func() { // also when a kill unwinds
		q.waiters = slices.DeleteFunc(slices.Clone(q.waiters), func(o *waiter) bool { return o == w })
		q.monitor.left()
	}()
	if reason, _ := t.Block(kernel.Wait{For: left, Kind: kernel.Demand}); reason == kernel.Interrupted {
		return store.ErrInterrupted
	}
	return nil
}

// awaited reports whether a session waits for whatever comes.
func (q *Queue) awaited() bool {
	return slices.ContainsFunc(q.waiters, func(w *waiter) bool { return w.anyGroup })
}

// wake lets everybody who waits for messages look again, in the order the seed chooses.
func (q *Queue) wake() {
	q.events++
	ws := slices.Clone(q.waiters)
	for len(ws) > 0 {
		i := q.Database.in.k.Choose("reader", len(ws))
		ws[i].task.Wake(nil)
		ws = slices.Delete(ws, i, i+1)
	}
}

// receive takes the messages that can be had now.
func (d *Database) receive(tx *store.Txn, q *Queue, r ReceiveSpec) ([]Message, error) {
	for {
		key, err := d.choose(tx, q, r)
		if err != nil || key == nil {
			return nil, err
		}
		ms, err := q.messages(tx, key, false)
		if err != nil {
			return nil, err
		}
		if len(ms) == 0 && r.Conversation == nil && r.Group == nil {
			continue // somebody took them between the look and the lock
		}
		inReceiveOrder(ms)
		if r.Top >= 0 && int64(len(ms)) > r.Top {
			ms = ms[:r.Top]
		}
		for i := range ms {
			if err := q.take(tx, &ms[i]); err != nil {
				return nil, err
			}
		}
		return ms, nil
	}
}

// take removes a message from the queue, or marks it as received.
func (q *Queue) take(tx *store.Txn, m *Message) error {
	m.Status = statusReceived
	if q.settings.Retention {
		return tx.Update(q.table, m.row, m.Row())
	}
	return tx.Delete(q.table, m.row)
}

// choose locks the group to receive from and returns the key prefix of the messages wanted; nil: none.
func (d *Database) choose(tx *store.Txn, q *Queue, r ReceiveSpec) ([]byte, error) {
	switch {
	case r.Conversation != nil:
		e, err := d.ownGroup(tx, *r.Conversation)
		if err != nil {
			return nil, err
		}
		if s := d.ServiceByID(e.service); s == nil || s.Queue != q || e.state == Closed || e.state == DisconnectedOutbound {
			return nil, message.MS(8426, *r.Conversation) // ended: its handle is no longer valid
		}
		return append(e.group[:], e.handle[:]...), nil
	case r.Group != nil:
		service, found, err := d.groupService(tx, *r.Group)
		if err != nil {
			return nil, err
		}
		if s := d.ServiceByID(service); !found || s == nil || s.Queue != q {
			return nil, message.MS(8436, *r.Group)
		}
		d.in.work(tx).touch(q)
		return r.Group[:], nil
	}
	g, ok, err := q.nextGroup(tx)
	if err != nil || !ok {
		return nil, err
	}
	return g[:], nil
}

// candidates is among how many of the oldest groups with messages the seed chooses: SQL Server
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
			case !isBusy(err):
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
		if row[columnStatus].Int64() != statusReady {
			continue
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

// messages reads the messages ready under a key prefix, with retained ones if asked.
func (q *Queue) messages(tx *store.Txn, key []byte, retained bool) ([]Message, error) {
	c := tx.Open(q.table, q.ready(key))
	defer c.Close()
	var ms []Message
	for {
		id, row, ok, err := c.Next()
		if err != nil || !ok {
			return ms, err
		}
		if retained || row[columnStatus].Int64() == statusReady {
			ms = append(ms, decodeMessage(id, row))
		}
	}
}

// Rows returns the messages of the queue in queuing order as a SELECT sees them that waits for
// nobody and shows nothing that is not committed, its own transaction's work apart: the columns
// are those of SELECT *. A SELECT with other isolation reads Table.
func (q *Queue) Rows(tx *store.Txn) []value.Row {
	sn := tx.Snapshot()
	defer tx.Release(sn)
	c := tx.Open(q.table, store.Access{Mode: store.Versioned, Snapshot: sn})
	defer c.Close()
	var rows []value.Row
	for {
		_, row, ok, err := c.Next()
		if err != nil || !ok { // an error is possible only while the queue is being made
			return rows
		}
		rows = append(rows, row)
	}
}
