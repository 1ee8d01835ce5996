package builtin

import (
	"math"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func errTranslate() error {
	return sqlerr.New(9828, "The second and third arguments of the TRANSLATE built-in function must contain an equal number of characters.")
}

func textFuncs() []Func {
	code := func(name string, unit bool) Func {
		return Func{
			Name: name, MinArgs: 1, MaxArgs: 1, NullIn: true, Result: fixed(tInt, nvarchar(datatype.Max)),
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				s, err := textArg(args[0], types[0])
				if err != nil || s == "" {
					return null, err
				}
				if unit {
					return value.NewInt(int64(datatype.Units(datatype.Sub16(s, 0, 1))[0])), nil
				}
				return value.NewInt(int64(datatype.CodePageBytes(s)[0])), nil
			},
		}
	}
	return []Func{
		code("ascii", false),
		code("unicode", true),
		{
			Name: "char", MinArgs: 1, MaxArgs: 1, NullIn: true,
			Result: fixed(datatype.Sized(datatype.Char, 1), tInt),
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				n, err := toInt(args[0], types[0])
				if err != nil || n < 0 || n > 255 {
					return null, err
				}
				return value.NewString(datatype.FromCodePage([]byte{byte(n)})), nil
			},
		},
		{
			Name: "nchar", MinArgs: 1, MaxArgs: 1, NullIn: true,
			Result: fixed(datatype.Sized(datatype.NChar, 1), tInt),
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				n, err := toInt(args[0], types[0])
				if err != nil || n < 0 || n > 0xFFFF {
					return null, err
				}
				return value.NewString(datatype.FromUnits([]uint16{uint16(n)})), nil
			},
		},
		{
			Name: "quotename", MinArgs: 1, MaxArgs: 2, NullIn: true,
			Result: fixed(nvarchar(258), nvarchar(128)),
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				s, err := textArg(args[0], types[0])
				if err != nil {
					return null, err
				}
				quote := "["
				if len(args) == 2 {
					if quote, err = textArg(args[1], types[1]); err != nil {
						return null, err
					}
				}
				q, ok := QuoteName(s, quote)
				if !ok {
					return null, nil
				}
				return value.NewString(q), nil
			},
		},
		{
			Name: "parsename", MinArgs: 2, MaxArgs: 2, NullIn: true,
			Result: fixed(datatype.SysName(), nvarchar(4000), tInt),
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				s, err := textArg(args[0], types[0])
				if err != nil {
					return null, err
				}
				n, err := toInt(args[1], types[1])
				if err != nil {
					return null, err
				}
				parts, ok := ParseName(s)
				if !ok || n < 1 || n > len(parts) || parts[len(parts)-n] == "" {
					return null, nil
				}
				return value.NewString(parts[len(parts)-n]), nil
			},
		},
		{
			Name: "str", MinArgs: 1, MaxArgs: 3, NullIn: true,
			Result: fixed(varchar(8000), tFloat, tInt, tInt), Eval: str,
		},
		{
			Name: "isnumeric", MinArgs: 1, MaxArgs: 1,
			Result: func([]datatype.Type) (datatype.Type, error) { return tInt, nil },
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				return value.NewInt(isNumeric(args[0], types[0])), nil
			},
		},
		{
			Name: "string_escape", MinArgs: 2, MaxArgs: 2, NullIn: true,
			Result: fixed(nvarchar(datatype.Max), nvarchar(datatype.Max)),
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				s, kind, err := twoTexts(args, types)
				if err != nil {
					return null, err
				}
				if !strings.EqualFold(kind, "json") {
					return null, sqlerr.New(13668, "An invalid value was specified for argument 2.")
				}
				return value.NewString(string(AppendJSONEscaped(nil, s))), nil
			},
		},
		{
			Name: "formatmessage", MinArgs: 1, MaxArgs: 21,
			Result: func([]datatype.Type) (datatype.Type, error) { return nvarchar(2048), nil },
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				if args[0].IsNull() {
					return null, nil
				}
				if !types[0].IsCharacter() {
					return null, sqlerr.NotSupported("FORMATMESSAGE of a message number")
				}
				s, err := FormatMessage(args[0].Str(), args[1:], types[1:])
				return value.NewString(s), err
			},
		},
	}
}

