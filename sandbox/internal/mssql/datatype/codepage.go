package datatype

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// char and varchar hold characters of code page 1252 only, one byte each: that is
// the code page of all three collations.

// ToCodePage returns s as char and varchar can hold it: what code page 1252 lacks
// becomes a question mark, one for each UTF-16 code unit. (The server maps some
// accented letters to their base letter instead.)
func ToCodePage(s string) string {
	if IsASCII(s) {
		return s
	}
	b := make([]byte, 0, len(s))
	for _, u := range Units(s) {
		r := rune(u)
		if r < utf8.RuneSelf {
			b = append(b, byte(r))
		} else if _, ok := codePageByte(r); ok {
			b = utf8.AppendRune(b, r)
		} else {
			b = append(b, '?')
		}
	}
	return string(b)
}

// codePageByte returns the byte of a character in code page 1252. The five bytes that
// the code page leaves open stand for the control characters of the same number.
func codePageByte(r rune) (byte, bool) {
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
		c, ok := codePageByte(rune(u))
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
