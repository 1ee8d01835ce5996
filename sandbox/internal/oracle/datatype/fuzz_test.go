package datatype

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func FuzzParseDate(f *testing.F) {
	f.Add("2020-01-02", "YYYY-MM-DD")
	f.Add("10:00 PM +01:00", "HH:MI PM TZH:TZM")
	f.Fuzz(func(t *testing.T, s, model string) {
		if v, err := ParseDate(s, model, Of(TimestampTZ), testEnv); err == nil {
			require.True(t, v.N >= 0 && v.N < maxDays*TicksPerDay)
			_, err = FormatDate(v, Of(TimestampTZ), model, testEnv)
			_ = number(t, err)
		}
	})
}

func FuzzNumberModel(f *testing.F) {
	f.Add(int64(12), uint8(1), "FM990.0")
	f.Add(int64(-99), uint8(200), "9.9EEEE")
	f.Fuzz(func(t *testing.T, m int64, scale uint8, model string) {
		v, err := NewNumber(big.NewInt(m), int(scale))
		require.NoError(t, err)
		_, err = FormatNumberAs(v, model, testEnv)
		_ = number(t, err)
		_, err = ParseNumberAs(FormatNumber(v), model, testEnv)
		_ = number(t, err)
		_, ok := ParseNumber(FormatNumber(v))
		require.True(t, ok)
	})
}

// What is read as an interval or timestamp is written and read again as the same.
func FuzzLiterals(f *testing.F) {
	f.Add("4 5:12:10.222")
	f.Add("2026-01-02 03:04:05.25 -05:30")
	f.Fuzz(func(t *testing.T, s string) {
		ds := Type{ID: IntervalDS, Prec: 9, Scale: 9}
		if v, err := ParseInterval(s); err == nil {
			back, err := ParseInterval(FormatInterval(v, ds))
			require.NoError(t, err)
			require.Equal(t, v, back)
		}
		if v, ty, err := TimestampLiteral(s, testEnv); err == nil && ty.ID == TimestampTZ && v.Region() == nil {
			text, err := FormatDate(v, ty, "YYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM", testEnv)
			require.NoError(t, err)
			back, _, err := TimestampLiteral(text, testEnv)
			require.NoError(t, err)
			require.Equal(t, v, back)
		}
	})
}

// FuzzConvert converts a text to one type and then to another, implicitly, by CAST, for a column and for a variable: the result is an error of
// SQL, or a value of the type.
func FuzzConvert(f *testing.F) {
	for _, s := range []string{"2024-02-29 01:02:03.5 -05:00", "1.5", "-5", "1e5", "+04 05:06:07.8", "0A", "ä漢😀", "99999999999999999999", "20-NOV-26", "Nan"} {
		for id := range uint8(Boolean) + 1 {
			f.Add(s, id, id+1, uint16(id)*7)
		}
	}
	env := *testEnv
	env.DateFormat, env.TimestampFormat, env.TimestampTZFormat = "YYYY-MM-DD HH24:MI:SS", "YYYY-MM-DD HH24:MI:SS.FF", "YYYY-MM-DD HH24:MI:SS.FF TZH:TZM"
	inPL := env
	inPL.PLSQL = true
	f.Fuzz(func(t *testing.T, s string, a, b uint8, facets uint16) {
		from, to := fuzzType(a, facets), fuzzType(b, facets>>5)
		s = strings.ToValidUTF8(s, "\uFFFD") // as texts come from clients
		for _, e := range []*Env{&env, &inPL, testEnv} {
			v, err := Assign(NewText(s), Of(Varchar2), from, e)
			if number(t, err) != 0 || v.IsNull() {
				continue
			}
			requireOf(t, v, from)
			_, err = Text(v, from, e)
			_ = number(t, err)
			_, err = Convert(v, from, to, e)
			_ = number(t, err)
			for _, convert := range []func() (value.Value, error){
				func() (value.Value, error) { return Cast(v, from, to, e) },
				func() (value.Value, error) { return Store(v, from, to, Column{}, e) },
				func() (value.Value, error) { return Assign(v, from, to, e) },
			} {
				if v, err := convert(); number(t, err) == 0 {
					requireOf(t, v, to)
				}
			}
		}
	})
}

// fuzzType makes a type of numbers.
func fuzzType(id uint8, facets uint16) Type {
	t := Of(ID(1 + id%uint8(Boolean)))
	n := uint8(facets % 41)
	switch {
	case t.ID == Number && n > 0:
		t.Prec, t.Scale = 1+n%38, int8(facets>>6)%85
	case t.ID == Float && n > 0:
		t.Prec = 1 + n*3
	case t.ID == Timestamp || t.ID == TimestampTZ:
		t.Scale = int8(n % 10)
	case t.IsInterval():
		t.Prec, t.Scale = n%10, int8(n/10)
	case t.IsText() || t.ID == Raw:
		t.Len, t.Chars = 1+int32(n), !t.IsNational() && t.IsText() && facets&64 != 0
	}
	return t
}

// requireOf fails if a value is not of its type.
func requireOf(t *testing.T, v value.Value, ty Type) {
	t.Helper()
	switch {
	case v.IsNull():
	case ty.IsText():
		require.NotEmpty(t, v.Str())
		require.LessOrEqual(t, LengthIn(v.Str(), ty), int(ty.Len), "%s %v", ty, v)
		require.True(t, !ty.IsFixed() || LengthIn(v.Str(), ty) == int(ty.Len), "%s %v", ty, v)
	case ty.ID == Raw:
		require.LessOrEqual(t, len(v.Str()), int(ty.Len))
	case ty.ID == Number && ty.Prec > 0 && SignOf(v) != 0:
		_, _, whole := significant(v)
		require.LessOrEqual(t, whole, int(ty.Prec)-int(ty.Scale), "%s %v", ty, v)
	case ty.ID == PLSInteger:
		require.True(t, v.Kind == value.Int && v.N == int64(int32(v.N)), v)
	case ty.IsNumeric():
		require.Equal(t, ty.IsBinaryFloat(), v.Kind == value.Float, "%s %v", ty, v)
	case ty.IsDatetime():
		require.Equal(t, value.Time, v.Kind)
		require.True(t, v.N >= 0 && v.N < maxDays*TicksPerDay, v)
	}
}
