package datatype

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// reader reads a datetime by a format model ("String-to-Date Conversion Rules").
type reader struct {
	s string // what is left
	t Type

	full     bool            // the last number had all its digits
	seen     map[string]bool // which elements were given
	y, mon   int
	day      int
	hour     int
	minute   int
	second   int
	fraction int64 // ticks
	tzh, tzm int
	tzNeg    bool
	radix    string
}

// ParseDate is TO_DATE, TO_TIMESTAMP or TO_TIMESTAMP_TZ of text, for t DATE, TIMESTAMP
// or TIMESTAMP WITH TIME ZONE, by a format model. Fields that the model lacks default to the first day
// of the current month, midnight and the session's time zone.
func ParseDate(text, model string, t Type, env *Env) (value.Value, error) {
	list, err := parseDateModel(model)
	if err != nil {
		return value.Value{}, err
	}
	today := ClockOf(env.Now)
	r := &reader{s: text, t: t, y: today.Year, mon: today.Month, day: 1, seen: make(map[string]bool), radix: env.localNumber(".")}
	for i, e := range list {
		if err := r.check(e); err != nil {
			return value.Value{}, err
		}
		var next *element
		if i+1 < len(list) {
			next = &list[i+1]
		}
		if r.s == "" && omissible(list[i:]) {
			break
		}
		if e.code == "" {
			err = r.literal(e, next)
		} else {
			err = r.element(e)
		}
		if err != nil {
			return value.Value{}, err
		}
	}
	if strings.TrimRight(r.s, " ") != "" {
		return value.Value{}, message.ORA(1830)
	}
	return r.result(env)
}

// omissible reports whether the text may end before these elements: time fields at the
// end and the literals between them.
func omissible(list []element) bool {
	for _, e := range list {
		switch e.code {
		case "", "HH24", "MI", "SS", "X", "TZH", "TZM":
		default:
			if !strings.HasPrefix(e.code, "FF") {
				return false
			}
		}
	}
	return true
}

// check refuses elements that are for output only, for another type, or given twice.
func (r *reader) check(e element) error {
	code := e.code
	switch {
	case code == "":
		return nil
	case strings.HasPrefix(code, "FF") || code == "X":
		if r.t.ID == Date {
			return message.ORA(1821)
		}
		code = code[:min(2, len(code))]
	case code == "TZH" || code == "TZM":
		if r.t.ID != TimestampTZ {
			return message.ORA(1821)
		}
	case code != "YYYY" && code != "MM" && code != "DD" && code != "HH24" && code != "MI" && code != "SS":
		return sqlerr.NotSupported("the datetime format element %s of text", code)
	}
	if r.seen[code] {
		if code != "DD" {
			return sqlerr.NotSupported("a datetime format with %s twice", code)
		}
		return message.ORA(1810)
	}
	r.seen[code] = true
	return nil
}

func (r *reader) blanks() { r.s = strings.TrimLeft(r.s, " \t") }

// literal matches any punctuation in place of the model's, unless FX is on; it may be missing
// after a number with all its digits, or where letters and digits meet.
func (r *reader) literal(e element, next *element) error {
	if e.quoted {
		if !strings.HasPrefix(r.s, e.text) {
			return message.ORA(1861)
		}
		r.s = r.s[len(e.text):]
		return nil
	}
	if e.text == " " {
		if r.s != "" && !isAlnum(r.s[0]) {
			r.s = r.s[1:]
		}
		r.blanks()
		return nil
	}
	r.blanks()
	switch {
	case r.s == "":
		return message.ORA(1840)
	case !isAlnum(r.s[0]):
		r.s = r.s[1:]
	case next == nil || next.code == "" || !r.full || isDigit(r.s[0]) != next.isNumber():
		return message.ORA(1861)
	}
	return nil
}

// isNumber reports whether the element reads digits.
func (e *element) isNumber() bool {
	switch e.code {
	case "", "X", "TZH":
		return false
	}
	return true
}

