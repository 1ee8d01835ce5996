package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
)

// How many rows tables are taken to have. Plans do not look at real numbers: they are compiled once,
// often while tables are empty, and must be those of a table in use.
const (
	tableRows    = 1000.0
	variableRows = 1.0
	tempRows     = 100.0
)

// path is a way to read a table.
type path struct {
	index    int     // ordinal in Table.Indexes; -1: the heap
	eq       []sarg  // of the first key columns
	lo, hi   *sarg   // of the next one
	rangeCol int     // ordinal in the key of the column that lo and hi bound
	used     []*expr // conditions that the path fulfils
	covered  bool
	ordered  bool
	desc     bool
	cost     float64
	rows     float64
	multi    bool
}

func (x *path) seeks() bool { return len(x.eq) > 0 || x.lo != nil || x.hi != nil }

// table chooses the access path of a table and builds its operator.
func (p *planner) table(t *tableRel, conds []*expr, bound slotSet, order []orderKey) planned {
	here := bound.union(t.slots())
	now, later := p.split(conds, here)
	best := p.choose(t, now, order)
	rest := without(now, best.used)
	pl := planned{
		op: p.access(t, best, rest), rest: later, ordered: best.ordered, cost: best.cost, rows: best.rows,
		slots: t.slots(), access: []string{describe(t, best)},
	}
	for _, s := range best.all() {
		pl.bound = pl.bound || s.refs.meets(p.own)
	}
	return pl
}

func (x *path) all() []sarg {
	out := append([]sarg{}, x.eq...)
	if x.lo != nil {
		out = append(out, *x.lo)
	}
	if x.hi != nil {
		out = append(out, *x.hi)
	}
	return out
}

func without(list, gone []*expr) (out []*expr) {
	for _, e := range list {
		if !slices.Contains(gone, e) {
			out = append(out, e)
		}
	}
	return out
}

// choose weighs the paths: all indexes, or those that the hints name.
func (p *planner) choose(t *tableRel, conds []*expr, order []orderKey) *path {
	args := p.sargs(t, conds)
	var best *path
	consider := func(x *path) {
		if x == nil || t.hints.forceSeek && !x.seeks() {
			return
		}
		score := x.cost
		if len(order) > 0 && !x.ordered {
			score += 2*x.rows + 5
		}
		x.cost = score
		if best == nil || x.cost < best.cost {
			best = x
		}
	}
	allowed := p.allowed(t)
	if t.table.Clustered() == nil && (allowed == nil || slices.Contains(allowed, -1)) {
		consider(p.path(t, -1, nil, conds, args, order))
	}
	for i, ix := range t.table.Indexes {
		if allowed != nil && !slices.Contains(allowed, i) || ix.Disabled {
			continue
		}
		consider(p.path(t, i, ix, conds, args, order))
	}
	if best == nil {
		panic(sqlerr.New(8622, "Query processor could not produce a query plan because of the hints defined in this query. Resubmit the query without specifying any hints and without using SET FORCEPLAN."))
	}
	if len(order) > 0 && !best.ordered {
		best.cost -= 2*best.rows + 5 // the sort is the caller's
	}
	return best
}

// allowed returns the indexes that INDEX and FORCESEEK hints leave; nil: all.
func (p *planner) allowed(t *tableRel) (out []int) {
	for _, name := range t.hints.index {
		found := false
		for i, ix := range t.table.Indexes {
			if catalog.SameName(p.c.db.Collation, ix.Name, name) || name == fmt.Sprint(ix.ID) || name == "0" && ix.Clustered {
				out, found = append(out, i), true
			}
		}
		if !found && (name == "0" || name == "1") && t.table.Clustered() == nil {
			out, found = append(out, -1), name == "0"
		}
		if !found {
			panic(sqlerr.New(308, "Index '%s' on table '%s' (specified in the FROM clause) does not exist.", name, t.object.QualifiedName()))
		}
	}
	if len(out) > 1 {
		panic(sqlerr.NotSupported("several indexes in one INDEX hint"))
	}
	return out
}

