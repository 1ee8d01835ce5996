package datatype

import (
	"strconv"
	"strings"
)

// info is what the catalog says about a system type (sys.types), and what conversions and comparisons need.
type info struct {
	name   string
	id     uint8 // system_type_id and user_type_id
	length int16 // max_length in bytes where it does not depend on facets
	prec   uint8
	scale  uint8
	class  class
	rank   int // place in the order of precedence, 1 is the highest (learn.microsoft.com "Data type precedence")
}

var infos = [...]info{
	Untyped:          {name: "NULL", class: clsNull, rank: 99},
	Bit:              {"bit", 104, 1, 1, 0, clsBit, 18},
	TinyInt:          {"tinyint", 48, 1, 3, 0, clsInt, 17},
	SmallInt:         {"smallint", 52, 2, 5, 0, clsInt, 16},
	Int:              {"int", 56, 4, 10, 0, clsInt, 15},
	BigInt:           {"bigint", 127, 8, 19, 0, clsInt, 14},
	Decimal:          {"decimal", 106, 0, 0, 0, clsExact, 11},
	Money:            {"money", 60, 8, 19, 4, clsExact, 12},
	Real:             {"real", 59, 4, 24, 0, clsApprox, 10},
	Float:            {"float", 62, 8, 53, 0, clsApprox, 9},
	Date:             {"date", 40, 3, 10, 0, clsDate, 7},
	Time:             {"time", 41, 0, 0, 0, clsTime, 8},
	DateTime:         {"datetime", 61, 8, 23, 3, clsDateTime, 5},
	DateTime2:        {"datetime2", 42, 0, 0, 0, clsDateTime2, 4},
	DateTimeOffset:   {"datetimeoffset", 43, 0, 0, 0, clsDateTime2, 3},
	Char:             {"char", 175, 0, 0, 0, clsANSI, 28},
	VarChar:          {"varchar", 167, 0, 0, 0, clsANSI, 27},
	NChar:            {"nchar", 239, 0, 0, 0, clsUnicode, 26},
	NVarChar:         {"nvarchar", 231, 0, 0, 0, clsUnicode, 25},
	Binary:           {"binary", 173, 0, 0, 0, clsBinary, 30},
	VarBinary:        {"varbinary", 165, 0, 0, 0, clsBinary, 29},
	UniqueIdentifier: {"uniqueidentifier", 36, 16, 0, 0, clsGUID, 23},
	SQLVariant:       {"sql_variant", 98, 8016, 0, 0, clsVariant, 2},
	Table:            {"table type", 243, -1, 0, 0, clsOther, 0},
	Cursor:           {name: "cursor", class: clsOther},
}

// String returns the name of the system type as in sys.types.
func (id ID) String() string {
	if int(id) < len(infos) {
		return infos[id].name
	}
	return "ID(" + strconv.Itoa(int(id)) + ")"
}

// String returns the name that COLLATE and sys.columns use; "" for NoColl.
func (c Collation) String() string {
	switch c {
	case CIAS:
		return "SQL_Latin1_General_CP1_CI_AS"
	case CSAS:
		return "SQL_Latin1_General_CP1_CS_AS"
	case BIN2:
		return "Latin1_General_BIN2"
	default:
		return ""
	}
}

// Of returns the type with the facets that a declaration without any gives it:
// char(1), decimal(18,0), float(53), datetime2(7), the default collation.
func Of(id ID) Type {
	t := Type{ID: id, Coll: NoColl}
	switch id {
	case Decimal:
		t.Prec = 18
	case Real:
		t.Prec = 24
	case Float:
		t.Prec = 53
	case Time, DateTime2, DateTimeOffset:
		t.Scale = 7
	case Char, VarChar, NChar, NVarChar:
		t.Len, t.Coll = 1, CIAS
	case Binary, VarBinary:
		t.Len = 1
	}
	return t
}

// Sized returns a character or binary type of n characters or bytes (or Max),
// in the default collation.
func Sized(id ID, n int) Type {
	t := Of(id)
	t.Len = int32(n)
	return t
}

// DecimalOf returns decimal(prec, scale).
func DecimalOf(prec, scale uint8) Type {
	return Type{ID: Decimal, Prec: prec, Scale: scale, Coll: NoColl}
}

// Scaled returns time, datetime2 or datetimeoffset with the given number of fractional digits.
func Scaled(id ID, scale uint8) Type {
	return Type{ID: id, Scale: scale, Coll: NoColl}
}

// SysName is the type behind the alias type sysname.
func SysName() Type { return Sized(NVarChar, 128) }

// Name returns the bare name of t's system type.
func (t Type) Name() string { return t.ID.String() }

// String returns the type as a declaration writes it: nvarchar(128), decimal(18,2).
func (t Type) String() string {
	name := t.ID.String()
	switch t.ID {
	case Decimal:
		return name + "(" + strconv.Itoa(int(t.Prec)) + "," + strconv.Itoa(int(t.Scale)) + ")"
	case Time, DateTime2, DateTimeOffset:
		return name + "(" + strconv.Itoa(int(t.Scale)) + ")"
	case Char, VarChar, NChar, NVarChar, Binary, VarBinary:
		if t.Len == Max {
			return name + "(max)"
		}
		return name + "(" + strconv.Itoa(int(t.Len)) + ")"
	case Table:
		if t.Table != "" {
			return t.Table
		}
	}
	return name
}

