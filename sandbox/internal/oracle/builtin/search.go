package builtin

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func searchFuncs() []Func {
	return []Func{
		{Name: "INSTR", MinArgs: 2, MaxArgs: 4, NullIn: true, Result: fixed(tNumber, tText, tText, tNumber), Eval: func(c *call) value.Value {
			return instr(c, c.text(0), c.text(1), func(s string) int { return utf8.RuneCountInString(s) })
		}},
	}
}

// instr finds an occurrence of sub at or after a position, or backwards from a negative one.
func instr(c *call, s, sub string, count func(string) int) value.Value {
	pos, occurrence := c.whole(2, 1), c.whole(3, 1)
	if occurrence < 1 {
		return c.fail(datatype.ErrRange(datatype.FormatNumber(c.number(3))))
	}
	if pos == 0 || sub == "" {
		return value.NewInt(0)
	}
	var found []int64 // 1-based positions, for a backward search
	for at, rest := int64(1), s; ; {
		i := strings.Index(rest, sub)
		if i < 0 {
			break
		}
		at += int64(count(rest[:i]))
		if pos < 0 {
			found = append(found, at)
		} else if at >= pos {
			if occurrence--; occurrence == 0 {
				return value.NewInt(at)
			}
		}
		_, n := utf8.DecodeRuneInString(rest[i:]) // matches may overlap
		at += int64(count(rest[i : i+n]))
		rest = rest[i+n:]
	}
	last := int64(count(s)) + pos + 1
	for _, at := range slices.Backward(found) {
		if at <= last {
			if occurrence--; occurrence == 0 {
				return value.NewInt(at)
			}
		}
	}
	return value.NewInt(0)
}
