package plan

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/query"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
	"github.com/dbsched/dbsched/sandbox/store"
	"github.com/dbsched/dbsched/sandbox/value"
)

// How many rows tables are taken to have. Plans do not look at real numbers: they are compiled once,
// often while tables are empty, and must be those of a table in use.
const (
	tableRows    = 1000.0
	variableRows = 1.0
	tempRows     = 100.0
)

// sarg is a condition that can bound a column of an index.
type sarg struct {
	cond *expr
	ord  int
	op   datatype.CompareOp                  // Equal also for IS NULL and IN
	with *expr                               // the other side
	many func(fr *query.Frame) []value.Value // IN: several values
	null bool                                // IS NULL, or with Greater: IS NOT NULL
	refs slotSet                             // what the values depend on
}

// sargs finds the conditions that can bound columns of t.
func (p *planner) sargs(t *tableRel, conds []*expr) (out []sarg) {
	for _, c := range conds {
		if s, ok := sargOf(t, c); ok {
			out = append(out, s)
		}
	}
	return out
}

func sargOf(t *tableRel, c *expr) (sarg, bool) {
	none := sarg{}
	if c.perRow {
		return none, false
	}
	mine := func(e *expr) bool { return e.shape == column && e.slot == t.at.slot }
	other := func(e *expr) bool { return !e.refs.has(t.at.slot) && !e.perRow }
	switch c.shape {
	case compare:
		a, b, op := c.args[0], c.args[1], c.op
		if !mine(a) {
			a, b = b, a
			op = flip(op)
		}
		if op == datatype.NotEqual || !mine(a) || !other(b) || !seekable(t.table.Columns[a.ord].Type, a.typ) {
			return none, false
		}
		return sarg{cond: c, ord: a.ord, op: op, with: b, refs: b.refs}, true
	case isNull:
		if a := c.args[0]; mine(a) {
			return sarg{cond: c, ord: a.ord, op: datatype.Equal, null: true}, true
		}
	case not:
		if in := c.args[0]; in.shape == isNull && mine(in.args[0]) {
			return sarg{cond: c, ord: in.args[0].ord, op: datatype.Greater, null: true}, true
		}
	case inList, or:
		var parts []sarg
		for _, x := range c.args {
			s, ok := sargOf(t, x)
			if !ok || s.op != datatype.Equal || s.many != nil || len(parts) > 0 && s.ord != parts[0].ord {
				return none, false
			}
			parts = append(parts, s)
		}
		out := sarg{cond: c, ord: parts[0].ord, op: datatype.Equal}
		for _, s := range parts {
			out.refs = out.refs.union(s.refs)
			out.null = out.null || s.null
		}
		out.many = func(fr *query.Frame) (vals []value.Value) {
			for _, s := range parts {
				if s.null {
					vals = append(vals, value.Value{})
				} else if v := s.with.eval(fr); !v.IsNull() {
					vals = append(vals, v)
				}
			}
			return vals
		}
		return out, true
	case inQuery:
		if a := c.args[0]; mine(a) && seekable(t.table.Columns[a.ord].Type, c.many.typ) {
			return sarg{cond: c, ord: a.ord, op: datatype.Equal, many: c.many.values}, true
		}
	case exists:
		if c.semi != nil {
			if s, ok := sargOf(t, c.semi.in); ok {
				s.cond = c
				return s, true
			}
		}
	}
	return none, false
}

func flip(op datatype.CompareOp) datatype.CompareOp {
	switch op {
	case datatype.Less:
		return datatype.Greater
	case datatype.LessEqual:
		return datatype.GreaterEqual
	case datatype.Greater:
		return datatype.Less
	case datatype.GreaterEqual:
		return datatype.LessEqual
	}
	return op
}

