package datatype

import (
	"math"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

// intRange returns the smallest and largest value of an integer type.
func intRange(id ID) (lo, hi int64) {
	switch id {
	case TinyInt:
		return 0, math.MaxUint8
	case SmallInt:
		return math.MinInt16, math.MaxInt16
	case Int:
		return math.MinInt32, math.MaxInt32
	}
	return math.MinInt64, math.MaxInt64
}

func toBit(v value.Value, from, to Type) (value.Value, error) {
	switch from.class() {
	case clsANSI, clsUnicode:
		switch s := strings.Trim(v.Str(), " "); {
		case s == "1", strings.EqualFold(s, "true"):
			return truth(true), nil
		case s == "", s == "0", strings.EqualFold(s, "false"):
			return truth(false), nil
		case s != "" && allDigits(strings.TrimLeft(s, "+-")):
			return v, errUnmodeled(from, to)
		}
		return v, errConvertString(from, v.Str(), to)
	case clsExact:
		return truth(v.IsBig() || v.N != 0), nil
	case clsApprox:
		return truth(v.Float64() != 0), nil
	case clsBit, clsInt:
		return truth(v.N != 0), nil
	}
	return v, errUnmodeled(from, to)
}

func truth(b bool) value.Value {
	if b {
		return value.NewInt(1)
	}
	return value.NewInt(0)
}

func toInt(v value.Value, from, to Type) (value.Value, error) {
	lo, hi := intRange(to.ID)
	n := v.N
	switch from.class() {
	case clsBit:
		return value.NewInt(n), nil
	case clsInt:
		if n < lo || n > hi {
			if from.ID == BigInt || to.ID == Int {
				return v, ErrOverflow(to)
			}
			return v, errIntRange(to, n)
		}
		return value.NewInt(n), nil
	case clsANSI, clsUnicode:
		return stringToInt(v.Str(), from, to)
	case clsExact:
		return exactToInt(v, from, to)
	case clsApprox:
		f := math.Trunc(v.Float64())
		if f < float64(lo) || f >= float64(hi)+1 {
			if to.ID == BigInt {
				return v, ErrOverflow(to)
			}
			return v, errFloatRange(to, v.Float64())
		}
		return value.NewInt(int64(f)), nil
	default:
		return v, errUnmodeled(from, to)
	}
}

func exactToInt(v value.Value, from, to Type) (value.Value, error) {
	if from.ID == Money { // rounds, where decimal truncates
		v = rescale(v, 0)
	} else {
		v = truncateDecimal(v, 0)
	}
	if lo, hi := intRange(to.ID); v.IsBig() || v.N < lo || v.N > hi {
		return v, ErrOverflow(to)
	}
	return value.NewInt(v.N), nil
}

func stringToInt(text string, from, to Type) (value.Value, error) {
	s := strings.Trim(text, " ")
	if s == "" {
		return value.NewInt(0), nil
	}
	digits := s
	if s[0] == '-' || s[0] == '+' {
		digits = strings.TrimLeft(s[1:], " ")
	}
	if digits == "" || !allDigits(digits) {
		if to.ID == BigInt {
			return value.Value{}, errConvertType(from, to)
		}
		return value.Value{}, errConvertString(from, text, to)
	}
	if s[0] == '-' {
		digits = "-" + digits
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	lo, hi := intRange(to.ID)
	if err != nil || n < lo || n > hi {
		return value.Value{}, errStringIntRange(from, text, to)
	}
	return value.NewInt(n), nil
}

func toDecimal(v value.Value, from, to Type) (value.Value, error) {
	var d value.Value
	source := from.messageNameBare()
	switch from.class() {
	case clsBit, clsInt:
		d = value.NewDecimal(v.N, 0)
	case clsExact:
		d = v
	case clsANSI, clsUnicode:
		var ok bool
		if d, ok = parseDecimal(strings.Trim(v.Str(), " ")); !ok {
			return v, errConvertType(from, to)
		}
	case clsApprox:
		d = floatToDecimal(v.Float64())
	default: // binary holds decimals in its own format
		return v, errUnmodeled(from, to)
	}
	d = rescale(d, to.Scale)
	if !fitsPrecision(d, to.Prec) {
		return v, errOverflow(source, to, 8)
	}
	return d, nil
}

// floatToDecimal takes the 17 significant digits of a double.
func floatToDecimal(f float64) value.Value {
	s := strconv.FormatFloat(f, 'e', 16, 64)
	mantissa, exp, _ := strings.Cut(s, "e")
	e, _ := strconv.Atoi(exp)
	sign := ""
	if mantissa[0] == '-' {
		sign, mantissa = "-", mantissa[1:]
	}
	digits := mantissa[:1] + mantissa[2:]
	switch {
	case e >= 16:
		digits += strings.Repeat("0", min(e-16, 400))
	case e >= 0:
		digits = digits[:e+1] + "." + digits[e+1:]
	default:
		digits = "0." + strings.Repeat("0", min(-e-1, 60)) + digits
	}
	d, _ := parseDecimal(sign + digits)
	return d
}

func toMoney(v value.Value, from, to Type) (value.Value, error) {
	var d value.Value
	switch from.class() {
	case clsANSI, clsUnicode:
		return parseMoney(v.Str())
	case clsBit, clsInt:
		d = value.NewDecimal(v.N, 0)
	case clsExact:
		d = v
	case clsApprox:
		d = floatToDecimal(v.Float64())
	default:
		return v, errUnmodeled(from, to)
	}
	d = rescale(d, 4)
	if d.IsBig() {
		return v, errOverflow(from.messageNameBare(), to, 4)
	}
	return d, nil
}

func toFloat(v value.Value, from, to Type) (value.Value, error) {
	var f float64
	switch from.class() {
	case clsBit, clsInt:
		f = float64(v.N)
	case clsExact:
		f = decimalFloat(v)
	case clsApprox:
		f = v.Float64()
	default:
		s := strings.Trim(v.Str(), " ")
		if s != "" {
			if strings.Trim(s, "0123456789+-.eE") != "" {
				return v, errConvertType(from, to)
			}
			var err error
			if f, err = strconv.ParseFloat(s, 64); err != nil {
				if math.IsInf(f, 0) {
					return v, errOverflow(from.Name(), to, 2)
				}
				return v, errConvertType(from, to)
			}
		}
	}
	if to.ID == Real {
		g := float32(f)
		if math.IsInf(float64(g), 0) {
			return v, errFloatRange(to, f)
		}
		f = float64(g)
	}
	return value.NewFloat(f), nil
}

// FormatFloat writes a float or real in a CONVERT style: 0 up to 6 digits, 2 sixteen digits.
func FormatFloat(f float64, style int) (string, error) {
	f += 0 // no minus sign
	switch style {
	case 2:
		return threeDigitExponent(strconv.FormatFloat(f, 'e', 15, 64)), nil
	case NoStyle, 0:
		return threeDigitExponent(strconv.FormatFloat(f, 'g', 6, 64)), nil
	}
	return "", sqlerr.NotSupported("numbers in style %d", style)
}

// threeDigitExponent writes exponents as the C library of Windows does: 1e+006.
func threeDigitExponent(s string) string {
	mantissa, exp, ok := strings.Cut(s, "e")
	if !ok {
		return s
	}
	digits := exp[1:]
	return mantissa + "e" + exp[:1] + strings.Repeat("0", max(0, 3-len(digits))) + digits
}
