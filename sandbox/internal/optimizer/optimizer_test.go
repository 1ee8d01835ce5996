package optimizer_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

const (
	eq = optimizer.Equal
	lt = optimizer.Less
	le = optimizer.LessEqual
	gt = optimizer.Greater
	ge = optimizer.GreaterEqual
)

func asc(o operand) optimizer.Order  { return optimizer.Order{Slot: o.t.Slot, Ord: o.ord} }
func desc(o operand) optimizer.Order { return optimizer.Order{Slot: o.t.Slot, Ord: o.ord, Desc: true} }

func TestPath(t *testing.T) {
	d := newDialect(t)
	rows := [][]int{{1, 1, 5, 0}, {2, 1, 6, 0}, {3, 2, 5, 0}, {4, 2, null, 0}, {5, null, null, 0}}
	x := d.table("t", 4, rows, by(0), on(1, -3), on(2))
	id, a, b, c := x.c(0), x.c(1), x.c(2), x.c(3)
	no := func() *optimizer.Cond { return d.is(c, eq, lit(0)) } // a condition that no index has a column for
	for _, k := range []struct {
		name   string
		where  []*optimizer.Cond
		order  []optimizer.Order
		need   operand
		goal   float64
		access string
		ids    []int
	}{
		{"all", nil, nil, c, 0, "t: scan heap", []int{1, 2, 3, 4, 5}},
		{"unique", []*optimizer.Cond{d.is(id, eq, lit(3))}, []optimizer.Order{asc(c)}, c, 0, "t: seek pk (c0=) ordered", []int{3}},
		{"reversed", []*optimizer.Cond{d.is(lit(3), lt, id)}, nil, c, 0, "t: seek pk (c0>)", []int{4, 5}},
		{"range", []*optimizer.Cond{d.is(id, gt, lit(1)), d.is(id, le, lit(3))}, nil, c, 0, "t: seek pk (c0>, c0<=)", []int{2, 3}},
		{"two lower bounds", []*optimizer.Cond{d.is(id, gt, lit(1)), d.is(id, ge, lit(3))}, nil, c, 0, "t: seek pk (c0>)", []int{3, 4, 5}},
		{"no value", []*optimizer.Cond{d.is(id, eq, lit(null))}, nil, c, 0, "t: seek pk (c0=)", nil},
		{"no bound", []*optimizer.Cond{d.is(id, lt, lit(null))}, nil, c, 0, "t: seek pk (c0<)", nil},
		{"NULL is below no number", []*optimizer.Cond{d.is(a, eq, lit(2)), d.is(b, lt, lit(9))}, nil, b, 0, "t: seek ix12 (c1=, c2<)", []int{3}},
		{"IS NULL", []*optimizer.Cond{d.has(a, optimizer.IsNull)}, nil, b, 0, "t: seek ix12 (c1=)", []int{5}},
		{"IS NOT NULL", []*optimizer.Cond{d.has(b, optimizer.NotNull)}, nil, b, 0, "t: seek ix2 (c2>)", []int{1, 3, 2}},
		{"IN", []*optimizer.Cond{d.either(d.is(a, eq, lit(2)), d.has(a, optimizer.IsNull), d.is(a, eq, lit(2)))}, nil, b, 0, "t: seek ix12 (c1 in)", []int{5, 3, 4}},
		{"OR of two columns", []*optimizer.Cond{d.either(d.is(a, eq, lit(2)), d.is(b, eq, lit(6)))}, nil, b, 0, "t: scan heap", []int{2, 3, 4}},
		{"not covered", []*optimizer.Cond{d.is(a, eq, lit(1))}, nil, c, 0, "t: seek ix12 (c1=) lookup", []int{2, 1}},
		{"residual", []*optimizer.Cond{d.is(a, eq, lit(1)), no()}, nil, b, 0, "t: seek ix12 (c1=) lookup", []int{2, 1}},
		{"order", nil, []optimizer.Order{asc(a), desc(b)}, b, 0, "t: scan ix12 ordered", []int{5, 2, 1, 3, 4}},
		{"backward", nil, []optimizer.Order{desc(a), asc(b)}, b, 0, "t: scan ix12 ordered backward", []int{4, 3, 1, 2, 5}},
		{"no such order", nil, []optimizer.Order{asc(a), asc(b)}, b, 0, "t: scan heap", []int{1, 2, 3, 4, 5}},
		{"order after a fixed column", []*optimizer.Cond{d.is(a, eq, lit(1))}, []optimizer.Order{asc(a), asc(b), {Fixed: true}}, b, 0, "t: seek ix12 (c1=) ordered backward", []int{1, 2}},
		{"several ranges have no order", []*optimizer.Cond{d.either(d.is(a, eq, lit(2)), d.is(a, eq, lit(1)))}, []optimizer.Order{asc(a)}, b, 0, "t: seek ix12 (c1 in)", []int{2, 1, 3, 4}},
		{"the first rows of an order", nil, []optimizer.Order{asc(b)}, c, 1, "t: scan ix2 ordered lookup", []int{4, 5, 1, 3, 2}},
	} {
		t.Run(k.name, func(t *testing.T) {
			block := d.block(x, k.need)
			block.Goal = k.goal
			p := block.Plan(x.Table, k.where, k.order)
			require.Equal(t, []string{k.access}, p.Access)
			var ids []int
			for _, r := range d.run(p, id) {
				ids = append(ids, r[0])
			}
			require.Equal(t, k.ids, ids)
		})
	}
}

