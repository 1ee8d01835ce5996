package builtin

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

type arg struct {
	v value.Value
	t datatype.Type
}

// env shows datetimes in ISO form; it is 2026-11-20 in UTC.
var env = func() *datatype.Env {
	e := datatype.NewEnv(datatype.DaysOf(2026, 11, 20) * day)
	e.DateFormat, e.TimestampFormat, e.TimestampTZFormat = "YYYY-MM-DD HH24:MI:SS", "YYYY-MM-DD HH24:MI:SS.FF3", "YYYY-MM-DD HH24:MI:SS.FF3 TZH:TZM"
	return e
}()

func s(x string) arg { v, t := datatype.TextLiteral(x, false); return arg{v, t} }
func n(x string) arg {
	v, ok := datatype.ParseNumber(x)
	if !ok {
		panic(x)
	}
	return arg{v, tNumber}
}
func d(x string) arg {
	v, err := datatype.ParseDate(x, "YYYY-MM-DD HH24:MI:SS", tDate, env)
	if err != nil {
		panic(err)
	}
	return arg{v, tDate}
}
func ts(x string) arg {
	v, t, err := datatype.TimestampLiteral(x, env)
	if err != nil {
		panic(err)
	}
	return arg{v, t}
}
func raw(b string) arg { return arg{value.NewBytes([]byte(b)), datatype.Sized(datatype.Raw, 10)} }
func clob(x string) arg {
	return arg{value.NewString(x), tCLOB}
}

var null = arg{}

// call does what a caller does: count, type, evaluation, text of the result.
func callFn(name string, args ...arg) (string, datatype.Type, error) {
	f, ok := Lookup(name)
	if !ok {
		return "", datatype.Type{}, errors.New("no function " + name)
	}
	if err := CheckCount(f, len(args)); err != nil {
		return "", datatype.Type{}, err
	}
	var values []value.Value
	var types []datatype.Type
	for _, a := range args {
		values, types = append(values, a.v), append(types, a.t)
	}
	t, err := f.Result(types, false)
	if err != nil {
		return "", t, err
	}
	v, err := Eval(f, values, types, env, new(Pattern))
	switch {
	case err != nil:
		return "", t, err
	case v.IsNull():
		return "NULL", t, nil
	case v.Kind == value.Bool:
		return map[bool]string{true: "TRUE", false: "FALSE"}[v.IsTrue()], t, nil
	}
	text, err := datatype.Text(v, t, env)
	return text, t, err
}

func number(t *testing.T, err error) int32 {
	t.Helper()
	if err == nil {
		return 0
	}
	var e *sqlerr.Error
	require.True(t, errors.As(err, &e), "%v", err)
	return e.Number
}

