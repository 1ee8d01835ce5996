// Package charset converts text to and from UTF-16 and code page 1252.
//
// SQL Server's strings are sequences of UTF-16 code units and may hold lone
// surrogates. The sandbox keeps them as UTF-8 with lone surrogates in three bytes
// (WTF-8); a pair is always one four-byte sequence, so equal strings have equal bytes.
package charset

import (
	"encoding/binary"
	"iter"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// IsASCII reports whether every byte of s is below 0x80.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Len16 returns how many UTF-16 code units s has.
func Len16(s string) int {
	n := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0xF0: // four bytes, two units
			n += 2
		case c < 0x80 || c >= 0xC0: // not a continuation byte
			n++
		}
	}
	return n
}

// Units returns the UTF-16 code units of s.
func Units(s string) []uint16 {
	u := make([]uint16, 0, len(s))
	for x := range units(s) {
		u = append(u, x)
	}
	return u
}

// AppendUTF16 appends the code units of s, low byte first.
func AppendUTF16(b []byte, s string) []byte {
	for x := range units(s) {
		b = binary.LittleEndian.AppendUint16(b, x)
	}
	return b
}

// FromUTF16 returns the text of code units, low byte first; an odd byte at the end is ignored.
func FromUTF16(b []byte) string {
	u := make([]uint16, len(b)/2)
	for i := range u {
		u[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return FromUnits(u)
}

// units yields the code units of s. What is not UTF-8 becomes U+FFFD.
func units(s string) iter.Seq[uint16] {
	return func(yield func(uint16) bool) {
		for i := 0; i < len(s); {
			r, n := rune(s[i]), 1
			if r >= utf8.RuneSelf {
				if u, ok := SurrogateAt(s, i); ok {
					r, n = rune(u), 3
				} else {
					r, n = utf8.DecodeRuneInString(s[i:])
				}
			}
			i += n
			if r >= 0x10000 {
				r -= 0x10000
				if !yield(uint16(0xD800 + r>>10)) {
					return
				}
				r = 0xDC00 + r&0x3FF
			}
			if !yield(uint16(r)) {
				return
			}
		}
	}
}

// SurrogateAt returns the lone surrogate encoded at s[i:], if there is one.
func SurrogateAt(s string, i int) (uint16, bool) {
	if s[i] != 0xED || i+2 >= len(s) || s[i+1]&0xE0 != 0xA0 || s[i+2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | uint16(s[i+1]&0x3F)<<6 | uint16(s[i+2]&0x3F), true
}

// FromUnits returns the string made of UTF-16 code units.
func FromUnits(u []uint16) string {
	b := make([]byte, 0, len(u)+len(u)/2)
	for i := 0; i < len(u); i++ {
		c := u[i]
		switch {
		case c >= 0xD800 && c < 0xDC00 && i+1 < len(u) && u[i+1] >= 0xDC00 && u[i+1] < 0xE000:
			b = utf8.AppendRune(b, 0x10000+rune(c-0xD800)<<10+rune(u[i+1]-0xDC00))
			i++
		case c >= 0xD800 && c < 0xE000:
			b = append(b, 0xED, 0x80|byte(c>>6)&0x3F, 0x80|byte(c)&0x3F)
		default:
			b = utf8.AppendRune(b, rune(c))
		}
	}
	return string(b)
}

// Sub16 returns the n code units of s from position from (0-based); both are clamped to s.
func Sub16(s string, from, n int) string {
	from = max(from, 0)
	if n <= 0 {
		return ""
	}
	if IsASCII(s) {
		if from >= len(s) {
			return ""
		}
		return s[from:min(len(s), from+min(n, len(s)))]
	}
	u := Units(s)
	if from >= len(u) {
		return ""
	}
	return FromUnits(u[from:min(len(u), from+min(n, len(u)))])
}

// Join returns a followed by b; a surrogate pair that was split is joined again.
func Join(a, b string) string {
	if len(a) >= 3 && len(b) >= 3 {
		hi, ok1 := SurrogateAt(a, len(a)-3)
		lo, ok2 := SurrogateAt(b, 0)
		if ok1 && ok2 && hi < 0xDC00 && lo >= 0xDC00 {
			return a[:len(a)-3] + FromUnits([]uint16{hi, lo}) + b[3:]
		}
	}
	return a + b
}

// CodePageByte returns the byte of a character in code page 1252. The five bytes that
// the code page leaves undefined represent the control characters of the same number.
func CodePageByte(r rune) (byte, bool) {
	switch r {
	case 0x81, 0x8D, 0x8F, 0x90, 0x9D:
		return byte(r), true
	}
	return charmap.Windows1252.EncodeRune(r)
}

// CodePageBytes returns a varchar's bytes in code page 1252.
func CodePageBytes(s string) []byte {
	if IsASCII(s) {
		return []byte(s)
	}
	b := make([]byte, 0, len(s))
	for _, u := range Units(s) {
		c, ok := CodePageByte(rune(u))
		if !ok {
			c = '?'
		}
		b = append(b, c)
	}
	return b
}

// FromCodePage returns the text of bytes in code page 1252.
func FromCodePage(b []byte) string {
	out := make([]byte, 0, len(b))
	for _, c := range b {
		switch c {
		case 0x81, 0x8D, 0x8F, 0x90, 0x9D:
			out = utf8.AppendRune(out, rune(c))
		default:
			out = utf8.AppendRune(out, charmap.Windows1252.DecodeByte(c))
		}
	}
	return string(out)
}
