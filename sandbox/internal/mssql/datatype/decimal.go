package datatype

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Decimals are mantissa and scale; almost all fit an int64, the rest go through big.Int.

var pow10s = func() (p [19]int64) {
	n := int64(1)
	for i := range p {
		p[i] = n
		n *= 10
	}
	return p
}()

func bigPow10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// mulPow10 returns m*10^n if that fits an int64.
func mulPow10(m int64, n int) (int64, bool) {
	if n > 18 {
		return 0, m == 0
	}
	p := pow10s[n]
	r := m * p
	if m != 0 && (r/p != m || r == -1<<63) {
		return 0, false
	}
	return r, true
}

// divRound divides, rounding half away from zero.
func divRound(m, d int64) int64 {
	q, r := m/d, m%d
	if r < 0 {
		r = -r
	}
	if r >= d-r {
		if m < 0 {
			return q - 1
		}
		return q + 1
	}
	return q
}

// rescale returns v with another scale, rounded half away from zero.
func rescale(v value.Value, scale uint8) value.Value {
	if v.Scale == scale {
		return v
	}
	if !v.IsBig() {
		if scale < v.Scale {
			if d := int(v.Scale - scale); d <= 18 {
				return value.NewDecimal(divRound(v.N, pow10s[d]), scale)
			}
		} else if m, ok := mulPow10(v.N, int(scale-v.Scale)); ok {
			return value.NewDecimal(m, scale)
		}
	}
	if scale < v.Scale {
		return value.NewBigDecimal(value.DivRound(v.Mantissa(), bigPow10(int(v.Scale-scale))), scale)
	}
	return value.NewBigDecimal(new(big.Int).Mul(v.Mantissa(), bigPow10(int(scale-v.Scale))), scale)
}

// fitsPrecision reports whether v's mantissa has at most prec digits.
func fitsPrecision(v value.Value, prec uint8) bool {
	if !v.IsBig() {
		return prec > 18 || v.N < pow10s[prec] && v.N > -pow10s[prec]
	}
	return v.Mantissa().CmpAbs(bigPow10(int(prec))) < 0
}

// compareDecimal orders two decimals of any scales.
func compareDecimal(a, b value.Value) int {
	if a.Scale == b.Scale && !a.IsBig() && !b.IsBig() {
		return compareInt(a.N, b.N)
	}
	scale := max(a.Scale, b.Scale)
	a, b = rescale(a, scale), rescale(b, scale)
	if !a.IsBig() && !b.IsBig() {
		return compareInt(a.N, b.N)
	}
	return a.Mantissa().Cmp(b.Mantissa())
}

func compareInt(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// FormatDecimal writes all digits of v's scale: 0.50, -12.
func FormatDecimal(v value.Value) string {
	var digits string
	if v.IsBig() {
		digits = v.Mantissa().String()
	} else {
		digits = strconv.FormatInt(v.N, 10)
	}
	if v.Scale == 0 {
		return digits
	}
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	if pad := int(v.Scale) + 1 - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	point := len(digits) - int(v.Scale)
	return sign + digits[:point] + "." + digits[point:]
}

// decimalFloat returns the double nearest to v.
func decimalFloat(v value.Value) float64 {
	f, err := strconv.ParseFloat(FormatDecimal(v), 64)
	if err != nil {
		return 0
	}
	return f
}

// parseDecimal reads [sign] digits [. digits]; ok is false for anything else.
// The scale is the number of digits after the point.
func parseDecimal(s string) (v value.Value, ok bool) {
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	whole, frac, _ := strings.Cut(s, ".")
	if whole == "" && frac == "" || !allDigits(whole) || !allDigits(frac) {
		return v, false
	}
	if len(frac) > 60 { // beyond any result scale; 38 digits decide the rounding
		frac = frac[:60]
	}
	digits := whole + frac
	scale := uint8(len(frac))
	if len(digits) <= 18 {
		n, err := strconv.ParseInt("0"+digits, 10, 64)
		if err != nil {
			return v, false
		}
		if neg {
			n = -n
		}
		return value.NewDecimal(n, scale), true
	}
	m, good := new(big.Int).SetString(digits, 10)
	if !good {
		return v, false
	}
	if neg {
		m.Neg(m)
	}
	return value.NewBigDecimal(m, scale), true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// negateDecimal returns -v.
func negateDecimal(v value.Value) value.Value {
	if !v.IsBig() && v.N != -1<<63 {
		return value.NewDecimal(-v.N, v.Scale)
	}
	return value.NewBigDecimal(new(big.Int).Neg(v.Mantissa()), v.Scale)
}

// truncateDecimal returns v with fewer digits after the point, without rounding.
func truncateDecimal(v value.Value, scale uint8) value.Value {
	d := int(v.Scale) - int(scale)
	switch {
	case d <= 0:
		return v
	case !v.IsBig() && d <= 18:
		return value.NewDecimal(v.N/pow10s[d], scale)
	}
	return value.NewBigDecimal(new(big.Int).Quo(v.Mantissa(), bigPow10(d)), scale)
}
