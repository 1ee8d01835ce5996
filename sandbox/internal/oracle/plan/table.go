package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// tableRel is a stored table that a statement reads.
type tableRel struct {
	at      slotRef
	object  *catalog.Object
	table   *catalog.Table
	rel     *optimizer.Table
	virtual map[string]int // canonical text of what virtual columns are computed from: their positions
}

// stored makes the relation of a stored table, and its source, which is not yet one of b's.
func (b *binder) stored(o *catalog.Object, alias string) (*tableRel, *source) {
	c, t := b.c, o.Def.(*catalog.Table)
	x := &tableRel{at: c.slot(len(t.Columns)), object: o, table: t, virtual: map[string]int{}}
	src := &source{alias: alias, cols: tableColumns(t, x.at)}
	if alias == "" {
		src.alias, src.schema = o.Name, o.Owner
	}
	x.rel = &optimizer.Table{
		Name: src.alias, Slot: x.at.slot, Base: x.at.base, Cols: x.at.width, Rows: optimizer.TableRows, Heap: true,
		NullKey: datatype.AppendKey(nil, value.Value{}, datatype.Type{}, false, false), NullsHigh: true, Open: x.open,
	}
	if t.Temporary {
		x.rel.Rows = optimizer.TempRows
	}
	for i, ix := range t.Indexes {
		if ix.Invisible {
			continue
		}
		n := optimizer.Index{ID: i, Name: ix.Name, Unique: ix.Unique, SkipsNulls: true}
		for _, k := range ix.Keys {
			col := &t.Columns[k.Column]
			n.Keys = append(n.Keys, optimizer.KeyColumn{Ord: k.Column, Name: col.Name, Desc: k.Desc, NotNull: !col.Nullable})
			n.Columns = append(n.Columns, k.Column)
		}
		x.rel.Indexes = append(x.rel.Indexes, n)
	}
	c.within(o.Owner, func() {
		for i := range t.Columns {
			if v := t.Columns[i].Virtual; v != nil {
				if e := c.binder().with(src).bind(v.Expr); e.key != "" {
					x.virtual[e.key] = i
				}
			}
		}
	})
	if c.tables == nil {
		c.tables = map[int]*tableRel{}
	}
	c.tables[x.at.slot] = x
	return x, src
}

// whole stands for the need of all columns: a row that is to be changed.
func (x *tableRel) whole() *Expr {
	e := &Expr{}
	for i := range x.table.Columns {
		e.cols = e.cols.With(x.at.column(i))
	}
	return e
}

// open is optimizer.Table.Open: tables are read as of the statement's snapshot.
func (x *tableRel) open(fr *query.Frame, index int) (*store.Txn, *store.Table, store.Access) {
	r := runOf(fr)
	data, indexes := r.env.Table(x.table)
	if !x.table.Temporary && x.table.Since > r.snapshot.Seq {
		fail(1466)
	}
	a := store.Access{Mode: store.Versioned, Snapshot: r.snapshot, Statement: r.statement}
	if index >= 0 {
		a.Index = indexes(x.table.Indexes[index])
	}
	return r.tx, data, a
}

// conds tells the optimizer what it needs to know of conditions.
func (c *compiler) conds(list []*Expr) []*optimizer.Cond {
	out := make([]*optimizer.Cond, len(list))
	for i, e := range list {
		out[i] = &optimizer.Cond{Eval: e.Eval, Refs: e.refs, Cols: e.cols, PerRow: e.perRow, Bounds: c.bounds(e), Of: e}
		if e.shape == compare && e.op == "=" {
			side := func(x *Expr) optimizer.Side { return optimizer.Side{Refs: x.refs, Key: imageOf(x, e.in)} }
			out[i].Equal = &optimizer.Equality{Left: side(e.args[0]), Right: side(e.args[1])}
		}
	}
	return out
}

// imageOf makes the images of an expression as those of a type.
func imageOf(e *Expr, t datatype.Type) optimizer.KeyFunc {
	return optimizer.Image(e.Eval, func(dst []byte, v value.Value) []byte { return datatype.AppendKey(dst, v, t, false, false) })
}

