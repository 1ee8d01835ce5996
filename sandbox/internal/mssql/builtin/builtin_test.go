package builtin

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// arg is an argument with its type.
type arg struct {
	v value.Value
	t datatype.Type
}

func n(s string) arg { v, t := datatype.StringLiteral(s, true, datatype.CIAS); return arg{v, t} }
func a(s string) arg { v, t := datatype.StringLiteral(s, false, datatype.CIAS); return arg{v, t} }
func i(x int64) arg  { return arg{value.NewInt(x), tInt} }
func d(s string) arg { // a decimal literal, signed
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	v, t, err := datatype.NumberLiteral(s)
	if err != nil {
		panic(err)
	}
	if sign != "" {
		_, neg, _ := datatype.Negate(t)
		v, _ = neg(v)
	}
	return arg{v, t}
}
func as(s string, t datatype.Type) arg {
	v, err := datatype.Convert(value.NewString(s), nvarchar(100), t, datatype.NoStyle, datatype.Explicit)
	if err != nil {
		panic(err)
	}
	return arg{v, t}
}
func typed(v value.Value, t datatype.Type) arg { return arg{v, t} }
func nul(t datatype.Type) arg                  { return arg{null, t} }
func p(x DatePart) arg                         { return i(int64(x)) }

// show writes a value for comparison.
func show(t *testing.T, v value.Value, ty datatype.Type) string {
	t.Helper()
	if v.IsNull() {
		return "NULL"
	}
	style := datatype.NoStyle
	switch {
	case ty.IsDateTime():
		style = 121
	case ty.IsBinary():
		style = 1
	case ty.ID == datatype.Money:
		style = 2
	}
	s, err := datatype.Convert(v, ty, nvarchar(datatype.Max), style, datatype.Explicit)
	require.NoError(t, err)
	return s.Str()
}

// call does what a caller does: checks, types, NULL, evaluation. It returns the
// shown result and its type, or the error.
func call(t *testing.T, name string, args ...arg) (string, datatype.Type, error) {
	t.Helper()
	fn, ok := Lookup(name)
	require.True(t, ok, name)
	if err := CheckCount(fn, len(args)); err != nil {
		return "", datatype.Type{}, err
	}
	types := make([]datatype.Type, len(args))
	values := make([]value.Value, len(args))
	isNull := false
	for k, x := range args {
		values[k], types[k] = x.v, x.t
		isNull = isNull || x.v.IsNull()
	}
	ty, err := fn.Result(types)
	if err != nil {
		return "", ty, err
	}
	if isNull && fn.NullIn {
		return "NULL", ty, nil
	}
	v, err := fn.Eval(values, types)
	if err != nil {
		return "", ty, err
	}
	return show(t, v, ty), ty, nil
}

type row struct {
	name string
	args []arg
	want string
	typ  string // "" is not checked
}

func run(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		got, ty, err := call(t, r.name, r.args...)
		require.NoError(t, err, "%s%v", r.name, r.args)
		require.Equal(t, r.want, got, "%s%v", r.name, r.args)
		if r.typ != "" {
			require.Equal(t, r.typ, ty.String(), "%s%v", r.name, r.args)
		}
	}
}

func in(args ...arg) []arg { return args }

