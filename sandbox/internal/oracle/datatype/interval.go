package datatype

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// maxSpanDays keeps an INTERVAL DAY TO SECOND within an int64 of ticks; Oracle goes to 999999999.
const maxSpanDays = 10_000_000

// FormatInterval writes an interval as conversions to text do: +01-03, +02 04:05:06.000000.
func FormatInterval(v value.Value, t Type) string {
	n, sign := v.N, "+"
	if n < 0 {
		n, sign = -n, "-"
	}
	prec := max(int(t.Prec), 1)
	if t.ID == IntervalYM {
		return fmt.Sprintf("%s%0*d-%02d", sign, prec, n/12, n%12)
	}
	c := ClockOf(n % TicksPerDay)
	s := fmt.Sprintf("%s%0*d %02d:%02d:%02d", sign, prec, n/TicksPerDay, c.Hour, c.Minute, c.Second)
	if t.Scale > 0 {
		s += "." + fraction(c.Ticks, int(t.Scale))
	}
	return s
}

// fraction writes ticks within a second with that many digits.
func fraction(ticks, digits int) string {
	return (fmt.Sprintf("%07d", ticks) + "00")[:digits]
}

// Field is a part of a date, time or interval.
type Field uint8

// Fields, from large to small; TimezoneHour and on are of timestamps only.
const (
	Year Field = iota
	Month
	Day
	Hour
	Minute
	Second
	TimezoneHour
	TimezoneMinute
	TimezoneRegion
	TimezoneAbbr
)

// ParseField returns the field of a name, as EXTRACT and interval qualifiers have it.
func ParseField(name string) (Field, bool) {
	switch fold(name) {
	case "YEAR":
		return Year, true
	case "MONTH":
		return Month, true
	case "DAY":
		return Day, true
	case "HOUR":
		return Hour, true
	case "MINUTE":
		return Minute, true
	case "SECOND":
		return Second, true
	case "TIMEZONE_HOUR":
		return TimezoneHour, true
	case "TIMEZONE_MINUTE":
		return TimezoneMinute, true
	case "TIMEZONE_REGION":
		return TimezoneRegion, true
	case "TIMEZONE_ABBR":
		return TimezoneAbbr, true
	}
	return 0, false
}

// IntervalLiteral returns INTERVAL 'text' from TO to: ORA-01867 for a text of another
// form, ORA-01873 if the leading field has more than prec digits. Fractions of a second
// are rounded to frac digits.
func IntervalLiteral(text string, from, to Field, prec uint8, frac int8) (value.Value, Type, error) {
	s := strings.TrimSpace(text)
	t := Type{ID: IntervalDS, Prec: prec, Scale: frac}
	if from <= Month {
		t = Type{ID: IntervalYM, Prec: prec}
	} else if from > Day {
		t.Prec = 2 // a literal of hours is of type DAY(2) at least
	}
	if (to <= Month) != (from <= Month) || to < from || to > Second {
		return value.Value{}, t, sqlerr.New(30089, "missing or invalid <datetime field>")
	}
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg, s = s[0] == '-', s[1:]
	}
	total := new(big.Int)
	for f := from; f <= to; f++ {
		part := s
		if f < to {
			sep := map[Field]string{Year: "-", Day: " "}[f]
			if sep == "" {
				sep = ":"
			}
			var ok bool
			if part, s, ok = strings.Cut(s, sep); !ok {
				return value.Value{}, t, errInterval()
			}
			s = strings.TrimLeft(s, " ")
		}
		n, err := intervalField(part, f, f == from, prec, frac)
		if err != nil {
			return value.Value{}, t, err
		}
		total.Add(total, n)
	}
	if neg {
		total.Neg(total)
	}
	v, err := newInterval(total, t)
	if days := v.N / TicksPerDay; err == nil && t.ID == IntervalDS && from > Day && (days > 99 || days < -99) {
		t.Prec = uint8(len(strconv.FormatInt(max(days, -days), 10)))
	}
	return v, t, err
}

// fieldSize is the months or ticks of one of a field, fieldLimit what it may reach
// where it does not lead.
var (
	fieldSize  = [...]int64{Year: 12, Month: 1, Day: TicksPerDay, Hour: TicksPerHour, Minute: TicksPerMinute, Second: TicksPerSecond}
	fieldLimit = [...]int64{Year: math.MaxInt64, Month: 12, Day: math.MaxInt64, Hour: 24, Minute: 60, Second: 60}
)

