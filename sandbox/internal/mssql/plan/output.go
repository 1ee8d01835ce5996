package plan

import (
	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// output is OUTPUT and OUTPUT INTO of a statement.
type output struct {
	target  *target
	client  []*expr
	columns []Column
	into    *inserter
	rows    []*expr // what goes to into
}

// output binds the OUTPUT clauses. n are the names of the statement's FROM clause, which OUTPUT of
// UPDATE and DELETE may use as well.
func (n *names) output(x *target, oc *ast.OutputClause, oi *ast.OutputIntoClause, before, after bool) *output {
	out := &output{target: x}
	if oc == nil && oi == nil {
		return out
	}
	var sources []*source
	if after {
		sources = append(sources, &source{alias: "inserted", object: x.object, cols: columnsOf(n.c, n.sc, x.object, x.table, x.at)})
	}
	if before {
		sources = append(sources, &source{alias: "deleted", object: x.object, cols: columnsOf(n.c, n.sc, x.object, x.table, x.old)})
	}
	sources = append(sources, n.sources...)
	scope := n.with(sources...)
	list := func(elements []ast.SelectElement) (exprs []*expr, cols []Column) {
		s := &selection{n: scope, q: &ast.QuerySpecification{SelectElements: elements}}
		s.bindOutput()
		for i, c := range s.cols {
			e := c.e
			if e.Type.IsUntyped() {
				e = implicitTo(e, datatype.Of(datatype.Int))
			}
			exprs = append(exprs, e)
			cols = append(cols, Column{Name: s.cols[i].name, Type: e.Type, Nullable: e.Null})
		}
		return exprs, cols
	}
	if oc != nil {
		out.client, out.columns = list(oc.SelectColumns)
	}
	if oi != nil {
		out.rows, _ = list(oi.SelectColumns)
		out.into = n.outputInto(oi, out.rows)
	}
	return out
}

// bindOutput is bindList, but refuses a * without a prefix.
func (s *selection) bindOutput() {
	for _, el := range s.q.SelectElements {
		if st, ok := el.(*ast.SelectStarExpression); ok && st.Qualifier == nil {
			panic(message.MS(102, "*"))
		}
	}
	s.bindList()
}

// outputInto is the target of OUTPUT … INTO.
func (n *names) outputInto(oi *ast.OutputIntoClause, rows []*expr) *inserter {
	o, t, variable := n.tableOf(oi.IntoTable)
	x := n.c.target(n.sc, o, t, variable, "INSERT")
	if len(x.checks) > 0 {
		panic(message.MS(333, x.name()))
	}
	if o != nil {
		n.c.use(o, "INSERT")
	}
	cols := n.insertColumns(x, oi.IntoTableColumns)
	if len(cols) != len(rows) {
		panic(message.MS(213))
	}
	ins := n.inserter(x, cols)
	for i, e := range rows {
		rows[i] = x.toColumn(e, cols[i])
	}
	return ins
}

// row emits OUTPUT for the rows that are in the slots "inserted" and "deleted".
func (o *output) row(fr *query.Frame, sink func(value.Row) error) error {
	if o.into != nil {
		row := o.into.build(fr, query.Eval(fr, expression.Evals(o.rows)))
		if err := o.into.insert(fr, row); err != nil {
			return err
		}
	}
	if o.client != nil {
		return sink(query.Eval(fr, expression.Evals(o.client)))
	}
	return nil
}

// tableOf resolves the table that a statement changes, when it is named directly.
func (n *names) tableOf(ref ast.TableReference) (*catalog.Object, *catalog.Table, int) {
	switch x := ref.(type) {
	case *ast.NamedTableReference:
		o := query.Must(n.sc.Resolve(x.SchemaObject))
		switch o.Kind {
		case catalog.UserTable:
			return o, o.Table(), -1
		case catalog.View:
			panic(sqlerr.NotSupported("changing rows through view %s", o.Name))
		}
		panic(errNoTable(x.SchemaObject))
	case *ast.VariableTableReference:
		slot, t, ok := n.sc.TableVariable(x.Variable.Name)
		if !ok {
			panic(message.MS(1087, x.Variable.Name).At(15, 2))
		}
		return nil, t, slot
	}
	panic(sqlerr.NotSupported("target %T", ref))
}
