package builtin

import (
	"encoding/binary"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func textFuncs() []Func {
	one := func(name string, fn func(string) string) Func {
		return Func{Name: name, MinArgs: 1, MaxArgs: 1, NullIn: true, Result: likeFirst(tText), Eval: func(c *call) value.Value {
			return c.result(fn(c.text(0)))
		}}
	}
	trim := func(name string, left, right bool) Func {
		return Func{Name: name, MinArgs: 1, MaxArgs: 2, NullIn: true, Result: likeFirst(tText), Eval: func(c *call) value.Value {
			set := " "
			if c.has(1) {
				set = c.text(1)
			}
			return c.result(TrimSet(c.text(0), set, left, right))
		}}
	}
	pad := func(name string, left bool) Func {
		return Func{Name: name, MinArgs: 2, MaxArgs: 3, NullIn: true, Result: likeFirst(tText, tNumber, tText), Eval: func(c *call) value.Value {
			fill := " "
			if c.has(2) {
				fill = c.text(2)
			}
			return c.result(padTo(c.text(0), c.whole(1, 0), fill, left, c))
		}}
	}
	return []Func{
		one("UPPER", func(s string) string { return strings.Map(unicode.ToUpper, s) }),
		one("LOWER", func(s string) string { return strings.Map(unicode.ToLower, s) }),
		trim("LTRIM", true, false),
		trim("RTRIM", false, true),
		pad("LPAD", true),
		pad("RPAD", false),
		{Name: "SUBSTR", MinArgs: 2, MaxArgs: 3, NullIn: true, Result: likeFirst(tText, tNumber), Eval: func(c *call) value.Value {
			s := c.text(0)
			n := utf8.RuneCountInString(s)
			from, to := span(n, c.whole(1, 0), c.whole(2, 1<<40))
			if n == len(s) {
				return c.result(s[from:to])
			}
			return c.result(string([]rune(s)[from:to]))
		}},
		{Name: "SUBSTRB", MinArgs: 2, MaxArgs: 3, NullIn: true, Result: likeFirst(tText, tNumber), Eval: func(c *call) value.Value {
			s := c.text(0)
			from, to := span(len(s), c.whole(1, 0), c.whole(2, 1<<40))
			return c.result(wholeRunes(s[from:to]))
		}},
		{Name: "TRIM", MinArgs: 1, MaxArgs: 1, NullIn: true, Result: likeFirst(tText), Eval: func(c *call) value.Value {
			return c.result(TrimSet(c.text(0), " ", true, true))
		}},
		{Name: "REPLACE", MinArgs: 2, MaxArgs: 3, Result: likeFirst(tText), Eval: func(c *call) value.Value {
			if !c.has(0) || !c.has(1) {
				return c.args[0]
			}
			if err := sqlerr.Fits(len(c.text(0)) + strings.Count(c.text(0), c.text(1))*len(c.text(2))); err != nil {
				return c.fail(err)
			}
			return c.result(strings.ReplaceAll(c.text(0), c.text(1), c.text(2)))
		}},
		{Name: "TRANSLATE", MinArgs: 3, MaxArgs: 3, NullIn: true, Result: likeFirst(tText), Eval: func(c *call) value.Value {
			from, to := []rune(c.text(1)), []rune(c.text(2))
			return c.result(strings.Map(func(r rune) rune {
				for i, f := range from {
					if f == r && i < len(to) {
						return to[i]
					} else if f == r {
						return -1
					}
				}
				return r
			}, c.text(0)))
		}},
		{Name: "CONCAT", MinArgs: 2, MaxArgs: 2,
			Result: func(args []datatype.Type, _ bool) (datatype.Type, error) {
				t, _, err := datatype.Concat(args[0], args[1])
				return t, err
			},
			Eval: func(c *call) value.Value {
				_, fn, err := datatype.Concat(c.types[0], c.types[1])
				if err != nil {
					return c.fail(err)
				}
				v, err := fn(c.args[0], c.args[1], c.env)
				if err != nil {
					return c.fail(err)
				}
				return v
			}},
		{Name: "CHR", MinArgs: 1, MaxArgs: 1, NullIn: true, Result: fixed(tText, tNumber), Eval: chr},
		{Name: "LENGTH", MinArgs: 1, MaxArgs: 1, NullIn: true, Result: fixed(tNumber, tText), Eval: func(c *call) value.Value {
			return value.NewInt(int64(utf8.RuneCountInString(c.text(0))))
		}},
		{Name: "LENGTHB", MinArgs: 1, MaxArgs: 1, NullIn: true, Result: lengthB, Eval: func(c *call) value.Value {
			if t := c.types[0]; t.ID == datatype.Raw || t.ID == datatype.BLOB {
				return value.NewInt(int64(len(c.args[0].Str())))
			}
			return value.NewInt(int64(len(c.text(0))))
		}},
		// Oracle counts UCS-2 code units, which are what a CLOB's characters are on a server; here they are characters.
		{Name: "LENGTH2", MinArgs: 1, MaxArgs: 1, NullIn: true, Result: fixed(tNumber, tText), Eval: func(c *call) value.Value {
			s := c.text(0)
			if strings.ContainsFunc(s, func(r rune) bool { return r > 0xFFFF }) {
				return c.fail(sqlerr.NotSupported("LENGTH2 of supplementary characters"))
			}
			return value.NewInt(int64(utf8.RuneCountInString(s)))
		}},
		{Name: "UNISTR", MinArgs: 1, MaxArgs: 1, NullIn: true, Result: fixed(datatype.Of(datatype.NVarchar2), tText), Eval: func(c *call) value.Value {
			s, err := unistr(c.text(0))
			if err != nil {
				return c.fail(err)
			}
			return datatype.NewText(s)
		}},
		{Name: "RAWTOHEX", MinArgs: 1, MaxArgs: 1, NullIn: true, Result: fixed(tText), Eval: func(c *call) value.Value {
			switch t := c.types[0]; {
			case t.ID == datatype.Raw, t.ID == datatype.BLOB, t.IsText() && !c.env.PLSQL:
				// SQL treats text as its bytes.
				return datatype.NewText(datatype.Hex(c.args[0].Str()))
			}
			return datatype.NewText(datatype.Hex(c.as(0, tRaw).Str()))
		}},
		// The binary collation's key is the text's bytes followed by a zero; no other collation is modeled.
		{Name: "NLSSORT", MinArgs: 2, MaxArgs: 2, NullIn: true, Result: fixed(tRaw, tText, tText), Eval: func(c *call) value.Value {
			if key := strings.ToUpper(strings.Join(strings.Fields(c.text(1)), "")); key != "NLS_SORT=BINARY" {
				return c.fail(sqlerr.NotSupported("NLSSORT with %s", c.text(1)))
			}
			v, err := datatype.Convert(datatype.NewText(datatype.Hex(c.text(0)+"\x00")), tText, tRaw, c.env)
			if err != nil {
				return c.fail(err)
			}
			return v
		}},
		{Name: "HEXTORAW", MinArgs: 1, MaxArgs: 1, NullIn: true, Result: fixed(tRaw, tText), Eval: func(c *call) value.Value {
			v, err := datatype.Convert(datatype.NewText(c.text(0)), tText, tRaw, c.env)
			if err != nil {
				return c.fail(err)
			}
			return v
		}},
	}
}

func lengthB(args []datatype.Type, _ bool) (datatype.Type, error) {
	if isLOBText(args[0]) {
		return tNumber, sqlerr.NotSupported("LENGTHB of a CLOB")
	}
	if args[0].ID == datatype.BLOB {
		return tNumber, nil
	}
	if args[0].IsNational() {
		return tNumber, sqlerr.NotSupported("LENGTHB of national text")
	}
	return tNumber, check(args, tText)
}

// TrimSet removes characters of set from the ends of s.
func TrimSet(s, set string, left, right bool) string {
	if left {
		s = strings.TrimLeft(s, set)
	}
	if right {
		s = strings.TrimRight(s, set)
	}
	return s
}

// span returns the part of n places that SUBSTR takes: position 0 is 1, a negative one
// counts from the end; anything outside is empty.
func span(n int, pos, length int64) (from, to int) {
	size := int64(n)
	switch {
	case pos > 0:
		pos--
	case pos < 0:
		pos += size
	}
	if pos < 0 || pos >= size || length < 1 {
		return 0, 0
	}
	return int(pos), int(min(pos+length, size))
}

// wholeRunes replaces the bytes of characters that were cut by blanks.
func wholeRunes(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	b := []byte(s)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			b[i] = ' '
		}
		i += n
	}
	return string(b)
}

