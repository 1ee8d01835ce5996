package store

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"
)

// LockInfo is a lock that is held or a waiting request: a row of a lock view.
type LockInfo struct {
	Resource   Resource
	Mode       LockMode // held or requested
	Owner      *Owner
	Count      int // how often it is held; 0 for a waiting request
	Waiting    bool
	Converting bool       // a waiting request of an owner that holds the resource in another mode
	Since      time.Time  // when the wait began
	Blockers   []*Session // whom the request waits for
}

// Locks returns all locks and waiting requests: by resource, held locks before requests
// that wait, which are in the order in which they will be granted.
func (s *Store) Locks() iter.Seq[LockInfo] {
	all := make([]*lock, 0, len(s.locks))
	for _, lk := range s.locks { // sorted below
		all = append(all, lk)
	}
	slices.SortFunc(all, func(a, b *lock) int { return a.res.compare(b.res) })
	return func(yield func(LockInfo) bool) {
		for _, lk := range all {
			var held []LockInfo
			for g := lk.granted; g != nil; g = g.peer {
				held = append(held, LockInfo{Resource: lk.res, Mode: g.mode, Owner: g.owner, Count: int(g.count)})
			}
			slices.Reverse(held)
			for _, w := range lk.queue {
				held = append(held, LockInfo{
					Resource: lk.res, Mode: w.want, Owner: w.owner, Waiting: true,
					Converting: w.hold != nil, Since: w.since, Blockers: w.blockers(),
				})
			}
			for _, li := range held {
				if !yield(li) {
					return
				}
			}
		}
	}
}

func (r Resource) compare(o Resource) int {
	return cmp.Or(cmp.Compare(r.Class, o.Class), cmp.Compare(r.DB, o.DB), cmp.Compare(r.Object, o.Object),
		cmp.Compare(r.Row, o.Row), strings.Compare(r.Key, o.Key))
}
