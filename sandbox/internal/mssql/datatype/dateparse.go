package datatype

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Reading dates: learn.microsoft.com "datetime", "datetime2" (supported string literal
// formats) and "CAST and CONVERT" (styles as input). Language us_english, DATEFORMAT mdy.

// moment is what a date or time string says.
type moment struct {
	ticks   int64 // local, since 0001-01-01; 1900-01-01 where no date is given
	zone    int   // minutes
	hasZone bool
}

// dateErr classifies why a string is not a date.
type dateErr uint8

const (
	dateOK    dateErr = iota
	dateForm          // not the form of a date
	dateStyl          // not the form that the style asks for
	dateRange         // the right form, but no such date or time
)

// dateOrder is the order of day, month and year in a numeric date.
type dateOrder uint8

const (
	orderMDY dateOrder = iota
	orderDMY
	orderYMD
	orderAny // mdy, and ymd if the year comes first with four digits
)

// named matches the formats of dates that are not modeled.
var named = regexp.MustCompile(`(?i)\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d *[ap]m\b|:\d+:\d+:\d`)

// parseMoment reads s for conversion to the given type and style.
func parseMoment(s string, from, to Type, style int) (moment, error) {
	order := orderAny
	switch style {
	case NoStyle, 0, 100, 6, 106, 7, 107, 8, 108, 9, 109, 13, 113, 14, 114, 24:
	case 1, 101, 10, 110, 22:
		order = orderMDY
	case 3, 103, 4, 104, 5, 105:
		order = orderDMY
	case 2, 102, 11, 111, 12, 112, 20, 120, 21, 25, 121, 23, 126, 127:
		order = orderYMD
	case 130, 131:
		return moment{}, sqlerr.NotSupported("CONVERT style %d (Hijri calendar)", style)
	default:
		return moment{}, message.MS(9809, style, from.Name(), to.Name())
	}
	if named.MatchString(s) {
		return moment{}, sqlerr.NotSupported("dates with names of months, AM, PM or thousandths after a colon: '%s'", s)
	}
	p := dateParser{order: order, old: to.ID == DateTime || to.ID == SmallDateTime, iso: style == 126 || style == 127}
	m, bad := p.parse(strings.Trim(s, " "))
	switch {
	case bad == dateOK:
		return m, nil
	case bad == dateStyl && !p.old:
		return m, errDateStyle(style)
	case bad == dateRange && p.old:
		return m, errDateRange(from, to)
	case to.ID == SmallDateTime:
		return m, errSmallDateString()
	default:
		return m, errDateString()
	}
}

type dateParser struct {
	order dateOrder
	old   bool // for datetime and smalldatetime: fewer digits, no zone
	iso   bool // date and time must be joined by T
}

func (p *dateParser) parse(s string) (m moment, bad dateErr) {
	m.ticks = epoch1900
	if s == "" {
		return m, dateOK
	}
	var clock int64
	date, rest, isT := cutT(s)
	if isT {
		if m.zone, m.hasZone, rest, bad = p.zone(rest, true); bad != dateOK {
			return m, bad
		}
		if n := strings.Count(rest, ":"); n == 0 || n == 1 && p.old { // datetime must have all parts
			return m, dateForm
		}
		if clock, bad = p.clock(rest); bad != dateOK {
			return m, bad
		}
	} else {
		fields := strings.Fields(strings.ReplaceAll(s, ",", " "))
		if clock, fields, m.zone, m.hasZone, bad = p.timeFields(fields); bad != dateOK {
			return m, bad
		}
		date = strings.Join(fields, " ")
		if p.iso && date != "" && clock != 0 {
			return m, dateStyl
		}
	}
	if date != "" {
		day, bad := p.date(date)
		if bad != dateOK {
			return m, bad
		}
		m.ticks = day * TicksPerDay
	}
	m.ticks += clock
	return m, dateOK
}

// cutT splits yyyy-mm-ddThh… and yyyymmddThh….
func cutT(s string) (date, rest string, ok bool) {
	i := strings.IndexByte(s, 'T')
	if (i == 10 || i == 8) && s[0] >= '0' && s[0] <= '9' && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
		return s[:i], s[i+1:], true
	}
	return "", "", false
}

// zone removes a trailing Z or ±hh:mm from a time.
func (p *dateParser) zone(s string, tight bool) (minutes int, ok bool, rest string, bad dateErr) {
	if n := len(s); n > 0 && (s[n-1] == 'Z' || s[n-1] == 'z') {
		return 0, true, strings.TrimRight(s[:n-1], " "), dateOK
	}
	i := strings.LastIndexAny(s, "+-")
	if i < 0 || !tight && i > 0 {
		return 0, false, s, dateOK
	}
	if p.old {
		return 0, false, s, dateForm
	}
	h, m, found := strings.Cut(s[i+1:], ":")
	hh, err1 := strconv.Atoi(h)
	mm, err2 := strconv.Atoi(m)
	if !found || err1 != nil || err2 != nil || len(h) > 2 || len(m) != 2 || mm > 59 {
		return 0, false, s, dateForm
	}
	minutes = hh*60 + mm
	if minutes > 14*60 {
		return 0, false, s, dateRange
	}
	if s[i] == '-' {
		minutes = -minutes
	}
	return minutes, true, strings.TrimRight(s[:i], " "), dateOK
}

