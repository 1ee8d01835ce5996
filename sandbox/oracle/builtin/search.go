package builtin

import (
	"strings"
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/value"
)

func searchFuncs() []Func {
	return []Func{
		{Name: "INSTR", MinArgs: 2, MaxArgs: 4, NullIn: true, result: fixed(tNumber, tText, tText, tNumber), eval: func(c *call) value.Value {
			return instr(c, c.text(0), c.text(1), func(s string) int { return utf8.RuneCountInString(s) })
		}},
		{Name: "INSTRB", MinArgs: 2, MaxArgs: 4, NullIn: true, result: fixed(tNumber, tText, tText, tNumber), eval: func(c *call) value.Value {
			return instr(c, c.text(0), c.text(1), func(s string) int { return len(s) })
		}},
	}
}

// instr finds an occurrence of sub at or after a position, or backwards from a negative one.
func instr(c *call, s, sub string, count func(string) int) value.Value {
	pos, occurrence := c.whole(2, 1), c.whole(3, 1)
	if occurrence < 1 {
		return c.fail(datatype.ErrRange(datatype.FormatNumber(c.number(3))))
	}
	var found []int64 // positions, from 1
	at := int64(1)
	for rest := s; sub != ""; {
		i := strings.Index(rest, sub)
		if i < 0 {
			break
		}
		at += int64(count(rest[:i]))
		found = append(found, at)
		_, n := utf8.DecodeRuneInString(rest[i:])
		at += int64(count(rest[i : i+n]))
		rest = rest[i+n:]
	}
	total := int64(count(s))
	switch {
	case pos > 0:
		for _, p := range found {
			if p >= pos {
				if occurrence--; occurrence == 0 {
					return value.NewInt(p)
				}
			}
		}
	case pos < 0:
		for i := len(found) - 1; i >= 0; i-- {
			if found[i] <= total+pos+1 {
				if occurrence--; occurrence == 0 {
					return value.NewInt(found[i])
				}
			}
		}
	}
	return value.NewInt(0)
}
