package datatype

import "github.com/dbsched/dbsched/sandbox/internal/sqlerr"

// Whether two types may be combined, and the server's error if they may not. Documented:
// learn.microsoft.com "CAST and CONVERT" (conversion chart) and "Data type precedence".
// Which of 206, 257, 402 and 8117 a pair gets, and in which order the message names the
// types, is documented nowhere and inferred.

// class groups the types that behave alike toward every other type.
type class uint8

const (
	clsNull class = iota
	clsBit
	clsInt
	clsExact
	clsApprox
	clsANSI
	clsUnicode
	clsBinary
	clsGUID
	clsDateTime
	clsDate
	clsTime
	clsDateTime2 // datetime2, datetimeoffset
	clsVariant
	clsOther // tables and cursors
)

func (t Type) class() class { return infos[t.ID].class }

func (c class) number() bool  { return c >= clsBit && c <= clsApprox }
func (c class) text() bool    { return c == clsANSI || c == clsUnicode }
func (c class) newDate() bool { return c == clsDate || c == clsTime || c == clsDateTime2 }

// arith reports whether arithmetic is defined for the class.
func (c class) arith() bool { return c >= clsInt && c <= clsApprox }

// way says how one type becomes another.
type way byte

const (
	never    way = '-' // 206, or 529 for CAST
	explicit way = 'e' // only by CAST and CONVERT, else 257
	implicit way = 'i'
)

// ways has a row for each class to convert from and a letter for each class to convert to, in their order.
var ways = [...]string{
	clsNull:      "iiiiiiiiiiiiiii",
	clsBit:       "-iiiiiii-i---i-",
	clsInt:       "-iiiiiii-i---i-",
	clsExact:     "-iiiiiii-i---i-",
	clsApprox:    "-iiiiiii-i---i-",
	clsANSI:      "-iiiiiieiiiiii-",
	clsUnicode:   "-iiiiiieiiiiii-",
	clsBinary:    "-iii-iiiiieeei-",
	clsGUID:      "-----iiii----i-",
	clsDateTime:  "-eeeeiie-iiiii-",
	clsDate:      "-----iie-ii-ii-",
	clsTime:      "-----iie-i-iii-",
	clsDateTime2: "-----iie-iiiii-",
	clsVariant:   "-eeeeeeeeeeeee-",
	clsOther:     "---------------",
}

// conversion returns how values of one type become values of another.
func conversion(from, to Type) way {
	switch {
	case from.ID == to.ID:
		return implicit
	case from.IsMax() && to.ID == SQLVariant: // it holds no (max) type
		return never
	}
	return way(ways[from.class()][to.class()])
}

// CheckImplicit returns nil if a value of type from may be assigned to type to,
// else 206 or 257.
func CheckImplicit(from, to Type) error {
	switch conversion(from, to) {
	case never:
		return errClash(from, to)
	case explicit:
		return errImplicit(from, to)
	}
	return nil
}

// CheckExplicit returns nil if CAST may convert from one type to the other, else 529.
func CheckExplicit(from, to Type) error {
	if conversion(from, to) == never {
		return errExplicit(from, to)
	}
	return nil
}

// CompareOp is a comparison operator as messages name it.
type CompareOp string

// The comparison operators.
const (
	Equal        CompareOp = "equal to"
	NotEqual     CompareOp = "not equal to"
	Less         CompareOp = "less than"
	LessEqual    CompareOp = "less than or equal to"
	Greater      CompareOp = "greater than"
	GreaterEqual CompareOp = "greater than or equal to"
)

// clashRanks orders the classes by which of two operands 206 names first in a comparison.
var clashRanks = [clsOther + 1]int{clsDate: 4, clsTime: 4, clsDateTime2: 4, clsGUID: 3, clsBinary: 2}

