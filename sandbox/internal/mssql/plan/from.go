package plan

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// from binds a FROM clause: its sources become those of n.
func (n *names) from(c *ast.FromClause) optimizer.Relation {
	if c == nil {
		return optimizer.Nothing{}
	}
	var rel optimizer.Relation
	for _, t := range c.TableReferences {
		rel = optimizer.Cross(rel, n.tableRef(t, n.beside(nil)))
	}
	n.checkExposed()
	return rel
}

// checkExposed refuses two sources with the same name: 1011, 1012, 1013.
func (n *names) checkExposed() {
	for i, a := range n.sources {
		for _, b := range n.sources[:i] {
			if a.alias == "" || !n.same(a.alias, b.alias) {
				continue
			}
			switch {
			case a.schema == "" && b.schema == "":
				panic(message.MS(1011, a.alias))
			case a.schema == "" || b.schema == "":
				panic(message.MS(1012, a.alias, b.alias))
			case n.same(a.schema, b.schema):
				panic(message.MS(1013, b.alias, a.alias))
			}
		}
	}
}

// beside returns the names that a derived table or an argument in FROM may see: those of the enclosing
// query, and with APPLY the sources to the left.
func (n *names) beside(left []*source) *names {
	return &names{c: n.c, sc: n.sc, outer: n.outer, sources: left, ctes: n.ctes, params: n.params, free: n.free}
}

func (n *names) tableRef(t ast.TableReference, lateral *names) optimizer.Relation {
	switch x := t.(type) {
	case *ast.NamedTableReference:
		return n.named(x)
	case *ast.VariableTableReference:
		return n.variableTable(x)
	case *ast.QualifiedJoin:
		return n.qualifiedJoin(x, lateral)
	case *ast.UnqualifiedJoin:
		return n.unqualifiedJoin(x, lateral)
	case *ast.JoinParenthesisTableReference:
		return n.tableRef(x.Join, lateral)
	case *ast.QueryDerivedTable:
		sub := lateral.inner()
		return n.derived(sub.query(x.QueryExpression, queryContext{}), sub, aliasOf(x.Alias), identifiers(x.Columns))
	case *ast.InlineDerivedTable:
		return n.valuesTable(x, lateral)
	case *ast.OpenJsonTableReference:
		return n.openJSON(x, lateral)
	case *ast.SchemaObjectFunctionTableReference:
		return n.tableFunction(x, lateral)
	}
	panic(sqlerr.NotSupported("table reference %T", t))
}

func aliasOf(id *ast.Identifier) string {
	if id == nil {
		return ""
	}
	return id.Value
}

func identifiers(list []*ast.Identifier) (out []string) {
	for _, id := range list {
		out = append(out, id.Value)
	}
	return out
}

// named is a table, view, queue or common table expression.
func (n *names) named(x *ast.NamedTableReference) optimizer.Relation {
	hints := hintsOf(x.TableHints).with(n.hints)
	name := x.SchemaObject
	alias := aliasOf(x.Alias)
	if name.SchemaIdentifier == nil && name.DatabaseIdentifier == nil {
		if cte := n.findCTE(name.BaseIdentifier.Value); cte != nil {
			alias = cmp.Or(alias, name.BaseIdentifier.Value)
			return n.commonTable(cte, alias)
		}
	}
	o := query.Must(n.sc.Resolve(name))
	src := &source{alias: alias, object: o}
	if alias == "" {
		src.alias, src.shown = name.BaseIdentifier.Value, strings.Join(identifiers(name.Identifiers), ".")
		src.schema = o.Schema
		if o.Kind == catalog.SystemViewObject && name.SchemaIdentifier != nil {
			src.schema = name.SchemaIdentifier.Value
		}
	}
	switch o.Kind {
	case catalog.UserTable:
		return n.table(o, o.Table(), -1, hints, src)
	case catalog.View:
		return n.view(o, hints, src)
	case catalog.SystemViewObject:
		return n.systemView(o, src)
	case catalog.Queue:
		return n.queue(o, src)
	}
	panic(errNoTable(name))
}

func errNoTable(name *ast.SchemaObjectName) *sqlerr.Error {
	return message.MS(208, strings.Join(identifiers(name.Identifiers), "."))
}

