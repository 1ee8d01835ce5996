package tds

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// 100 ns ticks, and days counted from 0001-01-01.
const (
	ticksPerDay    = datatype.TicksPerDay
	ticksPerMinute = datatype.TicksPerMinute
	days1900       = 693595  // 1900-01-01, day 0 of datetime
	days1753       = 639905  // 1753-01-01, the first datetime
	days9999       = 3652058 // 9999-12-31, the last day of all types
	maxOffset      = 14 * 60 // minutes of datetimeoffset
)

// errInvalid says that a value breaks the rules of its type (error 8023).
var errInvalid = errors.New("the supplied value is not a valid instance of its data type")

// appendValue appends a value of a column or return value to what appendTypeInfo
// announced with the same type and nullability.
func appendValue(b []byte, t datatype.Type, nullable bool, v value.Value) ([]byte, error) {
	if v.IsNull() {
		return appendNull(b, t, nullable)
	}
	start := len(b)
	if t.ID == datatype.SQLVariant {
		return appendVariant(b, v)
	}
	switch shape(t, nullable) {
	case 0:
		return appendBare(b, t, v)
	case 1:
		b, err := appendBare(append(b, 0), t, v)
		b[start] = byte(len(b) - start - 1)
		return b, err
	case 2:
		b, err := appendBare(append(b, 0, 0), t, v)
		n := len(b) - start - 2
		if limit := declaredBytes(t); err == nil && n > limit {
			return b, fmt.Errorf("tds: %d bytes in a type of %d", n, limit)
		}
		binary.LittleEndian.PutUint16(b[start:], uint16(n))
		return b, err
	default: // chunks: the total, one chunk unless there is nothing, the end
		b, err := appendBare(append(b, make([]byte, 12)...), t, v)
		n := len(b) - start - 12
		if n > math.MaxInt32 {
			return b, fmt.Errorf("tds: value of %d bytes", n)
		}
		binary.LittleEndian.PutUint64(b[start:], uint64(n))
		binary.LittleEndian.PutUint32(b[start+8:], uint32(n))
		if n > 0 {
			b = append(b, 0, 0, 0, 0)
		}
		return b, err
	}
}

// shape tells how a type announces a value's length: in 0, 1 or 2 bytes, or (3) in
// chunks.
func shape(t datatype.Type, nullable bool) int {
	switch t.ID {
	case datatype.Char, datatype.VarChar, datatype.NChar, datatype.NVarChar, datatype.Binary, datatype.VarBinary, datatype.RowVersion:
		if t.Len == datatype.Max {
			return 3
		}
		return 2
	default:
		if _, fixed := fixedWire(t.ID); fixed && !nullable {
			return 0
		}
		return 1
	}
}

// declaredBytes is the most that a value of a type with a two-byte length may have.
func declaredBytes(t datatype.Type) int {
	switch t.ID {
	case datatype.NChar, datatype.NVarChar:
		return 2 * int(max(t.Len, 1))
	case datatype.RowVersion:
		return 8
	default:
		return int(max(t.Len, 1))
	}
}

func appendNull(b []byte, t datatype.Type, nullable bool) ([]byte, error) {
	if t.ID == datatype.SQLVariant {
		return append(b, 0, 0, 0, 0), nil
	}
	switch shape(t, nullable) {
	case 0:
		return b, errors.New("tds: NULL in a column that is not nullable")
	case 1:
		return append(b, 0), nil
	case 2:
		return append(b, 0xFF, 0xFF), nil
	}
	return binary.LittleEndian.AppendUint64(b, math.MaxUint64), nil
}

