package builtin

import (
	"cmp"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// dateType is the type to which DATEPART and similar functions convert an argument: datetime for numbers,
// datetimeoffset for strings if the time zone matters, otherwise datetime2.
func dateType(t datatype.Type, name string, place int) (datatype.Type, error) {
	switch {
	case t.IsDateTime():
		return t, nil
	case t.IsCharacter():
		return datatype.Of(datatype.DateTimeOffset), nil
	case t.ID == datatype.Untyped, t.IsNumeric():
		return tDateTime, nil
	}
	return t, datatype.ErrArgument(t, place, name)
}

func dateArg(v value.Value, t datatype.Type, name string, place int) (value.Value, datatype.Type, error) {
	d, err := dateType(t, name, place)
	if err != nil {
		return null, d, err
	}
	v, err = to(v, t, d)
	return v, d, err
}

// clockOf splits a value of a date or time type into its parts, in its own time zone.
func clockOf(v value.Value, t datatype.Type) datatype.Clock {
	switch t.ID {
	case datatype.Time:
		c := datatype.ClockOfDay(v.N)
		c.Year, c.Month, c.Day = 1900, 1, 1
		c.DayNumber = datatype.DayNumber(1900, 1, 1)
		return c
	case datatype.DateTimeOffset:
		return datatype.ClockOf(v.N + int64(v.Aux)*datatype.TicksPerMinute)
	case datatype.DateTime:
		c := datatype.ClockOf(v.N)
		c.Ticks = (c.Ticks + 5000) / ticksPerMillisecond * ticksPerMillisecond // .003 and .007, not a third
		return c
	}
	return datatype.ClockOf(v.N)
}

// instant returns a value's position on the time line that DATEDIFF measures.
func instant(v value.Value, t datatype.Type) int64 {
	if t.ID == datatype.Time {
		return datatype.DateTicks(1900, 1, 1) + v.N
	}
	return v.N
}

func dateFuncs() []Func {
	short := func(name string, p DatePart) Func {
		return Func{
			Name: name, MinArgs: 1, MaxArgs: 1, NullIn: true, Result: fixed(tInt, datatype.Of(datatype.DateTimeOffset)),
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				v, t, err := dateArg(args[0], types[0], name, 1)
				if err != nil {
					return null, err
				}
				if !hasPart(p, t) {
					return null, errPart(p, name, t)
				}
				return value.NewInt(int64(part(p, clockOf(v, t)))), nil
			},
		}
	}
	year, month, day := short("year", Year), short("month", Month), short("day", Day)
	for _, f := range []*Func{&year, &month, &day} {
		name := f.Name
		f.Result = func(args []datatype.Type) (datatype.Type, error) {
			_, err := dateType(args[0], name, 1)
			return tInt, err
		}
	}
	return []Func{
		year, month, day,
		{
			Name: "datepart", MinArgs: 2, MaxArgs: 2, NullIn: true, DatePart: true,
			Result: func(args []datatype.Type) (datatype.Type, error) {
				_, err := dateType(args[1], "datepart", 2)
				return tInt, err
			},
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				n, _, err := datePart(args, types, "datepart")
				return value.NewInt(int64(n)), err
			},
		},
		{
			Name: "dateadd", MinArgs: 3, MaxArgs: 3, NullIn: true, DatePart: true,
			Result: func(args []datatype.Type) (datatype.Type, error) {
				if err := check(args[1:2], tBigInt); err != nil {
					return datatype.Type{}, err
				}
				return addType(args[2])
			},
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				t, err := addType(types[2])
				if err != nil {
					return null, err
				}
				n, err := to(args[1], types[1], tInt) // 8115 if it does not fit an int
				if err != nil {
					return null, err
				}
				v, err := to(args[2], types[2], t)
				if err != nil {
					return null, err
				}
				return DateAdd(DatePart(args[0].N), n.N, v, t)
			},
		},
		diff("datediff", tInt),
	}
}

