package plan

import (
	"cmp"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// view expands a view.
func (n *names) view(o *catalog.Object, hints tableHints, src *source) optimizer.Relation {
	if hints.index != nil || hints.forceSeek {
		panic(sqlerr.NotSupported("index hint on a view"))
	}
	c, m := n.c, o.Module()
	c.use(o, "SELECT")
	c.via = append(c.via, o)
	body := &names{c: c, sc: n.sc.Within(o), free: new(expression.Usage), hints: hints}
	b := body.statementQuery(m.Select)
	c.via = c.via[:len(c.via)-1]
	if len(m.Columns) != len(b.cols) {
		panic(sqlerr.NotSupported("a view whose tables have changed since it was made, %s; use ALTER VIEW", o.Name))
	}
	rel := n.derived(b, body, src.alias, viewColumns(m))
	got := n.sources[len(n.sources)-1]
	got.schema, got.object = src.schema, o
	return rel
}

func viewColumns(m *catalog.Module) (out []string) {
	for i := range m.Columns {
		out = append(out, m.Columns[i].Name)
	}
	return out
}

// statementQuery binds the query of a SELECT with its WITH clause.
func (n *names) statementQuery(st *ast.SelectStatement) *block {
	n.withCTEs(st.WithCtesAndXmlNamespaces)
	return n.query(st.QueryExpression, queryContext{})
}

// tableFunction is a user-defined table-valued function.
func (n *names) tableFunction(x *ast.SchemaObjectFunctionTableReference, lateral *names) optimizer.Relation {
	o := query.Must(n.sc.Resolve(x.SchemaObject))
	m := o.Module()
	if m == nil || o.Kind != catalog.InlineFunction {
		panic(errNoTable(x.SchemaObject))
	}
	c := n.c
	alias := aliasOf(x.Alias)
	alias = cmp.Or(alias, o.Name)
	scope := lateral.inner()
	args := scope.arguments(o, m.Params, x.Parameters)
	c.use(o, "SELECT")
	params := map[string]*expr{}
	for i, p := range m.Params {
		params[strings.ToLower(p.Name)] = args[i]
	}
	c.via = append(c.via, o)
	body := &names{c: c, sc: n.sc.Within(o), free: new(expression.Usage), params: params}
	b := body.statementQuery(m.Select)
	c.via = c.via[:len(c.via)-1]
	for _, a := range args { // the body depends on what the arguments depend on
		body.free.Add(a.Refs, a.Cols)
	}
	cols := identifiers(x.Columns)
	if len(cols) == 0 {
		cols = viewColumns(m)
	}
	return n.derived(b, body, alias, cols)
}

// arguments binds the arguments of a user-defined function and converts them to its parameters' types.
func (n *names) arguments(o *catalog.Object, params []catalog.Param, list []ast.ScalarExpression) []*expr {
	if len(list) > len(params) {
		panic(message.MS(8144, o.QualifiedName()).At(16, 3))
	}
	if len(list) < len(params) {
		panic(message.MS(313, o.QualifiedName()).At(16, 3))
	}
	out := make([]*expr, len(params))
	for i, p := range params {
		if p.TableType != nil {
			panic(sqlerr.NotSupported("table-valued parameter of a function"))
		}
		var e *expr
		if _, ok := list[i].(*ast.DefaultLiteral); ok {
			if !p.HasDefault {
				panic(message.MS(313, o.QualifiedName()).At(16, 3))
			}
			e = n.optional(p.Default)
		} else {
			e = n.scalar(list[i])
		}
		out[i] = assignTo(e, p.Type)
		if out[i].Type.IsCharacter() && out[i].coll == implicit {
			c := *out[i]
			c.coll = coercible // a parameter is a variable, whatever its argument is
			out[i] = &c
		}
	}
	return out
}
