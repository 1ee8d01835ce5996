package plan

import (
	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// inserter builds rows of a table from the values of some of its columns.
type inserter struct {
	*target
	columns  []int   // columns for which values are given
	defaults []*expr // for each column: nil if it gets NULL, a given value or an identity
	explicit bool    // a value is given for the identity column
}

// insertColumns reads a column list; without one it is all columns that can be given a value.
func (n *names) insertColumns(x *target, list []*ast.ColumnReferenceExpression) (out []int) {
	t := x.table
	if len(list) == 0 {
		for i := range t.Columns {
			if i != t.Identity {
				out = append(out, i)
			}
		}
		return out
	}
	seen := map[int]bool{}
	for _, ref := range list {
		if ref.ColumnType != "" && ref.ColumnType != "Regular" {
			panic(sqlerr.NotSupported("column reference %s", ref.ColumnType))
		}
		parts := idents(ref.MultiPartIdentifier)
		name := parts[len(parts)-1]
		i := t.Column(n.c.db.Collation, name)
		switch {
		case i < 0:
			panic(message.MS(207, name))
		case seen[i]:
			panic(message.MS(264, name))
		}
		seen[i] = true
		out = append(out, i)
	}
	return out
}

func (n *names) inserter(x *target, columns []int) *inserter {
	ins := &inserter{target: x, columns: columns, defaults: make([]*expr, len(x.table.Columns))}
	given := map[int]bool{}
	for _, c := range columns {
		given[c] = true
	}
	ins.explicit = x.table.Identity >= 0 && given[x.table.Identity]
	for i := range x.table.Columns {
		if !given[i] {
			ins.defaults[i] = n.defaultOf(x, i)
		}
	}
	return ins
}

// defaultOf is the expression of a column's default; nil: there is none.
func (n *names) defaultOf(x *target, i int) *expr {
	col := &x.table.Columns[i]
	if col.Default == nil {
		return nil
	}
	sc := n.sc
	if x.object != nil {
		sc = sc.Within(x.object)
	}
	base := &names{c: n.c, sc: sc}
	return x.toColumn(base.scalar(col.Default.Expr), i)
}

// build builds a row from the given values, with defaults, identity and computed columns, and checks it.
func (ins *inserter) build(fr *query.Frame, vals value.Row) value.Row {
	row := make(value.Row, len(ins.table.Columns))
	for i, c := range ins.columns {
		row[c] = vals[i]
	}
	for i, d := range ins.defaults {
		if d != nil {
			row[i] = d.Eval(fr)
		}
	}
	e := env(fr)
	if id := ins.table.Identity; id >= 0 {
		def := ins.definition(fr)
		if ins.explicit {
			e.SawIdentity(def, row[id])
			if ins.variable < 0 {
				e.SetScopeIdentity(row[id])
			}
		} else {
			row[id] = query.Must(e.NextIdentity(def))
			if ins.variable < 0 {
				e.SetScopeIdentity(row[id])
			}
		}
	}
	ins.checkRow(fr, row, nil)
	return row
}

func (ins *inserter) insert(fr *query.Frame, row value.Row) error {
	_, err := env(fr).Txn().Insert(ins.data(fr), row)
	return ins.duplicate(err)
}

// checkIdentity refuses explicit identity values, or their absence: 544, 545, 8101.
func (ins *inserter) checkIdentity(fr *query.Frame, listed bool) {
	if ins.table.Identity < 0 {
		return
	}
	on := ins.object != nil && env(fr).IdentityInsert(ins.object)
	name := ins.name()
	if ins.object != nil {
		name = ins.object.Name
	}
	switch {
	case ins.explicit && !on:
		panic(message.MS(544, name))
	case !ins.explicit && on:
		panic(message.MS(545, name))
	}
	_ = listed
}

// CompileInsert compiles INSERT … VALUES, SELECT, DEFAULT VALUES and EXEC.
func CompileInsert(sc Scope, st *ast.InsertStatement) (*Statement, error) {
	return compileDML(sc, st.OptimizerHints, st.WithCtesAndXmlNamespaces, func(n *names, out *Statement) { n.insert(out, st.InsertSpecification) })
}

func (n *names) insert(out *Statement, spec *ast.InsertSpecification) {
	c, whole, hints := n.c, false, tableHints{}
	if spec.TopRowFilter != nil {
		panic(sqlerr.NotSupported("INSERT TOP"))
	}
	if ref, ok := spec.Target.(*ast.NamedTableReference); ok {
		h := hintsOf(ref.TableHints)
		h.dml()
		if h.has(readpast) {
			panic(sqlerr.NotSupported("INSERT with READPAST"))
		}
		if h.has(serializable) || h.index != nil || h.forceSeek {
			panic(sqlerr.NotSupported("INSERT with HOLDLOCK, INDEX or FORCESEEK"))
		}
		whole, hints = h.has(tablock|tablockx), h
		if cte := n.findCTE(ref.SchemaObject.BaseIdentifier.Value); cte != nil && ref.SchemaObject.SchemaIdentifier == nil {
			panic(sqlerr.NotSupported("INSERT into a common table expression"))
		}
	}
	o, t, variable := n.tableOf(spec.Target)
	x := c.target(n.sc, o, t, variable, "INSERT")
	hints.given |= readCommittedLock // an insert reads nothing
	if o != nil {
		c.use(o, "INSERT")
	}
	listed := len(spec.Columns) > 0
	columns := n.insertColumns(x, spec.Columns)
	src, isValues := spec.InsertSource.(*ast.ValuesInsertSource)
	if isValues && src.IsDefaultValues {
		if listed {
			panic(message.MS(156, "DEFAULT"))
		}
		columns = nil
	}
	if isValues && !listed && !src.IsDefaultValues && x.table.Identity >= 0 && len(src.RowValues) > 0 && len(src.RowValues[0].ColumnValues) == len(columns)+1 {
		panic(message.MS(8101, x.name()))
	}
	ins := n.inserter(x, columns)
	if isValues && !src.IsDefaultValues {
		// DEFAULT in a row of values: the column's default.
		for i := range ins.columns {
			for _, rv := range src.RowValues {
				if i < len(rv.ColumnValues) {
					if _, ok := rv.ColumnValues[i].(*ast.DefaultLiteral); ok && ins.columns[i] == x.table.Identity {
						panic(message.MS(339))
					}
				}
			}
		}
	}
	read := n.insertSource(out, spec.InsertSource, ins, listed)
	outer := n.with()
	o2 := outer.output(x, spec.OutputClause, spec.OutputIntoClause, false, true)
	out.Columns = o2.columns
	out.run = func(fr *query.Frame, sink func(value.Row) error) (int64, error) {
		ins.checkIdentity(fr, listed)
		hints.leave(fr, o, nil, true, false)
		var n int64
		var pending []value.Row
		rows := read(fr)
		if whole { // TABLOCK
			if err := env(fr).Txn().LockTable(x.data(fr), store.X); err != nil {
				return 0, err
			}
		}
		for _, vals := range rows {
			row := ins.build(fr, vals)
			if err := ins.insert(fr, row); err != nil {
				return 0, err
			}
			pending = append(pending, row)
			n++
		}
		for _, row := range pending {
			fr.Slots[x.at.Slot] = query.Tuple{Row: row}
			if err := o2.row(fr, sink); err != nil {
				return 0, err
			}
		}
		return n, nil
	}
}

// insertSource compiles where the values come from: a function that reads all of them before any row is
// inserted.
func (n *names) insertSource(out *Statement, source ast.InsertSource, ins *inserter, listed bool) func(fr *query.Frame) []value.Row {
	x := ins.target
	count := func(got int, fewer, more string, fewerNo, moreNo int32) {
		switch {
		case got == len(ins.columns):
		case !listed:
			panic(message.MS(213))
		case got < len(ins.columns):
			panic(sqlerr.New(fewerNo, "%s", fewer))
		default:
			panic(sqlerr.New(moreNo, "%s", more))
		}
	}
	switch s := source.(type) {
	case *ast.ValuesInsertSource:
		if s.IsDefaultValues {
			return func(*query.Frame) []value.Row { return []value.Row{nil} }
		}
		rows := make([][]*expr, len(s.RowValues))
		for i, r := range s.RowValues {
			if len(r.ColumnValues) != len(s.RowValues[0].ColumnValues) {
				panic(message.MS(10709))
			}
			count(len(r.ColumnValues),
				"There are more columns in the INSERT statement than values specified in the VALUES clause. The number of values in the VALUES clause must match the number of columns specified in the INSERT statement.",
				"There are fewer columns in the INSERT statement than values specified in the VALUES clause. The number of values in the VALUES clause must match the number of columns specified in the INSERT statement.", 109, 110)
			for _, v := range r.ColumnValues {
				if _, ok := v.(*ast.DefaultLiteral); ok {
					rows[i] = append(rows[i], nil)
					continue
				}
				rows[i] = append(rows[i], n.scalar(v))
			}
		}
		for k := range ins.columns {
			column := make([]*expr, 0, len(rows))
			for i := range rows {
				if rows[i][k] != nil {
					column = append(column, rows[i][k])
				}
			}
			if len(rows) > 1 && len(column) > 0 { // several rows are one table: a column has one type
				_, column = unifyAll(column, "VALUES")
			}
			for i := range rows {
				if rows[i][k] == nil {
					if rows[i][k] = n.defaultOf(x, ins.columns[k]); rows[i][k] == nil {
						rows[i][k] = constExpr(value.Value{}, x.table.Columns[ins.columns[k]].Type)
					}
					continue
				}
				rows[i][k], column = x.toColumn(column[0], ins.columns[k]), column[1:]
			}
		}
		fns := make([][]query.Expr, len(rows))
		for i, r := range rows {
			fns[i] = expression.Evals(r)
		}
		return func(fr *query.Frame) []value.Row {
			out := make([]value.Row, len(fns))
			for i, r := range fns {
				out[i] = query.Eval(fr, r)
			}
			return out
		}
	case *ast.SelectInsertSource:
		sub := &names{c: n.c, sc: n.sc, ctes: n.ctes}
		b := sub.query(s.Select, queryContext{top: true})
		count(len(b.cols),
			"The select list for the INSERT statement contains fewer items than the insert list. The number of SELECT values must match the number of INSERT columns.",
			"The select list for the INSERT statement contains more items than the insert list. The number of SELECT values must match the number of INSERT columns.", 120, 121)
		op, exprs := b.plan(nil)
		for i, e := range exprs {
			exprs[i] = x.toColumn(e, ins.columns[i])
		}
		fns := expression.Evals(exprs)
		return func(fr *query.Frame) (rows []value.Row) {
			query.Each(fr, limited(op, env(fr)), func() bool {
				rows = append(rows, query.Eval(fr, fns))
				return true
			})
			return rows
		}
	case *ast.ExecuteInsertSource:
		out.NeedsRows, out.rows = true, n.c.Memo()
		memo := out.rows
		return func(fr *query.Frame) []value.Row {
			given, _ := fr.Memos[memo].([]value.Row)
			rows := make([]value.Row, len(given))
			for i, r := range given {
				if len(r) != len(ins.columns) {
					panic(message.MS(213).At(16, 7))
				}
				rows[i] = make(value.Row, len(r))
				for k, v := range r {
					col := &x.table.Columns[ins.columns[k]]
					rows[i][k] = query.Must(datatype.Assign(v, typeOfValue(v), col.Type, col.Name, x.fullName()))
				}
			}
			return rows
		}
	}
	panic(sqlerr.NotSupported("INSERT source %T", source))
}

// typesOfValues are types that values may have, for rows that come without types.
var typesOfValues = map[value.Kind]datatype.Type{
	value.Int: datatype.Of(datatype.BigInt), value.Bool: datatype.Of(datatype.BigInt), value.Float: datatype.Of(datatype.Float),
	value.String: datatype.Sized(datatype.NVarChar, datatype.Max), value.Bytes: datatype.Sized(datatype.VarBinary, datatype.Max),
	value.GUID: datatype.Of(datatype.UniqueIdentifier), value.Time: datatype.Of(datatype.DateTime2), value.Span: datatype.Of(datatype.Time),
	value.Null: {Coll: datatype.NoColl},
}

// typeOfValue is a type that a value may have.
func typeOfValue(v value.Value) datatype.Type {
	switch {
	case v.Kind == value.Decimal:
		return datatype.DecimalOf(38, v.Scale)
	case v.Kind == value.Time && v.Aux != 0:
		return datatype.Of(datatype.DateTimeOffset)
	}
	return typesOfValues[v.Kind]
}