// table builds the relation of a stored table and fills in the columns of its source.
func (n *names) table(o *catalog.Object, t *catalog.Table, variable int, hints tableHints, src *source) optimizer.Relation {
	c := n.c
	rel := &tableRel{at: c.Slot(len(t.Columns)), object: o, table: t, variable: variable, hints: hints, within: c.within(), scope: n.sc, c: c}
	rel.rel = rel.relation(src.alias)
	if c.tables == nil {
		c.tables = map[int]*tableRel{}
	}
	c.tables[rel.at.Slot] = rel
	src.cols = append(src.cols, columnsOf(c, n.sc, o, t, rel.at)...)
	n.sources = append(n.sources, src)
	if o != nil {
		c.use(o, "SELECT")
	}
	return rel.rel
}

// columnsOf are the columns of a stored row in a slot; columns that are computed but not stored are
// expressions over the others.
func columnsOf(c *compiler, sc Scope, o *catalog.Object, t *catalog.Table, at expression.Slot) []sourceColumn {
	out := make([]sourceColumn, len(t.Columns))
	for i := range t.Columns {
		col := &t.Columns[i]
		e := columnExpr(at, i, col.Type, col.Nullable, col.Name)
		e.identity = col.Identity != nil
		e.base = o != nil && !e.identity
		out[i] = sourceColumn{name: col.Name, e: e}
	}
	return out
}

// filterOf binds the filter of an index over the relation's own slot.
func (t *tableRel) filterOf(ix *catalog.Index) []*expr {
	if f, ok := t.filters[ix]; ok {
		return f
	}
	if t.filters == nil {
		t.filters, t.columns = map[*catalog.Index][]*expr{}, columnsOf(t.c, t.scope, t.object, t.table, t.at)
	}
	base := &names{c: t.c, sc: t.scope.Within(t.object), sources: []*source{{cols: t.columns}}}
	t.filters[ix] = expression.Conjuncts(base.predicate(ix.Filter), nil)
	return t.filters[ix]
}

func (n *names) variableTable(x *ast.VariableTableReference) optimizer.Relation {
	slot, t, ok := n.sc.TableVariable(x.Variable.Name)
	if !ok {
		panic(message.MS(1087, x.Variable.Name).At(15, 2))
	}
	src := &source{alias: aliasOf(x.Alias)}
	src.alias = cmp.Or(src.alias, x.Variable.Name)
	n.c.use(nil, "SELECT") // needs no permission, but a transaction to read in
	return n.table(nil, t, slot, tableHints{}, src)
}

func (n *names) qualifiedJoin(x *ast.QualifiedJoin, lateral *names) optimizer.Relation {
	first := len(n.sources)
	l := n.tableRef(x.FirstTableReference, lateral)
	mid := len(n.sources)
	r := n.tableRef(x.SecondTableReference, lateral)
	j := &optimizer.Join{Kind: query.Inner, Left: l, Right: r}
	switch x.JoinHint {
	case "":
	case "Loop":
		j.InOrder = true
	default:
		panic(sqlerr.NotSupported("join hint %s", x.JoinHint))
	}
	on := n.with(n.sources[first:]...)
	j.On = n.c.conds(expression.Conjuncts(on.predicate(x.SearchCondition), nil))
	switch x.QualifiedJoinType {
	case "Inner":
	case "LeftOuter":
		j.Kind = query.Left
		nullable(n.sources[mid:], optimizer.Witness(r))
	case "RightOuter":
		j.Kind, j.Left, j.Right = query.Left, r, l
		nullable(n.sources[first:mid], optimizer.Witness(l))
	case "FullOuter":
		j.Kind = query.Full
		nullable(n.sources[first:mid], optimizer.Witness(l))
		nullable(n.sources[mid:], optimizer.Witness(r))
	default:
		panic(sqlerr.NotSupported("%s join", x.QualifiedJoinType))
	}
	return j
}

