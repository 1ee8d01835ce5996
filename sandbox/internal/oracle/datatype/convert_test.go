package datatype

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func TestStore(t *testing.T) {
	c := Column{"APP", "T", "C"}
	vc := Of(Varchar2)
	_, err := Store(value.NewString("abcdef"), vc, Sized(Varchar2, 5), c, testEnv)
	require.EqualValues(t, 12899, number(t, err))
	require.Equal(t, `value too large for column "APP"."T"."C" (actual: 6, maximum: 5)`, messageOf(t, err))
	_, err = Store(value.NewString("äöü"), vc, Sized(Varchar2, 5), c, testEnv)
	require.EqualValues(t, 12899, number(t, err))
	_, err = Store(value.NewString("äöü"), vc, Type{ID: Varchar2, Len: 5, Chars: true}, c, testEnv)
	require.NoError(t, err)
	v, err := Store(value.NewString("ab"), vc, Sized(Char, 4), c, testEnv)
	require.NoError(t, err)
	require.Equal(t, "ab  ", v.Str())

	for _, n := range []struct {
		in   string
		t    Type
		want string
		err  int32
	}{ // "NUMBER Data Type", table of the storage of 123.89 and .01234 and others
		{"123.89", Of(Number), "123.89", 0},
		{"123.89", NumberOf(3, 0), "124", 0},
		{"123.89", NumberOf(3, 2), "", 1438},
		{"123.89", NumberOf(4, 2), "", 1438},
		{"123.89", NumberOf(5, 2), "123.89", 0},
		{"123.89", NumberOf(6, 1), "123.9", 0},
		{"123.89", NumberOf(6, -2), "100", 0},
		{".01234", NumberOf(4, 5), ".01234", 0},
		{".00012", NumberOf(4, 5), ".00012", 0},
		{".000127", NumberOf(4, 5), ".00013", 0},
		{".0000012", NumberOf(2, 7), ".0000012", 0},
		{".00000123", NumberOf(2, 7), ".0000012", 0},
		{"999.5", NumberOf(3, 0), "", 1438},
	} {
		v, err := Store(value.NewString(n.in), vc, n.t, c, testEnv)
		require.EqualValues(t, n.err, number(t, err), "%s %s", n.in, n.t)
		if err == nil {
			require.Equal(t, n.want, FormatNumber(v), "%s %s", n.in, n.t)
		}
	}
	_, err = Store(value.NewString("x"), vc, Of(Number), c, testEnv)
	require.EqualValues(t, 1722, number(t, err))
	_, err = Store(value.NewString("xyz"), vc, Sized(Raw, 10), c, testEnv)
	require.EqualValues(t, 1465, number(t, err))
	v, err = Store(value.NewTime(1234567, 0), Of(Timestamp), Timestamps(Timestamp, 3), c, testEnv)
	require.NoError(t, err)
	require.EqualValues(t, 1230000, v.N)
	_, err = Store(value.NewSpan(100*TicksPerDay), Of(IntervalDS), Of(IntervalDS), c, testEnv)
	require.EqualValues(t, 1873, number(t, err))
}

func TestAssign(t *testing.T) {
	_, err := Assign(value.NewString("abc"), Of(Varchar2), Sized(Varchar2, 2), testPL)
	require.Equal(t, "PL/SQL: numeric or value error: character string buffer too small", messageOf(t, err))
	_, err = Assign(value.NewInt(100), Of(Number), NumberOf(2, 0), testPL)
	require.Equal(t, "PL/SQL: numeric or value error: number precision too large", messageOf(t, err))
	_, err = Assign(value.NewString("x"), Of(Varchar2), Of(PLSInteger), testPL)
	require.Equal(t, "PL/SQL: numeric or value error: character to number conversion error", messageOf(t, err))
	v, err := Assign(num(t, "1.5"), Of(Number), Of(PLSInteger), testPL)
	require.NoError(t, err)
	require.EqualValues(t, 2, v.N)
}

