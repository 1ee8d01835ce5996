package plan

import (
	"encoding/base64"
	"regexp"
	"strconv"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/builtin"
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
	case *ast.JsonForClause:
		name = "JSON_F52E2B61-18A1-11d1-B105-00805F49916B"
		start = jsonText(f, countTables(q))
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
	e.json = name[0] == 'J'
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
				if qc.top && t.ID != datatype.XML && datatype.Len16(s) > chunk {
					part = datatype.Sub16(s, 0, chunk)
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

// countTables counts the tables of a FROM clause.
func countTables(q *ast.QuerySpecification) (n int) {
	if q.FromClause == nil {
		return 0
	}
	for _, t := range q.FromClause.TableReferences {
		switch t.(type) {
		case *ast.QualifiedJoin, *ast.UnqualifiedJoin, *ast.JoinParenthesisTableReference:
			return 2
		}
		n++
	}
	return n
}

// jsonField is where a column goes in the object of a row.
type jsonField struct {
	path []string
	e    *expr
}

// jsonText prepares FOR JSON PATH, and AUTO where all columns come from one table
// (learn.microsoft.com "Format query results as JSON with FOR JSON").
func jsonText(f *ast.JsonForClause, tables int) func(b *block, out []*expr) func(fr *query.Frame, op query.Op) (string, bool) {
	auto, nulls, bare, root := false, false, false, ""
	for _, o := range f.Options {
		switch strings.ToUpper(o.OptionKind) {
		case "PATH":
		case "AUTO":
			auto = true
		case "INCLUDENULLVALUES":
			nulls = true
		case "WITHOUTARRAYWRAPPER":
			bare = true
		case "ROOT":
			root = "root"
			if o.Value != nil {
				root = o.Value.Value
			}
		default:
			panic(sqlerr.NotSupported("FOR JSON option %s", o.OptionKind))
		}
	}
	if auto && tables != 1 {
		panic(sqlerr.NotSupported("FOR JSON AUTO over several tables"))
	}
	if bare && root != "" {
		panic(sqlerr.New(13620, "ROOT option and WITHOUT_ARRAY_WRAPPER option cannot be used together in FOR JSON. Remove one of these options."))
	}
	return func(b *block, out []*expr) func(fr *query.Frame, op query.Op) (string, bool) {
		var fields []jsonField
		for i, e := range out {
			name := b.cols[i].name
			if name == "" {
				panic(sqlerr.New(13605, "Column expressions and data sources without names or aliases cannot be formatted as JSON text using FOR JSON clause. Add alias to the unnamed column or table."))
			}
			path := []string{name}
			if !auto {
				path = strings.Split(name, ".")
			}
			fields = append(fields, jsonField{path, e})
		}
		checkPaths(fields)
		return func(fr *query.Frame, op query.Op) (string, bool) {
			var buf []byte
			rows := 0
			query.Each(fr, op, func() bool {
				if rows > 0 {
					buf = append(buf, ',')
				}
				rows++
				buf = appendObject(fr, buf, fields, 0, nulls)
				return true
			})
			if rows == 0 {
				return "", false
			}
			s := string(buf)
			if !bare {
				s = "[" + s + "]"
			}
			if root != "" {
				s = "{\"" + string(builtin.AppendJSONEscaped(nil, root)) + "\":" + s + "}"
			}
			return s, true
		}
	}
}

// checkPaths refuses names that are an object and a value at once, or objects in two places: 13601.
func checkPaths(fields []jsonField) {
	seen := map[string]bool{} // a value
	open := ""
	closed := map[string]bool{}
	for _, f := range fields {
		name := strings.Join(f.path, ".")
		object := strings.Join(f.path[:len(f.path)-1], ".")
		if object != open && open != "" {
			closed[open] = true
		}
		if seen[name] || closed[object] && object != "" || seen[object] && object != "" {
			panic(sqlerr.New(13601, "Property '%s' cannot be generated in JSON output due to a conflict with another column name or alias. Use different names and aliases for each column in SELECT list.", name))
		}
		seen[name], open = true, object
	}
}

func appendObject(fr *query.Frame, buf []byte, fields []jsonField, depth int, nulls bool) []byte {
	buf = append(buf, '{')
	first := true
	for i := 0; i < len(fields); {
		name := fields[i].path[depth]
		n := i + 1
		if len(fields[i].path) > depth+1 {
			for n < len(fields) && len(fields[n].path) > depth+1 && fields[n].path[depth] == name {
				n++
			}
		}
		var val []byte
		if len(fields[i].path) > depth+1 {
			val = appendObject(fr, nil, fields[i:n], depth+1, nulls)
			if string(val) == "{}" && !nulls {
				val = nil
			}
		} else if v := fields[i].e.eval(fr); !v.IsNull() || nulls {
			val = appendJSON(nil, v, fields[i].e)
		}
		i = n
		if val == nil {
			continue
		}
		if !first {
			buf = append(buf, ',')
		}
		first = false
		buf = append(buf, '"')
		buf = builtin.AppendJSONEscaped(buf, name)
		buf = append(append(buf, '"', ':'), val...)
	}
	return append(buf, '}')
}

// appendJSON writes a value as FOR JSON does
// (learn.microsoft.com "How FOR JSON converts SQL Server data types to JSON data types").
func appendJSON(buf []byte, v value.Value, e *expr) []byte {
	t := e.typ
	switch {
	case v.IsNull():
		return append(buf, "null"...)
	case e.json:
		return append(buf, v.Str()...)
	case t.ID == datatype.Bit:
		return strconv.AppendBool(buf, v.N != 0)
	case t.IsInteger():
		return strconv.AppendInt(buf, v.N, 10)
	case t.IsNumeric():
		return append(buf, textOf(v, t)...)
	case t.IsBinary(), t.ID == datatype.RowVersion:
		return append(append(append(buf, '"'), base64.StdEncoding.EncodeToString([]byte(v.Str()))...), '"')
	}
	buf = builtin.AppendJSONEscaped(append(buf, '"'), textOf(v, t))
	return append(buf, '"')
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