// appendBare appends a value's bytes without a length.
func appendBare(b []byte, t datatype.Type, v value.Value) ([]byte, error) {
	switch t.ID {
	case datatype.Bit, datatype.TinyInt, datatype.SmallInt, datatype.Int, datatype.BigInt:
		return appendInt(b, t, v)
	case datatype.Decimal:
		return appendDecimal(b, t, v)
	case datatype.SmallMoney, datatype.Money:
		return appendMoney(b, t, v)
	case datatype.Real, datatype.Float:
		if v.Kind != value.Float {
			return b, mismatch(t, v)
		}
		if t.ID == datatype.Real {
			return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v.Float64()))), nil
		}
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float64())), nil
	case datatype.Date, datatype.Time, datatype.SmallDateTime, datatype.DateTime, datatype.DateTime2, datatype.DateTimeOffset:
		return appendTime(b, t, v)
	case datatype.Char, datatype.VarChar:
		if v.Kind != value.String {
			return b, mismatch(t, v)
		}
		return append(b, datatype.CodePageBytes(v.Str())...), nil
	case datatype.NChar, datatype.NVarChar:
		if v.Kind != value.String {
			return b, mismatch(t, v)
		}
		return appendUTF16(b, v.Str()), nil
	case datatype.Binary, datatype.VarBinary, datatype.RowVersion:
		if v.Kind != value.Bytes {
			return b, mismatch(t, v)
		}
		return append(b, v.Str()...), nil
	case datatype.UniqueIdentifier:
		if v.Kind != value.GUID {
			return b, mismatch(t, v)
		}
		return append(b, v.Str()...), nil
	default:
		return b, mismatch(t, v)
	}
}

func mismatch(t datatype.Type, v value.Value) error {
	return fmt.Errorf("tds: value %#v in a column of type %s", v, t)
}

func appendInt(b []byte, t datatype.Type, v value.Value) ([]byte, error) {
	if v.Kind != value.Int && v.Kind != value.Bool {
		return b, mismatch(t, v)
	}
	n := v.N
	switch {
	case t.ID == datatype.Bit && n>>1 == 0, t.ID == datatype.TinyInt && int64(uint8(n)) == n:
		return append(b, byte(n)), nil
	case t.ID == datatype.SmallInt && int64(int16(n)) == n:
		return binary.LittleEndian.AppendUint16(b, uint16(n)), nil
	case t.ID == datatype.Int && int64(int32(n)) == n:
		return binary.LittleEndian.AppendUint32(b, uint32(n)), nil
	case t.ID == datatype.BigInt:
		return binary.LittleEndian.AppendUint64(b, uint64(n)), nil
	}
	return b, mismatch(t, v)
}

// scaled returns v's mantissa at a scale; digits are never lost.
func scaled(t datatype.Type, v value.Value, scale uint8) (*big.Int, error) {
	m, have := big.NewInt(v.N), uint8(0)
	switch v.Kind {
	case value.Int:
	case value.Decimal:
		m, have = v.Mantissa(), v.Scale
	default:
		return nil, mismatch(t, v)
	}
	if have == scale {
		return m, nil
	}
	if have < scale {
		return new(big.Int).Mul(m, pow10(scale-have)), nil
	}
	q, r := new(big.Int).QuoRem(m, pow10(have-scale), new(big.Int))
	if r.Sign() != 0 {
		return nil, fmt.Errorf("tds: scale %d in a column of scale %d", have, scale)
	}
	return q, nil
}

func pow10(n uint8) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func appendDecimal(b []byte, t datatype.Type, v value.Value) ([]byte, error) {
	m, err := scaled(t, v, t.Scale)
	if err != nil {
		return b, err
	}
	if m.CmpAbs(pow10(t.Prec)) >= 0 {
		return b, fmt.Errorf("tds: more than %d digits in a decimal", t.Prec)
	}
	sign := byte(1)
	if m.Sign() < 0 {
		sign = 0
	}
	b = append(b, sign)
	var buf [16]byte
	m.FillBytes(buf[:])
	for i := range decimalSize(t.Prec) {
		b = append(b, buf[15-i])
	}
	return b, nil
}

func appendMoney(b []byte, t datatype.Type, v value.Value) ([]byte, error) {
	m, err := scaled(t, v, 4)
	if err != nil {
		return b, err
	}
	n := m.Int64()
	if !m.IsInt64() || t.ID == datatype.SmallMoney && int64(int32(n)) != n {
		return b, fmt.Errorf("tds: %s is too much money", m)
	}
	if t.ID == datatype.SmallMoney {
		return binary.LittleEndian.AppendUint32(b, uint32(n)), nil
	}
	// The more significant half comes first.
	b = binary.LittleEndian.AppendUint32(b, uint32(n>>32))
	return binary.LittleEndian.AppendUint32(b, uint32(n)), nil
}