// TestNullsHigh tests Oracle's order: NULL comes last, and rows without any key have no entry.
func TestNullsHigh(t *testing.T) {
	d := newDialect(t)
	d.nullsHigh = true
	ix, two := on(1), on(1, 2)
	ix.SkipsNulls, two.SkipsNulls = true, true
	x := d.table("t", 3, [][]int{{1, 7, 0}, {2, null, 1}, {3, null, null}, {4, 3, 0}}, ix, two)
	id, a, b := x.c(0), x.c(1), x.c(2)
	for _, k := range []struct {
		name   string
		where  []*optimizer.Cond
		order  []optimizer.Order
		access string
		ids    [][]int
	}{
		{"rows without entry may qualify", nil, []optimizer.Order{asc(a)}, "t: scan heap", [][]int{{1}, {2}, {3}, {4}}},
		{"IS NULL of all", []*optimizer.Cond{d.has(a, optimizer.IsNull)}, nil, "t: scan heap", [][]int{{2}, {3}}},
		{"IS NULL of one", []*optimizer.Cond{d.has(a, optimizer.IsNull), d.is(b, gt, lit(0))}, nil, "t: seek ix12 (c1=, c2>)", [][]int{{2}}},
		{"greater is not NULL", []*optimizer.Cond{d.is(a, gt, lit(3))}, nil, "t: seek ix1 (c1>)", [][]int{{1}}},
		{"less", []*optimizer.Cond{d.is(a, lt, lit(9))}, nil, "t: seek ix1 (c1<)", [][]int{{4}, {1}}},
		{"the greatest", []*optimizer.Cond{d.has(a, optimizer.NotNull)}, []optimizer.Order{desc(a)}, "t: seek ix1 (c1>) ordered backward", [][]int{{1}, {4}}},
		{"OR with NULL", []*optimizer.Cond{d.either(d.is(a, eq, lit(3)), d.has(a, optimizer.IsNull))}, nil, "t: scan heap", [][]int{{2}, {3}, {4}}},
	} {
		t.Run(k.name, func(t *testing.T) {
			p := d.block(x).Plan(x.Table, k.where, k.order)
			require.Equal(t, []string{k.access}, p.Access)
			require.Equal(t, k.ids, d.run(p, id))
		})
	}
	x.Indexes[0].Keys[0].NotNull = true
	require.Equal(t, []string{"t: scan ix1 ordered"}, d.block(x).Plan(x.Table, nil, []optimizer.Order{asc(a)}).Access)
}

func TestHintsAndFilters(t *testing.T) {
	d := newDialect(t)
	part := on(1)
	x := d.table("t", 2, [][]int{{1, 1}, {2, 2}}, by(0), part)
	where := []*optimizer.Cond{d.is(x.c(0), eq, lit(1)), d.is(x.c(1), gt, lit(0))}
	plan := func() string { return d.block(x, x.c(0)).Plan(x.Table, where, nil).Access[0] }
	require.Equal(t, "t: seek pk (c0=)", plan())
	var paths []int
	seek := false
	x.Hints = func() ([]int, bool) { return paths, seek }
	paths = []int{1}
	require.Equal(t, "t: seek ix1 (c1>) lookup", plan())
	x.Indexes[1].Implied = func(conds []*optimizer.Cond) ([]*optimizer.Cond, bool) { return conds[1:2], true }
	require.Equal(t, "t: seek ix1 (c1>) lookup", plan())
	x.Indexes[1].Implied = func([]*optimizer.Cond) ([]*optimizer.Cond, bool) { return nil, false }
	require.PanicsWithValue(t, "no path", func() { plan() })
	paths = []int{-1}
	require.Equal(t, "t: scan heap", plan())
	seek = true
	require.PanicsWithValue(t, "no path", func() { plan() })
}

