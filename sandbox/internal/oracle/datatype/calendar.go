package datatype

import (
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Ticks in units of time.
const (
	TicksPerSecond = 10_000_000
	TicksPerMinute = 60 * TicksPerSecond
	TicksPerHour   = 60 * TicksPerMinute
	TicksPerDay    = 24 * TicksPerHour

	unixDays  = 719_162   // 1970-01-01, in days since 0001-01-01
	maxDays   = 3_652_059 // 10000-01-01
	gregorian = 577_735   // 1582-10-15
	julianDay = 1_721_426 // Julian day number of 0001-01-01 of the proleptic Gregorian calendar
)

// Clock is a date and time split into fields.
type Clock struct {
	Year, Month, Day     int
	Hour, Minute, Second int
	Ticks                int   // of 100 ns within the second
	Days                 int64 // since 0001-01-01
}

// ClockOf splits ticks since 0001-01-01 into fields.
func ClockOf(ticks int64) Clock {
	days, rest := ticks/TicksPerDay, ticks%TicksPerDay
	y, m, d := time.Unix((days-unixDays)*86400, 0).UTC().Date()
	return Clock{
		Year: y, Month: int(m), Day: d, Hour: int(rest / TicksPerHour), Minute: int(rest / TicksPerMinute % 60),
		Second: int(rest / TicksPerSecond % 60), Ticks: int(rest % TicksPerSecond), Days: days,
	}
}

// DaysOf returns the days from 0001-01-01 to a date.
func DaysOf(year, month, day int) int64 {
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix()/86400 + unixDays
}

// DaysIn returns the number of days of a month.
func DaysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// weekday returns 0 for Sunday.
func weekday(days int64) int { return int((days + 1) % 7) }

// InCalendar checks ticks that were computed: ORA-01841 above 9999; dates before
// 1582-10-15, where Oracle uses another calendar, are refused.
func InCalendar(ticks int64) error {
	switch days := floorDiv(ticks, TicksPerDay); {
	case days >= maxDays:
		return message.ORA(1841)
	case days < gregorian:
		return sqlerr.NotSupported("computing with dates before 1582-10-15")
	}
	return nil
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// AddMonths moves a date by whole months and keeps the time of day; ok is false if the
// month has no such day; then the month's last day is returned.
func AddMonths(ticks, months int64) (moved int64, ok bool, err error) {
	if err := InCalendar(ticks); err != nil {
		return 0, false, err
	}
	c := ClockOf(ticks)
	n := int64(c.Year)*12 + int64(c.Month) - 1 + months
	if n >= 10000*12 {
		return 0, false, message.ORA(1841)
	}
	if n < 1582*12 {
		return 0, false, sqlerr.NotSupported("computing with dates before 1582-10-15")
	}
	year, month := int(n/12), int(n%12)+1
	day := min(c.Day, DaysIn(year, month))
	moved = DaysOf(year, month, day)*TicksPerDay + ticks%TicksPerDay
	return moved, day == c.Day, InCalendar(moved)
}

// Local returns the local date and time of a datetime of type t, in ticks.
func Local(v value.Value, t Type) int64 {
	if t.ID == TimestampTZ {
		return v.N + int64(v.Aux)*TicksPerMinute
	}
	return v.N
}

// roundFraction rounds ticks to that many digits of a second, half up.
func roundFraction(ticks int64, scale int8) int64 {
	if scale >= 7 {
		return ticks
	}
	unit := int64(1)
	for range 7 - scale {
		unit *= 10
	}
	return floorDiv(ticks+unit/2, unit) * unit
}
