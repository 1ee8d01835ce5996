// Package datatype is SQL Server's type system: the types, their conversions,
// precedence, arithmetic, comparison and text forms. It is pure: no session, no
// catalog, no SQL text.
//
// How values of each type are held (package value):
//
//	bit, tinyint … bigint              Int
//	decimal, money                     Decimal of the type's scale (4 for money)
//	real, float                        Float (real already rounded to 32 bits)
//	date, datetime2                    Time, ticks of the local date and time
//	datetime                           Time, ticks of the nearest 1/300 second
//	datetimeoffset                     Time, ticks in UTC, Aux is the zone offset
//	time                               Span since midnight
//	(n)(var)char                       String; char and nchar are padded with spaces
//	(var)binary                        Bytes; binary is padded with zeros
//	uniqueidentifier                   GUID
//	sql_variant                        Ref of a Variant; a NULL variant is NULL
package datatype

// ID names a system type. User-defined alias types are resolved before they get here.
type ID uint8

// The system types of SQL Server that the sandbox models.
const (
	Untyped ID = iota // the NULL literal before a context gives it a type
	Bit
	TinyInt
	SmallInt
	Int
	BigInt
	Decimal // and numeric
	Money
	Real
	Float
	Date
	Time
	DateTime
	DateTime2
	DateTimeOffset
	Char
	VarChar
	NChar
	NVarChar
	Binary
	VarBinary
	UniqueIdentifier
	SQLVariant
	Table  // a table-valued parameter or table variable
	Cursor // a cursor variable
)

// Max is the Len of a (max) type.
const Max = -1

// Collation names one of the collations that the sandbox models.
type Collation uint8

// The collations that the sandbox models; others are refused.
const (
	CIAS   Collation = iota // SQL_Latin1_General_CP1_CI_AS
	CSAS                    // SQL_Latin1_General_CP1_CS_AS
	BIN2                    // Latin1_General_BIN2
	NoColl Collation = 255  // not a character type
)

// Type is a type with its facets. Types are comparable with ==.
type Type struct {
	ID    ID
	Len   int32 // characters (n)char, bytes binary; Max for (max); 0 where it has no meaning
	Prec  uint8 // decimal: total digits; float: 24 or 53
	Num   bool  // decimal: it is named numeric
	Scale uint8 // decimal: digits after the point; time, datetime2, datetimeoffset: fractional digits
	Coll  Collation
	Table string // for a Table: the quoted two-part name of its table type; empty for a table variable
}
