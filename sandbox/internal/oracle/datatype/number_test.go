package datatype

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func TestNumberText(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "-0.0": "0", "1.50": "1.5", ".5": ".5", "-0.5": "-.5", " 12 ": "12", "1E3": "1000", "+1e-3": ".001",
		"1e39":        "1" + strings.Repeat("0", 39),
		"1e40":        "1.0000000000000000000000000000000000E+40",
		"-1.5e-60":    "-1.5000000000000000000000000000000000E-60",
		"99999999999": "99999999999", "12345678901234567890.5": "12345678901234567890.5",
		"9223372036854775808": "9223372036854775808", "1e-140": "0",
	} {
		require.Equal(t, want, FormatNumber(num(t, in)), in)
	}
	for _, in := range []string{"", " ", "1 2", "abc", "1,5", "1e", "--1", ".", "1e126", "0x1"} {
		_, ok := ParseNumber(in)
		require.False(t, ok, in)
	}
}

func TestNumberArithmetic(t *testing.T) {
	for _, c := range []struct {
		op         Op
		a, b, want string
	}{
		{Add, "1", "2.5", "3.5"},
		{Add, "9223372036854775807", "1", "9223372036854775808"},
		{Sub, "0.1", "0.1", "0"},
		{Mul, "1e20", "1e20", "1.0000000000000000000000000000000000E+40"},
		{Div, "1", "3", "." + strings.Repeat("3", 40)},
		{Div, "10", "3", "3." + strings.Repeat("3", 38)},
		{Div, "2", "3", "." + strings.Repeat("6", 39) + "7"},
		{Div, "7", "2", "3.5"},
		{Div, "-6", "3", "-2"},
	} {
		ty, fn, err := Arith(c.op, Of(Number), Of(Number), false)
		require.NoError(t, err)
		v, err := fn(num(t, c.a), num(t, c.b), testEnv)
		require.NoError(t, err)
		require.Equal(t, c.want, show(t, v, ty), "%s %c %s", c.a, c.op, c.b)
	}
	_, fn, err := Arith(Div, Of(Number), Of(Number), false)
	require.NoError(t, err)
	_, err = fn(value.NewInt(1), value.NewInt(0), testEnv)
	require.EqualValues(t, 1476, number(t, err))
	require.Equal(t, "divisor is equal to zero", messageOf(t, err))
	_, fn, _ = Arith(Mul, Of(Number), Of(Number), false)
	_, err = fn(num(t, "1e100"), num(t, "1e100"), testEnv)
	require.EqualValues(t, 1426, number(t, err))

	ty, fn, _ := Arith(Add, Of(PLSInteger), Of(PLSInteger), true)
	require.Equal(t, PLSInteger, ty.ID)
	_, err = fn(value.NewInt(2147483647), value.NewInt(1), testPL)
	require.EqualValues(t, 1426, number(t, err))
	_, fn, _ = Arith(Add, Sized(Char, 1), Of(Number), false)
	v, err := fn(value.NewString("2"), value.NewInt(3), testEnv)
	require.NoError(t, err)
	require.EqualValues(t, 5, v.N)
	_, err = fn(value.NewString("x"), value.NewInt(3), testEnv)
	require.EqualValues(t, 1722, number(t, err))
	_, err = fn(value.NewString("x"), value.NewInt(3), testPL)
	require.Equal(t, "PL/SQL: numeric or value error: character to number conversion error", messageOf(t, err))
}

// Sums and products equal those of big.Rat as long as they fit.
func TestNumberAgainstRat(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rat := func(v value.Value) *big.Rat {
		m, scale := parts(v)
		return new(big.Rat).SetFrac(m, pow10(scale))
	}
	for range 3000 {
		a, err := NewNumber(big.NewInt(r.Int64()>>r.IntN(60)-r.Int64N(1000)), r.IntN(12))
		require.NoError(t, err)
		b, err := NewNumber(big.NewInt(r.Int64N(2000)-1000), r.IntN(5))
		require.NoError(t, err)
		sum, err := AddNumbers(a, b)
		require.NoError(t, err)
		require.Zero(t, rat(sum).Cmp(new(big.Rat).Add(rat(a), rat(b))), "%v %v", a, b)
		product, err := MulNumbers(a, b)
		require.NoError(t, err)
		require.Zero(t, rat(product).Cmp(new(big.Rat).Mul(rat(a), rat(b))), "%v %v", a, b)
		require.Equal(t, rat(a).Cmp(rat(b)), CompareNumbers(a, b))
		if SignOf(product) != 0 {
			q, err := DivNumbers(product, b)
			require.NoError(t, err)
			require.Zero(t, CompareNumbers(q, a), "%v / %v", product, b)
		}
		back, ok := ParseNumber(FormatNumber(a))
		require.True(t, ok)
		require.Zero(t, CompareNumbers(a, back))
	}
}

