// Package checkpoint keeps the state of an engine at rest and puts it back: everything that can be reached from a root, in place, so
// that pointers, compiled plans and the variables that functions have captured stay valid. It knows nothing about engines.
package checkpoint

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Image is a recorded state.
type Image struct {
	restore []func()
	seen    map[place]bool
	fixed   func(reflect.Type) bool
}

// place identifies something that was already recorded.
type place struct {
	at  unsafe.Pointer
	n   int
	typ reflect.Type
}

// Take records what can be reached from root, a pointer. Values whose type is fixed are assumed never to change, and nothing
// behind them is visited. What is reachable only through a function's captured variables is not seen.
func Take(root any, fixed func(reflect.Type) bool) *Image {
	im := &Image{seen: map[place]bool{}, fixed: fixed}
	im.walk(reflect.ValueOf(root))
	im.seen = nil
	return im
}

// Restore puts everything back. Nobody may use the state in the meantime.
func (im *Image) Restore() {
	for _, fn := range im.restore {
		fn()
	}
}

// first records a place and reports whether it is new.
func (im *Image) first(p place) bool {
	if im.seen[p] {
		return false
	}
	im.seen[p] = true
	return true
}

// keep records a value that can be set.
func (im *Image) keep(v reflect.Value) {
	saved := reflect.New(v.Type()).Elem()
	saved.Set(v)
	im.restore = append(im.restore, func() { v.Set(saved) })
}

// walk records what v leads to. v itself is recorded by its owner.
func (im *Image) walk(v reflect.Value) {
	t := v.Type()
	if im.fixed(t) {
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		if v.IsNil() || im.fixed(t.Elem()) || !im.first(place{v.UnsafePointer(), 1, t}) {
			return
		}
		im.keep(v.Elem())
		im.walk(v.Elem())
	case reflect.Interface:
		if !v.IsNil() {
			im.walk(v.Elem())
		}
	case reflect.Struct:
		for i := range t.NumField() {
			im.walk(field(v, i))
		}
	case reflect.Array:
		if leads(t.Elem()) {
			for i := range t.Len() {
				im.walk(v.Index(i))
			}
		}
	case reflect.Slice:
		im.slice(v)
	case reflect.Map:
		im.entries(v)
	case reflect.Chan, reflect.UnsafePointer:
		panic(fmt.Sprintf("checkpoint: %s cannot be recorded", t))
	}
}

// slice records a slice's elements.
func (im *Image) slice(v reflect.Value) {
	if v.Len() == 0 || im.fixed(v.Type().Elem()) || !im.first(place{v.UnsafePointer(), v.Len(), v.Type()}) {
		return
	}
	saved := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(saved, v)
	im.restore = append(im.restore, func() { reflect.Copy(v, saved) })
	if leads(v.Type().Elem()) {
		for i := range v.Len() {
			im.walk(v.Index(i))
		}
	}
}

// entries records a map's.
func (im *Image) entries(v reflect.Value) {
	if v.IsNil() || !im.first(place{v.UnsafePointer(), 0, v.Type()}) {
		return
	}
	saved := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		saved.SetMapIndex(it.Key(), it.Value())
		im.walk(it.Key())
		im.walk(it.Value())
	}
	im.restore = append(im.restore, func() {
		v.Clear()
		for it := saved.MapRange(); it.Next(); {
			v.SetMapIndex(it.Key(), it.Value())
		}
	})
}

// field is a field of a struct, readable even if its name is not exported.
func field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	if f.CanInterface() {
		return f
	}
	if !f.CanAddr() { // of a map's entry or in an interface: a copy leads to the same places
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		f = c.Field(i)
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// leads reports whether values of a type can lead anywhere.
func leads(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Slice, reflect.Map, reflect.Array:
		return true
	}
	return false
}
