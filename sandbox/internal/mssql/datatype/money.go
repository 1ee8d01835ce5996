package datatype

import (
	"math"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// smallMoneyMax is the largest smallmoney in 1/10000; the smallest is one below its negative.
const smallMoneyMax = math.MaxInt32

// parseMoney reads money as CAST does: currency sign, thousands commas, sign and
// point, but no exponent; an empty string is zero.
func parseMoney(s string, to Type) (value.Value, error) {
	s = strings.Trim(s, " ")
	neg, signed, currency := false, false, false
	for s != "" {
		n := 0
		switch {
		case !signed && (s[0] == '-' || s[0] == '+'):
			neg, signed, n = s[0] == '-', true, 1
		case !currency:
			for _, sign := range []string{"$", "£", "¥", "€"} {
				if strings.HasPrefix(s, sign) {
					currency, n = true, len(sign)
				}
			}
		}
		if n == 0 {
			break
		}
		s = s[n:]
	}
	s = strings.ReplaceAll(s, ",", "")
	if s == "" || s == "." {
		s = "0"
	}
	v, ok := parseDecimal(s)
	if !ok || strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		return value.Value{}, errMoneyString()
	}
	v = rescale(v, 4)
	if neg {
		v = negateDecimal(v)
	}
	if !inMoney(v, to) {
		return value.Value{}, message.MS(236)
	}
	return v, nil
}

// inMoney reports whether a decimal of scale 4 is in the range of money or smallmoney.
func inMoney(v value.Value, to Type) bool {
	if v.IsBig() {
		return false
	}
	return to.ID == Money || v.N <= smallMoneyMax && v.N >= -smallMoneyMax-1
}

// FormatMoney writes money in a CONVERT style: 0 two digits after the point, 1 commas too, 2 or 126 four digits.
func FormatMoney(v value.Value, style int) string {
	switch style {
	case 2, 126:
		return FormatDecimal(rescale(v, 4))
	}
	text := FormatDecimal(rescale(v, 2))
	for i := len(text) - len("000.00"); style == 1 && i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