func TestCast(t *testing.T) {
	v, err := Cast(value.NewString("abcdef"), Of(Varchar2), Sized(Varchar2, 3), testEnv)
	require.NoError(t, err)
	require.Equal(t, "abc", v.Str())
	_, err = Cast(value.NewInt(12345), Of(Number), Sized(Varchar2, 3), testEnv)
	require.EqualValues(t, 25137, number(t, err))
	_, err = Cast(value.NewInt(12345), Of(Number), NumberOf(3, 0), testEnv)
	require.EqualValues(t, 1438, number(t, err))
	_, err = Cast(value.NewInt(1), Of(Number), Of(Date), testEnv)
	require.EqualValues(t, 932, number(t, err))
	require.Equal(t, "inconsistent datatypes: expected DATE got NUMBER", messageOf(t, err))
	ts, ty, err := TimestampLiteral("2026-01-01 00:00:00.9", testEnv)
	require.NoError(t, err)
	v, err = Cast(ts, ty, Of(Date), testEnv)
	require.NoError(t, err)
	require.Equal(t, "2026-01-01 00:00:00", show(t, v, Of(Date)))
}

func TestFromSpec(t *testing.T) {
	n := func(i int) *int { return &i }
	for _, c := range []struct {
		s    Spec
		want string
		err  int32
	}{
		{Spec{Name: "NUMBER"}, "NUMBER", 0},
		{Spec{Name: "NUMBER", Precision: n(5), Scale: n(2)}, "NUMBER(5,2)", 0},
		{Spec{Name: "NUMBER", Scale: n(2), AnyPrecision: true}, "NUMBER(38,2)", 0},
		{Spec{Name: "INTEGER"}, "NUMBER(38)", 0},
		{Spec{Name: "NUMBER", Precision: n(39)}, "", 1727},
		{Spec{Name: "NUMBER", Precision: n(3), Scale: n(128)}, "", 1728},
		{Spec{Name: "VARCHAR2", Precision: n(10), Chars: true}, "VARCHAR2(10 CHAR)", 0},
		{Spec{Name: "VARCHAR2", Precision: n(4001)}, "", 910},
		{Spec{Name: "VARCHAR2", Precision: n(32767), PLSQL: true}, "VARCHAR2(32767)", 0},
		{Spec{Name: "VARCHAR2"}, "", 906},
		{Spec{Name: "VARCHAR2", Unconstrained: true}, "VARCHAR2", 0},
		{Spec{Name: "CHAR"}, "CHAR(1)", 0},
		{Spec{Name: "TIMESTAMP", WithZone: true}, "TIMESTAMP(6) WITH TIME ZONE", 0},
		{Spec{Name: "TIMESTAMP", WithLocalZone: true}, "", 49999},
		{Spec{Name: "INTERVAL DAY TO SECOND", Precision: n(9), Scale: n(0)}, "INTERVAL DAY(9) TO SECOND(0)", 0},
		{Spec{Name: "LONG"}, "", 49999},
		{Spec{Name: "FOO"}, "", 902},
	} {
		ty, err := FromSpec(c.s)
		require.EqualValues(t, c.err, number(t, err), "%+v", c.s)
		if err == nil {
			require.Equal(t, c.want, ty.String())
		}
	}
}

func TestCompareTypes(t *testing.T) {
	ch, vc := Sized(Char, 3), Sized(Varchar2, 3)
	for _, c := range []struct {
		a, b Type
		want ID
		err  int32
	}{
		{ch, ch, Char, 0}, {ch, vc, Varchar2, 0}, {vc, Of(Number), Number, 0}, {Of(Date), ch, Date, 0},
		{Of(Date), Of(TimestampTZ), TimestampTZ, 0}, {Of(Number), Of(BinaryFloat), BinaryFloat, 0},
		{Sized(Raw, 2), vc, Raw, 0}, {Of(Number), Of(Date), 0, 932}, {Of(CLOB), vc, 0, 932},
	} {
		ty, err := CompareType(c.a, c.b, false)
		require.EqualValues(t, c.err, number(t, err), "%s %s", c.a, c.b)
		if err == nil {
			require.Equal(t, c.want, ty.ID, "%s %s", c.a, c.b)
		}
	}
	require.Zero(t, Compare(value.NewString("a "), value.NewString("a"), ch))
	require.Positive(t, Compare(value.NewString("a "), value.NewString("a"), vc))
	_, err := Common(Of(Number), vc)
	require.EqualValues(t, 932, number(t, err))
	ty, err := Common(Type{}, Sized(Char, 1), Sized(Char, 4))
	require.NoError(t, err)
	require.Equal(t, Sized(Varchar2, 4), ty)
}