// size is how many rows the planner takes a table to have.
func (t *tableRel) size() float64 {
	switch {
	case t.variable >= 0:
		return variableRows
	case t.table.Temp:
		return tempRows
	}
	return tableRows
}

// path weighs one index. nil: the index does not have all the rows.
func (p *planner) path(t *tableRel, n int, ix *catalog.Index, conds []*expr, args []sarg, order []orderKey) *path {
	x := &path{index: n, rangeCol: -1, covered: true}
	x.rows = t.size()
	var keys []catalog.KeyColumn
	if ix != nil {
		implied, ok := filterImplied(t, ix, conds)
		if !ok {
			return nil
		}
		if ix.Filter != nil {
			x.rows *= 0.1
			x.used = implied
		}
		keys = ix.Keys
		p.bound(x, ix, args)
	}
	unique := ix != nil && ix.Unique && len(x.eq) == len(keys)
	x.rows *= pow(0.1, len(x.eq))
	if x.lo != nil || x.hi != nil {
		x.rows *= 0.3
	}
	if unique || x.rows < 1 {
		x.rows = 1
	}
	if x.multi {
		x.rows *= 3
	}
	if ix != nil {
		x.covered = p.covers(t, ix, conds, x.used)
	}
	p.orderBy(x, t, keys, order, unique)
	residual := len(conds) - len(x.used)
	touched := x.rows
	if p.goal > 0 && (len(order) == 0 || x.ordered) {
		touched = min(touched, p.goal*pow(10, min(residual, 2)))
	}
	per := 1.0
	if !x.covered {
		per = 3
	}
	x.cost = touched*per + 2
	if !x.seeks() {
		x.cost += 1
	}
	for range min(residual, 2) {
		x.rows = max(1, x.rows*0.5)
	}
	return x
}

func pow(f float64, n int) float64 {
	out := 1.0
	for range n {
		out *= f
	}
	return out
}

// bound finds how far conditions bound the key.
func (p *planner) bound(x *path, ix *catalog.Index, args []sarg) {
	for k, key := range ix.Keys {
		var eq *sarg
		for i := range args {
			s := &args[i]
			if s.ord == key.Column && s.op == datatype.Equal && (eq == nil || eq.many != nil && s.many == nil) && (s.many == nil || !x.multi) {
				eq = s
			}
		}
		if eq != nil {
			x.eq = append(x.eq, *eq)
			x.used = append(x.used, eq.cond)
			x.multi = x.multi || eq.many != nil
			continue
		}
		for i := range args {
			s := &args[i]
			if s.ord != key.Column || s.op == datatype.Equal {
				continue
			}
			lower := s.op == datatype.Greater || s.op == datatype.GreaterEqual
			switch {
			case s.null: // below every other bound; superfluous where the filter says the same
				if x.lo != nil || x.hi != nil || slices.Contains(x.used, s.cond) {
					continue
				}
				x.lo = s
			case lower && (x.lo == nil || x.lo.null):
				x.lo = s
			case !lower && x.hi == nil:
				x.hi = s
			default:
				continue
			}
			x.rangeCol = k
			x.used = append(x.used, s.cond)
		}
		return
	}
}

// covers reports whether the index has every column that is needed of the table.
func (p *planner) covers(t *tableRel, ix *catalog.Index, conds, used []*expr) bool {
	if ix.Clustered {
		return true
	}
	if t.needAll {
		return false
	}
	need := p.need
	for _, c := range without(conds, used) {
		need = need.union(c.cols)
	}
	have := ix.Columns()
	if cl := t.table.Clustered(); cl != nil {
		for _, k := range cl.Keys {
			have = append(have, k.Column)
		}
	}
	for ord := range t.table.Columns {
		if need.has(t.at.column(ord)) && !slices.Contains(have, ord) {
			return false
		}
	}
	return true
}

