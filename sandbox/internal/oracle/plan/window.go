package plan

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// windowFunc is a function with OVER; args are without the * of COUNT(*).
func (b *binder) windowFunc(w *window, name string, call *ast.Call, args []*Expr) query.WindowFunc {
	frame := call.Over.Frame
	ordered := func(counts ...int) {
		if len(w.Order) == 0 {
			fail(30485)
		}
		if !slices.Contains(counts, len(args)) {
			fail(909)
		}
	}
	noFrame := func() {
		if frame != nil {
			fail(30487)
		}
	}
	if call.Distinct && len(w.Order) > 0 {
		fail(30487)
	}
	switch name {
	case "ROW_NUMBER", "RANK", "DENSE_RANK":
		noFrame()
		ordered(0)
		return ranking[name]
	case "NTILE":
		noFrame()
		ordered(1)
		return ntile(args[0])
	case "LAG", "LEAD":
		noFrame()
		ordered(1, 2, 3)
		return lag(name == "LAG", args)
	case "FIRST_VALUE", "LAST_VALUE":
		if name == "FIRST_VALUE" {
			return query.FirstValue(args[0].Eval, b.windowFrame(w, frame))
		}
		return query.LastValue(args[0].Eval, b.windowFrame(w, frame))
	}
	if !isAggregate(name) || name == "LISTAGG" {
		refuse("analytic function %s", name)
	}
	agg, _ := b.aggregateOf(name, call, args)
	if agg.Distinct != nil {
		refuse("DISTINCT in an analytic function")
	}
	return query.Over(agg, b.windowFrame(w, frame))
}

var ranking = map[string]query.WindowFunc{"ROW_NUMBER": query.RowNumber, "RANK": query.Rank, "DENSE_RANK": query.DenseRank}

func ntile(count *Expr) query.WindowFunc {
	f := ConvertTo(count, datatype.Of(datatype.Number), false).Eval
	return query.Tiles(func(p *query.Partition) int64 {
		tiles := floor(p.Eval(0, f))
		if tiles == 0 {
			fail(30494)
		}
		return tiles
	})
}

func lag(back bool, args []*Expr) query.WindowFunc {
	number := datatype.Of(datatype.Number)
	offset, other := Constant(value.NewInt(1), number), Constant(value.Value{}, args[0].Type)
	if len(args) > 1 {
		offset = ConvertTo(args[1], number, false)
	}
	if len(args) > 2 {
		other = ConvertTo(args[2], args[0].Type, false)
	}
	return query.Shifted(args[0].Eval, other.Eval, func(p *query.Partition, i int) int64 {
		d := p.Eval(i, offset.Eval)
		n, whole := datatype.Whole(d)
		if d.IsNull() || !whole || n < 0 {
			fail(1428, d.GoString())
		}
		if back {
			return -n
		}
		return n
	})
}

// windowFrame is the windowing clause; without one it is all rows, or with ORDER BY all up to the row's peers.
func (b *binder) windowFrame(w *window, frame *ast.Frame) query.WindowFrame {
	if frame == nil {
		if len(w.Order) == 0 {
			return query.Between(query.FirstRow, query.LastRow)
		}
		return query.Between(query.FirstRow, query.LastPeer)
	}
	if len(w.Order) == 0 {
		fail(30485)
	}
	edge := func(d *ast.FrameBound, peer query.Edge) query.Edge {
		if d == nil {
			d = &ast.FrameBound{Kind: ast.CurrentRow}
		}
		switch {
		case d.Kind == ast.UnboundedPreceding:
			return query.FirstRow
		case d.Kind == ast.UnboundedFollowing:
			return query.LastRow
		case d.Kind == ast.CurrentRow && frame.Unit == ast.Rows:
			return query.RowAt(0)
		case d.Kind == ast.CurrentRow:
			return peer
		case frame.Unit != ast.Rows:
			refuse("RANGE with a value in a windowing clause")
		}
		v, ok := b.expr(d.Value).ConstantValue()
		n, whole := datatype.Whole(v)
		if !ok || !whole || n < 0 {
			refuse("a windowing clause with a value that is no constant")
		}
		if d.Kind == ast.Preceding {
			n = -n
		}
		return query.RowAt(int(n))
	}
	return query.Between(edge(frame.Low, query.FirstPeer), edge(frame.High, query.LastPeer))
}
