package catalog

// Sequence generates numbers. Its position is never rolled back, so it is changed in place.
type Sequence struct {
	Start int64
	Cache int64 // 0: NOCACHE
	Order bool

	next  int64 // the number that Next returns
	saved int64 // LAST_NUMBER: the first number after those cached
}

// DefaultCache is how many numbers a sequence caches by default.
const DefaultCache = 20

// Restart restarts the sequence at its first number.
func (s *Sequence) Restart() { s.next, s.saved = s.Start, s.Start }

// Next returns the next number.
func (s *Sequence) Next() int64 {
	if s.next == s.saved {
		s.saved += max(s.Cache, 1)
	}
	s.next++
	return s.next - 1
}
