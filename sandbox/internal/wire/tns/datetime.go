package tns

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/timezone"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

const (
	ticksPerSecond = 10_000_000
	// unixSeconds is 1970-01-01 in seconds since 0001-01-01.
	unixSeconds = 62_135_596_800
	maxTicks    = 3_155_378_976_000_000_000 // 10000-01-01
)

var (
	errDate     = errors.New("not a date")
	errInterval = errors.New("not an interval")
)

// appendDate appends a DATE (7 bytes), TIMESTAMP (11) or TIMESTAMP WITH TIME ZONE (13)
// without its length: century and year plus 100, month, day, hour, minute and second
// plus 1, nanoseconds, hours plus 20 and minutes plus 60 of the offset (Oracle Call
// Interface, "DATE"; converters/type_conversion.go, DecodeDate). With an offset the
// fields are in UTC.
func appendDate(b []byte, t TypeID, v value.Value) ([]byte, error) {
	if v.Kind != value.Time || v.N < 0 || v.N >= maxTicks {
		return b, errDate
	}
	if t == Date && v.N%ticksPerSecond != 0 {
		return b, errors.New("a DATE with a fraction of a second")
	}
	u := time.Unix(v.N/ticksPerSecond-unixSeconds, v.N%ticksPerSecond*100).UTC()
	b = append(b, byte(u.Year()/100+100), byte(u.Year()%100+100), byte(u.Month()), byte(u.Day()),
		byte(u.Hour()+1), byte(u.Minute()+1), byte(u.Second()+1))
	if t == Date {
		return b, nil
	}
	b = binary.BigEndian.AppendUint32(b, uint32(u.Nanosecond()))
	if t == TimestampTZ {
		if v.Region() != nil {
			n := timezone.Number(v.Region())
			return append(b, byte(zoneRegion|n>>6), byte(n<<2)), nil
		}
		if v.Aux < -16*60 || v.Aux > 16*60 {
			return b, fmt.Errorf("an offset of %d minutes", v.Aux)
		}
		b = append(b, byte(v.Aux/60+20), byte(v.Aux%60+60))
	}
	return b, nil
}

// Bits of the offset's bytes.
const (
	zoneRegion      = 0x80 // a region's number instead of an offset
	zoneLocal       = 0x40 // the fields are local
	zoneRegionLocal = 0x01 // the same, for a region
)

// readDate reads what appendDate writes; fractions and offset may be missing.
func readDate(t TypeID, b []byte) (value.Value, error) {
	if len(b) != 7 && len(b) != 11 && (len(b) != 13 || t != TimestampTZ) {
		return value.Value{}, errDate
	}
	year := (int(b[0])-100)*100 + int(b[1]) - 100
	nanos := 0
	if len(b) > 7 {
		nanos = int(binary.BigEndian.Uint32(b[7:]))
	}
	month, day := time.Month(b[2]), int(b[3])
	hour, minute, second := int(b[4])-1, int(b[5])-1, int(b[6])-1
	if year < 1 || year > 9999 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || nanos > 999_999_999 {
		return value.Value{}, errDate
	}
	u := time.Date(year, month, day, hour, minute, second, nanos, time.UTC)
	if u.Month() != month || u.Day() != day {
		return value.Value{}, errDate
	}
	ticks := (u.Unix()+unixSeconds)*ticksPerSecond + int64(nanos)/100
	if len(b) < 13 {
		return value.NewTime(ticks, 0), nil
	}
	if b[11]&zoneRegion != 0 {
		l := timezone.ByNumber(int(b[11]&0x7F)<<6 | int(b[12])>>2)
		if l == nil || b[12]&zoneRegionLocal != 0 {
			return value.Value{}, errors.New("a time zone region")
		}
		_, seconds := u.In(l).Zone()
		return value.NewTime(ticks, int16(seconds/60)).In(l), nil
	}
	offset := (int(b[11]&0x3F)-20)*60 + int(b[12]) - 60
	if offset < -16*60 || offset > 16*60 {
		return value.Value{}, errDate
	}
	if b[11]&zoneLocal != 0 {
		ticks -= int64(offset) * 60 * ticksPerSecond
	}
	if ticks < 0 || ticks >= maxTicks {
		return value.Value{}, errDate
	}
	return value.NewTime(ticks, int16(offset)), nil
}

// Intervals have their leading field plus 2^31, the others plus 60 and the nanoseconds
// plus 2^31 again (converters/other_types.go).
const intervalBase = 1 << 31

func appendInterval(b []byte, v value.Value) ([]byte, error) {
	if v.Kind != value.Span {
		return b, errInterval
	}
	seconds := v.N / ticksPerSecond
	b = binary.BigEndian.AppendUint32(b, uint32(seconds/86400+intervalBase))
	b = append(b, byte(seconds/3600%24+60), byte(seconds/60%60+60), byte(seconds%60+60))
	return binary.BigEndian.AppendUint32(b, uint32(v.N%ticksPerSecond*100+intervalBase)), nil
}

// maxSpanDays is what a value.Span can hold, in days.
const maxSpanDays = 10_000_000

func readInterval(b []byte) (value.Value, error) {
	field := func(i, limit int) int64 {
		n := int(b[i]) - 60
		if n <= -limit || n >= limit {
			return 1 << 62
		}
		return int64(n)
	}
	if len(b) != 11 {
		return value.Value{}, errInterval
	}
	days := int64(binary.BigEndian.Uint32(b)) - intervalBase
	h, m, s := field(4, 24), field(5, 60), field(6, 60)
	nanos := int64(binary.BigEndian.Uint32(b[7:])) - intervalBase
	if h == 1<<62 || m == 1<<62 || s == 1<<62 || days <= -maxSpanDays || days >= maxSpanDays || nanos <= -1_000_000_000 || nanos >= 1_000_000_000 {
		return value.Value{}, errInterval
	}
	return value.NewSpan((days*86400+h*3600+m*60+s)*ticksPerSecond + nanos/100), nil
}
