package builtin

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func textFuncs() []Func {
	return []Func{
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
	}
}

// QuoteName returns s as a delimited identifier, or in single quotes; ok is false (NULL in SQL) for over 128 characters.
func QuoteName(s, quote string) (quoted string, ok bool) {
	open, end := quote, quote
	switch quote {
	case "[", "]":
		open, end = "[", "]"
	case "'", "\"":
	default:
		panic(sqlerr.NotSupported("QUOTENAME with %q", quote))
	}
	return open + strings.ReplaceAll(s, end, end+end) + end, charset.Len16(s) <= 128
}
