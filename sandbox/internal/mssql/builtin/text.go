package builtin

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

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
					return value.NewInt(int64(charset.Units(charset.Sub16(s, 0, 1))[0])), nil
				}
				return value.NewInt(int64(charset.CodePageBytes(s)[0])), nil
			},
		}
	}
	return []Func{
		code("ascii", false),
		{
			Name: "char", MinArgs: 1, MaxArgs: 1, NullIn: true,
			Result: fixed(datatype.Sized(datatype.Char, 1), tInt),
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				n, err := toInt(args[0], types[0])
				if err != nil || n < 0 || n > 255 {
					return null, err
				}
				return value.NewString(charset.FromCodePage([]byte{byte(n)})), nil
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
				return value.NewString(charset.FromUnits([]uint16{uint16(n)})), nil
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
			Name: "isnumeric", MinArgs: 1, MaxArgs: 1,
			Result: func([]datatype.Type) (datatype.Type, error) { return tInt, nil },
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				return value.NewInt(isNumeric(args[0], types[0])), nil
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
	if charset.Len16(s) > 128 || quote == "" {
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