// QuoteName returns s as a delimited identifier, or in the other quotes that QUOTENAME
// knows; ok is false (NULL in SQL) for over 128 characters or another quote.
func QuoteName(s, quote string) (quoted string, ok bool) {
	if datatype.Len16(s) > 128 || quote == "" {
		return "", false
	}
	var open, end string
	switch quote[:1] {
	case "[", "]":
		open, end = "[", "]"
	case "'", "\"", "`":
		open, end = quote[:1], quote[:1]
	case "(", ")":
		open, end = "(", ")"
	case "<", ">":
		open, end = "<", ">"
	case "{", "}":
		open, end = "{", "}"
	default:
		return "", false
	}
	return open + strings.ReplaceAll(s, end, end+end) + end, true
}

// ParseName splits an object name of up to four parts and takes the quotes off; ok is
// false if it is no such name. Parts left out are empty.
func ParseName(s string) (parts []string, ok bool) {
	for i := 0; ; {
		part, n, good := namePart(s[i:])
		if !good || datatype.Len16(part) > 128 || len(parts) == 4 {
			return nil, false
		}
		parts = append(parts, part)
		i += n
		if i == len(s) {
			return parts, parts[len(parts)-1] != ""
		}
		i++ // the dot
	}
}

// namePart reads one part and returns how many bytes it took, up to a dot or the end.
func namePart(s string) (part string, n int, ok bool) {
	if s != "" && (s[0] == '[' || s[0] == '"') {
		end := s[0]
		if end == '[' {
			end = ']'
		}
		var b strings.Builder
		for i := 1; i < len(s); i++ {
			if s[i] != end {
				b.WriteByte(s[i])
				continue
			}
			if i+1 < len(s) && s[i+1] == end {
				b.WriteByte(end)
				i++
				continue
			}
			if i+1 < len(s) && s[i+1] != '.' {
				return "", 0, false
			}
			return b.String(), i + 1, b.Len() > 0
		}
		return "", 0, false
	}
	n = strings.IndexByte(s, '.')
	if n < 0 {
		n = len(s)
	}
	return s[:n], n, !strings.ContainsAny(s[:n], "[]\"")
}

// str is STR(number, length, decimals).
func str(args []value.Value, types []datatype.Type) (value.Value, error) {
	f, err := to(args[0], types[0], tFloat)
	if err != nil {
		return null, err
	}
	length, digits := 10, 0
	if len(args) > 1 {
		if length, err = toInt(args[1], types[1]); err != nil {
			return null, err
		}
	}
	if len(args) > 2 {
		if digits, err = toInt(args[2], types[2]); err != nil {
			return null, err
		}
	}
	if length < 1 || length > 8000 || digits < 0 {
		return null, nil
	}
	digits = min(digits, 16)
	n := f.Float64()
	text := strconv.FormatFloat(roundFloat(n, digits), 'f', digits, 64)
	if over := len(text) - length; over > 0 && digits > 0 { // digits after the point give way
		digits = max(0, digits-over)
		text = strconv.FormatFloat(roundFloat(n, digits), 'f', digits, 64)
	}
	if len(text) > length {
		text = strings.Repeat("*", length)
	}
	return value.NewString(strings.Repeat(" ", length-len(text)) + text), nil
}

// roundFloat rounds half away from zero at a decimal position.
func roundFloat(f float64, digits int) float64 {
	p := math.Pow(10, float64(digits))
	if r := math.Round(f*p) / p; !math.IsInf(r, 0) && !math.IsNaN(r) {
		return r
	}
	return f
}

// isNumeric is ISNUMERIC: whether the value converts to some number type, money included.
func isNumeric(v value.Value, t datatype.Type) int64 {
	if v.IsNull() {
		return 0
	}
	if t.ID == datatype.SQLVariant {
		x, _ := datatype.VariantOf(v)
		return isNumeric(x.Value, x.Type)
	}
	if t.IsNumeric() {
		return 1
	}
	if !t.IsCharacter() {
		return 0
	}
	if s := strings.Trim(v.Str(), " "); s == "" {
		return 0
	}
	for _, target := range []datatype.Type{tFloat, datatype.Of(datatype.Money), datatype.DecimalOf(38, 0)} {
		if r, err := datatype.TryConvert(v, t, target, datatype.NoStyle); err == nil && !r.IsNull() {
			return 1
		}
	}
	return 0
}
