package datatype

import "github.com/dbsched/dbsched/sandbox/internal/value"

// guidText gives for each digit pair of a uniqueidentifier's text the byte it
// shows: the first three groups are little-endian on the wire.
var guidText = [16]byte{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}

// FormatGUID writes the 36 upper-case characters of a uniqueidentifier.
func FormatGUID(v value.Value) string {
	s := v.Str()
	b := make([]byte, 0, 36)
	for i, at := range guidText {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			b = append(b, '-')
		}
		b = append(b, hexDigits[s[at]>>4], hexDigits[s[at]&15])
	}
	return string(b)
}

// ParseGUID reads a uniqueidentifier as CAST does: 36 characters, in braces or not;
// what follows them does not count.
func ParseGUID(s string) (v value.Value, ok bool) {
	if len(s) >= 38 && s[0] == '{' && s[37] == '}' {
		s = s[1:]
	}
	if len(s) < 36 {
		return v, false
	}
	var g [16]byte
	at := 0
	for i, to := range guidText {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			if s[at] != '-' {
				return v, false
			}
			at++
		}
		b, good := parseHex(s[at : at+2])
		if !good {
			return v, false
		}
		g[to] = b[0]
		at += 2
	}
	return value.NewGUID(g), true
}
