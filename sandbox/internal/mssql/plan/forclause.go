package plan

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// chunk is how many characters of FOR JSON and FOR XML the server puts into one row of the result.
const chunk = 2033

// forClause binds SELECT … FOR JSON and FOR XML PATH(”): one text made of all rows.
func (n *names) forClause(q *ast.QuerySpecification, qc queryContext) *block {
	plain := *q
	plain.ForClause = nil
	t := datatype.Sized(datatype.NVarChar, datatype.Max).WithCollation(n.sc.Collation())
	var name string
	var start func(b *block, out []*expr) func(fr *query.Frame, op query.Op) (string, bool)
	switch f := q.ForClause.(type) {
	case *ast.XmlForClause:
		name = "XML_F52E2B61-18A1-11d1-B105-00805F49916B"
		var typed bool
		if start, typed = xmlText(f); typed {
			t = datatype.Of(datatype.XML)
		}
	case *ast.ReadOnlyForClause, *ast.BrowseForClause, *ast.UpdateForClause:
		panic(sqlerr.NotSupported("FOR READ ONLY, BROWSE or UPDATE"))
	default:
		panic(sqlerr.NotSupported("FOR clause %T", f))
	}
	b := n.specification(&plain, queryContext{top: true})
	if len(b.assigns) > 0 {
		panic(sqlerr.New(1054, "Syntax '%s' is not allowed in schema-bound objects.", "FOR"))
	}
	at := n.c.slot(1)
	e := columnExpr(at, 0, t, true, name)
	e.shape, e.coll = opaque, coercible
	blk := &block{cols: []outColumn{{name: name, e: e}}}
	blk.build = func(extra []*expr) (optimizer.Plan, []*expr) {
		pl, out := b.build(nil)
		text := start(b, out)
		inner := pl.Op
		pl.Op = query.OpFunc(func(fr *query.Frame) query.Iter {
			s, ok := text(fr, inner)
			if !ok {
				return query.None{}.Open(fr)
			}
			vals := &query.Values{Slot: at.slot}
			for {
				part := s
				if qc.top && t.ID != datatype.XML && charset.Len16(s) > chunk {
					part = charset.Sub16(s, 0, chunk)
				}
				s = s[len(part):]
				v := value.NewString(part)
				vals.Rows = append(vals.Rows, []query.Expr{func(*query.Frame) value.Value { return v }})
				if s == "" {
					break
				}
			}
			return vals.Open(fr)
		})
		if cond := allOf(extra); cond != nil {
			pl.Op = &query.Filter{Child: pl.Op, Pred: cond.eval}
		}
		pl.Slots, pl.Rows = optimizer.SlotsOf(at.slot), 1
		return pl, []*expr{e}
	}
	return blk
}

// textOf writes a value as JSON and XML want it: dates in ISO 8601, floats with all digits.
func textOf(v value.Value, t datatype.Type) string {
	style := datatype.NoStyle
	switch {
	case t.IsDateTime():
		style = 126
	case t.IsApproximate():
		style = 2
	case t.IsCharacter() || t.ID == datatype.XML:
		return v.Str()
	}
	return query.Must(datatype.Convert(v, t, datatype.Sized(datatype.NVarChar, datatype.Max), style, datatype.Explicit)).Str()
}

// xmlText prepares FOR XML PATH(”): the texts of all columns of all rows, one after the other.
func xmlText(f *ast.XmlForClause) (start func(b *block, out []*expr) func(fr *query.Frame, op query.Op) (string, bool), typed bool) {
	path := false
	for _, o := range f.Options {
		switch {
		case strings.EqualFold(o.OptionKind, "Path") && o.Value != nil && o.Value.Value == "":
			path = true
		case strings.EqualFold(o.OptionKind, "Type"):
			typed = true
		default:
			panic(sqlerr.NotSupported("FOR XML other than PATH('') with TYPE"))
		}
	}
	if !path {
		panic(sqlerr.NotSupported("FOR XML other than PATH('') with TYPE"))
	}
	return func(b *block, out []*expr) func(fr *query.Frame, op query.Op) (string, bool) {
		for i := range out {
			if name := b.cols[i].name; name != "" && name != "*" && name != "text()" {
				panic(sqlerr.NotSupported("FOR XML PATH('') with a named column (elements)"))
			}
		}
		escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#x0D;")
		return func(fr *query.Frame, op query.Op) (string, bool) {
			var s strings.Builder
			rows := 0
			query.Each(fr, op, func() bool {
				rows++
				for _, e := range out {
					if v := e.eval(fr); !v.IsNull() {
						s.WriteString(escape.Replace(textOf(v, e.typ)))
					}
				}
				return true
			})
			return s.String(), rows > 0
		}
	}, typed
}

var typeText = regexp.MustCompile(`^\s*(\w+)\s*(?:\(\s*(\w+)\s*\))?\s*$`)

// method is expression.method(…): only (SELECT … FOR XML PATH(”), TYPE).value('.', 'nvarchar(max)') and its
// equivalents, which undo the escaping.
func (n *names) method(x *ast.FunctionCall) *expr {
	target, ok := x.CallTarget.(*ast.ExpressionCallTarget)
	if !ok || !strings.EqualFold(x.FunctionName.Value, "value") || len(x.Parameters) != 2 {
		panic(sqlerr.NotSupported("method %s", x.FunctionName.Value))
	}
	e := n.scalar(target.Expression)
	path, ok1 := x.Parameters[0].(*ast.StringLiteral)
	typ, ok2 := x.Parameters[1].(*ast.StringLiteral)
	if e.typ.ID != datatype.XML || !ok1 || !ok2 {
		panic(sqlerr.NotSupported("method value"))
	}
	switch strings.ReplaceAll(path.Value, " ", "") {
	case ".", "./text()[1]", "text()[1]", "(./text())[1]", ".[1]", "(.)[1]":
	default:
		panic(sqlerr.NotSupported("XQuery %s", path.Value))
	}
	m := typeText.FindStringSubmatch(typ.Value)
	if m == nil {
		panic(sqlerr.NotSupported("type %s", typ.Value))
	}
	var params []int
	if strings.EqualFold(m[2], "max") {
		params = append(params, datatype.Max)
	} else if m[2] != "" {
		params = append(params, query.Must(strconv.Atoi(m[2])))
	}
	t := query.Must(datatype.FromName(m[1], params...))
	if !t.IsCharacter() {
		panic(sqlerr.NotSupported("method value with type %s", t))
	}
	t = t.WithCollation(n.sc.Collation())
	unescape := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#x0D;", "\r", "&amp;", "&")
	f, wide := e.eval, datatype.Sized(datatype.NVarChar, datatype.Max)
	out := derive(t, "", []*expr{e}, func(fr *query.Frame) value.Value {
		v := f(fr)
		if v.IsNull() {
			return v
		}
		return query.Must(datatype.Convert(value.NewString(unescape.Replace(v.Str())), wide, t, datatype.NoStyle, datatype.Explicit))
	})
	out.key, out.coll = "", coercible
	return out
}
