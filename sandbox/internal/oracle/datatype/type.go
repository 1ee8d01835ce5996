// Package datatype is Oracle's type system: the types, their implicit and explicit
// conversions, arithmetic, comparison, keys and format models. It is pure: no session,
// no catalog, no SQL text; what depends on the session is passed in an [Env].
//
// How values of each type are stored (package value):
//
//	NUMBER, FLOAT, PLS_INTEGER     Int if whole and it fits, else Decimal without trailing zeros
//	BINARY_FLOAT, BINARY_DOUBLE    Float (BINARY_FLOAT already rounded to 32 bits)
//	(N)VARCHAR2, (N)CHAR           String, never empty: '' is NULL; CHAR is padded with spaces
//	CLOB, NCLOB                    String, may be empty (EMPTY_CLOB())
//	RAW, BLOB                      Bytes; only a BLOB may be empty
//	DATE                           Time, whole seconds
//	TIMESTAMP                      Time, the local date and time
//	TIMESTAMP WITH TIME ZONE       Time, ticks in UTC, Aux is the zone offset
//	INTERVAL DAY TO SECOND         Span
//	BOOLEAN                        Bool
//	ROWID                          Bytes: four for the object's number, four for the block's, two for the row's
//
// Limits: a tick is 100 ns, so a second has at most seven decimals; years below 1
// are refused, and so is date arithmetic before 1582-10-15, the start of the Gregorian calendar.
//
// Sources are the SQL Language Reference ("Data Types", "Format Models", "Literals") and
// Database Error Messages, both 19c.
package datatype

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// ID names a built-in type.
type ID uint8

// The types that the sandbox models.
const (
	Untyped      ID = iota // the NULL literal, '' and binds before a context gives them a type
	Number                 // and its ANSI names
	Float                  // NUMBER whose precision is in bits
	PLSInteger             // and BINARY_INTEGER; PL/SQL only
	BinaryFloat            // 32 bits
	BinaryDouble           // 64 bits
	Varchar2               // database character set, AL32UTF8
	NVarchar2              // national character set, AL16UTF16
	Char                   // blank-padded
	NChar                  // blank-padded
	CLOB                   //
	NCLOB                  //
	Raw                    //
	BLOB                   //
	Date                   // to the second
	Timestamp              //
	TimestampTZ            // WITH TIME ZONE
	IntervalDS             //
	Boolean                // PL/SQL only
	Rowid                  //
)

// Unset is the Scale of a NUMBER without one: any scale.
const Unset = -127

// Type is a type with its facets. Types are comparable with ==.
type Type struct {
	ID    ID
	Len   int32 // strings and RAW: maximum length in bytes (characters if Chars or a national type); 0: not limited
	Chars bool  // Len counts characters
	Prec  uint8 // NUMBER: digits, 0 for any; FLOAT: bits; intervals: digits of the leading field
	Scale int8  // NUMBER: digits after the point or Unset; TIMESTAMP, INTERVAL DAY TO SECOND: decimals of a second
	CI    bool  // text is compared with the collation BINARY_CI
}

// Of returns a type with its default facets.
func Of(id ID) Type {
	t := Type{ID: id}
	switch id {
	case Number:
		t.Scale = Unset
	case Float:
		t.Prec, t.Scale = 126, Unset
	case Timestamp, TimestampTZ:
		t.Scale = 6
	case IntervalDS:
		t.Prec, t.Scale = 2, 6
	case Char, NChar:
		t.Len = 1
	}
	return t
}

// Sized returns a string or RAW type of n bytes (characters of a national type).
func Sized(id ID, n int) Type { return Type{ID: id, Len: int32(n)} }

// NumberOf returns NUMBER(prec, scale).
func NumberOf(prec uint8, scale int8) Type { return Type{ID: Number, Prec: prec, Scale: scale} }

// Timestamps returns a TIMESTAMP or TIMESTAMP WITH TIME ZONE with that many decimals of a second.
func Timestamps(id ID, scale int8) Type { return Type{ID: id, Scale: scale} }