// Many rows are the examples from the functions' documentation pages.
func TestFunctions(t *testing.T) {
	for _, c := range []struct {
		name string
		args []arg
		want string
	}{
		{"SUBSTR", []arg{s("ABCDEFG"), n("3"), n("4")}, "CDEF"},
		{"SUBSTR", []arg{s("ABCDEFG"), n("-5"), n("4")}, "CDEF"},
		{"SUBSTR", []arg{s("ABCDEFG"), n("0"), n("2")}, "AB"},
		{"SUBSTR", []arg{s("ABCDEFG"), n("3"), n("0")}, "NULL"},
		{"SUBSTR", []arg{s("ABC"), n("9")}, "NULL"},
		{"SUBSTR", []arg{s("ABCDEFG"), n("2.9")}, "BCDEFG"},
		{"SUBSTR", []arg{clob("äbc"), n("2")}, "bc"},
		{"SUBSTRB", []arg{s("ABCDEFG"), n("5"), n("4.2")}, "EFG"},
		{"SUBSTRB", []arg{s("äb"), n("2")}, " b"},
		{"INSTR", []arg{s("CORPORATE FLOOR"), s("OR"), n("3"), n("2")}, "14"},
		{"INSTR", []arg{s("CORPORATE FLOOR"), s("OR"), n("-3"), n("2")}, "2"},
		{"INSTR", []arg{s("abc"), s("x")}, "0"},
		{"INSTR", []arg{s("aaa"), s("aa"), n("1"), n("2")}, "2"},
		{"LENGTH", []arg{s("CANDIDE")}, "7"},
		{"LENGTH", []arg{s("")}, "NULL"},
		{"LENGTH", []arg{clob("")}, "0"},
		{"LENGTHB", []arg{s("äb")}, "3"},
		{"UPPER", []arg{s("Large ä")}, "LARGE Ä"},
		{"LOWER", []arg{s("MR.")}, "mr."},
		{"LTRIM", []arg{s("<=====>BROWNING<=====>"), s("<>=")}, "BROWNING<=====>"},
		{"RTRIM", []arg{s("<=====>BROWNING<=====>"), s("<>=")}, "<=====>BROWNING"},
		{"TRIM", []arg{s("  a ")}, "a"},
		{"TRIM", []arg{s("   ")}, "NULL"},
		{"LPAD", []arg{s("Page 1"), n("15"), s("*.")}, "*.*.*.*.*Page 1"},
		{"RPAD", []arg{s("Morrison"), n("12"), s("ab")}, "Morrisonabab"},
		{"LPAD", []arg{s("abc"), n("2")}, "ab"},
		{"LPAD", []arg{s("abc"), n("0")}, "NULL"},
		{"REPLACE", []arg{s("JACK and JUE"), s("J"), s("BL")}, "BLACK and BLUE"},
		{"REPLACE", []arg{s("abc"), s("b")}, "ac"},
		{"REPLACE", []arg{s("abc"), null, s("x")}, "abc"},
		{"TRANSLATE", []arg{s("SQL*Plus User's Guide"), s(" */'"), s("___")}, "SQL_Plus_Users_Guide"},
		{"CONCAT", []arg{s("a"), null}, "a"},
		{"CONCAT", []arg{n("1"), s("x")}, "1x"},
		{"CHR", []arg{n("67")}, "C"},
		{"CHR", []arg{n("50084")}, "ä"},
		{"RAWTOHEX", []arg{raw("\xab\x01")}, "AB01"},
		{"HEXTORAW", []arg{s("7D")}, "7D"},
		{"NLSSORT", []arg{s("Aä"), s("nls_sort = binary")}, "41C3A400"},
		{"NLSSORT", []arg{null, s("NLS_SORT=BINARY")}, "NULL"},

		{"ROUND", []arg{n("15.193"), n("1")}, "15.2"},
		{"ROUND", []arg{n("15.193"), n("-1")}, "20"},
		{"ROUND", []arg{n("-2.5")}, "-3"},
		{"TRUNC", []arg{n("15.79"), n("1")}, "15.7"},
		{"TRUNC", []arg{n("15.79"), n("-1")}, "10"},
		{"MOD", []arg{n("11"), n("4")}, "3"},
		{"MOD", []arg{n("-11"), n("4")}, "-3"},
		{"MOD", []arg{n("11"), n("0")}, "11"},
		{"MOD", []arg{n("5.5"), n("2")}, "1.5"},
		{"ABS", []arg{n("-15")}, "15"},
		{"ABS", []arg{s("-1.5")}, "1.5"},
		{"SIGN", []arg{n("-15")}, "-1"},
		{"CEIL", []arg{n("268651.8")}, "268652"},
		{"CEIL", []arg{n("-1.5")}, "-1"},
		{"FLOOR", []arg{n("15.7")}, "15"},
		{"FLOOR", []arg{n("-15.7")}, "-16"},
		{"POWER", []arg{n("3"), n("2")}, "9"},
		{"GREATEST", []arg{n("1"), s("3.925"), s("2.4")}, "3.925"},
		{"GREATEST", []arg{s("HARRY"), s("HARRIOT"), s("HAROLD")}, "HARRY"},
		{"LEAST", []arg{s("HARRY"), s("HARRIOT"), s("HAROLD")}, "HAROLD"},
		{"LEAST", []arg{n("1"), null}, "NULL"},

		{"ADD_MONTHS", []arg{d("2026-01-31"), n("1")}, "2026-02-28 00:00:00"},
		{"ADD_MONTHS", []arg{d("2026-02-28 10:00:00"), n("1")}, "2026-03-31 10:00:00"},
		{"ADD_MONTHS", []arg{d("2026-01-15"), n("-13")}, "2024-12-15 00:00:00"},
		{"LAST_DAY", []arg{d("2026-02-03 04:05:06")}, "2026-02-28 04:05:06"},
		{"ROUND", []arg{d("2000-10-27"), s("YEAR")}, "2001-01-01 00:00:00"},
		{"TRUNC", []arg{d("1992-10-27"), s("YEAR")}, "1992-01-01 00:00:00"},
		{"TRUNC", []arg{ts("2026-11-20 13:14:15.9")}, "2026-11-20 00:00:00"},
		{"TRUNC", []arg{d("2026-11-20 13:14:15"), s("MI")}, "2026-11-20 13:14:00"},
		{"ROUND", []arg{d("2026-11-20 12:00:00")}, "2026-11-21 00:00:00"},
		{"ROUND", []arg{d("2026-11-16"), s("MM")}, "2026-12-01 00:00:00"},
		{"ROUND", []arg{d("2026-11-15 23:59:59"), s("MM")}, "2026-11-01 00:00:00"},
		{"NUMTODSINTERVAL", []arg{n("100"), s("day")}, "+000000100 00:00:00.000000000"},
		{"NUMTODSINTERVAL", []arg{n("1.5"), s("HOUR")}, "+000000000 01:30:00.000000000"},
		{"FROM_TZ", []arg{ts("2000-03-28 08:00:00.5"), s("3:00")}, "2000-03-28 08:00:00.500 +03:00"},
		{"SYS_EXTRACT_UTC", []arg{ts("2000-03-28 11:30:00.00 -08:00")}, "2000-03-28 19:30:00.000"},

		{"TO_CHAR", []arg{s("01110")}, "01110"},
		{"TO_CHAR", []arg{s("01110"), s("9999")}, " 1110"},
		{"TO_CHAR", []arg{n("-10000"), s("L99G999D99MI")}, "!49999"},
		{"TO_CHAR", []arg{d("2026-11-20"), s("Day, DD-Mon")}, "Friday   , 20-Nov"},
		{"TO_CHAR", []arg{d("2026-11-20"), null}, "NULL"},
		{"TO_DATE", []arg{s("January 15, 1989, 11:00 AM"), s("Month dd, YYYY, HH:MI AM")}, "1989-01-15 11:00:00"},
		{"TO_DATE", []arg{n("20260102"), s("YYYYMMDD")}, "2026-01-02 00:00:00"},
		{"TO_DATE", []arg{s("2026-01-02")}, "2026-01-02 00:00:00"},
		{"TO_TIMESTAMP", []arg{s("10-09-2002 14:10:10.123"), s("DD-MM-YYYY HH24:MI:SS.FF")}, "2002-09-10 14:10:10.123"},
		{"TO_TIMESTAMP_TZ", []arg{s("1999-12-01 11:00:00 -8:00"), s("YYYY-MM-DD HH24:MI:SS TZH:TZM")}, "1999-12-01 11:00:00.000 -08:00"},
		{"TO_NUMBER", []arg{s("100.00"), s("9G999D99")}, "!49999"},
		{"TO_NUMBER", []arg{s(" 12 ")}, "12"},
		{"TO_CLOB", []arg{s("x")}, "x"},
		{"STANDARD_HASH", []arg{s("abc")}, "A9993E364706816ABA3E25717850C26C9CD0D89D"},
		{"STANDARD_HASH", []arg{s("abc"), s("MD5")}, "900150983CD24FB0D6963F7D28E17F72"},

		{"NVL", []arg{null, s("x")}, "x"},
		{"NVL", []arg{n("1"), s("2")}, "1"},
		{"NVL", []arg{s("a"), n("2")}, "a"},
		{"NVL2", []arg{null, s("a"), s("b")}, "b"},
		{"NVL2", []arg{n("1"), s("a"), n("2")}, "a"},
		{"COALESCE", []arg{null, n("1"), n("2")}, "1"},
		{"NULLIF", []arg{n("1"), n("1")}, "NULL"},
		{"NULLIF", []arg{s("a"), s("b")}, "a"},

		{"REGEXP_LIKE", []arg{s("Steven"), s("^Ste(v|ph)en$")}, "TRUE"},
		{"REGEXP_LIKE", []arg{s("STEVEN"), s("steven"), s("i")}, "TRUE"},
		{"REGEXP_SUBSTR", []arg{s("500 Oracle Parkway, Redwood Shores, CA"), s(",[^,]+,")}, ", Redwood Shores,"},
		{"REGEXP_SUBSTR", []arg{s("a1b22c333"), s(`\d+`), n("1"), n("2")}, "22"},
		{"REGEXP_SUBSTR", []arg{s("1234567890"), s("(123)(4(56)(78))"), n("1"), n("1"), s("i"), n("4")}, "78"},
		{"REGEXP_INSTR", []arg{s("500 Oracle Parkway"), s("[^ ]+"), n("1"), n("2")}, "5"},
		{"REGEXP_INSTR", []arg{s("1234567890"), s("(123)(4(56)(78))"), n("1"), n("1"), n("0"), s("i"), n("4")}, "7"},
		{"REGEXP_INSTR", []arg{s("aXb"), s("x"), n("1"), n("1"), n("1"), s("i"), n("0")}, "3"},
		{"REGEXP_INSTR", []arg{s("aXb"), s("x"), n("1"), n("1"), n("0"), s("i"), n("1")}, "0"},
	} {
		got, _, err := callFn(c.name, c.args...)
		if strings.HasPrefix(c.want, "!") {
			require.Equal(t, c.want[1:], strings.TrimSpace(datatype.FormatNumber(value.NewInt(int64(number(t, err))))), c.name)
			continue
		}
		require.NoError(t, err, "%s%v", c.name, c.args)
		require.Equal(t, c.want, got, "%s%v", c.name, c.args)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		args []arg
		want int32
	}{
		{"UPPER", nil, 909}, {"SUBSTR", []arg{s("a")}, 938}, {"TO_CHAR", []arg{s("a"), s("b"), s("c")}, 939},
		{"INSTR", []arg{s("a"), s("a"), n("1"), n("0")}, 1428},
		{"TRUNC", []arg{d("2026-01-01"), s("SS")}, 1899}, {"TRUNC", []arg{d("2026-01-01"), s("FOO")}, 1898}, {"TRUNC", []arg{d("2026-01-01"), s("IW")}, 49999}, {"TRUNC", []arg{d("2026-01-01"), s("Q")}, 49999},
		{"NUMTODSINTERVAL", []arg{n("1"), s("YEAR")}, 1760}, {"FROM_TZ", []arg{d("2026-01-01"), s("UTC")}, 932},
		{"TO_DATE", []arg{s("x"), s("YYYY")}, 1858}, {"COALESCE", []arg{n("1"), s("a")}, 932},
		{"NVL", []arg{n("1"), s("x")}, 0}, {"NVL", []arg{null, s("x")}, 0}, {"GREATEST", []arg{n("1"), s("x")}, 1722},
		{"STANDARD_HASH", []arg{n("1")}, 49999}, {"HEXTORAW", []arg{s("XY")}, 1465},
		{"NLSSORT", []arg{s("a"), s("NLS_SORT=GERMAN")}, 49999}, {"NLSSORT", []arg{s("a")}, 909},
		{"CONCAT", []arg{s(strings.Repeat("x", 3000)), s(strings.Repeat("x", 3000))}, 1489},
		{"REGEXP_LIKE", []arg{s("a"), s(`(a)\1`)}, 49999}, {"REGEXP_SUBSTR", []arg{s("ab"), s("a|ab")}, 49999},
		{"REGEXP_LIKE", []arg{s("a"), s("a*?")}, 49999}, {"REGEXP_LIKE", []arg{s("a"), s("[a")}, 12726},
		{"ADD_MONTHS", []arg{d("9999-12-01"), n("1")}, 1841}, {"EMPTY_CLOB", nil, 0},
	} {
		_, _, err := callFn(c.name, c.args...)
		require.Equal(t, c.want, number(t, err), "%s%v: %v", c.name, c.args, err)
	}
	e := *env
	e.PLSQL = true
	f, _ := Lookup("TO_NUMBER")
	_, err := Eval(f, []value.Value{value.NewString("x")}, []datatype.Type{tText}, &e, new(Pattern))
	require.EqualValues(t, 6502, number(t, err))
}