// seekable reports whether values of the type in which a column is compared have the same keys as
// the column's own: else the column must be converted row by row, and the index is of no use. A
// varchar column under an SQL collation that is compared with nvarchar is the well-known case.
func seekable(col, compared datatype.Type) bool {
	calendar := func(t datatype.Type) bool { return t.IsDateTime() && t.ID != datatype.Time }
	whole := func(t datatype.Type) bool { return t.IsInteger() || t.ID == datatype.Bit }
	switch {
	case col.ID == compared.ID:
		return col.Coll == compared.Coll || !col.IsCharacter()
	case whole(col) && whole(compared), col.IsExact() && compared.IsExact(),
		col.IsApproximate() && compared.IsApproximate(), calendar(col) && calendar(compared):
		return true
	case col.IsCharacter() && compared.IsCharacter():
		return col.IsUnicode() == compared.IsUnicode() && col.Coll == compared.Coll
	case col.IsBinary() && compared.IsBinary():
		return true
	}
	return false
}

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
	unique := false
	if ix != nil && ix.Unique && len(x.eq) == len(keys) {
		unique = true
	}
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
				cols = append(cols, name+string(mark(x.lo.op)))
			}
			if x.hi != nil {
				cols = append(cols, name+string(mark(x.hi.op)))
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

// bounds is one range of an index.
type bounds struct {
	lo, hi         []byte
	loOpen, hiOpen bool
}

// ranges computes the ranges of a path for the current rows; none: no row can qualify.
func (x *path) ranges(fr *query.Frame, t *tableRel) []bounds {
	if !x.seeks() {
		return []bounds{{}}
	}
	keys := t.table.Indexes[x.index].Keys
	prefixes := [][]byte{nil}
	for i, s := range x.eq {
		typ, desc := t.table.Columns[s.ord].Type, keys[i].Desc
		var vals []value.Value
		vt := typ
		switch {
		case s.many != nil:
			vals = s.many(fr)
			if s.cond.shape == inQuery {
				vt = s.cond.many.typ
			}
		case s.null:
			vals = []value.Value{{}}
		default:
			v := s.with.eval(fr)
			if v.IsNull() {
				return nil
			}
			vals, vt = []value.Value{v}, s.with.typ
		}
		var next [][]byte
		for _, prefix := range prefixes {
			for _, v := range vals {
				next = append(next, datatype.AppendKey(slices.Clip(slices.Clone(prefix)), v, keyType(vt, typ), desc))
			}
		}
		if prefixes = next; len(prefixes) == 0 {
			return nil
		}
	}
	if x.multi {
		slices.SortFunc(prefixes, bytes.Compare)
		prefixes = slices.CompactFunc(prefixes, bytes.Equal)
	}
	out := make([]bounds, 0, len(prefixes))
	for _, prefix := range prefixes {
		b, ok := x.rangeOf(fr, t, prefix)
		if !ok {
			return nil
		}
		out = append(out, b)
	}
	return out
}

// keyType is the type to make a key with: the compared one, which has the keys of the column's.
func keyType(compared, col datatype.Type) datatype.Type {
	if compared.IsCharacter() || compared.IsUntyped() {
		return col
	}
	return compared
}

func (x *path) rangeOf(fr *query.Frame, t *tableRel, prefix []byte) (b bounds, ok bool) {
	b = bounds{lo: prefix, hi: prefix}
	if x.rangeCol < 0 {
		return b, true
	}
	key := t.table.Indexes[x.index].Keys[x.rangeCol]
	typ := t.table.Columns[key.Column].Type
	at := func(v value.Value, vt datatype.Type) []byte {
		return datatype.AppendKey(slices.Clip(slices.Clone(prefix)), v, keyType(vt, typ), key.Desc)
	}
	// NULL is lower than everything, but no comparison finds it.
	lo, loOpen := at(value.Value{}, typ), true
	hi, hiOpen := prefix, false
	if len(prefix) == 0 {
		hi = nil
	}
	if s := x.lo; s != nil && !s.null {
		v := s.with.eval(fr)
		if v.IsNull() {
			return b, false
		}
		lo, loOpen = at(v, s.with.typ), s.op == datatype.Greater
	}
	if s := x.hi; s != nil {
		v := s.with.eval(fr)
		if v.IsNull() {
			return b, false
		}
		hi, hiOpen = at(v, s.with.typ), s.op == datatype.Less
	}
	if key.Desc {
		return bounds{lo: hi, loOpen: hiOpen, hi: lo, hiOpen: loOpen}, true
	}
	return bounds{lo: lo, loOpen: loOpen, hi: hi, hiOpen: hiOpen}, true
}

// access builds the operator. Conditions on the table alone are checked in it: a row that does not
// qualify gives back its locks before the next one is read, unless they are kept anyway.
func (p *planner) access(t *tableRel, x *path, rest []*expr) query.Op {
	pred := query.Expr(nil)
	if cond := allOf(rest); cond != nil {
		pred = cond.eval
	}
	slot, hints, in, variable := t.at.slot, t.hints, t.intent, t.variable
	data := func(fr *query.Frame) (*store.Table, *store.Index) {
		tab := t.table
		if variable >= 0 {
			tab = env(fr).TableVar(variable)
		}
		if x.index < 0 {
			return tab.Data, nil
		}
		return tab.Data, tab.Indexes[x.index].Data
	}
	return query.OpFunc(func(fr *query.Frame) query.Iter {
		a := hints.access(fr, in)
		st, ix := data(fr)
		a.Index, a.Desc, a.Seek = ix, x.desc, x.seeks()
		a.Covered = x.covered && x.index >= 0
		return &scan{fr: fr, slot: slot, tx: env(fr).Txn(), table: st, access: a, ranges: x.ranges(fr, t), pred: pred, keep: in == toUpdate}
	})
}

// scan reads ranges of an index one after the other.
type scan struct {
	fr     *query.Frame
	slot   int
	tx     *store.Txn
	table  *store.Table
	access store.Access
	ranges []bounds
	pred   query.Expr
	keep   bool // rows that qualify stay locked
	cursor *store.Cursor
}

func (s *scan) Next() bool {
	for {
		if s.cursor == nil {
			if len(s.ranges) == 0 {
				return false
			}
			a, b := s.access, s.ranges[0]
			s.ranges = s.ranges[1:]
			a.Lo, a.Hi, a.LoOpen, a.HiOpen = b.lo, b.hi, b.loOpen, b.hiOpen
			s.cursor = s.tx.Open(s.table, a)
		}
		id, row, ok, err := s.cursor.Next()
		if err != nil {
			raise(err)
		}
		if !ok {
			s.cursor.Close()
			s.cursor = nil
			continue
		}
		s.fr.Slots[s.slot] = query.Tuple{Row: row, ID: int64(id)}
		if s.pred == nil || s.pred(s.fr).IsTrue() {
			return true
		}
		s.cursor.DropRow()
	}
}

// KeepRow keeps the locks of the present row to the end of the transaction.
func (s *scan) KeepRow() {
	if s.cursor != nil {
		s.cursor.KeepRow()
	}
}

func (s *scan) Close() {
	if s.cursor != nil {
		s.cursor.Close()
		s.cursor = nil
	}
	s.ranges = nil
}