// number reads up to width digits, exactly as many in FX without FM.
func (r *reader) number(e element, width int) (int, error) {
	r.blanks()
	n := 0
	for n < width && n < len(r.s) && isDigit(r.s[n]) {
		n++
	}
	switch {
	case n == 0 && r.s == "":
		return 0, message.ORA(1840)
	case n == 0:
		return 0, message.ORA(1858)
	}
	r.full = n == width
	v := atoi(r.s[:n])
	r.s = r.s[n:]
	return v, nil
}

// ranged reads a number between low and high.
func (r *reader) ranged(e element, width, low, high int, number int32, text string) (int, error) {
	n, err := r.number(e, width)
	if err == nil && (n < low || n > high) {
		err = sqlerr.New(number, "%s", text)
	}
	return n, err
}

func (r *reader) element(e element) (err error) {
	r.blanks()
	if r.s == "" {
		return message.ORA(1840)
	}
	switch e.code {
	case "YYYY":
		return r.readYear(e)
	case "MM":
		if isAlpha(r.s[0]) {
			return sqlerr.NotSupported("the name of a month in text")
		}
		r.mon, err = r.ranged(e, 2, 1, 12, 1843, "not a valid month")
	case "DD":
		r.day, err = r.ranged(e, 2, 1, 31, 1847, "day of month must be between 1 and last day of month")
	case "HH24":
		r.hour, err = r.ranged(e, 2, 0, 23, 1850, "hour must be between 0 and 23")
	case "MI":
		r.minute, err = r.ranged(e, 2, 0, 59, 1851, "minutes must be between 0 and 59")
	case "SS":
		r.second, err = r.ranged(e, 2, 0, 59, 1852, "seconds must be between 0 and 59")
	case "X":
		if r.s[0] != r.radix[0] && isAlnum(r.s[0]) {
			return message.ORA(1861)
		}
		r.s = r.s[1:]
	case "TZH":
		r.tzNeg = r.s[0] == '-'
		if r.s[0] == '-' || r.s[0] == '+' {
			r.s = r.s[1:]
		}
		r.tzh, err = r.ranged(e, 2, 0, 15, 1874, "time zone hour must be between -15 and 15")
	case "TZM":
		r.tzm, err = r.ranged(e, 2, 0, 59, 1875, "time zone minute must be between -59 and 59")
	default: // FF and FF1 to FF9
		return r.readFraction(e)
	}
	return err
}

func (r *reader) readYear(e element) (err error) {
	if r.s[0] == '-' {
		return sqlerr.NotSupported("years before 1")
	}
	if r.y, err = r.number(e, 4); err == nil && r.y == 0 {
		err = message.ORA(1841)
	}
	return err
}

func (r *reader) readFraction(e element) error {
	width := 9
	if len(e.code) == 3 {
		width = int(e.code[2] - '0')
	}
	n := 0
	for n < width && n < len(r.s) && isDigit(r.s[n]) {
		n++
	}
	if n == 0 {
		return message.ORA(1858)
	}
	ticks, err := fractionTicks(r.s[:n], 9)
	r.fraction, r.s, r.full = ticks, r.s[n:], n == width
	return err
}

func (r *reader) result(env *Env) (value.Value, error) {
	days, err := r.civil()
	if err != nil {
		return value.Value{}, err
	}
	ticks := days*TicksPerDay + int64(r.hour)*TicksPerHour + int64(r.minute)*TicksPerMinute +
		int64(r.second)*TicksPerSecond + r.fraction
	if r.t.ID != TimestampTZ {
		return value.NewTime(ticks, 0), nil
	}
	zone := env.Zone
	if r.seen["TZH"] || r.seen["TZM"] {
		zone = Zone{Offset: int16(r.tzh*60 + r.tzm)}
		if r.tzNeg {
			zone.Offset = -zone.Offset
		}
	}
	return zone.zoned(ticks)
}

func (r *reader) civil() (int64, error) {
	switch {
	case r.y < 1583 && r.mon == 2 && r.day == 29 && r.y%100 == 0 && r.y%400 != 0,
		r.y == 1582 && r.mon == 10 && r.day > 4 && r.day < 15:
		return 0, sqlerr.NotSupported("dates that the Julian and the Gregorian calendar do not share")
	case r.day > DaysIn(r.y, r.mon):
		return 0, message.ORA(1839)
	}
	return DaysOf(r.y, r.mon, r.day), nil
}
