package plan

import (
	"cmp"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/builtin"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// document checks that an expression may be JSON: text or a CLOB.
func (b *binder) document(x *Expr) *Expr {
	b.scalars("JSON", x)
	switch {
	case x.Type.IsText(), x.Type.ID == datatype.CLOB, x.Type.ID == datatype.NCLOB, x.Type.ID == datatype.Untyped:
		return x
	case x.Type.ID == datatype.BLOB, x.Type.ID == datatype.Raw:
		refuse("JSON in %s", x.Type)
	}
	query.Check(datatype.ErrInconsistent("-", x.Type))
	return nil
}

func jsonPath(e ast.Expr) builtin.JSONPath {
	s, ok := e.(*ast.String)
	if !ok {
		fail(40454, "path expression not a literal")
	}
	return query.Must(builtin.ParseJSONPath(s.Value))
}

// jsonFunction binds JSON_VALUE, JSON_QUERY and JSON_EXISTS.
func (b *binder) jsonFunction(x *ast.JSONFunction) *Expr {
	if b.c.plsql && x.Name != ast.JSONExists && x.Returning != nil && x.Returning.Zone != "" {
		refuse("%s RETURNING %s in PL/SQL", x.Name, x.Returning.Name)
	}
	doc, path := b.document(b.expr(x.X)), jsonPath(x.Path)
	f, key := doc.Eval, string(x.Name)+" "+x.Path.(*ast.String).Value+" "+string(x.OnError)+" "+string(x.OnEmpty)
	if x.Name == ast.JSONExists {
		return derive(boolean, key, []*Expr{doc}, func(fr *query.Frame) value.Value {
			v := f(fr)
			if v.IsNull() {
				return v
			}
			found, err := builtin.JSONExists(v.Str(), path)
			if err != nil {
				return jsonFailed(err, cmp.Or(x.OnError, ast.JSONFalse))
			}
			return truth(found)
		})
	}
	text := datatype.Sized(datatype.Varchar2, 4000)
	t := text
	if x.Returning != nil {
		t = query.Must(DataType(x.Returning, b.c.plsql, true))
		if t.ID == datatype.Varchar2 && t.Len == 0 {
			t = text
		}
		switch {
		case x.Name == ast.JSONQuery && t.ID != datatype.Varchar2 && t.ID != datatype.CLOB,
			!t.IsText() && t.ID != datatype.CLOB && t.ID != datatype.Number:
			refuse("%s RETURNING %s", x.Name, t)
		}
	}
	find := builtin.JSONValue
	if x.Name == ast.JSONQuery {
		find = builtin.JSONQuery
	}
	format := b.c.format()
	e := derive(t, key+" "+t.String(), []*Expr{doc}, func(fr *query.Frame) value.Value {
		v := f(fr)
		if v.IsNull() {
			return v
		}
		out, err := find(v.Str(), path)
		if oraNumber(err) == 40462 { // nothing is there
			return jsonFailed(err, x.OnEmpty)
		}
		if err == nil && !out.IsNull() {
			out, err = jsonReturn(out, t, format(fr))
		}
		if err != nil {
			return jsonFailed(err, x.OnError)
		}
		return out
	})
	e.Nullable = true
	return e
}

// jsonReturn makes the type of RETURNING of what was found.
func jsonReturn(v value.Value, t datatype.Type, e *datatype.Env) (value.Value, error) {
	if t.IsText() && t.Len > 0 && datatype.LengthIn(v.Str(), t) > int(t.Len) {
		return v, sqlerr.New(40478, "output value too large (maximum: %d)", t.Len)
	}
	if t.ID == datatype.CLOB {
		return v, nil
	}
	plain := *e // numbers in JSON are written in one way
	plain.Numeric = ""
	return datatype.Cast(v, datatype.Of(datatype.Varchar2), t, &plain)
}

// jsonFailed is what a JSON function gives when it fails; refusals go on.
func jsonFailed(err error, h ast.JSONHandler) value.Value {
	if oraNumber(err) == sqlerr.NotSupportedNumber || h == ast.JSONError {
		query.Check(err)
	}
	switch h {
	case ast.JSONTrue:
		return trueValue
	case ast.JSONFalse:
		return falseValue
	}
	return value.Value{}
}
