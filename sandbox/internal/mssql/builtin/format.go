package builtin

import (
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// maxMessage is the longest message; longer ones end in an ellipsis
// (learn.microsoft.com "RAISERROR (Transact-SQL)").
const maxMessage = 2047

// FormatMessage puts arguments into a message of RAISERROR or FORMATMESSAGE:
// %[flags][width][.precision][h|l|I64]type with types d i o s u x X, %% for a percent
// sign; a missing or NULL argument shows as (null). Errors: 2786 an argument of the
// wrong type, 2787 a bad format, 2748 a type that no format takes.
func FormatMessage(format string, args []value.Value, types []datatype.Type) (string, error) {
	for i, t := range types {
		switch {
		case t.IsInteger(), t.IsCharacter(), t.IsBinary(), t.ID == datatype.Untyped, t.ID == datatype.Bit:
		default:
			return "", sqlerr.New(2748, "Cannot specify %s data type (parameter %d) as a substitution parameter.", t.Name(), i+1)
		}
	}
	p := printer{args: args, types: types}
	for i := 0; i < len(format); {
		if format[i] != '%' {
			next := strings.IndexByte(format[i:], '%')
			if next < 0 {
				next = len(format) - i
			}
			p.out.WriteString(format[i : i+next])
			i += next
			continue
		}
		n, err := p.verb(format[i:])
		if err != nil {
			return "", err
		}
		i += n
	}
	s := p.out.String()
	if charset.Len16(s) > maxMessage {
		s = charset.Sub16(s, 0, maxMessage-3) + "..."
	}
	return s, nil
}

type printer struct {
	out   strings.Builder
	args  []value.Value
	types []datatype.Type
	next  int
}

// verb writes one format specification and returns its length.
func (p *printer) verb(s string) (int, error) {
	i := 1
	bad := func() error {
		return sqlerr.New(2787, "Invalid format specification: '%s'.", s[:min(len(s), i+1)])
	}
	if len(s) > 1 && s[1] == '%' {
		p.out.WriteByte('%')
		return 2, nil
	}
	var minus, plus, zero, alt, blank bool
flags:
	for ; i < len(s); i++ {
		switch s[i] {
		case '-':
			minus = true
		case '+':
			plus = true
		case '0':
			zero = true
		case '#':
			alt = true
		case ' ':
			blank = true
		default:
			break flags
		}
	}
	width, i, err := p.number(s, i)
	if err != nil {
		return 0, err
	}
	precision := -1
	if i < len(s) && s[i] == '.' {
		if precision, i, err = p.number(s, i+1); err != nil {
			return 0, err
		}
	}
	size64 := false
	switch {
	case strings.HasPrefix(s[i:], "I64"):
		size64 = true
		i += 3
	case i < len(s) && (s[i] == 'h' || s[i] == 'l'):
		i++
	}
	if i == len(s) {
		return 0, bad()
	}
	var text string
	switch c := s[i]; c {
	case 'd', 'i', 'u', 'o', 'x', 'X':
		if text, err = p.integer(c, size64, plus, blank, alt, precision); err != nil {
			return 0, err
		}
	case 's':
		if text, err = p.string(precision); err != nil {
			return 0, err
		}
		zero = false
	default:
		return 0, bad()
	}
	p.out.WriteString(pad(text, width, minus, zero && precision < 0))
	return i + 1, nil
}

// number reads digits or a * that takes its number from the arguments.
func (p *printer) number(s string, i int) (n, end int, err error) {
	if i < len(s) && s[i] == '*' {
		if p.next < len(p.args) {
			if n, err = p.arg64Int(); err != nil {
				return 0, 0, err
			}
		}
		return n, i + 1, nil
	}
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = min(n*10+int(s[i]-'0'), maxMessage)
	}
	return n, i, nil
}

func (p *printer) arg64Int() (int, error) {
	v, t := p.args[p.next], p.types[p.next]
	p.next++
	if !t.IsInteger() && t.ID != datatype.Bit {
		return 0, p.mismatch()
	}
	return int(min(v.N, maxMessage)), nil
}

func (p *printer) mismatch() error {
	return sqlerr.New(2786, "The data type of substitution parameter %d does not match the expected type of the format specification.", p.next)
}

const missing = "(null)"

func (p *printer) integer(verb byte, size64, plus, blank, alt bool, precision int) (string, error) {
	if p.next >= len(p.args) {
		p.next++
		return missing, nil
	}
	v, t := p.args[p.next], p.types[p.next]
	p.next++
	if !t.IsInteger() && t.ID != datatype.Bit && t.ID != datatype.Untyped || t.ID == datatype.BigInt && !size64 {
		return "", p.mismatch()
	}
	if v.IsNull() {
		return missing, nil
	}
	u := uint64(v.N)
	if !size64 {
		u = uint64(uint32(v.N))
	}
	var sign, digits string
	switch verb {
	case 'd', 'i':
		u = uint64(v.N)
		switch {
		case v.N < 0:
			sign, u = "-", -u
		case plus:
			sign = "+"
		case blank:
			sign = " "
		}
		digits = strconv.FormatUint(u, 10)
	case 'u':
		digits = strconv.FormatUint(u, 10)
	case 'o':
		digits = strconv.FormatUint(u, 8)
		if alt {
			sign = "0"
		}
	default:
		digits = strconv.FormatUint(u, 16)
		if alt {
			sign = "0x"
		}
		if verb == 'X' {
			digits, sign = strings.ToUpper(digits), strings.ToUpper(sign)
		}
	}
	return sign + strings.Repeat("0", max(0, precision-len(digits))) + digits, nil
}

func (p *printer) string(precision int) (string, error) {
	if p.next >= len(p.args) {
		p.next++
		return missing, nil
	}
	v, t := p.args[p.next], p.types[p.next]
	p.next++
	if !t.IsCharacter() && !t.IsBinary() && t.ID != datatype.Untyped {
		return "", p.mismatch()
	}
	if v.IsNull() {
		return missing, nil
	}
	s := v.Str()
	if t.IsBinary() {
		w, err := datatype.Convert(v, t, varchar(datatype.Max), 1, datatype.Explicit)
		if err != nil {
			return "", err
		}
		s = w.Str()
	}
	if precision >= 0 {
		s = charset.Sub16(s, 0, precision)
	}
	return s, nil
}

// pad brings text to a width: to the left, to the right, or with zeros after the sign.
func pad(s string, width int, left, zero bool) string {
	n := width - charset.Len16(s)
	switch {
	case n <= 0:
		return s
	case left:
		return s + strings.Repeat(" ", n)
	case zero && s != missing:
		sign := 0
		if s[0] == '-' || s[0] == '+' || s[0] == ' ' {
			sign = 1
		}
		return s[:sign] + strings.Repeat("0", n) + s[sign:]
	}
	return strings.Repeat(" ", n) + s
}
