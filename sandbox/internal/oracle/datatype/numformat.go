package datatype

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// numberModel is a number format model ("Number Format Elements"): the elements 9 0 . D FM, and X for TO_NUMBER.
type numberModel struct {
	whole []byte // '9' and '0' before the point
	frac  []byte // '9' and '0' after it
	point bool
	fm    bool
	hex   int  // number of Xs
	local bool // D is used, the session's character, instead of .
}

func parseNumberModel(model string) (numberModel, error) {
	var m numberModel
	up := fold(model)
	up, m.fm = strings.CutPrefix(up, "FM")
	if strings.HasSuffix(up, "X") && strings.Trim(up, "0X") == "" {
		m.hex = len(up)
		return m, nil
	}
	for i := range len(up) {
		switch c := up[i]; {
		case c == '9' || c == '0':
			if m.point {
				m.frac = append(m.frac, c)
			} else {
				m.whole = append(m.whole, c)
			}
		case (c == '.' || c == 'D') && !m.point:
			m.point = true
			m.local = m.local || c == 'D'
		case strings.IndexByte(",$BCEGLMPSTUVRX", c) >= 0:
			return m, sqlerr.NotSupported("number format element %s", up[i:])
		default:
			return m, message.ORA(1481)
		}
	}
	if len(m.whole)+len(m.frac) == 0 {
		return m, message.ORA(1481)
	}
	return m, nil
}

// FormatNumberAs is TO_CHAR of a NUMBER by a format model, ORA-01481 for an invalid one; a
// number that does not fit becomes a row of #.
func FormatNumberAs(v value.Value, model string, env *Env) (string, error) {
	m, err := parseNumberModel(model)
	if err != nil {
		return "", err
	}
	if m.hex > 0 {
		return "", sqlerr.NotSupported("TO_CHAR with the number format element X")
	}
	r, err := RoundNumber(v, len(m.frac))
	if err != nil {
		return "", err
	}
	s := m.format(r)
	if m.local {
		s = env.localNumber(s)
	}
	return s, nil
}

// significant returns the digits of a NUMBER that is not 0, without trailing zeros,
// and how many of them are before the point.
func significant(v value.Value) (sign, digits string, whole int) {
	digits = strconv.FormatInt(v.N, 10)
	if v.IsBig() {
		digits = v.Mantissa().String()
	}
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	whole = len(digits) - int(v.Scale) // 0 of an Int
	return sign, strings.TrimRight(digits, "0"), whole
}

func (m *numberModel) format(v value.Value) string {
	n, scale := parts(v)
	negative := n.Sign() < 0
	n = new(big.Int).Abs(new(big.Int).Mul(n, pow10(len(m.frac)-scale)))
	digits := n.String()
	if pad := len(m.frac) + 1 - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	whole, frac := digits[:len(digits)-len(m.frac)], digits[len(digits)-len(m.frac):]
	body, fits := m.group(strings.TrimLeft(whole, "0"))
	width := len(m.whole) + len(m.frac) + 1 // including the sign
	if m.point {
		width++
	}
	if !fits {
		return strings.Repeat("#", width)
	}
	if m.fm { // trailing zeros stay if the model has a 0 there or later
		keep := strings.LastIndexByte(string(m.frac), '0') + 1
		for len(frac) > keep && frac[len(frac)-1] == '0' {
			frac = frac[:len(frac)-1]
		}
	}
	if body == "" && len(m.frac) == 0 {
		body = "0"
	}
	if m.point {
		body += "."
	}
	if body += frac; negative {
		body = "-" + body
	}
	if m.fm {
		return strings.Trim(body, " ")
	}
	return strings.Repeat(" ", max(0, width-len(body))) + body
}

// group puts digits into the model's places before the point, with the zeros it asks for.
func (m *numberModel) group(digits string) (string, bool) {
	var out []byte
	first := slices.Index(m.whole, '0') // from here on, every position has a digit
	i := len(digits) - 1
	for k := len(m.whole) - 1; k >= 0; k-- {
		switch {
		case i >= 0:
			out = append(out, digits[i])
			i--
		case first >= 0 && k >= first:
			out = append(out, '0')
		}
	}
	slices.Reverse(out)
	return string(out), i < 0
}

// ParseNumberAs is TO_NUMBER of text by a format model: ORA-01722 (06502 in PL/SQL) for
// text that does not match it, ORA-01481 for an invalid model.
func ParseNumberAs(text, model string, env *Env) (value.Value, error) {
	m, err := parseNumberModel(model)
	if err != nil {
		return value.Value{}, err
	}
	s := strings.Trim(text, " ")
	if m.hex > 0 {
		n, ok := new(big.Int).SetString(s, 16)
		if !ok || len(s) > m.hex || s[0] == '-' || s[0] == '+' {
			return value.Value{}, errNumber(env)
		}
		return NewNumber(n, 0)
	}
	return value.Value{}, sqlerr.NotSupported("TO_NUMBER with a format of digits")
}