// boundOp returns how a comparison bounds its left side, and how its right side.
func boundOp(op ast.Op) (left, right optimizer.Op, ok bool) {
	switch op {
	case "=":
		return optimizer.Equal, optimizer.Equal, true
	case "<":
		return optimizer.Less, optimizer.Greater, true
	case "<=":
		return optimizer.LessEqual, optimizer.GreaterEqual, true
	case ">":
		return optimizer.Greater, optimizer.Less, true
	case ">=":
		return optimizer.GreaterEqual, optimizer.LessEqual, true
	}
	return 0, 0, false
}

// bounds finds the columns of tables that a condition can bound.
func (c *compiler) bounds(e *Expr) (out []optimizer.Bound) {
	if e.perRow {
		return nil
	}
	single := func(x *Expr, op optimizer.Op) {
		if t, ord := c.column(x); t != nil {
			out = append(out, optimizer.Bound{Slot: t.at.slot, Ord: ord, Op: op})
		}
	}
	switch e.shape {
	case compare:
		left, right, ok := boundOp(e.op)
		if ok {
			out = c.bound(out, e.args[0], left, e.args[1], e.in)
			out = c.bound(out, e.args[1], right, e.args[0], e.in)
		}
	case isNull:
		single(e.args[0], optimizer.IsNull)
	case not:
		if in := e.args[0]; in.shape == isNull {
			single(in.args[0], optimizer.NotNull)
		}
	case inList, or:
		parts := make([][]optimizer.Bound, len(e.args))
		for i, a := range e.args {
			parts[i] = c.bounds(a)
		}
		return optimizer.Either(parts...)
	case inQuery:
		t, ord := c.column(e.args[0])
		if t == nil || !seekable(t.table.Columns[ord].Type, e.in) {
			break
		}
		many, in := e.many, e.in
		out = append(out, optimizer.Bound{Slot: t.at.slot, Ord: ord, Op: optimizer.In, Refs: e.refs.Minus(e.args[0].refs), Keys: func(fr *query.Frame) (keys [][]byte) {
			for _, v := range many(fr).list {
				keys = append(keys, datatype.AppendKey(nil, v, in, false, false))
			}
			return keys
		}})
	}
	return out
}

// bound adds what "a op b" says about a, if that is a column.
func (c *compiler) bound(out []optimizer.Bound, a *Expr, op optimizer.Op, b *Expr, in datatype.Type) []optimizer.Bound {
	t, ord := c.column(a)
	if t == nil || b.refs.Has(t.at.slot) || b.perRow || !seekable(t.table.Columns[ord].Type, in) {
		return out
	}
	return append(out, optimizer.Bound{Slot: t.at.slot, Ord: ord, Op: op, Key: imageOf(b, in), Refs: b.refs})
}

// column returns the stored column that an expression is, also by what a virtual column is computed from; nil: it is
// something else.
func (c *compiler) column(e *Expr) (*tableRel, int) {
	if e.shape == column {
		return c.tables[e.slot], e.ord
	}
	if e.key == "" || e.shape == constant || e.shape == fixed {
		return nil, 0
	}
	for _, slot := range e.refs.List() {
		if t := c.tables[slot]; t != nil {
			if ord, ok := t.virtual[e.key]; ok {
				return t, ord
			}
		}
	}
	return nil, 0
}

// seekable reports whether values of the type in which a column is compared have the same keys as the column's own:
// else each row's value must be converted, and the index is of no use.
func seekable(col, in datatype.Type) bool {
	exact := func(t datatype.Type) bool { return t.IsNumeric() && !t.IsBinaryFloat() }
	varying := func(t datatype.Type) bool { return t.IsText() && !t.IsFixed() }
	return col.ID == in.ID || exact(col) && exact(in) || varying(col) && varying(in) || col.IsFixed() && in.IsFixed()
}

// orders is what the optimizer needs to know of ORDER BY. An index has NULLs after all values.
func (c *compiler) orders(list []orderKey) []optimizer.Order {
	out := make([]optimizer.Order, len(list))
	for i, o := range list {
		out[i] = optimizer.Order{Slot: -1, Desc: o.desc, Fixed: o.e.shape == constant || o.e.shape == fixed}
		if t, ord := c.column(o.e); t != nil && (o.nullsFirst == o.desc || !o.e.Nullable) {
			out[i].Slot, out[i].Ord = t.at.slot, ord
		}
	}
	return out
}