// CompareType returns the type in which a and b are compared by op (convert both
// to it, then use Compare), or 206, 257, 402.
func CompareType(a, b Type, op CompareOp) (Type, error) {
	ca, cb := a.class(), b.class()
	if ca == clsOther || cb == clsOther {
		return Type{}, errIncompatible(a, b, string(op))
	}
	if ca == clsNull || cb == clsNull {
		return unified(a, b), nil
	}
	if ca == clsVariant || cb == clsVariant {
		return Type{}, sqlerr.NotSupported("comparing sql_variant; CAST it first")
	}
	calendar := func(c class) bool { return c == clsDateTime || c == clsDate || c == clsDateTime2 }
	if ca == clsTime && calendar(cb) || calendar(ca) && cb == clsTime || ca == clsBinary && cb.newDate() || ca.newDate() && cb == clsBinary {
		return Type{}, errIncompatible(a, b, string(op))
	}
	src, dst := a, b
	if rank(a) < rank(b) {
		src, dst = b, a
	}
	if conversion(src, dst) == never && clashRanks[src.class()] < clashRanks[dst.class()] {
		return Type{}, errClash(dst, src)
	}
	return unified(a, b), CheckImplicit(src, dst)
}

func rank(t Type) int { return infos[t.ID].rank }

// Unify returns the type of a value that is sometimes an a and sometimes a b:
// CASE, COALESCE, IN lists, UNION. Errors are 206 and 257. A bare NULL takes the
// other type; two of them stay Untyped (int, if a context needs one).
// An integer literal with a decimal counts as IntLiteral says.
// If the collations differ, a's is used: the binder settles collations before.
func Unify(a, b Type) (Type, error) {
	if a == b {
		return a, nil
	}
	ca, cb := a.class(), b.class()
	if ca == clsNull || cb == clsNull {
		return unified(a, b), nil
	}
	src, dst := a, b
	if rank(a) < rank(b) {
		src, dst = b, a
	}
	return unified(a, b), CheckImplicit(src, dst)
}

// unified is Unify for two types that are known to be compatible.
func unified(a, b Type) Type {
	switch {
	case a == b, b.ID == Untyped:
		return a
	case a.ID == Untyped:
		return b
	}
	hi, lo := a, b
	if rank(b) < rank(a) {
		hi, lo = b, a
	}
	t := hi
	switch hi.ID {
	case Char, VarChar, NChar, NVarChar:
		t.Len = maxLen(hi, lo)
		if a.IsCharacter() {
			t.Coll = a.Coll
		}
		if !hi.IsFixedLength() || lo.ID == VarChar || lo.ID == VarBinary {
			t.ID = VarChar
			if hi.IsUnicode() {
				t.ID = NVarChar
			}
		}
	case Binary, VarBinary:
		t.Len = maxLen(hi, lo)
	case Decimal:
		if lo.class() == clsBit || lo.class() == clsInt || lo.class() == clsExact {
			l := asDecimal(lo)
			scale := max(int(t.Scale), int(l.Scale))
			whole := max(int(t.Prec)-int(t.Scale), int(l.Prec)-int(l.Scale))
			t = capped(whole, scale)
		}
	case DateTime2, DateTimeOffset, Time:
		if lo.IsDateTime() {
			t.Scale = max(t.Scale, secondDigits(lo))
		}
	}
	return t
}

// maxLen is the longer length of two character or binary types in units of hi.
func maxLen(hi, lo Type) int32 {
	if hi.Len == Max || lo.Len == Max {
		return Max
	}
	limit, other := int32(8000), lo.Len
	if hi.IsUnicode() {
		limit = 4000
		if lo.IsBinary() {
			other = (lo.Len + 1) / 2
		}
	}
	return min(limit, max(hi.Len, other))
}

// secondDigits is how many digits of a second a date or time type keeps.
func secondDigits(t Type) uint8 {
	switch t.ID {
	case Time, DateTime2, DateTimeOffset:
		return t.Scale
	case DateTime:
		return 3
	default:
		return 0
	}
}

// asDecimal returns the decimal type of an exact number that is combined with a decimal.
func asDecimal(t Type) Type {
	digits, ok := map[ID]uint8{Bit: 1, TinyInt: 3, SmallInt: 5, Int: 10, BigInt: 19, Money: 19}[t.ID]
	if !ok {
		return t
	}
	return DecimalOf(digits, infos[t.ID].scale)
}

// capped reduces a decimal with that many digits before and after the point to
// 38 digits, dropping fractional digits first, as addition and UNION do
// (learn.microsoft.com "Precision, scale, and length").
func capped(whole, scale int) Type {
	prec := whole + scale
	if prec > 38 {
		scale = max(0, min(scale, 38-min(whole, 38)))
		prec = 38
	}
	return DecimalOf(uint8(max(prec, 1)), uint8(scale))
}
