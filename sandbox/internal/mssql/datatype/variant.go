package datatype

import (
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
