package broker

import (
	"time"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// ConversationTimer sets the one timer of an endpoint, anew if it is running. When it expires, a
// DialogTimer message is put into the endpoint's own queue, by a transaction of its own; if the
// queue or the broker is off then, once that is on again. The timer does not attract jumps of the
// virtual clock: one that a procedure always sets again would keep an idle system jumping.
// Errors: 8410, 8426, 8458; lock errors of the store.
func (d *Database) ConversationTimer(tx *store.Txn, conversation Handle, timeout time.Duration) error {
	if timeout < time.Second {
		return sqlerr.NotSupported("BEGIN CONVERSATION TIMER with a TIMEOUT below 1")
	}
	e, err := d.own(tx, conversation)
	if err != nil {
		return err
	}
	if e.state != StartedOutbound && e.state != Conversing {
		return errState(8458, "BEGIN CONVERSATION TIMER", e.state)
	}
	at := d.in.k.Now().Add(timeout).Truncate(tick)
	if at.After(e.lifetime) {
		return message.MS(8410)
	}
	e.timer = at
	if err := d.save(tx, e); err != nil {
		return err
	}
	tx.OnCommit(func() { d.arm(e.handle, at) })
	return nil
}

// arm schedules the timer of an endpoint.
func (d *Database) arm(h Handle, at time.Time) {
	d.disarm(h)
	d.timers[h] = d.in.k.After(at.Sub(d.in.k.Now()), kernel.HouseKeeping, func() {
		delete(d.timers, h)
		d.fire(h, at)
	})
}

func (d *Database) disarm(h Handle) { stopTimer(d.timers, h) }

func stopTimer(of map[Handle]*kernel.Timer, h Handle) {
	if t := of[h]; t != nil {
		t.Stop()
		delete(of, h)
	}
}

func (d *Database) stopTimers() {
	for _, of := range []map[Handle]*kernel.Timer{d.timers, d.lifetimes} {
		for h, t := range of { // all are stopped, the order does not show
			t.Stop()
			delete(of, h)
		}
	}
}

// fire puts the DialogTimer message into the queue.
func (d *Database) fire(h Handle, at time.Time) {
	d.step("broker timer", func(tx *store.Txn) (*Queue, error) {
		e, s, err := d.holdOpen(tx, h)
		if err != nil || e == nil || !e.timer.Equal(at) { // ended, or set again, meanwhile
			return nil, err
		}
		off := !s.Queue.settings.Enabled
		if off && !d.in.k.Differs(differ.TimerLost) {
			return s.Queue, nil
		}
		e.timer = time.Time{}
		if err := d.save(tx, e); err != nil || off {
			return nil, err
		}
		return nil, s.Queue.put(tx, e, parcel{kind: d.MessageType(TypeDialogTimer)}, s)
	})
}

// holdOpen locks an endpoint and keeps its queue's settings as they are; nil: there is none.
func (d *Database) holdOpen(tx *store.Txn, h Handle) (*endpoint, *Service, error) {
	e, err := d.look(tx, h)
	if err != nil || e == nil {
		return nil, nil, err
	}
	s := d.ServiceByID(e.service)
	if s == nil {
		return nil, nil, nil // it is being dropped
	}
	if err := s.Queue.lock(tx, store.S, tx.Session().Wait()); err != nil {
		return nil, nil, err
	}
	e, err = d.hold(tx, h)
	return e, s, err
}

// step runs something that has come due in a task of its own; it is postponed while the broker is
// off, or while the queue is off that fn returns for this reason.
func (d *Database) step(name string, fn func(tx *store.Txn) (off *Queue, err error)) {
	again := func() { d.step(name, fn) }
	if !d.enabled {
		d.held = append(d.held, again)
		return
	}
	d.in.k.Go(name, func(t *kernel.Task) {
		var off *Queue
		d.in.system(t, func(tx *store.Txn) (func(*store.Txn) error, error) {
			var err error
			off, err = fn(tx)
			return nil, err
		})
		switch {
		case off == nil:
		case off.settings.Enabled: // turned on while the transaction ended
			again()
		default:
			off.held = append(off.held, again)
		}
	}, nil)
}

// armLifetime schedules the expiry of an endpoint, or the removal of a closed one.
func (d *Database) armLifetime(h Handle, at time.Time) {
	d.disarmLifetime(h)
	wait := at.Sub(d.in.k.Now())
	if wait > maxLifetime/2 { // LIFETIME was not given: 68 years
		return
	}
	d.lifetimes[h] = d.in.k.After(wait, kernel.HouseKeeping, func() {
		delete(d.lifetimes, h)
		d.expire(h)
	})
}

func (d *Database) disarmLifetime(h Handle) { stopTimer(d.lifetimes, h) }

// expire ends an endpoint whose LIFETIME has expired with an Error message into its own queue (each
// side does so for itself), and removes one that is closed.
func (d *Database) expire(h Handle) {
	d.step("broker lifetime", func(tx *store.Txn) (*Queue, error) {
		e, s, err := d.holdOpen(tx, h)
		if err != nil || e == nil {
			return nil, err
		}
		switch e.state {
		case Closed, DisconnectedOutbound:
			return nil, d.remove(tx, e)
		case Failed:
			return nil, nil
		case StartedOutbound, Conversing, DisconnectedInbound:
		}
		if !s.Queue.settings.Enabled {
			return s.Queue, nil
		}
		return nil, d.fail(tx, e, codeLifetime, textLifetime)
	})
}
