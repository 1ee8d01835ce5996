package datatype

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
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
		if v, ty, err := TimestampLiteral(s, testEnv); err == nil && ty.ID == TimestampTZ {
			text, err := FormatDate(v, ty, "YYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM", testEnv)
			require.NoError(t, err)
			back, _, err := TimestampLiteral(text, testEnv)
			require.NoError(t, err)
			require.Equal(t, v, back)
		}
	})
}
