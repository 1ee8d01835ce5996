package builtin

import (
	"strconv"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// errParts is 289; the state tells the type.
func errParts(t datatype.Type, state uint8) error {
	return sqlerr.New(289, "Cannot construct data type %s, some of the arguments have values which are not valid.", t.Name()).At(16, state)
}

// fromParts makes a function that builds a date or time from n numbers.
func fromParts(name string, n int, t datatype.Type, build func(x []int) (value.Value, bool), state uint8) Func {
	f := Func{
		Name: name, MinArgs: n, MaxArgs: n, NullIn: true, Result: fixed(t, tInt),
		Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
			x := make([]int, n)
			for i := range x {
				var err error
				if x[i], err = toInt(args[i], types[i]); err != nil {
					return null, err
				}
			}
			v, ok := build(x)
			if !ok {
				return null, errParts(t, state)
			}
			return v, nil
		},
	}
	switch t.ID {
	case datatype.Time, datatype.DateTime2, datatype.DateTimeOffset:
		f.ScaleArg = n
	}
	return f
}

// clockTicks returns the ticks of a time of day; fraction is in units of its precision.
func clockTicks(h, m, s, fraction, precision int) (int64, bool) {
	if h < 0 || h > 23 || m < 0 || m > 59 || s < 0 || s > 59 || fraction < 0 || precision < 0 || precision > 7 {
		return 0, false
	}
	unit := int64(1)
	for range 7 - precision {
		unit *= 10
	}
	ticks := int64(fraction) * unit
	if ticks >= datatype.TicksPerSecond {
		return 0, false
	}
	return int64(h)*datatype.TicksPerHour + int64(m)*datatype.TicksPerMinute + int64(s)*datatype.TicksPerSecond + ticks, true
}

// momentTicks returns the ticks of year, month, day, hour, minute, second and fraction.
func momentTicks(x []int, precision int) (int64, bool) {
	ticks, ok := clockTicks(x[3], x[4], x[5], x[6], precision)
	if !ok || !datatype.ValidDate(x[0], x[1], x[2]) {
		return 0, false
	}
	return ticks + datatype.DateTicks(x[0], x[1], x[2]), true
}

func partsFuncs() []Func {
	tTime, tDateTime2 := datatype.Of(datatype.Time), datatype.Of(datatype.DateTime2)
	tOffset, tSmall := datatype.Of(datatype.DateTimeOffset), datatype.Of(datatype.SmallDateTime)
	return []Func{
		fromParts("datefromparts", 3, tDate, func(x []int) (value.Value, bool) {
			if !datatype.ValidDate(x[0], x[1], x[2]) {
				return null, false
			}
			return value.NewTime(datatype.DateTicks(x[0], x[1], x[2]), 0), true
		}, 1),
		fromParts("timefromparts", 5, tTime, func(x []int) (value.Value, bool) {
			ticks, ok := clockTicks(x[0], x[1], x[2], x[3], x[4])
			return value.NewSpan(ticks), ok
		}, 2),
		fromParts("datetimefromparts", 7, tDateTime, func(x []int) (value.Value, bool) {
			ticks, ok := momentTicks(x, 3)
			return value.NewTime(datatype.RoundDateTime(ticks), 0), ok && x[0] >= 1753
		}, 3),
		fromParts("smalldatetimefromparts", 5, tSmall, func(x []int) (value.Value, bool) {
			ticks, ok := momentTicks([]int{x[0], x[1], x[2], x[3], x[4], 0, 0}, 0)
			if !ok {
				return null, false
			}
			v, err := to(value.NewTime(ticks, 0), tDateTime2, tSmall)
			return v, err == nil
		}, 4),
		fromParts("datetime2fromparts", 8, tDateTime2, func(x []int) (value.Value, bool) {
			ticks, ok := momentTicks(x, x[7])
			return value.NewTime(ticks, 0), ok
		}, 5),
		fromParts("datetimeoffsetfromparts", 10, tOffset, func(x []int) (value.Value, bool) {
			ticks, ok := momentTicks(x, x[9])
			zone := x[7]*60 + x[8]
			if !ok || zone > 14*60 || zone < -14*60 || x[7]*x[8] < 0 || x[8] > 59 || x[8] < -59 {
				return null, false
			}
			return value.NewTime(ticks-int64(zone)*datatype.TicksPerMinute, int16(zone)), true
		}, 6),
		zoneFunc("switchoffset", func(v value.Value, zone int) value.Value { return value.NewTime(v.N, int16(zone)) }),
		zoneFunc("todatetimeoffset", func(v value.Value, zone int) value.Value {
			local := v.N + int64(v.Aux)*datatype.TicksPerMinute
			return value.NewTime(local-int64(zone)*datatype.TicksPerMinute, int16(zone))
		}),
	}
}

// zoneFunc makes SWITCHOFFSET and TODATETIMEOFFSET, whose zone is minutes or '+hh:mm'.
func zoneFunc(name string, apply func(v value.Value, zone int) value.Value) Func {
	result := func(t datatype.Type) datatype.Type {
		r := datatype.Of(datatype.DateTimeOffset)
		switch t.ID {
		case datatype.DateTimeOffset, datatype.DateTime2, datatype.Time:
			r.Scale = t.Scale
		}
		return r
	}
	return Func{
		Name: name, MinArgs: 2, MaxArgs: 2, NullIn: true,
		Result: func(args []datatype.Type) (datatype.Type, error) {
			return result(args[0]), datatype.CheckImplicit(args[0], result(args[0]))
		},
		Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
			v, err := to(args[0], types[0], result(types[0]))
			if err != nil {
				return null, err
			}
			var zone int
			var ok bool
			if types[1].IsCharacter() {
				zone, ok = parseZone(args[1].Str())
			} else if zone, err = toInt(args[1], types[1]); err != nil {
				return null, err
			} else {
				ok = zone >= -14*60 && zone <= 14*60
			}
			if !ok {
				return null, sqlerr.New(9812, "The timezone provided to builtin function %s is invalid.", name)
			}
			return apply(v, zone), nil
		},
	}
}

// parseZone reads ±hh:mm.
func parseZone(s string) (minutes int, ok bool) {
	if len(s) != 6 || s[0] != '+' && s[0] != '-' || s[3] != ':' {
		return 0, false
	}
	h, err1 := strconv.Atoi(s[1:3])
	m, err2 := strconv.Atoi(s[4:])
	minutes = h*60 + m
	if err1 != nil || err2 != nil || m > 59 || minutes > 14*60 {
		return 0, false
	}
	if s[0] == '-' {
		minutes = -minutes
	}
	return minutes, true
}
