package tns

import "fmt"

// TypeID is a data type as a column or bind variable has it; the numbers are the
// protocol's, which DUMP shows, too (SQL Language Reference, "Oracle Built-in Data
// Types", codes).
type TypeID uint8

// The types that travel. A client may name some of them by a second number.
const (
	Varchar2     TypeID = 1 // NVARCHAR2, too
	Number       TypeID = 2
	Long         TypeID = 8
	RowID        TypeID = 11
	Date         TypeID = 12
	Raw          TypeID = 23
	LongRaw      TypeID = 24
	Char         TypeID = 96 // NCHAR, too
	BinaryFloat  TypeID = 100
	BinaryDouble TypeID = 101
	RefCursor    TypeID = 102
	CLOB         TypeID = 112 // NCLOB, too
	BLOB         TypeID = 113
	Timestamp    TypeID = 180
	TimestampTZ  TypeID = 181
	IntervalYM   TypeID = 182
	IntervalDS   TypeID = 183
	TimestampLTZ TypeID = 231
)

// String names a type.
func (t TypeID) String() string {
	switch t {
	case Varchar2:
		return "VARCHAR2"
	case Number:
		return "NUMBER"
	case Long:
		return "LONG"
	case RowID:
		return "ROWID"
	case Date:
		return "DATE"
	case Raw:
		return "RAW"
	case LongRaw:
		return "LONG RAW"
	case Char:
		return "CHAR"
	case BinaryFloat:
		return "BINARY_FLOAT"
	case BinaryDouble:
		return "BINARY_DOUBLE"
	case RefCursor:
		return "REF CURSOR"
	case CLOB:
		return "CLOB"
	case BLOB:
		return "BLOB"
	case Timestamp:
		return "TIMESTAMP"
	case TimestampTZ:
		return "TIMESTAMP WITH TIME ZONE"
	case IntervalYM:
		return "INTERVAL YEAR TO MONTH"
	case IntervalDS:
		return "INTERVAL DAY TO SECOND"
	case TimestampLTZ:
		return "TIMESTAMP WITH LOCAL TIME ZONE"
	default:
		return fmt.Sprintf("type %d", uint8(t))
	}
}

// wireType returns the type that a client's number stands for: it has several for the
// external forms of one type (TNSType in parameter.go).
func wireType(n byte) (TypeID, bool) {
	switch t := TypeID(n); t {
	case Varchar2, Number, Long, RowID, Date, Raw, LongRaw, Char, BinaryFloat, BinaryDouble,
		RefCursor, CLOB, BLOB, Timestamp, TimestampTZ, IntervalYM, IntervalDS, TimestampLTZ:
		return t, true
	case 94: // LONG VARCHAR
		return Long, true
	case 95: // LONG VARRAW
		return LongRaw, true
	case 187:
		return Timestamp, true
	case 188:
		return TimestampTZ, true
	case 189:
		return IntervalYM, true
	case 190:
		return IntervalDS, true
	case 232:
		return TimestampLTZ, true
	default:
		return 0, false
	}
}

// isText says whether values are characters and come as such.
func (t TypeID) isText() bool { return t == Varchar2 || t == Char || t == Long }

// isLong says whether values come behind all others and have two integers after them.
func (t TypeID) isLong() bool { return t == Long || t == LongRaw }

func (t TypeID) isLOB() bool { return t == CLOB || t == BLOB }

// Type is a type with its attributes.
type Type struct {
	ID        TypeID
	Precision uint8 // NUMBER: digits, 0: not declared; intervals: digits of the leading field
	Scale     int8  // NUMBER: -127: not declared; TIMESTAMP, INTERVAL DAY TO SECOND: digits of a second
	Length    int   // text and RAW: bytes at most
	Chars     int   // text: characters at most; 0: as many as bytes
	National  bool  // NVARCHAR2, NCHAR, NCLOB
}

// Character sets by Oracle's numbers (NLS_CHARSET_ID).
const (
	charsetUTF8  = 873  // AL32UTF8
	charsetUTF16 = 2000 // AL16UTF16
)

// charset returns the character set and form of a text type; 0, 0 for the others.
func (t Type) charset() (id uint64, form byte) {
	switch {
	case !t.ID.isText() && t.ID != CLOB:
		return 0, 0
	case t.National:
		return charsetUTF16, 2
	default:
		return charsetUTF8, 1
	}
}
