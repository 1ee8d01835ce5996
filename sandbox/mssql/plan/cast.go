package plan

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/query"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
	"github.com/dbsched/dbsched/sandbox/value"
)

// cast is CAST, CONVERT and their TRY_ forms.
func (n *names) cast(ref ast.DataTypeReference, arg, style ast.ScalarExpression, try bool) *expr {
	t := query.Must(n.sc.DataType(ref))
	if t.IsCharacter() {
		t = t.WithCollation(n.sc.Collation())
	}
	e := n.scalar(arg)
	if t.IsCharacter() && e.typ.IsCharacter() {
		t = t.WithCollation(e.typ.Coll)
	}
	query.Check(datatype.CheckExplicit(e.typ, t))
	number, styled := datatype.NoStyle, (*expr)(nil)
	if style != nil {
		s := implicitTo(n.scalar(style), datatype.Of(datatype.Int))
		if s.shape == constant && !s.val.IsNull() {
			number = int(s.val.N)
		} else {
			styled = s
		}
	}
	if styled == nil && !try {
		out := *convertCast(e, t, number)
		out.literal, out.name = false, ""
		return &out
	}
	from, f := e.typ, e.eval
	out := derive(t, "cast:"+t.String(), []*expr{e}, func(fr *query.Frame) value.Value {
		st := number
		if styled != nil {
			sv := styled.eval(fr)
			if sv.IsNull() {
				return value.Value{}
			}
			st = int(sv.N)
		}
		if try {
			return query.Must(datatype.TryConvert(f(fr), from, t, st))
		}
		return query.Must(datatype.Convert(f(fr), from, t, st, datatype.Explicit))
	})
	out.null = out.null || try
	if styled != nil {
		out.key = ""
		out.refs, out.cols = out.refs.Union(styled.refs), out.cols.Union(styled.cols)
	}
	return out
}

// convertCast is convertTo with the rules of CAST: strings are cut to length instead of refused.
func convertCast(e *expr, t datatype.Type, style int) *expr {
	if sameForm(e.typ, t) {
		c := *e
		c.typ = t
		if c.typ.IsUntyped() {
			c.typ = t
		}
		return &c
	}
	from, f := e.typ, e.eval
	if e.shape == constant {
		if v, err := datatype.Convert(e.val, from, t, style, datatype.Explicit); err == nil {
			return constExpr(v, t)
		}
	}
	return derive(t, "cast:"+t.String(), []*expr{e}, func(fr *query.Frame) value.Value {
		return query.Must(datatype.Convert(f(fr), from, t, style, datatype.Explicit))
	})
}

func (n *names) atTimeZone(x *ast.AtTimeZoneCall) *expr {
	zone, ok := x.TimeZone.(*ast.StringLiteral)
	if !ok || !strings.EqualFold(zone.Value, "UTC") {
		panic(sqlerr.NotSupported("AT TIME ZONE other than 'UTC'"))
	}
	e := n.scalar(x.DateValue)
	scale := e.typ.Scale
	switch e.typ.ID {
	case datatype.DateTimeOffset, datatype.DateTime2:
	case datatype.DateTime:
		scale = 3
	case datatype.SmallDateTime:
		scale = 0
	default:
		panic(datatype.ErrArgument(e.typ, 1, "AT TIME ZONE"))
	}
	t := datatype.Scaled(datatype.DateTimeOffset, scale)
	f := e.eval
	return derive(t, "utc", []*expr{e}, func(fr *query.Frame) value.Value {
		v := f(fr)
		if v.IsNull() {
			return v
		}
		return value.NewTime(v.N, 0)
	})
}
