package plan

import (
	"github.com/dbsched/dbsched/sandbox/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/query"
	"github.com/dbsched/dbsched/sandbox/value"
)

// relation is a FROM clause that has been bound: what rows it has, not how they are found.
type relation interface {
	slots() slotSet
}

// tableRel is a table, temporary table or table variable.
type tableRel struct {
	at       slotRef
	name     string // for explanations: the alias
	object   *catalog.Object
	table    *catalog.Table
	variable int // slot of a table variable; -1: a table
	hints    tableHints
	intent   intent
	needAll  bool // the whole row is needed: it is about to be written
	scope    Scope
	c        *compiler
}

// intent is what a statement does with the rows that it finds.
type intent uint8

const (
	toRead   intent = iota
	toUpdate        // U locks, kept on rows that qualify until they become X locks
)

func (t *tableRel) slots() slotSet { return slotOf(t.at.slot) }

// opRel is anything that is already an operator: VALUES, OPENJSON, a grouped derived table.
type opRel struct {
	at     slotRef
	op     query.Op
	deps   slotSet // slots that must be set when it is opened
	rows   float64 // how many it is likely to have
	access []string
	// through maps the columns of a derived table to what they were inside it (updates go through).
	through map[int]*expr
	carried slotSet // slots of base tables that are handed on with each row
}

func (o *opRel) slots() slotSet { return o.carried.with(o.at.slot) }

// joinRel is a join.
type joinRel struct {
	kind  query.JoinKind
	l, r  relation
	on    []*expr
	inOrd bool // a join hint: keep the order as written
}

func (j *joinRel) slots() slotSet { return j.l.slots().union(j.r.slots()) }

// filterRel is a derived table that was merged: its FROM and WHERE.
type filterRel struct {
	r     relation
	where []*expr
}

func (f *filterRel) slots() slotSet { return f.r.slots() }

// nothingRel is a missing FROM clause: one row.
type nothingRel struct{}

func (nothingRel) slots() slotSet { return nil }

// orderKey is an element of ORDER BY.
type orderKey struct {
	e    *expr
	desc bool
}

// planned is how a relation is read.
type planned struct {
	op      query.Op
	rest    []*expr // conditions that are still to be applied
	ordered bool    // in the order that was asked for
	cost    float64 // of reading it once, in rows touched
	rows    float64 // likely result
	access  []string
	slots   slotSet
	bound   bool // depends on rows of other relations of the query block (a nested-loops join drives it)
}

// planner plans one query block.
type planner struct {
	c    *compiler
	own  slotSet // slots of all relations of the block; others are given
	need slotSet // columns that are used after the block's relations have been joined
	goal float64 // rows that will be asked for (TOP); 0: all
	keep bool    // FORCE ORDER
}

// ready reports whether a condition can be applied once the slots in have are set.
func (p *planner) ready(e *expr, have slotSet) bool {
	for i := range min(len(e.refs), len(p.own)) {
		w := e.refs[i] & p.own[i]
		if i < len(have) {
			w &^= have[i]
		}
		if w != 0 {
			return false
		}
	}
	return true
}

func (p *planner) split(list []*expr, have slotSet) (now, later []*expr) {
	for _, e := range list {
		if p.ready(e, have) {
			now = append(now, e)
		} else {
			later = append(later, e)
		}
	}
	return now, later
}

// filtered puts the conditions that are ready on top of what was planned.
func (p *planner) filtered(pl planned, have slotSet) planned {
	now, later := p.split(pl.rest, have)
	if cond := allOf(now); cond != nil {
		pl.op = &query.Filter{Child: pl.op, Pred: cond.eval}
	}
	pl.rest = later
	return pl
}

// relation plans a relation. Conditions that cannot be used come back as rest. bound are slots of the
// block that will be set when the operator is opened.
func (p *planner) relation(r relation, where []*expr, bound slotSet, order []orderKey) planned {
	switch x := r.(type) {
	case nothingRel:
		return p.filtered(planned{op: query.One{}, rest: where, ordered: true, cost: 0, rows: 1}, bound)
	case *tableRel:
		return p.table(x, where, bound, order)
	case *opRel:
		pl := planned{op: x.op, rest: where, cost: x.rows, rows: x.rows, access: x.access, slots: x.slots(), bound: x.deps.meets(p.own)}
		return p.filtered(pl, bound.union(x.slots()))
	case *filterRel:
		return p.relation(x.r, append(append([]*expr{}, where...), x.where...), bound, order)
	case *joinRel:
		if x.kind == query.Inner {
			var items []relation
			keep := p.keep
			pool := p.flatten(x, &items, append([]*expr{}, where...), &keep)
			return p.inner(items, pool, bound, order, keep)
		}
		return p.outer(x, where, bound, order)
	}
	panic("plan: unknown relation")
}

