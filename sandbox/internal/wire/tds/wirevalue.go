package tds

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// 100 ns ticks, and days counted from 0001-01-01.
const (
	ticksPerMinute = 60 * 10_000_000
	ticksPerDay    = 24 * 60 * ticksPerMinute
	days1900       = 693595  // 1900-01-01, day 0 of datetime
	days1753       = 639905  // 1753-01-01, the first datetime
	days9999       = 3652058 // 9999-12-31, the last day of all types
	maxOffset      = 14 * 60 // minutes of datetimeoffset
)

// errInvalid reports that a value breaks the rules of its type (error 8023).
var errInvalid = errors.New("the supplied value is not a valid instance of its data type")

// appendValue appends the value of a column or return value, in the type that appendTypeInfo
// announced for the same type and nullability. b starts at a packet boundary; room is a packet's capacity in bytes; 0: it is not sent.
func appendValue(b []byte, t Type, nullable bool, v value.Value, room int) ([]byte, error) {
	if t.ID == VariantN {
		return appendVariant(b, v)
	}
	start, null := len(b), v.IsNull()
	switch size := t.lengthSize(nullable); {
	case size == 0 && null:
		return b, errors.New("tds: NULL in a column that is not nullable")
	case size == 0:
		return appendBare(b, t, v)
	case size == 1 && null:
		return append(b, 0), nil
	case size == 2 && null:
		return append(b, 0xFF, 0xFF), nil
	case null:
		return binary.LittleEndian.AppendUint64(b, math.MaxUint64), nil
	case size == 1:
		b, err := appendBare(append(b, 0), t, v)
		b[start] = byte(len(b) - start - 1)
		return b, err
	case size == 2:
		b, err := appendBare(append(b, 0, 0), t, v)
		n := len(b) - start - 2
		if err == nil && n > t.Size {
			return b, fmt.Errorf("tds: %d bytes in a type of %d", n, t.Size)
		}
		binary.LittleEndian.PutUint16(b[start:], uint16(n))
		return b, err
	default:
		data, err := appendBare(nil, t, v)
		if len(data) > math.MaxInt32 {
			return b, fmt.Errorf("tds: value of %d bytes", len(data))
		}
		return appendChunks(b, data, t.ID == NChar || t.ID == NVarChar, room), err
	}
}

// appendChunks appends the total, chunks and their end. Chunks end where packets end, as a server's do: SqlClient loses its place in
// a longer one when a read returns parts of two packets. Characters are not split unless one byte is left of a packet.
func appendChunks(b, data []byte, wide bool, room int) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(len(data)))
	for sent := 0; sent < len(data); {
		n := len(data) - sent
		if room > 0 {
			n = min(n, room-(len(b)+4)%room)
		}
		if wide && n > 1 && (sent+n)%2 != 0 {
			n--
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
		b = append(b, data[sent:sent+n]...)
		sent += n
	}
	return append(b, 0, 0, 0, 0)
}

// lengthSize returns the size in bytes of the length before a value; 12: the value comes in chunks.
func (t Type) lengthSize(nullable bool) int {
	switch t.ID {
	case Char, VarChar, NChar, NVarChar, Binary, VarBinary:
		if t.Size == Max {
			return 12
		}
		return 2
	}
	if _, fixed := t.fixed(); fixed && !nullable {
		return 0
	}
	return 1
}

// kinds are the kinds of the values of types that are no whole numbers or decimals.
var kinds = map[TypeID]value.Kind{
	FloatN: value.Float, TimeN: value.Span, DateN: value.Time, DateTimeN: value.Time, DateTime2N: value.Time, DateTimeOffsetN: value.Time,
	Char: value.String, VarChar: value.String, NChar: value.String, NVarChar: value.String, Binary: value.Bytes, VarBinary: value.Bytes, GUID: value.GUID,
}

// appendBare appends a value's bytes without a length.
func appendBare(b []byte, t Type, v value.Value) ([]byte, error) {
	switch t.ID {
	case BitN, IntN:
		return appendInt(b, t, v)
	case DecimalN:
		return appendDecimal(b, t, v)
	case MoneyN:
		return appendMoney(b, t, v)
	}
	if v.Kind != kinds[t.ID] {
		return b, mismatch(t, v)
	}
	switch t.ID {
	case FloatN:
		if t.Size == 4 {
			return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v.Float64()))), nil
		}
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float64())), nil
	case Char, VarChar:
		return append(b, charset.CodePageBytes(v.Str())...), nil
	case NChar, NVarChar:
		return charset.AppendUTF16(b, v.Str()), nil
	case Binary, VarBinary, GUID:
		return append(b, v.Str()...), nil
	default:
		return appendTime(b, t, v)
	}
}