// messageName is how messages 206, 257, 402 and the like name a type: without
// facets, but with "(max)", and numeric for decimal.
func (t Type) messageName() string {
	switch {
	case t.ID == Decimal:
		return "numeric"
	case t.IsMax():
		return t.ID.String() + "(max)"
	case t.ID == Table && t.Table != "":
		return t.Table
	}
	return t.ID.String()
}

// SystemTypeID returns sys.types.system_type_id; 0 if the type has none.
func (t Type) SystemTypeID() uint8 {
	if t.Num {
		return numericID
	}
	return infos[t.ID].id
}

// numericID is the id of numeric, another name for decimal.
const numericID = 108

// UserTypeID returns sys.types.user_type_id of the system type itself.
// An alias (sysname has 256) or a table type has its own in the catalog.
func (t Type) UserTypeID() int32 { return int32(t.SystemTypeID()) }

// MaxLength returns sys.columns.max_length: bytes, -1 for (max).
func (t Type) MaxLength() int16 {
	switch t.ID {
	case Decimal:
		switch {
		case t.Prec <= 9:
			return 5
		case t.Prec <= 19:
			return 9
		case t.Prec <= 28:
			return 13
		default:
			return 17
		}
	case Time:
		return timeBytes(t.Scale)
	case DateTime2:
		return timeBytes(t.Scale) + 3
	case DateTimeOffset:
		return timeBytes(t.Scale) + 5
	case Char, VarChar, Binary, VarBinary:
		return int16(t.Len)
	case NChar, NVarChar:
		if t.Len == Max {
			return Max
		}
		return int16(t.Len * 2)
	default:
		return infos[t.ID].length
	}
}

func timeBytes(scale uint8) int16 {
	switch {
	case scale <= 2:
		return 3
	case scale <= 4:
		return 4
	default:
		return 5
	}
}

// Precision returns sys.columns.precision.
func (t Type) Precision() uint8 {
	switch t.ID {
	case Decimal:
		return t.Prec
	case Time:
		return fractional(8, t.Scale)
	case DateTime2:
		return fractional(19, t.Scale)
	case DateTimeOffset:
		return fractional(26, t.Scale)
	default:
		return infos[t.ID].prec
	}
}

// fractional adds the decimal point and the digits after it to a display width.
func fractional(base, scale uint8) uint8 {
	if scale == 0 {
		return base
	}
	return base + 1 + scale
}

// CatalogScale returns sys.columns.scale.
func (t Type) CatalogScale() uint8 {
	switch t.ID {
	case Decimal, Time, DateTime2, DateTimeOffset:
		return t.Scale
	default:
		return infos[t.ID].scale
	}
}

// IsMax reports whether t is a (max) type.
func (t Type) IsMax() bool { return t.Len == Max }

// IsUntyped reports whether t is the type of the bare NULL.
func (t Type) IsUntyped() bool { return t.ID == Untyped }

// IsCharacter reports whether t is char, varchar, nchar or nvarchar.
func (t Type) IsCharacter() bool { return t.ID >= Char && t.ID <= NVarChar }

// IsUnicode reports whether t is nchar or nvarchar.
func (t Type) IsUnicode() bool { return t.ID == NChar || t.ID == NVarChar }

// IsBinary reports whether t is binary or varbinary.
func (t Type) IsBinary() bool { return t.ID == Binary || t.ID == VarBinary }

// IsInteger reports whether t is tinyint, smallint, int or bigint (not bit).
func (t Type) IsInteger() bool { return t.ID >= TinyInt && t.ID <= BigInt }

// IsExact reports whether t is decimal or money.
func (t Type) IsExact() bool { return t.ID >= Decimal && t.ID <= Money }

// IsApproximate reports whether t is real or float.
func (t Type) IsApproximate() bool { return t.ID == Real || t.ID == Float }

// IsNumeric reports whether t is any number, bit included.
func (t Type) IsNumeric() bool { return t.ID >= Bit && t.ID <= Float }

// IsDateTime reports whether t is a date, a time of day or both.
func (t Type) IsDateTime() bool { return t.ID >= Date && t.ID <= DateTimeOffset }

// IsFixedLength reports whether values are padded to the declared length.
func (t Type) IsFixedLength() bool { return t.ID == Char || t.ID == NChar || t.ID == Binary }

// IsComparable reports whether t can be compared and sorted; tables and cursors cannot.
func (t Type) IsComparable() bool { return t.ID != Table && t.ID != Cursor }

// WithCollation returns t in another collation; types without characters stay as they are.
func (t Type) WithCollation(c Collation) Type {
	if t.Coll != NoColl {
		t.Coll = c
	}
	return t
}

// WithLen returns t with another length.
func (t Type) WithLen(n int) Type {
	t.Len = int32(n)
	return t
}

// CollationByName returns the collation of that name (case does not matter).
// An unknown name gets 448; the caller refuses one that exists but is not modeled.
func CollationByName(name string) (Collation, bool) {
	for _, c := range []Collation{CIAS, CSAS, BIN2} {
		if strings.EqualFold(c.String(), name) {
			return c, true
		}
	}
	return NoColl, false
}
