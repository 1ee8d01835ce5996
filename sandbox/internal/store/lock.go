package store

import (
	"fmt"
	"time"
)

// Class is a kind of lockable resource. Engines may number further ones from FirstFreeClass.
type Class int64

// The classes.
const (
	Database Class = iota + 1
	Object         // a table or another object with an id
	Key            // an index key; Object is the index's id
	RID            // a row of a heap; Object is the table's heap id
	Schema
	Application
	ConversationGroup
	Queue
	Metadata
	Xact // a transaction whose id is Row: used where it protects rows
	FirstFreeClass
)

var classNames = [FirstFreeClass]string{
	"?", "DATABASE", "OBJECT", "KEY", "RID", "SCHEMA", "APPLICATION", "CONVERSATION_GROUP", "QUEUE", "METADATA", "XACT",
}

// String returns the class as a lock view shows it.
func (c Class) String() string {
	if c > 0 && c < FirstFreeClass {
		return classNames[c]
	}
	return fmt.Sprintf("CLASS_%d", int64(c))
}

// Resource identifies what a lock is on. It is comparable.
type Resource struct {
	Class  Class
	DB     int64
	Object int64
	Row    int64  // row id of a RID, and of a key in an index that is not unique
	Key    string // key bytes, or the name of an application lock
}

// infinity marks the gap after the last key of an index.
const infinity = -1

// String formats a resource for messages and traces.
func (r Resource) String() string {
	switch {
	case r.Class == Key && r.Row == infinity:
		return fmt.Sprintf("KEY: %d:%d (infinity)", r.DB, r.Object)
	case r.Class == Key:
		return fmt.Sprintf("KEY: %d:%d (%x,%d)", r.DB, r.Object, r.Key, r.Row)
	case r.Key != "":
		return fmt.Sprintf("%s: %d:%d:[%s]", r.Class, r.DB, r.Object, r.Key)
	default:
		return fmt.Sprintf("%s: %d:%d:%d", r.Class, r.DB, r.Object, r.Row)
	}
}

// LockWait says how long a request may wait.
type LockWait struct {
	For    time.Duration // negative: forever; 0: not at all
	Demand bool          // a timeout that somebody waits for: virtual time jumps to it
}

// lock is a resource that somebody holds or waits for.
type lock struct {
	res     Resource
	granted *grant    // linked by peer, oldest last
	queue   []*waiter // conversions first, then in order of arrival
	next    *lock     // free list
}

// grant is a lock held by an owner, count times.
type grant struct {
	owner *Owner
	lk    *lock
	mode  LockMode
	count int32
	gen   uint32 // increased when the grant is freed, so that stale pointers can be detected
	peer  *grant // next holder of the same resource; next in the free list
	prev  *grant // of the same owner
	next  *grant
}

// Lock takes or converts a lock. Repeated requests count; the owner then holds the
// combination of the modes. A request that conflicts with what others hold, or requested earlier,
// waits as w says. Errors: *LockTimeout, *Deadlock, ErrInterrupted.
func (s *Store) Lock(o *Owner, r Resource, m LockMode, w LockWait) error {
	_, err := s.lock(o, r, m, w)
	return err
}

func (s *Store) lock(o *Owner, r Resource, m LockMode, w LockWait) (*grant, error) {
	x := o.sess
	if x.s.k.Granularity() > 0 {
		x.offer(atLocks)
		switch {
		case w.For > 0 && s.k.Fails("timed lock"):
			return nil, &LockTimeout{Resource: r, Mode: m}
		case w.For != 0 && o.held+x.owner.held > 0 && s.k.Fails("lock"): // an owner without locks cannot deadlock
			return nil, &Deadlock{Cycle: []*Session{x}, Resource: r, Mode: m}
		}
	}
	x.Counters.Locks++
	s.Counters.Locks++
	x.Counters.ByMode[m]++
	s.Counters.ByMode[m]++
	lk := s.locks[r]
	if lk == nil {
		lk = s.newLock(r)
		return s.newGrant(lk, o, m), nil
	}
	g := lk.held(o)
	target := m
	if g != nil {
		if target = converted[g.mode][m]; target == g.mode {
			g.count++
			return g, nil
		}
	}
	if lk.free(o, target) && (g != nil || !lk.queued(o, target, nil)) {
		if g == nil {
			return s.newGrant(lk, o, target), nil
		}
		s.convert(g, target)
		g.count++
		return g, nil
	}
	if w.For == 0 || x.Task == nil {
		return nil, &LockTimeout{Resource: r, Mode: m}
	}
	return s.wait(lk, o, g, m, target, w)
}

