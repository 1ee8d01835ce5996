package catalog

import (
	"math"

	"github.com/dbsched/dbsched/sandbox/internal/message"
)

// Sequence generates numbers. Its position is never rolled back, so it is changed in place.
type Sequence struct {
	Start     int64
	Increment int64
	Min, Max  int64 // MinInt64 and MaxInt64 stand for -(10^27 - 1) and 10^28 - 1, Oracle's bounds
	Cache     int64 // 0: NOCACHE
	Cycle     bool
	Order     bool

	next  int64 // the number that Next returns
	done  bool  // past the bound, without a cycle
	saved int64 // LAST_NUMBER: the first number after those cached
}

// DefaultCache is how many numbers a sequence caches by default.
const DefaultCache = 20

// Restart restarts the sequence at its first number.
func (s *Sequence) Restart() { s.next, s.saved, s.done = s.Start, s.Start, false }

// Next returns the next number. Errors: ORA-08004 (past the bound of one that does not cycle). name is the
// sequence's, for the message.
func (s *Sequence) Next(name string) (int64, error) {
	if s.done {
		if s.Increment > 0 {
			return 0, message.ORA(8004, name, "exceeds MAXVALUE")
		}
		return 0, message.ORA(8004, name, "goes below MINVALUE")
	}
	n := s.next
	if n == s.saved {
		s.saved = s.after(n, max(s.Cache, 1))
	}
	s.step()
	return n, nil
}

// step advances by one increment, wrapping at the bound if the sequence cycles.
func (s *Sequence) step() {
	over := s.Increment > 0 && s.next > s.Max-s.Increment || s.Increment < 0 && s.next < s.Min-s.Increment
	switch {
	case !over:
		s.next += s.Increment
	case !s.Cycle:
		s.done = true
	case s.Increment > 0:
		s.next, s.saved = s.Min, s.Min
	default:
		s.next, s.saved = s.Max, s.Max
	}
}

// after returns the number k increments after n, at most one increment past the bound.
func (s *Sequence) after(n, k int64) int64 {
	for range k {
		if s.Increment > 0 && n > s.Max-s.Increment || s.Increment < 0 && n < s.Min-s.Increment {
			break
		}
		n += s.Increment
	}
	return n
}

// Unbounded reports whether a bound is Oracle's default.
func Unbounded(bound int64) bool { return bound == math.MaxInt64 || bound == math.MinInt64 }
