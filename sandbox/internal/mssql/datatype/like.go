package datatype

import (
	"bytes"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/message"
)

// Like is a compiled LIKE pattern (learn.microsoft.com "LIKE (Transact-SQL)").
// It works on UTF-16 code units.
type Like struct {
	items []likeItem
	text  Type // collation, and whether the comparison is a Unicode one
	never bool // the pattern is not valid
}

type likeKind uint8

const (
	likeUnit  likeKind = iota // one specific character
	likeAny                   // _
	likeMany                  // %
	likeSet                   // […]
	likeOther                 // [^…]
)

type likeItem struct {
	kind   likeKind
	unit   uint16
	ranges [][2]uint16
}

// NewLike compiles a pattern. t is the type of the comparison: nvarchar if either side
// is Unicode, else varchar, in the collation that decides. escape is "" or one character,
// else error 506.
func NewLike(pattern, escape string, t Type) (*Like, error) {
	esc := charset.Units(escape)
	if len(esc) > 1 {
		return nil, message.MS(506, escape)
	}
	l := &Like{text: t}
	p := charset.Units(pattern)
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch {
		case len(esc) == 1 && c == esc[0]:
			i++
			if i == len(p) {
				l.never = true
				return l, nil
			}
			l.items = append(l.items, likeItem{kind: likeUnit, unit: p[i]})
		case c == '%':
			if n := len(l.items); n == 0 || l.items[n-1].kind != likeMany {
				l.items = append(l.items, likeItem{kind: likeMany})
			}
		case c == '_':
			l.items = append(l.items, likeItem{kind: likeAny})
		case c == '[':
			item, next, ok := likeClass(p, i+1, esc)
			if !ok { // an unclosed bracket matches nothing
				l.never = true
				return l, nil
			}
			l.items = append(l.items, item)
			i = next
		default:
			l.items = append(l.items, likeItem{kind: likeUnit, unit: c})
		}
	}
	return l, nil
}

// likeClass reads a set after its bracket and returns the position of the closing one.
func likeClass(p []uint16, i int, esc []uint16) (item likeItem, end int, ok bool) {
	item.kind = likeSet
	if i < len(p) && p[i] == '^' {
		item.kind = likeOther
		i++
	}
	for first := true; i < len(p); first = false {
		if p[i] == ']' && !first {
			return item, i, true
		}
		lo, n := likeMember(p, i, esc)
		i = n
		hi := lo
		if i+1 < len(p) && p[i] == '-' && p[i+1] != ']' {
			hi, i = likeMember(p, i+1, esc)
		}
		item.ranges = append(item.ranges, [2]uint16{lo, hi})
	}
	return item, i, false
}

func likeMember(p []uint16, i int, esc []uint16) (uint16, int) {
	if len(esc) == 1 && p[i] == esc[0] && i+1 < len(p) {
		i++
	}
	return p[i], i + 1
}

// Match reports whether s matches. In a comparison of varchar trailing spaces of s do not count.
func (l *Like) Match(s string) bool {
	if l.never {
		return false
	}
	u := charset.Units(s)
	if l.match(u) {
		return true
	}
	for !l.text.IsUnicode() && len(u) > 0 && u[len(u)-1] == ' ' {
		if u = u[:len(u)-1]; l.match(u) {
			return true
		}
	}
	return false
}

// Index returns the position (from 1, in code units) of the first match as PATINDEX
// gives it, 0 for none: the pattern's leading % is where the search starts.
func (l *Like) Index(s string) int {
	if l.never {
		return 0
	}
	u := charset.Units(s)
	if len(l.items) == 0 || l.items[0].kind != likeMany {
		if l.match(u) {
			return 1
		}
		return 0
	}
	rest := Like{items: l.items[1:], text: l.text}
	if len(rest.items) == 0 {
		return 1
	}
	for i := range u {
		if rest.match(u[i:]) {
			return i + 1
		}
	}
	return 0
}

// match walks pattern and text; at a mismatch it goes back to the last %.
func (l *Like) match(u []uint16) bool {
	i, p := 0, 0
	star, mark := -1, 0
	for i < len(u) {
		switch {
		case p < len(l.items) && l.items[p].kind == likeMany:
			star, mark = p, i
			p++
		case p < len(l.items) && l.one(l.items[p], u[i]):
			p++
			i++
		case star >= 0:
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	for p < len(l.items) && l.items[p].kind == likeMany {
		p++
	}
	return p == len(l.items)
}

// one matches a single character.
func (l *Like) one(item likeItem, c uint16) bool {
	switch item.kind {
	case likeUnit:
		return l.compare(item.unit, c) == 0
	case likeAny:
		return true
	}
	in := false
	for _, r := range item.ranges {
		if l.compare(r[0], c) <= 0 && l.compare(c, r[1]) <= 0 {
			in = true
			break
		}
	}
	return in == (item.kind == likeSet)
}

// compare orders two characters by the collation. Unlike in strings, a character
// without weight is only equal to itself, and a space is a character.
func (l *Like) compare(a, b uint16) int {
	if a == b {
		return 0
	}
	if l.text.Coll == BIN2 {
		if l.text.IsUnicode() {
			return compareInt(int64(a), int64(b))
		}
		x, _ := charset.CodePageByte(rune(a))
		y, _ := charset.CodePageByte(rune(b))
		return compareInt(int64(x), int64(y))
	}
	if a == ' ' || b == ' ' {
		return compareInt(int64(charRank(a)), int64(charRank(b)))
	}
	if a > ' ' && a < 0x7F && b > ' ' && b < 0x7F {
		if r := compareInt(int64(asciiWeight[a]), int64(asciiWeight[b])); r != 0 || l.text.Coll == CIAS {
			return r
		}
		return compareInt(int64(b), int64(a)) // the lower-case letter comes first
	}
	var ka, kb [16]byte
	x := appendTextKey(ka[:0], charset.FromUnits([]uint16{a}), l.text)
	y := appendTextKey(kb[:0], charset.FromUnits([]uint16{b}), l.text)
	if r := bytes.Compare(x, y); r != 0 {
		return r
	}
	if weightless := len(x) > 1 && x[1] == runEnds && x[0] == weightSpace; weightless {
		return compareInt(int64(a), int64(b))
	}
	return 0
}

// charRank puts control characters before the space and everything else after it.
func charRank(c uint16) int {
	switch {
	case c < ' ':
		return 0
	case c == ' ':
		return 1
	}
	return 2
}