func TestStrings(t *testing.T) {
	nmax := nvarchar(datatype.Max)
	run(t, []row{
		{"len", in(n("abc  ")), "3", "int"},
		{"len", in(n("😀")), "2", "int"},
		{"len", in(typed(value.NewString("ab"), nmax)), "2", "bigint"},
		{"len", in(i(12345)), "5", "int"},
		{"datalength", in(n("abc  ")), "10", "int"},
		{"datalength", in(a("abc  ")), "5", "int"},
		{"datalength", in(i(1)), "4", "int"},
		{"datalength", in(nul(tInt)), "NULL", ""},
		{"left", in(a("abcdefg"), i(2)), "ab", "varchar(7)"},
		{"left", in(a("ab"), i(9)), "ab", ""},
		{"right", in(n("abcdefg"), i(2)), "fg", "nvarchar(7)"},
		{"substring", in(a("abcdef"), i(2), i(3)), "bcd", "varchar(6)"},
		{"substring", in(a("abcdef"), i(0), i(3)), "ab", ""},
		{"substring", in(a("abcdef"), i(5), i(9)), "ef", ""},
		{"substring", in(a("abcdef"), i(9), i(9)), "", ""},
		{"substring", in(typed(value.NewBytes([]byte{1, 2, 3}), datatype.Sized(datatype.VarBinary, 3)), i(2), i(2)), "0x0203", "varbinary(3)"},
		{"upper", in(n("aé")), "AÉ", ""},
		{"upper", in(a("aµ")), "Aµ", ""},
		{"lower", in(n("AÉ")), "aé", ""},
		{"ltrim", in(n("  a ")), "a ", ""},
		{"rtrim", in(n("  a ")), "  a", ""},
		{"trim", in(n("  a ")), "a", ""},
		{"trim", in(n("# test .!"), n("#.! ")), "test", ""},
		{"replicate", in(a("0"), i(4)), "0000", "varchar(8000)"},
		{"replicate", in(a("0"), i(-1)), "NULL", ""},
		{"concat", in(a("Happy "), a("Birthday "), i(11), a("/"), a("25")), "Happy Birthday 11/25", "varchar(30)"},
		{"concat", in(n("a"), nul(tInt), a("b")), "ab", "nvarchar(14)"},
		{"charindex", in(a("bicycle"), a("Reflectors are vital safety components of your bicycle.")), "48", "int"},
		{"charindex", in(n("IS"), n("This is a string")), "3", ""},
		{"charindex", in(n("is"), n("This is a string"), i(4)), "6", ""},
		{"charindex", in(n(""), n("abc")), "0", ""},
		{"charindex", in(typed(value.NewString("IS"), nvarchar(5)), typed(value.NewString("This"), nvarchar(9).WithCollation(datatype.CSAS))), "0", ""},
		{"patindex", in(a("%ter%"), a("interesting data")), "3", ""},
		{"patindex", in(a("%en_ure%"), a("Please ensure the door is locked!")), "8", ""},
		{"replace", in(a("abcdefghicde"), a("cde"), a("xxx")), "abxxxfghixxx", "varchar(8000)"},
		{"replace", in(n("This is a Test"), a("TEST"), a("desk")), "This is a desk", "nvarchar(4000)"},
		{"replace", in(a("abc"), a(""), a("x")), "abc", ""},
		{"stuff", in(a("abcdef"), i(2), i(3), a("ijklmn")), "aijklmnef", ""},
		{"stuff", in(a("abc"), i(2), i(1), nul(varchar(1))), "ac", ""},
		{"stuff", in(a("abc"), i(4), i(1), a("x")), "NULL", ""},
		{"char", in(i(65)), "A", "char(1)"},
		{"char", in(i(256)), "NULL", ""},
		{"nchar", in(i(248)), "ø", "nchar(1)"},
		{"quotename", in(a("abc[]def")), "[abc[]]def]", "nvarchar(258)"},
		{"quotename", in(n("it's"), n("'")), "'it''s'", ""},
		{"quotename", in(typed(value.NewString(string(make([]byte, 129))), nvarchar(200))), "NULL", ""},
	})
}

func errNumber(t *testing.T, err error) int32 {
	t.Helper()
	require.Error(t, err)
	var e *sqlerr.Error
	require.ErrorAs(t, err, &e)
	return e.Number
}