// infos have each type's name, its code ("Data Types", table of internal data types) and the maximum bytes of a value, if that does
// not depend on its length ("Oracle Built-in Data Types").
var infos = [...]struct {
	name string
	code uint8
	size int
}{
	Untyped: {"CHAR", 96, 0}, Number: {"NUMBER", 2, 22}, Float: {"FLOAT", 2, 22}, PLSInteger: {"PLS_INTEGER", 2, 22},
	BinaryFloat: {"BINARY_FLOAT", 100, 4}, BinaryDouble: {"BINARY_DOUBLE", 101, 8}, Varchar2: {"VARCHAR2", 1, 0}, NVarchar2: {"NVARCHAR2", 1, 0},
	Char: {"CHAR", 96, 0}, NChar: {"NCHAR", 96, 0}, CLOB: {"CLOB", 112, 4000}, NCLOB: {"NCLOB", 112, 4000}, Raw: {"RAW", 23, 0},
	BLOB: {"BLOB", 113, 4000}, Date: {"DATE", 12, 7}, Timestamp: {"TIMESTAMP", 180, 11}, TimestampTZ: {"TIMESTAMP WITH TIME ZONE", 181, 13},
	IntervalDS: {"INTERVAL DAY TO SECOND", 183, 11}, Boolean: {name: "BOOLEAN"}, Rowid: {"ROWID", 11, 10},
}

// String returns the name without facets, as DBA_ARGUMENTS has it.
func (id ID) String() string { return infos[id].name }

// Code returns the number that interfaces use for the type; 0 for BOOLEAN.
func (id ID) Code() uint8 { return infos[id].code }

// ByCode returns the type with a code, excluding national and PL/SQL types; Untyped for an unknown code.
func ByCode(code uint8) ID {
	for id, i := range infos {
		if ID(id) != Untyped && i.code == code {
			return ID(id)
		}
	}
	return Untyped
}

// Bytes returns the maximum size of a value in bytes.
func (t Type) Bytes() int {
	switch {
	case t.IsNational() && !t.IsLOB():
		return 2 * int(t.Len)
	case t.Chars && t.IsFixed():
		return min(4*int(t.Len), 2000)
	case t.Chars:
		return min(4*int(t.Len), 4000)
	case t.IsText() || t.ID == Raw:
		return int(t.Len)
	case t.ID == Timestamp && t.Scale == 0:
		return 7
	}
	return infos[t.ID].size
}

// String returns the type as DDL writes it: VARCHAR2(10 CHAR), NUMBER(6,2), TIMESTAMP(6) WITH TIME ZONE.
func (t Type) String() string {
	switch {
	case t.ID == Number && t.Prec > 0 && t.Scale != 0 && t.Scale != Unset:
		return fmt.Sprintf("NUMBER(%d,%d)", t.Prec, t.Scale)
	case t.ID == Number && t.Prec > 0:
		return fmt.Sprintf("NUMBER(%d)", t.Prec)
	case t.ID == Float:
		return fmt.Sprintf("FLOAT(%d)", t.Prec)
	case t.Len > 0 && t.Chars:
		return fmt.Sprintf("%s(%d CHAR)", t.ID, t.Len)
	case t.Len > 0:
		return fmt.Sprintf("%s(%d)", t.ID, t.Len)
	case t.ID == Timestamp:
		return fmt.Sprintf("TIMESTAMP(%d)", t.Scale)
	case t.ID == TimestampTZ:
		return fmt.Sprintf("TIMESTAMP(%d) WITH TIME ZONE", t.Scale)
	case t.ID == IntervalDS:
		return fmt.Sprintf("INTERVAL DAY(%d) TO SECOND(%d)", t.Prec, t.Scale)
	}
	return t.ID.String()
}

// IsText reports whether t is a character type other than a LOB.
func (t Type) IsText() bool {
	return t.ID == Varchar2 || t.ID == NVarchar2 || t.ID == Char || t.ID == NChar
}

// IsFixed reports whether t is padded with spaces and compared that way.
func (t Type) IsFixed() bool { return t.ID == Char || t.ID == NChar }

// IsNational reports whether lengths of t count UTF-16 code units.
func (t Type) IsNational() bool { return t.ID == NVarchar2 || t.ID == NChar || t.ID == NCLOB }

// IsLOB reports whether t is a CLOB, NCLOB or BLOB.
func (t Type) IsLOB() bool { return t.ID == CLOB || t.ID == NCLOB || t.ID == BLOB }

// IsNumeric reports whether t is a number of any kind.
func (t Type) IsNumeric() bool { return t.ID >= Number && t.ID <= BinaryDouble }