// padTo brings s to n characters; text that is not a LOB is cut at its limit.
func padTo(s string, n int64, fill string, left bool, c *call) string {
	text := []rune(s)
	if n <= 0 {
		return ""
	}
	if err := sqlerr.Fits(int(n)); err != nil && isLOBText(c.types[0]) {
		c.fail(err)
		return ""
	}
	if int64(len(text)) >= n {
		return string(text[:n])
	}
	f := []rune(fill)
	room := limit(c.env) - len(s)
	var pad strings.Builder
	for i := 0; i < int(n)-len(text); i++ {
		r := f[i%len(f)]
		if !isLOBText(c.types[0]) && pad.Len()+utf8.RuneLen(r) > room {
			break
		}
		pad.WriteRune(r)
	}
	if left {
		return pad.String() + s
	}
	return s + pad.String()
}

// chr makes a character from the number that its bytes in AL32UTF8 form.
func chr(c *call) value.Value {
	n := c.whole(0, 0)
	if n < 0 || n > 0xFFFFFFFF {
		return c.fail(datatype.ErrRange(datatype.FormatNumber(c.number(0))))
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(n))
	for len(b) > 1 && b[0] == 0 {
		b = b[1:]
	}
	if !utf8.Valid(b) {
		return c.fail(sqlerr.NotSupported("CHR of a number that is no character"))
	}
	return value.NewString(string(b))
}

// unistr decodes \XXXX, a code unit of UTF-16, and \\.
func unistr(s string) (string, error) {
	var out strings.Builder
	var units []uint16
	flush := func() {
		out.WriteString(string(utf16.Decode(units)))
		units = nil
	}
	for s != "" {
		switch {
		case s[0] != '\\':
			flush()
			_, n := utf8.DecodeRuneInString(s)
			out.WriteString(s[:n])
			s = s[n:]
		case strings.HasPrefix(s, `\\`):
			flush()
			out.WriteByte('\\')
			s = s[2:]
		default:
			unit, err := strconv.ParseUint(s[1:min(5, len(s))], 16, 16)
			if err != nil || len(s) < 5 {
				return "", message.ORA(30186)
			}
			units = append(units, uint16(unit))
			s = s[5:]
		}
	}
	flush()
	return out.String(), nil
}