// Unlock releases a lock, once or completely; false: the owner does not hold it.
// While it is still held, it keeps its mode.
func (s *Store) Unlock(o *Owner, r Resource, all bool) bool {
	lk := s.locks[r]
	if lk == nil {
		return false
	}
	g := lk.held(o)
	if g == nil {
		return false
	}
	if g.count > 1 && !all {
		g.count--
		return true
	}
	s.release(g)
	return true
}

// Downgrade lowers a lock that the owner holds to a mode that its current one covers, and grants what that makes
// possible. Key ranges cannot be lowered.
func (s *Store) Downgrade(o *Owner, r Resource, m LockMode) {
	lk := s.locks[r]
	if lk == nil {
		return
	}
	if g := lk.held(o); g != nil && g.mode != m && g.mode.Covers(m) && parts[g.mode]&pRange == 0 {
		g.mode = m
		s.pass(lk)
	}
}

// Compatible reports whether the owner would get the lock without waiting.
func (s *Store) Compatible(o *Owner, r Resource, m LockMode) bool {
	lk := s.locks[r]
	if lk == nil {
		return true
	}
	g := lk.held(o)
	if g != nil {
		m = converted[g.mode][m]
	}
	return lk.free(o, m) && (g != nil || !lk.queued(o, m, nil))
}

// ModeHeld returns the mode in which the owner holds a resource, NL if it does not.
func (s *Store) ModeHeld(o *Owner, r Resource) LockMode {
	if lk := s.locks[r]; lk != nil {
		if g := lk.held(o); g != nil {
			return g.mode
		}
	}
	return NL
}

// held returns the owner's grant, or nil.
func (lk *lock) held(o *Owner) *grant {
	for g := lk.granted; g != nil; g = g.peer {
		if g.owner == o {
			return g
		}
	}
	return nil
}

// free reports whether no other owner holds the resource in a conflicting mode.
func (lk *lock) free(o *Owner, m LockMode) bool {
	h := hits[m]
	for g := lk.granted; g != nil; g = g.peer {
		if parts[g.mode]&h != 0 && !g.owner.allies(o) {
			return false
		}
	}
	return true
}

// queued reports whether a waiter (before the given one, if not nil) wants what
// conflicts with m: then a new request must wait as well, or it would starve the other.
func (lk *lock) queued(o *Owner, m LockMode, before *waiter) bool {
	h := hits[m]
	for _, w := range lk.queue {
		if w == before {
			return false
		}
		if parts[w.target]&h != 0 && !w.owner.allies(o) {
			return true
		}
	}
	return false
}

func (s *Store) newLock(r Resource) *lock {
	lk := s.freeLocks
	if lk == nil {
		lk = &lock{}
	} else {
		s.freeLocks, lk.next = lk.next, nil
	}
	lk.res = r
	s.locks[r] = lk
	return lk
}

func (s *Store) newGrant(lk *lock, o *Owner, m LockMode) *grant {
	g := s.freeHolds
	if g == nil {
		g = &grant{}
	} else {
		s.freeHolds = g.peer
	}
	g.owner, g.lk, g.mode, g.count = o, lk, m, 1
	g.peer, lk.granted = lk.granted, g
	g.prev, g.next = o.last, nil
	if o.last == nil {
		o.first = g
	} else {
		o.last.next = g
	}
	o.last = g
	o.held++
	if parts[m]&pRange != 0 {
		s.ranges++
	}
	return g
}

func (s *Store) convert(g *grant, m LockMode) {
	if parts[m]&pRange != 0 && parts[g.mode]&pRange == 0 {
		s.ranges++
	}
	g.mode = m
}

// release ends a grant, whatever its count, and grants what waited for it.
func (s *Store) release(g *grant) {
	lk, o := g.lk, g.owner
	if parts[g.mode]&pRange != 0 {
		s.ranges--
	}
	if lk.granted == g {
		lk.granted = g.peer
	} else {
		for p := lk.granted; p != nil; p = p.peer {
			if p.peer == g {
				p.peer = g.peer
				break
			}
		}
	}
	if g.prev == nil {
		o.first = g.next
	} else {
		g.prev.next = g.next
	}
	if g.next == nil {
		o.last = g.prev
	} else {
		g.next.prev = g.prev
	}
	o.held--
	*g = grant{gen: g.gen + 1, peer: s.freeHolds}
	s.freeHolds = g
	if len(lk.queue) > 0 {
		s.pass(lk)
	}
	s.tidy(lk)
}

// tidy removes a resource that nobody holds or waits for.
func (s *Store) tidy(lk *lock) {
	if lk.granted == nil && len(lk.queue) == 0 {
		delete(s.locks, lk.res)
		lk.res = Resource{}
		lk.next, s.freeLocks = s.freeLocks, lk
	}
}
