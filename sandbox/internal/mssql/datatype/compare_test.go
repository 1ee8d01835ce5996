package datatype

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func TestCompareStrings(t *testing.T) {
	nv := func(c Collation) Type { return Sized(NVarChar, 100).WithCollation(c) }
	vc := func(c Collation) Type { return Sized(VarChar, 100).WithCollation(c) }
	for _, c := range []struct {
		t    Type
		a, b string
		want int
	}{
		{nv(CIAS), "abc", "ABC", 0},
		{nv(CIAS), "abc", "abc   ", 0},
		{nv(CIAS), "abc", "abd", -1},
		{nv(CIAS), "a", "B", -1},
		{nv(CIAS), "Z", "a", 1},
		{nv(CIAS), "e", "é", -1},
		{nv(CIAS), "É", "é", 0},
		{nv(CIAS), "éa", "eb", -1},
		{nv(CIAS), "résumé", "resume", 1},
		{nv(CIAS), "a_b", "ab", -1},
		{nv(CIAS), "9", "a", -1},
		{nv(CIAS), "", " ", 0},
		{nv(CIAS), "😀", "", 0},
		{nv(CIAS), "a\x00", "a", 0},
		{nv(CIAS), "ß", "SS", 0},
		{vc(CIAS), "ß", "SS", 1},
		{vc(CIAS), "a\x01", "a", -1},
		{vc(CIAS), "a\x01", "a ", -1},
		{nv(CIAS), "a\t", "a", 1},
		{nv(CIAS), "Ω", "ω", 0},
		{nv(CIAS), "Ａ", "a", 0},
		{nv(CSAS), "abc", "ABC", -1},
		{nv(CSAS), "aB", "Ab", -1},
		{nv(CSAS), "B", "a", 1},
		{nv(CSAS), "a", "a ", 0},
		{nv(BIN2), "a", "B", 1},
		{nv(BIN2), "a", "a  ", 0},
		{nv(BIN2), "a\t", "a", -1},
		{nv(BIN2), "😀", "￿", -1}, // code units: D83D < FFFF
		{vc(BIN2), "€", "é", -1}, // code page: 80 < E9
	} {
		a, b := value.NewString(c.a), value.NewString(c.b)
		require.Equal(t, c.want, sign(Compare(a, b, c.t)), "%q %q %s", c.a, c.b, c.t.Coll)
		require.Equal(t, -c.want, sign(Compare(b, a, c.t)), "%q %q %s", c.b, c.a, c.t.Coll)
	}
}

func TestCompareGUID(t *testing.T) {
	// The example of learn.microsoft.com "Compare GUID and uniqueidentifier values".
	guids := []string{
		"3AAAAAAA-BBBB-CCCC-DDDD-2EEEEEEEEEEE",
		"2AAAAAAA-BBBB-CCCC-DDDD-1EEEEEEEEEEE",
		"1AAAAAAA-BBBB-CCCC-DDDD-3EEEEEEEEEEE",
	}
	var v [3]value.Value
	for i, s := range guids {
		var ok bool
		v[i], ok = ParseGUID(s)
		require.True(t, ok)
	}
	ty := Of(UniqueIdentifier)
	require.Negative(t, Compare(v[1], v[0], ty))
	require.Negative(t, Compare(v[0], v[2], ty))
}

func TestCompareOthers(t *testing.T) {
	require.Zero(t, Compare(value.NewDecimal(10, 1), value.NewDecimal(100, 2), DecimalOf(10, 2)))
	require.Zero(t, Compare(value.NewBytes([]byte{1}), value.NewBytes([]byte{1, 0, 0}), Sized(VarBinary, 5)))
	require.Zero(t, Compare(value.NewTime(5, 60), value.NewTime(5, -60), Of(DateTimeOffset)))
	require.Negative(t, Compare(value.Value{}, value.NewInt(-1<<63), Of(BigInt)))
}

