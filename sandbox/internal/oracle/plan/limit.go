package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// limit is OFFSET and FETCH.
type limit struct {
	skip, count *Expr
	ties        bool
}

func (b *binder) limit(q *ast.Query) *limit {
	if q.Offset == nil && q.Fetch == nil {
		return nil
	}
	number := func(e ast.Expr) *Expr {
		n := ConvertTo(b.expr(e), datatype.Of(datatype.Number), false)
		if !n.Refs.Empty() || n.PerRow {
			refuse("OFFSET and FETCH with what changes from row to row")
		}
		return n
	}
	l := &limit{}
	if q.Offset != nil {
		l.skip = number(q.Offset)
	}
	if f := q.Fetch; f != nil {
		l.ties, l.count = f.WithTies, Constant(value.NewInt(1), datatype.Of(datatype.Number))
		if f.Count != nil {
			l.count = number(f.Count)
		}
	}
	return l
}

// goal returns how many rows will be requested, as far as is known; 0: all.
func (l *limit) goal() float64 {
	if l == nil || l.count == nil {
		return 0
	}
	rows := 100.0
	if v, ok := l.count.ConstantValue(); ok {
		rows = float64(floor(v))
	}
	if l.skip != nil {
		if v, ok := l.skip.ConstantValue(); ok {
			rows += float64(floor(v))
		}
	}
	return max(1, rows)
}

// floor is a row count: NULL and negative values mean none (SELECT, row_limiting_clause).
func floor(v value.Value) int64 {
	if v.IsNull() {
		return 0
	}
	n, _ := datatype.Whole(v)
	return max(0, n)
}

func (l *limit) op(child query.Op, order []orderBy) query.Op {
	out := &query.Top{Child: child}
	count := func(e *Expr) func(*query.Frame) int64 {
		if e == nil {
			return nil
		}
		f := e.Eval
		return func(fr *query.Frame) int64 { return floor(f(fr)) }
	}
	out.Skip, out.Count = count(l.skip), count(l.count)
	if l.ties && len(order) > 0 {
		out.Ties = rules.SortKey(order)
	}
	return out
}

// counter gives rows their ROWNUM as they pass, and stops when no more can pass (COUNT STOPKEY).
type counter struct {
	Child query.Op
	slot  int
	stops []stop
	pred  query.Expr // other conditions on ROWNUM, evaluated with the number that the row would get
}

// stop is rownum <= limit, or < limit if open.
type stop struct {
	limit *Expr
	open  bool
}

// counter makes the counter of the conditions on ROWNUM; nil: nothing reads ROWNUM.
func (s *selection) counter(conds []*Expr) *counter {
	if len(conds) == 0 && !s.numbers() {
		return nil
	}
	n := &counter{slot: s.rownum.Slot}
	var others []*Expr
	for _, e := range conds {
		if !n.stop(e, s.own) {
			others = append(others, e)
		}
	}
	n.pred = optimizer.All(s.b.c.conds(others))
	return n
}

// stop handles a condition that ends the counting.
func (n *counter) stop(e *Expr, own optimizer.Slots) bool {
	if e.Shape != expression.Compare || !e.in.IsNumeric() {
		return false
	}
	number, limit, op := e.Args[0], e.Args[1], e.Op
	if limit.Refs.Has(n.slot) {
		number, limit = limit, number
		op = op.Flip()
	}
	if number.Shape != expression.Column || number.Slot != n.slot || limit.Refs.Has(n.slot) || limit.Refs.Meets(own) || limit.PerRow {
		return false
	}
	one, _ := limit.ConstantValue()
	switch {
	case op == optimizer.LessEqual || op == optimizer.Less:
		n.stops = append(n.stops, stop{limit, op == optimizer.Less})
	case op == optimizer.Equal && limit.Shape == expression.Constant && one.Kind == value.Int && one.N == 1:
		n.stops = append(n.stops, stop{limit, false})
	default:
		return false
	}
	return true
}

// goal returns how many rows will be requested.
func (n *counter) goal() float64 {
	if len(n.stops) == 0 {
		return 0
	}
	if v, ok := n.stops[0].limit.ConstantValue(); ok {
		return max(1, float64(floor(v)))
	}
	return 100
}

// Open implements query.Op.
func (n *counter) Open(fr *query.Frame) query.Iter {
	it := &counterIter{fr: fr, op: n, limit: -1}
	for _, s := range n.stops {
		v := s.limit.Eval(fr)
		most := floor(v)
		if s.open && most > 0 && datatype.Compare(v, value.NewInt(most), datatype.Of(datatype.Number)) == 0 {
			most--
		}
		if it.limit < 0 || most < it.limit {
			it.limit = most
		}
	}
	return it
}

type counterIter struct {
	fr    *query.Frame
	op    *counter
	child query.Iter
	count int64
	limit int64 // -1: none
}

func (it *counterIter) Next() bool {
	if it.count == it.limit {
		return false
	}
	if it.child == nil {
		it.child = it.op.Child.Open(it.fr)
	}
	for it.child.Next() {
		it.fr.Slots[it.op.slot] = query.Tuple{Row: value.Row{value.NewInt(it.count + 1)}}
		if it.op.pred == nil || it.op.pred(it.fr).IsTrue() {
			it.count++
			return true
		}
	}
	return false
}

func (it *counterIter) Close() {
	if it.child != nil {
		it.child.Close()
	}
}