// No function panics or loops on any arguments that it accepts, and all NULLs are harmless.
func TestTotality(t *testing.T) {
	samples := []arg{null, s("a"), s("12"), n("0"), n("-1.5"), n("1e100"), d("2026-01-31"), d("0001-01-01"), ts("2026-01-01 00:00:00.1 +01:00"),
		raw("\x00"), clob(""), clob("ä"), {value.NewSpan(-5), tInterval}, {value.NewFloat(-0.5), datatype.Of(datatype.BinaryDouble)}}
	for name, f := range registry {
		for count := f.MinArgs; count <= min(f.MaxArgs, 4); count++ {
			index := make([]int, count)
			for {
				args := make([]arg, count)
				for i, k := range index {
					args[i] = samples[k]
				}
				_, _, err := callFn(name, args...)
				_ = number(t, err) // each error must be the engine's
				i := 0
				for i < count {
					if index[i]++; index[i] < len(samples) {
						break
					}
					index[i] = 0
					i++
				}
				if i == count || count > 2 && i > 1 {
					break
				}
			}
		}
	}
}

func TestDecode(t *testing.T) {
	compare, result, err := DecodeTypes([]datatype.Type{tNumber, tNumber, s("a").t, tNumber, tNumber, s("b").t})
	require.NoError(t, err)
	require.Equal(t, datatype.Number, compare.ID)
	require.Equal(t, datatype.Varchar2, result.ID)
	require.True(t, DecodeEqual(value.Value{}, value.Value{}, compare))
	require.False(t, DecodeEqual(value.Value{}, value.NewInt(1), compare))
}

