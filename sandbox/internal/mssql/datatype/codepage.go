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
