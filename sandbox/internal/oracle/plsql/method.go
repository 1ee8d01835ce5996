package plsql

import (
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// constructor compiles t(a, b, …): a nested table or varray.
func (c *compiler) constructor(t *Type, args []ast.Arg) *designator {
	elements := make([]func(f *frame) value.Value, len(args))
	for i, a := range args {
		elements[i] = c.assign(a.Value, c.expr(a.Value), t.elem)
	}
	return &designator{typ: t, get: func(fr *query.Frame) value.Value {
		f := act(fr)
		out := &Collection{typ: t}
		for i, e := range elements {
			out.items = append(out.items, item{key: value.NewInt(int64(i + 1)), v: e(f)})
		}
		return value.NewRef(out)
	}}
}

// method compiles the call of a collection's method: of a function, or of a procedure, which has no type
// (Language Reference, "Collection Methods").
func (c *compiler) method(m *method, args []ast.Arg) *designator {
	t, name := m.of.typ, m.name.Text
	count := map[string][2]int{
		"EXISTS": {1, 1}, "NEXT": {1, 1}, "PRIOR": {1, 1}, "DELETE": {0, 2}, "EXTEND": {0, 2}, "TRIM": {0, 1},
	}[name]
	if len(args) < count[0] || len(args) > count[1] {
		fail(m.name, 306, name)
	}
	subs := make([]func(f *frame) value.Value, len(args))
	number := name == "EXTEND" || name == "TRIM"
	for i, a := range args {
		x := c.expr(a.Value)
		ev, from := eval(x), x.Type
		if number {
			subs[i] = eval(c.convert(a.Value, x, scalarType(datatype.Of(datatype.PLSInteger))))
			continue
		}
		subs[i] = func(f *frame) value.Value {
			v := ev(f)
			if v.IsNull() {
				return v
			}
			return t.key(f, v, from)
		}
	}
	key := scalarType(datatype.Of(datatype.PLSInteger))
	if t.index != nil {
		key = t.index
	}
	d := &designator{typ: key}
	if m.of.key != "" && len(args) == 0 {
		d.key = m.of.key + "." + name
	} else {
		d.key = fmt.Sprintf("m%d", m.name.Offset)
	}
	run := d.function(name, t, subs)
	if run == nil {
		if m.of.ref == nil || m.of.v == nil || m.of.v.readOnly {
			fail(m.name, 363, variableName(m.of))
		}
		if t.index != nil && number {
			fail(m.name, 306, name)
		}
		d.typ = nil
		run = procedure(name, subs)
	}
	get := m.of.get
	if d.typ == nil {
		ref := m.of.ref
		get = func(fr *query.Frame) value.Value { return *ref(fr, true) }
	}
	d.get = func(fr *query.Frame) value.Value {
		v := get(fr)
		if v.IsNull() {
			if name == "EXISTS" {
				return value.NewBool(false)
			}
			raise(message.ORA(6531))
		}
		return run(act(fr), v.Any().(*Collection))
	}
	return d
}

type methodFunc func(f *frame, c *Collection) value.Value

// function returns a method that is a function and sets the type of its result; nil if it is a procedure.
func (d *designator) function(name string, t *Type, subs []func(f *frame) value.Value) methodFunc {
	switch name {
	case "COUNT":
		d.typ = scalarType(datatype.Of(datatype.PLSInteger))
		return func(_ *frame, c *Collection) value.Value { return value.NewInt(int64(c.Len())) }
	case "LIMIT":
		d.typ = scalarType(datatype.Of(datatype.PLSInteger))
		return func(*frame, *Collection) value.Value { return value.Value{} }
	case "FIRST":
		return func(_ *frame, c *Collection) value.Value { return c.from(0, 1) }
	case "LAST":
		return func(_ *frame, c *Collection) value.Value { return c.from(len(c.items)-1, -1) }
	case "EXISTS":
		d.typ = scalarType(datatype.Of(datatype.Boolean))
		return func(f *frame, c *Collection) value.Value {
			k := subs[0](f)
			if k.IsNull() {
				return value.NewBool(false)
			}
			_, ok := c.find(k)
			return value.NewBool(ok)
		}
	case "NEXT", "PRIOR":
		step := 1
		if name == "PRIOR" {
			step = -1
		}
		return func(f *frame, c *Collection) value.Value {
			k := subs[0](f)
			if k.IsNull() {
				return k
			}
			return c.next(k, step)
		}
	}
	return nil
}

func procedure(name string, subs []func(f *frame) value.Value) methodFunc {
	return func(f *frame, c *Collection) value.Value {
		args := make([]value.Value, len(subs))
		for i, s := range subs {
			if args[i] = s(f); args[i].IsNull() {
				return value.Value{} // with NULL they do nothing
			}
		}
		switch {
		case name == "DELETE" && len(args) == 0:
			c.Clear()
		case name == "DELETE":
			c.remove(args[0], args[len(args)-1])
		case name == "TRIM" && len(args) == 0:
			c.trim(1)
		case name == "TRIM":
			c.trim(args[0].Int64())
		case len(args) == 0:
			c.extend(f, 1, nil)
		case len(args) == 1:
			c.extend(f, args[0].Int64(), nil)
		default:
			like := c.element(f, args[1], false)
			c.extend(f, args[0].Int64(), like)
		}
		return value.Value{}
	}
}
