package datatype

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// reader reads a datetime by a format model ("String-to-Date Conversion Rules").
type reader struct {
	s    string // what is left
	year int    // of today
	t    Type

	full     bool            // the last number had all its digits
	seen     map[string]bool // which fields were given, by their common names
	y, mon   int
	day      int
	yearDay  int
	julian   int64
	weekday  int // 1 to 7
	hour     int
	minute   int
	second   int
	fraction int64 // ticks
	pm       bool
	tzh, tzm int
	tzNeg    bool
	zone     Zone
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
	r := &reader{s: text, t: t, year: today.Year, y: today.Year, mon: today.Month, day: 1, seen: make(map[string]bool), radix: env.localNumber(".")}
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
			err = r.element(e, next)
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
		case "", "HH", "HH12", "HH24", "MI", "SS", "SSSSS", "AM", "PM", "A.M.", "P.M.", "X", "TZH", "TZM", "TZR":
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
	group := e.code
	switch e.code {
	case "":
		return nil
	case "Q", "WW", "W", "IW", "IYYY", "CC":
		return message.ORA(1820)
	case "YYY", "Y":
		return sqlerr.NotSupported("the datetime format element %s of text", e.code)
	case "TZH", "TZM", "TZR":
		if r.t.ID != TimestampTZ {
			return message.ORA(1821)
		}
	case "YYYY", "YY", "RR", "RRRR":
		group = "year"
		if r.seen[group] {
			return message.ORA(1812)
		}
	case "MM", "MON", "MONTH":
		group = "month"
		if r.seen[group] {
			return message.ORA(1816)
		}
	case "HH", "HH12", "HH24":
		group = "hour"
		if r.seen[group] {
			return message.ORA(1813)
		}
	case "AM", "PM", "A.M.", "P.M.":
		group = "meridian"
	case "D", "DAY", "DY":
		group = "weekday"
		if r.seen[group] {
			return message.ORA(1817)
		}
	}
	if strings.HasPrefix(e.code, "FF") || e.code == "X" {
		if r.t.ID == Date {
			return message.ORA(1821)
		}
	}
	if strings.HasPrefix(e.code, "FF") {
		group = "FF"
	}
	if r.seen[group] {
		return message.ORA(1810)
	}
	r.seen[group] = true
	if e.code == "HH24" && r.seen["meridian"] || group == "meridian" && r.seen["HH24"] {
		return message.ORA(1818)
	}
	if e.code == "HH24" {
		r.seen["HH24"] = true
	}
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
	case "", "MON", "MONTH", "DAY", "DY", "AM", "PM", "A.M.", "P.M.", "X", "TZR", "TZH":
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

// word reads one of several words, longest match first, and returns its index or -1.
func (r *reader) word(words []string, short int) int {
	up := fold(r.s)
	for i, w := range words {
		if strings.HasPrefix(up, w) {
			r.s = r.s[len(w):]
			return i
		}
	}
	for i, w := range words {
		if short > 0 && strings.HasPrefix(up, w[:min(short, len(w))]) {
			r.s = r.s[min(short, len(w)):]
			return i
		}
	}
	return -1
}

func (r *reader) element(e element, next *element) (err error) {
	r.blanks()
	if r.s == "" {
		return message.ORA(1840)
	}
	switch e.code {
	case "YYYY", "YY", "RR", "RRRR":
		return r.readYear(e, next)
	case "MM":
		if isAlpha(r.s[0]) {
			return r.month()
		}
		r.mon, err = r.ranged(e, 2, 1, 12, 1843, "not a valid month")
	case "MON", "MONTH":
		return r.month()
	case "DD":
		r.day, err = r.ranged(e, 2, 1, 31, 1847, "day of month must be between 1 and last day of month")
	case "DDD":
		r.yearDay, err = r.ranged(e, 3, 1, 366, 1848, "day of year must be between 1 and 365 (366 for leap year)")
	case "J":
		var n int
		n, err = r.ranged(e, 7, 1, 5373484, 1854, "julian date must be between 1 and 5373484")
		r.julian = int64(n)
	case "D":
		r.weekday, err = r.ranged(e, 1, 1, 7, 1846, "not a valid day of the week")
	case "DAY", "DY":
		i := r.word(dayNames[:], 3)
		if i < 0 {
			return message.ORA(1846)
		}
		r.weekday, r.full = i+1, true
	case "HH", "HH12":
		r.hour, err = r.ranged(e, 2, 1, 12, 1849, "hour must be between 1 and 12")
	case "HH24":
		r.hour, err = r.ranged(e, 2, 0, 23, 1850, "hour must be between 0 and 23")
	case "MI":
		r.minute, err = r.ranged(e, 2, 0, 59, 1851, "minutes must be between 0 and 59")
	case "SS":
		r.second, err = r.ranged(e, 2, 0, 59, 1852, "seconds must be between 0 and 59")
	case "SSSSS":
		var n int
		n, err = r.ranged(e, 5, 0, 86399, 1853, "seconds in day must be between 0 and 86399")
		r.hour, r.minute, r.second = n/3600, n/60%60, n%60
	case "AM", "PM", "A.M.", "P.M.":
		i := r.word([]string{"A" + e.code[1:], "P" + e.code[1:]}, 0)
		if i < 0 {
			return message.ORA(1855)
		}
		r.pm, r.full = i&1 == 1, true
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
	case "TZR":
		n := strings.IndexByte(r.s, ' ')
		if n < 0 {
			n = len(r.s)
		}
		r.zone, err = ParseZone(r.s[:n])
		r.s = r.s[n:]
	default: // FF and FF1 to FF9
		return r.readFraction(e)
	}
	return err
}

// month reads a name, short or long whatever the element says.
func (r *reader) month() error {
	i := r.word(monthNames[:], 3)
	if i < 0 {
		return message.ORA(1843)
	}
	r.mon, r.full = i+1, true
	return nil
}

func (r *reader) readYear(e element, next *element) error {
	if r.s[0] == '-' {
		return sqlerr.NotSupported("years before 1")
	}
	century := r.year / 100 * 100
	width := min(len(e.code), 4)
	digits := 0
	for digits < len(r.s) && isDigit(r.s[digits]) {
		digits++
	}
	// Where two digits do not match, four are tried: YY reads YYYY, RR reads RRRR.
	if width == 2 && digits == 4 && (next == nil || !next.isNumber()) {
		width = 4
	}
	n, err := r.number(e, width)
	if err != nil {
		return err
	}
	switch {
	case width == 4 && (e.code != "RRRR" || digits > 2):
		r.y = n
	case e.code == "RR" || e.code == "RRRR": // "The RR Datetime Format Element"
		r.y = century + n
		if this := r.year % 100; this < 50 && n >= 50 {
			r.y -= 100
		} else if this >= 50 && n < 50 {
			r.y += 100
		}
	default:
		r.y = century + n
	}
	if r.y == 0 {
		return message.ORA(1841)
	}
	return nil
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
	if r.pm || r.seen["meridian"] {
		r.hour = r.hour % 12
		if r.pm {
			r.hour += 12
		}
	}
	days, err := r.days()
	if err != nil {
		return value.Value{}, err
	}
	ticks := days*TicksPerDay + int64(r.hour)*TicksPerHour + int64(r.minute)*TicksPerMinute +
		int64(r.second)*TicksPerSecond + r.fraction
	if r.t.ID != TimestampTZ {
		return value.NewTime(ticks, 0), nil
	}
	zone := env.Zone
	switch {
	case r.seen["TZR"]:
		zone = r.zone
	case r.seen["TZH"] || r.seen["TZM"]:
		zone = Zone{Offset: int16(r.tzh*60 + r.tzm)}
		if r.tzNeg {
			zone.Offset = -zone.Offset
		}
	}
	return zone.zoned(ticks)
}

func (r *reader) days() (int64, error) {
	var days int64
	switch {
	case r.julian > 0:
		days = r.julian - julianDay
		if days < gregorian {
			return 0, sqlerr.NotSupported("Julian days before 1582-10-15")
		}
	case r.yearDay > 0:
		days = DaysOf(r.y, 1, 1) + int64(r.yearDay) - 1
		if r.yearDay == 366 && DaysIn(r.y, 2) == 28 {
			return 0, message.ORA(1848)
		}
		c := ClockOf(days * TicksPerDay)
		if r.seen["month"] && c.Month != r.mon || r.seen["DD"] && c.Day != r.day {
			return 0, message.ORA(1834)
		}
	default:
		return r.civil()
	}
	return days, r.checkWeekday(days)
}

func (r *reader) civil() (int64, error) {
	switch {
	case r.y < 1583 && r.mon == 2 && r.day == 29 && r.y%100 == 0 && r.y%400 != 0,
		r.y == 1582 && r.mon == 10 && r.day > 4 && r.day < 15:
		return 0, sqlerr.NotSupported("dates that the Julian and the Gregorian calendar do not share")
	case r.day > DaysIn(r.y, r.mon):
		return 0, message.ORA(1839)
	}
	days := DaysOf(r.y, r.mon, r.day)
	return days, r.checkWeekday(days)
}

func (r *reader) checkWeekday(days int64) error {
	if r.weekday > 0 && weekday(days)+1 != r.weekday {
		return message.ORA(1835)
	}
	return nil
}
