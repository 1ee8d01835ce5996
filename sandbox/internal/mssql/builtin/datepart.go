package builtin

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// DatePart is a part of a date or time, the first argument of DATEADD and similar functions.
type DatePart int

// The date parts.
const (
	Year DatePart = iota
	Quarter
	Month
	DayOfYear
	Day
	Hour
	Minute
	Second
	Millisecond
	Microsecond
)

var partNames = [...]string{"year", "quarter", "month", "dayofyear", "day", "hour", "minute",
	"second", "millisecond", "microsecond"}

var partAbbreviations = map[string]DatePart{
	"yy": Year, "yyyy": Year, "qq": Quarter, "q": Quarter, "mm": Month, "m": Month, "dy": DayOfYear, "y": DayOfYear,
	"dd": Day, "d": Day, "hh": Hour, "mi": Minute, "n": Minute,
	"ss": Second, "s": Second, "ms": Millisecond, "mcs": Microsecond,
}

// String returns the full name of the part.
func (p DatePart) String() string { return partNames[p] }

// ParseDatePart reads the name or abbreviation of a part; fn is the function whose
// argument it is, for error 155.
func ParseDatePart(name, fn string) (DatePart, error) {
	lower := strings.ToLower(name)
	for i, n := range partNames {
		if n == lower {
			return DatePart(i), nil
		}
	}
	if p, ok := partAbbreviations[lower]; ok {
		return p, nil
	}
	switch lower {
	case "tzoffset", "tz", "iso_week", "isowk", "isoww", "week", "wk", "ww", "weekday", "dw", "w", "nanosecond", "ns":
		return 0, sqlerr.NotSupported("date part %s", lower)
	}
	return 0, message.MS(155, name, fn)
}

// errPart is 9810: the type has no such part.
func errPart(p DatePart, fn string, t datatype.Type) error {
	return message.MS(9810, p, fn, t.Name())
}

// hasPart reports whether values of a type have a part.
func hasPart(p DatePart, t datatype.Type) bool {
	switch t.ID {
	case datatype.Date:
		return p < Hour
	case datatype.Time:
		return p >= Hour
	}
	return true
}

const (
	ticksPerMillisecond = datatype.TicksPerSecond / 1000
	ticksPerMicrosecond = ticksPerMillisecond / 1000
)

// unit is the length of a part below the day in ticks; 0 for the others.
func (p DatePart) unit() int64 {
	return map[DatePart]int64{
		Hour: datatype.TicksPerHour, Minute: datatype.TicksPerMinute, Second: datatype.TicksPerSecond, Millisecond: ticksPerMillisecond,
		Microsecond: ticksPerMicrosecond,
	}[p]
}

// part returns one part of a moment as DATEPART does.
func part(p DatePart, c datatype.Clock) int {
	if p == DayOfYear {
		return int(c.DayNumber-datatype.DayNumber(c.Year, 1, 1)) + 1
	}
	return map[DatePart]int{
		Year: c.Year, Quarter: (c.Month + 2) / 3, Month: c.Month, Day: c.Day, Hour: c.Hour, Minute: c.Minute, Second: c.Second,
		Millisecond: c.Ticks / ticksPerMillisecond, Microsecond: c.Ticks / ticksPerMicrosecond,
	}[p]
}
