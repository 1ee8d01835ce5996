package datatype

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
)

// Collation keys. A string's key sorts like the string: first by letters, then by
// accents, then (CSAS) by case, lower before upper. Trailing spaces do not count, and
// a string compares as if it continued with spaces. In the unicode types hyphens and
// apostrophes count last, after everything else ("word sort").
//
// In the unicode types a surrogate has no weight at all under CIAS and CSAS, and neither has a
// control character: N'😀' = N''. Collations of version 80 are like that
// (learn.microsoft.com "Collation and Unicode support"). In char and varchar control
// characters sort below the space.

// Weights of the first level. The space is the reference of padding; weights above
// endMark sort after the end of the string, weights below it before.
const (
	weightSpace     = 0x21
	weightWide      = 0x60 // and two bytes: symbols beyond ASCII
	weightDigit     = 0x70 // '0'
	weightLetter    = 0x80 // 'a'
	weightWideAlpha = 0xE0 // and two bytes: letters beyond a-z
)

// The weight of a space is followed by how the run of spaces ends.
const (
	runFalls = 1 // with something below the space; then the length of the run
	runEnds  = 2 // with the end of the string
	runRises = 3 // with something above the space; then the length of the run, inverted
)

const levelEnd = 1 // ends the levels of accents and case, below every mark

// symbolOrder is the sort order of punctuation.
const symbolOrder = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"

// asciiWeight holds the first-level weights; 0 means ignorable in the unicode types.
var asciiWeight = func() (w [128]byte) {
	for i := range symbolOrder {
		w[symbolOrder[i]] = 0x30 + byte(i)
	}
	w[' '] = weightSpace
	for c := byte('\t'); c <= '\r'; c++ { // above the space, as in Windows' tables
		w[c] = weightSpace + 1 + c - '\t'
	}
	for c := byte('0'); c <= '9'; c++ {
		w[c] = weightDigit + c - '0'
	}
	for c := byte('a'); c <= 'z'; c++ {
		w[c] = weightLetter + c - 'a'
		w[c-'a'+'A'] = w[c]
	}
	return w
}()

// compareText orders two strings of one collation.
func compareText(a, b string, t Type) int {
	if t.Coll == BIN2 {
		if charset.IsASCII(a) && charset.IsASCII(b) {
			return comparePadded(a, b)
		}
	} else if c, ok := compareASCII(a, b, t.Coll == CSAS, t.IsUnicode()); ok {
		return c
	}
	var ka, kb [128]byte
	return bytes.Compare(appendTextKey(ka[:0], a, t), appendTextKey(kb[:0], b, t))
}

// comparePadded orders ASCII by code, the shorter one padded with spaces.
func comparePadded(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return compareInt(int64(a[i]), int64(b[i]))
		}
	}
	for i := n; i < len(a); i++ {
		if a[i] != ' ' {
			return compareInt(int64(a[i]), ' ')
		}
	}
	for i := n; i < len(b); i++ {
		if b[i] != ' ' {
			return compareInt(' ', int64(b[i]))
		}
	}
	return 0
}

// compareASCII is the common case without keys; ok is false if a string holds
// anything but printable ASCII.
func compareASCII(a, b string, byCase, words bool) (result int, ok bool) {
	cases := 0
	n := max(len(a), len(b))
	for i := range n {
		ca, cb := byte(' '), byte(' ')
		if i < len(a) {
			ca = a[i]
		}
		if i < len(b) {
			cb = b[i]
		}
		if ca < ' ' || cb < ' ' || ca >= 0x7F || cb >= 0x7F {
			return 0, false
		}
		if ca == cb || result != 0 {
			continue // a later character may not be ASCII
		}
		if words && (isMinimal(ca) || isMinimal(cb)) {
			return 0, false
		}
		wa, wb := asciiWeight[ca], asciiWeight[cb]
		switch {
		case wa < wb:
			result = -1
		case wa > wb:
			result = 1
		case cases == 0 && ca > cb: // the lower-case letter comes first
			cases = -1
		case cases == 0:
			cases = 1
		}
	}
	if result == 0 && byCase {
		result = cases
	}
	return result, true
}

// appendTextKey appends the collation key of s.
func appendTextKey(dst []byte, s string, t Type) []byte {
	end := len(s)
	for end > 0 && s[end-1] == ' ' {
		end--
	}
	s = s[:end]
	if t.Coll == BIN2 {
		return appendBinaryKey(dst, s, t.IsUnicode())
	}
	k := keyer{dst: dst, unicode: t.IsUnicode()}
	if charset.IsASCII(s) {
		k.addASCII(s, t.Coll == CSAS)
	} else {
		k.add(norm.NFD.String(s))
	}
	k.dst = append(k.dst, weightSpace, runEnds)
	k.dst = append(append(k.dst, bytes.TrimRight(k.accents, "\x02")...), levelEnd)
	if t.Coll == CSAS {
		k.dst = append(append(k.dst, bytes.TrimRight(k.cases, "\x02")...), levelEnd)
	}
	if k.unicode {
		k.dst = append(append(k.dst, k.minimal...), levelEnd)
	}
	return k.dst
}

