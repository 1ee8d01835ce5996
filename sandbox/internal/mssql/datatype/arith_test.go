package datatype

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func TestBinaryOp(t *testing.T) {
	e38, _ := new(big.Int).SetString("99999999999999999999999999999999999999", 10)
	for _, c := range []struct {
		a    value.Value
		ta   Type
		op   Op
		b    value.Value
		tb   Type
		want string
		err  string
	}{
		{intV(7), Of(Int), Divide, intV(2), Of(Int), "3", ""},
		{intV(-7), Of(Int), Modulo, intV(2), Of(Int), "-1", ""},
		{intV(math.MaxInt32), Of(Int), Add, intV(1), Of(Int), "", "Arithmetic overflow error converting expression to data type int."},
		{intV(math.MaxInt32), Of(Int), Add, intV(1), Of(BigInt), "2147483648", ""},
		{intV(math.MaxInt64), Of(BigInt), Multiply, intV(2), Of(Int), "", "Arithmetic overflow error converting expression to data type bigint."},
		{intV(200), Of(TinyInt), Add, intV(100), Of(TinyInt), "", "Arithmetic overflow error converting expression to data type tinyint."},
		{intV(1), Of(Int), Divide, intV(0), Of(Int), "", "Divide by zero error encountered."},
		{intV(1), Of(Bit), Add, intV(2), Of(Int), "3", ""},
		{str("5"), vc(3), Add, intV(2), Of(Int), "7", ""},
		{str("x"), vc(3), Add, intV(2), Of(Int), "", "Conversion failed when converting the varchar value 'x' to data type int."},
		{dec(10, 1), DecimalOf(2, 1), Divide, dec(3, 0), IntLiteral(3), "0.333333", ""},
		{dec(20, 1), DecimalOf(2, 1), Divide, dec(3, 0), IntLiteral(3), "0.666666", ""},
		{dec(10, 1), DecimalOf(2, 1), Divide, intV(3), Of(Int), "0.333333333333", ""},
		{dec(125, 2), DecimalOf(3, 2), Multiply, dec(15, 1), DecimalOf(2, 1), "1.875", ""},
		{dec(125, 2), DecimalOf(3, 2), Add, dec(15, 1), DecimalOf(2, 1), "2.75", ""},
		{dec(75, 1), DecimalOf(3, 1), Modulo, dec(2, 0), DecimalOf(3, 0), "1.5", ""},
		{value.NewBigDecimal(e38, 0), DecimalOf(38, 0), Add, intV(1), Of(Int), "", "Arithmetic overflow error converting expression to data type numeric."},
		{dec(1, 0), DecimalOf(5, 0), Divide, dec(0, 0), DecimalOf(5, 0), "", "Divide by zero error encountered."},
		{float(1), Of(Float), Divide, intV(4), Of(Int), "0.25", ""},
		{float(1e308), Of(Float), Multiply, intV(10), Of(Int), "", "Arithmetic overflow error converting expression to data type float."},
		{str("ab"), vc(5), Add, str("cd"), nv(5), "abcd", ""},
		{value.NewBytes([]byte{1}), Sized(VarBinary, 1), Add, value.NewBytes([]byte{2}), Sized(VarBinary, 1), "0x0102", ""},
		{intV(6), Of(Int), BitAnd, intV(3), Of(Int), "2", ""},
		{intV(6), Of(Int), BitXor, intV(3), Of(Int), "5", ""},
		{value.Value{}, Of(Int), Add, intV(1), Of(Int), "NULL", ""},
	} {
		ty, fn, err := BinaryOp(c.op, c.ta, c.tb)
		require.NoError(t, err, "%s %s %s", c.ta, c.op, c.tb)
		got, err := fn(c.a, c.b)
		require.Equal(t, c.err, text(t, err), "%v %s %v", c.a, c.op, c.b)
		if c.err == "" {
			require.Equal(t, c.want, show(t, got, ty), "%v %s %v", c.a, c.op, c.b)
		}
	}
}

func TestUnary(t *testing.T) {
	ty, neg, err := Negate(Of(TinyInt))
	require.NoError(t, err)
	require.Equal(t, Of(SmallInt), ty)
	v, err := neg(intV(200))
	require.NoError(t, err)
	require.EqualValues(t, -200, v.N)
	_, neg, err = Negate(Of(Int))
	require.NoError(t, err)
	_, err = neg(intV(math.MinInt32))
	require.EqualValues(t, 8115, number(t, err))
	_, _, err = Negate(vc(3))
	require.Equal(t, "Operand data type varchar is invalid for minus operator.", text(t, err))
}