func TestAggregates(t *testing.T) {
	for _, c := range []struct {
		name string
		args []arg
		want string
	}{
		{"COUNT", []arg{n("1"), null, n("1")}, "2"}, {"COUNT", nil, "0"},
		{"SUM", []arg{n("1.5"), null, n("2")}, "3.5"}, {"SUM", []arg{s("1"), s("2")}, "3"}, {"SUM", []arg{null}, "NULL"},
		{"AVG", []arg{n("1"), n("2"), null}, "1.5"}, {"MIN", []arg{s("b"), s("a")}, "a"},
		{"MAX", []arg{d("2026-01-01"), d("2026-01-02")}, "2026-01-02 00:00:00"}, {"LISTAGG", []arg{s("a"), null, s("b")}, "a, b"},
		{"LISTAGG", []arg{n("1"), n("2")}, "1, 2"}, {"LISTAGG", []arg{null}, "NULL"},
	} {
		a, ok := LookupAggregate(c.name)
		require.True(t, ok)
		in := tNumber
		if len(c.args) > 0 {
			in = c.args[0].t
		}
		ty, err := a.Result(in)
		require.NoError(t, err)
		acc := a.New(in, ", ", env)
		for _, x := range c.args {
			require.NoError(t, acc.Add(x.v))
		}
		v, err := acc.Result()
		require.NoError(t, err)
		got := "NULL"
		if !v.IsNull() {
			got, err = datatype.Text(v, ty, env)
			require.NoError(t, err)
		}
		require.Equal(t, c.want, got, "%s%v", c.name, c.args)
	}
	a, _ := LookupAggregate("sum")
	_, err := a.Result(tDate)
	require.EqualValues(t, 932, number(t, err))
}
