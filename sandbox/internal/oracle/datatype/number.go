package datatype

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// A NUMBER is up to 20 digits of base 100 between 1e-130 and 1e126 (SQL Language
// Reference, "NUMBER Data Type"): 40 decimal digits, or 39 if the number of digits
// before the point is odd.

const (
	maxWhole = 126  // digits before the point
	minWhole = -129 // below it a number is 0
)

var bigTen = big.NewInt(10)

func pow10(n int) *big.Int { return new(big.Int).Exp(bigTen, big.NewInt(int64(n)), nil) }

// NewNumber returns the NUMBER m * 10^-scale, rounded to what a NUMBER holds, or
// ORA-01426. m is not changed.
func NewNumber(m *big.Int, scale int) (value.Value, error) {
	if m.Sign() == 0 {
		return value.NewInt(0), nil
	}
	digits := digitsOf(m)
	keep := 40
	if (digits-scale)&1 != 0 {
		keep = 39
	}
	if digits > keep {
		m = value.DivRound(m, pow10(digits-keep))
		scale -= digits - keep
		digits = digitsOf(m)
	}
	switch whole := digits - scale; {
	case whole > maxWhole:
		return value.Value{}, ErrOverflow()
	case whole < minWhole:
		return value.NewInt(0), nil
	}
	if scale < 0 {
		m, scale = new(big.Int).Mul(m, pow10(-scale)), 0
	}
	if scale > 0 {
		text := m.String()
		zeros := min(len(text)-len(strings.TrimRight(text, "0")), scale)
		if zeros > 0 {
			m, scale = new(big.Int).Quo(m, pow10(zeros)), scale-zeros
		}
	}
	if scale == 0 && m.IsInt64() {
		return value.NewInt(m.Int64()), nil
	}
	return value.NewBigDecimal(m, uint8(scale)), nil
}

func digitsOf(m *big.Int) int { return len(strings.TrimPrefix(m.String(), "-")) }

// parts returns a NUMBER as mantissa and scale.
func parts(v value.Value) (*big.Int, int) {
	if v.Kind == value.Int {
		return big.NewInt(v.N), 0
	}
	return v.Mantissa(), int(v.Scale)
}

// aligned returns two NUMBERs with one scale.
func aligned(a, b value.Value) (ma, mb *big.Int, scale int) {
	ma, sa := parts(a)
	mb, sb := parts(b)
	switch {
	case sa < sb:
		return new(big.Int).Mul(ma, pow10(sb-sa)), mb, sb
	case sb < sa:
		return ma, new(big.Int).Mul(mb, pow10(sa-sb)), sa
	}
	return ma, mb, sa
}

// AddNumbers returns a + b.
func AddNumbers(a, b value.Value) (value.Value, error) {
	if a.Kind == value.Int && b.Kind == value.Int {
		if c := a.N + b.N; (c > a.N) == (b.N > 0) {
			return value.NewInt(c), nil
		}
	}
	ma, mb, scale := aligned(a, b)
	return NewNumber(new(big.Int).Add(ma, mb), scale)
}

// SubNumbers returns a - b.
func SubNumbers(a, b value.Value) (value.Value, error) { return AddNumbers(a, NegateNumber(b)) }

// NegateNumber returns -v.
func NegateNumber(v value.Value) value.Value {
	if v.Kind == value.Int && v.N != math.MinInt64 {
		return value.NewInt(-v.N)
	}
	m, scale := parts(v)
	n, _ := NewNumber(new(big.Int).Neg(m), scale) // as many digits as v: cannot overflow
	return n
}

// MulNumbers returns a * b.
func MulNumbers(a, b value.Value) (value.Value, error) {
	if a.Kind == value.Int && b.Kind == value.Int && a.N > -1<<31 && a.N < 1<<31 && b.N > -1<<31 && b.N < 1<<31 {
		return value.NewInt(a.N * b.N), nil
	}
	ma, sa := parts(a)
	mb, sb := parts(b)
	return NewNumber(new(big.Int).Mul(ma, mb), sa+sb)
}

// DivNumbers returns a / b, or ORA-01476.
func DivNumbers(a, b value.Value) (value.Value, error) {
	ma, sa := parts(a)
	mb, sb := parts(b)
	if mb.Sign() == 0 {
		return value.Value{}, ErrDivideByZero()
	}
	shift := max(0, 42+digitsOf(mb)-digitsOf(ma)) // two digits more than are kept
	q := new(big.Int).Quo(new(big.Int).Mul(ma, pow10(shift)), mb)
	return NewNumber(q, sa-sb+shift)
}

// CompareNumbers orders two NUMBERs.
func CompareNumbers(a, b value.Value) int {
	if a.Kind == value.Int && b.Kind == value.Int {
		return cmp.Compare(a.N, b.N)
	}
	ma, mb, _ := aligned(a, b)
	return ma.Cmp(mb)
}

// SignOf returns the sign of a NUMBER: -1, 0 or 1.
func SignOf(v value.Value) int {
	if v.Kind == value.Int || !v.IsBig() {
		return cmp.Compare(v.N, 0)
	}
	return v.Mantissa().Sign()
}

// RoundNumber rounds to digits after the point (before it, if negative), half away from zero.
func RoundNumber(v value.Value, digits int) (value.Value, error) {
	return toScale(v, digits, value.DivRound)
}