// flatten turns nested inner joins into a list of relations and a pool of conditions.
func (p *planner) flatten(r relation, items *[]relation, pool []*expr, keep *bool) []*expr {
	switch x := r.(type) {
	case *joinRel:
		if x.kind != query.Inner {
			break
		}
		*keep = *keep || x.inOrd
		pool = p.flatten(x.l, items, pool, keep)
		pool = p.flatten(x.r, items, pool, keep)
		return append(pool, x.on...)
	case *filterRel:
		pool = p.flatten(x.r, items, pool, keep)
		return append(pool, x.where...)
	case nothingRel:
		return pool
	}
	*items = append(*items, r)
	return pool
}

// deps are the slots of the block that must be set before a relation can be opened.
func (p *planner) deps(r relation) slotSet {
	switch x := r.(type) {
	case *opRel:
		return x.deps
	case *joinRel:
		return p.deps(x.l).union(p.deps(x.r)).minus(x.slots())
	case *filterRel:
		return p.deps(x.r)
	}
	return nil
}

// inner plans inner joins: it begins with what is cheapest to read and goes on with what the rows
// so far make cheapest, as a rule an index seek.
func (p *planner) inner(items []relation, pool []*expr, bound slotSet, order []orderKey, keep bool) planned {
	if len(items) == 0 {
		return p.filtered(planned{op: query.One{}, rest: pool, ordered: true, rows: 1}, bound)
	}
	var cur planned
	have, first := bound, true
	for len(items) > 0 {
		best, bestScore := -1, 0.0
		var next planned
		for i, it := range items {
			if !p.deps(it).minus(have).minus(it.slots()).meets(p.own) {
				cand, score := p.candidate(cur, it, pool, have, order, first)
				if best < 0 || score < bestScore {
					best, bestScore, next = i, score, cand
				}
			}
			if keep && best >= 0 {
				break
			}
		}
		if best < 0 {
			panic("plan: circular dependency of relations")
		}
		have = have.union(items[best].slots())
		items = append(append([]relation{}, items[:best]...), items[best+1:]...)
		cur = p.filtered(next, have)
		pool, first = cur.rest, false
	}
	return cur
}

// candidate is cur joined with one more relation, and how good that is.
func (p *planner) candidate(cur planned, it relation, pool []*expr, have slotSet, order []orderKey, first bool) (planned, float64) {
	if first {
		pl := p.relation(it, pool, have, order)
		score := pl.cost
		if len(order) > 0 && !pl.ordered {
			score += 2*pl.rows + 5
		}
		return pl, score
	}
	pl := p.join(query.Inner, cur, it, nil, pool, have)
	return pl, pl.cost
}

// join joins what is planned with a further relation: by nested loops where that makes it a seek or
// where it must look at the left row, else by a hash or spool. For outer joins on holds the ON
// conditions and pool nothing; for inner joins it is the other way round.
func (p *planner) join(kind query.JoinKind, left planned, it relation, on, pool []*expr, have slotSet) planned {
	conds := pool
	if kind != query.Inner {
		conds = on
	}
	slots := it.slots()
	all := have.union(slots)
	must := p.deps(it).minus(slots).meets(p.own)
	loop := p.relation(it, conds, have, nil)
	loopCost := left.cost + max(left.rows, 1)*loop.cost
	out := planned{ordered: left.ordered, slots: left.slots.union(slots), bound: left.bound}
	var alone planned
	aloneCost := 0.0
	if !must {
		alone = p.relation(it, conds, p.outside(have, left), nil)
		aloneCost = left.cost + alone.cost + left.rows + 1
	}
	// A seek that finds few rows is preferred whatever the outer side is estimated at: estimates are fixed
	// guesses here, and OLTP tables are joined by seeks.
	if must || kind != query.Full && (p.c.hints.loop || loop.bound && (loop.rows <= 10 || loopCost <= aloneCost)) {
		now, later := p.split(loop.rest, all)
		cond := allOf(now)
		l := &query.Loop{Kind: kind, Left: left.op, Right: loop.op}
		if cond != nil {
			l.On = cond.eval
		}
		if kind == query.Left {
			l.RightNull = p.c.nullSide(slots)
		}
		out.op, out.rest, out.cost = l, later, loopCost
		out.rows = left.rows * loop.rows
		out.access = append(append([]string{}, left.access...), loop.access...)
		return out
	}
	now, later := p.split(alone.rest, all)
	h := &query.Hash{Kind: kind, Left: left.op, Right: alone.op, RightSlots: slots.list(), LeftSlots: left.slots.list()}
	now = p.hashKeys(h, now, slots)
	if cond := allOf(now); cond != nil {
		h.On = cond.eval
	}
	if kind != query.Inner {
		h.RightNull = p.c.nullSide(slots)
	}
	if kind == query.Full {
		h.LeftNull = p.c.nullSide(left.slots)
	}
	out.op, out.rest, out.cost = h, later, aloneCost
	out.rows = left.rows * alone.rows
	if h.LeftKey != nil {
		out.rows = max(left.rows, alone.rows)
	}
	out.access = append(append([]string{}, left.access...), alone.access...)
	return out
}

