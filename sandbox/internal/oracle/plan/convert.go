package plan

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// ConvertTo converts an expression to the type of what it is assigned to or passed as, lengths and precisions
// included (ORA-06502) in PL/SQL, otherwise only to the type. It panics if the types are incompatible: ORA-00932,
// or PLS-00382 in PL/SQL.
func ConvertTo(e *Expr, t datatype.Type, plsql bool) *Expr {
	if e.Composite != nil {
		panic(ErrPLS(382))
	}
	from := e.Type
	if err := datatype.CheckImplicit(from, t); err != nil {
		if plsql {
			panic(ErrPLS(382))
		}
		query.Check(err)
	}
	var out *Expr
	if plsql {
		out = assigned(e, t)
	} else {
		out = implicitly(e, t, false, session(false))
	}
	if out != e { // it can be evaluated alone, like e
		out.size = e.size
	}
	return out
}

// assigned converts as an assignment of PL/SQL does.
func assigned(e *Expr, t datatype.Type) *Expr {
	from := e.Type
	if same(from, t) && t.Len == 0 && t.Prec == 0 && !t.IsDatetime() && !t.IsInterval() {
		return retyped(e, t)
	}
	if e.Shape == expression.Constant && timeless(t, from) {
		if v, err := datatype.Assign(e.Const, from, t, &datatype.Env{PLSQL: true}); err == nil {
			return Constant(v, t)
		}
	}
	format := neutral(true)
	if !timeless(t, from) {
		format = session(true)()
	}
	f := e.Eval
	return derive(t, "assign "+t.String(), []*Expr{e}, func(fr *query.Frame) value.Value {
		return query.Must(datatype.Assign(f(fr), from, t, format(fr)))
	})
}

// convert converts implicitly to a type, ignoring its length and precision.
func (b *binder) convert(e *Expr, t datatype.Type) *Expr {
	return implicitly(e, t, b.c.plsql, b.c.format)
}

func implicitly(e *Expr, t datatype.Type, plsql bool, session func() formats) *Expr {
	from := e.Type
	if same(from, t) {
		return retyped(e, t)
	}
	query.Check(datatype.CheckImplicit(from, t))
	if e.Shape == expression.Constant && (timeless(t, from) || timeless(t) && timeless(from) && whole(e.Const)) {
		if v, err := datatype.Convert(e.Const, from, t, &datatype.Env{PLSQL: plsql}); err == nil {
			return Constant(v, t)
		}
	}
	format := neutral(plsql)
	if !timeless(t, from) {
		format = session()
	}
	f := e.Eval
	return derive(t, "to "+t.String(), []*Expr{e}, func(fr *query.Frame) value.Value {
		return query.Must(datatype.Convert(f(fr), from, t, format(fr)))
	})
}

// session asks the session each time, where there is no compiler to remember the answer.
func session(plsql bool) func() formats {
	return func() formats { return func(fr *query.Frame) *datatype.Env { return env(fr).Format(plsql) } }
}

// same reports whether values of one type are values of the other, ignoring lengths and precisions. Datetimes of
// different types are not the same although they may look so: an index on one is of no use for the other.
func same(from, to datatype.Type) bool {
	exact := func(t datatype.Type) bool { return t.ID == datatype.Number || t.ID == datatype.Float }
	chars := func(t datatype.Type) bool { return t.IsText() || t.ID == datatype.CLOB || t.ID == datatype.NCLOB }
	lob := func(t datatype.Type) bool { return t.ID == datatype.CLOB || t.ID == datatype.NCLOB }
	switch {
	case from.ID == to.ID, from.ID == datatype.Untyped:
		return true
	case to.ID == datatype.Number:
		return from.ID == datatype.PLSInteger || exact(from)
	case to.ID == datatype.Float:
		return exact(from)
	case lob(from):
		return lob(to) // an empty one is NULL as VARCHAR2
	}
	return chars(from) && chars(to)
}

// timeless reports whether conversions between the types do not depend on the session.
func timeless(list ...datatype.Type) bool {
	numbers, texts := false, false
	for _, t := range list {
		if !t.IsNumeric() && !t.IsText() && t.ID != datatype.Raw && t.ID != datatype.Untyped {
			return false
		}
		numbers = numbers || t.IsNumeric()
		texts = texts || t.IsText()
	}
	return !numbers || !texts
}

// whole reports whether a constant is a number without a decimal character, or such a number as text.
func whole(v value.Value) bool {
	return v.Kind == value.Int || v.Kind == value.String && strings.Trim(v.Str(), "0123456789") == ""
}

// retyped is the same expression under another type.
func retyped(e *Expr, t datatype.Type) *Expr {
	if e.Type == t {
		return e
	}
	c := *e
	c.Type = t
	return &c
}

// DataType returns a type that is written with a built-in name; others and anchors are the caller's job. A string without
// a length is an error unless unconstrained. Errors: as datatype.FromSpec.
func DataType(d *ast.DataType, plsql, unconstrained bool) (datatype.Type, error) {
	if d.Anchor != "" || len(d.Name.Parts) != 1 {
		return datatype.Type{}, sqlerr.NotSupported("type %s%s here", d.Name, d.Anchor)
	}
	precision, err := facet(d.Precision)
	if err != nil {
		return datatype.Type{}, err
	}
	scale, err := facet(d.Scale)
	if err != nil {
		return datatype.Type{}, err
	}
	return datatype.FromSpec(datatype.Spec{
		Name: d.Name.Parts[0].Text, Precision: precision, Scale: scale, AnyPrecision: d.AnyPrecision, Chars: d.Unit == ast.Chars,
		WithZone: d.Zoned, Unconstrained: unconstrained, PLSQL: plsql,
	})
}

// facet is a length, precision or scale as written; nil if it is not.
func facet(e ast.Expr) (*int, error) {
	sign := 1
	if u, ok := e.(*ast.Unary); ok && u.Op == "-" {
		sign, e = -1, u.X
	}
	switch x := e.(type) {
	case nil:
		return nil, nil
	case *ast.Number:
		v, ok := datatype.ParseNumber(x.Text)
		n, whole := datatype.Whole(v)
		if ok && whole {
			i := sign * int(n)
			return &i, nil
		}
	}
	return nil, sqlerr.NotSupported("a length or precision that is no number")
}
