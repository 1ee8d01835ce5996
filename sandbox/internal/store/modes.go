package store

// LockMode is a mode in which a resource is locked. The names are SQL Server's; the
// modes of page locks (IU, SIU) are missing because the store has no pages.
type LockMode uint8

// The lock modes. NL is no lock.
const (
	NL      LockMode = iota
	SchS             // schema stability: nobody else may change the definition
	SchM             // schema modification: nobody else may do anything
	S                // shared
	U                // update: one intends to write, others may read
	X                // exclusive
	IS               // intent shared: S locks further down
	IX               // intent exclusive: U or X locks further down
	SIX              // S and IX
	UIX              // U and IX
	BU               // bulk update
	RangeSS          // range shared, key shared: a serializable read
	RangeSU          // range shared, key update
	RangeIN          // range insert, key not locked: tests a gap before an insert
	RangeIS          // RangeIN and S
	RangeIU          // RangeIN and U
	RangeIX          // RangeIN and X
	RangeXS          // RangeIN and RangeSS
	RangeXU          // RangeIN and RangeSU
	RangeXX          // range exclusive, key exclusive
	modes
)

// Every mode is a set of parts, and two modes are compatible when no part of one hits a
// part of the other. That gives the published matrix; it is pinned by a test.
const (
	pSchS uint16 = 1 << iota
	pSchM
	pS
	pU
	pX
	pIS
	pIX
	pBU
	pRangeS
	pRangeI
	pRangeX
	pCount = iota
)

const pRange = pRangeS | pRangeI | pRangeX

var (
	modeNames = [modes]string{
		"NL", "Sch-S", "Sch-M", "S", "U", "X", "IS", "IX", "SIX", "UIX", "BU",
		"RangeS-S", "RangeS-U", "RangeI-N", "RangeI-S", "RangeI-U", "RangeI-X", "RangeX-S", "RangeX-U", "RangeX-X",
	}
	parts = [modes]uint16{
		SchS: pSchS, SchM: pSchM, S: pS, U: pU, X: pX, IS: pIS, IX: pIX, SIX: pS | pIX, UIX: pU | pIX, BU: pBU,
		RangeSS: pRangeS | pS, RangeSU: pRangeS | pU, RangeIN: pRangeI,
		RangeIS: pRangeI | pS, RangeIU: pRangeI | pU, RangeIX: pRangeI | pX,
		RangeXS: pRangeX | pS, RangeXU: pRangeX | pU, RangeXX: pRangeX | pX,
	}
	hits      = buildHits()
	converted = buildConversions()
)

// buildHits returns for every mode the parts of other modes it is incompatible with.
func buildHits() (out [modes]uint16) {
	hit := [pCount]uint16{}
	pair := func(a, b uint16) {
		for i := range pCount {
			if a&(1<<i) != 0 {
				hit[i] |= b
			}
			if b&(1<<i) != 0 {
				hit[i] |= a
			}
		}
	}
	pair(pSchM, 1<<pCount-1)
	pair(pX, pX|pU|pS|pIX|pIS|pBU)
	pair(pU, pU|pIX|pBU)
	pair(pS, pIX|pBU)
	pair(pBU, pIX|pIS)
	pair(pRangeS, pRangeI|pRangeX)
	pair(pRangeX, pRange)
	for m := range out {
		for i := range pCount {
			if parts[m]&(1<<i) != 0 {
				out[m] |= hit[i]
			}
		}
	}
	return out
}

// buildConversions returns the mode an owner holds after asking for b while it holds a.
func buildConversions() (out [modes][modes]LockMode) {
	for a := range modes {
		for b := range modes {
			out[a][b] = combine(parts[a] | parts[b])
		}
	}
	return out
}

func combine(u uint16) LockMode {
	if u&pSchM != 0 {
		return SchM
	}
	if u&^pSchS != 0 { // every other lock keeps the definition stable, too
		u &^= pSchS
	}
	if u&pBU != 0 && u != pBU {
		return X // a bulk load that also reads or writes rows has the table to itself
	}
	switch {
	case u&pX != 0:
		u &^= pU | pS | pIS | pIX
	case u&pU != 0:
		u &^= pS | pIS
	case u&(pS|pIX) != 0:
		u &^= pIS
	}
	if u&pRangeX != 0 || u&pRange == pRangeS|pRangeI || u&(pRangeS|pX) == pRangeS|pX {
		u = u&^pRange | pRangeX
	}
	for m := range modes {
		if parts[m] == u {
			return m
		}
	}
	return X
}

// String returns the mode's name as SQL Server's documentation writes it.
func (m LockMode) String() string {
	if m < modes {
		return modeNames[m]
	}
	return "?"
}

// Compatible reports whether different owners may hold the two modes at the same time.
func (m LockMode) Compatible(other LockMode) bool { return parts[other]&hits[m] == 0 }

// With returns the mode that grants what both modes grant: what a lock is converted to.
func (m LockMode) With(other LockMode) LockMode { return converted[m][other] }

// Covers reports whether holding m makes a lock in the other mode unnecessary.
func (m LockMode) Covers(other LockMode) bool { return converted[m][other] == m }

// coversRows reports whether a table lock makes row locks of the given mode unnecessary.
func (m LockMode) coversRows(row LockMode) bool {
	enough := pX | pSchM
	switch p := parts[row]; {
	case p&pX != 0:
	case p&pU != 0:
		enough |= pU
	default:
		enough |= pU | pS
	}
	return parts[m]&enough != 0
}

// intent returns the table lock for row locks of the given mode.
func intent(row LockMode) LockMode {
	if parts[row]&(pU|pX) != 0 {
		return IX
	}
	return IS
}

// ranged returns the key-range mode for a row mode.
func ranged(row LockMode) LockMode {
	switch row {
	case U:
		return RangeSU
	case X:
		return RangeXX
	default:
		return RangeSS
	}
}
