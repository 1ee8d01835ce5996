package builtin

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

const day = datatype.TicksPerDay

func dateFuncs() []Func {
	return []Func{
		roundOrTrunc("ROUND", true),
		roundOrTrunc("TRUNC", false),
		{Name: "ADD_MONTHS", MinArgs: 2, MaxArgs: 2, NullIn: true, Result: fixed(tDate, tDate, tNumber), Eval: func(c *call) value.Value {
			d, n := c.as(0, tDate), c.whole(1, 0)
			if c.err != nil {
				return d
			}
			moved, _, err := datatype.AddMonths(d.N, n)
			if err != nil {
				return c.fail(err)
			}
			if lastDay(d.N) == d.N/day { // the last day of a month stays the last
				moved = lastDay(moved)*day + d.N%day
			}
			return value.NewTime(moved, 0)
		}},
		{Name: "LAST_DAY", MinArgs: 1, MaxArgs: 1, NullIn: true, Result: fixed(tDate, tDate), Eval: func(c *call) value.Value {
			d := c.as(0, tDate)
			return value.NewTime(lastDay(d.N)*day+d.N%day, 0)
		}},
		{Name: "NUMTODSINTERVAL", MinArgs: 2, MaxArgs: 2, NullIn: true, Result: fixed(tInterval, tNumber, tText), Eval: func(c *call) value.Value {
			return numToInterval(c, datatype.Day, datatype.Second)
		}},
		{Name: "FROM_TZ", MinArgs: 2, MaxArgs: 2, NullIn: true,
			Result: func(args []datatype.Type, _ bool) (datatype.Type, error) {
				if args[0].ID != datatype.Timestamp {
					return tTSTZ, datatype.ErrInconsistent("TIMESTAMP", args[0])
				}
				return datatype.Timestamps(datatype.TimestampTZ, args[0].Scale), check(args[1:], tText)
			},
			Eval: func(c *call) value.Value {
				zone, err := datatype.ParseZone(c.text(1))
				if err != nil {
					return c.fail(err)
				}
				here := *c.env
				here.Zone = zone
				v, err := datatype.Convert(c.args[0], c.types[0], tTSTZ, &here)
				if err != nil {
					return c.fail(err)
				}
				return v
			}},
		{Name: "SYS_EXTRACT_UTC", MinArgs: 1, MaxArgs: 1, NullIn: true,
			Result: func(args []datatype.Type, _ bool) (datatype.Type, error) {
				t := datatype.Timestamps(datatype.Timestamp, max(args[0].Scale, 0))
				if !args[0].IsDatetime() || args[0].ID == datatype.Date {
					return t, datatype.ErrInconsistent("TIMESTAMP WITH TIME ZONE", args[0])
				}
				return t, nil
			},
			Eval: func(c *call) value.Value { return value.NewTime(c.as(0, tTSTZ).N, 0) }},
	}
}

// lastDay returns the last day of the month, in days since 0001-01-01.
func lastDay(ticks int64) int64 {
	k := datatype.ClockOf(ticks)
	return k.Days + int64(datatype.DaysIn(k.Year, k.Month)-k.Day)
}

func numToInterval(c *call, low, high datatype.Field) value.Value {
	f, ok := datatype.ParseField(strings.TrimSpace(c.text(1)))
	if !ok || f < low || f > high {
		return c.fail(message.ORA(1760))
	}
	v, err := datatype.IntervalOf(c.number(0), f)
	if err != nil {
		return c.fail(err)
	}
	return v
}

// roundOrTrunc works on numbers with a number of digits, and on datetimes, which become
// DATEs, with a format model ("ROUND and TRUNC Date Functions").
func roundOrTrunc(name string, round bool) Func {
	return Func{Name: name, MinArgs: 1, MaxArgs: 2, NullIn: true,
		Result: func(args []datatype.Type, plsql bool) (datatype.Type, error) {
			if args[0].IsDatetime() {
				return tDate, check(args[1:], tText)
			}
			if len(args) > 1 {
				return tNumber, check(args, tNumber)
			}
			return numbers(args, plsql)
		},
		Eval: func(c *call) value.Value {
			if !c.types[0].IsDatetime() {
				return roundNumber(c, round)
			}
			unit := "DD"
			if len(c.args) > 1 {
				unit = strings.ToUpper(c.text(1))
			}
			n, err := roundDate(c.as(0, tDate).N, unit, round)
			if err != nil {
				return c.fail(err)
			}
			return value.NewTime(n, 0)
		},
	}
}

func roundNumber(c *call, round bool) value.Value {
	digits, v := c.whole(1, 0), c.number(0)
	if c.err != nil {
		return v
	}
	fn := datatype.TruncNumber
	if round {
		fn = datatype.RoundNumber
	}
	v, err := fn(v, int(max(min(digits, 400), -400)))
	if err != nil {
		return c.fail(err)
	}
	return v
}

// roundDate returns the start of the unit, or of the next one if round and t is past its middle.
func roundDate(t int64, unit string, round bool) (int64, error) {
	if err := datatype.InCalendar(t); err != nil {
		return 0, err
	}
	k := datatype.ClockOf(t)
	first := func(year, month int) int64 { return datatype.DaysOf(year, month, 1) * day }
	clock := func(size int64) (start, next, middle int64) {
		start = t / size * size
		return start, start + size, start + size/2
	}
	var start, next, middle int64 // from middle on, next is nearer
	switch unit {
	case "YYYY", "YEAR", "YY":
		start, next, middle = first(k.Year, 1), first(k.Year+1, 1), first(k.Year, 7)
	case "MONTH", "MON", "MM", "RM":
		start, next, middle = first(k.Year, k.Month), first(k.Year, k.Month+1), first(k.Year, k.Month)+15*day
	case "DDD", "DD", "J":
		start, next, middle = clock(day)
	case "HH", "HH12", "HH24":
		start, next, middle = clock(datatype.TicksPerHour)
	case "MI":
		start, next, middle = clock(datatype.TicksPerMinute)
	case "SS":
		return 0, message.ORA(1899)
	case "CC", "SCC", "SYYYY", "SYEAR", "YYY", "Y", "IYYY", "IYY", "IY", "I", "IW", "WW", "W", "DAY", "DY", "D", "Q":
		return 0, sqlerr.NotSupported("ROUND and TRUNC of a date to %s", unit)
	default:
		return 0, message.ORA(1898)
	}
	if round && t >= middle {
		start = next
	}
	return start, datatype.InCalendar(start)
}
