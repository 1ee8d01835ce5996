package datatype

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// maxSpanDays keeps an INTERVAL DAY TO SECOND within an int64 of ticks; Oracle allows up to 999999999.
const maxSpanDays = 10_000_000

// FormatInterval writes an interval as a conversion to text does: +02 04:05:06.000000.
func FormatInterval(v value.Value, t Type) string {
	n, sign := v.N, "+"
	if n < 0 {
		n, sign = -n, "-"
	}
	prec := max(int(t.Prec), 1)
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

// Fields, from large to small.
const (
	Year Field = iota
	Month
	Day
	Hour
	Minute
	Second
)

// fieldNames has the names in EXTRACT and of interval qualifiers.
var fieldNames = map[string]Field{"YEAR": Year, "MONTH": Month, "DAY": Day, "HOUR": Hour, "MINUTE": Minute, "SECOND": Second}

// ParseField returns the field with a name.
func ParseField(name string) (Field, bool) {
	f, ok := fieldNames[fold(name)]
	return f, ok
}

// IntervalLiteral returns INTERVAL 'text' from TO to: ORA-01867 for a text in another
// form, ORA-01873 if the leading field has more than prec digits. Fractions of a second
// are rounded to frac digits.
func IntervalLiteral(text string, from, to Field, prec uint8, frac int8) (value.Value, Type, error) {
	s := strings.TrimSpace(text)
	t := Type{ID: IntervalDS, Prec: prec, Scale: frac}
	switch {
	case from <= Month && to <= Month:
		return value.Value{}, t, errYearToMonth()
	case from > Day:
		t.Prec = 2 // a literal in hours has at least type DAY(2)
	}
	if from <= Month || to < from {
		return value.Value{}, t, message.ORA(30089)
	}
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg, s = s[0] == '-', s[1:]
	}
	total := new(big.Int)
	for f := from; f <= to; f++ {
		part := s
		if f < to {
			sep := ":"
			if f == Day {
				sep = " "
			}
			var ok bool
			if part, s, ok = strings.Cut(s, sep); !ok {
				return value.Value{}, t, message.ORA(1867)
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
	v, err := newInterval(total)
	if days := v.N / TicksPerDay; err == nil && from > Day && (days > 99 || days < -99) {
		t.Prec = uint8(len(strconv.FormatInt(max(days, -days), 10)))
	}
	return v, t, err
}

func errYearToMonth() error { return sqlerr.NotSupported("INTERVAL YEAR TO MONTH") }

// fieldSize is one unit of a field in ticks, fieldLimit the limit of a field that is not the leading one.
var (
	fieldSize  = [...]int64{Day: TicksPerDay, Hour: TicksPerHour, Minute: TicksPerMinute, Second: TicksPerSecond}
	fieldLimit = [...]int64{Day: math.MaxInt64, Hour: 24, Minute: 60, Second: 60}
)

func intervalField(s string, f Field, leads bool, prec uint8, frac int8) (*big.Int, error) {
	whole, decimals, hasPoint := strings.Cut(s, ".")
	if whole == "" || strings.Trim(whole+decimals, "0123456789") != "" || hasPoint && f != Second {
		return nil, message.ORA(1867)
	}
	if leads && len(strings.TrimLeft(whole, "0")) > int(prec) {
		return nil, message.ORA(1873)
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n > 999_999_999 {
		return nil, message.ORA(1873)
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
	case Hour:
		return message.ORA(1850)
	case Minute:
		return message.ORA(1851)
	}
	return message.ORA(1852)
}

// fractionTicks returns the decimals of a second in ticks, rounded to digits.
func fractionTicks(decimals string, digits int) (int64, error) {
	if len(decimals) > digits {
		m, _ := new(big.Int).SetString(decimals, 10)
		m = value.DivRound(m, pow10(len(decimals)-digits))
		return ticksOf(m, digits)
	}
	m, _ := new(big.Int).SetString("0"+decimals, 10)
	return ticksOf(m, len(decimals))
}

// ticksOf returns m * 10^-scale seconds in ticks, refused if that is not a whole number.
func ticksOf(m *big.Int, scale int) (int64, error) {
	m = new(big.Int).Mul(m, big.NewInt(TicksPerSecond))
	q, r := new(big.Int).QuoRem(m, pow10(scale), new(big.Int))
	if r.Sign() != 0 {
		return 0, ErrFine()
	}
	return q.Int64(), nil
}

// newInterval checks the range of ticks.
func newInterval(n *big.Int) (value.Value, error) {
	if n.CmpAbs(big.NewInt(maxSpanDays*TicksPerDay-1)) > 0 {
		return value.Value{}, sqlerr.NotSupported("intervals of %d days and more", maxSpanDays)
	}
	return value.NewSpan(n.Int64()), nil
}

// fitInterval rounds the fraction to t's precision and checks the leading field, ORA-01873.
func fitInterval(v value.Value, t Type) (value.Value, error) {
	limit := int64(1)
	for range t.Prec {
		limit *= 10
	}
	if v.N >= 0 {
		v = value.NewSpan(roundFraction(v.N, t.Scale))
	} else {
		v = value.NewSpan(-roundFraction(-v.N, t.Scale))
	}
	if lead := v.N / TicksPerDay; lead >= limit || lead <= -limit {
		return v, message.ORA(1873)
	}
	return v, nil
}

// ParseInterval reads an interval from text, [+|-]days hh:mi:ss[.ff], ORA-01867.
func ParseInterval(text string) (value.Value, error) {
	if strings.ContainsAny(text, "Pp") {
		return value.Value{}, sqlerr.NotSupported("intervals in the format of ISO 8601")
	}
	v, _, err := IntervalLiteral(text, Day, Second, 9, 9)
	return v, err
}

// IntervalOf returns n units of a field as an interval with the largest precision (NUMTODSINTERVAL); nanoseconds are rounded.
func IntervalOf(n value.Value, unit Field) (value.Value, error) {
	if unit <= Month {
		return value.Value{}, errYearToMonth()
	}
	m, scale := parts(n)
	return spanOf(new(big.Int).Mul(m, big.NewInt(fieldSize[unit])), scale)
}

// spanOf returns m * 10^-scale ticks, rounded to nanoseconds; a remainder below a tick is refused.
func spanOf(m *big.Int, scale int) (value.Value, error) {
	nanos := value.DivRound(new(big.Int).Mul(m, big.NewInt(100)), pow10(scale))
	q, r := new(big.Int).QuoRem(nanos, big.NewInt(100), new(big.Int))
	if r.Sign() != 0 {
		return value.Value{}, ErrFine()
	}
	return newInterval(q)
}

// Extract returns a field of a datetime or interval: ORA-30076 for one that it does not have.
// Hours, minutes and seconds of a timestamp with time zone are those in UTC, as
// documented ("EXTRACT (datetime)").
func Extract(v value.Value, t Type, f Field) (value.Value, error) {
	switch {
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
	case !t.IsDatetime() || t.ID == Date && f > Day:
		return value.Value{}, message.ORA(30076)
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
	}
	return NewNumber(big.NewInt(int64(c.Second)*TicksPerSecond+int64(c.Ticks)), 7)
}
