package plsql

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

type kind uint8

const (
	scalarKind kind = iota
	recordKind
	collectionKind
	cursorKind // a cursor variable
)

// Type is a PL/SQL type: a scalar with what a declaration may add to it, a record, a collection, a REF CURSOR.
// Types of expressions other than scalars are in plan.Expr.Composite.
type Type struct {
	kind    kind
	name    string // as messages show it; "" if it has no name
	scalar  datatype.Type
	notNull bool

	fields  []field // a record's
	rowType bool    // a record of %ROWTYPE or of a cursor: compatible with any record that has as many fields

	elem   *Type // a collection's
	index  *Type // for an associative array; nil: a nested table or varray
	client bool  // a client's associative array: compatible with any whose elements convert

	row *Type // what a REF CURSOR returns; nil: anything
}

type field struct {
	name string
	typ  *Type
	init func(f *frame) value.Value // nil: the type's own initial value
}

func scalarType(t datatype.Type) *Type { return &Type{scalar: t} }

// typeOf returns the type of an expression.
func typeOf(e *plan.Expr) *Type {
	if t, ok := e.Composite.(*Type); ok {
		return t
	}
	return scalarType(e.Type)
}

// String returns the name of the type for messages.
func (t *Type) String() string {
	if t.name != "" || t.kind != scalarKind {
		return t.name
	}
	return t.scalar.String()
}

func (t *Type) field(name string) int {
	return slices.IndexFunc(t.fields, func(f field) bool { return f.name == name })
}

// initial returns the value of a variable that was given none: a record with the defaults of its fields, an empty
// associative array, NULL.
func (t *Type) initial(h Host) value.Value {
	switch {
	case t.kind == recordKind:
		r := &Record{typ: t, values: make([]value.Value, len(t.fields))}
		for i := range t.fields {
			if init := t.fields[i].init; init != nil {
				r.values[i] = init(bare(h))
			} else {
				r.values[i] = t.fields[i].typ.initial(h)
			}
		}
		return value.NewRef(r)
	case t.kind == collectionKind && t.index != nil:
		return value.NewRef(&Collection{typ: t})
	}
	return value.Value{}
}

// null returns a record with all fields NULL, which NOT NULL fields do not allow.
func (t *Type) null() value.Value {
	r := &Record{typ: t, values: make([]value.Value, len(t.fields))}
	for i := range t.fields {
		if f := t.fields[i].typ; f.kind == recordKind {
			r.values[i] = f.null()
		} else {
			f.check(value.Value{})
		}
	}
	return value.NewRef(r)
}

// rowType makes a record type from columns.
func rowType(columns []plan.Column) *Type {
	t := &Type{kind: recordKind, rowType: true}
	for _, c := range columns {
		t.fields = append(t.fields, field{name: c.Name, typ: scalarType(plain(c.Type))})
	}
	return t
}

// plain returns the type of a variable for values of a column: text literals are not CHARs, which would be padded, and what
// has no type is text.
func plain(t datatype.Type) datatype.Type {
	if t.ID == datatype.Untyped {
		return datatype.Of(datatype.Varchar2)
	}
	return t
}

// tableRow makes the record type of a table or view.
func tableRow(o *catalog.Object) *Type {
	t := &Type{kind: recordKind, rowType: true}
	for _, c := range catalog.ColumnsOf(o) {
		if !c.Hidden {
			t.fields = append(t.fields, field{name: c.Name, typ: scalarType(c.Type)})
		}
	}
	return t
}

// accepts reports whether a composite value of type from may be assigned to t (Language Reference, "Assigning Values to
// Record Variables", "Assigning Values to Collection Variables").
func (t *Type) accepts(from *Type) bool {
	if t == from {
		return true
	}
	switch {
	case t.kind != from.kind:
		return false
	case t.kind == cursorKind:
		return t.row == nil || from.row == nil || t.row.accepts(from.row)
	case t.kind == collectionKind && (t.client || from.client):
		return t.index != nil && from.index != nil && t.elem.kind == scalarKind && from.elem.kind == scalarKind &&
			datatype.CheckImplicit(from.elem.scalar, t.elem.scalar) == nil
	case t.kind == recordKind && (t.rowType || from.rowType) && len(t.fields) == len(from.fields):
		for i := range t.fields {
			a, b := t.fields[i].typ, from.fields[i].typ
			if a.kind != scalarKind || b.kind != scalarKind {
				if !a.accepts(b) {
					return false
				}
			} else if datatype.CheckImplicit(b.scalar, a.scalar) != nil {
				return false
			}
		}
		return true
	}
	return false
}

// constrained reports whether values of the type are checked beyond the checks of the data type.
func (t *Type) constrained() bool { return t.notNull }

// check raises ORA-06502 for a value that the type does not allow.
func (t *Type) check(v value.Value) value.Value {
	if t.notNull && v.IsNull() {
		raise(datatype.ErrNumeric(""))
	}
	return v
}

// store converts a value of another type for a variable of type t, and copies composite values, as assignment does.
func (t *Type) store(f *frame, v value.Value, from *Type) value.Value {
	switch t.kind {
	case recordKind:
		src := v.Any().(*Record)
		r := &Record{typ: t, values: make([]value.Value, len(t.fields))}
		for i := range t.fields {
			r.values[i] = t.fields[i].typ.store(f, src.values[i], src.typ.fields[i].typ)
		}
		return value.NewRef(r)
	case collectionKind:
		if v.IsNull() {
			return v
		}
		src := v.Any().(*Collection)
		out := src.copy(f)
		if src.typ != t {
			out.typ = t
			for i := range out.items {
				out.items[i].v = t.elem.store(f, out.items[i].v, src.typ.elem)
			}
		}
		return value.NewRef(out)
	case cursorKind:
		return v
	}
	if from.scalar != t.scalar {
		var err error
		if v, err = datatype.Assign(v, from.scalar, t.scalar, f.Format(true)); err != nil {
			raise(err)
		}
	}
	if t.constrained() {
		t.check(v)
	}
	return v
}
