package tds

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// value reads a value of a parameter, or of a row of a bulk load or table-valued parameter.
func (d *decoder) value(w wireType) value.Value {
	switch w.id {
	case wireNull:
		return value.Value{}
	case wireInt1, wireBit, wireInt2, wireInt4, wireInt8, wireFlt4, wireFlt8, wireMoney, wireMoney4, wireDateTime, wireDateTim4:
		return d.bare(w, d.bytes(w.size))
	case wireBigVarBinary, wireBigBinary, wireBigVarChar, wireBigChar, wireNVarChar, wireNChar:
		if w.size < 0 {
			if b, ok := d.chunks(); ok {
				return d.bare(w, b)
			}
			return value.Value{}
		}
		n := int(d.u16())
		if n == 0xFFFF {
			return value.Value{}
		}
		if n > w.size {
			d.failf("value of %d bytes in a type of %d", n, w.size)
		}
		return d.bare(w, d.bytes(n))
	}
	n := int(d.u8())
	if n == 0 {
		return value.Value{}
	}
	if w.id != wireDecimalN && w.id != wireNumericN && n != w.size {
		d.failf("value of %d bytes in a type of %d", n, w.size)
	}
	return d.bare(w, d.bytes(n))
}

// chunks reads a partially length-prefixed value ([MS-TDS] 2.2.5.2.3); ok is false
// for NULL.
func (d *decoder) chunks() (b []byte, ok bool) {
	const null, unknown = math.MaxUint64, math.MaxUint64 - 1
	total := d.u64()
	if total == null {
		return nil, false
	}
	for first := true; d.err == nil; first = false {
		n := d.u32()
		if n == 0 {
			break
		}
		if n > math.MaxInt32 {
			d.failf("chunk of %d bytes", n)
			break
		}
		if chunk := d.bytes(int(n)); first {
			b = chunk // in the common case of one chunk nothing is copied
		} else {
			b = append(b, chunk...)
		}
	}
	if d.err == nil && total != unknown && total != uint64(len(b)) {
		d.failf("value of %d bytes was announced with %d", len(b), total)
	}
	return b, d.err == nil
}

// bare reads a value from its bytes.
func (d *decoder) bare(w wireType, b []byte) value.Value {
	if d.err != nil {
		return value.Value{}
	}
	switch w.t.ID {
	case datatype.Bit:
		return value.NewInt(int64(min(b[0], 1)))
	case datatype.TinyInt:
		return value.NewInt(int64(b[0]))
	case datatype.SmallInt:
		return value.NewInt(int64(int16(binary.LittleEndian.Uint16(b))))
	case datatype.Int:
		return value.NewInt(int64(int32(binary.LittleEndian.Uint32(b))))
	case datatype.BigInt:
		return value.NewInt(int64(binary.LittleEndian.Uint64(b)))
	case datatype.Real:
		return d.float(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	case datatype.Float:
		return d.float(math.Float64frombits(binary.LittleEndian.Uint64(b)))
	case datatype.SmallMoney:
		return value.NewDecimal(int64(int32(binary.LittleEndian.Uint32(b))), 4)
	case datatype.Money:
		return value.NewDecimal(int64(binary.LittleEndian.Uint32(b))<<32|int64(binary.LittleEndian.Uint32(b[4:])), 4)
	case datatype.Decimal:
		return d.decimal(w.t, b)
	case datatype.Date, datatype.Time, datatype.SmallDateTime, datatype.DateTime, datatype.DateTime2, datatype.DateTimeOffset:
		return d.time(w.t, b)
	case datatype.UniqueIdentifier:
		if len(b) != 16 {
			d.fail(errInvalid)
			return value.Value{}
		}
		return value.NewGUID([16]byte(b))
	case datatype.Binary, datatype.VarBinary:
		return value.NewBytes(b)
	case datatype.Char, datatype.VarChar:
		if w.ascii && slices.ContainsFunc(b, func(c byte) bool { return c >= 0x80 }) {
			d.fail(sqlerr.NotSupported("text in a collation with another code page than 1252"))
			return value.Value{}
		}
		return value.NewString(datatype.FromCodePage(b))
	case datatype.NChar, datatype.NVarChar:
		if len(b)%2 != 0 {
			d.fail(errInvalid)
			return value.Value{}
		}
		return value.NewString(utf16String(b))
	default:
		d.failf("value of type %#x", w.id)
		return value.Value{}
	}
}

// float refuses what SQL Server has no place for.
func (d *decoder) float(f float64) value.Value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		d.fail(errInvalid)
		return value.Value{}
	}
	return value.NewFloat(f)
}

// decimal reads a sign and a mantissa, least significant byte first.
func (d *decoder) decimal(t datatype.Type, b []byte) value.Value {
	if len(b) != 5 && len(b) != 9 && len(b) != 13 && len(b) != 17 {
		d.fail(errInvalid)
		return value.Value{}
	}
	mantissa := slices.Clone(b[1:])
	slices.Reverse(mantissa)
	m := new(big.Int).SetBytes(mantissa)
	if m.CmpAbs(pow10(t.Prec)) >= 0 {
		d.fail(errInvalid)
		return value.Value{}
	}
	if b[0] == 0 {
		m.Neg(m)
	}
	return value.NewBigDecimal(m, t.Scale)
}

// time reads all types of dates and times; b has the type's length.
func (d *decoder) time(t datatype.Type, b []byte) value.Value {
	var day, tick int64
	var offset int16
	switch t.ID {
	case datatype.SmallDateTime:
		day = days1900 + int64(binary.LittleEndian.Uint16(b))
		tick = int64(binary.LittleEndian.Uint16(b[2:])) * ticksPerMinute
	case datatype.DateTime:
		day = days1900 + int64(int32(binary.LittleEndian.Uint32(b)))
		tick = (int64(binary.LittleEndian.Uint32(b[4:]))*200_000 + 3) / 6 // to the nearest tick
		if day < days1753 {
			day = -1
		}
	case datatype.Date:
		day = readDay(b)
	case datatype.Time:
		tick = readClock(b, t.Scale)
	default:
		n := timeSize(t.Scale)
		tick, day = readClock(b[:n], t.Scale), readDay(b[n:])
		if t.ID == datatype.DateTimeOffset {
			offset = int16(binary.LittleEndian.Uint16(b[n+3:]))
		}
	}
	ticks := day*ticksPerDay + tick
	local := ticks + int64(offset)*ticksPerMinute
	if day < 0 || day > days9999 || tick < 0 || tick >= ticksPerDay || offset < -maxOffset || offset > maxOffset ||
		local < 0 || local >= (days9999+1)*ticksPerDay {
		d.fail(errInvalid)
		return value.Value{}
	}
	if t.ID == datatype.Time {
		return value.NewSpan(tick)
	}
	return value.NewTime(ticks, offset)
}

func readDay(b []byte) int64 { return int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16 }

func readClock(b []byte, scale uint8) int64 {
	n := int64(0)
	for _, c := range slices.Backward(b) {
		n = n<<8 | int64(c)
	}
	if n >= ticksPerDay { // beyond the day in every scale; the product must not overflow
		return -1
	}
	return n * clockUnit(scale)
}
