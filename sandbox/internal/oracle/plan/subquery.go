package plan

import (
	"bytes"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// nested binds a subquery of an expression with a number of columns. One that reads nothing from the queries around it
// and has nothing volatile runs once.
func (b *binder) nested(q *ast.Query, columns int) (blk *block, sub *binder, once bool) {
	if b.c.rowOnly {
		fail(2251)
	}
	sub = b.inner()
	blk = sub.query(q)
	switch n := len(blk.cols); {
	case columns < 0: // any number
	case n > columns:
		fail(913)
	case n < columns:
		fail(947)
	}
	return blk, sub, sub.free.Slots.Empty() && !blk.perRow
}

// subquery binds a scalar subquery: NULL if it has no row, ORA-01427 if it has more than one.
func (b *binder) subquery(q *ast.Query) *Expr {
	blk, sub, once := b.nested(q, 1)
	op, out := blk.plan()
	e := &Expr{Type: out[0].Type, Expr: expression.Expr[Expr]{Null: true, Refs: sub.free.Slots, Cols: sub.free.Cols, PerRow: blk.perRow}}
	e.Eval = query.Single(op, out[0].Eval, func() { fail(1427) })
	if once {
		b.c.remember(e)
	}
	return e
}

// remember makes an expression that is constant for the whole run evaluate once, when first needed.
func (c *compiler) remember(e *Expr) {
	e.Shape, e.Eval = expression.Fixed, query.Once(c.Memo(), e.Eval)
}

func (b *binder) exists(q *ast.Query) *Expr {
	blk, sub, once := b.nested(q, -1)
	blk.one = true
	op, _ := blk.plan()
	e := rules.Condition(expression.Expr[Expr]{Refs: sub.free.Slots, Cols: sub.free.Cols, PerRow: blk.perRow, Eval: query.Exists(op)})
	if once {
		b.c.remember(e)
		return e
	}
	e.Shape = expression.Exists
	return e
}

// members is the result of an IN subquery.
type members struct {
	keys map[string]struct{} // of the rows without NULL
	list []value.Value       // of a single column: distinct, not NULL, in key order
	rows []value.Row         // those with a NULL, or all if they must be searched
}

// inSubquery is (left) IN (query): true if a row is equal, unknown if none is but one may be.
func (b *binder) inSubquery(left []*Expr, q *ast.Query) *Expr {
	blk, sub, once := b.nested(q, len(left))
	op, out := blk.plan()
	if !once {
		return b.inCorrelated(left, out, op, sub, blk.perRow)
	}
	types := make([]datatype.Type, len(left))
	if slices.ContainsFunc(left, func(e *Expr) bool { return b.c.linguistic(e.Type) }) {
		refuse("IN (subquery) of text with NLS_COMP = LINGUISTIC")
	}
	probe, build := make([]*Expr, len(left)), make([]query.Expr, len(left))
	for i := range left {
		test := b.comparison("=", left[i], out[i])
		types[i], probe[i], build[i] = test.in, test.Args[0], test.Args[1].Eval
	}
	memo := b.c.Memo()
	read := func(fr *query.Frame) *members {
		m, ok := fr.Memos[memo].(*members)
		if !ok {
			m = readMembers(fr, op, build, types)
			fr.Memos[memo] = m
		}
		return m
	}
	fs := expression.Evals(probe)
	e := derive(boolean, "in", probe, func(fr *query.Frame) value.Value {
		return read(fr).has(query.Eval(fr, fs), types)
	})
	e.Key, e.Shape, e.Null = "", expression.Opaque, true
	if len(left) == 1 {
		e.Shape, e.in = expression.InQuery, types[0]
		e.many = read
	}
	return e
}

func readMembers(fr *query.Frame, op query.Op, cols []query.Expr, types []datatype.Type) *members {
	m := &members{keys: map[string]struct{}{}}
	type entry struct {
		key []byte
		v   value.Value
	}
	var entries []entry
	query.Each(fr, op, func() bool {
		row := query.Eval(fr, cols)
		if slices.ContainsFunc(row, value.Value.IsNull) {
			m.rows = append(m.rows, row)
			return true
		}
		k := rowKey(row, types)
		if _, dup := m.keys[string(k)]; dup {
			return true
		}
		m.keys[string(k)] = struct{}{}
		if len(row) == 1 {
			entries = append(entries, entry{k, row[0]})
		} else {
			m.rows = append(m.rows, row)
		}
		return true
	})
	slices.SortFunc(entries, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	for _, e := range entries {
		m.list = append(m.list, e.v)
	}
	return m
}

func rowKey(row value.Row, types []datatype.Type) (k []byte) {
	for i, v := range row {
		k = datatype.AppendKey(k, v, types[i], false, false)
	}
	return k
}

func (m *members) has(row value.Row, types []datatype.Type) value.Value {
	if len(m.keys) == 0 && len(m.rows) == 0 {
		return expression.False
	}
	null := slices.ContainsFunc(row, value.Value.IsNull)
	if !null {
		if _, ok := m.keys[string(rowKey(row, types))]; ok {
			return expression.True
		}
	} else if len(row) == 1 {
		return value.Value{}
	}
	for _, r := range m.rows { // could one of them be equal?
		maybe := true
		for i := range r {
			if !r[i].IsNull() && !row[i].IsNull() && datatype.Compare(r[i], row[i], types[i]) != 0 {
				maybe = false
			}
		}
		if maybe && (null || slices.ContainsFunc(r, value.Value.IsNull)) {
			return value.Value{}
		}
	}
	return expression.False
}

func (b *binder) inCorrelated(left, out []*Expr, op query.Op, sub *binder, perRow bool) *Expr {
	first := make([]*Expr, len(left))
	for i, x := range left {
		first[i] = x
		if x.PerRow {
			refuse("a volatile function before IN (correlated subquery)")
		}
	}
	test := b.rowsEqual(first, out).Eval
	e := rules.Condition(expression.Expr[Expr]{Null: true, Refs: sub.free.Slots, Cols: sub.free.Cols, PerRow: perRow, Eval: query.Some(op, test)})
	for _, x := range left {
		e.Refs, e.Cols = e.Refs.Union(x.Refs), e.Cols.Union(x.Cols)
	}
	return e
}
