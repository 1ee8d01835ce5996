package store

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// world is a store with a driver's session, and tasks that tests control.
type world struct {
	t    *testing.T
	k    *kernel.Kernel
	s    *Store
	heap bool // people has no clustered index
}

func newWorld(t *testing.T, o Options) *world {
	t.Helper()
	if o.DetectAfter == 0 {
		o.DetectAfter = 5 * time.Second
	}
	k := kernel.New(kernel.Options{Seed: 1})
	return &world{t: t, k: k, s: New(k, o)}
}

// intKey is the key of an integer column.
func intKey(columns ...int) func(value.Row) []byte {
	return func(r value.Row) []byte {
		var b []byte
		for _, c := range columns {
			b = append(b, k8(r[c].Int64())...)
		}
		return b
	}
}

func k8(ns ...int64) []byte {
	var b []byte
	for _, n := range ns {
		b = binary.BigEndian.AppendUint64(b, uint64(n)^1<<63)
	}
	return b
}

func ints(ns ...int64) value.Row {
	r := make(value.Row, len(ns))
	for i, n := range ns {
		r[i] = value.NewInt(n)
	}
	return r
}

// people is a table (id, group, payload): clustered on id, an index on group.
func (w *world) people(rows ...value.Row) (*Table, *Index, *Index) {
	w.t.Helper()
	tx := w.s.NewSession(nil).Begin()
	t := w.s.NewTable(TableSpec{Name: "people"})
	pk, err := t.AddIndex(tx, IndexSpec{Name: "pk", Unique: true, Clustered: !w.heap, Key: intKey(0)})
	require.NoError(w.t, err)
	ix, err := t.AddIndex(tx, IndexSpec{Name: "group", Key: intKey(1), Columns: []int{1}})
	require.NoError(w.t, err)
	for _, r := range rows {
		_, err := tx.Insert(t, r)
		require.NoError(w.t, err)
	}
	tx.Commit()
	return t, pk, ix
}

// read returns the first columns of all rows of a cursor.
func read(t require.TestingT, tx *Txn, tab *Table, a Access) []int64 {
	out, err := tryRead(tx, tab, a)
	require.NoError(t, err)
	return out
}

func tryRead(tx *Txn, tab *Table, a Access) ([]int64, error) {
	c := tx.Open(tab, a)
	defer c.Close()
	out := []int64{}
	for {
		_, row, ok, err := c.Next()
		if err != nil || !ok {
			return out, err
		}
		out = append(out, row[0].Int64())
	}
}

func TestReadAndWrite(t *testing.T) {
	w := newWorld(t, Options{})
	tab, pk, ix := w.people(ints(1, 10, 0), ints(2, 20, 0), ints(3, 10, 0), ints(4, 30, 0))
	x := w.s.NewSession(nil)
	tx := x.Begin()
	require.Equal(t, []int64{1, 2, 3, 4}, read(t, tx, tab, Access{}))
	require.Equal(t, []int64{4, 3, 2, 1}, read(t, tx, tab, Access{Desc: true}))
	require.Equal(t, []int64{1, 3}, read(t, tx, tab, Access{Index: ix, Lo: k8(10), Hi: k8(10)}))
	require.Equal(t, []int64{3, 1}, read(t, tx, tab, Access{Index: ix, Lo: k8(10), Hi: k8(10), Desc: true}))
	require.Equal(t, []int64{2, 4}, read(t, tx, tab, Access{Index: ix, Lo: k8(10), LoOpen: true}))
	require.Equal(t, []int64{1, 3}, read(t, tx, tab, Access{Index: ix, Hi: k8(20), HiOpen: true}))
	require.Equal(t, []int64{2}, read(t, tx, tab, Access{Index: pk, Lo: k8(2), Hi: k8(2)}))

	_, err := tx.Insert(tab, ints(2, 0, 0))
	var dup *UniqueViolation
	require.ErrorAs(t, err, &dup)
	require.Equal(t, "pk", dup.Index.Name())

	mark := tx.Mark()
	id, err := tx.Insert(tab, ints(5, 10, 0))
	require.NoError(t, err)
	require.Equal(t, []int64{1, 2, 3, 4}, read(t, tx, tab, Access{}), "a statement does not see its own rows")
	tx.NewStatement()
	require.Equal(t, []int64{1, 2, 3, 4, 5}, read(t, tx, tab, Access{}))
	require.NoError(t, tx.Update(tab, id, ints(0, 15, 0)))
	tx.NewStatement()
	require.Equal(t, []int64{0, 1, 2, 3, 4}, read(t, tx, tab, Access{}))
	require.Equal(t, []int64{1, 3, 0, 2, 4}, read(t, tx, tab, Access{Index: ix}))
	require.NoError(t, tx.Delete(tab, id))
	tx.NewStatement()
	require.Equal(t, []int64{1, 3, 2, 4}, read(t, tx, tab, Access{Index: ix}))
	tx.RollbackTo(mark)
	require.Equal(t, []int64{1, 2, 3, 4}, read(t, tx, tab, Access{}))
	require.Equal(t, 4, ix.Len())
	tx.Commit()
	require.Empty(t, w.s.locks)
	require.Equal(t, 4, tab.Rows())
}
