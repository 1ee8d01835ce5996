package datatype

import (
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// NoStyle is the style of CAST and of CONVERT with two arguments. It is not 0:
// date, time, datetime2 and datetimeoffset format as 121 without a style.
const NoStyle = -1

// dateStyle is a CONVERT style: how the date and the time of day are written.
// Y yyyy, M mm, D dd, d day padded with a space, N Jan; H 00-23, h 12-hour padded
// with a space, I minutes, S seconds, F .nnn, G .nnn unless zero, A AM or PM; anything else stands for itself.
type dateStyle struct{ date, between, time string }

// dateStyles are the styles of CONVERT that are modeled (learn.microsoft.com "CAST and CONVERT", date and time styles).
var dateStyles = map[int]dateStyle{
	0: {"N d Y", " ", "h:IA"}, 100: {"N d Y", " ", "h:IA"}, 101: {"M/D/Y", "", ""}, 103: {"D/M/Y", "", ""}, 104: {"D.M.Y", "", ""},
	8: {"", "", "H:I:S"}, 108: {"", "", "H:I:S"}, 112: {"YMD", "", ""}, 20: {"Y-M-D", " ", "H:I:S"}, 120: {"Y-M-D", " ", "H:I:S"},
	21: {"Y-M-D", " ", "H:I:SF"}, 121: {"Y-M-D", " ", "H:I:SF"}, 25: {"Y-M-D", " ", "H:I:SF"}, 23: {"Y-M-D", "", ""},
	126: {"Y-M-D", "T", "H:I:SG"}, 127: {"Y-M-D", "T", "H:I:SG"},
}

// MonthNames are the months of us_english.
var MonthNames = [...]string{"January", "February", "March", "April", "May", "June", "July",
	"August", "September", "October", "November", "December"}

// formatDateTime writes a date or time value of type from in a style; to is only for messages.
func formatDateTime(v value.Value, from, to Type, style int) (string, error) {
	if style == NoStyle {
		style = 121
		if from.ID == DateTime {
			style = 0
		}
	}
	s, ok := dateStyles[style]
	if !ok {
		return "", sqlerr.NotSupported("dates written in style %d", style)
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
		case 'F', 'G':
			if c.Ticks != 0 || layout[i] == 'F' {
				b = appendFraction(b, c, t)
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
func appendFraction(b []byte, c Clock, t Type) []byte {
	digits := secondDigits(t)
	if digits == 0 {
		return b
	}
	n := c.Ticks
	if t.ID == DateTime {
		n += 5000 // to the nearest millisecond
	}
	b = append(b, '.')
	for i := range int(digits) {
		b = append(b, '0'+byte(int64(n)/pow10s[6-i]%10))
	}
	return b
}
