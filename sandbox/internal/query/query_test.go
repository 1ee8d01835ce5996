package query_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// numbers is an operator with one row for each number, in slot 0.
func numbers(ns ...int64) query.Op {
	v := &query.Values{}
	for _, n := range ns {
		v.Rows = append(v.Rows, []query.Expr{fixed(value.NewInt(n))})
	}
	return v
}

func fixed(v value.Value) query.Expr { return func(*query.Frame) value.Value { return v } }

func number(fr *query.Frame) value.Value { return fr.Slots[0].Row[0] }

type sum struct{ n int64 }

func (s *sum) Add(v value.Value)   { s.n += v.N }
func (s *sum) Result() value.Value { return value.NewInt(s.n) }

func TestWindowFunctions(t *testing.T) {
	total := query.Agg{Arg: number, New: func(*query.Frame) query.Acc { return &sum{} }}
	toPeers := query.Between(query.FirstRow, query.LastPeer)
	at := func(k int) query.Edge { return func(_ *query.Partition, i int) int { return i + k } }
	around := query.Between(at(-1), at(1))
	for name, k := range map[string]struct {
		fn   query.WindowFunc
		want []int64 // of 1, 3, 3, 5, 7; -1: NULL
	}{
		"row number":      {query.RowNumber, []int64{1, 2, 3, 4, 5}},
		"rank":            {query.Rank, []int64{1, 2, 2, 4, 5}},
		"dense rank":      {query.DenseRank, []int64{1, 2, 2, 3, 4}},
		"running total":   {query.Over(total, toPeers), []int64{1, 7, 7, 12, 19}},
		"moving total":    {query.Over(total, around), []int64{4, 7, 11, 15, 12}},
		"of peers":        {query.Over(total, query.Between(query.FirstPeer, query.LastPeer)), []int64{1, 6, 6, 5, 7}},
		"to the end":      {query.Over(total, query.Between(at(0), query.LastRow)), []int64{19, 18, 15, 12, 7}},
		"count in frames": {query.Over(query.Agg{New: total.New}, around), []int64{2, 3, 3, 3, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			op := &query.Window{Child: numbers(5, 3, 1, 7, 3), Slots: []int{0}, Slot: 1, Funcs: []query.WindowFunc{k.fn}, OrderBy: func(fr *query.Frame, dst []byte) []byte {
				return append(dst, byte(number(fr).N))
			}}
			var got []int64
			fr := query.NewFrame(nil, 2, 0)
			query.Each(fr, op, func() bool {
				if v := fr.Slots[1].Row[0]; v.IsNull() {
					got = append(got, -1)
				} else {
					got = append(got, v.N)
				}
				return true
			})
			require.Equal(t, k.want, got)
		})
	}
}

func TestLogic(t *testing.T) {
	yes, no, unknown := fixed(value.NewBool(true)), fixed(value.NewBool(false)), fixed(value.Value{})
	never := func(*query.Frame) value.Value { panic("evaluated") }
	show := func(e query.Expr) string {
		v := e(query.NewFrame(nil, 1, 0))
		switch {
		case v.IsNull():
			return "unknown"
		case v.IsTrue():
			return "true"
		}
		return "false"
	}
	is := func(n int64) query.Expr {
		return func(fr *query.Frame) value.Value {
			if number(fr).N == 0 {
				return value.Value{}
			}
			return value.NewBool(number(fr).N == n)
		}
	}
	for _, k := range []struct {
		e    query.Expr
		want string
	}{
		{query.And([]query.Expr{yes, yes}), "true"},
		{query.And([]query.Expr{yes, unknown}), "unknown"},
		{query.And([]query.Expr{unknown, no, never}), "false"},
		{query.Or([]query.Expr{no, no}), "false"},
		{query.Or([]query.Expr{unknown, no}), "unknown"},
		{query.Or([]query.Expr{unknown, yes, never}), "true"},
		{query.Or([]query.Expr{no}), "false"},
		{query.Not(yes), "false"},
		{query.Not(unknown), "unknown"},
		{query.Exists(numbers(1)), "true"},
		{query.Exists(numbers()), "false"},
		{query.Some(numbers(1, 2), is(2)), "true"},
		{query.Some(numbers(1, 0, 3), is(2)), "unknown"},
		{query.Some(numbers(), is(2)), "false"},
		{query.Single(numbers(), yes, nil), "unknown"},
		{query.Single(numbers(1), yes, nil), "true"},
	} {
		require.Equal(t, k.want, show(k.e))
	}
	require.Nil(t, query.And(nil))
	many := sqlerr.New(512, "more than one")
	err := query.Catch(func() error { show(query.Single(numbers(1, 2), yes, func() { query.Raise(many) })); return nil })
	require.Same(t, many, err)
	n := int64(0)
	count := query.Once(0, func(*query.Frame) value.Value { n++; return value.NewInt(n) })
	fr := query.NewFrame(nil, 0, 1)
	require.Equal(t, []int64{1, 1}, []int64{count(fr).N, count(fr).N})
}

func TestCatch(t *testing.T) {
	lower := errors.New("lower layer")
	require.ErrorIs(t, query.Catch(func() error { query.Raise(lower); return nil }), lower)
	require.ErrorIs(t, query.Catch(func() error { return lower }), lower)
	require.NoError(t, query.Catch(func() error { query.Check(nil); return nil }))
	require.ErrorIs(t, query.Catch(func() error { query.Must(1, lower); return nil }), lower)
	require.PanicsWithValue(t, "bug", func() { _ = query.Catch(func() error { panic("bug") }) })
}

// TestEachRow: each stored row once, and no row that an outer join filled with NULLs.
func TestEachRow(t *testing.T) {
	ids := []int64{7, 8, 7, query.Missing}
	op := query.OpFunc(func(fr *query.Frame) query.Iter { return &idIter{fr, ids} })
	var got []int64
	query.EachRow(query.NewFrame(nil, 1, 0), op, 0, func(id int64) { got = append(got, id) })
	require.Equal(t, []int64{7, 8}, got)
}

type idIter struct {
	fr  *query.Frame
	ids []int64
}

func (i *idIter) Next() bool {
	if len(i.ids) == 0 {
		return false
	}
	i.fr.Slots[0].ID, i.ids = i.ids[0], i.ids[1:]
	return true
}

func (i *idIter) Close() {}
