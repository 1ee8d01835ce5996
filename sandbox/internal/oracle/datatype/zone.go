package datatype

import (
	"fmt"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/timezone"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Zone is a time zone: minutes east of UTC, or a region.
type Zone struct {
	Offset int16
	Region *time.Location
}

// ZoneOf returns the time zone of a TIMESTAMP WITH TIME ZONE.
func ZoneOf(v value.Value) Zone { return Zone{v.Aux, v.Region()} }

// String writes an offset as +02:00, a region by its name.
func (z Zone) String() string {
	if z.Region != nil {
		return z.Region.String()
	}
	n := abs(int(z.Offset))
	return fmt.Sprintf("%s%02d:%02d", zoneSign(z.Offset), n/60, n%60)
}

// In returns an instant in the zone.
func (z Zone) In(utc int64) value.Value {
	if z.Region != nil {
		const unix = 62_135_596_800 // 1970-01-01 in seconds since 0001-01-01
		_, seconds := time.Unix(utc/TicksPerSecond-unix, 0).In(z.Region).Zone()
		z.Offset = int16(seconds / 60)
	}
	return value.NewTime(utc, z.Offset).In(z.Region)
}

// Local returns the local time at an instant.
func (z Zone) Local(utc int64) int64 { return utc + int64(z.In(utc).Aux)*TicksPerMinute }

// zoned returns a TIMESTAMP WITH TIME ZONE from local ticks. A time that occurs twice is standard time; for one that the clocks
// skip, the error is ORA-01878 (Globalization Support Guide, "Support for Daylight Saving Time").
func (z Zone) zoned(local int64) (value.Value, error) {
	for _, day := range []int64{1, -1} { // a day after a change that repeats an hour, standard time is in effect
		utc := local - int64(z.In(local+day*TicksPerDay).Aux)*TicksPerMinute
		if utc < 0 || utc >= maxDays*TicksPerDay {
			return value.Value{}, message.ORA(1841)
		}
		if v := z.In(utc); Local(v, Of(TimestampTZ)) == local {
			return v, nil
		}
	}
	return value.Value{}, message.ORA(1878)
}

// ParseZone reads a time zone: an offset from -15:59 to +15:59, or a region
// (ORA-01874, 01875, 01882).
func ParseZone(s string) (z Zone, err error) {
	s = strings.TrimSpace(s)
	l, known := timezone.Find(s)
	switch {
	case l != nil:
		return Zone{Region: l}, nil
	case known:
		return z, sqlerr.NotSupported("time zone region %s", s)
	case s == "":
		return z, message.ORA(1882)
	}
	sign, rest := int16(1), s
	if s[0] == '-' || s[0] == '+' {
		if s[0] == '-' {
			sign = -1
		}
		rest = s[1:]
	}
	h, m, ok := strings.Cut(rest, ":")
	if !ok || h == "" || m == "" || len(h) > 2 || len(m) > 2 || strings.Trim(h+m, "0123456789") != "" {
		return z, message.ORA(1882)
	}
	hour, minute := atoi(h), atoi(m)
	if hour > 15 {
		return z, message.ORA(1874)
	}
	if minute > 59 {
		return z, message.ORA(1875)
	}
	return Zone{Offset: sign * int16(hour*60+minute)}, nil
}