func TestDates(t *testing.T) {
	dt2 := datatype.Of(datatype.DateTime2)
	dt := func(s string) arg { return as(s, tDateTime) }
	date := func(s string) arg { return as(s, datatype.Of(datatype.Date)) }
	run(t, []row{
		// learn.microsoft.com "DATEADD": 2007-01-01 13:10:10.1111111
		{"dateadd", in(p(Year), i(1), as("2007-01-01 13:10:10.1111111", dt2)), "2008-01-01 13:10:10.1111111", "datetime2(7)"},
		{"dateadd", in(p(Microsecond), i(1), as("2007-01-01 13:10:10.1111111", dt2)), "2007-01-01 13:10:10.1111121", ""},
		{"dateadd", in(p(Month), i(1), a("20240830")), "2024-09-30 00:00:00.000", "datetime"},
		{"dateadd", in(p(Month), i(-1), date("2024-03-31")), "2024-02-29", "date"},
		{"dateadd", in(p(Day), i(365), dt("2007-02-10")), "2008-02-10 00:00:00.000", ""},
		{"dateadd", in(p(Millisecond), i(2), dt("2007-02-10")), "2007-02-10 00:00:00.003", ""},
		{"dateadd", in(p(Day), d("1.9"), dt("2007-02-10")), "2007-02-11 00:00:00.000", ""},
		// learn.microsoft.com "DATEDIFF": adjacent moments cross one boundary of each part
		{"datediff", in(p(Year), a("2005-12-31 23:59:59.9999999"), a("2006-01-01 00:00:00.0000000")), "1", "int"},
		{"datediff", in(p(Millisecond), a("2005-12-31 23:59:59.9999999"), a("2006-01-01 00:00:00.0000000")), "1", ""},
		{"datediff", in(p(Month), dt("2024-01-31"), dt("2024-02-01")), "1", ""},
		{"datediff", in(p(Quarter), dt("2024-03-31"), dt("2023-12-31")), "-1", ""},
		{"datediff", in(p(Second), dt("2024-01-01"), dt("2024-01-02")), "86400", ""},
		// learn.microsoft.com "DATEPART": 2007-10-30 12:15:32.1234567 +05:10
		{"datepart", in(p(Year), a("2007-10-30 12:15:32.1234567 +05:10")), "2007", ""},
		{"datepart", in(p(Quarter), a("2007-10-30 12:15:32.1234567 +05:10")), "4", ""},
		{"datepart", in(p(DayOfYear), a("2007-10-30 12:15:32.1234567 +05:10")), "303", ""},
		{"datepart", in(p(Hour), a("2007-10-30 12:15:32.1234567 +05:10")), "12", ""},
		{"datepart", in(p(Millisecond), a("2007-10-30 12:15:32.1234567 +05:10")), "123", ""},
		{"datepart", in(p(Microsecond), a("2007-10-30 12:15:32.1234567 +05:10")), "123456", ""},
		{"datepart", in(p(Millisecond), dt("2024-01-01 00:00:00.007")), "7", ""},
		{"month", in(a("2007-04-30T01:01:01.1234567")), "4", ""},
	})
	for _, c := range []struct {
		name   string
		args   []arg
		number int32
	}{
		{"dateadd", in(p(Year), d("2147483648"), a("20060731")), 8115},
		{"dateadd", in(p(Day), i(1), a("2006-07-31 00:00:00.1234")), 241},
		{"dateadd", in(p(Hour), i(1), date("2024-01-01")), 9810},
		{"dateadd", in(p(Year), i(2147483647), a("20060731")), 517},
		{"dateadd", in(p(Year), i(-2147483647), a("20060731")), 517},
		{"dateadd", in(p(Hour), i(2147483647), a("99990101")), 517},
		{"datediff", in(p(Millisecond), dt("1900-01-01"), dt("2024-01-01")), 535},
		{"datepart", in(p(Hour), date("2024-01-01")), 9810},
	} {
		_, _, err := call(t, c.name, c.args...)
		require.Equal(t, c.number, errNumber(t, err), "%s: %v", c.name, err)
	}
	_, err := ParseDatePart("nosuch", "datediff")
	require.EqualValues(t, 155, errNumber(t, err))
	part, err := ParseDatePart("MS", "datediff")
	require.NoError(t, err)
	require.Equal(t, Millisecond, part)
}

