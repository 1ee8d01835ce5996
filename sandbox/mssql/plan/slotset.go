package plan

// slotSet is a set of row slots of a statement's frame.
type slotSet []uint64

func slotOf(slots ...int) slotSet {
	var s slotSet
	for _, n := range slots {
		s = s.with(n)
	}
	return s
}

// with returns the set with one more slot; the receiver is left alone.
func (s slotSet) with(n int) slotSet {
	out := make(slotSet, max(len(s), n/64+1))
	copy(out, s)
	out[n/64] |= 1 << (n % 64)
	return out
}

func (s slotSet) has(n int) bool { return n/64 < len(s) && s[n/64]&(1<<(n%64)) != 0 }

func (s slotSet) union(o slotSet) slotSet {
	if len(o) == 0 {
		return s
	}
	out := make(slotSet, max(len(s), len(o)))
	copy(out, s)
	for i, w := range o {
		out[i] |= w
	}
	return out
}

func (s slotSet) minus(o slotSet) slotSet {
	out := make(slotSet, len(s))
	copy(out, s)
	for i := range min(len(s), len(o)) {
		out[i] &^= o[i]
	}
	return out
}

func (s slotSet) meets(o slotSet) bool {
	for i := range min(len(s), len(o)) {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

func (s slotSet) empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// within reports whether all of s is in o.
func (s slotSet) within(o slotSet) bool { return s.minus(o).empty() }

// list returns the slots in ascending order.
func (s slotSet) list() (out []int) {
	for i, w := range s {
		for b := range 64 {
			if w&(1<<b) != 0 {
				out = append(out, i*64+b)
			}
		}
	}
	return out
}
