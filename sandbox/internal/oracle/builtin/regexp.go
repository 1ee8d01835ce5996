package builtin

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Regular expressions are POSIX ones with \d, \w, \s and their negations. They are
// matched twice, leftmost-first and leftmost-longest; where the two differ, and with
// back references, non-greedy operators and other Perl classes, they are refused.

func regexpFuncs() []Func {
	args := []datatype.Type{tText, tText}
	return []Func{
		{Name: "REGEXP_LIKE", MinArgs: 2, MaxArgs: 3, NullIn: true, Result: fixed(tBoolean, tText), Eval: func(c *call) value.Value {
			m := c.pattern(2)
			if c.err != nil {
				return value.Value{}
			}
			return value.NewBool(m.longest.MatchString(c.text(0)))
		}},
		{Name: "REGEXP_SUBSTR", MinArgs: 2, MaxArgs: 6, Result: likeFirst(append(slices.Clone(args), tNumber, tNumber, tText, tNumber)...), Eval: func(c *call) value.Value {
			if c.anyNull(2) {
				return value.Value{}
			}
			m, group := c.matches(2, 4), c.whole(5, 0)
			occurrence := c.occurrence(3, 1)
			if c.err != nil || int(occurrence) > len(m) || int(group)*2+1 >= len(m[occurrence-1]) || group < 0 {
				return value.Value{}
			}
			at := m[occurrence-1][group*2:]
			if at[0] < 0 {
				return value.Value{}
			}
			return datatype.NewText(c.text(0)[at[0]:at[1]])
		}},
		{Name: "REGEXP_INSTR", MinArgs: 2, MaxArgs: 7, NullIn: true, Result: fixed(tNumber, append(slices.Clone(args), tNumber, tNumber, tNumber, tText, tNumber)...), Eval: func(c *call) value.Value {
			m, occurrence, end, group := c.matches(2, 5), c.occurrence(3, 1), c.whole(4, 0), c.whole(6, 0)
			if end&^1 != 0 || group < 0 || group > 9 {
				c.fail(sqlerr.NotSupported("REGEXP_INSTR with return_opt %d and subexpr %d", end, group))
			}
			if c.err != nil || int(occurrence) > len(m) || int(group)*2 >= len(m[occurrence-1]) || m[occurrence-1][group*2] < 0 {
				return value.NewInt(0)
			}
			return value.NewInt(int64(utf8.RuneCountInString(c.text(0)[:m[occurrence-1][group*2+end]])) + 1)
		}},
	}
}

// Pattern is a regular expression compiled with both kinds of matching; the zero value is none.
type Pattern struct {
	text, flags    string
	first, longest *regexp.Regexp
}

// pattern compiles argument 1 with the flags of argument i.
func (c *call) pattern(i int) Pattern {
	if c.kept.first != nil && c.kept.text == c.text(1) && c.kept.flags == c.text(i) {
		return *c.kept
	}
	flags := "-s"
	insensitive := false
	for _, f := range c.text(i) {
		switch f {
		case 'i', 'c': // the last one wins
			insensitive = f == 'i'
		case 'n':
			flags = strings.Replace(flags, "-s", "s", 1)
		case 'm':
			flags = "m" + flags
		case 'x':
			c.fail(sqlerr.NotSupported("regular expression flag x"))
		default:
			c.fail(message.ORA(1760))
		}
	}
	if insensitive {
		flags = "i" + flags
	}
	text, err := translate(c.text(1))
	if err != nil {
		c.fail(err)
	}
	if c.err != nil {
		return Pattern{}
	}
	first, err := regexp.Compile("(?" + flags + ")" + text)
	if err != nil {
		c.fail(sqlerr.NotSupported("regular expression %s", c.text(1)))
		return Pattern{}
	}
	longest := regexp.MustCompile(first.String())
	longest.Longest()
	*c.kept = Pattern{c.text(1), c.text(i), first, longest}
	return *c.kept
}

// translate rewrites a pattern for package regexp, where a backslash is special in brackets.
func translate(s string) (string, error) {
	refuse := func() (string, error) { return "", sqlerr.NotSupported("regular expression %s", s) }
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; ch {
		case '\\':
			i++
			if i == len(s) {
				return refuse()
			}
			switch s[i] {
			case 'd', 'D', 'w', 'W', 's', 'S':
			default:
				if s[i] >= '0' && s[i] <= '9' || s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' || s[i] >= 0x80 {
					return refuse()
				}
			}
			b.WriteByte('\\')
			b.WriteByte(s[i])
		case '[':
			end := i + 1
			if end < len(s) && s[end] == '^' {
				end++
			}
			if end < len(s) && s[end] == ']' {
				end++
			}
			for end < len(s) && s[end] != ']' {
				if strings.HasPrefix(s[end:], "[:") {
					n := strings.Index(s[end:], ":]")
					if n < 0 {
						return refuse()
					}
					end += n + 2
					continue
				}
				if strings.HasPrefix(s[end:], "[=") || strings.HasPrefix(s[end:], "[.") {
					return refuse()
				}
				end++
			}
			if end >= len(s) {
				return "", message.ORA(12726)
			}
			set := strings.ReplaceAll(s[i+1:end], `\`, `\\`)
			neg := ""
			if strings.HasPrefix(set, "^") {
				neg, set = "^", set[1:]
			}
			if strings.HasPrefix(set, "]") {
				set = `\]` + set[1:]
			}
			b.WriteString("[" + neg + set + "]")
			i = end
		case '(':
			if strings.HasPrefix(s[i:], "(?") {
				return refuse()
			}
			b.WriteByte(ch)
		case '*', '+', '?', '}':
			b.WriteByte(ch)
			if i+1 < len(s) && strings.IndexByte("*+?", s[i+1]) >= 0 {
				return refuse() // not greedy, or one operator after another
			}
		default:
			b.WriteByte(ch)
		}
	}
	return b.String(), nil
}

// matches returns all matches of argument 1 in argument 0 from the position in argument
// at onward, as byte positions; argument i has the flags.
func (c *call) matches(at, i int) [][]int {
	p, from, s := c.pattern(i), c.whole(at, 1), c.text(0)
	if c.err == nil && from < 1 {
		c.fail(datatype.ErrRange(datatype.FormatNumber(value.NewInt(from))))
	}
	if c.err != nil {
		return nil
	}
	if from > 1 && strings.Contains(c.text(1), "^") {
		c.fail(sqlerr.NotSupported("regular expressions with ^ from a later position"))
		return nil
	}
	skip := len(s)
	for at := range s {
		if from--; from == 0 {
			skip = at
			break
		}
	}
	found := p.longest.FindAllStringSubmatchIndex(s[skip:], -1)
	if !slices.EqualFunc(found, p.first.FindAllStringSubmatchIndex(s[skip:], -1), slices.Equal[[]int]) {
		c.fail(sqlerr.NotSupported("regular expression %s, whose match depends on the engine", c.text(1)))
		return nil
	}
	for _, m := range found {
		for k := range m {
			if m[k] >= 0 {
				m[k] += skip
			}
		}
	}
	return found
}

func (c *call) occurrence(i int, low int64) int64 {
	n := c.whole(i, 1)
	if n < low {
		c.fail(datatype.ErrRange(datatype.FormatNumber(value.NewInt(n))))
		return low
	}
	return n
}