// IsBinaryFloat reports whether t is BINARY_FLOAT or BINARY_DOUBLE.
func (t Type) IsBinaryFloat() bool { return t.ID == BinaryFloat || t.ID == BinaryDouble }

// IsDatetime reports whether t is a date or a timestamp.
func (t Type) IsDatetime() bool { return t.ID == Date || t.ID == Timestamp || t.ID == TimestampTZ }

// IsInterval reports whether t is an interval.
func (t Type) IsInterval() bool { return t.ID == IntervalDS }

func (t Type) isChars() bool { return t.IsText() || t.ID == CLOB || t.ID == NCLOB }

// Spec is a type as a declaration has it.
type Spec struct {
	Name          string // upper case; for intervals all words: INTERVAL DAY TO SECOND
	Precision     *int   // length, precision, or an interval's leading precision
	Scale         *int   // scale, or an interval's fractional seconds precision
	AnyPrecision  bool   // NUMBER(*, s)
	Chars         bool   // the length has the unit CHAR
	WithZone      bool   // TIMESTAMP WITH TIME ZONE
	WithLocalZone bool   // TIMESTAMP WITH LOCAL TIME ZONE
	Unconstrained bool   // for a parameter or a function's result: strings have no length
	PLSQL         bool   // for a declaration in PL/SQL, where strings may be longer
}

// FromSpec returns the declared type: ORA-00902 for an unknown name, ORA-00906 for a
// missing length, ORA-00910, 01727, 01728 and 30088 for facets out of range.
func FromSpec(s Spec) (Type, error) {
	id, ok := names[s.Name]
	if !ok {
		return Type{}, typeUnknown(s.Name)
	}
	t := Of(id)
	switch {
	case s.WithLocalZone:
		return t, sqlerr.NotSupported("TIMESTAMP WITH LOCAL TIME ZONE")
	case s.WithZone && id == Timestamp:
		t.ID = TimestampTZ
	}
	switch {
	case t.IsText() || id == Raw:
		return textSpec(t, s)
	case id == Number:
		return numberSpec(t, s)
	case id == Float:
		if s.Precision != nil {
			if *s.Precision < 1 || *s.Precision > 126 {
				return t, message.ORA(1727)
			}
			t.Prec = uint8(*s.Precision)
		}
	case t.IsDatetime() && id != Date:
		if s.Precision != nil {
			if *s.Precision < 0 || *s.Precision > 9 {
				return t, message.ORA(30088)
			}
			t.Scale = int8(*s.Precision)
		}
	case t.IsInterval():
		if s.Precision != nil {
			if *s.Precision < 0 || *s.Precision > 9 {
				return t, message.ORA(30088)
			}
			t.Prec = uint8(*s.Precision)
		}
		if s.Scale != nil {
			if *s.Scale < 0 || *s.Scale > 9 {
				return t, message.ORA(30088)
			}
			t.Scale = int8(*s.Scale)
		}
	}
	return t, nil
}

func typeUnknown(name string) error {
	switch name {
	case "LONG", "LONG RAW", "UROWID", "BFILE", "XMLTYPE", "JSON", "NATURAL", "NATURALN", "POSITIVE", "POSITIVEN",
		"SIGNTYPE", "SIMPLE_INTEGER", "SIMPLE_FLOAT", "SIMPLE_DOUBLE", "ANYDATA", "ANYTYPE", "ANYDATASET", "URITYPE", "SDO_GEOMETRY",
		"JSON_ELEMENT_T", "JSON_OBJECT_T", "JSON_ARRAY_T", "JSON_SCALAR_T", "JSON_KEY_LIST":
		return sqlerr.NotSupported("type %s", name)
	}
	return message.ORA(902)
}

func textSpec(t Type, s Spec) (Type, error) {
	if s.Precision == nil {
		switch {
		case s.Unconstrained:
			t.Len = 0
		case !t.IsFixed():
			return t, message.ORA(906)
		}
		return t, nil
	}
	limit := 4000
	switch {
	case s.PLSQL && t.IsNational():
		limit = 16383
	case s.PLSQL:
		limit = 32767
	case t.IsFixed():
		limit = 2000
	case t.ID == Raw:
		limit = 2000
	}
	if !s.PLSQL && t.IsNational() {
		limit /= 2
	}
	if *s.Precision < 1 {
		return t, message.ORA(1723)
	}
	if *s.Precision > limit {
		return t, message.ORA(910)
	}
	t.Len, t.Chars = int32(*s.Precision), s.Chars && !t.IsNational() && t.ID != Raw
	return t, nil
}

