package plsql

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// attribute compiles c%FOUND and the like, and those of the implicit cursor SQL.
func (c *compiler) attribute(e *ast.Attribute) *designator {
	name := e.Name.Text
	if ref, ok := e.Of.(*ast.Ref); ok && ref.Word() == "SQL" {
		return c.implicitAttribute(e)
	}
	get, _ := c.cursorOf(e.Of)
	open := get
	if name == "ISOPEN" { // a cursor variable without a cursor is not open
		open = func(f *frame) (k *Cursor) {
			if err := query.Catch(func() error { k = get(f); return nil }); err != nil {
				return &Cursor{}
			}
			return k
		}
	}
	d := &designator{typ: scalarType(datatype.Of(datatype.Boolean)), key: "a" + text(e.Of) + "%" + name}
	if name == "ROWCOUNT" {
		d.typ = scalarType(datatype.Of(datatype.PLSInteger))
	}
	d.get = func(fr *query.Frame) value.Value {
		k := open(act(fr))
		switch {
		case name == "ISOPEN":
			return value.NewBool(k.rows != nil)
		case k.rows == nil:
			raise(message.ORA(1001))
		case name == "ROWCOUNT":
			return value.NewInt(k.count)
		case !k.fetched:
			return value.Value{}
		}
		return value.NewBool(k.found == (name == "FOUND"))
	}
	if strings.HasPrefix(name, "BULK_") {
		fail(e, 302, name)
	}
	return d
}

func (c *compiler) implicitAttribute(e *ast.Attribute) *designator {
	integer := scalarType(datatype.Of(datatype.PLSInteger))
	d := &designator{typ: scalarType(datatype.Of(datatype.Boolean)), key: "SQL%" + e.Name.Text}
	switch e.Name.Text {
	case "ISOPEN":
		d.get = func(*query.Frame) value.Value { return value.NewBool(false) }
	case "ROWCOUNT":
		d.typ = integer
		d.get = func(fr *query.Frame) value.Value {
			s := &act(fr).st.sql
			if !s.ran {
				return value.Value{}
			}
			return value.NewInt(s.rows)
		}
	case "FOUND", "NOTFOUND":
		found := e.Name.Text == "FOUND"
		d.get = func(fr *query.Frame) value.Value {
			s := &act(fr).st.sql
			if !s.ran {
				return value.Value{}
			}
			return value.NewBool((s.rows > 0) == found)
		}
	case "BULK_ROWCOUNT":
		d.typ = &Type{kind: collectionKind, elem: integer, index: integer}
		d.get = func(fr *query.Frame) value.Value {
			return value.NewRef(&Collection{typ: d.typ, items: act(fr).st.sql.bulkRows})
		}
	case "BULK_EXCEPTIONS":
		rec := &Type{kind: recordKind, fields: []field{{name: "ERROR_INDEX", typ: integer}, {name: "ERROR_CODE", typ: integer}}}
		d.typ = &Type{kind: collectionKind, elem: rec, index: integer}
		d.get = func(fr *query.Frame) value.Value {
			out := &Collection{typ: d.typ}
			for i, e := range act(fr).st.sql.errors {
				out.Put(int64(i+1), value.NewRef(&Record{typ: rec, values: []value.Value{value.NewInt(e.index), value.NewInt(e.code)}}))
			}
			return value.NewRef(out)
		}
	}
	return d
}
