package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// tableRel is a stored table that a statement reads.
type tableRel struct {
	at      expression.Slot
	object  *catalog.Object
	table   *catalog.Table
	rel     *optimizer.Table
	virtual map[string]int // canonical text of what virtual columns are computed from: their positions
}

// stored makes the relation of a stored table, and its source, which is not yet one of b's.
func (b *binder) stored(o *catalog.Object, alias string) (*tableRel, *source) {
	c, t := b.c, o.Def.(*catalog.Table)
	x := &tableRel{at: c.Slot(len(t.Columns)), object: o, table: t, virtual: map[string]int{}}
	src := &source{alias: alias, cols: tableColumns(t, x.at)}
	if alias == "" {
		src.alias, src.schema = o.Name, o.Owner
	}
	src.addRowid(o, x.at)
	x.rel = &optimizer.Table{
		Name: src.alias, Slot: x.at.Slot, Base: x.at.Base, Cols: x.at.Width, Rows: optimizer.TableRows, Heap: true,
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
			n.Keys = append(n.Keys, optimizer.KeyColumn{Ord: k, Name: t.Columns[k].Name, NotNull: !t.Columns[k].Nullable})
			n.Columns = append(n.Columns, k)
		}
		x.rel.Indexes = append(x.rel.Indexes, n)
	}
	c.within(o.Owner, func() {
		for i := range t.Columns {
			if v := t.Columns[i].Virtual; v != nil {
				if e := c.binder().with(src).bind(v.Expr); e.Key != "" {
					x.virtual[e.Key] = i
				}
			}
		}
	})
	if c.tables == nil {
		c.tables = map[int]*tableRel{}
	}
	c.tables[x.at.Slot] = x
	return x, src
}

// whole means that all columns are needed: of a row to be changed.
func (x *tableRel) whole() *Expr {
	e := new(Expr)
	for i := range x.table.Columns {
		e.Cols = e.Cols.With(x.at.Column(i))
	}
	return e
}

// open implements optimizer.Table.Open: tables are read as of the statement's snapshot.
func (x *tableRel) open(fr *query.Frame, index int, _ bool) (*store.Txn, *store.Table, store.Access) {
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

// access returns which columns conditions can bound.
func (c *compiler) access() *expression.Access[Expr, *Expr] {
	seeks := func(cond, col *Expr) bool {
		t, ord := c.column(col)
		return seekable(t.table.Columns[ord].Type, cond.in)
	}
	return &expression.Access[Expr, *Expr]{
		Column: func(e *Expr) (slot, ord int, ok bool) {
			t, ord := c.column(e)
			if t == nil {
				return 0, 0, false
			}
			return t.at.Slot, ord, true
		},
		Key: func(cond, col, x *Expr) optimizer.KeyFunc {
			if !seeks(cond, col) {
				return nil
			}
			return imageOf(x, cond.in)
		},
		Keys: func(cond, col *Expr) func(*query.Frame) [][]byte {
			if !seeks(cond, col) {
				return nil
			}
			return func(fr *query.Frame) (keys [][]byte) {
				for _, v := range cond.many(fr).list {
					keys = append(keys, datatype.AppendKey(nil, v, cond.in, false, false))
				}
				return keys
			}
		},
		Image: func(cond, side *Expr) optimizer.KeyFunc { return imageOf(side, cond.in) },
	}
}

func (c *compiler) conds(list []*Expr) []*optimizer.Cond { return c.access().Conds(list) }

// imageOf makes an expression's images in those of a type.
func imageOf(e *Expr, t datatype.Type) optimizer.KeyFunc {
	return optimizer.Image(e.Eval, func(dst []byte, v value.Value) []byte { return datatype.AppendKey(dst, v, t, false, false) })
}

// column returns the stored column that an expression refers to, including a virtual column's expression; nil:
// anything else.
func (c *compiler) column(e *Expr) (*tableRel, int) {
	if e.Shape == expression.Column {
		return c.tables[e.Slot], e.Ord
	}
	if e.Key == "" || e.Shape == expression.Constant || e.Shape == expression.Fixed {
		return nil, 0
	}
	for _, slot := range e.Refs.List() {
		if t := c.tables[slot]; t != nil {
			if ord, ok := t.virtual[e.Key]; ok {
				return t, ord
			}
		}
	}
	return nil, 0
}

// seekable reports whether values of the type in which a column is compared have the same keys as the column's own:
// otherwise each row's value must be converted, and the index cannot be used.
func seekable(col, in datatype.Type) bool {
	exact := func(t datatype.Type) bool { return t.IsNumeric() && !t.IsBinaryFloat() }
	varying := func(t datatype.Type) bool { return t.IsText() && !t.IsFixed() }
	return col.ID == in.ID || exact(col) && exact(in) || varying(col) && varying(in) || col.IsFixed() && in.IsFixed()
}