// orderBy decides whether the path reads in the order that is asked for, forward or backward.
func (p *planner) orderBy(x *path, t *tableRel, keys []catalog.KeyColumn, order []orderKey, unique bool) {
	if len(order) == 0 {
		return
	}
	if unique && !x.multi {
		x.ordered = true
		return
	}
	fixed := func(ord int) bool {
		for _, s := range x.eq {
			if s.ord == ord && s.many == nil {
				return true
			}
		}
		return false
	}
	k, decided := 0, false
	isUnique := x.index >= 0 && t.table.Indexes[x.index].Unique
	for _, o := range order {
		if o.e.shape == constant || o.e.shape == variable {
			continue
		}
		if o.e.shape != column || o.e.slot != t.at.slot {
			return
		}
		if fixed(o.e.ord) {
			continue
		}
		for k < len(keys) && fixed(keys[k].Column) {
			k++
		}
		if k == len(keys) {
			if isUnique && !x.multi {
				break // nothing left to tell rows apart
			}
			return
		}
		if keys[k].Column != o.e.ord {
			return
		}
		desc := keys[k].Desc != o.desc
		if decided && desc != x.desc {
			x.desc = false
			return
		}
		x.desc, decided = desc, true
		k++
	}
	if x.multi { // several ranges are read one after the other
		x.desc = false
		return
	}
	x.ordered = true
}

// filterImplied reports whether the conditions imply the index's filter, literally: a comparison with a
// variable does not. It returns the conditions that the filter makes superfluous.
func filterImplied(t *tableRel, ix *catalog.Index, conds []*expr) (superfluous []*expr, ok bool) {
	if ix.Filter == nil {
		return nil, true
	}
	if t.object == nil || len(t.scope.Settings().wrong()) > 0 {
		return nil, false
	}
	for _, f := range t.filterOf(ix) {
		found := false
		for _, c := range conds {
			switch {
			case f.key != "" && c.key == f.key:
				found = true
				// SQL Server does not see that IS NULL follows from the filter: the column counts as needed.
				if c.shape == compare || c.shape == not {
					superfluous = append(superfluous, c)
				}
			case f.shape == not && f.args[0].shape == isNull && rejectsNull(c, f.args[0].args[0]):
				found = true
				if c.shape == not { // IS NOT NULL: nothing is left of it to seek by
					superfluous = append(superfluous, c)
				}
			}
			if found {
				break
			}
		}
		if !found {
			return nil, false
		}
	}
	return superfluous, true
}

// rejectsNull reports whether a condition cannot be true where the column is NULL.
func rejectsNull(c, col *expr) bool {
	if c.shape == compare {
		for _, a := range c.args {
			if a.shape == column && a.slot == col.slot && a.ord == col.ord {
				return true
			}
		}
	}
	return c.shape == not && c.args[0].shape == isNull && c.args[0].args[0].key == col.key
}

// describe is a line of Statement.Access.
func describe(t *tableRel, x *path) string {
	var b strings.Builder
	b.WriteString(t.name)
	b.WriteString(": ")
	if x.index < 0 {
		b.WriteString("scan heap")
		return b.String()
	}
	ix := t.table.Indexes[x.index]
	what := "scan"
	if x.seeks() {
		what = "seek"
	}
	fmt.Fprintf(&b, "%s %s", what, ix.Name)
	if x.seeks() {
		var cols []string
		for _, s := range x.eq {
			mark := "="
			if s.many != nil {
				mark = " in"
			}
			cols = append(cols, t.table.Columns[s.ord].Name+mark)
		}
		if x.rangeCol >= 0 {
			name := t.table.Columns[ix.Keys[x.rangeCol].Column].Name
			if x.lo != nil {
				cols = append(cols, name+mark(x.lo.op))
			}
			if x.hi != nil {
				cols = append(cols, name+mark(x.hi.op))
			}
		}
		b.WriteString(" (" + strings.Join(cols, ", ") + ")")
	}
	if x.ordered {
		b.WriteString(" ordered")
		if x.desc {
			b.WriteString(" backward")
		}
	}
	if !x.covered {
		b.WriteString(" lookup")
	}
	return b.String()
}

func mark(op datatype.CompareOp) string {
	switch op {
	case datatype.Less:
		return "<"
	case datatype.LessEqual:
		return "<="
	case datatype.Greater:
		return ">"
	}
	return ">="
}
