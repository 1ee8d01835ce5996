package optimizer

import "slices"

// Slots is a set of small numbers: of row slots of a statement's frame, or of columns. The zero Slots is
// empty. Sets are immutable: methods return new ones.
type Slots []uint64

// SlotsOf returns the set of the numbers.
func SlotsOf(slots ...int) Slots {
	var s Slots
	for _, n := range slots {
		s = s.With(n)
	}
	return s
}

// With returns the set with one more number.
func (s Slots) With(n int) Slots {
	out := make(Slots, max(len(s), n/64+1))
	copy(out, s)
	out[n/64] |= 1 << (n % 64)
	return out
}

// Has reports whether n is in the set.
func (s Slots) Has(n int) bool { return n/64 < len(s) && s[n/64]&(1<<(n%64)) != 0 }

// Union returns what is in either set.
func (s Slots) Union(o Slots) Slots {
	if len(o) == 0 {
		return s
	}
	out := make(Slots, max(len(s), len(o)))
	copy(out, s)
	for i, w := range o {
		out[i] |= w
	}
	return out
}

// Minus returns what is in s and not in o.
func (s Slots) Minus(o Slots) Slots {
	out := make(Slots, len(s))
	copy(out, s)
	for i := range min(len(s), len(o)) {
		out[i] &^= o[i]
	}
	return out
}

// Meets reports whether the sets have a number in common.
func (s Slots) Meets(o Slots) bool {
	for i := range min(len(s), len(o)) {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// Empty reports whether nothing is in the set.
func (s Slots) Empty() bool {
	return !slices.ContainsFunc(s, func(w uint64) bool { return w != 0 })
}

// Within reports whether all of s is in o.
func (s Slots) Within(o Slots) bool { return s.Minus(o).Empty() }

// List returns the numbers in ascending order.
func (s Slots) List() (out []int) {
	for i, w := range s {
		for b := range 64 {
			if w&(1<<b) != 0 {
				out = append(out, i*64+b)
			}
		}
	}
	return out
}
