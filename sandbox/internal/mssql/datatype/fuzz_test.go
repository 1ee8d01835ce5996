package datatype

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// FuzzConvert converts a string to one type and that to another, by CAST, CONVERT, assignment and for a column: the result is a SQL
// error, or a value that the type has.
func FuzzConvert(f *testing.F) {
	for _, s := range []string{"2024-02-29T01:02:03.5Z", "1.5", "-$5", "1e5", "12:30 +02:00", "20240101", "0x0A", "01234567-89ab-cdef-0123-456789abcdef", "ä漢😀", "99999999999999999999"} {
		for id := range uint8(Table) {
			f.Add(s, id, id+1, uint16(id)*7, 121)
		}
	}
	f.Fuzz(func(t *testing.T, s string, a, b uint8, facets uint16, style int) {
		from, to := fuzzType(a, facets), fuzzType(b, facets>>5)
		s = strings.ToValidUTF8(s, "\uFFFD") // as clients send texts
		v, err := Convert(str(s), nv(4000), from, NoStyle, Explicit)
		if number(t, err) != 0 || v.IsNull() {
			return
		}
		requireOf(t, v, from)
		explicit, err := Convert(v, from, to, style, Explicit)
		if number(t, err) == 0 {
			requireOf(t, explicit, to)
		}
		tried, tryErr := TryConvert(v, from, to, style)
		if tryErr == nil && !tried.IsNull() {
			require.NoError(t, err)
			require.Equal(t, explicit.String(), tried.String())
		}
		implicit, err := Convert(v, from, to, NoStyle, Implicit)
		if number(t, err) == 0 {
			requireOf(t, implicit, to)
		}
		stored, err := Assign(v, from, to, "c", "t")
		if number(t, err) == 0 {
			requireOf(t, stored, to)
		}
	})
}

// fuzzType builds a type from numbers.
func fuzzType(id uint8, facets uint16) Type {
	t := Of(ID(1 + id%uint8(Table-1)))
	switch {
	case t.ID == Decimal:
		t.Prec = uint8(1 + facets%38)
		t.Scale = uint8(facets>>6) % (t.Prec + 1)
	case t.ID == Time, t.ID == DateTime2, t.ID == DateTimeOffset:
		t.Scale = uint8(facets % 8)
	case t.IsCharacter() || t.IsBinary():
		if t.Len = int32(facets % 41); t.Len == 0 {
			t.Len = 1
			if !t.IsFixedLength() {
				t.Len = Max
			}
		}
	}
	return t
}

// requireOf fails if a value is not one of its type.
func requireOf(t *testing.T, v value.Value, ty Type) {
	t.Helper()
	if v.IsNull() {
		return
	}
	between := func(low, high int64) {
		t.Helper()
		require.True(t, v.N >= low && v.N <= high, "%s %v", ty, v)
	}
	switch ty.ID {
	case Bit:
		between(0, 1)
	case TinyInt:
		between(0, 255)
	case SmallInt:
		between(-1<<15, 1<<15-1)
	case Int:
		between(-1<<31, 1<<31-1)
	case Decimal:
		require.Equal(t, value.Decimal, v.Kind)
		require.Equal(t, ty.Scale, v.Scale, "%s %v", ty, v)
		require.Negative(t, v.Mantissa().CmpAbs(bigPow10(int(ty.Prec))), "%s %v", ty, v)
	case Money:
		require.Equal(t, uint8(4), v.Scale)
		require.True(t, v.Mantissa().IsInt64(), v)
	case Time:
		between(0, TicksPerDay-1)
	case Date, DateTime, DateTime2, DateTimeOffset:
		require.Equal(t, value.Time, v.Kind)
		between(0, (DayNumber(9999, 12, 31)+1)*TicksPerDay-1)
	case Char, NChar:
		require.Equal(t, int(ty.Len), charset.Len16(v.Str()), "%s %v", ty, v)
	case VarChar, NVarChar:
		require.True(t, ty.IsMax() || charset.Len16(v.Str()) <= int(ty.Len), "%s %v", ty, v)
	case Binary:
		require.Len(t, v.Str(), int(ty.Len), "%s", ty)
	case VarBinary:
		require.True(t, ty.IsMax() || len(v.Str()) <= int(ty.Len), "%s %v", ty, v)
	case UniqueIdentifier:
		require.Equal(t, value.GUID, v.Kind)
	}
}