func (n *names) unqualifiedJoin(x *ast.UnqualifiedJoin, lateral *names) optimizer.Relation {
	first := len(n.sources)
	l := n.tableRef(x.FirstTableReference, lateral)
	mid := len(n.sources)
	j := &optimizer.Join{Kind: query.Inner, Left: l}
	if x.UnqualifiedJoinType == "CrossJoin" {
		j.Right = n.tableRef(x.SecondTableReference, lateral)
		return j
	}
	beside := n.beside(append(append([]*source{}, lateral.sources...), n.sources[first:mid]...))
	j.Right = n.tableRef(x.SecondTableReference, beside)
	switch x.UnqualifiedJoinType {
	case "CrossApply":
	case "OuterApply":
		j.Kind = query.Left
		nullable(n.sources[mid:], optimizer.Witness(j.Right))
	default:
		panic(sqlerr.NotSupported("%s", x.UnqualifiedJoinType))
	}
	return j
}

func nullable(sources []*source, witness int) {
	for _, src := range sources {
		for i := range src.cols {
			src.cols[i].e = expression.OrNull(src.cols[i].e, witness)
		}
	}
}

// derived makes a query a source: merged into the enclosing query if it only selects, projects
// and joins, otherwise with rows of its own.
func (n *names) derived(b *block, sub *names, alias string, columns []string) optimizer.Relation {
	if len(columns) > 0 && len(columns) != len(b.cols) {
		if len(columns) < len(b.cols) {
			panic(message.MS(8158, alias))
		}
		panic(message.MS(8159, alias))
	}
	src := &source{alias: alias}
	for i, c := range b.cols {
		name := c.name
		if len(columns) > 0 {
			name = columns[i]
		}
		if name == "" {
			panic(message.MS(8155, i+1, alias))
		}
		for _, other := range src.cols {
			if n.same(other.name, name) {
				panic(message.MS(8156, name, alias))
			}
		}
		src.cols = append(src.cols, sourceColumn{name: name, e: renamed(c.e, name)})
	}
	n.sources = append(n.sources, src)
	if b.simple && !b.perRow {
		return &optimizer.Filtered{Of: b.rel, Where: b.where}
	}
	return n.opaque(b, sub, src)
}

func renamed(e *expr, name string) *expr {
	c := *e
	c.Name = name
	return &c
}

// opaque plans a query and gives it a slot for its rows.
func (n *names) opaque(b *block, sub *names, src *source) optimizer.Relation {
	pl, out := b.build(nil)
	at := n.c.Slot(len(out))
	r := &opRel{through: map[int]*expr{}, Source: &optimizer.Source{
		Op:   &query.Project{Child: pl.Op, Slot: at.Slot, Exprs: expression.Evals(out), KeepID: -1},
		Sets: optimizer.SlotsOf(at.Slot), Deps: sub.free.Slots, Rows: max(1, pl.Rows), Access: pl.Access,
	}}
	for i, e := range out {
		c := columnExpr(at, i, e.Type, e.Null, src.cols[i].name)
		c.identity, c.base = e.identity, e.base
		c.coll = e.coll
		r.through[i] = e
		src.cols[i].e = c
	}
	if n.c.opaque == nil {
		n.c.opaque = map[int]*opRel{}
	}
	n.c.opaque[at.Slot] = r
	return r.Source
}

func (n *names) rows(src *source, cols []catalog.Column, rows float64, deps optimizer.Slots, seq func(fr *query.Frame) iter.Seq[value.Row], access string) optimizer.Relation {
	at := n.c.Slot(len(cols))
	for i := range cols {
		src.cols = append(src.cols, sourceColumn{name: cols[i].Name, e: columnExpr(at, i, cols[i].Type, cols[i].Nullable, cols[i].Name)})
	}
	n.sources = append(n.sources, src)
	return &optimizer.Source{Op: &query.Rows{Slot: at.Slot, Seq: seq}, Sets: optimizer.SlotsOf(at.Slot), Deps: deps, Rows: rows, Access: []string{access}}
}

func (n *names) systemView(o *catalog.Object, src *source) optimizer.Relation {
	n.c.use(o, "SELECT")
	v := o.Def.(*catalog.SystemView)
	if v.Query != nil {
		return n.derivedView(o, v, src)
	}
	return n.rows(src, v.Columns, optimizer.TempRows, nil, func(fr *query.Frame) iter.Seq[value.Row] { return env(fr).SystemRows(o) }, src.alias+": system view "+o.Name)
}