func genValue(r *rand.Rand, t Type) value.Value {
	switch {
	case r.IntN(12) == 0:
		return value.Value{}
	case t.IsBinaryFloat():
		return value.NewFloat([]float64{0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(-1), r.NormFloat64()}[r.IntN(7)])
	case t.IsNumeric():
		v, _ := NewNumber(new(big.Int).Mul(big.NewInt(r.Int64N(40)-20), pow10(r.IntN(40))), r.IntN(40))
		return v
	case t.ID == Raw, t.isChars():
		b := make([]byte, 1+r.IntN(5))
		for i := range b {
			b[i] = "ab  \x00\x01!\x1f"[r.IntN(8)]
		}
		if t.ID == Raw {
			return value.NewBytes(b)
		}
		return value.NewString(string(b))
	}
	return value.NewTime(r.Int64N(50), int16(r.IntN(3)))
}

func TestKeyOrderIsCompareOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, ty := range []Type{Of(Number), Of(BinaryDouble), Sized(Char, 5), Sized(Varchar2, 5), Sized(Raw, 5), Of(Date), Of(TimestampTZ)} {
		for range 6000 {
			a, b := genValue(r, ty), genValue(r, ty)
			first := r.IntN(2) == 0
			ka, kb := AppendKey(nil, a, ty, false, first), AppendKey(nil, b, ty, false, first)
			da, db := AppendKey(nil, a, ty, true, first), AppendKey(nil, b, ty, true, first)
			switch {
			case a.IsNull() && b.IsNull():
				require.Equal(t, ka, kb)
			case a.IsNull():
				require.Equal(t, first, bytes.Compare(ka, kb) < 0)
				require.Equal(t, first, bytes.Compare(da, db) < 0)
			case !b.IsNull():
				want := Compare(a, b, ty)
				require.Equal(t, want, -Compare(b, a, ty))
				require.Equal(t, want, bytes.Compare(ka, kb), "%s %v %v\n%x\n%x", ty, a, b, ka, kb)
				require.Equal(t, -want, bytes.Compare(da, db), "%s %v %v", ty, a, b)
				if want != 0 {
					require.False(t, bytes.HasPrefix(ka, kb) || bytes.HasPrefix(kb, ka), "%s %v %v", ty, a, b)
				}
			}
		}
	}
}

func TestLike(t *testing.T) {
	for _, c := range []struct {
		s, p, e string
		want    bool
	}{
		{"abc", "a%", "", true}, {"abc", "_b_", "", true}, {"abc", "b%", "", false}, {"a_c", `a\_c`, `\`, true},
		{"abc", `a\_c`, `\`, false}, {"", "%", "", true}, {"aXbXc", "%X%c", "", true}, {"ABC", "abc", "", false},
	} {
		got, err := Like(c.s, c.p, c.e)
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%q %q", c.s, c.p)
	}
	_, err := Like("a", `a\b`, `\`)
	require.EqualValues(t, 1424, number(t, err))
	_, err = Like("a", "a", "ab")
	require.EqualValues(t, 1425, number(t, err))
}

func TestToInterval(t *testing.T) { // (date - date) DAY(5) TO SECOND(0)
	ty, fn, err := Arith(Sub, Timestamps(Timestamp, 0), Timestamps(Timestamp, 0), false)
	require.NoError(t, err)
	v, err := fn(value.NewTime(maxDays/2*TicksPerDay+TicksPerHour, 0), value.NewTime(maxDays/2*TicksPerDay, 0), testEnv)
	require.NoError(t, err)
	want := Type{ID: IntervalDS, Prec: 5}
	v, err = Cast(v, ty, want, testEnv)
	require.NoError(t, err)
	require.Equal(t, "+00000 01:00:00", FormatInterval(v, want))
}

func BenchmarkAppendKeyNumber(b *testing.B) {
	v := value.NewDecimal(1234567, 2)
	var buf []byte
	for b.Loop() {
		buf = AppendKey(buf[:0], v, Of(Number), false, false)
	}
}

func BenchmarkArith(b *testing.B) {
	_, fn, err := Arith(Add, Of(Number), Of(Number), false)
	require.NoError(b, err)
	for b.Loop() {
		_, _ = fn(value.NewInt(1), value.NewInt(2), testEnv)
	}
}
