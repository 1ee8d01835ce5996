package datatype

import (
	"cmp"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Variant is what a sql_variant holds: a value with its base type.
type Variant struct {
	Type  Type
	Value value.Value // never NULL
}

// NewVariant boxes v of type t; NULL stays NULL.
func NewVariant(v value.Value, t Type) value.Value {
	if v.IsNull() {
		return v
	}
	return value.NewRef(Variant{Type: t, Value: v})
}

// VariantOf returns what a sql_variant holds; ok is false for NULL and for anything else.
func VariantOf(v value.Value) (Variant, bool) {
	x, ok := v.Any().(Variant)
	return x, ok
}

func variantOf(v value.Value) Variant {
	x, _ := VariantOf(v)
	return x
}

// family orders variants of unlike types: a value of a higher family is greater
// (learn.microsoft.com "sql_variant (Transact-SQL)").
func (x Variant) family() int {
	switch x.Type.class() {
	case clsDateTime, clsDate, clsTime, clsDateTime2:
		return 6
	case clsApprox:
		return 5
	case clsBit, clsInt, clsExact:
		return 4
	case clsANSI, clsUnicode:
		return 3
	case clsBinary:
		return 2
	default: // uniqueidentifier
		return 1
	}
}

// common brings a variant to the type in which its family compares.
func (x Variant) common() (value.Value, Type) {
	switch x.family() {
	case 6:
		if x.Type.ID == Time { // a time of day is one of 1900-01-01
			return value.NewTime(epoch1900+x.Value.N, 0), Scaled(DateTime2, 7)
		}
		return x.Value, Scaled(DateTime2, 7)
	case 5:
		return x.Value, Of(Float)
	case 4:
		if x.Value.Kind == value.Int {
			return value.NewDecimal(x.Value.N, 0), DecimalOf(38, 0)
		}
		return x.Value, DecimalOf(38, x.Value.Scale)
	case 3:
		return x.Value, Sized(NVarChar, 4000).WithCollation(x.Type.Coll)
	case 2:
		return x.Value, Sized(VarBinary, 8000)
	default:
		return x.Value, Of(UniqueIdentifier)
	}
}

// compareVariant orders two variants: by family, strings of unlike collations by
// collation, then by value.
func compareVariant(a, b Variant) int {
	if c := cmp.Compare(a.family(), b.family()); c != 0 {
		return c
	}
	va, t := a.common()
	vb, tb := b.common()
	if c := cmp.Compare(t.Coll, tb.Coll); c != 0 {
		return c
	}
	return Compare(va, vb, t)
}

func appendVariantKey(dst []byte, x Variant) []byte {
	v, t := x.common()
	dst = append(dst, byte(x.family()), byte(t.Coll))
	return appendKey(dst, v, t)
}
