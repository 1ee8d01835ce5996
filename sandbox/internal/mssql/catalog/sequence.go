package catalog

import (
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// NewSequence returns a sequence positioned before its first value.
func NewSequence(s Sequence) *Sequence {
	s.state = &sequenceState{next: s.Start}
	return &s
}

// sequenceState is the position of a sequence; it belongs to no transaction.
type sequenceState struct {
	next      int64 // what NEXT VALUE FOR returns next
	last      int64 // what it returned last
	used      bool
	exhausted bool // next would leave the range and the sequence does not cycle
}

// Next hands out the next value, in the type of the sequence; 11728 when there is none left. o is the
// sequence's object.
func (s *Sequence) Next(o *Object) (value.Value, error) {
	st := s.state
	if st.exhausted {
		return value.Value{}, message.MS(11728, o.Name)
	}
	v := st.next
	st.used, st.last = true, v
	n := v + s.Increment
	over := s.Increment > 0 && (n > s.Max || n < v) || s.Increment < 0 && (n < s.Min || n > v)
	switch {
	case !over:
		st.next = n
	case s.Cycle && s.Increment > 0:
		st.next = s.Min
	case s.Cycle:
		st.next = s.Max
	default:
		st.exhausted = true
	}
	if s.Type.ID == datatype.Decimal {
		return value.NewDecimal(v, 0), nil
	}
	return value.NewInt(v), nil
}

// Current returns sys.sequences.current_value: the value handed out last, or the first to be.
func (s *Sequence) Current() int64 {
	if s.state.used {
		return s.state.last
	}
	return s.state.next
}

// Exhausted returns sys.sequences.is_exhausted.
func (s *Sequence) Exhausted() bool { return s.state.exhausted }
