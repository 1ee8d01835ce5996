package datatype

import (
	"cmp"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// parseMoney reads money as CAST does; an empty string is zero.
func parseMoney(s string) (v value.Value, err error) {
	s = strings.Trim(s, " ")
	v, ok := parseDecimal(cmp.Or(s, "0"))
	switch {
	case !ok && strings.ContainsAny(s, "$£¥€,"):
		return v, sqlerr.NotSupported("currency signs and commas in money: '%s'", s)
	case !ok:
		return v, errMoneyString()
	}
	if v = rescale(v, 4); v.IsBig() {
		return v, message.MS(236)
	}
	return v, nil
}

// FormatMoney writes money in a CONVERT style: 0 two digits after the point, 2 or 126 four digits.
func FormatMoney(v value.Value, style int) (string, error) {
	switch style {
	case 2, 126:
		return FormatDecimal(rescale(v, 4)), nil
	case NoStyle, 0:
		return FormatDecimal(rescale(v, 2)), nil
	}
	return "", sqlerr.NotSupported("money in style %d", style)
}
