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
	IntervalDS   TypeID = 183
	TimestampLTZ TypeID = 231
)

var typeNames = map[TypeID]string{
	Varchar2: "VARCHAR2", Number: "NUMBER", Long: "LONG", Date: "DATE", Raw: "RAW", LongRaw: "LONG RAW", Char: "CHAR",
	BinaryFloat: "BINARY_FLOAT", BinaryDouble: "BINARY_DOUBLE", RefCursor: "REF CURSOR", CLOB: "CLOB", BLOB: "BLOB", Timestamp: "TIMESTAMP",
	TimestampTZ: "TIMESTAMP WITH TIME ZONE", IntervalDS: "INTERVAL DAY TO SECOND", TimestampLTZ: "TIMESTAMP WITH LOCAL TIME ZONE",
}

// String names a type.
func (t TypeID) String() string {
	if name, ok := typeNames[t]; ok {
		return name
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// externalTypes are the numbers that clients have for other forms of a type (TNSType in parameter.go): LONG VARCHAR, LONG VARRAW …
var externalTypes = map[byte]TypeID{94: Long, 95: LongRaw, 187: Timestamp, 188: TimestampTZ, 190: IntervalDS, 232: TimestampLTZ}

// wireType returns the type that a client's number stands for.
func wireType(n byte) (TypeID, bool) {
	if t, ok := externalTypes[n]; ok {
		return t, true
	}
	_, ok := typeNames[TypeID(n)]
	return TypeID(n), ok
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