func mismatch(t Type, v value.Value) error {
	return fmt.Errorf("tds: value %#v in a column of type %s", v, t)
}

// appendLittle appends the n least significant bytes of a number, the least significant first.
func appendLittle(b []byte, v int64, n int) []byte {
	for range n {
		b = append(b, byte(v))
		v >>= 8
	}
	return b
}

func appendInt(b []byte, t Type, v value.Value) ([]byte, error) {
	n := v.N
	ok := v.Kind == value.Int || v.Kind == value.Bool
	switch unused := 64 - 8*t.Size; {
	case t.ID == BitN:
		ok = ok && n>>1 == 0
	case t.Size == 1:
		ok = ok && int64(uint8(n)) == n
	default:
		ok = ok && n<<unused>>unused == n
	}
	if !ok {
		return b, mismatch(t, v)
	}
	return appendLittle(b, n, t.Size), nil
}

// scaled returns v's mantissa at a scale; no digits are lost.
func scaled(t Type, v value.Value, scale uint8) (*big.Int, error) {
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

func appendDecimal(b []byte, t Type, v value.Value) ([]byte, error) {
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

func appendMoney(b []byte, t Type, v value.Value) ([]byte, error) {
	m, err := scaled(t, v, 4)
	if err != nil {
		return b, err
	}
	n := m.Int64()
	if !m.IsInt64() {
		return b, fmt.Errorf("tds: %s is too much money", m)
	}
	// The more significant half comes first.
	b = binary.LittleEndian.AppendUint32(b, uint32(n>>32))
	return binary.LittleEndian.AppendUint32(b, uint32(n)), nil
}

// appendTime appends all types of dates and times.
func appendTime(b []byte, t Type, v value.Value) ([]byte, error) {
	day, tick := v.N/ticksPerDay, v.N%ticksPerDay
	if v.N < 0 || day > days9999 || t.ID == TimeN && day > 0 {
		return b, mismatch(t, v)
	}
	if t == DateTime {
		clock := (tick*3 + 50_000) / 100_000 // 1/300 s
		if clock == 24*60*60*300 {           // the last ticks of a day round up to the next day
			day, clock = day+1, 0
		}
		if day < days1753 || day > days9999 {
			return b, fmt.Errorf("tds: day %d is out of the range of datetime", day)
		}
		return appendLittle(appendLittle(b, day-days1900, 4), clock, 4), nil
	}
	if t.ID != DateN {
		b = appendLittle(b, tick/clockUnit(t.Scale), timeSize(t.Scale))
	}
	if t.ID != TimeN {
		b = appendLittle(b, day, 3)
	}
	if t.ID == DateTimeOffsetN {
		b = appendLittle(b, int64(v.Aux), 2)
	}
	return b, nil
}

// clockUnit is the number of ticks in a unit of a time with a number of decimals.
func clockUnit(scale uint8) int64 {
	unit := int64(1)
	for range 7 - min(scale, 7) {
		unit *= 10
	}
	return unit
}

// appendVariant appends a sql_variant: length, base type, properties, value
// ([MS-TDS] 2.2.5.5.4).
func appendVariant(b []byte, v value.Value) ([]byte, error) {
	start := len(b)
	b = append(b, 0, 0, 0, 0)
	if v.IsNull() {
		return b, nil
	}
	x, ok := v.Any().(Variant)
	if !ok || x.Type.Size == Max || x.Type.ID == VariantN {
		return b, mismatch(SQLVariant, v)
	}
	info, err := appendTypeInfo(nil, x.Type, false)
	if err != nil {
		return b, err
	}
	props := info[1:]
	switch {
	case x.Type.ID == DecimalN:
		props = info[2:]
	case x.Type.ID == GUID:
		props = nil
	case x.Type.isText(): // here the collation comes before the length
		props = append(info[3:], info[1:3]...)
	}
	b = append(append(b, info[0], byte(len(props))), props...)
	b, err = appendBare(b, x.Type, x.Value)
	binary.LittleEndian.PutUint32(b[start:], uint32(len(b)-start-4))
	return b, err
}
