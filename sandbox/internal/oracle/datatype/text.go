package datatype

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// NewText returns text as a value that is not a LOB: empty text is NULL.
func NewText(s string) value.Value {
	if s == "" {
		return value.Value{}
	}
	return value.NewString(s)
}

// NewRaw returns bytes as a RAW: no bytes are NULL.
func NewRaw(b []byte) value.Value {
	if len(b) == 0 {
		return value.Value{}
	}
	return value.NewBytes(b)
}

// units returns the number of UTF-16 code units of text.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// LengthIn returns the length of text in the unit of t's length: bytes, characters or
// UTF-16 code units.
func LengthIn(s string, t Type) int {
	switch {
	case t.IsNational():
		return units(s)
	case t.Chars:
		return utf8.RuneCountInString(s)
	}
	return len(s)
}

// cutTo returns the longest prefix of s that t holds.
func cutTo(s string, t Type) string {
	n := 0
	for i, r := range s {
		switch {
		case t.IsNational() && r > 0xFFFF:
			n += 2
		case t.IsNational() || t.Chars:
			n++
		default:
			n += utf8.RuneLen(r)
		}
		if n > int(t.Len) {
			return s[:i]
		}
	}
	return s
}

// pad fills text of a fixed type with spaces.
func pad(s string, t Type) string {
	if !t.IsFixed() || t.Len == 0 {
		return s
	}
	if n := int(t.Len) - LengthIn(s, t); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// ParseHex parses the hexadecimal digits of a RAW; an odd number of them gets a zero in
// front. ok is false for anything else.
func ParseHex(s string) (raw []byte, ok bool) {
	if len(s)&1 != 0 {
		s = "0" + s
	}
	raw, err := hex.DecodeString(s)
	return raw, err == nil
}

// Hex returns the upper-case hexadecimal digits of bytes.
func Hex(b string) string { return strings.ToUpper(hex.EncodeToString([]byte(b))) }
