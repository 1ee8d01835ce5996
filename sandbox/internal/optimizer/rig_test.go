package optimizer_test

import (
	"encoding/binary"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// dialect is a tiny dialect: columns are integers or NULL, keys have 9 bytes, or one for NULL.
type dialect struct {
	*testing.T
	tx        *store.Txn
	nullsHigh bool
	tables    []*table
}

type table struct {
	*optimizer.Table
	data  *store.Table
	rows  []value.Row
	index []*store.Index
}

// null represents NULL among the integers of a test.
const null = -1 << 40

func newDialect(t *testing.T) *dialect {
	t.Helper()
	s := store.New(kernel.New(kernel.Options{Seed: 1}), store.Options{})
	return &dialect{T: t, tx: s.NewSession(nil).Begin()}
}

func (d *dialect) nullKey() []byte {
	if d.nullsHigh {
		return []byte{2}
	}
	return []byte{0}
}

func (d *dialect) key(dst []byte, v value.Value) []byte {
	if v.IsNull() {
		return append(dst, d.nullKey()...)
	}
	return binary.BigEndian.AppendUint64(append(dst, 1), uint64(v.N)^1<<63)
}

func of(n int) value.Value {
	if n == null {
		return value.Value{}
	}
	return value.NewInt(int64(n))
}

// table makes a table of columns c0, c1, … with rows; indexes are given by name and refer to columns by
// number, -n-1 for descending.
func (d *dialect) table(name string, cols int, rows [][]int, indexes ...optimizer.Index) *table {
	t := &table{data: d.tx.Store().NewTable(store.TableSpec{Name: name})}
	t.Table = &optimizer.Table{
		Name: name, Slot: len(d.tables), Base: 10 * len(d.tables), Cols: cols, Rows: optimizer.TableRows, Heap: true,
		Indexes: indexes, NullKey: d.nullKey(), NullsHigh: d.nullsHigh,
		Open: func(_ *query.Frame, index int, _ bool) (*store.Txn, *store.Table, store.Access) {
			a := store.Access{}
			if index >= 0 {
				a.Index = t.index[index]
			}
			return d.tx, t.data, a
		},
	}
	for i := range indexes {
		ix := &indexes[i]
		ix.ID = i
		spec := store.IndexSpec{Name: ix.Name, Unique: ix.Unique, Key: func(r value.Row) (key []byte) {
			for _, k := range ix.Keys {
				from := len(key)
				key = d.key(key, r[k.Ord])
				for n := from; k.Desc && n < len(key); n++ {
					key[n] = ^key[n]
				}
			}
			return key
		}}
		if ix.SkipsNulls {
			spec.Filter = func(r value.Row) bool {
				return slices.ContainsFunc(ix.Keys, func(k optimizer.KeyColumn) bool { return !r[k.Ord].IsNull() })
			}
		}
		stored, err := t.data.AddIndex(d.tx, spec)
		require.NoError(d, err)
		t.index = append(t.index, stored)
	}
	for _, r := range rows {
		row := make(value.Row, cols)
		for i, n := range r {
			row[i] = of(n)
		}
		_, err := d.tx.Insert(t.data, row)
		require.NoError(d, err)
		t.rows = append(t.rows, row)
	}
	d.tables = append(d.tables, t)
	return t
}

// on is an index that has its key columns only; by is a unique one that has all columns.
func on(keys ...int) optimizer.Index {
	ix := optimizer.Index{Name: "ix"}
	for _, k := range keys {
		desc := k < 0
		if desc {
			k = -k - 1
		}
		ix.Name += strconv.Itoa(k)
		ix.Keys = append(ix.Keys, optimizer.KeyColumn{Ord: k, Name: "c" + strconv.Itoa(k), Desc: desc})
		ix.Columns = append(ix.Columns, k)
	}
	return ix
}

func by(keys ...int) optimizer.Index {
	ix := on(keys...)
	ix.Columns, ix.Unique, ix.Name = nil, true, "pk"
	return ix
}

// operand is a column or a number.
type operand struct {
	t   *table
	ord int
}

func (t *table) c(ord int) operand { return operand{t, ord} }

func lit(n int) operand { return operand{ord: n} }

func (o operand) eval(fr *query.Frame) value.Value {
	if o.t == nil {
		return of(o.ord)
	}
	return fr.Slots[o.t.Slot].Row[o.ord]
}

func (o operand) slots() (refs, cols optimizer.Slots) {
	if o.t == nil {
		return nil, nil
	}
	return optimizer.SlotsOf(o.t.Slot), optimizer.SlotsOf(o.t.Base + o.ord)
}

func (d *dialect) keyOf(o operand) optimizer.KeyFunc {
	return func(fr *query.Frame, dst []byte) ([]byte, bool) {
		v := o.eval(fr)
		if v.IsNull() {
			return dst, false
		}
		return d.key(dst, v), true
	}
}

var flipped = map[optimizer.Op]optimizer.Op{
	optimizer.Equal: optimizer.Equal, optimizer.Less: optimizer.Greater, optimizer.LessEqual: optimizer.GreaterEqual,
	optimizer.Greater: optimizer.Less, optimizer.GreaterEqual: optimizer.LessEqual,
}

// is is a op b.
func (d *dialect) is(a operand, op optimizer.Op, b operand) *optimizer.Cond {
	c := &optimizer.Cond{}
	ra, ca := a.slots()
	rb, cb := b.slots()
	c.Refs, c.Cols = ra.Union(rb), ca.Union(cb)
	for _, x := range []struct {
		l, r operand
		op   optimizer.Op
	}{{a, b, op}, {b, a, flipped[op]}} {
		if x.l.t != nil && x.l.t != x.r.t {
			refs, _ := x.r.slots()
			c.Bounds = append(c.Bounds, optimizer.Bound{Slot: x.l.t.Slot, Ord: x.l.ord, Op: x.op, Key: d.keyOf(x.r), Refs: refs})
		}
	}
	if op == optimizer.Equal {
		c.Equal = &optimizer.Equality{Left: optimizer.Side{Refs: ra, Key: d.keyOf(a)}, Right: optimizer.Side{Refs: rb, Key: d.keyOf(b)}}
	}
	c.Eval = func(fr *query.Frame) value.Value {
		x, y := a.eval(fr), b.eval(fr)
		if x.IsNull() || y.IsNull() {
			return value.Value{}
		}
		switch op {
		case optimizer.Less:
			return value.NewBool(x.N < y.N)
		case optimizer.LessEqual:
			return value.NewBool(x.N <= y.N)
		case optimizer.Greater:
			return value.NewBool(x.N > y.N)
		case optimizer.GreaterEqual:
			return value.NewBool(x.N >= y.N)
		}
		return value.NewBool(x.N == y.N)
	}
	return c
}

// has is a IS NULL or, with NotNull, IS NOT NULL.
func (d *dialect) has(a operand, op optimizer.Op) *optimizer.Cond {
	refs, cols := a.slots()
	return &optimizer.Cond{
		Refs: refs, Cols: cols, Bounds: []optimizer.Bound{{Slot: a.t.Slot, Ord: a.ord, Op: op}},
		Eval: func(fr *query.Frame) value.Value {
			return value.NewBool(a.eval(fr).IsNull() == (op == optimizer.IsNull))
		},
	}
}

// either is a disjunction.
func (d *dialect) either(list ...*optimizer.Cond) *optimizer.Cond {
	out := &optimizer.Cond{}
	var bounds [][]optimizer.Bound
	for _, c := range list {
		out.Refs, out.Cols, bounds = out.Refs.Union(c.Refs), out.Cols.Union(c.Cols), append(bounds, c.Bounds)
	}
	out.Bounds = optimizer.Either(bounds...)
	out.Eval = func(fr *query.Frame) value.Value {
		return value.NewBool(slices.ContainsFunc(list, func(c *optimizer.Cond) bool { return c.Eval(fr).IsTrue() }))
	}
	return out
}

// block is one that needs columns of all tables in FROM.
func (d *dialect) block(r optimizer.Relation, need ...operand) *optimizer.Block {
	b := &optimizer.Block{
		Own: r.Slots(), NoPath: func() { panic("no path") },
		Width: func(slot int) int { return d.tables[slot].Cols },
	}
	for _, o := range need {
		_, cols := o.slots()
		b.Need = b.Need.Union(cols)
	}
	return b
}

// run returns the rows of a plan as the numbers of operands.
func (d *dialect) run(p optimizer.Plan, show ...operand) (out [][]int) {
	d.Helper()
	d.tx.NewStatement() // sees what earlier statements wrote
	fr := query.NewFrame(nil, len(d.tables)+1, 0)
	require.NoError(d, query.Catch(func() error {
		query.Each(fr, p.Op, func() bool {
			row := make([]int, len(show))
			for i, o := range show {
				if v := o.eval(fr); v.IsNull() {
					row[i] = null
				} else {
					row[i] = int(v.N)
				}
			}
			out = append(out, row)
			return true
		})
		return nil
	}))
	return out
}
