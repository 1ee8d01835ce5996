package plan

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// inserter makes a table's rows from the values of some of its columns.
type inserter struct {
	*target
	columns  []int        // columns that values are given for, in order
	values   []*Expr      // converted to the columns' types
	evals    []query.Expr // closures of values
	defaults []query.Expr // for every column without a given value, or with only NULL
	onNull   []int        // columns whose default also replaces a NULL that is given
}

// columnsOf reads the column list of INSERT; without one, all columns that * includes.
func (x *target) columnsOf(list []*ast.Ref) (out []int) {
	if len(list) == 0 {
		for i := range x.table.Columns {
			if !x.table.Columns[i].Hidden {
				out = append(out, i)
			}
		}
		return out
	}
	for _, ref := range list {
		ord := x.columnNamed(ref)
		if slices.Contains(out, ord) {
			fail(957)
		}
		out = append(out, ord)
	}
	return out
}

// columnNamed finds the column of the target that a name means: ORA-00904.
func (x *target) columnNamed(ref *ast.Ref) int {
	n := len(ref.Parts)
	ord := x.table.Column(ref.Parts[n-1].Text)
	if ord < 0 || n > 1 && !x.src.is(ref.Parts[:n-1]) {
		fail(904, nameOf(ref))
	}
	return ord
}

// inserter prepares rows with values for the columns.
func (x *target) inserter(columns []int) *inserter {
	ins := &inserter{target: x, columns: columns, defaults: make([]query.Expr, len(x.table.Columns))}
	for i := range x.table.Columns {
		col := &x.table.Columns[i]
		onNull := col.DefaultOnNull || col.Identity != nil && col.Identity.Kind == ast.GeneratedByDefaultOnNull
		given := slices.Contains(columns, i)
		if col.Virtual == nil && (!given || onNull) {
			ins.defaults[i] = x.defaultOf(i).Eval
		}
		if given && onNull {
			ins.onNull = append(ins.onNull, i)
		}
	}
	return ins
}

// give binds the value of a column: an expression or DEFAULT.
func (ins *inserter) give(b *binder, e ast.Expr, ord int) {
	if _, ok := e.(*ast.Default); ok {
		if ins.table.Columns[ord].Virtual != nil {
			ins.values = append(ins.values, Constant(value.Value{}, ins.table.Columns[ord].Type))
		} else {
			ins.values = append(ins.values, ins.defaultOf(ord))
		}
		return
	}
	ins.writable(ord)
	ins.values = append(ins.values, ins.toColumn(b.expr(e), ord))
}

// writable refuses a value for a column that only the engine computes.
func (ins *inserter) writable(ord int) {
	col := &ins.table.Columns[ord]
	switch {
	case col.Virtual != nil:
		fail(54013)
	case col.Identity != nil && col.Identity.Kind == ast.GeneratedAlways:
		fail(32795)
	}
}

func countValues(columns, values int) {
	switch {
	case values < columns:
		fail(947)
	case values > columns:
		fail(913)
	}
}

// insert makes a row of the given values and writes it.
func (ins *inserter) insert(fr *query.Frame, given value.Row) (store.RowID, value.Row) {
	row := make(value.Row, len(ins.table.Columns))
	for i, ord := range ins.columns {
		row[ord] = given[i]
	}
	for ord, d := range ins.defaults {
		if d != nil && (!slices.Contains(ins.onNull, ord) || row[ord].IsNull()) {
			row[ord] = d(fr)
		}
	}
	ins.finish(fr, 0, row, nil)
	query.Check(env(fr).ViewContext().Catalog.NeedSegment(ins.object))
	id, err := env(fr).Txn().Insert(ins.data(fr), row)
	ins.stored(err)
	return id, row
}

// insert compiles an INSERT.
func (b *binder) insert(out *Statement, st *ast.Insert) {
	out.Kind = Insert
	x := b.target(st.Table, "INSERT")
	out.into = x.table
	b.c.defs = append(b.c.defs, definition{x.object, x.table})
	ins := x.inserter(x.columnsOf(st.Columns))
	var op query.Op = query.One{}
	if st.Query != nil {
		var cols []*Expr
		sub := b.inner()
		sub.noSeq = false
		op, cols = sub.query(st.Query).plan()
		countValues(len(ins.columns), len(cols))
		for i, ord := range ins.columns {
			ins.writable(ord)
			ins.values = append(ins.values, ins.toColumn(cols[i], ord))
		}
	} else {
		countValues(len(ins.columns), len(st.Values))
		b.values = true
		for i, ord := range ins.columns {
			ins.give(b, st.Values[i], ord)
		}
		b.values = false
	}
	ins.evals = expression.Evals(ins.values)
	ins.bindReturning(out, b, st.Returning)
	out.change = func(fr *query.Frame, emit func(value.Row)) (n int64) {
		query.Each(fr, op, func() bool {
			id, row := ins.insert(fr, query.Eval(fr, ins.evals))
			ins.returned(fr, id, row, emit)
			n++
			return true
		})
		return n
	}
}