// outside are the slots that are set whatever the left side does.
func (p *planner) outside(have slotSet, left planned) slotSet { return have.minus(left.slots) }

// hashKeys takes the equalities between the two sides out of the conditions as hash keys.
func (p *planner) hashKeys(h *query.Hash, conds []*expr, right slotSet) (rest []*expr) {
	var lk, rk []*expr
	for _, e := range conds {
		if e.shape != compare || e.op != datatype.Equal || e.perRow {
			rest = append(rest, e)
			continue
		}
		a, b := e.args[0], e.args[1]
		if a.refs.meets(right) {
			a, b = b, a
		}
		if a.refs.meets(right) || !b.refs.meets(right) || b.refs.meets(p.own.minus(right)) || !a.refs.meets(p.own) {
			rest = append(rest, e)
			continue
		}
		lk, rk = append(lk, a), append(rk, b)
	}
	if len(lk) > 0 {
		h.LeftKey, h.RightKey = joinKey(lk), joinKey(rk)
	}
	return rest
}

func joinKey(list []*expr) func(*query.Frame, []byte) ([]byte, bool) {
	return func(fr *query.Frame, dst []byte) ([]byte, bool) {
		for _, e := range list {
			v := e.eval(fr)
			if v.IsNull() {
				return dst, false
			}
			dst = datatype.AppendKey(dst, v, e.typ, false)
		}
		return dst, true
	}
}

// outer plans a left or full outer join.
func (p *planner) outer(j *joinRel, where []*expr, bound slotSet, order []orderKey) planned {
	ls := j.l.slots()
	if j.kind == query.Full {
		left := p.relation(j.l, nil, bound, nil)
		pl := p.join(query.Full, left, j.r, j.on, nil, bound.union(ls))
		pl.rest = where
		pl.ordered = false
		return p.filtered(pl, bound.union(j.slots()))
	}
	push, stay := p.split(where, bound.union(ls))
	left := p.relation(j.l, push, bound, order)
	left = p.filtered(left, bound.union(ls))
	pl := p.join(query.Left, left, j.r, j.on, nil, bound.union(ls))
	if len(pl.rest) > 0 {
		panic("plan: ON condition of an outer join left over")
	}
	pl.rest = append(stay, left.rest...)
	return p.filtered(pl, bound.union(j.slots()))
}

// sortKey is an order-preserving image of ORDER BY.
func sortKey(order []orderKey) query.Key {
	return func(fr *query.Frame, dst []byte) []byte {
		for _, o := range order {
			dst = datatype.AppendKey(dst, o.e.eval(fr), o.e.typ, o.desc)
		}
		return dst
	}
}

// sortOp sorts; the seed decides the order of rows that are equal.
func sortOp(child query.Op, slots []int, order []orderKey) query.Op {
	return &query.Sort{Child: child, Slots: slots, Key: sortKey(order), Choose: func(fr *query.Frame, n int) int {
		return env(fr).Kernel().Choose("rows equal in ORDER BY", n)
	}}
}

// groupKey is an image of expressions under which equal rows (NULL equals NULL) are the same.
func groupKey(list []*expr) query.Key {
	return func(fr *query.Frame, dst []byte) []byte {
		for _, e := range list {
			dst = datatype.AppendKey(dst, e.eval(fr), e.typ, false)
		}
		return dst
	}
}

func evals(list []*expr) []query.Expr {
	out := make([]query.Expr, len(list))
	for i, e := range list {
		out[i] = e.eval
	}
	return out
}

// orNull makes an expression over the null side of an outer join NULL where the side has no row.
func orNull(e *expr, witness int) *expr {
	if e.shape == column {
		c := *e
		c.null = true
		return &c
	}
	f := e.eval
	out := *e
	out.shape, out.args, out.null = opaque, nil, true
	out.refs = e.refs.with(witness)
	if out.key != "" {
		out.key = "ornull(" + out.key + ")"
	}
	out.eval = func(fr *query.Frame) value.Value {
		if fr.Slots[witness].ID == query.Missing {
			return value.Value{}
		}
		return f(fr)
	}
	return &out
}