// datePart returns one part of the second argument.
func datePart(args []value.Value, types []datatype.Type, fn string) (n int, p DatePart, err error) {
	p = DatePart(args[0].N)
	v, t, err := dateArg(args[1], types[1], fn, 2)
	switch {
	case err != nil:
		return 0, p, err
	case !hasPart(p, t):
		return 0, p, errPart(p, fn, t)
	}
	return part(p, clockOf(v, t)), p, nil
}

// addType is the result type of DATEADD: the argument's, datetime for strings and numbers.
func addType(t datatype.Type) (datatype.Type, error) {
	if t.IsCharacter() {
		return tDateTime, nil
	}
	return dateType(t, "dateadd", 3)
}

// errAdd is 517.
func errAdd(t datatype.Type) error {
	return message.MS(517, t.Name())
}

// DateAdd adds n parts to a date, datetime or datetime2. Months keep the day, or take
// the last one of a shorter month. Errors are 517 and 9810.
func DateAdd(p DatePart, n int64, v value.Value, t datatype.Type) (value.Value, error) {
	switch {
	case t.ID == datatype.Time || t.ID == datatype.DateTimeOffset:
		return null, sqlerr.NotSupported("DATEADD with a %s", t)
	case !hasPart(p, t) || t.ID == datatype.DateTime && p == Microsecond:
		return null, errPart(p, "dateadd", t)
	}
	ticks := v.N
	switch p {
	case Year, Quarter, Month:
		months := n * map[DatePart]int64{Year: 12, Quarter: 3, Month: 1}[p]
		c := datatype.ClockOf(ticks)
		m := int64(c.Year)*12 + int64(c.Month) - 1 + months
		if m < 12 || m >= 120_000 {
			return null, errAdd(t)
		}
		year, month := int(m/12), int(m%12)+1
		day := min(c.Day, datatype.DaysIn(year, month))
		ticks += datatype.DateTicks(year, month, day) - c.DayNumber*datatype.TicksPerDay
	default:
		unit := cmp.Or(p.unit(), datatype.TicksPerDay)
		if limit := 1<<62/unit - 1; n > limit || n < -limit {
			return null, errAdd(t)
		}
		ticks += n * unit
	}
	if ticks >= 0 {
		if r, err := to(value.NewTime(ticks, 0), datatype.Scaled(datatype.DateTime2, 7), t); err == nil {
			return r, nil
		}
	}
	return null, errAdd(t)
}

func diff(name string, result datatype.Type) Func {
	return Func{
		Name: name, MinArgs: 3, MaxArgs: 3, NullIn: true, DatePart: true,
		Result: func(args []datatype.Type) (datatype.Type, error) {
			for i := 1; i < 3; i++ {
				if _, err := dateType(args[i], name, i+1); err != nil {
					return datatype.Type{}, err
				}
			}
			return result, nil
		},
		Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
			p := DatePart(args[0].N)
			var at [2]int64
			for i := range at {
				v, t, err := dateArg(args[i+1], types[i+1], name, i+2)
				if err != nil {
					return null, err
				}
				at[i] = instant(v, t)
			}
			n := dateDiff(p, at[0], at[1])
			if n != int64(int32(n)) {
				return null, message.MS(535, name, name)
			}
			return value.NewInt(n), nil
		},
	}
}

// dateDiff counts the boundaries of a part between two moments, given in ticks since 0001-01-01.
func dateDiff(p DatePart, from, to int64) int64 {
	a, b := from/datatype.TicksPerDay, to/datatype.TicksPerDay
	switch p {
	case Year, Quarter, Month:
		y1, m1, _ := datatype.CivilDate(a)
		y2, m2, _ := datatype.CivilDate(b)
		size := map[DatePart]int{Year: 12, Quarter: 3, Month: 1}[p]
		return int64((y2*12+m2-1)/size - (y1*12+m1-1)/size)
	case DayOfYear, Day:
		return b - a
	}
	u := p.unit()
	return to/u - from/u
}