// appendTime appends all types of dates and times.
func appendTime(b []byte, t datatype.Type, v value.Value) ([]byte, error) {
	if t.ID == datatype.Time {
		if v.Kind != value.Span || v.N < 0 || v.N >= ticksPerDay {
			return b, mismatch(t, v)
		}
		return appendClock(b, t.Scale, v.N), nil
	}
	day, tick := v.N/ticksPerDay, v.N%ticksPerDay
	if v.Kind != value.Time || v.N < 0 || day > days9999 {
		return b, mismatch(t, v)
	}
	switch t.ID {
	case datatype.Date:
		return appendDay(b, day), nil
	case datatype.DateTime2:
		return appendDay(appendClock(b, t.Scale, tick), day), nil
	case datatype.DateTimeOffset:
		b = appendDay(appendClock(b, t.Scale, tick), day)
		return binary.LittleEndian.AppendUint16(b, uint16(v.Aux)), nil
	case datatype.SmallDateTime:
		day -= days1900
		if day < 0 || day > math.MaxUint16 {
			return b, fmt.Errorf("tds: day %d is out of the range of smalldatetime", day)
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(day))
		return binary.LittleEndian.AppendUint16(b, uint16(tick/ticksPerMinute)), nil
	default: // datetime: 1/300 s
		if day < days1753 {
			return b, fmt.Errorf("tds: day %d is out of the range of datetime", day)
		}
		clock := (tick*3 + 50_000) / 100_000
		if clock == 24*60*60*300 { // the last ticks of a day round up to the next one
			day, clock = day+1, 0
			if day > days9999 {
				return b, errors.New("tds: the end of the year 9999 is out of the range of datetime")
			}
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(int32(day-days1900)))
		return binary.LittleEndian.AppendUint32(b, uint32(clock)), nil
	}
}

// clockUnit is the number of ticks in a unit of a time with so many digits.
func clockUnit(scale uint8) int64 {
	unit := int64(1)
	for range 7 - min(scale, 7) {
		unit *= 10
	}
	return unit
}

func appendClock(b []byte, scale uint8, ticks int64) []byte {
	n := ticks / clockUnit(scale)
	for range timeSize(scale) {
		b = append(b, byte(n))
		n >>= 8
	}
	return b
}

func appendDay(b []byte, day int64) []byte { return append(b, byte(day), byte(day>>8), byte(day>>16)) }

// appendVariant appends a sql_variant: length, base type, properties, value
// ([MS-TDS] 2.2.5.5.4).
func appendVariant(b []byte, v value.Value) ([]byte, error) {
	x, ok := datatype.VariantOf(v)
	if !ok {
		return b, mismatch(datatype.Of(datatype.SQLVariant), v)
	}
	t, v := x.Type, x.Value
	start := len(b)
	b = append(b, 0, 0, 0, 0)
	info, err := appendTypeInfo(nil, t, false)
	if err != nil {
		return b, err
	}
	switch t.ID {
	case datatype.Decimal:
		b = append(b, wireDecimalN, 2, t.Prec, t.Scale)
	case datatype.Time, datatype.DateTime2, datatype.DateTimeOffset:
		b = append(b, info[0], 1, t.Scale)
	case datatype.Char, datatype.VarChar, datatype.NChar, datatype.NVarChar:
		if t.Len == datatype.Max {
			return b, errors.New("tds: a sql_variant cannot hold a (max) type")
		}
		b = append(b, info[0], 7)
		b = append(b, info[3:8]...)
		b = append(b, info[1:3]...)
	case datatype.Binary, datatype.VarBinary:
		if t.Len == datatype.Max {
			return b, errors.New("tds: a sql_variant cannot hold a (max) type")
		}
		b = append(b, info[0], 2, info[1], info[2])
	case datatype.RowVersion, datatype.SQLVariant, datatype.Untyped:
		return b, fmt.Errorf("tds: a sql_variant cannot hold %s", t)
	default:
		b = append(b, info[0], 0)
	}
	b, err = appendBare(b, t, v)
	binary.LittleEndian.PutUint32(b[start:], uint32(len(b)-start-4))
	return b, err
}
