package tds

import (
	"math"
	"math/big"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// value reads a value of a parameter, or of a row of a bulk load or table-valued parameter.
func (d *decoder) value(w wireType) value.Value {
	if d.Err != nil { // possibly the type's
		return value.Value{}
	}
	var n int
	switch w.ID {
	case Null:
		return value.Value{}
	case VarBinary, Binary, VarChar, Char, NVarChar, NChar:
		if w.Size == Max {
			if b, ok := d.chunks(); ok {
				return d.bare(w, b)
			}
			return value.Value{}
		}
		if n = int(d.u16()); n == 0xFFFF {
			return value.Value{}
		}
		if n > w.Size {
			d.Failf("value of %d bytes in a type of %d", n, w.Size)
		}
	case Text, NText, Image:
		size := d.u32()
		if size == math.MaxUint32 {
			return value.Value{}
		}
		n = int(size)
	default:
		size := w.Size
		switch w.ID {
		case TimeN:
			size = timeSize(w.Scale)
		case DateTime2N:
			size = timeSize(w.Scale) + 3
		case DateTimeOffsetN:
			size = timeSize(w.Scale) + 5
		}
		n = size
		if !w.fixed {
			if n = int(d.U8()); n == 0 {
				return value.Value{}
			}
		}
		if w.ID != DecimalN && n != size {
			d.Failf("value of %d bytes in a type of %d", n, size)
		}
	}
	return d.bare(w, d.Bytes(n))
}

// chunks reads a partially length-prefixed value ([MS-TDS] 2.2.5.2.3); ok is false
// for NULL.
func (d *decoder) chunks() (b []byte, ok bool) {
	const null, unknown = math.MaxUint64, math.MaxUint64 - 1
	total := d.u64()
	if total == null {
		return nil, false
	}
	for first := true; d.Err == nil; first = false {
		n := d.u32()
		if n == 0 {
			break
		}
		if chunk := d.Bytes(int(n)); first {
			b = chunk // in the common case of one chunk nothing is copied
		} else {
			b = append(b, chunk...)
		}
	}
	if d.Err == nil && total != unknown && total != uint64(len(b)) {
		d.Failf("value of %d bytes was announced with %d", len(b), total)
	}
	return b, d.Err == nil
}

// little reads a number, least significant byte first.
func little(b []byte) (n uint64) {
	for _, c := range slices.Backward(b) {
		n = n<<8 | uint64(c)
	}
	return n
}

// invalid refuses a value that its type does not allow.
func (d *decoder) invalid() value.Value {
	d.Fail(errInvalid)
	return value.Value{}
}

// bare reads a value from its bytes.
func (d *decoder) bare(w wireType, b []byte) value.Value {
	if d.Err != nil {
		return value.Value{}
	}
	switch w.ID {
	case BitN:
		return value.NewInt(int64(min(b[0], 1)))
	case IntN:
		n := little(b)
		if len(b) > 1 {
			unused := 64 - 8*len(b)
			return value.NewInt(int64(n<<unused) >> unused)
		}
		return value.NewInt(int64(n))
	case FloatN:
		f := math.Float64frombits(little(b))
		if len(b) == 4 {
			f = float64(math.Float32frombits(uint32(little(b))))
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return d.invalid()
		}
		return value.NewFloat(f)
	case MoneyN: // the more significant half comes first
		return value.NewDecimal(int64(little(b[:4])<<32|little(b[4:])), 4)
	case DecimalN:
		return d.decimal(w.Type, b)
	case DateN, TimeN, DateTimeN, DateTime2N, DateTimeOffsetN:
		return d.time(w.Type, b)
	case GUID:
		return value.NewGUID([16]byte(b))
	case Binary, VarBinary, Image:
		return value.NewBytes(b)
	case Char, VarChar, Text:
		if w.ascii && slices.ContainsFunc(b, func(c byte) bool { return c >= 0x80 }) {
			d.Fail(sqlerr.NotSupported("text in a collation with another code page than 1252"))
			return value.Value{}
		}
		return value.NewString(charset.FromCodePage(b))
	default: // NChar, NVarChar, NText
		if len(b)%2 != 0 {
			return d.invalid()
		}
		return value.NewString(charset.FromUTF16(b))
	}
}

// decimal reads a sign and a mantissa, least significant byte first.
func (d *decoder) decimal(t Type, b []byte) value.Value {
	if len(b) < 2 || len(b) > 17 { // clients omit leading zeros
		return d.invalid()
	}
	mantissa := slices.Clone(b[1:])
	slices.Reverse(mantissa)
	m := new(big.Int).SetBytes(mantissa)
	if m.CmpAbs(pow10(t.Prec)) >= 0 {
		return d.invalid()
	}
	if b[0] == 0 {
		m.Neg(m)
	}
	return value.NewBigDecimal(m, t.Scale)
}

// time reads all types of dates and times; b has the type's length.
func (d *decoder) time(t Type, b []byte) value.Value {
	var day, tick int64
	var offset int16
	switch t.ID {
	case DateTimeN:
		day = days1900 + int64(int32(little(b[:4])))
		tick = (int64(little(b[4:]))*200_000 + 3) / 6 // to the nearest tick
		if day < days1753 {
			day = -1
		}
	case DateN:
		day = int64(little(b))
	default:
		n := timeSize(t.Scale)
		if tick = int64(little(b[:n])); tick >= ticksPerDay { // beyond the day at any scale; the product must not overflow
			return d.invalid()
		}
		tick *= clockUnit(t.Scale)
		if t.ID == TimeN {
			break
		}
		day = int64(little(b[n : n+3]))
		if t.ID == DateTimeOffsetN {
			offset = int16(little(b[n+3:]))
		}
	}
	ticks := day*ticksPerDay + tick
	local := ticks + int64(offset)*ticksPerMinute
	if day < 0 || day > days9999 || tick >= ticksPerDay || offset < -maxOffset || offset > maxOffset ||
		local < 0 || local >= (days9999+1)*ticksPerDay {
		return d.invalid()
	}
	if t.ID == TimeN {
		return value.NewSpan(tick)
	}
	return value.NewTime(ticks, offset)
}
