package tns

import (
	"errors"
	"math/big"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// NUMBER is a sign and exponent byte and up to 20 digits of base 100, each plus 1; a
// negative number is the complement of a positive one, with 102 at its end if there is
// room (Oracle Call Interface, "VARNUM"; converters/oracle_number.go).
const (
	numberDigits   = 20
	numberZero     = 0x80
	numberNegative = 102 // the end of a negative number
)

var errNumber = errors.New("not a NUMBER")

// appendNumber appends a NUMBER without its length.
func appendNumber(b []byte, v value.Value) ([]byte, error) {
	var m *big.Int
	scale := 0
	switch v.Kind {
	case value.Int:
		m = big.NewInt(v.N)
	case value.Decimal:
		m, scale = v.Mantissa(), int(v.Scale)
	default:
		return b, errNumber
	}
	if m.Sign() == 0 {
		return append(b, numberZero), nil
	}
	digits := strings.TrimPrefix(m.String(), "-")
	whole := len(digits) - scale // digits before the decimal point, possibly negative
	if whole&1 != 0 {
		digits, whole = "0"+digits, whole+1
	}
	digits = strings.TrimRight(digits, "0")
	if len(digits)&1 != 0 {
		digits += "0"
	}
	n := len(digits) / 2
	exponent := whole/2 - 1
	if n > numberDigits || exponent < -65 || exponent > 62 {
		return b, errors.New("a NUMBER of more than 40 digits or beyond its range")
	}
	negative := m.Sign() < 0
	head := byte(exponent+65) | 0x80
	if negative {
		head = ^head
	}
	b = append(b, head)
	for i := range n {
		d := (digits[2*i]-'0')*10 + digits[2*i+1] - '0'
		if negative {
			b = append(b, 101-d)
		} else {
			b = append(b, d+1)
		}
	}
	if negative && n < numberDigits {
		b = append(b, numberNegative)
	}
	return b, nil
}

// readNumber reads a NUMBER; whole numbers that fit become an Int.
func readNumber(b []byte) (value.Value, error) {
	if len(b) == 0 || len(b) > numberDigits+2 {
		return value.Value{}, errNumber
	}
	if len(b) == 1 {
		if b[0] == numberZero {
			return value.NewInt(0), nil
		}
		return value.Value{}, errNumber // minus infinity
	}
	negative := b[0]&0x80 == 0
	head, digits := b[0], b[1:]
	if negative {
		head = ^head
		if digits[len(digits)-1] == numberNegative {
			digits = digits[:len(digits)-1]
		}
	}
	if len(digits) == 0 || len(digits) > numberDigits {
		return value.Value{}, errNumber
	}
	exponent := int(head&0x7F) - 65
	var text strings.Builder
	for _, d := range digits {
		if negative {
			d = 101 - d
		} else {
			d--
		}
		if d > 99 || d == 0 && text.Len() == 0 { // wrapped around, infinity, or a leading zero, which no client sends
			return value.Value{}, errNumber
		}
		text.WriteByte('0' + d/10)
		text.WriteByte('0' + d%10)
	}
	s, scale := text.String(), 2*(len(digits)-1-exponent)
	for scale > 0 && s[len(s)-1] == '0' {
		s, scale = s[:len(s)-1], scale-1
	}
	if scale < 0 {
		s, scale = s+strings.Repeat("0", -scale), 0
	}
	m, _ := new(big.Int).SetString(s, 10)
	if negative {
		m.Neg(m)
	}
	if scale == 0 && m.IsInt64() {
		return value.NewInt(m.Int64()), nil
	}
	return value.NewBigDecimal(m, uint8(scale)), nil
}
