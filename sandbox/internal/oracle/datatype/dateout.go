package datatype

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// FormatDate is TO_CHAR of a datetime by a format model.
func FormatDate(v value.Value, t Type, model string, env *Env) (string, error) {
	list, err := parseDateModel(model)
	if err != nil {
		return "", err
	}
	c := ClockOf(Local(v, t))
	var b strings.Builder
	for _, e := range list {
		if e.code == "" {
			b.WriteString(e.text)
			continue
		}
		if e.code == "X" {
			b.WriteString(env.localNumber("."))
			continue
		}
		s, err := formatElement(e, c, v, t)
		if err != nil {
			return "", err
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

func formatElement(e element, c Clock, v value.Value, t Type) (string, error) {
	num := func(n, width int) (string, error) {
		if e.fm {
			width = 1
		}
		return fmt.Sprintf("%0*d", width, n), nil
	}
	name := func(s string, width int) (string, error) {
		s = likeCase(s, e.text)
		if !e.fm {
			s = fmt.Sprintf("%-*s", width, s)
		}
		return s, nil
	}
	if c.Days < gregorian {
		switch e.code {
		case "D", "DAY", "DY", "J", "IW", "IYYY":
			return "", sqlerr.NotSupported("week days before 1582-10-15")
		}
	}
	switch e.code {
	case "FF", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6", "FF7", "FF8", "FF9", "X":
		if t.ID == Date {
			return "", message.ORA(1821)
		}
	case "TZH", "TZM", "TZR":
		if t.ID != TimestampTZ {
			return "", message.ORA(1821)
		}
	}
	yearDay := int(c.Days-DaysOf(c.Year, 1, 1)) + 1
	switch e.code {
	case "YYYY", "RRRR":
		return num(c.Year, 4)
	case "YY", "RR":
		return num(c.Year%100, 2)
	case "CC":
		return num((c.Year+99)/100, 2)
	case "YYY":
		return num(c.Year%1000, 3)
	case "Y":
		return num(c.Year%10, 1)
	case "IYYY", "IW": // the year and the week of ISO 8601 are those of the week's Thursday
		thursday := ClockOf((c.Days - c.Days%7 + 3) * TicksPerDay)
		if e.code == "IYYY" {
			return num(thursday.Year, 4)
		}
		return num(int(thursday.Days-DaysOf(thursday.Year, 1, 1))/7+1, 2)
	case "WW":
		return num((yearDay-1)/7+1, 2)
	case "W":
		return num((c.Day-1)/7+1, 1)
	case "Q":
		return num((c.Month+2)/3, 1)
	case "MM":
		return num(c.Month, 2)
	case "MON":
		return likeCase(monthNames[c.Month-1][:3], e.text), nil
	case "MONTH":
		return name(monthNames[c.Month-1], 9)
	case "D": // AMERICA's week starts on Sunday
		return num(weekday(c.Days)+1, 1)
	case "DD":
		return num(c.Day, 2)
	case "DDD":
		return num(yearDay, 3)
	case "DAY":
		return name(dayNames[weekday(c.Days)], 9)
	case "DY":
		return likeCase(dayNames[weekday(c.Days)][:3], e.text), nil
	case "J":
		return num(int(c.Days)+julianDay, 7)
	case "HH", "HH12":
		return num((c.Hour+11)%12+1, 2)
	case "HH24":
		return num(c.Hour, 2)
	case "MI":
		return num(c.Minute, 2)
	case "SS":
		return num(c.Second, 2)
	case "SSSSS":
		return num(c.Hour*3600+c.Minute*60+c.Second, 5)
	case "AM", "PM", "A.M.", "P.M.":
		half := map[bool]string{true: "A", false: "P"}[c.Hour < 12]
		return likeCase(half+e.code[1:], e.text), nil
	case "FF":
		return fraction(c.Ticks, int(t.Scale)), nil
	case "TZH":
		return fmt.Sprintf("%s%02d", zoneSign(v.Aux), abs(int(v.Aux))/60), nil
	case "TZM":
		return fmt.Sprintf("%02d", abs(int(v.Aux))%60), nil
	case "TZR":
		return strings.ToUpper(ZoneOf(v).String()), nil
	}
	return fraction(c.Ticks, int(e.code[2]-'0')), nil // FF1 to FF9
}

func abs(n int) int { return max(n, -n) }

func zoneSign(offset int16) string {
	if offset < 0 {
		return "-"
	}
	return "+"
}

// atoi converts a few digits.
func atoi(s string) int {
	n := 0
	for _, c := range []byte(s) {
		n = n*10 + int(c-'0')
	}
	return n
}
