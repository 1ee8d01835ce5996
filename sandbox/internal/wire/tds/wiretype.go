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
	wireUDT          = 0xF0
	wireXML          = 0xF1
	wireTVP          = 0xF3

	wireImage   = 0x22
	wireText    = 0x23
	wireVariant = 0x62
	wireNText   = 0x63
)

const (
	plpSize  = 0xFFFF // the length of a type whose values come in chunks: (max), xml
	maxBytes = 8000   // of a type that is not (max)
)

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
	case wireInt1, wireBit, wireInt2, wireInt4, wireInt8, wireFlt4, wireFlt8, wireMoney, wireMoney4, wireDateTime, wireDateTim4:
		w.fixed()
	case wireIntN, wireBitN, wireFltN, wireMoneyN, wireDateTimN:
		w.size = int(d.u8())
		id, ok := sizedType(w.id, w.size)
		if !ok {
			d.failf("type %#x of length %d", w.id, w.size)
		}
		w.t.ID = id
		w.t.Prec = floatPrec(id)
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
	case wireBigVarBinary, wireBigBinary, wireBigVarChar, wireBigChar, wireNVarChar, wireNChar:
		d.shortType(&w)
	case wireXML:
		w.t.ID, w.size = datatype.XML, -1
		if d.u8() != 0 { // typed xml: database, schema and collection follow
			d.bVarchar()
			d.bVarchar()
			d.usVarchar()
			if d.err == nil {
				d.fail(sqlerr.NotSupported("xml with a schema collection"))
			}
		}
	case wireText, wireNText, wireImage:
		d.u32()
		w.size = -1
		switch w.id {
		case wireText:
			w.t.ID = datatype.Text
			d.collation(&w)
		case wireNText:
			w.t.ID = datatype.NText
			d.collation(&w)
		default: // image is what varbinary(max) once was
			w.t.ID, w.t.Len = datatype.VarBinary, datatype.Max
		}
	case wireVariant:
		w.size = int(d.u32())
		w.t.ID = datatype.SQLVariant
	case wireUDT:
		d.fail(sqlerr.NotSupported("CLR types"))
	default:
		// Without its TYPE_INFO's shape nothing behind it can be read.
		d.failf("data type %#x", w.id)
	}
	return w
}

// fixed fills in a type of fixed length.
func (w *wireType) fixed() {
	switch w.id {
	case wireInt1:
		w.t.ID, w.size = datatype.TinyInt, 1
	case wireBit:
		w.t.ID, w.size = datatype.Bit, 1
	case wireInt2:
		w.t.ID, w.size = datatype.SmallInt, 2
	case wireInt4:
		w.t.ID, w.size = datatype.Int, 4
	case wireInt8:
		w.t.ID, w.size = datatype.BigInt, 8
	case wireFlt4:
		w.t.ID, w.size, w.t.Prec = datatype.Real, 4, 24
	case wireFlt8:
		w.t.ID, w.size, w.t.Prec = datatype.Float, 8, 53
	case wireMoney:
		w.t.ID, w.size = datatype.Money, 8
	case wireMoney4:
		w.t.ID, w.size = datatype.SmallMoney, 4
	case wireDateTime:
		w.t.ID, w.size = datatype.DateTime, 8
	case wireDateTim4:
		w.t.ID, w.size = datatype.SmallDateTime, 4
	}
}

// sizedType tells which type a nullable type of a length stands for.
func sizedType(wire byte, size int) (datatype.ID, bool) {
	switch {
	case wire == wireIntN && size == 1:
		return datatype.TinyInt, true
	case wire == wireIntN && size == 2:
		return datatype.SmallInt, true
	case wire == wireIntN && size == 4:
		return datatype.Int, true
	case wire == wireIntN && size == 8:
		return datatype.BigInt, true
	case wire == wireBitN && size == 1:
		return datatype.Bit, true
	case wire == wireFltN && size == 4:
		return datatype.Real, true
	case wire == wireFltN && size == 8:
		return datatype.Float, true
	case wire == wireMoneyN && size == 4:
		return datatype.SmallMoney, true
	case wire == wireMoneyN && size == 8:
		return datatype.Money, true
	case wire == wireDateTimN && size == 4:
		return datatype.SmallDateTime, true
	case wire == wireDateTimN && size == 8:
		return datatype.DateTime, true
	}
	return 0, false
}