// The examples of "Results of Number Conversions" and of the format elements.
func TestFormatNumberAs(t *testing.T) {
	for _, c := range []struct{ n, model, want string }{
		{"0", "99.99", "   .00"},
		{"0.1", "99.99", "   .10"},
		{"-0.2", "99.99", "  -.20"},
		{"0", "90.99", "  0.00"},
		{"0.1", "90.99", "  0.10"},
		{"-0.2", "90.99", " -0.20"},
		{"0", "9999", "    0"},
		{"1", "9999", "    1"},
		{"123.456", "999.999", " 123.456"},
		{"-123.456", "999.999", "-123.456"},
		{"123.456", "FM999.009", "123.456"},
		{"123.45", "FM999.009", "123.45"},
		{"123.0", "FM999.009", "123.00"},
		{"12", "0000", " 0012"},
		{"12345", "9999", "#####"},
		{"5", "FM9.9", "5."},
		{"7", "FM000", "007"},
		{"0.5", "FM990.0", "0.5"},
	} {
		got, err := FormatNumberAs(num(t, c.n), c.model, testEnv)
		require.NoError(t, err, c.model)
		require.Equal(t, c.want, got, "%s %s", c.n, c.model)
	}
	for model, want := range map[string]int32{"": 1481, "9.9.9": 1481, "9,999": 49999, "9G999": 49999, "S9": 49999, "9MI": 49999, "9PR": 49999, "$9": 49999, "FML9": 49999} {
		_, err := FormatNumberAs(value.NewInt(1), model, testEnv)
		require.EqualValues(t, want, number(t, err), model)
	}
}

func TestParseNumberAs(t *testing.T) {
	for _, c := range []struct{ s, model, want string }{
		{"ff", "XX", "255"},
	} {
		v, err := ParseNumberAs(c.s, c.model, testEnv)
		require.NoError(t, err, c.s)
		require.Equal(t, c.want, FormatNumber(v), c.s)
	}
	for _, c := range [][2]string{{"fff", "XX"}, {"x", "XX"}} {
		_, err := ParseNumberAs(c[0], c[1], testEnv)
		require.EqualValues(t, 1722, number(t, err), c[0])
	}
	_, err := ParseNumberAs("1", "9", testEnv)
	require.EqualValues(t, 49999, number(t, err))
}

// Results seen on real servers: 1/3*3 is all nines in 20 base-100 digits; 1/19*19-1
// is -6e-40, and so for 1900, but 0 for 190 (asktom.oracle.com, "Problem with the number
// 1/19"); the last is from My Oracle Support 1272404.1.
func TestNumberPrecision(t *testing.T) {
	calc := func(fn func(a, b value.Value) (value.Value, error), a, b value.Value) value.Value {
		v, err := fn(a, b)
		require.NoError(t, err)
		return v
	}
	one := value.NewInt(1)
	third := calc(DivNumbers, one, value.NewInt(3))
	require.Equal(t, "."+strings.Repeat("9", 40), FormatNumber(calc(MulNumbers, third, value.NewInt(3))))
	for n, want := range map[int64]string{19: "-.0000000000000000000000000000000000000006", 1900: "-.0000000000000000000000000000000000000006", 190: "0"} {
		back := calc(MulNumbers, calc(DivNumbers, one, value.NewInt(n)), value.NewInt(n))
		require.Equal(t, want, FormatNumber(calc(SubNumbers, back, one)), n)
	}
	v := calc(DivNumbers, num(t, "66.5"), value.NewInt(36000))
	v = calc(MulNumbers, value.NewInt(9000), calc(AddNumbers, one, v))
	require.Equal(t, "9016.62499999999999999999999999999999998", FormatNumber(v))
}
