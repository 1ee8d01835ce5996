package plan

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/query"
	"github.com/dbsched/dbsched/sandbox/value"
)

// op computes the window's functions over what child gives; slots are those that child sets.
func (w *window) op(b *binder, child query.Op, slots []int) query.Op {
	op := &query.Window{Child: child, Slots: slots, Slot: w.at.slot}
	if len(w.part) > 0 {
		op.PartitionBy = groupKey(w.part)
	}
	if len(w.order) > 0 {
		op.OrderBy = sortKey(w.order)
	}
	for _, a := range w.calls {
		op.Funcs = append(op.Funcs, b.windowFunc(w, a))
	}
	return op
}

func (b *binder) windowFunc(w *window, a *analytic) query.WindowFunc {
	frame := a.call.Over.Frame
	ordered := func(args ...int) {
		if len(w.order) == 0 {
			fail(30485, "missing ORDER BY expression in the window specification")
		}
		if !slices.Contains(args, len(a.args)) {
			fail(909, "invalid number of arguments")
		}
	}
	noFrame := func() {
		if frame != nil {
			fail(30487, "ORDER BY not allowed here")
		}
	}
	if a.call.Distinct && len(w.order) > 0 {
		fail(30487, "ORDER BY not allowed here")
	}
	switch a.name {
	case "ROW_NUMBER", "RANK", "DENSE_RANK":
		noFrame()
		ordered(0)
		return ranking(a.name)
	case "NTILE":
		noFrame()
		ordered(1)
		return ntile(a.args[0])
	case "LAG", "LEAD":
		noFrame()
		ordered(1, 2, 3)
		return lag(a.name == "LAG", a.args)
	case "FIRST_VALUE", "LAST_VALUE":
		bounds := b.frameBounds(w, frame)
		f, last := a.args[0].Eval, a.name == "LAST_VALUE"
		return func(p *query.Partition, out []value.Value) {
			for i := range out {
				lo, hi := bounds(p, i)
				switch {
				case lo > hi:
					out[i] = value.Value{}
				case last:
					out[i] = p.Eval(hi, f)
				default:
					out[i] = p.Eval(lo, f)
				}
			}
		}
	}
	if !isAggregate(a.name) || a.name == "LISTAGG" {
		refuse("analytic function %s", a.name)
	}
	agg, _ := b.aggregateOf(a.name, a.call, a.args)
	return overAggregate(agg, b.frameBounds(w, frame))
}

func ranking(name string) query.WindowFunc {
	return func(p *query.Partition, out []value.Value) {
		rank, dense := int64(0), int64(0)
		for i := range out {
			if i == 0 || !p.Peers(i-1, i) {
				rank, dense = int64(i+1), dense+1
			}
			switch name {
			case "ROW_NUMBER":
				out[i] = value.NewInt(int64(i + 1))
			case "RANK":
				out[i] = value.NewInt(rank)
			default:
				out[i] = value.NewInt(dense)
			}
		}
	}
}

func ntile(count *Expr) query.WindowFunc {
	f := ConvertTo(count, datatype.Of(datatype.Number), false).Eval
	return func(p *query.Partition, out []value.Value) {
		tiles, rows := floor(p.Eval(0, f)), int64(len(out))
		if tiles == 0 {
			fail(30494, "The argument [0] of NTILE function must be a positive integer")
		}
		size, larger := rows/tiles, rows%tiles
		for i := range rows {
			tile := int64(0)
			if i < larger*(size+1) {
				tile = i / (size + 1)
			} else if size > 0 {
				tile = larger + (i-larger*(size+1))/size
			}
			out[i] = value.NewInt(tile + 1)
		}
	}
}

func lag(back bool, args []*Expr) query.WindowFunc {
	f := args[0].Eval
	number := datatype.Of(datatype.Number)
	offset, other := Constant(value.NewInt(1), number), Constant(value.Value{}, args[0].Type)
	if len(args) > 1 {
		offset = ConvertTo(args[1], number, false)
	}
	if len(args) > 2 {
		other = ConvertTo(args[2], args[0].Type, false)
	}
	return func(p *query.Partition, out []value.Value) {
		for i := range out {
			d := p.Eval(i, offset.Eval)
			n, whole := datatype.Whole(d)
			if d.IsNull() || !whole || n < 0 {
				fail(1428, "argument '%s' is out of range", d.GoString())
			}
			at := int64(i) + n
			if back {
				at = int64(i) - n
			}
			if at < 0 || at >= int64(len(out)) {
				out[i] = p.Eval(i, other.Eval)
			} else {
				out[i] = p.Eval(int(at), f)
			}
		}
	}
}

// frameFunc gives the first and last row of the frame of row i.
type frameFunc func(p *query.Partition, i int) (lo, hi int)

// frameBounds is the windowing clause; without one it is all rows, or with ORDER BY all up to the row's peers.
func (b *binder) frameBounds(w *window, frame *ast.Frame) frameFunc {
	if frame == nil {
		if len(w.order) == 0 {
			return func(p *query.Partition, _ int) (int, int) { return 0, p.Len() - 1 }
		}
		return func(p *query.Partition, i int) (int, int) { return 0, lastPeer(p, i) }
	}
	if len(w.order) == 0 {
		fail(30485, "missing ORDER BY expression in the window specification")
	}
	rows := frame.Unit == ast.Rows
	edge := func(d *ast.FrameBound, upper bool) func(p *query.Partition, i int) int {
		if d == nil {
			d = &ast.FrameBound{Kind: ast.CurrentRow}
		}
		switch d.Kind {
		case ast.UnboundedPreceding:
			return func(*query.Partition, int) int { return 0 }
		case ast.UnboundedFollowing:
			return func(p *query.Partition, _ int) int { return p.Len() - 1 }
		case ast.CurrentRow:
			switch {
			case rows:
				return func(_ *query.Partition, i int) int { return i }
			case upper:
				return lastPeer
			}
			return func(p *query.Partition, i int) int {
				for i > 0 && p.Peers(i-1, i) {
					i--
				}
				return i
			}
		}
		if !rows {
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
		return func(_ *query.Partition, i int) int { return i + int(n) }
	}
	lo, hi := edge(frame.Low, false), edge(frame.High, true)
	return func(p *query.Partition, i int) (int, int) { return max(0, lo(p, i)), min(p.Len()-1, hi(p, i)) }
}

func lastPeer(p *query.Partition, i int) int {
	for i+1 < p.Len() && p.Peers(i, i+1) {
		i++
	}
	return i
}

// overAggregate computes an aggregate over the frame of each row; frames that only grow are added to.
func overAggregate(agg query.Agg, bounds frameFunc) query.WindowFunc {
	return func(p *query.Partition, out []value.Value) {
		if agg.Distinct != nil {
			refuse("DISTINCT in an analytic function")
		}
		var acc query.Acc
		from, to := 0, -1
		for i := range out {
			lo, hi := bounds(p, i)
			if acc == nil || lo != from || hi < to {
				acc, from, to = agg.New(p.Frame()), lo, lo-1
			}
			for to < hi {
				to++
				if agg.Arg == nil {
					acc.Add(value.NewInt(1))
				} else {
					acc.Add(p.Eval(to, agg.Arg))
				}
			}
			out[i] = acc.Result()
		}
	}
}
