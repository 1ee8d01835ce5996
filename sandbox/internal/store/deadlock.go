package store

import "slices"

// detect looks for cycles of waits through w and breaks each by choosing a victim.
// A cycle is closed by the last of its waits, so one search from every wait finds all cycles.
func (s *Store) detect(w *waiter) {
	for w.granted == nil && w.victim == nil && w.sess.waiting == w {
		cycle := findCycle(w.sess)
		if cycle == nil {
			return
		}
		v := s.victim(cycle)
		s.k.Tracef("deadlock %d of %d", slices.Index(cycle, v), len(cycle))
		lost := v.waiting
		lost.victim = &Deadlock{Cycle: cycle, Resource: lost.lk.res, Mode: lost.want}
		s.leave(lost)
		v.Task.Wake(nil)
	}
}

// findCycle returns the sessions of a cycle of waits that goes through start, or nil.
func findCycle(start *Session) []*Session {
	seen := map[*Session]bool{}
	var path []*Session
	var visit func(x *Session) bool
	visit = func(x *Session) bool {
		if x.waiting == nil || x.waiting.granted != nil || x.waiting.victim != nil || seen[x] {
			return false
		}
		seen[x] = true
		path = append(path, x)
		for _, b := range x.waiting.blockers() {
			if b == start || visit(b) {
				return true
			}
		}
		path = path[:len(path)-1]
		return false
	}
	if visit(start) {
		return path
	}
	return nil
}

// victim chooses the session that loses.
func (s *Store) victim(cycle []*Session) *Session {
	if s.opts.Victim != nil {
		if v := s.opts.Victim(cycle); slices.Contains(cycle, v) {
			return v
		}
	}
	least := cycle[:1:1]
	for _, x := range cycle[1:] {
		b := least[0]
		switch {
		case x.DeadlockPriority < b.DeadlockPriority,
			x.DeadlockPriority == b.DeadlockPriority && x.Undo() < b.Undo():
			least = []*Session{x}
		case x.DeadlockPriority == b.DeadlockPriority && x.Undo() == b.Undo():
			least = append(least, x)
		}
	}
	return least[s.k.Choose("victim", len(least))]
}
