package datatype

import (
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/internal/message"
)

// Like matches s against a pattern of LIKE: % matches any text, _ one character; escape (""
// for none) makes the character after it literal, which must be one of the
// three, else ORA-01424; an escape that is not one character is ORA-01425.
func Like(s, pattern, escape string) (bool, error) {
	esc := rune(-1)
	if escape != "" {
		if utf8.RuneCountInString(escape) != 1 {
			return false, message.ORA(1425)
		}
		esc, _ = utf8.DecodeRuneInString(escape)
	}
	const anyText, anyOne = -2, -3
	var p []rune
	escaped := false
	for _, r := range pattern {
		switch {
		case escaped && r != '%' && r != '_' && r != esc:
			return false, message.ORA(1424)
		case escaped:
			p, escaped = append(p, r), false
		case r == esc:
			escaped = true
		case r == '%':
			p = append(p, anyText)
		case r == '_':
			p = append(p, anyOne)
		default:
			p = append(p, r)
		}
	}
	if escaped {
		return false, message.ORA(1424)
	}
	text := []rune(s)
	i, k, star, from := 0, 0, -1, 0
	for i < len(text) {
		switch {
		case k < len(p) && (p[k] == anyOne || p[k] == text[i]):
			i, k = i+1, k+1
		case k < len(p) && p[k] == anyText:
			star, from, k = k, i, k+1
		case star >= 0:
			from++
			i, k = from, star+1
		default:
			return false, nil
		}
	}
	for k < len(p) && p[k] == anyText {
		k++
	}
	return k == len(p), nil
}
