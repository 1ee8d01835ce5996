package tds

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/mssql/datatype"
)

// collationBytes returns a collation's five bytes: 20 bits LCID, 8 bits flags, 4 bits
// version, a sort id ([MS-TDS] 2.2.5.1.2). The flags are ignore case 1, accent 2,
// kana 4, width 8, binary 16, binary2 32.
func collationBytes(c datatype.Collation) [5]byte {
	switch c {
	case datatype.CSAS:
		return [5]byte{0x09, 0x04, 0xC0, 0x00, 51}
	case datatype.BIN2:
		return [5]byte{0x09, 0x04, 0x00, 0x02, 0}
	default:
		return [5]byte{0x09, 0x04, 0xD0, 0x00, 52}
	}
}

// collationOf maps five bytes to a collation. Clients that do not care send zeros:
// then it is the default. Text in a code page other than 1252 is refused by ok.
func collationOf(b [5]byte) (c datatype.Collation, ok bool) {
	for _, c := range []datatype.Collation{datatype.CIAS, datatype.CSAS, datatype.BIN2} {
		if collationBytes(c) == b {
			return c, true
		}
	}
	return datatype.CIAS, b == [5]byte{}
}

// appendUTF16 appends s as UTF-16LE. Three-byte surrogates stay what they are,
// anything else that is not UTF-8 becomes U+FFFD.
func appendUTF16(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			dst = append(dst, c, 0)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			if u, ok := surrogateAt(s, i); ok {
				r, n = rune(u), 3
			}
		}
		i += n
		if r > 0xFFFF {
			r -= 0x10000
			dst = binary.LittleEndian.AppendUint16(dst, uint16(0xD800+r>>10))
			dst = binary.LittleEndian.AppendUint16(dst, uint16(0xDC00+r&0x3FF))
			continue
		}
		dst = binary.LittleEndian.AppendUint16(dst, uint16(r))
	}
	return dst
}

// surrogateAt reports the surrogate encoded in three bytes at s[i], if there is one.
func surrogateAt(s string, i int) (uint16, bool) {
	if i+2 >= len(s) || s[i] != 0xED || s[i+1]&0xE0 != 0xA0 || s[i+2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | uint16(s[i+1]&0x3F)<<6 | uint16(s[i+2]&0x3F), true
}

// utf16String reads UTF-16LE; b has an even length.
func utf16String(b []byte) string {
	out := make([]byte, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		u := rune(binary.LittleEndian.Uint16(b[i:]))
		switch {
		case u < utf8.RuneSelf:
			out = append(out, byte(u))
		case u < 0xD800 || u > 0xDFFF:
			out = utf8.AppendRune(out, u)
		default:
			if u < 0xDC00 && i+3 < len(b) {
				if low := rune(binary.LittleEndian.Uint16(b[i+2:])); low >= 0xDC00 && low <= 0xDFFF {
					out = utf8.AppendRune(out, 0x10000+(u-0xD800)<<10+(low-0xDC00))
					i += 2
					continue
				}
			}
			out = append(out, 0xE0|byte(u>>12), 0x80|byte(u>>6)&0x3F, 0x80|byte(u)&0x3F)
		}
	}
	return string(out)
}

// utf16Units counts the UTF-16 code units of s.
func utf16Units(s string) int {
	n := 0
	for i := 0; i < len(s); {
		r, w := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && w == 1 {
			if _, ok := surrogateAt(s, i); ok {
				w = 3
			}
		}
		if r > 0xFFFF {
			n++
		}
		n++
		i += w
	}
	return n
}

// cp1252 is what the bytes 0x80 to 0x9F of code page 1252 stand for; all others are
// their own code point. The five holes map to themselves, as Windows does.
var cp1252 = [32]rune{
	0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
	0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
	0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
	0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
}

// appendCP1252 appends s in code page 1252; what it does not have becomes one
// question mark per UTF-16 unit.
func appendCP1252(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			dst = append(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			if _, ok := surrogateAt(s, i); ok {
				n = 3
			}
		}
		i += n
		switch b, ok := byte1252(r); {
		case ok:
			dst = append(dst, b)
		case r > 0xFFFF:
			dst = append(dst, '?', '?')
		default:
			dst = append(dst, '?')
		}
	}
	return dst
}

func byte1252(r rune) (byte, bool) {
	if r >= 0xA0 && r <= 0xFF {
		return byte(r), true
	}
	for i, c := range cp1252 {
		if c == r {
			return byte(0x80 + i), true
		}
	}
	return 0, false
}

// cp1252String reads text in code page 1252.
func cp1252String(b []byte) string {
	out := make([]byte, 0, len(b))
	for _, c := range b {
		switch {
		case c < 0x80:
			out = append(out, c)
		case c < 0xA0:
			out = utf8.AppendRune(out, cp1252[c-0x80])
		default:
			out = utf8.AppendRune(out, rune(c))
		}
	}
	return string(out)
}

// quote brackets a name.
func quote(name string) string { return "[" + strings.ReplaceAll(name, "]", "]]") + "]" }
