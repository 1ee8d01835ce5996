package tds

import (
	"encoding/binary"
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Data types on the wire ([MS-TDS] 2.2.5.4). The first group has a fixed length and
// no NULL.
const (
	wireNull     = 0x1F
	wireInt1     = 0x30
	wireBit      = 0x32
	wireInt2     = 0x34
	wireInt4     = 0x38
	wireDateTim4 = 0x3A
	wireFlt4     = 0x3B
	wireMoney    = 0x3C
	wireDateTime = 0x3D
	wireFlt8     = 0x3E
	wireMoney4   = 0x7A
	wireInt8     = 0x7F

	wireGUID            = 0x24
	wireIntN            = 0x26
	wireDateN           = 0x28
	wireTimeN           = 0x29
	wireDateTime2N      = 0x2A
	wireDateTimeOffsetN = 0x2B
	wireBitN            = 0x68
	wireDecimalN        = 0x6A
	wireNumericN        = 0x6C
	wireFltN            = 0x6D
	wireMoneyN          = 0x6E
	wireDateTimN        = 0x6F

	wireBigVarBinary = 0xA5
	wireBigVarChar   = 0xA7
	wireBigBinary    = 0xAD
	wireBigChar      = 0xAF
	wireNVarChar     = 0xE7
	wireNChar        = 0xEF
	wireTVP          = 0xF3

	wireVariant = 0x62
)

// refusedTypes are types that the sandbox sends at most.
var refusedTypes = map[byte]string{
	0x22: "image", 0x23: "text", 0x62: "sql_variant", 0x63: "ntext", 0xF0: "CLR type", 0xF1: "xml",
}

const (
	plpSize  = 0xFFFF // the length of a type whose values come in chunks: (max)
	maxBytes = 8000   // of a type that is not (max)
)

// numberTypes are the types that have a form without NULL and one with it; prec is a float's.
var numberTypes = []struct {
	id                datatype.ID
	notNull, nullable byte
	size              int
	prec              uint8
}{
	{datatype.Bit, wireBit, wireBitN, 1, 0},
	{datatype.TinyInt, wireInt1, wireIntN, 1, 0},
	{datatype.SmallInt, wireInt2, wireIntN, 2, 0},
	{datatype.Int, wireInt4, wireIntN, 4, 0},
	{datatype.BigInt, wireInt8, wireIntN, 8, 0},
	{datatype.Real, wireFlt4, wireFltN, 4, 24},
	{datatype.Float, wireFlt8, wireFltN, 8, 53},
	{datatype.SmallMoney, wireMoney4, wireMoneyN, 4, 0},
	{datatype.Money, wireMoney, wireMoneyN, 8, 0},
	{datatype.SmallDateTime, wireDateTim4, wireDateTimN, 4, 0},
	{datatype.DateTime, wireDateTime, wireDateTimN, 8, 0},
}

// stringTypes are the types whose length takes two bytes.
var stringTypes = []struct {
	id   datatype.ID
	wire byte
	unit int  // bytes of a character
	text bool // a collation follows
	plp  datatype.ID
}{
	{datatype.VarBinary, wireBigVarBinary, 1, false, datatype.VarBinary},
	{datatype.Binary, wireBigBinary, 1, false, datatype.VarBinary},
	{datatype.VarChar, wireBigVarChar, 1, true, datatype.VarChar},
	{datatype.Char, wireBigChar, 1, true, datatype.VarChar},
	{datatype.NVarChar, wireNVarChar, 2, true, datatype.NVarChar},
	{datatype.NChar, wireNChar, 2, true, datatype.NVarChar},
}

// wireType is a TYPE_INFO as a client sent it.
type wireType struct {
	id    byte
	size  int  // bytes; -1 when values come in chunks
	ascii bool // text in an unknown collation: fine as long as it is ASCII
	t     datatype.Type
}

// typeInfo reads a TYPE_INFO. Types that the sandbox does not model are refused with
// sqlerr.NotSupported: the message as such is in order.
func (d *decoder) typeInfo() wireType {
	w := wireType{id: d.u8(), t: datatype.Type{Coll: datatype.NoColl}}
	switch w.id {
	case wireNull:
		w.t.ID = datatype.Untyped
	case wireGUID:
		if w.size = int(d.u8()); w.size != 16 && w.size != 0 {
			d.failf("uniqueidentifier of length %d", w.size)
		}
		w.t.ID = datatype.UniqueIdentifier
	case wireDecimalN, wireNumericN:
		w.size = int(d.u8())
		w.t.ID, w.t.Prec, w.t.Scale = datatype.Decimal, d.u8(), d.u8()
		if d.err == nil && (w.t.Prec < 1 || w.t.Prec > 38 || w.t.Scale > w.t.Prec || w.size > 17) {
			d.failf("decimal(%d, %d) of length %d", w.t.Prec, w.t.Scale, w.size)
		}
	case wireDateN:
		w.t.ID, w.size = datatype.Date, 3
	case wireTimeN, wireDateTime2N, wireDateTimeOffsetN:
		if w.t.Scale = d.u8(); w.t.Scale > 7 {
			d.failf("time with %d fractional digits", w.t.Scale)
			return w
		}
		w.t.ID, w.size = timeType(w.id, w.t.Scale)
	default:
		if name, known := refusedTypes[w.id]; known {
			d.fail(sqlerr.NotSupported("parameters of type %s", name))
		} else if !d.number(&w) && !d.text(&w) {
			// Without its TYPE_INFO's shape nothing behind it can be read.
			d.failf("data type %#x", w.id)
		}
	}
	return w
}

// number reads the rest of one of numberTypes.
func (d *decoder) number(w *wireType) bool {
	size := -1
	for _, n := range numberTypes {
		if w.id == n.nullable && size < 0 {
			size = int(d.u8())
		}
		if w.id == n.notNull || w.id == n.nullable && size == n.size {
			w.t.ID, w.t.Prec, w.size = n.id, n.prec, n.size
			return true
		}
	}
	if size >= 0 {
		d.failf("type %#x of length %d", w.id, size)
	}
	return size >= 0
}

// timeSize is the number of bytes of a time of day ([MS-TDS] 2.2.5.5.1.8).
func timeSize(scale uint8) int {
	switch {
	case scale <= 2:
		return 3
	case scale <= 4:
		return 4
	}
	return 5
}

func timeType(wire byte, scale uint8) (datatype.ID, int) {
	switch wire {
	case wireTimeN:
		return datatype.Time, timeSize(scale)
	case wireDateTime2N:
		return datatype.DateTime2, timeSize(scale) + 3
	}
	return datatype.DateTimeOffset, timeSize(scale) + 5
}

// text reads the rest of one of stringTypes.
func (d *decoder) text(w *wireType) bool {
	for _, s := range stringTypes {
		if s.wire != w.id {
			continue
		}
		w.size = int(d.u16())
		w.t.ID, w.t.Len = s.id, int32(w.size/s.unit)
		switch {
		case w.size == plpSize: // go-mssqldb sends even char and binary parameters so when they are output
			w.t.ID, w.size, w.t.Len = s.plp, -1, datatype.Max
		case w.size > maxBytes:
			d.failf("type %#x of length %d", w.id, w.size)
		}
		if s.text {
			d.collation(w)
		}
		return true
	}
	return false
}

// collation reads a collation. One that the sandbox does not model is no hindrance
// for Unicode text, which is the same in all of them.
func (d *decoder) collation(w *wireType) {
	var b [5]byte
	copy(b[:], d.bytes(5))
	c, ok := collationOf(b)
	w.t.Coll = c
	w.ascii = !ok && w.id != wireNVarChar && w.id != wireNChar
}

// appendTypeInfo appends the TYPE_INFO of a column or return value. A type that is
// not nullable is sent without room for NULL where the protocol has such a type.
func appendTypeInfo(b []byte, t datatype.Type, nullable bool) ([]byte, error) {
	if !nullable {
		if id, ok := fixedWire(t.ID); ok {
			return append(b, id), nil
		}
	}
	for _, n := range numberTypes {
		if n.id == t.ID {
			return append(b, n.nullable, byte(n.size)), nil
		}
	}
	for _, s := range stringTypes {
		if s.id != t.ID {
			continue
		}
		size := uint16(plpSize)
		if t.Len != datatype.Max {
			size = uint16(max(t.Len, 1) * int32(s.unit)) // '' has a type of length 1
		}
		b = binary.LittleEndian.AppendUint16(append(b, s.wire), size)
		if s.text {
			coll := collationBytes(t.Coll)
			b = append(b, coll[:]...)
		}
		return b, nil
	}
	switch t.ID {
	case datatype.Untyped: // an untyped NULL in a result set is an int
		return append(b, wireIntN, 4), nil
	case datatype.Decimal:
		if t.Prec < 1 || t.Prec > 38 || t.Scale > t.Prec {
			return b, fmt.Errorf("tds: decimal(%d, %d) does not exist", t.Prec, t.Scale)
		}
		return append(b, wireDecimalN, byte(1+decimalSize(t.Prec)), t.Prec, t.Scale), nil
	case datatype.Date:
		return append(b, wireDateN), nil
	case datatype.Time:
		return append(b, wireTimeN, t.Scale), nil
	case datatype.DateTime2:
		return append(b, wireDateTime2N, t.Scale), nil
	case datatype.DateTimeOffset:
		return append(b, wireDateTimeOffsetN, t.Scale), nil
	case datatype.RowVersion:
		return binary.LittleEndian.AppendUint16(append(b, wireBigBinary), 8), nil
	case datatype.UniqueIdentifier:
		return append(b, wireGUID, 16), nil
	case datatype.SQLVariant:
		return binary.LittleEndian.AppendUint32(append(b, wireVariant), 8009), nil
	default:
		return b, fmt.Errorf("tds: %s cannot be sent to a client", t)
	}
}

func fixedWire(id datatype.ID) (byte, bool) {
	for _, n := range numberTypes {
		if n.id == id {
			return n.notNull, true
		}
	}
	return 0, false
}

// decimalSize is the number of bytes of a decimal's mantissa.
func decimalSize(prec uint8) int {
	switch {
	case prec <= 9:
		return 4
	case prec <= 19:
		return 8
	case prec <= 28:
		return 12
	}
	return 16
}
