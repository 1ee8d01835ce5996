package store

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func TestRowMapAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, span := range []int64{10, 600, 5000} {
		m, want := &rowMap{}, map[RowID]*version{}
		for range 4000 {
			id := RowID(1 + r.Int64N(span))
			if r.IntN(2) == 0 {
				m.Delete(id)
				delete(want, id)
			} else {
				v := &version{}
				m.Set(id, v)
				want[id] = v
			}
			require.Equal(t, len(want), m.Len())
			id = RowID(r.Int64N(span + 600))
			v, ok := m.Get(id)
			require.Equal(t, want[id] != nil, ok)
			require.Same(t, want[id], v)
		}
		ids := slices.Sorted(maps.Keys(want))
		var got []RowID
		m.Scan(func(id RowID, _ *version) bool { got = append(got, id); return true })
		require.Equal(t, ids, got)
		for range 200 {
			id := RowID(r.Int64N(span + 600))
			i, found := slices.BinarySearch(ids, id)
			up, v, ok := m.Up(id)
			require.Equal(t, i < len(ids), ok)
			if ok {
				require.Equal(t, ids[i], up)
				require.Same(t, want[up], v)
			}
			if !found {
				i--
			}
			down, _, ok := m.Down(id)
			require.Equal(t, i >= 0, ok)
			if ok {
				require.Equal(t, ids[i], down)
			}
		}
		for _, id := range ids {
			m.Delete(id)
		}
		_, _, ok := m.Up(0)
		require.False(t, ok || m.Len() > 0)
		m.Set(3, &version{})
		id, _, ok := m.Down(RowID(span))
		require.True(t, ok)
		require.EqualValues(t, 3, id)
	}
}

func TestEntriesSortByKeyThenRow(t *testing.T) {
	keys := []string{"", "\x00", "\x00\x00", "a", "a\x00", "a\x00\x00\x00\x00\x00\x00\x00", "a\x00\x00\x00\x00\x00\x00\x00\x00", "ab", "abcdefgh", "abcdefgha", "abcdefghb", "b", "\xff"}
	for i, a := range keys {
		for j, b := range keys {
			require.Equal(t, i < j, entryLess(newEntry(a, 5), newEntry(b, 5)), "%q %q", a, b)
		}
		require.True(t, entryLess(newEntry(a, 1), newEntry(a, 2)))
	}
}

func TestSuccessor(t *testing.T) {
	for prefix, want := range map[string]string{"a": "b", "a\xff": "b", "a\xff\xff": "b", "\x00": "\x01", "ab": "ac"} {
		got, ok := successor(prefix)
		require.True(t, ok)
		require.Equal(t, want, got)
	}
	for _, prefix := range []string{"", "\xff", "\xff\xff"} {
		_, ok := successor(prefix)
		require.False(t, ok)
	}
}

func TestBoundsOfPrefixes(t *testing.T) {
	w := newWorld(t, Options{})
	x := w.s.NewSession(nil)
	tx := x.Begin()
	tab := w.s.NewTable(TableSpec{Name: "t"})
	ix, err := tab.AddIndex(tx, IndexSpec{Name: "k", Key: func(r value.Row) []byte { return []byte(r[1].Str()) }})
	require.NoError(t, err)
	for i, key := range []string{"\xff\xff", "\xffa", "b2", "b1", "b", "a"} {
		_, err := tx.Insert(tab, value.Row{value.NewInt(int64(i)), value.NewString(key)})
		require.NoError(t, err)
	}
	tx.NewStatement()
	for _, c := range []struct {
		lo, hi         string
		loOpen, hiOpen bool
		want           []int64
	}{
		{"b", "b", false, false, []int64{4, 3, 2}},
		{"b", "b", true, false, nil},
		{"b", "", true, false, []int64{1, 0}},
		{"", "b", false, true, []int64{5}},
		{"", "b", false, false, []int64{5, 4, 3, 2}},
		{"\xff", "\xff", false, false, []int64{1, 0}},
		{"\xff", "", true, false, nil},
		{"b1", "\xff", true, true, []int64{2}},
	} {
		a := Access{Index: ix, LoOpen: c.loOpen, HiOpen: c.hiOpen}
		if c.lo != "" {
			a.Lo = []byte(c.lo)
		}
		if c.hi != "" {
			a.Hi = []byte(c.hi)
		}
		require.ElementsMatch(t, c.want, read(t, tx, tab, a), "%q %q", c.lo, c.hi)
		up := read(t, tx, tab, a)
		a.Desc = true
		down := read(t, tx, tab, a)
		slices.Reverse(down)
		require.Equal(t, up, down, "%q %q", c.lo, c.hi)
	}
	tx.Commit()
}

func TestNamesInMessages(t *testing.T) {
	tab := &Table{spec: TableSpec{Name: "t"}}
	for want, err := range map[string]error{
		"store: lock request timed out: RangeS-U on KEY: 5:7 (6162,3)":            &LockTimeout{Resource{Class: Key, DB: 5, Object: 7, Key: "ab", Row: 3}, RangeSU},
		"store: lock request timed out: X on KEY: 5:7 (infinity)":                 &LockTimeout{Resource{Class: Key, DB: 5, Object: 7, Row: infinity}, X},
		"store: deadlock of 1 sessions; victim waited for Sch-M on OBJECT: 5:7:0": &Deadlock{[]*Session{nil}, Resource{Class: Object, DB: 5, Object: 7}, SchM},
		"store: lock request timed out: S on APPLICATION: 5:0:[x]":                &LockTimeout{Resource{Class: Application, DB: 5, Key: "x"}, S},
		"store: lock request timed out: ? on CLASS_99: 0:0:0":                     &LockTimeout{Resource{Class: 99}, 99},
		"store: row 3 of t was changed after the transaction's snapshot":          &UpdateConflict{tab, 3},
		"store: duplicate key in index k of t":                                    &UniqueViolation{Table: tab, Index: &Index{name: "k"}},
	} {
		require.EqualError(t, err, want)
	}
}

func TestSameValues(t *testing.T) {
	require.True(t, same(value.NewString("a"+string([]byte("b"))), value.NewString("ab")))
	require.False(t, same(value.NewString("ab"), value.NewString("ac")))
	require.False(t, same(value.NewInt(1), value.NewDecimal(1, 0)))
	require.True(t, same(value.Value{}, value.Value{}))
	require.False(t, same(value.NewRef(1), value.NewRef(1)), "it may fail to notice")
}
