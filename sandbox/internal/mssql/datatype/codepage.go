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
