package store

import (
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
)

const (
	atLocks = kernel.AtLocks
	atRows  = kernel.AtRows
)

// waiter is a request that was not granted at once.
type waiter struct {
	sess   *Session
	owner  *Owner
	lk     *lock
	hold   *grant   // the lock to be converted; nil: a new lock
	want   LockMode // the requested mode
	target LockMode // the mode that the owner will hold
	since  time.Time

	granted *grant
	victim  *Deadlock
}

// wait queues a request and blocks the session until it is granted or has failed.
func (s *Store) wait(lk *lock, o *Owner, hold *grant, want, target LockMode, lw LockWait) (*grant, error) {
	x := o.sess
	x.Count(Counters{LockWaits: 1})
	w := &waiter{sess: x, owner: o, lk: lk, hold: hold, want: want, target: target, since: s.k.Now()}
	at := len(lk.queue)
	if hold != nil { // conversions go first: they hold what everybody else waits for
		if i := slices.IndexFunc(lk.queue, func(other *waiter) bool { return other.hold == nil }); i >= 0 {
			at = i
		}
	}
	lk.queue = slices.Insert(lk.queue, at, w)
	x.waiting = w
	monitor := s.k.After(s.opts.DetectAfter, kernel.Demand, func() { s.detect(w) })
	defer func() { // also runs when a kill unwinds
		monitor.Stop()
		x.waiting = nil
		if w.granted == nil && w.victim == nil {
			s.leave(w)
		}
	}()
	kind := kernel.HouseKeeping
	if lw.Demand {
		kind = kernel.Demand
	}
	left := lw.For
	for {
		reason, _ := x.Task.Block(kernel.Wait{For: left, Kind: kind})
		switch {
		case w.granted != nil:
			if reason == kernel.Interrupted {
				x.Task.Interrupt() // it came too late for this wait: the next one sees it
			}
			return w.granted, nil
		case w.victim != nil:
			return nil, w.victim
		case reason == kernel.Interrupted:
			return nil, ErrInterrupted
		case reason == kernel.TimedOut:
			return nil, &LockTimeout{Resource: lk.res, Mode: want}
		}
		if lw.For > 0 { // woken by somebody else
			if left = lw.For - s.k.Now().Sub(w.since); left <= 0 {
				return nil, &LockTimeout{Resource: lk.res, Mode: want}
			}
		}
	}
}

// leave removes a waiter from its queue; those after it may be granted now.
func (s *Store) leave(w *waiter) {
	lk := w.lk
	if i := slices.Index(lk.queue, w); i >= 0 {
		lk.queue = slices.Delete(lk.queue, i, i+1)
	}
	s.pass(lk)
	s.tidy(lk)
}

// pass grants what can be granted after something was released: in order, and never past
// a waiter whose request conflicts. Those granted together run in the order the seed chooses.
func (s *Store) pass(lk *lock) {
	var now []*waiter
	for i := 0; i < len(lk.queue); {
		w := lk.queue[i]
		if !lk.free(w.owner, w.target) || w.hold == nil && lk.queued(w.owner, w.target, w) {
			i++
			continue
		}
		lk.queue = slices.Delete(lk.queue, i, i+1)
		if w.hold == nil {
			w.granted = s.newGrant(lk, w.owner, w.target)
		} else {
			s.convert(w.hold, w.target)
			w.hold.count++
			w.granted = w.hold
		}
		now = append(now, w)
	}
	for len(now) > 0 {
		i := s.k.Choose("grant", len(now))
		now[i].sess.Task.Wake(nil)
		now = slices.Delete(now, i, i+1)
	}
}

// blockers returns the sessions that w waits for, each once.
func (w *waiter) blockers() []*Session {
	var out []*Session
	add := func(o *Owner) {
		if !slices.Contains(out, o.sess) {
			out = append(out, o.sess)
		}
	}
	h := hits[w.target]
	for g := w.lk.granted; g != nil; g = g.peer {
		if parts[g.mode]&h != 0 && !g.owner.allies(w.owner) {
			add(g.owner)
		}
	}
	if w.hold != nil {
		return out
	}
	for _, other := range w.lk.queue {
		if other == w {
			break
		}
		if parts[other.target]&h != 0 && !other.owner.allies(w.owner) {
			add(other.owner)
		}
	}
	return out
}
