package tns

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf16"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// appendValue appends a scalar with its length, for everything except LOBs and cursors.
func appendValue(b []byte, t Type, v value.Value) ([]byte, error) {
	if v.IsNull() {
		return append(b, 0), nil
	}
	if t.ID == Rowid {
		return appendRowid(append(b, byte(len(v.Str()))), v), nil
	}
	var room [32]byte
	raw := room[:0]
	var err error
	switch t.ID {
	case Varchar2, Char, Long:
		if v.Kind != value.String {
			return b, mismatch(t, v)
		}
		if t.National {
			return appendClr(b, utf16Bytes(v.Str())), nil
		}
		return appendClr(b, v.Str()), nil
	case Raw, LongRaw:
		if v.Kind != value.Bytes {
			return b, mismatch(t, v)
		}
		return appendClr(b, v.Str()), nil
	case Number:
		raw, err = appendNumber(raw, v)
	case Date, Timestamp, TimestampTZ, TimestampLTZ:
		raw, err = appendDate(raw, t.ID, v)
	case IntervalDS:
		raw, err = appendInterval(raw, v)
	case Boolean: // python-oracledb, buffer.pyx, write_bool
		if raw = append(raw, 0); v.N != 0 {
			raw = append(raw[:0], 1, 1)
		}
	case BinaryFloat, BinaryDouble:
		raw, err = appendFloat(raw, t.ID, v)
	default:
		return b, mismatch(t, v)
	}
	if err != nil {
		return b, fmt.Errorf("%w: %w", mismatch(t, v), err)
	}
	return appendClr(b, raw), nil
}

func mismatch(t Type, v value.Value) error { return fmt.Errorf("tns: %v is no %s", v, t.ID) }

// readValue converts the bytes of a scalar; no bytes are NULL.
func readValue(t Type, b []byte) (value.Value, error) {
	if len(b) == 0 {
		return value.Value{}, nil
	}
	switch t.ID {
	case Varchar2, Char, Long:
		if t.National {
			return value.NewString(utf16Text(b)), nil
		}
		return value.NewString(utf8Text(b)), nil
	case Raw, LongRaw:
		return value.NewBytes(b), nil
	case Number:
		return readNumber(b)
	case Date, Timestamp, TimestampTZ, TimestampLTZ:
		return readDate(t.ID, b)
	case IntervalDS:
		return readInterval(b)
	case Boolean:
		return value.NewBool(strings.Trim(string(b), "\x00") != ""), nil // four bytes from JDBC, the first or the last of them a 1
	case BinaryFloat, BinaryDouble:
		return readFloat(t.ID, b)
	default:
		return value.Value{}, fmt.Errorf("a bind variable of type %s", t.ID)
	}
}

// appendRowid appends the number of the object, file, block and row of a ROWID (python-oracledb, buffer.pyx, read_rowid). All are in file 7.
func appendRowid(b []byte, v value.Value) []byte {
	raw := []byte(v.Str())
	b = appendUint(b, uint64(binary.BigEndian.Uint32(raw)))
	b = append(appendUint(b, 7), 0)
	return appendUint(appendUint(b, uint64(binary.BigEndian.Uint32(raw[4:]))), uint64(be16(raw[8:])))
}

// rowid reads a ROWID.
func (d *decoder) rowid() value.Value {
	if d.U8() == 0 {
		return value.Value{}
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(d.u()))
	d.u()
	d.U8()
	b = binary.BigEndian.AppendUint32(b, uint32(d.u()))
	return value.NewBytes(binary.BigEndian.AppendUint16(b, uint16(d.u())))
}

// appendFloat appends a BINARY_FLOAT or BINARY_DOUBLE: IEEE 754, big-endian, with the
// sign bit flipped or, if negative, all bits, so that bytes sort as numbers do.
func appendFloat(b []byte, t TypeID, v value.Value) ([]byte, error) {
	if v.Kind != value.Float {
		return b, errors.New("not a floating-point number")
	}
	if t == BinaryFloat {
		n := math.Float32bits(float32(v.Float64()))
		if n>>31 != 0 {
			return binary.BigEndian.AppendUint32(b, ^n), nil
		}
		return binary.BigEndian.AppendUint32(b, n|1<<31), nil
	}
	n := math.Float64bits(v.Float64())
	if n>>63 != 0 {
		return binary.BigEndian.AppendUint64(b, ^n), nil
	}
	return binary.BigEndian.AppendUint64(b, n|1<<63), nil
}

func readFloat(t TypeID, b []byte) (value.Value, error) {
	switch {
	case t == BinaryFloat && len(b) == 4:
		n := binary.BigEndian.Uint32(b)
		if n>>31 != 0 {
			n &^= 1 << 31
		} else {
			n = ^n
		}
		return value.NewFloat(float64(math.Float32frombits(n))), nil
	case t == BinaryDouble && len(b) == 8:
		n := binary.BigEndian.Uint64(b)
		if n>>63 != 0 {
			n &^= 1 << 63
		} else {
			n = ^n
		}
		return value.NewFloat(math.Float64frombits(n)), nil
	default:
		return value.Value{}, errors.New("not a floating-point number")
	}
}

// utf8Text converts AL32UTF8 to text; invalid bytes become replacement characters.
func utf8Text(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

// utf16Bytes converts text to AL16UTF16.
func utf16Bytes(s string) []byte {
	units := utf16.Encode([]rune(s))
	b := make([]byte, 0, 2*len(units))
	for _, u := range units {
		b = binary.BigEndian.AppendUint16(b, u)
	}
	return b
}

// utf16Text converts AL16UTF16 to text; an odd byte at the end is ignored.
func utf16Text(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.BigEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}