func numberSpec(t Type, s Spec) (Type, error) {
	ansi := s.Name != "NUMBER"
	switch {
	case s.AnyPrecision:
		t.Prec, t.Scale = 38, 0
		if s.Scale == nil { // NUMBER(*) is NUMBER
			return Of(Number), nil
		}
	case s.Precision == nil && ansi: // INTEGER is NUMBER(38,0)
		t.Prec, t.Scale = 38, 0
	case s.Precision == nil:
		return t, nil
	default:
		if *s.Precision < 1 || *s.Precision > 38 {
			return t, message.ORA(1727)
		}
		t.Prec, t.Scale = uint8(*s.Precision), 0
	}
	if s.Scale != nil {
		if *s.Scale < -84 || *s.Scale > 127 {
			return t, message.ORA(1728)
		}
		t.Scale = int8(*s.Scale)
	}
	return t, nil
}

// names holds the names of types, including ANSI ones; it never changes.
var names = map[string]ID{
	"NUMBER": Number, "NUMERIC": Number, "DECIMAL": Number, "DEC": Number, "INTEGER": Number, "INT": Number,
	"SMALLINT": Number, "FLOAT": Float, "DOUBLE PRECISION": Float, "PLS_INTEGER": PLSInteger,
	"BINARY_INTEGER": PLSInteger, "BINARY_FLOAT": BinaryFloat, "BINARY_DOUBLE": BinaryDouble, "VARCHAR2": Varchar2,
	"VARCHAR": Varchar2, "STRING": Varchar2, "NVARCHAR2": NVarchar2, "CHAR": Char, "CHARACTER": Char, "NCHAR": NChar,
	"CLOB": CLOB, "NCLOB": NCLOB, "RAW": Raw, "BLOB": BLOB, "DATE": Date, "TIMESTAMP": Timestamp,
	"INTERVAL DAY TO SECOND": IntervalDS, "BOOLEAN": Boolean, "ROWID": Rowid,
}

// Env is what conversions need to know about the session. The language is AMERICAN, the
// territory AMERICA, sort and comparison BINARY.
type Env struct {
	PLSQL             bool   // evaluated by PL/SQL, not by a SQL statement: errors differ
	Now               int64  // ticks of the session's local date and time: TO_DATE fills in its month, RR its century
	Zone              Zone   // session time zone
	DateFormat        string // NLS_DATE_FORMAT
	TimestampFormat   string // NLS_TIMESTAMP_FORMAT
	TimestampTZFormat string // NLS_TIMESTAMP_TZ_FORMAT
	Numeric           string // NLS_NUMERIC_CHARACTERS: decimal character and group separator; "": ".,"
}

// localNumber writes a number with the session's characters.
func (e *Env) localNumber(s string) string {
	if e.Numeric == "" {
		return s
	}
	return strings.NewReplacer(".", e.Numeric[:1], ",", e.Numeric[1:]).Replace(s)
}

// plainNumber parses a number that uses the session's characters; other characters are an error.
func (e *Env) plainNumber(s string) string {
	if e.Numeric == "" {
		return s
	}
	return strings.NewReplacer(e.Numeric[:1], ".", e.Numeric[1:], ",", ".", "?", ",", "?").Replace(s)
}

// NewEnv returns the environment of a new session in territory AMERICA in UTC.
func NewEnv(now int64) *Env {
	return &Env{
		Now: now, DateFormat: "DD-MON-RR", TimestampFormat: "DD-MON-RR HH.MI.SSXFF AM",
		TimestampTZFormat: "DD-MON-RR HH.MI.SSXFF AM TZR",
	}
}

// Format returns the default format of a datetime type.
func (e *Env) Format(id ID) string {
	switch id {
	case Date:
		return e.DateFormat
	case Timestamp:
		return e.TimestampFormat
	}
	return e.TimestampTZFormat
}

// fold converts ASCII letters to upper case, for format models and field names: the length does not change.
func fold(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}