func intervalField(s string, f Field, leads bool, prec uint8, frac int8) (*big.Int, error) {
	whole, decimals, hasPoint := strings.Cut(s, ".")
	if whole == "" || strings.Trim(whole+decimals, "0123456789") != "" || hasPoint && f != Second {
		return nil, errInterval()
	}
	if leads && len(strings.TrimLeft(whole, "0")) > int(prec) {
		return nil, errLeading()
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n > 999_999_999 {
		return nil, errLeading()
	}
	if !leads && n >= fieldLimit[f] {
		return nil, errFieldRange(f)
	}
	total := new(big.Int).Mul(big.NewInt(n), big.NewInt(fieldSize[f]))
	if decimals != "" {
		ticks, err := fractionTicks(decimals, int(frac))
		if err != nil {
			return nil, err
		}
		total.Add(total, big.NewInt(ticks))
	}
	return total, nil
}

func errFieldRange(f Field) error {
	switch f {
	case Month:
		return sqlerr.New(1843, "not a valid month")
	case Hour:
		return sqlerr.New(1850, "hour must be between 0 and 23")
	case Minute:
		return sqlerr.New(1851, "minutes must be between 0 and 59")
	}
	return sqlerr.New(1852, "seconds must be between 0 and 59")
}

// fractionTicks returns the ticks of the decimals of a second, rounded to digits.
func fractionTicks(decimals string, digits int) (int64, error) {
	if len(decimals) > digits {
		m, _ := new(big.Int).SetString(decimals, 10)
		m = quoRound(m, pow10(len(decimals)-digits))
		return ticksOf(m, digits)
	}
	m, _ := new(big.Int).SetString("0"+decimals, 10)
	return ticksOf(m, len(decimals))
}

// ticksOf returns m * 10^-scale seconds in ticks, refused if it is no whole number of them.
func ticksOf(m *big.Int, scale int) (int64, error) {
	m = new(big.Int).Mul(m, big.NewInt(TicksPerSecond))
	q, r := new(big.Int).QuoRem(m, pow10(scale), new(big.Int))
	if r.Sign() != 0 {
		return 0, ErrFine()
	}
	return q.Int64(), nil
}

// newInterval checks the range of months or ticks.
func newInterval(n *big.Int, t Type) (value.Value, error) {
	limit := int64(999_999_999)*12 + 11
	if t.ID == IntervalDS {
		limit = maxSpanDays*TicksPerDay - 1
	}
	if n.CmpAbs(big.NewInt(limit)) > 0 {
		if t.ID == IntervalDS && n.CmpAbs(new(big.Int).Mul(big.NewInt(1e9), big.NewInt(TicksPerDay))) < 0 {
			return value.Value{}, sqlerr.NotSupported("intervals of %d days and more", maxSpanDays)
		}
		return value.Value{}, errLeading()
	}
	if t.ID == IntervalYM {
		return value.NewInt(n.Int64()), nil
	}
	return value.NewSpan(n.Int64()), nil
}

// fitInterval rounds the fraction to t's and checks its leading field, ORA-01873.
func fitInterval(v value.Value, t Type) (value.Value, error) {
	limit, unit := int64(1), int64(12)
	for range t.Prec {
		limit *= 10
	}
	if t.ID == IntervalDS {
		unit = TicksPerDay
		if v.N >= 0 {
			v = value.NewSpan(roundFraction(v.N, t.Scale))
		} else {
			v = value.NewSpan(-roundFraction(-v.N, t.Scale))
		}
	}
	if lead := v.N / unit; lead >= limit || lead <= -limit {
		return v, errLeading()
	}
	return v, nil
}

// ParseInterval reads an interval of type t from text: the SQL form ([+|-]days
// hh:mi:ss[.ff], [+|-]years-months) or ISO 8601 (PnYnM, PnDTnHnMnS), ORA-01867.
func ParseInterval(text string, t Type) (value.Value, error) {
	s := strings.TrimSpace(text)
	if strings.HasPrefix(strings.TrimPrefix(s, "-"), "P") {
		return parseISO(s, t)
	}
	from, to := Day, Second
	if t.ID == IntervalYM {
		from, to = Year, Month
	}
	v, _, err := IntervalLiteral(s, from, to, 9, 9)
	return v, err
}

func parseISO(s string, t Type) (value.Value, error) {
	neg := s[0] == '-'
	s = strings.TrimPrefix(strings.TrimPrefix(s, "-"), "P")
	order := "YMD"
	total := new(big.Int)
	inTime, some := false, false
	for s != "" {
		if s[0] == 'T' && !inTime {
			inTime, order, s = true, "HMS", s[1:]
			continue
		}
		i := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
		if i <= 0 {
			return value.Value{}, errInterval()
		}
		at := strings.IndexByte(order, s[i])
		if at < 0 {
			return value.Value{}, errInterval()
		}
		f := Field(at)
		if inTime {
			f += Hour
		}
		if (f <= Month) != (t.ID == IntervalYM) {
			return value.Value{}, errInterval()
		}
		n, err := intervalField(s[:i], f, true, 9, 9)
		if err != nil {
			return value.Value{}, err
		}
		total.Add(total, n)
		order = strings.Repeat("\x00", at+1) + order[at+1:]
		s, some = s[i+1:], true
	}
	if !some {
		return value.Value{}, errInterval()
	}
	if neg {
		total.Neg(total)
	}
	return newInterval(total, t)
}

// IntervalOf returns n units of a field as an interval of the largest precision
// (NUMTODSINTERVAL, NUMTOYMINTERVAL): months and nanoseconds are rounded.
func IntervalOf(n value.Value, unit Field) (value.Value, Type, error) {
	t := Type{ID: IntervalYM, Prec: 9}
	m, scale := parts(n)
	m = new(big.Int).Mul(m, big.NewInt(fieldSize[unit]))
	if unit <= Month {
		v, err := newInterval(quoRound(m, pow10(scale)), t)
		return v, t, err
	}
	t = Type{ID: IntervalDS, Prec: 9, Scale: 9}
	v, err := spanOf(m, scale)
	return v, t, err
}

// spanOf returns m * 10^-scale ticks, rounded to nanoseconds; what is left below a tick is refused.
func spanOf(m *big.Int, scale int) (value.Value, error) {
	nanos := quoRound(new(big.Int).Mul(m, big.NewInt(100)), pow10(scale))
	q, r := new(big.Int).QuoRem(nanos, big.NewInt(100), new(big.Int))
	if r.Sign() != 0 {
		return value.Value{}, ErrFine()
	}
	return newInterval(q, Type{ID: IntervalDS})
}

// Extract returns a field of a datetime or interval: ORA-30076 for one that it has not.
// Hours, minutes and seconds of a timestamp with time zone are those in UTC, as
// documented ("EXTRACT (datetime)").
func Extract(v value.Value, t Type, f Field) (value.Value, error) {
	wrong := sqlerr.New(30076, "invalid extract field for extract source")
	switch {
	case t.ID == IntervalYM && f <= Month:
		if f == Year {
			return value.NewInt(v.N / 12), nil
		}
		return value.NewInt(v.N % 12), nil
	case t.ID == IntervalDS && f >= Day && f <= Second:
		n := v.N
		switch f {
		case Day:
			return value.NewInt(n / TicksPerDay), nil
		case Hour:
			return value.NewInt(n / TicksPerHour % 24), nil
		case Minute:
			return value.NewInt(n / TicksPerMinute % 60), nil
		}
		return NewNumber(big.NewInt(n%TicksPerMinute), 7)
	case !t.IsDatetime() || t.ID == Date && f > Day || t.ID == Timestamp && f > Second:
		return value.Value{}, wrong
	}
	c := ClockOf(v.N)
	switch f {
	case Year:
		return value.NewInt(int64(c.Year)), nil
	case Month:
		return value.NewInt(int64(c.Month)), nil
	case Day:
		return value.NewInt(int64(c.Day)), nil
	case Hour:
		return value.NewInt(int64(c.Hour)), nil
	case Minute:
		return value.NewInt(int64(c.Minute)), nil
	case Second:
		return NewNumber(big.NewInt(int64(c.Second)*TicksPerSecond+int64(c.Ticks)), 7)
	case TimezoneHour:
		return value.NewInt(int64(v.Aux / 60)), nil
	case TimezoneMinute:
		return value.NewInt(int64(v.Aux % 60)), nil
	}
	return value.Value{}, sqlerr.NotSupported("EXTRACT of a time zone region")
}
