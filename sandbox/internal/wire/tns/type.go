package tns

// TypeID is a data type as a column or bind variable has it; the numbers are the
// protocol's, which DUMP also shows (SQL Language Reference, "Oracle Built-in Data
// Types", codes).
type TypeID uint8

// The types on the wire. A client may use a second number for some of them.
const (
	Varchar2     TypeID = 1 // also NVARCHAR2
	Number       TypeID = 2
	Long         TypeID = 8
	Rowid        TypeID = 11
	Date         TypeID = 12
	Raw          TypeID = 23
	LongRaw      TypeID = 24
	Char         TypeID = 96 // also NCHAR
	BinaryFloat  TypeID = 100
	BinaryDouble TypeID = 101
	RefCursor    TypeID = 102
	CLOB         TypeID = 112 // also NCLOB
	BLOB         TypeID = 113
	Timestamp    TypeID = 180
	TimestampTZ  TypeID = 181
	IntervalDS   TypeID = 183
	TimestampLTZ TypeID = 231
	Boolean      TypeID = 252 // PL/SQL only
)

// types has the name of each type and the maximum bytes of a value, if the type alone determines it.
var types = map[TypeID]struct {
	name string
	size int
}{
	Varchar2: {"VARCHAR2", 0}, Number: {"NUMBER", 22}, Long: {"LONG", 0}, Rowid: {"ROWID", 10}, Date: {"DATE", 7}, Raw: {"RAW", 0},
	LongRaw: {"LONG RAW", 0}, Char: {"CHAR", 0}, BinaryFloat: {"BINARY_FLOAT", 4}, BinaryDouble: {"BINARY_DOUBLE", 8},
	RefCursor: {"REF CURSOR", 1}, CLOB: {"CLOB", 4000}, BLOB: {"BLOB", 4000}, Timestamp: {"TIMESTAMP", 11},
	TimestampTZ: {"TIMESTAMP WITH TIME ZONE", 13}, IntervalDS: {"INTERVAL DAY TO SECOND", 11},
	TimestampLTZ: {"TIMESTAMP WITH LOCAL TIME ZONE", 11}, Boolean: {"BOOLEAN", 4},
}

// external has other numbers that clients use for some types (TNSType in parameter.go).
var external = map[byte]TypeID{94: Long, 95: LongRaw, 104: Rowid, 187: Timestamp, 188: TimestampTZ, 190: IntervalDS, 232: TimestampLTZ}

// String returns the name of a type.
func (t TypeID) String() string { return types[t].name }

// wireType returns the type for a client's number.
func wireType(n byte) (TypeID, bool) {
	t, ok := external[n]
	if !ok {
		t = TypeID(n)
		_, ok = types[t]
	}
	return t, ok
}

// size returns the maximum number of bytes in a value; 0: unknown.
func (t Type) size() int {
	switch t.ID {
	case Varchar2, Char, Raw:
		return max(t.Length, 1) // for 0, no bytes would be sent
	}
	return types[t.ID].size
}

// isText reports whether values are characters and are sent as such.
func (t TypeID) isText() bool { return t == Varchar2 || t == Char || t == Long }

// isLong reports whether values come after all others and are followed by two integers.
func (t TypeID) isLong() bool { return t == Long || t == LongRaw }

func (t TypeID) isLOB() bool { return t == CLOB || t == BLOB }

// Type is a type with its attributes.
type Type struct {
	ID        TypeID
	Precision uint8 // NUMBER: digits, 0: undeclared; intervals: digits of the leading field
	Scale     int8  // NUMBER: -127: not declared; TIMESTAMP, INTERVAL DAY TO SECOND: decimals of a second
	Length    int   // text and RAW: maximum bytes
	Chars     int   // text: maximum characters; 0: as many as bytes
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
