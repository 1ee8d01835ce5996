package datatype

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// NoStyle is the style of CAST and of CONVERT with two arguments. It is not 0:
// date, time, datetime2 and datetimeoffset format as 121 without a style.
const NoStyle = -1

// dateStyle is a CONVERT style: how the date and the time of day are written.
// Y yyyy, y yy, M mm, D dd, d day padded with a space, N Jan; H 00-23, h 12-hour padded
// with a space, I minutes, S seconds, f :mmm (.nnn for the types with a scale), F .nnn,
// G .nnn unless zero, A AM or PM; anything else stands for itself.
type dateStyle struct{ date, between, time string }

// dateStyles are the styles of CONVERT (learn.microsoft.com "CAST and CONVERT", date and time styles); those below 15 have a two-digit
// year, and with 100 added a four-digit year.
var dateStyles = map[int]dateStyle{
	0: {"N d Y", " ", "h:IA"}, 1: {"M/D/y", "", ""}, 2: {"y.M.D", "", ""}, 3: {"D/M/y", "", ""}, 4: {"D.M.y", "", ""},
	5: {"D-M-y", "", ""}, 6: {"D N y", "", ""}, 7: {"N D, y", "", ""}, 8: {"", "", "H:I:S"}, 9: {"N d Y", " ", "h:I:SfA"},
	10: {"M-D-y", "", ""}, 11: {"y/M/D", "", ""}, 12: {"yMD", "", ""}, 13: {"D N Y", " ", "H:I:Sf"}, 14: {"", "", "H:I:Sf"},
	20: {"Y-M-D", " ", "H:I:S"}, 21: {"Y-M-D", " ", "H:I:SF"}, 22: {"M/D/y", " ", "h:I:S A"}, 23: {"Y-M-D", "", ""},
	24: {"", "", "H:I:S"}, 25: {"Y-M-D", " ", "H:I:SF"}, 120: {"Y-M-D", " ", "H:I:S"}, 121: {"Y-M-D", " ", "H:I:SF"},
	126: {"Y-M-D", "T", "H:I:SG"}, 127: {"Y-M-D", "T", "H:I:SG"},
}

func dateStyleOf(style int) (s dateStyle, ok bool) {
	if s, ok = dateStyles[style]; !ok && style >= 100 && style <= 114 {
		s, ok = dateStyles[style-100], true
		s.date = strings.ReplaceAll(s.date, "y", "Y")
	}
	return s, ok
}

// MonthNames are the months of us_english.
var MonthNames = [...]string{"January", "February", "March", "April", "May", "June", "July",
	"August", "September", "October", "November", "December"}

// formatDateTime writes a date or time value of type from in a style; to is only for messages.
func formatDateTime(v value.Value, from, to Type, style int) (string, error) {
	if style == NoStyle {
		style = 121
		if from.ID == DateTime || from.ID == SmallDateTime {
			style = 0
		}
	}
	if style == 130 || style == 131 {
		return "", sqlerr.NotSupported("CONVERT style %d (Hijri calendar)", style)
	}
	s, ok := dateStyleOf(style)
	if !ok {
		return "", errStyle(style, from)
	}
	switch from.ID {
	case Date:
		s.time, s.between = "", ""
	case Time:
		s.date, s.between = "", ""
	}
	if s.date == "" && s.time == "" {
		return "", errConvertType(from, to)
	}
	ticks, zone := v.N, int(v.Aux)
	if from.ID == DateTimeOffset && style != 127 {
		ticks += int64(zone) * TicksPerMinute
	}
	var c Clock
	if from.ID == Time {
		c = ClockOfDay(ticks)
	} else {
		c = ClockOf(ticks)
	}
	b := appendClock(nil, c, s.date, from)
	b = append(b, s.between...)
	b = appendClock(b, c, s.time, from)
	if from.ID == DateTimeOffset && s.time != "" {
		switch style {
		case 127:
			b = append(b, 'Z')
		case 126:
			b = appendZone(b, zone)
		default:
			b = appendZone(append(b, ' '), zone)
		}
	}
	return string(b), nil
}

func appendZone(b []byte, minutes int) []byte {
	sign := byte('+')
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	b = append(b, sign)
	b = append2(b, minutes/60)
	return append2(append(b, ':'), minutes%60)
}

func append2(b []byte, n int) []byte { return append(b, '0'+byte(n/10), '0'+byte(n%10)) }

// appendPadded appends n in two places, a space before a single digit.
func appendPadded(b []byte, n int) []byte {
	if n < 10 {
		return append(b, ' ', '0'+byte(n))
	}
	return append2(b, n)
}

func appendClock(b []byte, c Clock, layout string, t Type) []byte {
	hour12 := (c.Hour+11)%12 + 1
	for i := range len(layout) {
		switch layout[i] {
		case 'Y':
			b = append2(append2(b, c.Year/100), c.Year%100)
		case 'y':
			b = append2(b, c.Year%100)
		case 'M':
			b = append2(b, c.Month)
		case 'D':
			b = append2(b, c.Day)
		case 'd':
			b = appendPadded(b, c.Day)
		case 'N':
			b = append(b, MonthNames[c.Month-1][:3]...)
		case 'H':
			b = append2(b, c.Hour)
		case 'h':
			b = appendPadded(b, hour12)
		case 'I':
			b = append2(b, c.Minute)
		case 'S':
			b = append2(b, c.Second)
		case 'f':
			mark := byte('.')
			if t.ID == DateTime || t.ID == SmallDateTime {
				mark = ':'
			}
			b = appendFraction(b, c, t, mark)
		case 'F':
			b = appendFraction(b, c, t, '.')
		case 'G':
			if c.Ticks != 0 {
				b = appendFraction(b, c, t, '.')
			}
		case 'A':
			if c.Hour < 12 {
				b = append(b, "AM"...)
			} else {
				b = append(b, "PM"...)
			}
		default:
			b = append(b, layout[i])
		}
	}
	return b
}

// appendFraction writes as many digits of the second as the type keeps; datetime's
// 1/300 seconds show as .000, .003, .007.
func appendFraction(b []byte, c Clock, t Type, mark byte) []byte {
	digits := secondDigits(t)
	if t.ID == SmallDateTime {
		digits = 3
	}
	if digits == 0 {
		return b
	}
	n := c.Ticks
	if t.ID == DateTime {
		n += 5000 // to the nearest millisecond
	}
	b = append(b, mark)
	for i := range int(digits) {
		b = append(b, '0'+byte(int64(n)/pow10s[6-i]%10))
	}
	return b
}