func TestJoin(t *testing.T) {
	d := newDialect(t)
	x := d.table("x", 2, [][]int{{1, 10}, {2, 20}, {3, null}}, by(0))
	y := d.table("y", 2, [][]int{{10, 1}, {30, 2}, {10, 3}}, on(0))
	both := &optimizer.Join{Kind: query.Inner, Left: x.Table, Right: y.Table, On: []*optimizer.Cond{d.is(x.c(1), eq, y.c(0))}}
	show := []operand{x.c(0), y.c(1)}
	for _, k := range []struct {
		name   string
		rel    optimizer.Relation
		where  []*optimizer.Cond
		change func(b *optimizer.Block)
		access []string
		rows   [][]int
	}{
		{"seek by what is found", both, []*optimizer.Cond{d.is(x.c(0), eq, lit(1))}, nil, []string{"x: seek pk (c0=)", "y: seek ix0 (c0=) lookup"}, [][]int{{1, 1}, {1, 3}}},
		{"begins with the cheaper one", &optimizer.Join{Kind: query.Inner, Left: y.Table, Right: x.Table, On: both.On}, []*optimizer.Cond{d.is(x.c(0), eq, lit(1))}, nil, []string{"x: seek pk (c0=)", "y: seek ix0 (c0=) lookup"}, [][]int{{1, 1}, {1, 3}}},
		{"in order", &optimizer.Join{Kind: query.Inner, Left: y.Table, Right: x.Table, On: both.On, InOrder: true}, []*optimizer.Cond{d.is(x.c(0), eq, lit(1))}, nil, []string{"y: scan heap", "x: seek pk (c0=)"}, [][]int{{1, 1}, {1, 3}}},
		{"hash", both, nil, nil, []string{"x: scan heap", "y: scan heap"}, [][]int{{1, 1}, {1, 3}}},
		{"loops by hint", both, nil, func(b *optimizer.Block) { b.Loops, b.InOrder = true, true }, []string{"x: scan heap", "y: seek ix0 (c0=) lookup"}, [][]int{{1, 1}, {1, 3}}},
		{"left", &optimizer.Join{Kind: query.Left, Left: x.Table, Right: y.Table, On: both.On}, []*optimizer.Cond{d.is(x.c(0), gt, lit(0))}, nil, []string{"x: seek pk (c0>)", "y: scan heap"}, [][]int{{1, 1}, {1, 3}, {2, null}, {3, null}}},
		{"full", &optimizer.Join{Kind: query.Full, Left: x.Table, Right: y.Table, On: both.On}, nil, nil, []string{"x: scan heap", "y: scan heap"}, [][]int{{1, 1}, {1, 3}, {2, null}, {3, null}, {null, 2}}},
		{"merged and nothing", &optimizer.Filtered{Of: both, Where: []*optimizer.Cond{d.is(y.c(1), eq, lit(3))}}, nil, nil, []string{"x: scan heap", "y: scan heap"}, [][]int{{1, 3}}},
		{"hash by a condition of WHERE", &optimizer.Join{Kind: query.Inner, Left: x.Table, Right: y.Table}, []*optimizer.Cond{d.is(x.c(0), eq, y.c(1))}, nil, []string{"x: scan heap", "y: scan heap"}, [][]int{{1, 1}, {2, 2}, {3, 3}}},
	} {
		t.Run(k.name, func(t *testing.T) {
			b := d.block(k.rel, show...)
			if k.change != nil {
				k.change(b)
			}
			p := b.Plan(k.rel, k.where, nil)
			require.Equal(t, k.access, p.Access)
			require.Equal(t, k.rows, d.run(p, show...))
		})
	}
}

// TestLateral: a source that depends on a relation is joined after it, whatever it costs.
func TestLateral(t *testing.T) {
	d := newDialect(t)
	x := d.table("x", 1, [][]int{{1}, {2}})
	slot := len(d.tables)
	twice := query.Expr(func(fr *query.Frame) value.Value { return of(2 * int(x.c(0).eval(fr).N)) })
	src := &optimizer.Source{
		Op: &query.Values{Slot: slot, Rows: [][]query.Expr{{twice}}}, Sets: optimizer.SlotsOf(slot), Deps: x.Slots(), Rows: 1, Access: []string{"twice"},
	}
	rel := &optimizer.Join{Kind: query.Inner, Left: src, Right: x.Table}
	p := d.block(rel).Plan(rel, nil, nil)
	require.Equal(t, []string{"x: scan heap", "twice"}, p.Access)
	require.Equal(t, [][]int{{2}, {4}}, d.run(p, operand{&table{Table: &optimizer.Table{Slot: slot}}, 0}))
	require.Equal(t, 0, optimizer.Witness(&optimizer.Filtered{Of: &optimizer.Join{Left: x.Table, Right: src}}))
}

