package datatype

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// numberModel is a number format model ("Number Format Elements").
type numberModel struct {
	whole    []byte // '9', '0' and ',' before the point
	frac     []byte // '9' and '0' after it
	point    bool
	dollar   bool
	blank    bool // B: a zero before the point is blank
	fm       bool
	exp      bool // EEEE
	hex      byte // 'X' or 'x', 0 for none
	text     byte // TM9: '9', TME: 'E', 0 for none
	sign     byte // 0: before the number if negative; 'S', 's' (at the end), 'M' MI, 'P' PR
	hexWidth int
	hexZero  bool
	local    bool // D and G, which are the session's characters, and not . and ,
}

func errModel() error { return sqlerr.New(1481, "invalid number format model") }

func parseNumberModel(model string) (numberModel, error) {
	var m numberModel
	up := fold(model)
	if strings.HasPrefix(up, "FM") {
		m.fm, up, model = true, up[2:], model[2:]
	}
	switch up {
	case "":
		return m, errModel()
	case "TM", "TM9":
		m.text = '9'
		return m, nil
	case "TME":
		m.text = 'E'
		return m, nil
	}
	if strings.Trim(up, "0X") == "" && strings.Contains(up, "X") {
		m.hex, m.hexWidth, m.hexZero = model[strings.IndexByte(up, 'X')], len(up), up[0] == '0'
		if strings.Contains(strings.TrimLeft(up, "0"), "0") {
			return m, errModel()
		}
		return m, nil
	}
	for i := 0; i < len(up); {
		c, rest := up[i], up[i:]
		step := 1
		switch {
		case c == '9' || c == '0':
			if m.point {
				m.frac = append(m.frac, c)
			} else {
				m.whole = append(m.whole, c)
			}
		case c == ',' || c == 'G':
			if m.point || len(m.whole) == 0 {
				return m, errModel()
			}
			m.whole = append(m.whole, ',')
			m.local = m.local || c == 'G'
		case c == '.' || c == 'D':
			if m.point {
				return m, errModel()
			}
			m.point = true
			m.local = m.local || c == 'D'
		case c == '$' && !m.dollar:
			m.dollar = true
		case c == 'B' && !m.blank:
			m.blank = true
		case strings.HasPrefix(rest, "EEEE") && !m.exp:
			m.exp, step = true, 4
		case rest == "MI" && m.sign == 0:
			m.sign, step = 'M', 2
		case rest == "PR" && m.sign == 0:
			m.sign, step = 'P', 2
		case c == 'S' && m.sign == 0 && i == 0:
			m.sign = 'S'
		case c == 'S' && m.sign == 0 && len(rest) == 1:
			m.sign = 's'
		case c == 'L' || c == 'C' || c == 'U' || c == 'V' || strings.HasPrefix(rest, "RN"):
			return m, sqlerr.NotSupported("number format element %s", rest)
		default:
			return m, errModel()
		}
		i += step
	}
	if len(m.whole)+len(m.frac) == 0 || m.local && strings.ContainsAny(up, ".,") {
		return m, errModel()
	}
	return m, nil
}

// FormatNumberAs is TO_CHAR of a NUMBER by a format model, ORA-01481 for a bad one; a
// number that does not fit becomes a row of #.
func FormatNumberAs(v value.Value, model string, env *Env) (string, error) {
	m, err := parseNumberModel(model)
	if err != nil {
		return "", err
	}
	s, err := m.format(v)
	if m.local || m.text != 0 {
		s = env.localNumber(s)
	}
	return s, err
}

func (m *numberModel) format(v value.Value) (string, error) {
	switch {
	case m.hex != 0:
		return m.formatHex(v)
	case m.text == '9':
		return FormatNumber(v), nil
	case m.text == 'E':
		if SignOf(v) == 0 {
			return "0E+00", nil
		}
		sign, digits, whole := significant(v)
		return sign + scientific(digits, whole, max(0, len(digits)-1), true), nil
	case m.exp:
		return m.formatExp(v)
	}
	return m.formatFixed(v)
}

// significant returns the digits of a NUMBER that is not 0, without zeros at their end,
// and how many of them count as before the point.
func significant(v value.Value) (sign, digits string, whole int) {
	if v.IsBig() {
		digits = v.Mantissa().String()
	} else {
		digits = strconv.FormatInt(v.N, 10)
	}
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	whole = len(digits) - int(v.Scale) // 0 of an Int
	return sign, strings.TrimRight(digits, "0"), whole
}

// width is the length of the result without FM.
func (m *numberModel) width() int {
	n := len(m.whole) + len(m.frac) + 1
	if m.point {
		n++
	}
	if m.dollar {
		n++
	}
	if m.exp {
		n += 5
	}
	if m.sign == 'P' {
		n++
	}
	return n
}

func (m *numberModel) overflow() string { return strings.Repeat("#", m.width()) }

func (m *numberModel) formatFixed(v value.Value) (string, error) {
	negative := SignOf(v) < 0
	r, err := RoundNumber(v, len(m.frac))
	if err != nil {
		return "", err
	}
	n, scale := parts(r)
	n = new(big.Int).Abs(new(big.Int).Mul(n, pow10(len(m.frac)-scale)))
	digits := n.String()
	if pad := len(m.frac) + 1 - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	whole, frac := digits[:len(digits)-len(m.frac)], digits[len(digits)-len(m.frac):]
	whole = strings.TrimLeft(whole, "0")
	body, fits := m.group(whole)
	if !fits {
		return m.overflow(), nil
	}
	if m.fm { // zeros at the end stay where the model has a 0 there or later
		keep := strings.LastIndexByte(string(m.frac), '0') + 1
		for len(frac) > keep && frac[len(frac)-1] == '0' {
			frac = frac[:len(frac)-1]
		}
	}
	zero := whole == ""
	switch {
	case m.blank && zero && !strings.Contains(string(m.whole), "0"):
		body = strings.TrimRight(body, "0")
		if n.Sign() == 0 && len(m.frac) == 0 {
			return strings.Repeat(" ", m.width())[:fmWidth(m)], nil
		}
	case zero && body == "" && len(m.frac) == 0:
		body = "0"
	}
	if m.point {
		body += "."
	}
	return m.finish(body+frac, negative), nil
}