// timeFields finds the time of day and the zone among blank-separated fields and
// returns the others.
func (p *dateParser) timeFields(fields []string) (clock int64, rest []string, zone int, hasZone bool, bad dateErr) {
	seen := false
	for i := 0; i < len(fields); i++ {
		f := fields[i]
		if seen && (f[0] == '+' || f[0] == '-' || f == "Z" || f == "z") {
			if i != len(fields)-1 {
				return 0, nil, 0, false, dateForm
			}
			if zone, hasZone, _, bad = p.zone(f, false); bad != dateOK {
				return 0, nil, 0, false, bad
			}
			continue
		}
		if !strings.Contains(f, ":") {
			rest = append(rest, f)
			continue
		}
		if seen {
			return 0, nil, 0, false, dateForm
		}
		seen = true
		if !p.old {
			if zone, hasZone, f, bad = p.zone(f, true); bad != dateOK {
				return 0, nil, 0, false, bad
			}
		}
		if clock, bad = p.clock(f); bad != dateOK {
			return 0, nil, 0, false, bad
		}
	}
	return clock, rest, zone, hasZone, dateOK
}

// clock reads hh:mi[:ss[.fff]].
func (p *dateParser) clock(s string) (int64, dateErr) {
	var fraction string
	if whole, frac, ok := strings.Cut(s, "."); ok {
		s, fraction = whole, frac
		if fraction == "" {
			return 0, dateForm
		}
	}
	parts := strings.Split(s, ":")
	if len(parts) > 3 || len(parts) == 1 || fraction != "" && len(parts) < 3 {
		return 0, dateForm
	}
	limit := 7
	if p.old {
		limit = 3
	}
	if !allDigits(fraction) || len(fraction) > limit {
		return 0, dateForm
	}
	var n [3]int
	for i, part := range parts {
		if part == "" || len(part) > 2 || !allDigits(part) {
			return 0, dateForm
		}
		n[i], _ = strconv.Atoi(part)
	}
	if n[0] > 23 || n[1] > 59 || n[2] > 59 {
		return 0, dateRange
	}
	ticks := int64(n[0])*TicksPerHour + int64(n[1])*TicksPerMinute + int64(n[2])*TicksPerSecond
	if fraction != "" {
		f, _ := strconv.ParseInt(fraction, 10, 64)
		ticks += f * pow10s[7-len(fraction)]
	}
	return ticks, dateOK
}

// date reads a date without time and returns its day number.
func (p *dateParser) date(s string) (int64, dateErr) {
	if allDigits(s) {
		switch len(s) {
		case 8:
			return day(s[:4], s[4:6], s[6:])
		case 6:
			return day(s[:2], s[2:4], s[4:])
		case 4:
			return day(s, "01", "01")
		}
		return 0, dateForm
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '/' || r == '-' || r == '.' || r == ' ' })
	if len(parts) != 3 || strings.Contains(s, " ") && !strings.ContainsAny(s, "/-.") {
		return 0, dateForm
	}
	for _, part := range parts {
		if !allDigits(part) || len(part) > 4 || len(part) == 3 {
			return 0, dateForm
		}
	}
	yearFirst := len(parts[0]) == 4
	if yearFirst && (p.order == orderMDY || p.order == orderDMY) || !yearFirst && p.order == orderYMD && len(parts[2]) == 4 {
		return 0, dateStyl
	}
	switch {
	case yearFirst || p.order == orderYMD:
		return day(parts[0], parts[1], parts[2])
	case p.order == orderDMY:
		return day(parts[2], parts[1], parts[0])
	default:
		return day(parts[2], parts[0], parts[1])
	}
}

// day returns the day number of a date in digits; two-digit years are in 1950-2049.
func day(year, month, day string) (int64, dateErr) {
	y, err1 := strconv.Atoi(year)
	m, err2 := strconv.Atoi(month)
	d, err3 := strconv.Atoi(day)
	if err1 != nil || err2 != nil || err3 != nil || len(month) > 2 || len(day) > 2 {
		return 0, dateForm
	}
	if len(year) <= 2 {
		y += 1900
		if y < 1950 {
			y += 100
		}
	}
	if !ValidDate(y, m, d) {
		return 0, dateRange
	}
	return DayNumber(y, m, d), dateOK
}