// genValue generates values that are likely to be equal or close.
func genValue(r *rand.Rand, t Type) value.Value {
	if r.IntN(12) == 0 {
		return value.Value{}
	}
	switch t.class() {
	case clsExact:
		scale := uint8(r.IntN(5))
		if r.IntN(4) == 0 {
			m := new(big.Int).Mul(big.NewInt(r.Int64()-r.Int64()), big.NewInt(r.Int64N(1000)))
			return value.NewBigDecimal(m, scale)
		}
		return value.NewDecimal(r.Int64N(400)*pow10s[r.IntN(3)]-20000, scale)
	case clsApprox:
		return value.NewFloat([]float64{0, math.Copysign(0, -1), 1, -1, 1e300, -1e-300, r.NormFloat64()}[r.IntN(7)])
	case clsANSI, clsUnicode:
		alphabet := []rune("aAbéÉe _-1 \t\x01ßzZ€ÿ")
		if t.IsUnicode() {
			alphabet = append(alphabet, []rune("😀Ωω日")...)
		}
		s := make([]rune, r.IntN(6))
		for i := range s {
			s[i] = alphabet[r.IntN(len(alphabet))]
		}
		return value.NewString(string(s))
	case clsBinary:
		b := make([]byte, r.IntN(5))
		for i := range b {
			b[i] = []byte{0, 0, 1, 0xFF}[r.IntN(4)]
		}
		return value.NewBytes(b)
	case clsGUID:
		var g [16]byte
		for i := range g {
			g[i] = byte(r.IntN(2))
		}
		return value.NewGUID(g)
	case clsDateTime, clsDateTime2:
		return value.NewTime(r.Int64N(50), int16(r.IntN(3)))
	}
	return value.NewInt(r.Int64N(100) - 50)
}

func TestKeyOrderIsCompareOrder(t *testing.T) {
	types := []Type{
		Of(Int), Of(BigInt), DecimalOf(38, 4), Of(Float), Of(DateTime), Of(DateTimeOffset), Sized(VarBinary, 9),
		Of(UniqueIdentifier),
	}
	for _, id := range []ID{VarChar, NVarChar} {
		for _, c := range []Collation{CIAS, CSAS, BIN2} {
			types = append(types, Sized(id, 20).WithCollation(c))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, ty := range types {
		for range 4000 {
			a, b := genValue(r, ty), genValue(r, ty)
			want := sign(Compare(a, b, ty))
			ka, kb := AppendKey(nil, a, ty, false), AppendKey(nil, b, ty, false)
			require.Equal(t, want, bytes.Compare(ka, kb), "%s %s: %v %v\n%x\n%x", ty, ty.Coll, a, b, ka, kb)
			if want != 0 { // self-delimiting
				require.False(t, bytes.HasPrefix(ka, kb) || bytes.HasPrefix(kb, ka), "%s: %v %v", ty, a, b)
			}
			da, db := AppendKey(nil, a, ty, true), AppendKey(nil, b, ty, true)
			require.Equal(t, -want, bytes.Compare(da, db), "%s desc: %v %v", ty, a, b)
		}
	}
}

func FuzzTextKey(f *testing.F) {
	f.Add("a", "A ", uint8(0))
	f.Add("a\x01", "a", uint8(1))
	f.Fuzz(func(t *testing.T, a, b string, kind uint8) {
		ty := Sized(NVarChar, 100)
		if kind&8 != 0 {
			ty = Sized(VarChar, 100)
			a, b = ToCodePage(a), ToCodePage(b)
		}
		ty.Coll = Collation(kind % 3)
		a, b = charset.FromUnits(charset.Units(a)), charset.FromUnits(charset.Units(b))
		ka := appendTextKey(nil, a, ty)
		kb := appendTextKey(nil, b, ty)
		require.Equal(t, bytes.Compare(ka, kb), sign(compareText(a, b, ty)))
		require.Equal(t, ka, appendTextKey(nil, a+"  ", ty))
	})
}

func TestCalendar(t *testing.T) {
	require.EqualValues(t, 0, DayNumber(1, 1, 1))
	require.EqualValues(t, epochDay, DayNumber(1900, 1, 1))
	require.EqualValues(t, maxDay, DayNumber(9999, 12, 31))
	for n := int64(0); n <= maxDay; n += 13 {
		y, m, d := CivilDate(n)
		require.True(t, ValidDate(y, m, d))
		require.Equal(t, n, DayNumber(y, m, d))
	}
	for _, n := range []int64{DayNumber(2000, 12, 31), DayNumber(2004, 12, 31), DayNumber(2100, 2, 28), DayNumber(400, 12, 31), maxDay} {
		y, m, d := CivilDate(n)
		require.Equal(t, n, DayNumber(y, m, d))
	}
}

func BenchmarkAppendKey(b *testing.B) {
	ty := Sized(NVarChar, 100)
	v := value.NewString("dbo.SomeProcedure")
	var buf []byte
	for b.Loop() {
		buf = AppendKey(buf[:0], v, ty, false)
	}
}
