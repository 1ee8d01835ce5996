package datatype

import (
	"strings"
	"unicode"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
)

// FoldUnits returns the code units of s such that two of them are the same exactly if
// the collation treats the characters as equal. CHARINDEX and REPLACE search by them.
// Expansions (ß for ss) are not found this way.
func FoldUnits(s string, c Collation) []uint16 {
	u := charset.Units(s)
	if c != CIAS {
		return u
	}
	for i, x := range u {
		switch {
		case x < 0x80:
			u[i] = uint16(asciiLower(byte(x)))
		case x >= 0xFF01 && x <= 0xFF5E: // full width
			u[i] = uint16(asciiLower(byte(x - 0xFEE0)))
		case x < 0xD800 || x >= 0xE000:
			if r := unicode.ToLower(rune(x)); r < 0x10000 {
				u[i] = uint16(r)
			}
		}
	}
	return u
}

// Upper and Lower return s in upper and lower case, character by character; a
// varchar never gets a character that its code page lacks.
func Upper(s string, t Type) string { return mapCase(s, t, strings.ToUpper, unicode.ToUpper) }

// Lower is the counterpart of Upper.
func Lower(s string, t Type) string { return mapCase(s, t, strings.ToLower, unicode.ToLower) }

func mapCase(s string, t Type, ascii func(string) string, one func(rune) rune) string {
	if charset.IsASCII(s) {
		return ascii(s)
	}
	u := charset.Units(s)
	for i, x := range u {
		if x >= 0xD800 && x < 0xE000 {
			continue
		}
		r := one(rune(x))
		if _, ok := charset.CodePageByte(r); r < 0x10000 && (ok || t.IsUnicode()) {
			u[i] = uint16(r)
		}
	}
	return charset.FromUnits(u)
}

func asciiLower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
