package plan

import (
	"errors"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// castType is the type that CAST and CONVERT name: without a length it is 30 long, not 1 (char and varchar, Transact-SQL). An
// unknown type has an error of its own there, which names the type as the error of declarations does.
func (n *names) castType(ref ast.DataTypeReference) datatype.Type {
	t, err := n.sc.DataType(ref)
	if e, ok := errors.AsType[*sqlerr.Error](err); ok && e.Number == 2715 {
		_, name, _ := strings.Cut(e.Text, "Cannot find data type ")
		err = message.MS(243, strings.TrimSuffix(name, "."))
	}
	query.Check(err)
	if r, ok := ref.(*ast.SqlDataTypeReference); ok && len(r.Parameters) == 0 && (t.IsCharacter() || t.IsBinary()) {
		t = t.WithLen(30)
	}
	return t
}

// cast is CAST, CONVERT and their TRY_ forms.
func (n *names) cast(ref ast.DataTypeReference, arg, style ast.ScalarExpression, try bool) *expr {
	t := n.castType(ref)
	if t.IsCharacter() {
		t = t.WithCollation(n.sc.Collation())
	}
	e := n.scalar(arg)
	if t.IsCharacter() && e.Type.IsCharacter() {
		t = t.WithCollation(e.Type.Coll)
	}
	query.Check(datatype.CheckExplicit(e.Type, t))
	number := datatype.NoStyle
	if style != nil {
		s := implicitTo(n.scalar(style), datatype.Of(datatype.Int))
		if s.Shape != expression.Constant || s.Const.IsNull() {
			panic(sqlerr.NotSupported("a style that is no literal"))
		}
		number = int(s.Const.N)
	}
	if !try {
		out := *convertCast(e, t, number)
		out.literal, out.base, out.Name = false, false, ""
		return &out
	}
	from, f := e.Type, e.Eval
	out := derive(t, "cast:"+t.String(), []*expr{e}, func(fr *query.Frame) value.Value {
		return query.Must(datatype.TryConvert(f(fr), from, t, number))
	})
	out.Null = true
	return out
}

// convertCast is convertTo with the rules of CAST: strings are truncated to the length instead of refused.
func convertCast(e *expr, t datatype.Type, style int) *expr {
	if sameForm(e.Type, t) {
		c := *e
		c.Type = t
		if c.Type.IsUntyped() {
			c.Type = t
		}
		return &c
	}
	from, f := e.Type, e.Eval
	if e.Shape == expression.Constant {
		if v, err := datatype.Convert(e.Const, from, t, style, datatype.Explicit); err == nil {
			return constExpr(v, t)
		}
	}
	return derive(t, "cast:"+t.String(), []*expr{e}, func(fr *query.Frame) value.Value {
		return query.Must(datatype.Convert(f(fr), from, t, style, datatype.Explicit))
	})
}
