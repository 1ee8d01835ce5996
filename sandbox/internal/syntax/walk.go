package syntax

import "reflect"

// Walk visits the nodes of a tree, outer ones first: those behind pointers, in exported fields and in slices. It does not descend into a
// node for which visit returns false.
func Walk(tree any, visit func(node any) bool) { walk(reflect.ValueOf(tree), visit) }

func walk(v reflect.Value, visit func(node any) bool) {
	switch v.Kind() {
	case reflect.Interface:
		walk(v.Elem(), visit)
	case reflect.Pointer:
		if !v.IsNil() && visit(v.Interface()) {
			walk(v.Elem(), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walk(v.Field(i), visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	}
}