// TestStartup: conditions that read nothing of the block are checked before anything is read.
func TestStartup(t *testing.T) {
	d := newDialect(t)
	x := d.table("x", 1, [][]int{{1}})
	x.Open = nil // calling it would panic
	p := d.block(x).Plan(x.Table, []*optimizer.Cond{d.is(lit(1), eq, lit(2))}, nil)
	require.Empty(t, d.run(p))
	require.Equal(t, [][]int{{}}, d.run(d.block(optimizer.Nothing{}).Plan(optimizer.Nothing{}, []*optimizer.Cond{d.is(lit(1), eq, lit(1))}, nil)))
}

// TestAgainstModel plans random queries and compares their rows with those of a scan of everything.
func TestAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() int {
		if n := r.IntN(6); n < 5 {
			return n
		}
		return null
	}
	seeks := 0
	for round := range 400 {
		d := newDialect(t)
		d.nullsHigh = r.IntN(2) == 0
		make1 := func(name string) *table {
			var rows [][]int
			for range r.IntN(12) {
				rows = append(rows, []int{number(), number(), number()})
			}
			var indexes []optimizer.Index
			for range 1 + r.IntN(3) {
				keys := r.Perm(3)[:1+r.IntN(3)]
				for i := range keys {
					if r.IntN(3) == 0 {
						keys[i] = -keys[i] - 1
					}
				}
				ix := on(keys...)
				ix.SkipsNulls = d.nullsHigh
				indexes = append(indexes, ix)
			}
			return d.table(name, 3, rows, indexes...)
		}
		x, y := make1("x"), make1("y")
		side := func() *table { return []*table{x, y}[r.IntN(2)] }
		var cond func(depth int) *optimizer.Cond
		cond = func(depth int) *optimizer.Cond {
			a := side().c(r.IntN(3))
			switch r.IntN(6 - 2*depth) {
			case 0:
				return d.has(a, optimizer.IsNull)
			case 1:
				return d.is(a, eq, lit(number()))
			case 2:
				return d.has(a, optimizer.NotNull)
			case 3:
				return d.either(cond(1), cond(1), cond(1))
			case 4:
				return d.is(a, optimizer.Op(r.IntN(5)), side().c(r.IntN(3)))
			}
			return d.is(a, optimizer.Op(r.IntN(5)), lit(number()))
		}
		var all []*optimizer.Cond
		for range r.IntN(5) {
			all = append(all, cond(0))
		}
		n := r.IntN(len(all) + 1)
		j := &optimizer.Join{Kind: query.Inner, Left: x.Table, Right: y.Table, On: slices.Clone(all[:n])}
		b := d.block(j)
		b.Loops = r.IntN(2) == 0
		order := []optimizer.Order{{Slot: r.IntN(2), Ord: r.IntN(3), Desc: r.IntN(2) == 0}}
		p := b.Plan(j, all[n:], order)
		show := []operand{x.c(0), x.c(1), x.c(2), y.c(0), y.c(1), y.c(2)}
		var want [][]int
		fr := query.NewFrame(nil, 2, 0)
		for _, fr.Slots[0].Row = range x.rows {
			for _, fr.Slots[1].Row = range y.rows {
				if !slices.ContainsFunc(all, func(c *optimizer.Cond) bool { return !c.Eval(fr).IsTrue() }) {
					var row []int
					for _, o := range show {
						if v := o.eval(fr); v.IsNull() {
							row = append(row, null)
						} else {
							row = append(row, int(v.N))
						}
					}
					want = append(want, row)
				}
			}
		}
		got := d.run(p, show...)
		if p.Ordered {
			at := 3*order[0].Slot + order[0].Ord
			rank := func(row []int) int {
				v := row[at]
				if v == null && d.nullsHigh {
					v = -null
				}
				if order[0].Desc {
					v = -v
				}
				return v
			}
			require.True(t, slices.IsSortedFunc(got, func(a, b []int) int { return rank(a) - rank(b) }), "%d: %v %v", round, p.Access, got)
		}
		slices.SortFunc(got, slices.Compare)
		slices.SortFunc(want, slices.Compare)
		require.Equal(t, want, got, "%d: %v", round, p.Access)
		for _, line := range p.Access {
			if len(line) > 7 && line[3:7] == "seek" {
				seeks++
			}
		}
	}
	require.Greater(t, seeks, 200)
}
