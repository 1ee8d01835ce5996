package datatype

import (
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
)

// char and varchar hold characters of code page 1252 only, one byte each: that is
// the code page of all three collations.

// ToCodePage returns s as char and varchar can hold it: what code page 1252 lacks
// becomes a question mark, one for each UTF-16 code unit. (The server maps some
// accented letters to their base letter instead.)
func ToCodePage(s string) string {
	if charset.IsASCII(s) {
		return s
	}
	b := make([]byte, 0, len(s))
	for _, u := range charset.Units(s) {
		r := rune(u)
		if r < utf8.RuneSelf {
			b = append(b, byte(r))
		} else if _, ok := charset.CodePageByte(r); ok {
			b = utf8.AppendRune(b, r)
		} else {
			b = append(b, '?')
		}
	}
	return string(b)
}

const hexDigits = "0123456789ABCDEF"

// appendHex appends the upper-case hexadecimal digits of the bytes of b.
func appendHex(dst []byte, b string) []byte {
	for i := range len(b) {
		dst = append(dst, hexDigits[b[i]>>4], hexDigits[b[i]&15])
	}
	return dst
}

// parseHex reads an even number of hexadecimal digits.
func parseHex(s string) ([]byte, bool) {
	if len(s)%2 != 0 {
		return nil, false
	}
	b := make([]byte, len(s)/2)
	for i := range b {
		hi, ok1 := hexDigit(s[2*i])
		lo, ok2 := hexDigit(s[2*i+1])
		if !ok1 || !ok2 {
			return nil, false
		}
		b[i] = hi<<4 | lo
	}
	return b, true
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