// keyer builds the three levels of a key.
type keyer struct {
	dst     []byte
	accents []byte // per character its accents, then 2
	cases   []byte // per character 2 lower, 3 upper
	spaces  int    // of a run not yet written
	minimal []byte // hyphens and apostrophes: where, and which
	count   int    // characters before
	unicode bool
	pending bool // an accent list is open
}

func (k *keyer) add(s string) {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			k.ascii(c)
			i++
			continue
		}
		if _, lone := charset.SurrogateAt(s, i); lone {
			i += 3
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		k.rune(r)
	}
	k.closeAccents()
}

// addASCII is add for a string without accents; cases are only kept if asked for.
func (k *keyer) addASCII(s string, byCase bool) {
	for i := range len(s) {
		c := s[i]
		w := k.weight(c)
		switch w {
		case 0:
			continue
		case weightSpace:
			k.spaces++
		default:
			if k.spaces > 0 {
				k.dst = appendRun(k.dst, weightSpace, k.spaces, w < weightSpace)
				k.spaces = 0
			}
			k.dst = append(k.dst, w)
		}
		if byCase {
			mark := byte(2)
			if isUpper(c) {
				mark = 3
			}
			k.cases = append(k.cases, mark)
		}
	}
}

func isMinimal(c byte) bool { return c == '-' || c == '\'' }

// weight returns the first-level weight of an ASCII character, 0 if it has none.
func (k *keyer) weight(c byte) byte {
	w := asciiWeight[c]
	k.count++
	switch {
	case k.unicode && isMinimal(c):
		k.minimal = append(k.minimal, levelEnd+1+byte(k.count>>7), 0x80|byte(k.count), w)
		return 0
	case !k.unicode && c < ' ':
		return c + 1 // below the space, and not 0
	case w == 0 && !k.unicode: // DEL
		return weightWide - 1
	}
	return w
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func (k *keyer) ascii(c byte) {
	if w := k.weight(c); w != 0 {
		k.put(isUpper(c), w)
	}
}

func (k *keyer) rune(r rune) {
	switch {
	case r >= 0x0300 && r < 0x0370: // a combining mark: an accent of the character before
		k.accents = append(k.accents, byte(r-0x0300)+3)
		return
	case r >= 0xFF01 && r <= 0xFF5E: // full width
		k.ascii(byte(r - 0xFEE0))
		return
	case r >= 0x10000:
		return // a surrogate pair
	}
	switch r { // as a rank by Latin1_General_CI_AS shows (dba.stackexchange.com, question 34730)
	case '¹':
		k.ascii('1')
		return
	case '²', '³':
		k.ascii(byte(r-'²') + '2')
		return
	case '¼', '½', '¾':
		k.put(false, asciiWeight['0'], byte(r-'¼')+1)
		return
	}
	if k.unicode {
		switch r {
		case 'æ', 'Æ':
			k.put(r == 'Æ', asciiWeight['a'])
			k.put(r == 'Æ', asciiWeight['e'])
			return
		case 'œ', 'Œ':
			k.put(r == 'Œ', asciiWeight['o'])
			k.put(r == 'Œ', asciiWeight['e'])
			return
		case 'ß':
			k.put(false, asciiWeight['s'])
			k.put(false, asciiWeight['s'])
			return
		}
	}
	lower := unicode.ToLower(r)
	lead := byte(weightWide)
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		lead = weightWideAlpha
	}
	k.put(lower != r, lead, byte(lower>>8), byte(lower))
}

// put writes one character's weight.
func (k *keyer) put(upper bool, w ...byte) {
	k.closeAccents()
	if w[0] == weightSpace && len(w) == 1 {
		k.spaces++
	} else {
		k.dst = appendRun(k.dst, weightSpace, k.spaces, w[0] < weightSpace)
		k.spaces = 0
		k.dst = append(k.dst, w...)
	}
	k.pending = true
	if upper {
		k.cases = append(k.cases, 3)
	} else {
		k.cases = append(k.cases, 2)
	}
}

func (k *keyer) closeAccents() {
	if k.pending {
		k.accents = append(k.accents, 2)
		k.pending = false
	}
}

// appendRun writes a run of n spaces (by their weight) that ends with a character below or
// above the space.
func appendRun(dst []byte, space byte, n int, below bool) []byte {
	if n == 0 {
		return dst
	}
	c := uint32(n)
	mark := byte(runFalls)
	if !below {
		mark, c = runRises, ^c
	}
	return append(dst, space, mark, byte(c>>24), byte(c>>16), byte(c>>8), byte(c))
}

// appendBinaryKey writes the key of BIN2: code units, or bytes of the code page.
func appendBinaryKey(dst []byte, s string, wide bool) []byte {
	if !wide {
		spaces := 0
		for _, c := range charset.CodePageBytes(s) {
			if c == ' ' {
				spaces++
				continue
			}
			dst = append(appendRun(dst, ' ', spaces, c < ' '), c)
			spaces = 0
		}
		return append(dst, ' ', runEnds)
	}
	spaces := 0
	run := func(below bool) {
		if spaces > 0 {
			dst = appendRun(append(dst, 0), ' ', spaces, below)
			spaces = 0
		}
	}
	for _, u := range charset.Units(s) {
		if u == ' ' {
			spaces++
			continue
		}
		run(u < ' ')
		dst = append(dst, byte(u>>8), byte(u))
	}
	return append(dst, 0, ' ', runEnds)
}