// TruncNumber truncates to digits after the point (before it, if negative).
func TruncNumber(v value.Value, digits int) (value.Value, error) {
	return toScale(v, digits, func(m, d *big.Int) *big.Int { return new(big.Int).Quo(m, d) })
}

// FloorNumber returns the largest whole number that is not greater.
func FloorNumber(v value.Value) (value.Value, error) {
	return toScale(v, 0, func(m, d *big.Int) *big.Int { return new(big.Int).Div(m, d) }) // d > 0: Euclidean division is the floor
}

func toScale(v value.Value, digits int, quo func(m, d *big.Int) *big.Int) (value.Value, error) {
	m, scale := parts(v)
	digits = max(digits, -200)
	if digits >= scale {
		return v, nil
	}
	return NewNumber(quo(m, pow10(scale-digits)), digits)
}

// Whole returns a NUMBER truncated to an int64, for arguments that are counts; ok is false
// beyond an int64.
func Whole(v value.Value) (n int64, ok bool) {
	if v.Kind == value.Int {
		return v.N, true
	}
	m, scale := parts(v)
	q := new(big.Int).Quo(m, pow10(scale))
	return q.Int64(), q.IsInt64()
}

// FormatNumber writes a NUMBER as a conversion to text does: no zero before the point, at
// most 40 digits, and an exponent beyond that.
func FormatNumber(v value.Value) string {
	if v.Kind == value.Int {
		return strconv.FormatInt(v.N, 10)
	}
	m, scale := parts(v)
	sign, digits := "", m.String()
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	whole := len(digits) - scale
	switch {
	case whole > 40 || whole < -39:
		return sign + scientific(digits, whole, 34, true)
	case whole > 0:
		if scale == 0 {
			return sign + digits
		}
		return sign + digits[:whole] + "." + digits[whole:]
	}
	digits = strings.Repeat("0", -whole) + digits
	if len(digits) > 40 {
		r, _ := RoundNumber(v, 40)
		return FormatNumber(r)
	}
	return sign + "." + digits
}

// scientific writes digits with one before the point; whole says how many were before
// it; exact pads the fraction with zeros to frac digits.
func scientific(digits string, whole, frac int, exact bool) string {
	exp := whole - 1
	if len(digits) > frac+1 {
		m, _ := new(big.Int).SetString(digits, 10)
		n := len(digits) - frac - 1
		digits = value.DivRound(m, pow10(n)).String()
		if len(digits) > frac+1 { // 9.99 became 10.0
			exp++
			digits = digits[:frac+1]
		}
	}
	if exact {
		digits += strings.Repeat("0", frac+1-len(digits))
	}
	if frac > 0 && len(digits) > 1 {
		digits = digits[:1] + "." + digits[1:]
	}
	sign := "+"
	if exp < 0 {
		sign, exp = "-", -exp
	}
	text := strconv.Itoa(exp)
	if len(text) < 2 {
		text = "0" + text
	}
	return digits + "E" + sign + text
}

// ParseNumber parses a number as an implicit conversion does: spaces around, a sign, digits
// with a point, an exponent. ok is false for anything else.
func ParseNumber(s string) (v value.Value, ok bool) {
	s = strings.Trim(s, " \t\n\r")
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && len(s) < 19 {
		return value.NewInt(n), true
	}
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg, s = s[0] == '-', s[1:]
	}
	exp := 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e := s[i+1:]
		n, err := strconv.Atoi(e)
		if err != nil || len(e) > 5 {
			return v, false
		}
		exp, s = n, s[:i]
	}
	whole, frac, _ := strings.Cut(s, ".")
	digits := whole + frac
	if digits == "" || len(digits) > 400 || strings.Trim(digits, "0123456789") != "" {
		return v, false
	}
	m, _ := new(big.Int).SetString(digits, 10)
	if neg {
		m.Neg(m)
	}
	v, err := NewNumber(m, len(frac)-exp)
	return v, err == nil
}

// NumberLiteral returns a literal of SQL text: digits with point and exponent (SQL Language Reference, "Numeric Literals").
func NumberLiteral(s string) (value.Value, Type, error) {
	v, ok := ParseNumber(s)
	if !ok {
		return v, Of(Number), ErrOverflow()
	}
	return v, Of(Number), nil
}

// TextLiteral returns a text literal, which is a CHAR ("Text Literals");
// the empty one is NULL.
func TextLiteral(s string, national bool) (value.Value, Type) {
	t := Type{ID: Char}
	if national {
		t.ID = NChar
	}
	if s == "" {
		return value.Value{}, Type{}
	}
	t.Len = int32(LengthIn(s, t))
	return value.NewString(s), t
}

// NumberFloat returns the double nearest to a NUMBER.
func NumberFloat(v value.Value) float64 {
	if v.Kind == value.Int {
		return float64(v.N)
	}
	m, scale := parts(v)
	f, _ := strconv.ParseFloat(m.String()+"e-"+strconv.Itoa(scale), 64)
	return f
}

// floatNumber returns a double as a NUMBER, from its 17 digits (9 for a BINARY_FLOAT).
func floatNumber(f float64, t Type) (value.Value, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return value.Value{}, ErrOverflow()
	}
	digits := 16
	if t.ID == BinaryFloat {
		digits = 8
	}
	v, ok := ParseNumber(strconv.FormatFloat(f, 'E', digits, 64))
	if !ok {
		return v, ErrOverflow()
	}
	return v, nil
}
