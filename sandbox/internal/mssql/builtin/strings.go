package builtin

import (
	"cmp"
	"math"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// oneText creates a function of one string that returns a string of the same type.
func oneText(name string, fn func(s string, t datatype.Type) string) Func {
	return Func{
		Name: name, MinArgs: 1, MaxArgs: 1, NullIn: true,
		Result: func(args []datatype.Type) (datatype.Type, error) {
			return charType(args[0]), noLOB(name, args, 0)
		},
		Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
			s, err := textArg(args[0], types[0])
			if err != nil {
				return null, err
			}
			t := charType(types[0])
			return newText(fn(s, t), t), nil
		},
	}
}

func stringFuncs() []Func {
	trim := func(name string, left, right bool) Func {
		f := oneText(name, func(s string, _ datatype.Type) string { return trimSet(s, " ", left, right) })
		// The second argument (SQL Server 2022, and TRIM(chars FROM s)) is the set of characters.
		one := f.Eval
		f.MaxArgs = 2
		f.Eval = func(args []value.Value, types []datatype.Type) (value.Value, error) {
			if len(args) == 1 {
				return one(args, types)
			}
			s, set, err := twoTexts(args, types)
			t := charType(types[0])
			return newText(trimSet(s, set, left, right), t), err
		}
		return f
	}
	return []Func{
		{
			Name: "len", MinArgs: 1, MaxArgs: 1, NullIn: true,
			Result: func(args []datatype.Type) (datatype.Type, error) {
				return countType(args[0]), noLOB("len", args, 0)
			},
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				s, err := textArg(args[0], types[0])
				return value.NewInt(int64(charset.Len16(strings.TrimRight(s, " ")))), err
			},
		},
		{
			Name: "datalength", MinArgs: 1, MaxArgs: 1, NullIn: true,
			Result: func(args []datatype.Type) (datatype.Type, error) { return countType(args[0]), nil },
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				return value.NewInt(DataLength(args[0], types[0])), nil
			},
		},
		side("left"),
		side("right"),
		substring(),
		oneText("upper", datatype.Upper),
		oneText("lower", datatype.Lower),
		trim("ltrim", true, false),
		trim("rtrim", false, true),
		trim("trim", true, true),
		{
			Name: "replicate", MinArgs: 2, MaxArgs: 2, NullIn: true,
			Result: func(args []datatype.Type) (datatype.Type, error) {
				return wide(charType(args[0])), noLOB("replicate", args, 0)
			},
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				s, err := textArg(args[0], types[0])
				if err != nil {
					return null, err
				}
				n, err := toInt(args[1], types[1])
				if err != nil || n < 0 {
					return null, err
				}
				t := wide(charType(types[0]))
				if one := charset.Len16(s); !t.IsMax() && one > 0 { // no more than fits
					n = min(n, int(t.Len)/one+1)
				}
				if err := sqlerr.Fits(min(n, math.MaxInt32) * len(s)); err != nil {
					return null, err
				}
				return newText(strings.Repeat(s, n), t), nil
			},
		},
		concat(),
	}
}

// DataLength returns the number of bytes of a value, as DATALENGTH does.
func DataLength(v value.Value, t datatype.Type) int64 {
	switch {
	case t.ID == datatype.SQLVariant:
		x, _ := datatype.VariantOf(v)
		return DataLength(x.Value, x.Type)
	case t.IsUnicode():
		return int64(charset.Len16(v.Str())) * 2
	case t.IsCharacter():
		return int64(charset.Len16(v.Str()))
	case t.IsBinary():
		return int64(len(v.Str()))
	}
	return int64(t.MaxLength())
}

// errLength is 536 or 537, a negative length.
func errLength(fn string) error {
	if fn == "right" {
		return message.MS(536)
	}
	return message.MS(537).At(16, 2)
}

func side(name string) Func {
	return Func{
		Name: name, MinArgs: 2, MaxArgs: 2, NullIn: true,
		Result: func(args []datatype.Type) (datatype.Type, error) {
			return charType(args[0]), noLOB(name, args, 0)
		},
		Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
			s, err := textArg(args[0], types[0])
			if err != nil {
				return null, err
			}
			n, err := toInt(args[1], types[1])
			switch {
			case err != nil:
				return null, err
			case n < 0:
				return null, errLength(name)
			case name == "left":
				return value.NewString(charset.Sub16(s, 0, n)), nil
			}
			size := charset.Len16(s)
			return value.NewString(charset.Sub16(s, max(0, size-n), n)), nil
		},
	}
}

func substring() Func {
	result := func(t datatype.Type) datatype.Type {
		if t.IsBinary() {
			return datatype.Sized(datatype.VarBinary, int(t.Len))
		}
		return charType(t)
	}
	return Func{
		Name: "substring", MinArgs: 3, MaxArgs: 3, NullIn: true,
		Result: func(args []datatype.Type) (datatype.Type, error) {
			if !args[0].IsCharacter() && !args[0].IsBinary() {
				return datatype.Type{}, datatype.ErrArgument(args[0], 1, "substring")
			}
			return result(args[0]), nil
		},
		Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
			start, err := toInt(args[1], types[1])
			if err != nil {
				return null, err
			}
			n, err := toInt(args[2], types[2])
			if err != nil {
				return null, err
			}
			if n < 0 {
				return null, errLength("substring")
			}
			from := start - 1
			if from < 0 { // the part before the string counts toward the length
				n, from = max(0, n+from), 0
			}
			if types[0].IsBinary() {
				b := args[0].Str()
				from = min(from, len(b))
				return value.NewBytes([]byte(b[from : from+min(n, len(b)-from)])), nil
			}
			return value.NewString(charset.Sub16(args[0].Str(), from, n)), nil
		},
	}
}

func trimSet(s, set string, left, right bool) string {
	cut := func(r rune) bool { return strings.ContainsRune(set, r) }
	if left {
		s = strings.TrimLeftFunc(s, cut)
	}
	if right {
		s = strings.TrimRightFunc(s, cut)
	}
	return s
}

// twoTexts returns the first two arguments as text.
func twoTexts(args []value.Value, types []datatype.Type) (a, b string, err error) {
	if a, err = textArg(args[0], types[0]); err != nil {
		return "", "", err
	}
	b, err = textArg(args[1], types[1])
	return a, b, err
}

// concat creates CONCAT: NULL is the empty string.
func concat() Func {
	result := func(args []datatype.Type) datatype.Type {
		t := common(args...)
		if t.IsMax() {
			return t
		}
		n := 0
		for _, a := range args {
			if a.ID != datatype.Untyped {
				n += int(charType(a).Len)
			}
		}
		return t.WithLen(max(1, min(n, int(t.Len))))
	}
	return Func{
		Name: "concat", MinArgs: 2, MaxArgs: Many,
		Result: func(args []datatype.Type) (datatype.Type, error) {
			for _, a := range args {
				if err := datatype.CheckImplicit(a, nvarchar(datatype.Max)); err != nil {
					return datatype.Type{}, err
				}
			}
			return result(args), nil
		},
		Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
			text := ""
			for i, v := range args {
				if v.IsNull() {
					continue
				}
				s, err := textArg(v, types[i])
				if err := cmp.Or(err, sqlerr.Fits(len(text))); err != nil {
					return null, err
				}
				text = charset.Join(text, s)
			}
			return newText(text, result(types)), nil
		},
	}
}