// derivedView expands a system view that is SQL over the base catalog; its columns have the types of its definition.
func (n *names) derivedView(o *catalog.Object, v *catalog.SystemView, src *source) optimizer.Relation {
	home := constExpr(value.NewString(o.Home.Name), datatype.Sized(datatype.NVarChar, 128).WithCollation(o.Home.Collation))
	body := &names{c: n.c, sc: n.sc.Within(o), free: new(expression.Usage), params: map[string]*expr{"@database": home}}
	cols := make([]string, len(v.Columns))
	for i := range v.Columns {
		cols[i] = v.Columns[i].Name
	}
	rel := n.derived(body.statementQuery(v.Query()), body, src.alias, cols)
	got := n.sources[len(n.sources)-1]
	got.schema = src.schema
	for i := range v.Columns {
		got.cols[i].e = renamed(assignTo(got.cols[i].e, v.Columns[i].Type), cols[i])
	}
	return rel
}

// queueColumns are what SELECT on a queue shows (learn.microsoft.com "CREATE QUEUE (Transact-SQL)").
func queueColumns(coll datatype.Collation) []catalog.Column {
	text := func(n int) datatype.Type { return datatype.Sized(datatype.NVarChar, n).WithCollation(coll) }
	col := func(name string, t datatype.Type, null bool) catalog.Column {
		return catalog.Column{Name: name, Type: t, Nullable: null}
	}
	of := datatype.Of
	return []catalog.Column{
		col("status", of(datatype.TinyInt), false), col("priority", of(datatype.TinyInt), false),
		col("queuing_order", of(datatype.BigInt), false), col("conversation_group_id", of(datatype.UniqueIdentifier), false),
		col("conversation_handle", of(datatype.UniqueIdentifier), false), col("message_sequence_number", of(datatype.BigInt), false),
		col("service_name", text(512), false), col("service_id", of(datatype.Int), false),
		col("service_contract_name", text(256), false), col("service_contract_id", of(datatype.Int), false),
		col("message_type_name", text(256), false), col("message_type_id", of(datatype.Int), false),
		col("validation", datatype.Sized(datatype.NChar, 2).WithCollation(coll), false),
		col("message_body", datatype.Sized(datatype.VarBinary, datatype.Max), true),
		col("message_enqueue_time", of(datatype.DateTime), true),
	}
}

func (n *names) queue(o *catalog.Object, src *source) optimizer.Relation {
	n.c.use(o, "SELECT")
	return n.rows(src, queueColumns(n.c.db.Collation), optimizer.TempRows, nil, func(fr *query.Frame) iter.Seq[value.Row] {
		return slices.Values(query.Must(env(fr).QueueRows(o)))
	}, src.alias+": queue "+o.Name)
}

// valuesTable is (VALUES …) AS t (c, …).
func (n *names) valuesTable(x *ast.InlineDerivedTable, lateral *names) optimizer.Relation {
	scope := lateral.inner()
	rows := make([][]*expr, len(x.RowValues))
	for i, r := range x.RowValues {
		rows[i] = scope.scalars(r.ColumnValues)
		if len(rows[i]) != len(rows[0]) {
			panic(message.MS(10709))
		}
	}
	cols := identifiers(x.Columns)
	if len(cols) != len(rows[0]) {
		if len(cols) == 0 {
			panic(message.MS(8155, 1, aliasOf(x.Alias)))
		}
		if len(cols) < len(rows[0]) {
			panic(message.MS(8158, aliasOf(x.Alias)))
		}
		panic(message.MS(8159, aliasOf(x.Alias)))
	}
	at := n.c.Slot(len(cols))
	src := &source{alias: aliasOf(x.Alias)}
	op := &query.Values{Slot: at.Slot, Rows: make([][]query.Expr, len(rows))}
	for k := range cols {
		column := make([]*expr, len(rows))
		for i := range rows {
			column[i] = rows[i][k]
		}
		t, column := unifyAll(column, "VALUES")
		null := false
		for i := range rows {
			op.Rows[i] = append(op.Rows[i], column[i].Eval)
			null = null || column[i].Null
		}
		e := columnExpr(at, k, t, null, cols[k])
		e.coll = column[0].coll
		src.cols = append(src.cols, sourceColumn{name: cols[k], e: e})
	}
	n.sources = append(n.sources, src)
	return &optimizer.Source{Op: op, Sets: optimizer.SlotsOf(at.Slot), Deps: scope.free.Slots, Rows: float64(len(rows)), Access: []string{src.alias + ": constant scan"}}
}
