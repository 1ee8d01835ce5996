package board

import (
	"context"
	"iter"
	"time"
)

// Frame is what screens show: the last snapshot, and what went wrong since.
type Frame struct {
	*Snapshot           // nil until the first reading succeeds
	At        time.Time // of the last attempt to read, by this machine's clock
	Err       error     // of the last attempt; Snapshot is then older
}

// Share reads one board for all who look: never more than once per interval, and not at all while nobody looks.
type Share struct {
	read  func(context.Context) (*Snapshot, error)
	every time.Duration
	turn  chan struct{} // holds one token: who has it may read
	frame Frame
	took  time.Duration
}

// patience is how long one reading can take before it counts as failed.
const patience = 30 * time.Second

// NewShare shares what read returns, which is called once per interval at most, and less often if it takes long.
func NewShare(read func(context.Context) (*Snapshot, error), every time.Duration) *Share {
	s := &Share{read: read, every: every, turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	return s
}

// pause is the time between two readings: a database that answers slowly is asked less often.
func (s *Share) pause() time.Duration { return max(s.every, 10*s.took) }

// Now returns a frame that is not older than the interval. It fails only when ctx ends.
func (s *Share) Now(ctx context.Context) (Frame, error) {
	f, _, err := s.next(ctx)
	return f, err
}

func (s *Share) next(ctx context.Context) (Frame, time.Duration, error) {
	select {
	case <-ctx.Done():
	case <-s.turn:
		defer func() { s.turn <- struct{}{} }()
	}
	if err := ctx.Err(); err != nil { // with a token or without: select does not prefer either
		return Frame{}, 0, err
	}
	if age := time.Since(s.frame.At); s.frame.At.IsZero() || age >= s.pause() {
		// The others wait for this reading, so that it does not end with the one who began it.
		reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		begun := time.Now()
		snapshot, err := s.read(reading)
		s.took = time.Since(begun)
		if err != nil {
			snapshot = s.frame.Snapshot
		}
		s.frame = Frame{snapshot, time.Now(), err}
	}
	return s.frame, s.pause() - time.Since(s.frame.At), nil
}

// Frames yields a frame at once, and each later one, until ctx ends.
func (s *Share) Frames(ctx context.Context) iter.Seq[Frame] {
	return func(yield func(Frame) bool) {
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
