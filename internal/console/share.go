package console

import (
	"context"
	"sync"
	"time"

	"github.com/dbsched/dbsched/internal/snapshot"
)

// Limits of what is read for viewers.
const (
	mostShared = 50               // keys of one kind that are kept; beyond, the one that was viewed longest ago is dropped
	slowest    = 10 * time.Second // between two readings of a key, however many there are
	atOnce     = 2                // readings for one address: others get their turn on the database's only connection
)

// shares hold what several viewers read from one view, by key. The more keys are viewed, the less often each is read.
type shares[K comparable, T any] struct {
	mu  sync.Mutex
	all map[K]*entry[T]
}

type entry[T any] struct {
	*snapshot.Share[T]
	used time.Time
}

// of returns the share of a key. Shares without a viewer for a minute are dropped.
func (s *shares[K, T]) of(key K, read func(context.Context) (T, error)) *snapshot.Share[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	var oldest K
	for k, e := range s.all {
		if now.Sub(e.used) > time.Minute {
			delete(s.all, k)
		} else if o := s.all[oldest]; o == nil || e.used.Before(o.used) {
			oldest = k
		}
	}
	e := s.all[key]
	if e == nil {
		e = &entry[T]{Share: snapshot.NewShare(read, s.pace)}
		if s.all == nil {
			s.all = map[K]*entry[T]{}
		}
		if len(s.all) >= mostShared {
			delete(s.all, oldest)
		}
		s.all[key] = e
	}
	e.used = now
	return e.Share
}

// stale makes the next viewer of each key read again.
func (s *shares[K, T]) stale() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.all)
}

func (s *shares[K, T]) pace() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return min(slowest, Interval*time.Duration(max(1, len(s.all))))
}

// turns let each address read only so much at once.
type turns struct {
	mu  sync.Mutex
	all map[string]*turn
}

type turn struct {
	free chan struct{}
	used int // readings under way, and those that wait
}

// take waits for a turn of an address, and returns what ends it.
func (t *turns) take(ctx context.Context, address string) (end func(), err error) {
	t.mu.Lock()
	if t.all == nil {
		t.all = map[string]*turn{}
	}
	one := t.all[address]
	if one == nil {
		one = &turn{free: make(chan struct{}, atOnce)}
		t.all[address] = one
	}
	one.used++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if one.used--; one.used == 0 {
			delete(t.all, address)
		}
	}
	select {
	case one.free <- struct{}{}:
		return func() { <-one.free; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
