package datatype

import (
	"encoding/hex"
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// guidText gives for each digit pair of a uniqueidentifier's text the byte it
// shows: the first three groups are little-endian on the wire.
var guidText = [16]byte{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}

// FormatGUID writes the 36 upper-case characters of a uniqueidentifier.
func FormatGUID(v value.Value) string {
	var g [16]byte
	for i, at := range guidText {
		g[i] = v.Str()[at]
	}
	return fmt.Sprintf("%X-%X-%X-%X-%X", g[:4], g[4:6], g[6:8], g[8:10], g[10:])
}

// ParseGUID reads a uniqueidentifier as CAST does: 36 characters, in braces or not;
// what follows them is ignored.
func ParseGUID(s string) (v value.Value, ok bool) {
	if len(s) >= 38 && s[0] == '{' && s[37] == '}' {
		s = s[1:]
	}
	if len(s) < 36 {
		return v, false
	}
	if s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return v, false
	}
	digits, err := hex.DecodeString(s[:8] + s[9:13] + s[14:18] + s[19:23] + s[24:36])
	if err != nil {
		return v, false
	}
	var g [16]byte
	for i, to := range guidText {
		g[to] = digits[i]
	}
	return value.NewGUID(g), true
}
