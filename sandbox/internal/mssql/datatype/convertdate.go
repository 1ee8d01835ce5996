package datatype

import (
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// minDateTime is the first datetime; the other types cover the years 1 to 9999.
var minDateTime = DateTicks(1753, 1, 1)

func toDateTime(v value.Value, from, to Type, style int) (value.Value, error) {
	m := moment{ticks: v.N}
	switch from.class() {
	case clsANSI, clsUnicode:
		var err error
		if m, err = parseMoment(v.Str(), from, to, style); err != nil {
			return value.Value{}, err
		}
	case clsInt:
		if v.N < -1_000_000 || v.N > maxDay {
			return v, ErrOverflow(to)
		}
		return fromNumber(epoch1900+v.N*TicksPerDay, to)
	case clsBit, clsExact, clsApprox, clsBinary:
		return v, errUnmodeled(from, to)
	case clsTime:
		if to.ID == Time {
			return fitTime(v.N, to), nil
		}
		m.ticks = epoch1900 + v.N
	case clsDateTime2:
		if from.ID == DateTimeOffset {
			m.zone, m.hasZone = int(v.Aux), true
			m.ticks += int64(m.zone) * TicksPerMinute
		}
	}
	return fitMoment(m, from, to)
}

// fromNumber converts the ticks of a converted number to a type: out of range is an overflow.
func fromNumber(ticks int64, to Type) (value.Value, error) {
	r, err := fitMoment(moment{ticks: ticks}, Of(DateTime), to)
	if err != nil {
		return r, ErrOverflow(to)
	}
	return r, nil
}

// fitTime rounds a time of day; what rounds up to midnight becomes midnight.
func fitTime(ticks int64, to Type) value.Value {
	return value.NewSpan(roundSecond(ticks, to.Scale) % TicksPerDay)
}

// fitMoment rounds a date and time to what type to keeps and checks its range.
func fitMoment(m moment, from, to Type) (value.Value, error) {
	ticks := m.ticks
	bad := ticks < 0 || ticks > maxTicks
	switch to.ID {
	case Date:
		ticks = ticks / TicksPerDay * TicksPerDay
	case Time:
		return fitTime(ticks%TicksPerDay, to), nil
	case DateTime:
		ticks = RoundDateTime(max(ticks, 0))
		bad = bad || ticks < minDateTime || ticks > maxTicks
	case DateTime2:
		ticks = roundSecond(ticks, to.Scale)
		if ticks > maxTicks { // the last fraction of 9999 is truncated: there is nothing to round up to
			ticks = m.ticks / pow10s[7-to.Scale] * pow10s[7-to.Scale]
		}
	case DateTimeOffset:
		ticks = roundSecond(ticks, to.Scale) - int64(m.zone)*TicksPerMinute
		if ticks < 0 || ticks > maxTicks {
			bad = true
		}
		if !bad {
			return value.NewTime(ticks, int16(m.zone)), nil
		}
	}
	if bad {
		return value.Value{}, errDateRange(from, to)
	}
	return value.NewTime(ticks, 0), nil
}
