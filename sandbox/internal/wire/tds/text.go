package tds

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
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

// quote brackets a name.
func quote(name string) string { return "[" + strings.ReplaceAll(name, "]", "]]") + "]" }
