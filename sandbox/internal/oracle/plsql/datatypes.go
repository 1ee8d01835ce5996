package plsql

import (
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
)

// predefinedType returns unconstrained subtypes of STANDARD, and SYS_REFCURSOR.
func predefinedType(name string) *Type {
	switch name {
	case "SYS_REFCURSOR":
		return &Type{kind: cursorKind, name: name}
	case "TIMESTAMP_UNCONSTRAINED":
		return &Type{name: name, scalar: datatype.Timestamps(datatype.Timestamp, 9)}
	case "TIMESTAMP_TZ_UNCONSTRAINED":
		return &Type{name: name, scalar: datatype.Timestamps(datatype.TimestampTZ, 9)}
	case "DSINTERVAL_UNCONSTRAINED":
		return &Type{name: name, scalar: datatype.Type{ID: datatype.IntervalDS, Prec: 9, Scale: 9}}
	}
	return nil
}

// dataType resolves a type as written. loose: for a parameter or result, which has no length.
func (c *compiler) dataType(d *ast.DataType, loose bool) *Type {
	switch d.Anchor {
	case ast.AnchorType:
		return c.anchored(d).formal(loose)
	case ast.AnchorRowType:
		return c.anchoredRow(d)
	}
	name := d.Name.Word()
	if x, rest := c.lookupType(d.Name); x != nil {
		t, ok := x.(*Type)
		if _, wrong := x.(*broken); wrong {
			fail(d, 320)
		}
		if !ok || len(rest) > 0 {
			fail(d, 488, d.Name)
		}
		if d.Precision != nil {
			refuse(d, "constraints on a subtype")
		}
		return t.formal(loose)
	}
	if t := predefinedType(name); t != nil {
		return t
	}
	spec := datatype.Spec{
		Name: name, AnyPrecision: d.AnyPrecision, Chars: d.Unit == ast.Chars, Unconstrained: loose, PLSQL: true,
		WithZone: d.Zoned,
	}
	if d.Precision != nil {
		n := c.constant(d.Precision)
		spec.Precision = &n
	}
	if d.Scale != nil {
		n := c.constant(d.Scale)
		spec.Scale = &n
	}
	t, err := datatype.FromSpec(spec)
	if err != nil {
		switch asError(err).Number {
		case 902:
			undeclared(d, d.Name.String())
		case 906:
			fail(d, 215)
		case 910, 1723:
			fail(d, 215)
		case 1727:
			fail(d, 216)
		}
		raiseAt(d, err)
	}
	out := scalarType(t)
	if loose {
		out.scalar = unconstrained(t)
	}
	return out
}

// formal returns the type of a formal parameter declared with a type: the argument brings its own length, precision and scale, but NOT
// NULL and ranges apply (Language Reference, "Formal Parameters of Constrained Subtypes").
func (t *Type) formal(loose bool) *Type {
	if !loose || t.kind != scalarKind || t.scalar == unconstrained(t.scalar) {
		return t
	}
	out := *t
	out.scalar = unconstrained(t.scalar)
	return &out
}

// unconstrained returns a type without length and precision, as for parameters.
func unconstrained(t datatype.Type) datatype.Type {
	switch {
	case t.IsText(), t.ID == datatype.Raw:
		return datatype.Type{ID: t.ID}
	case t.ID == datatype.Number && (t.Prec != 38 || t.Scale != 0): // INTEGER keeps its scale
		return datatype.Of(datatype.Number)
	case t.ID == datatype.Timestamp, t.ID == datatype.TimestampTZ:
		t.Scale = 9
	case t.IsInterval():
		t.Prec = 9
		if t.ID == datatype.IntervalDS {
			t.Scale = 9
		}
	}
	return t
}

// lookupType finds a declared type; if the name is built in, anything else with that name is ignored.
func (c *compiler) lookupType(ref *ast.Ref) (any, []ast.Name) {
	if w := ref.Word(); w != "" {
		for n := c.names; n != nil; n = n.outer {
			if x, ok := n.list[w]; ok {
				return x, nil
			}
		}
		if _, err := datatype.FromSpec(datatype.Spec{Name: w, Unconstrained: true, PLSQL: true}); err == nil || predefinedType(w) != nil {
			return nil, nil
		}
	}
	return c.lookup(ref)
}

// anchored resolves x%TYPE: of a variable, a field or a column.
func (c *compiler) anchored(d *ast.DataType) *Type {
	if x, rest := c.lookup(d.Name); x != nil {
		if v, ok := x.(*variable); ok && v.cursor == nil {
			t := v.typ
			for _, n := range rest {
				i := -1
				if t.kind == recordKind {
					i = t.field(n.Text)
				}
				if i < 0 {
					fail(n, 302, n.Text)
				}
				t = t.fields[i].typ
			}
			return t
		}
		fail(d, 206, d.Name)
	}
	if n := len(d.Name.Parts); n > 1 {
		table := *d.Name
		table.Parts = table.Parts[:n-1]
		if o, err := c.lib.Table(&table, "SELECT"); err == nil {
			for _, col := range catalog.ColumnsOf(o) {
				if col.Name == d.Name.Parts[n-1].Text {
					return scalarType(col.Type)
				}
			}
			fail(d.Name.Parts[n-1], 302, d.Name.Parts[n-1].Text)
		}
	}
	undeclared(d, d.Name.String())
	return nil
}

// anchoredRow resolves x%ROWTYPE: of a table, view, cursor or cursor variable.
func (c *compiler) anchoredRow(d *ast.DataType) *Type {
	for n := c.names; n != nil; n = n.outer { // only names declared in the unit come before a table's
		if _, ok := n.list[d.Name.Parts[0].Text]; ok {
			x, rest := c.lookup(d.Name)
			if v, ok := x.(*variable); ok && len(rest) == 0 && v.cursor != nil {
				return v.cursor.row
			}
			if v, ok := x.(*variable); ok && len(rest) == 0 && v.typ.kind == cursorKind && v.typ.row != nil {
				return v.typ.row
			}
			break
		}
	}
	if o, err := c.lib.Table(d.Name, "SELECT"); err == nil && catalog.ColumnsOf(o) != nil {
		return tableRow(o)
	}
	if x, _ := c.lookup(d.Name); x != nil {
		if v, ok := x.(*variable); ok && v.cursor != nil {
			return v.cursor.row
		}
		fail(d, 310, d.Name)
	}
	undeclared(d, d.Name.String())
	return nil
}
