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

// numberModel is a number format model ("Number Format Elements"): the elements 9 0 , G . D S MI PR $ L FM, and X for TO_NUMBER.
type numberModel struct {
	whole []byte // '9', '0' and ',' before the point
	frac  []byte // '9' and '0' after it
	point bool
	fm    bool
	hex   int    // number of Xs
	sign  string // S, MI or PR after the digits, -S before them
	money bool   // $, or L in FM
	local bool   // D and G are used, the session's characters, instead of . and ,
}

func parseNumberModel(model string) (numberModel, error) {
	var m numberModel
	up := fold(model)
	up, m.fm = strings.CutPrefix(up, "FM")
	if strings.HasSuffix(up, "X") && strings.Trim(up, "0X") == "" {
		m.hex = len(up)
		return m, nil
	}
	for _, sign := range []string{"S", "MI", "PR"} {
		if rest, ok := strings.CutSuffix(up, sign); ok {
			up, m.sign = rest, sign
			break
		}
	}
	if rest, ok := strings.CutPrefix(up, "S"); ok && m.sign == "" {
		up, m.sign = rest, "-S"
	}
	if rest, ok := strings.CutPrefix(up, "L"); ok && m.fm {
		up, m.money = rest, true // except in FM it is ten characters wide
	} else if rest, ok := strings.CutPrefix(up, "$"); ok {
		up, m.money = rest, true
	}
	for i := range len(up) {
		switch c := up[i]; {
		case c == '9' || c == '0':
			if m.point {
				m.frac = append(m.frac, c)
			} else {
				m.whole = append(m.whole, c)
			}
		case (c == ',' || c == 'G') && !m.point && len(m.whole) > 0:
			m.whole = append(m.whole, ',')
			m.local = m.local || c == 'G'
		case (c == '.' || c == 'D') && !m.point:
			m.point = true
			m.local = m.local || c == 'D'
		case strings.IndexByte("$BCELMPSTUVRX", c) >= 0:
			return m, sqlerr.NotSupported("number format element %s", up[i:])
		default:
			return m, message.ORA(1481)
		}
	}
	if len(m.whole)+len(m.frac) == 0 || m.local && strings.ContainsAny(up, ".,") {
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
	for _, more := range []bool{m.point, m.money, m.sign == "PR"} {
		if more {
			width++
		}
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
	if m.money {
		body = "$" + body
	}
	if m.point {
		body += "."
	}
	body = m.signed(body+frac, negative)
	if m.fm {
		return strings.Trim(body, " ")
	}
	return strings.Repeat(" ", max(0, width-len(body))) + body
}

// signed adds the sign, or the blank in its place, after the digits.
func (m *numberModel) signed(s string, negative bool) string {
	mark := map[bool]string{true: "-", false: "+"}[negative]
	switch {
	case m.sign == "-S" || negative && m.sign == "":
		return mark + s
	case m.sign == "S" || negative && m.sign == "MI":
		return s + mark
	case negative && m.sign == "PR":
		return "<" + s + ">"
	case m.sign != "":
		return s + " "
	}
	return s
}

// group puts digits into the model's places before the point, with the separators
// between them and the zeros it asks for.
func (m *numberModel) group(digits string) (string, bool) {
	var out []byte
	first := slices.Index(m.whole, '0') // from here on, every position has a digit
	i := len(digits) - 1
	for k := len(m.whole) - 1; k >= 0; k-- {
		switch {
		case m.whole[k] == ',':
			if i >= 0 || first >= 0 && k > first {
				out = append(out, ',')
			}
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
	if m.sign != "" {
		return value.Value{}, sqlerr.NotSupported("TO_NUMBER with the number format element %s", strings.TrimPrefix(m.sign, "-"))
	}
	if m.local {
		s = env.plainNumber(s)
	}
	rest, negative := strings.CutPrefix(s, "-")
	if !negative {
		rest = strings.TrimPrefix(s, "+")
	}
	rest, money := strings.CutPrefix(rest, "$")
	if m.money && !money {
		return value.Value{}, sqlerr.NotSupported("TO_NUMBER of text without the $ of its format")
	}
	if money && !m.money {
		return value.Value{}, errNumber(env)
	}
	whole, frac, hasPoint := strings.Cut(rest, ".")
	if hasPoint && !m.point || len(frac) > len(m.frac) || !m.matches(whole) || strings.Trim(frac, "0123456789") != "" || whole+frac == "" {
		return value.Value{}, errNumber(env)
	}
	v, ok := ParseNumber(strings.ReplaceAll(whole, ",", "") + "." + frac)
	if !ok {
		return v, errNumber(env)
	}
	if negative {
		v = NegateNumber(v)
	}
	return v, nil
}

// matches reports whether the digits and separators before the point match the model's, from the right.
func (m *numberModel) matches(s string) bool {
	if len(s) > len(m.whole) {
		return false
	}
	places := m.whole[len(m.whole)-len(s):]
	for i := range len(s) {
		if (s[i] == ',') != (places[i] == ',') || s[i] != ',' && !isDigit(s[i]) {
			return false
		}
	}
	return s == "" || s[0] != ','
}
