package broker

import (
	"errors"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// deliver starts a task that delivers an endpoint's messages from the transmission queue,
// unless one is already running: that one checks again before it ends.
func (d *Database) deliver(h Handle) {
	if _, busy := d.sending[h]; busy {
		d.sending[h] = true
		return
	}
	d.sending[h] = false
	d.in.k.Go("broker transmitter", func(t *kernel.Task) {
		defer delete(d.sending, h)
		for {
			d.sending[h] = false
			d.in.system(t, func(tx *store.Txn) (wait func(*store.Txn) error, err error) { return d.transmit(tx, h) })
			if !d.sending[h] {
				return
			}
		}
	}, nil)
}

// system runs a step of the broker itself in a transaction that gives way: fn must not wait while
// it holds anything. If it returns a wait, what it did is undone, the wait runs in a transaction
// of its own, and fn runs again.
func (in *Instance) system(t *kernel.Task, fn func(tx *store.Txn) (wait func(*store.Txn) error, err error)) {
	sess := in.st.NewSession(t)
	sess.DeadlockPriority = 10 // the highest that a session can set
	sess.Label = in
	defer sess.Close()
	for {
		tx := sess.Begin()
		tx.NewStatement()
		wait, err := fn(tx)
		if err == nil && wait == nil {
			tx.Commit()
			return
		}
		tx.Rollback()
		if wait == nil {
			if _, lost := errors.AsType[*store.Deadlock](err); lost {
				continue
			}
			in.k.Tracef("broker task gave up: %v", err)
			return // refused by the sandbox: the message stays in the transmission queue
		}
		tx = sess.Begin()
		_ = wait(tx) // only how long it took matters
		tx.Rollback()
	}
}

// transmit delivers what an endpoint has in the transmission queue, in order, until something is in the way.
func (d *Database) transmit(tx *store.Txn, h Handle) (wait func(*store.Txn) error, err error) {
	e, err := d.hold(tx, h)
	if err != nil || e == nil {
		return nil, err
	}
	for {
		id, row, err := tx.First(d.transmissions, store.Access{
			Index: d.bySender, Lo: h[:], Hi: h[:], Mode: store.Locking, Lock: store.X, Keep: true, Seek: true,
		})
		if row == nil {
			return nil, err
		}
		p := parcel{
			kind: d.MessageTypeByID(int32(row[sentTypeID].Int64())), body: row[sentBody], sequence: row[sentSequence].Int64(),
			end: row[sentIsEnd].Int64() != 0, failure: row[sentIsError].Int64() != 0,
		}
		if p.kind == nil { // dropped while the message waited
			p.kind = &MessageType{ID: int32(row[sentTypeID].Int64()), Name: row[sentTypeName].Str(), Validation: ValidationNone}
		}
		why, err := d.handOver(tx, e, p)
		switch {
		case err != nil, e.state == Failed: // then nothing is left to send
			return nil, err
		case why.far:
			return func(tx *store.Txn) error { _, err := d.holdFar(tx, e, store.X, true); return err }, nil
		case why.queue != nil:
			return func(tx *store.Txn) error {
				return why.queue.lock(tx, store.S, store.LockWait{For: -1})
			}, nil
		case why.status != "":
			return nil, d.note(tx, id, row, why.status)
		}
		if err := tx.Delete(d.transmissions, id); err != nil {
			return nil, err
		}
		tx.NewStatement()
		if p.end || p.failure {
			return nil, d.close(tx, e)
		}
		if err := d.save(tx, e); err != nil {
			return nil, err
		}
	}
}

// note records why a message has not been delivered.
func (d *Database) note(tx *store.Txn, id store.RowID, row value.Row, status string) error {
	if row[sentStatus].Str() == status {
		return nil
	}
	now := append(value.Row(nil), row...)
	now[sentStatus] = value.NewString(status)
	return tx.Update(d.transmissions, id, now)
}

// deliverWaiting tries again to deliver everything in the transmission queue: something has
// changed that may have been in the way.
func (d *Database) deliverWaiting() {
	var senders []Handle
	d.in.st.Alone(func(tx *store.Txn) {
		_ = tx.Each(d.transmissions, store.Access{Index: d.byOrder, Mode: store.Dirty}, func(_ store.RowID, row value.Row) bool {
			senders = add(senders, Handle(row[sentConversation].GUIDBytes()))
			return true
		})
	})
	for _, h := range senders {
		d.deliver(h)
	}
}