func fmWidth(m *numberModel) int {
	if m.fm {
		return 0
	}
	return m.width()
}

// group puts digits into the model's places before the point, with the separators
// between them and the zeros it asks for.
func (m *numberModel) group(digits string) (string, bool) {
	var out []byte
	first := strings.IndexByte(string(m.whole), '0') // from here on every place has a digit
	i := len(digits) - 1
	for k := len(m.whole) - 1; k >= 0; k-- {
		forced := first >= 0 && k >= first
		switch {
		case m.whole[k] == ',':
			if i >= 0 || first >= 0 && k > first {
				out = append(out, ',')
			}
		case i >= 0:
			out = append(out, digits[i])
			i--
		case forced:
			out = append(out, '0')
		}
	}
	for l, r := 0, len(out)-1; l < r; l, r = l+1, r-1 {
		out[l], out[r] = out[r], out[l]
	}
	return string(out), i < 0
}

// finish adds sign, currency and blanks.
func (m *numberModel) finish(body string, negative bool) string {
	if m.dollar {
		body = "$" + body
	}
	pick := func(neg, pos string) string {
		if negative {
			return neg
		}
		return pos
	}
	switch m.sign {
	case 'S':
		body = pick("-", "+") + body
	case 's':
		body += pick("-", "+")
	case 'M':
		if m.fm {
			body += pick("-", "")
		} else {
			body += pick("-", " ")
		}
	case 'P':
		if m.fm {
			body = pick("<"+body+">", body)
		} else {
			body = pick("<"+body+">", " "+body+" ")
		}
	default:
		body = pick("-", "") + body
	}
	if m.fm {
		return body
	}
	return strings.Repeat(" ", max(0, m.width()-len(body))) + body
}

func (m *numberModel) formatExp(v value.Value) (string, error) {
	negative := SignOf(v) < 0
	if SignOf(v) == 0 {
		body := "0"
		if m.point {
			body += "." + strings.Repeat("0", len(m.frac))
		}
		return m.finish(body+"E+00", false), nil
	}
	_, digits, whole := significant(v)
	body := scientific(digits, whole, len(m.frac), true)
	if m.point && len(m.frac) == 0 {
		body = body[:1] + "." + body[1:]
	}
	return m.finish(body, negative), nil
}

func (m *numberModel) formatHex(v value.Value) (string, error) {
	r, err := RoundNumber(v, 0)
	if err != nil {
		return "", err
	}
	n, _ := parts(r)
	text := n.Text(16)
	if m.hex == 'X' {
		text = strings.ToUpper(text)
	}
	width := m.hexWidth + 1
	if n.Sign() < 0 || len(text) > m.hexWidth {
		return strings.Repeat("#", width), nil
	}
	if m.hexZero {
		text = strings.Repeat("0", m.hexWidth-len(text)) + text
	}
	if m.fm {
		return text, nil
	}
	return strings.Repeat(" ", width-len(text)) + text, nil
}

// ParseNumberAs is TO_NUMBER of text by a format model: ORA-01722 (06502 in PL/SQL) for
// text that is not of its form, ORA-01481 for a model that is none.
func ParseNumberAs(text, model string, env *Env) (value.Value, error) {
	m, err := parseNumberModel(model)
	if err != nil {
		return value.Value{}, err
	}
	s := strings.Trim(text, " ")
	if m.local {
		s = env.plainNumber(s)
	}
	if m.hex != 0 {
		n, ok := new(big.Int).SetString(strings.TrimLeft(s, "0")+"", 16)
		if strings.Trim(s, "0") == "" && s != "" {
			n, ok = new(big.Int), true
		}
		if !ok || len(s) > m.hexWidth || n.Sign() < 0 || s[0] == '+' {
			return value.Value{}, errNumber(env)
		}
		return NewNumber(n, 0)
	}
	if m.text != 0 {
		return value.Value{}, errModel()
	}
	if m.exp {
		v, ok := ParseNumber(s)
		if !ok {
			return v, errNumber(env)
		}
		return v, nil
	}
	s, negative, ok := m.unsign(s)
	if !ok {
		return value.Value{}, errNumber(env)
	}
	if m.dollar {
		s = strings.TrimPrefix(s, "$")
	}
	whole, frac, hasPoint := strings.Cut(s, ".")
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

// unsign takes the sign off, where the model has it.
func (m *numberModel) unsign(s string) (rest string, negative, ok bool) {
	switch {
	case s == "":
		return s, false, false
	case m.sign == 'P':
		if s[0] == '<' && s[len(s)-1] == '>' {
			return s[1 : len(s)-1], true, true
		}
		return s, false, true
	case m.sign == 's' || m.sign == 'M':
		last := s[len(s)-1]
		if last == '-' || last == '+' && m.sign == 's' {
			return s[:len(s)-1], last == '-', true
		}
		return s, false, m.sign == 'M'
	case m.sign == 'S' && s[0] != '-' && s[0] != '+':
		return s, false, true
	case s[0] == '-' || s[0] == '+':
		return s[1:], s[0] == '-', true
	}
	return s, false, true
}

// matches reports whether the digits and separators before the point are the model's, from the right.
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
