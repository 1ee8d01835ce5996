package tds

import (
	"encoding/binary"
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// TypeID is a data type on the wire, in its nullable form ([MS-TDS] 2.2.5.4).
type TypeID byte

// The data types. Null is a NULL without a type, as clients send it; TableType is a table-valued parameter.
const (
	Null            TypeID = 0x1F
	GUID            TypeID = 0x24
	IntN            TypeID = 0x26
	DateN           TypeID = 0x28
	TimeN           TypeID = 0x29
	DateTime2N      TypeID = 0x2A
	DateTimeOffsetN TypeID = 0x2B
	BitN            TypeID = 0x68
	DecimalN        TypeID = 0x6A
	FloatN          TypeID = 0x6D
	MoneyN          TypeID = 0x6E
	DateTimeN       TypeID = 0x6F
	VarBinary       TypeID = 0xA5
	VarChar         TypeID = 0xA7
	Binary          TypeID = 0xAD
	Char            TypeID = 0xAF
	NVarChar        TypeID = 0xE7
	NChar           TypeID = 0xEF
	XMLN            TypeID = 0xF1
	TableType       TypeID = 0xF3
	Image           TypeID = 0x22
	Text            TypeID = 0x23
	VariantN        TypeID = 0x62
	NText           TypeID = 0x63

	wireNumeric TypeID = 0x6C // the same as DecimalN
	wireUDT     TypeID = 0xF0
)

// Type describes a column or parameter as TYPE_INFO does.
type Type struct {
	ID          TypeID
	Size        int   // maximum bytes of a value, for numbers and strings; Max: values come in chunks
	Prec, Scale uint8 // for decimals; Scale: also for times, the decimals of a second
	Collation   Collation
	User        uint32 // the user type; 0: none
}

// Max is the Size of (max) types.
const Max = -1

// The types that have no scale or length.
var (
	Untyped    = Type{ID: Null}
	Bit        = Type{ID: BitN, Size: 1}
	TinyInt    = Type{ID: IntN, Size: 1}
	SmallInt   = Type{ID: IntN, Size: 2}
	Int        = Type{ID: IntN, Size: 4}
	BigInt     = Type{ID: IntN, Size: 8}
	Money      = Type{ID: MoneyN, Size: 8}
	Real       = Type{ID: FloatN, Size: 4}
	Float      = Type{ID: FloatN, Size: 8}
	Date       = Type{ID: DateN, Size: 3}
	DateTime   = Type{ID: DateTimeN, Size: 8}
	GUIDType   = Type{ID: GUID, Size: 16}
	SQLVariant = Type{ID: VariantN, Size: 8009}
)

// fixedTypes are the types that have a fixed-length, non-nullable form.
var fixedTypes = [...]struct {
	wire byte
	t    Type
}{
	{0x30, TinyInt}, {0x32, Bit}, {0x34, SmallInt}, {0x38, Int}, {0x3B, Real},
	{0x3C, Money}, {0x3D, DateTime}, {0x3E, Float}, {0x7F, BigInt},
}

// fixed returns a type's fixed-length form; false: it has none.
func (t Type) fixed() (wire byte, ok bool) {
	for i := range fixedTypes {
		if f := &fixedTypes[i]; f.t.ID == t.ID && f.t.Size == t.Size {
			return f.wire, true
		}
	}
	return 0, false
}

// isText reports whether a type has a collation.
func (t Type) isText() bool {
	switch t.ID {
	case Char, VarChar, NChar, NVarChar, Text, NText:
		return true
	}
	return false
}

// String returns the type's name as in error messages.
func (t Type) String() string {
	names := map[TypeID]string{
		GUID: "uniqueidentifier", IntN: "int", DateN: "date", TimeN: "time", DateTime2N: "datetime2", DateTimeOffsetN: "datetimeoffset",
		BitN: "bit", DecimalN: "decimal", MoneyN: "money", VarBinary: "varbinary", VarChar: "varchar", Binary: "binary",
		Char: "char", NVarChar: "nvarchar", NChar: "nchar", Text: "text", NText: "ntext", FloatN: "float", DateTimeN: "datetime",
	}
	switch name, ok := names[t.ID]; {
	case t == Real:
		return "real"
	case ok:
		return name
	}
	return fmt.Sprintf("%#x", byte(t.ID))
}

// Variant is what a sql_variant holds.
type Variant struct {
	Type  Type
	Value value.Value
}

const (
	plpSize  = 0xFFFF // the length of a type whose values come in chunks
	maxBytes = 8000   // for a type that is not (max)
)

// wireType is a TYPE_INFO as a client sent it.
type wireType struct {
	Type
	fixed bool // the non-nullable form
	ascii bool // text in an unknown collation: accepted if it is ASCII
}

// typeInfo reads a TYPE_INFO. Types that the sandbox does not model are refused with
// sqlerr.NotSupported: the message itself is valid.
func (d *decoder) typeInfo() wireType {
	wire := d.U8()
	for _, f := range fixedTypes {
		if f.wire == wire {
			return wireType{Type: f.t, fixed: true}
		}
	}
	w := wireType{Type: Type{ID: TypeID(wire)}}
	switch w.ID {
	case Null:
	case IntN, BitN, FloatN, MoneyN, DateTimeN, GUID:
		w.Size = int(d.U8())
		if w.ID == GUID && w.Size == 0 {
			w.Size = 16
		}
		if _, ok := w.Type.fixed(); (w.ID == MoneyN || w.ID == DateTimeN) && w.Size == 4 {
			d.Fail(sqlerr.NotSupported("smallmoney and smalldatetime parameters"))
		} else if !ok && w.Type != GUIDType {
			d.Failf("type %#x of length %d", wire, w.Size)
		}
	case DecimalN, wireNumeric:
		d.U8() // the length; each value has its own, and mssql-python's bulk copy writes 0x6A here
		w.ID, w.Prec, w.Scale = DecimalN, d.U8(), d.U8()
		if d.Err == nil && (w.Prec < 1 || w.Prec > 38 || w.Scale > w.Prec) {
			d.Failf("decimal(%d, %d)", w.Prec, w.Scale)
		}
	case DateN:
		w.Size = 3
	case TimeN, DateTime2N, DateTimeOffsetN:
		if w.Scale = d.U8(); w.Scale > 7 {
			d.Failf("time with %d fractional digits", w.Scale)
		}
	case VarBinary, Binary, VarChar, Char, NVarChar, NChar:
		d.shortType(&w)
	case Text, NText, Image:
		d.u32()
		w.Size = Max
	case XMLN:
		d.Fail(sqlerr.NotSupported("xml parameters"))
	case VariantN:
		d.Fail(sqlerr.NotSupported("sql_variant parameters"))
	case wireUDT:
		d.Fail(sqlerr.NotSupported("CLR types"))
	default:
		// Without knowing the shape of TYPE_INFO, nothing after it can be read.
		d.Failf("data type %#x", wire)
	}
	if w.isText() {
		// A collation that the sandbox does not model does not matter for Unicode text, which is the same in all of them.
		copy(w.Collation[:], d.Bytes(len(w.Collation)))
		if !w.Collation.known() {
			w.ascii = w.Collation != Collation{} && (w.ID == VarChar || w.ID == Char || w.ID == Text)
			w.Collation = CIAS
		}
	}
	return w
}

// shortType reads the length of a string type.
func (d *decoder) shortType(w *wireType) {
	w.Size = int(d.u16())
	switch {
	case w.Size == plpSize:
		w.Size = Max
		// go-mssqldb sends even char and binary parameters this way when they are output.
		switch w.ID {
		case Binary:
			w.ID = VarBinary
		case Char:
			w.ID = VarChar
		case NChar:
			w.ID = NVarChar
		}
	case w.Size > maxBytes:
		d.Failf("type %#x of length %d", byte(w.ID), w.Size)
	}
}

// timeSize returns the number of bytes of a time of day ([MS-TDS] 2.2.5.5.1.8).
func timeSize(scale uint8) int { return [...]int{3, 3, 3, 4, 4, 5, 5, 5}[scale] }

// appendTypeInfo appends the TYPE_INFO of a column or return value. A type that is
// not nullable is sent in its non-nullable form if the protocol has one.
func appendTypeInfo(b []byte, t Type, nullable bool) ([]byte, error) {
	if wire, ok := t.fixed(); ok && !nullable {
		return append(b, wire), nil
	}
	b = append(b, byte(t.ID))
	switch t.ID {
	case Null: // in a result set it is an int
		b[len(b)-1] = byte(IntN)
		return append(b, 4), nil
	case IntN, BitN, FloatN, MoneyN, DateTimeN, GUID:
		return append(b, byte(t.Size)), nil
	case DecimalN:
		if t.Prec < 1 || t.Prec > 38 || t.Scale > t.Prec {
			return b, fmt.Errorf("tds: decimal(%d, %d) does not exist", t.Prec, t.Scale)
		}
		return append(b, byte(1+decimalSize(t.Prec)), t.Prec, t.Scale), nil
	case DateN:
		return b, nil
	case TimeN, DateTime2N, DateTimeOffsetN:
		return append(b, t.Scale), nil
	case Char, VarChar, NChar, NVarChar, Binary, VarBinary:
		size := uint16(plpSize)
		if t.Size != Max {
			size = uint16(t.Size)
		}
		b = binary.LittleEndian.AppendUint16(b, size)
		if t.isText() {
			b = append(b, t.Collation[:]...)
		}
		return b, nil
	case VariantN:
		return binary.LittleEndian.AppendUint32(b, uint32(t.Size)), nil
	default:
		return b, fmt.Errorf("tds: type %s cannot be sent to a client", t)
	}
}

// decimalSize returns the number of bytes of a decimal's mantissa.
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