func TestFormatMessage(t *testing.T) {
	num, null := value.NewInt, value.Value{}
	for _, c := range []struct { // learn.microsoft.com "FORMATMESSAGE", "RAISERROR"
		format string
		args   []value.Value
		types  []datatype.Type
		want   string
	}{
		{"Signed int %i|%d", []value.Value{num(-55), num(5)}, []datatype.Type{tInt, tInt}, "Signed int -55|5"},
		{"Bigint %I64d", []value.Value{num(1 << 40)}, []datatype.Type{tBigInt}, "Bigint 1099511627776"},
		{"100%% %s", []value.Value{null}, []datatype.Type{nvarchar(9)}, "100% (null)"},
		{"%s %d", nil, nil, "(null) (null)"},
	} {
		require.Equal(t, c.want, FormatMessage(c.format, c.args, c.types))
	}
	for format, want := range map[string]int32{"%s": 2786, "%u": 49999, "%+d": 49999, "%5d": 49999, "%x": 49999, "%*d": 49999} {
		err := query.Catch(func() error { FormatMessage(format, []value.Value{num(1)}, []datatype.Type{tInt}); return nil })
		require.Equal(t, want, errNumber(t, err), format)
	}
	s := FormatMessage(strings.Repeat("x", 3000), nil, nil)
	require.Len(t, s, 2047)
	require.Equal(t, "xxx...", s[2041:])
}

func TestAggregates(t *testing.T) {
	aggregate := func(name string, ty datatype.Type, vs ...value.Value) (string, string, error) {
		g, ok := LookupAggregate(name)
		require.True(t, ok)
		result, err := g.Result(ty)
		if err != nil {
			return "", "", err
		}
		acc := g.New(ty)
		for _, v := range vs {
			if err := acc.Add(v); err != nil {
				return "", "", err
			}
		}
		v, err := acc.Result()
		if err != nil {
			return "", "", err
		}
		return show(t, v, result), result.String(), nil
	}
	in := value.NewInt
	dec := func(m int64) value.Value { return value.NewDecimal(m, 2) }
	s := value.NewString
	for _, c := range []struct {
		name string
		ty   datatype.Type
		vs   []value.Value
		want string
		typ  string
	}{
		{"count", tInt, []value.Value{in(1), null, in(2)}, "2", "int"},
		{"count_big", tInt, nil, "0", "bigint"},
		{"sum", tInt, []value.Value{in(1), null, in(2)}, "3", "int"},
		{"sum", tInt, nil, "NULL", "int"},
		{"sum", datatype.Of(datatype.TinyInt), []value.Value{in(200), in(200)}, "400", "int"},
		{"sum", datatype.DecimalOf(5, 2), []value.Value{dec(150), dec(-25)}, "1.25", "decimal(38,2)"},
		{"avg", tInt, []value.Value{in(1), in(2)}, "1", "int"},
		{"avg", datatype.DecimalOf(5, 2), []value.Value{dec(100), dec(200), dec(200)}, "1.666666", "decimal(38,6)"},
		{"avg", tFloat, []value.Value{value.NewFloat(1), value.NewFloat(2)}, "1.5", "float"},
		{"min", nvarchar(5), []value.Value{s("b"), s("A"), null}, "A", "nvarchar(5)"},
		{"max", nvarchar(5), []value.Value{s("b"), s("A"), null}, "b", "nvarchar(5)"},
	} {
		got, typ, err := aggregate(c.name, c.ty, c.vs...)
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, got, c.name)
		require.Equal(t, c.typ, typ, c.name)
	}
	_, _, err := aggregate("sum", tInt, in(math.MaxInt32), in(1))
	require.EqualValues(t, 8115, errNumber(t, err))
	_, _, err = aggregate("sum", nvarchar(5))
	require.EqualError(t, err, "Msg 8117, Level 16, State 1, Line 0: Operand data type nvarchar is invalid for sum operator.")
	_, _, err = aggregate("max", datatype.Of(datatype.Bit))
	require.EqualValues(t, 8117, errNumber(t, err))
}

// TestRegistry checks what every function must have.
func TestRegistry(t *testing.T) {
	for name, fn := range registry {
		require.Equal(t, name, fn.Name)
		require.LessOrEqual(t, fn.MinArgs, fn.MaxArgs, name)
		require.NotNil(t, fn.Result, name)
		require.NotNil(t, fn.Eval, name)
		require.NoError(t, CheckCount(fn, fn.MinArgs), name)
	}
}
