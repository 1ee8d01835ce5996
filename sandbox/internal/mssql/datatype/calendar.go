package datatype

import "time"

// The proleptic Gregorian calendar, years 1 to 9999, in ticks of 100 ns since
// 0001-01-01.

// Ticks in units of time.
const (
	TicksPerSecond = 10_000_000
	TicksPerMinute = 60 * TicksPerSecond
	TicksPerHour   = 60 * TicksPerMinute
	TicksPerDay    = 24 * TicksPerHour

	maxDay    = 3652058 // 9999-12-31
	maxTicks  = (maxDay+1)*TicksPerDay - 1
	epochDay  = 693595 // 1900-01-01, day 0 of datetime
	epoch1900 = epochDay * TicksPerDay
)

// firstDay is 0001-01-01 in days since 1970.
const firstDay = -719162

// DayNumber returns the days from 0001-01-01 to a date, which must be valid.
func DayNumber(year, month, day int) int64 {
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix()/(24*60*60) - firstDay
}

// DaysIn returns the number of days of a month.
func DaysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// ValidDate reports whether the three numbers are a date from 0001-01-01 to 9999-12-31.
func ValidDate(year, month, day int) bool {
	return year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= DaysIn(year, month)
}

// CivilDate returns the date of a day number.
func CivilDate(n int64) (year, month, day int) {
	y, m, d := time.Unix((n+firstDay)*24*60*60, 0).UTC().Date()
	return y, int(m), d
}

// Clock is a date and time split into its parts.
type Clock struct {
	Year, Month, Day     int
	Hour, Minute, Second int
	Ticks                int // of 100 ns within the second
	DayNumber            int64
}

// ClockOf splits ticks since 0001-01-01 into parts.
func ClockOf(ticks int64) Clock {
	c := ClockOfDay(ticks % TicksPerDay)
	c.DayNumber = ticks / TicksPerDay
	c.Year, c.Month, c.Day = CivilDate(c.DayNumber)
	return c
}

// ClockOfDay splits ticks since midnight into parts.
func ClockOfDay(ticks int64) Clock {
	return Clock{
		Hour: int(ticks / TicksPerHour), Minute: int(ticks / TicksPerMinute % 60),
		Second: int(ticks / TicksPerSecond % 60), Ticks: int(ticks % TicksPerSecond),
	}
}

// DateTicks returns the ticks of midnight of a valid date.
func DateTicks(year, month, day int) int64 { return DayNumber(year, month, day) * TicksPerDay }

// roundSecond rounds ticks to that many digits of a second, half up.
func roundSecond(ticks int64, scale uint8) int64 {
	if scale >= 7 {
		return ticks
	}
	unit := pow10s[7-scale]
	return (ticks + unit/2) / unit * unit
}

// to300 converts ticks to datetime's 1/300 seconds, rounded.
func to300(ticks int64) int64 { return (ticks*3 + 50_000) / 100_000 }

// from300 converts 1/300 seconds to ticks, rounded.
func from300(n int64) int64 { return (n*100_000 + 1) / 3 }

// RoundDateTime rounds ticks to datetime's 1/300 seconds.
func RoundDateTime(ticks int64) int64 {
	day := ticks / TicksPerDay * TicksPerDay
	return day + from300(to300(ticks-day))
}
