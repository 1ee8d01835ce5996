package snapshot

import (
	"context"
	"iter"
	"time"
)

// Frame is what screens show: what was read last, and any error since.
type Frame[T any] struct {
	Value T         // zero until the first reading succeeds
	Read  time.Time // when Value was read, by this machine's clock
	At    time.Time // of the last attempt to read, by the same clock
	Err   error     // of the last attempt; Value is then older
}

// Share reads for all viewers at once: never more than once per interval, and not at all without viewers.
type Share[T any] struct {
	read  func(context.Context) (T, error)
	every func() time.Duration
	turn  chan struct{} // holds one token; its holder may read
	frame Frame[T]
	took  time.Duration
}

// patience is how long one reading can take before it counts as failed.
const patience = 30 * time.Second

// Every is a constant interval.
func Every(d time.Duration) func() time.Duration { return func() time.Duration { return d } }

// NewShare shares the result of read, which is called at most once per interval, and less often if it takes long.
func NewShare[T any](read func(context.Context) (T, error), every func() time.Duration) *Share[T] {
	s := &Share[T]{read: read, every: every, turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	return s
}

// pause is the time between two readings: a slow database is read less often.
func (s *Share[T]) pause() time.Duration { return max(s.every(), 10*s.took) }

// Now returns a frame that is not older than the interval. It fails only when ctx ends.
func (s *Share[T]) Now(ctx context.Context) (Frame[T], error) {
	f, _, err := s.next(ctx)
	return f, err
}

func (s *Share[T]) next(ctx context.Context) (Frame[T], time.Duration, error) {
	select {
	case <-ctx.Done():
	case <-s.turn:
		defer func() { s.turn <- struct{}{} }()
	}
	if err := ctx.Err(); err != nil { // with a token or without: select does not prefer either
		return Frame[T]{}, 0, err
	}
	if age := time.Since(s.frame.At); s.frame.At.IsZero() || age >= s.pause() {
		// The others wait for this reading, so it must not end with the caller who began it.
		reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		begun := time.Now()
		value, err := s.read(reading)
		s.took = time.Since(begun)
		now := time.Now()
		s.frame.At, s.frame.Err = now, err
		if err == nil {
			s.frame.Value, s.frame.Read = value, now
		}
	}
	return s.frame, s.pause() - time.Since(s.frame.At), nil
}

// Stale makes the next viewer read: the last value is known to be old.
func (s *Share[T]) Stale() {
	<-s.turn
	s.frame.At = time.Time{}
	s.turn <- struct{}{}
}

// Frames yields a frame at once, and each later one, until ctx ends.
func (s *Share[T]) Frames(ctx context.Context) iter.Seq[Frame[T]] {
	return func(yield func(Frame[T]) bool) {
		for {
			f, wait, err := s.next(ctx)
			if err != nil || !yield(f) {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
		}
	}
}
