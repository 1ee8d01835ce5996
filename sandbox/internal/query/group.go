package query

import "github.com/dbsched/dbsched/sandbox/internal/value"

// Acc gathers the values of an aggregate function for one group or window.
type Acc interface {
	Add(v value.Value)
	Result() value.Value
}

// Agg is an aggregate function of a query.
type Agg struct {
	Arg Expr // nil: COUNT(*), every row counts
	New func(fr *Frame) Acc
	// Distinct, if not nil, gives the key under which a value counts once.
	Distinct func(v value.Value, dst []byte) []byte
}

type distinctAcc struct {
	Acc
	key  func(v value.Value, dst []byte) []byte
	seen map[string]struct{}
	buf  []byte
}

func (d *distinctAcc) Add(v value.Value) {
	if v.IsNull() {
		d.Acc.Add(v)
		return
	}
	d.buf = d.key(v, d.buf[:0])
	if _, dup := d.seen[string(d.buf)]; dup {
		return
	}
	d.seen[string(d.buf)] = struct{}{}
	d.Acc.Add(v)
}

func (a *Agg) start(fr *Frame) Acc {
	if a.Distinct == nil {
		return a.New(fr)
	}
	return &distinctAcc{Acc: a.New(fr), key: a.Distinct, seen: map[string]struct{}{}}
}

func (a *Agg) add(fr *Frame, acc Acc) {
	if a.Arg == nil {
		acc.Add(value.NewInt(1))
		return
	}
	acc.Add(a.Arg(fr))
}

// Group gathers rows by key and produces one row for each group: the values of By, then the results
// of Aggs. Without By there is always exactly one group.
type Group struct {
	Child Op
	Slot  int
	By    []Expr
	Key   Key // of By
	Aggs  []Agg
}

// Open starts it.
func (g *Group) Open(fr *Frame) Iter { return &groupIter{fr: fr, op: g} }

type groupIter struct {
	fr   *Frame
	op   *Group
	rows []value.Row
	read bool
}

type bunch struct {
	by   value.Row
	accs []Acc
}

func (g *groupIter) gather() {
	var order []*bunch
	start := func() *bunch {
		b := &bunch{accs: make([]Acc, len(g.op.Aggs))}
		for i := range g.op.Aggs {
			b.accs[i] = g.op.Aggs[i].start(g.fr)
		}
		order = append(order, b)
		return b
	}
	groups := map[string]*bunch{}
	if len(g.op.By) == 0 {
		groups[""] = start()
	}
	var buf []byte
	Each(g.fr, g.op.Child, func() bool {
		if len(g.op.By) > 0 {
			buf = g.op.Key(g.fr, buf[:0])
		}
		b := groups[string(buf)]
		if b == nil {
			b = start()
			b.by = Eval(g.fr, g.op.By)
			groups[string(buf)] = b
		}
		for i := range g.op.Aggs {
			g.op.Aggs[i].add(g.fr, b.accs[i])
		}
		return true
	})
	for _, b := range order {
		row := append(make(value.Row, 0, len(b.by)+len(b.accs)), b.by...)
		for _, a := range b.accs {
			row = append(row, a.Result())
		}
		g.rows = append(g.rows, row)
	}
}

func (g *groupIter) Next() bool {
	if !g.read {
		g.gather()
		g.read = true
	}
	if len(g.rows) == 0 {
		return false
	}
	g.fr.Slots[g.op.Slot] = Tuple{Row: g.rows[0]}
	g.rows = g.rows[1:]
	return true
}

func (g *groupIter) Close() {}
