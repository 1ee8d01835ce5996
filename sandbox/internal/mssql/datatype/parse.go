package datatype

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// names maps every spelling of a type to its system type
// (learn.microsoft.com "Data Type Synonyms").
var names = map[string]ID{
	"bit": Bit, "tinyint": TinyInt, "smallint": SmallInt, "int": Int, "integer": Int, "bigint": BigInt,
	"decimal": Decimal, "dec": Decimal, "numeric": Decimal, "money": Money,
	"real": Real, "float": Float, "double precision": Float,
	"date": Date, "time": Time, "datetime": DateTime,
	"datetime2": DateTime2, "datetimeoffset": DateTimeOffset,
	"char": Char, "character": Char,
	"varchar": VarChar, "char varying": VarChar, "character varying": VarChar,
	"nchar": NChar, "national char": NChar, "national character": NChar,
	"nvarchar": NVarChar, "national char varying": NVarChar, "national character varying": NVarChar,
	"sysname": NVarChar,
	"binary":  Binary, "varbinary": VarBinary, "binary varying": VarBinary,
	"uniqueidentifier": UniqueIdentifier, "sql_variant": SQLVariant,
	"cursor": Cursor,
}

// refusedNames are system types that exist but are not modeled.
var refusedNames = map[string]bool{
	"text": true, "ntext": true, "national text": true, "xml": true, "smallmoney": true, "smalldatetime": true, "rowversion": true, "timestamp": true, "image": true, "hierarchyid": true, "geometry": true, "geography": true, "json": true, "vector": true,
}

// FromName returns the type that name(params…) declares for a column, variable or
// parameter; Max stands for MAX. Without a length, character and binary types are
// one long. An unknown name gets 2715 (the caller knows the ordinal and may put its own).
func FromName(name string, params ...int) (Type, error) {
	lower := strings.ToLower(name)
	id, ok := names[lower]
	if !ok {
		if refusedNames[lower] {
			return Type{}, sqlerr.NotSupported("type %s", name)
		}
		return Type{}, message.MS(2715, 1, name).At(16, 6)
	}
	t := Of(id)
	t.Num = lower == "numeric"
	if lower == "sysname" {
		if len(params) > 0 {
			return Type{}, message.MS(2716, "sysname")
		}
		return SysName(), nil
	}
	for _, p := range params {
		if p == 0 && id != Time && id != DateTime2 && id != DateTimeOffset && id != Decimal {
			return Type{}, errLengthSpec(p)
		}
	}
	switch id {
	case Char, VarChar, NChar, NVarChar, Binary, VarBinary:
		return withLength(t, params)
	case Decimal:
		return withPrecision(t, params)
	case Float:
		return withMantissa(t, params)
	case Time, DateTime2, DateTimeOffset:
		if len(params) == 0 {
			return t, nil
		}
		if len(params) > 1 || params[0] < 0 || params[0] > 7 {
			return Type{}, message.MS(1002, params[len(params)-1])
		}
		t.Scale = uint8(params[0])
		return t, nil
	default:
		if len(params) > 0 {
			return Type{}, message.MS(2716, t.Name())
		}
		return t, nil
	}
}

func errLengthSpec(n int) error {
	return message.MS(1001, 1, fmt.Sprint(n))
}

func withLength(t Type, params []int) (Type, error) {
	switch {
	case len(params) == 0:
		return t.WithLen(1), nil
	case len(params) > 1:
		return Type{}, errLengthSpec(params[1])
	}
	n, limit := params[0], 8000
	if t.IsUnicode() {
		limit = 4000
	}
	switch {
	case n == Max:
		if t.IsFixedLength() {
			return Type{}, errLengthSpec(n)
		}
	case n < 0:
		return Type{}, errLengthSpec(n)
	case n > limit:
		return Type{}, message.MS(131, n, "type", t.Name(), limit).At(15, 3)
	}
	return t.WithLen(n), nil
}

func withPrecision(t Type, params []int) (Type, error) {
	if len(params) == 0 {
		return t, nil
	}
	p, s := params[0], 0
	if len(params) > 1 {
		s = params[1]
	}
	switch {
	case p < 1 || len(params) > 2:
		return Type{}, errLengthSpec(p)
	case p > 38:
		return Type{}, message.MS(2750, p, 38)
	case s < 0:
		return Type{}, message.MS(1002, s)
	case s > p:
		return Type{}, message.MS(2751, s, p)
	}
	t.Prec, t.Scale = uint8(p), uint8(s)
	return t, nil
}

// withMantissa returns real for float(1…24) and float for float(25…53), as the server does.
func withMantissa(t Type, params []int) (Type, error) {
	if len(params) == 0 {
		return t, nil
	}
	n := params[0]
	switch {
	case n < 1 || len(params) > 1:
		return Type{}, errLengthSpec(n)
	case n > 53:
		return Type{}, message.MS(2750, n, 53)
	case n <= 24:
		return Of(Real), nil
	}
	return t, nil
}