func TestLike(t *testing.T) {
	for _, c := range []struct {
		s, pattern, escape string
		t                  Type
		want               bool
	}{
		{"abc", "ABC", "", nv(9), true},
		{"abc", "ABC", "", nv(9).WithCollation(CSAS), false},
		{"abc", "abc", "", nv(9).WithCollation(BIN2), true},
		{"abc", "a%", "", nv(9), true},
		{"abc", "%b%", "", nv(9), true},
		{"abc", "_b_", "", nv(9), true},
		{"abc", "_b", "", nv(9), false},
		{"abc ", "abc", "", vc(9), true},  // trailing blanks of the string do not count
		{"abc ", "abc", "", nv(9), false}, // but they do in Unicode
		{"abc", "abc ", "", vc(9), false},
		{"5%", "5[%]", "", nv(9), true},
		{"5x", "5[%]", "", nv(9), false},
		{"_n", "[_]n", "", nv(9), true},
		{"-", "[-acdf]", "", nv(9), true},
		{"b", "[a-cdf]", "", nv(9), true},
		{"B", "[a-cdf]", "", nv(9), true},
		{"e", "[a-cdf]", "", nv(9), false},
		{"e", "[^a-cdf]", "", nv(9), true},
		{"[", "[[]", "", nv(9), true},
		{"]", "]", "", nv(9), true},
		{"50% off", "%50!% off%", "!", nv(99), true},
		{"50x off", "%50!% off%", "!", nv(99), false},
		{"a!", "a!", "!", nv(99), false},
		{"a[b", "a[b", "", nv(9), false},
		{"dbo.Task_1", "dbo.Task\\_%", "\\", nv(99), true},
		{"", "%", "", nv(9), true},
		{"", "", "", nv(9), true},
		{"é", "e", "", nv(9), false},
		{"É", "é", "", nv(9), true},
		{"😀", "__", "", nv(9), true},
		{"😀", "😁", "", nv(9), false},
		{"aaab", "%a%ab", "", nv(9), true},
		{"a b", "a_b", "", vc(9), true},
	} {
		l, err := NewLike(c.pattern, c.escape, c.t)
		require.NoError(t, err)
		require.Equal(t, c.want, l.Match(c.s), "%q LIKE %q %s", c.s, c.pattern, c.t)
	}
	_, err := NewLike("a", "xy", nv(9))
	require.EqualValues(t, 506, number(t, err))
	index := func(pattern, s string) int {
		l, err := NewLike(pattern, "", nv(99))
		require.NoError(t, err)
		return l.Index(s)
	}
	require.Equal(t, 3, index("%ter%", "interesting data"))
	require.Equal(t, 8, index("%ensure%", "Please ensure the door is locked!"))
	require.Equal(t, 3, index("%in_", "aring"))
	require.Equal(t, 1, index("a%", "abc"))
	require.Equal(t, 0, index("b%", "abc"))
	require.Equal(t, 2, index("%[^0-9]%", "1x2"))
}

// TestDecimalAgainstRationals checks decimal arithmetic against exact fractions.
func TestDecimalAgainstRationals(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rat := func(v value.Value) *big.Rat {
		return new(big.Rat).SetFrac(v.Mantissa(), bigPow10(int(v.Scale)))
	}
	for range 5000 {
		ta, tb := DecimalOf(uint8(19+r.IntN(6)), uint8(r.IntN(8))), DecimalOf(uint8(1+r.IntN(18)), 0)
		m := new(big.Int).Mul(big.NewInt(r.Int64()-r.Int64()), big.NewInt(r.Int64N(9)))
		a, b := value.NewBigDecimal(m, ta.Scale), value.NewDecimal(r.Int64N(pow10s[tb.Prec]), 0)
		for op := Add; op <= Divide; op++ {
			ty, fn, err := BinaryOp(op, ta, tb)
			require.NoError(t, err)
			if op == Divide && b.N == 0 {
				continue
			}
			got, err := fn(a, b)
			if number(t, err) == 8115 {
				continue
			}
			require.NoError(t, err)
			want := new(big.Rat)
			switch op {
			case Add:
				want.Add(rat(a), rat(b))
			case Subtract:
				want.Sub(rat(a), rat(b))
			case Multiply:
				want.Mul(rat(a), rat(b))
			default:
				want.Quo(rat(a), rat(b))
			}
			diff := new(big.Rat).Sub(want, rat(got))
			limit := new(big.Rat).SetFrac(big.NewInt(1), bigPow10(int(ty.Scale)))
			if op != Divide { // rounded, not truncated
				limit.Quo(limit, big.NewRat(2, 1))
			}
			require.LessOrEqual(t, diff.Abs(diff).Cmp(limit), 0, "%v %s %v = %v", a, op, b, got)
		}
	}
}