func floatPrec(id datatype.ID) uint8 {
	switch id {
	case datatype.Real:
		return 24
	case datatype.Float:
		return 53
	default:
		return 0
	}
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

// shortType reads the length and collation of a string type.
func (d *decoder) shortType(w *wireType) {
	w.size = int(d.u16())
	w.t.Len = int32(w.size)
	switch w.id {
	case wireBigVarBinary:
		w.t.ID = datatype.VarBinary
	case wireBigBinary:
		w.t.ID = datatype.Binary
	case wireBigVarChar:
		w.t.ID = datatype.VarChar
	case wireBigChar:
		w.t.ID = datatype.Char
	case wireNVarChar:
		w.t.ID, w.t.Len = datatype.NVarChar, int32(w.size/2)
	case wireNChar:
		w.t.ID, w.t.Len = datatype.NChar, int32(w.size/2)
	}
	switch {
	case w.size == plpSize:
		w.size, w.t.Len = -1, datatype.Max
		// go-mssqldb sends even char and binary parameters so when they are output.
		switch w.t.ID {
		case datatype.Binary:
			w.t.ID = datatype.VarBinary
		case datatype.Char:
			w.t.ID = datatype.VarChar
		case datatype.NChar:
			w.t.ID = datatype.NVarChar
		default:
		}
	case w.size > maxBytes:
		d.failf("type %#x of length %d", w.id, w.size)
	}
	switch w.id {
	case wireBigVarChar, wireBigChar, wireNVarChar, wireNChar:
		d.collation(w)
	}
}

// collation reads a collation. One that the sandbox does not model is no hindrance
// for Unicode text, which is the same in all of them.
func (d *decoder) collation(w *wireType) {
	var b [5]byte
	copy(b[:], d.bytes(5))
	c, ok := collationOf(b)
	w.t.Coll = c
	w.ascii = !ok && w.id != wireNVarChar && w.id != wireNChar && w.id != wireNText
}

// appendTypeInfo appends the TYPE_INFO of a column or return value. A type that is
// not nullable is sent without room for NULL where the protocol has such a type.
func appendTypeInfo(b []byte, t datatype.Type, nullable bool) ([]byte, error) {
	if !nullable {
		if id, ok := fixedWire(t.ID); ok {
			return append(b, id), nil
		}
	}
	switch t.ID {
	case datatype.Untyped: // an untyped NULL in a result set is an int
		return append(b, wireIntN, 4), nil
	case datatype.Bit:
		return append(b, wireBitN, 1), nil
	case datatype.TinyInt:
		return append(b, wireIntN, 1), nil
	case datatype.SmallInt:
		return append(b, wireIntN, 2), nil
	case datatype.Int:
		return append(b, wireIntN, 4), nil
	case datatype.BigInt:
		return append(b, wireIntN, 8), nil
	case datatype.Decimal:
		if t.Prec < 1 || t.Prec > 38 || t.Scale > t.Prec {
			return b, fmt.Errorf("tds: decimal(%d, %d) does not exist", t.Prec, t.Scale)
		}
		return append(b, wireDecimalN, byte(1+decimalSize(t.Prec)), t.Prec, t.Scale), nil
	case datatype.SmallMoney:
		return append(b, wireMoneyN, 4), nil
	case datatype.Money:
		return append(b, wireMoneyN, 8), nil
	case datatype.Real:
		return append(b, wireFltN, 4), nil
	case datatype.Float:
		return append(b, wireFltN, 8), nil
	case datatype.Date:
		return append(b, wireDateN), nil
	case datatype.Time:
		return append(b, wireTimeN, t.Scale), nil
	case datatype.SmallDateTime:
		return append(b, wireDateTimN, 4), nil
	case datatype.DateTime:
		return append(b, wireDateTimN, 8), nil
	case datatype.DateTime2:
		return append(b, wireDateTime2N, t.Scale), nil
	case datatype.DateTimeOffset:
		return append(b, wireDateTimeOffsetN, t.Scale), nil
	case datatype.Char, datatype.VarChar, datatype.NChar, datatype.NVarChar:
		coll := collationBytes(t.Coll)
		return append(appendShort(b, t), coll[:]...), nil
	case datatype.Binary, datatype.VarBinary, datatype.RowVersion:
		return appendShort(b, t), nil
	case datatype.Text, datatype.NText:
		coll := collationBytes(t.Coll)
		id, size := byte(wireText), uint32(0x7FFFFFFF)
		if t.ID == datatype.NText {
			id, size = wireNText, 0x7FFFFFFE
		}
		b = binary.LittleEndian.AppendUint32(append(b, id), size)
		b = append(b, coll[:]...)
		return append(b, 1, 0, 0), nil // the table's name: one part, empty
	case datatype.UniqueIdentifier:
		return append(b, wireGUID, 16), nil
	case datatype.XML:
		return append(b, wireXML, 0), nil
	case datatype.SQLVariant:
		return binary.LittleEndian.AppendUint32(append(b, wireVariant), 8009), nil
	default:
		return b, fmt.Errorf("tds: %s cannot be sent to a client", t)
	}
}

// appendShort appends a string type and its length; ” has a type of length 1.
func appendShort(b []byte, t datatype.Type) []byte {
	var id byte
	unit := int32(1)
	switch t.ID {
	case datatype.Char:
		id = wireBigChar
	case datatype.VarChar:
		id = wireBigVarChar
	case datatype.NChar:
		id, unit = wireNChar, 2
	case datatype.NVarChar:
		id, unit = wireNVarChar, 2
	case datatype.VarBinary:
		id = wireBigVarBinary
	case datatype.Binary:
		id = wireBigBinary
	default: // rowversion
		return binary.LittleEndian.AppendUint16(append(b, wireBigBinary), 8)
	}
	size := uint16(plpSize)
	if t.Len != datatype.Max {
		size = uint16(max(t.Len, 1) * unit)
	}
	return binary.LittleEndian.AppendUint16(append(b, id), size)
}

func fixedWire(id datatype.ID) (byte, bool) {
	switch id {
	case datatype.Bit:
		return wireBit, true
	case datatype.TinyInt:
		return wireInt1, true
	case datatype.SmallInt:
		return wireInt2, true
	case datatype.Int:
		return wireInt4, true
	case datatype.BigInt:
		return wireInt8, true
	case datatype.Real:
		return wireFlt4, true
	case datatype.Float:
		return wireFlt8, true
	case datatype.SmallMoney:
		return wireMoney4, true
	case datatype.Money:
		return wireMoney, true
	case datatype.SmallDateTime:
		return wireDateTim4, true
	case datatype.DateTime:
		return wireDateTime, true
	default:
		return 0, false
	}
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
