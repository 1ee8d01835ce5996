package plan

import (
	"slices"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// base follows a column through derived tables to the table that it comes from.
func (c *compiler) base(e *expr) (*tableRel, int, bool) {
	for e != nil && e.Shape == expression.Column {
		if t := c.tables[e.Slot]; t != nil {
			return t, e.Ord, true
		}
		o := c.opaque[e.Slot]
		if o == nil {
			break
		}
		e = o.through[e.Ord]
	}
	return nil, 0, false
}

// carry makes derived tables that were not merged pass on the identity of the base table's row.
func (c *compiler) carry(src *source, base *tableRel) {
	for i := range src.cols {
		e := src.cols[i].e
		for e != nil && e.Shape == expression.Column && c.tables[e.Slot] == nil {
			o := c.opaque[e.Slot]
			if o == nil {
				break
			}
			o.Sets = o.Sets.With(base.at.Slot)
			e = o.through[e.Ord]
		}
	}
}

// targetSource binds FROM and finds the source that a statement changes.
func (n *names) targetSource(ref ast.TableReference, from *ast.FromClause, verb string) (optimizer.Relation, *source) {
	var named *ast.NamedTableReference
	switch x := ref.(type) {
	case *ast.NamedTableReference:
		named = x
		h := hintsOf(x.TableHints)
		if h.dml(); from != nil && len(x.TableHints) > 0 {
			panic(sqlerr.NotSupported("hints of a target that FROM names, too"))
		}
	case *ast.VariableTableReference:
	default:
		panic(sqlerr.NotSupported("target %T", ref))
	}
	if from == nil {
		rel := n.tableRef(ref, n.beside(nil))
		return rel, n.sources[0]
	}
	rel := n.from(from)
	if named == nil {
		panic(sqlerr.NotSupported("a table variable changed with FROM"))
	}
	return rel, n.sourceNamed(named)
}

// sourceNamed finds the source of FROM that UPDATE or DELETE names by alias or by its only occurrence.
func (n *names) sourceNamed(named *ast.NamedTableReference) (found *source) {
	name := named.SchemaObject
	if name.SchemaIdentifier == nil {
		for _, src := range n.sources {
			if n.same(src.alias, name.BaseIdentifier.Value) {
				return src
			}
		}
	}
	for _, src := range n.sources {
		if src.object == nil || n.findCTE(name.BaseIdentifier.Value) != nil || src.object != query.Must(n.sc.Resolve(name)) {
			continue
		}
		if found != nil {
			panic(message.MS(8154, name.BaseIdentifier.Value))
		}
		found = src
	}
	if found == nil {
		panic(sqlerr.NotSupported("a target that FROM does not name"))
	}
	return found
}

// setClause is an assignment of UPDATE.
type setClause struct {
	ord  int // -1: only a variable
	slot int // -1: only a column
	e    *expr
	v    *expr // what the variable gets, in its type
}

// setClauses binds the SET list of an UPDATE of src.
func (n *names) setClauses(x *target, src *source, base *tableRel, list []ast.SetClause) (out []setClause, changed map[int]bool) {
	changed = map[int]bool{}
	for _, cl := range list {
		a, ok := cl.(*ast.AssignmentSetClause)
		if !ok {
			panic(sqlerr.NotSupported("SET clause %T", cl))
		}
		s := setClause{ord: -1, slot: -1}
		if a.Column == nil {
			as := n.assignment(a.Variable, a.NewValue, a.AssignmentKind)
			s.slot, s.v, s.e = as.slot, as.e, as.e
			out = append(out, s)
			continue
		}
		_, ord, current := n.setColumn(src, base, a.Column)
		col := &x.table.Columns[ord]
		switch {
		case changed[ord]:
			panic(message.MS(264, col.Name))
		case col.Identity != nil:
			panic(message.MS(8102, col.Name))
		}
		changed[ord] = true
		if x.object != nil {
			n.c.use(x.object, "UPDATE")
		}
		s.ord = ord
		if _, ok := a.NewValue.(*ast.DefaultLiteral); ok {
			if s.e = n.defaultOf(x, ord); s.e == nil {
				s.e = constExpr(value.Value{}, col.Type)
			}
		} else {
			s.e = x.toColumn(n.compound(current, a.NewValue, a.AssignmentKind), ord)
		}
		if a.Variable != nil {
			slot, t, ok := n.sc.Variable(a.Variable.Name)
			if !ok {
				panic(message.MS(137, a.Variable.Name))
			}
			s.slot, s.v = slot, assignTo(s.e, t)
		}
		out = append(out, s)
	}
	return out, changed
}

// setColumn finds the base table's column that SET names.
func (n *names) setColumn(src *source, base *tableRel, ref *ast.ColumnReferenceExpression) (*tableRel, int, *expr) {
	parts := idents(ref.MultiPartIdentifier)
	name := parts[len(parts)-1]
	if len(parts) > 1 && !n.matches(src, parts[:len(parts)-1]) {
		panic(message.MS(4104, joinParts(parts)))
	}
	for i := range src.cols {
		if !n.same(src.cols[i].name, name) {
			continue
		}
		t, ord, ok := n.c.base(src.cols[i].e)
		if !ok {
			panic(message.MS(4406, src.alias))
		}
		if base != nil && t != base {
			panic(message.MS(4405, src.alias))
		}
		return t, ord, src.cols[i].e
	}
	panic(message.MS(207, name))
}

func joinParts(parts []string) string {
	s := parts[0]
	for _, p := range parts[1:] {
		s += "." + p
	}
	return s
}

// neededBy adds what the columns of OUTPUT need from the target, read before the change.
func neededBy(o *output, x *target, base *tableRel) *expr {
	var cols optimizer.Slots
	for _, list := range [][]*expr{o.client, o.rows} {
		for _, e := range list {
			cols = cols.Union(e.Cols)
		}
	}
	for ord := range x.table.Columns {
		if cols.Has(x.at.Column(ord)) || cols.Has(x.old.Column(ord)) {
			cols = cols.With(base.at.Column(ord))
		}
	}
	return &expr{Expr: expression.Expr[expr]{Cols: cols}}
}

// CompileUpdate compiles an UPDATE.
func CompileUpdate(sc Scope, st *ast.UpdateStatement) (*Statement, error) {
	return compileDML(sc, st.OptimizerHints, st.WithCtesAndXmlNamespaces, func(n *names, out *Statement) { n.update(out, st.UpdateSpecification) })
}

func (n *names) update(out *Statement, spec *ast.UpdateSpecification) {
	c := n.c
	rel, src := n.targetSource(spec.Target, spec.FromClause, "UPDATE")
	var base *tableRel
	for _, cl := range spec.SetClauses {
		if a, ok := cl.(*ast.AssignmentSetClause); ok && a.Column != nil {
			if t := n.baseOf(src); t != nil {
				base = t
				break
			}
			base, _, _ = n.setColumn(src, nil, a.Column)
			break
		}
	}
	if base == nil {
		if base = n.baseOf(src); base == nil {
			panic(message.MS(4405, src.alias))
		}
	}
	x := n.change(base, src, "UPDATE")
	where := n.whereOf(spec.WhereClause)
	sets, changed := n.setClauses(x, src, base, spec.SetClauses)
	o := n.output(x, spec.OutputClause, spec.OutputIntoClause, true, true)
	out.Columns = o.columns
	s := &selection{n: n, rel: rel, where: where, own: rel.Slots(), top: n.topFilter(spec.TopRowFilter, nil)}
	for _, set := range sets {
		s.cols = append(s.cols, outColumn{e: set.e})
	}
	s.cols = append(s.cols, outColumn{e: neededBy(o, x, base)})
	pl, _ := s.plan(nil)
	c.paths = append(c.paths, pl.Access...)
	slots := s.own.List()
	assigns := slices.ContainsFunc(sets, func(set setClause) bool { return set.slot >= 0 })
	l := n.lateFor(base, rel, where, o, assigns, spec.TopRowFilter != nil)
	find := func(fr *query.Frame, id int64) found {
		e := env(fr)
		f := newFound(fr, id, slots, o)
		for i := range sets {
			set := &sets[i]
			v := value.Value{}
			if set.ord >= 0 {
				v = set.e.Eval(fr)
			}
			f.vals = append(f.vals, v)
			if set.slot >= 0 {
				*e.Var(set.slot) = set.v.Eval(fr)
			}
		}
		return f
	}
	out.run = func(fr *query.Frame, sink func(value.Row) error) (int64, error) {
		return x.updateAll(fr, l.collect(fr, x, base, pl.Op, find), sets, changed, o, slots, sink)
	}
}

// found is a row that a statement is going to change, with the rows that it was found with.
type found struct {
	id   int64
	vals value.Row
	with []query.Tuple
}

func newFound(fr *query.Frame, id int64, slots []int, o *output) found {
	f := found{id: id}
	if o.client != nil || o.into != nil {
		for _, s := range slots {
			f.with = append(f.with, fr.Slots[s])
		}
	}
	return f
}

func (f *found) restore(fr *query.Frame, slots []int) {
	for i, t := range f.with {
		fr.Slots[slots[i]] = t
	}
}

// latest reads the newest state of a row under an exclusive lock; false: it is gone.
func (x *target) latest(fr *query.Frame, t *store.Table, id int64) (value.Row, bool) {
	row, ok, err := env(fr).Txn().Fetch(t, store.RowID(id), store.Access{Mode: store.Locking, Lock: store.X, Keep: true, Brief: true})
	query.Check(err)
	return row, ok
}

// updateAll changes the rows that were found.
func (x *target) updateAll(fr *query.Frame, list []found, sets []setClause, changed map[int]bool, o *output, slots []int, sink func(value.Row) error) (int64, error) {
	if len(list) == 0 {
		return 0, nil
	}
	t := x.data(fr)
	tx := env(fr).Txn()
	var ids []store.RowID
	var olds, news []value.Row
	var kept []found
	for _, f := range list {
		old, ok := x.latest(fr, t, f.id)
		if !ok {
			continue
		}
		row := slices.Clone(old)
		for i, set := range sets {
			if set.ord >= 0 {
				row[set.ord] = f.vals[i]
			}
		}
		x.checkRow(fr, row, changed)
		ids, olds, news, kept = append(ids, store.RowID(f.id)), append(olds, old), append(news, row), append(kept, f)
	}
	if err := tx.UpdateAll(t, ids, news); err != nil {
		return 0, x.duplicate(err)
	}
	for i := range ids {
		kept[i].restore(fr, slots)
		fr.Slots[x.at.Slot], fr.Slots[x.old.Slot] = query.Tuple{Row: news[i]}, query.Tuple{Row: olds[i]}
		if err := o.row(fr, sink); err != nil {
			return 0, err
		}
	}
	return int64(len(ids)), nil
}

// baseOf is the one table that all columns of a source come from; nil: several or none.
func (n *names) baseOf(src *source) *tableRel {
	var base *tableRel
	for i := range src.cols {
		t, _, ok := n.c.base(src.cols[i].e)
		if !ok {
			continue
		}
		if base != nil && base != t {
			return nil
		}
		base = t
	}
	return base
}

// change prepares a source's base table for being changed.
func (n *names) change(base *tableRel, src *source, verb string) *target {
	base.intent = toUpdate
	base.hints.dml()
	n.c.carry(src, base)
	if base.object != nil {
		o := base.object
		if src.object != nil && src.object.Kind == catalog.View {
			o = src.object
		}
		n.c.use(o, verb)
		n.c.forget(o)
	}
	return n.c.target(n.sc, base.object, base.table, base.variable, verb)
}

// forget drops the SELECT permission that naming the target in the statement has recorded; columns that are
// really read record it again.
func (c *compiler) forget(o *catalog.Object) {
	for i := range c.uses {
		if u := &c.uses[i]; u.Object == o && u.Permission == "SELECT" && !u.read {
			c.uses = slices.Delete(c.uses, i, i+1)
			return
		}
	}
}

func (n *names) whereOf(w *ast.WhereClause) []*optimizer.Cond {
	if w == nil {
		return nil
	}
	if w.Cursor != nil {
		panic(sqlerr.NotSupported("WHERE CURRENT OF"))
	}
	return n.c.conds(expression.Conjuncts(n.predicate(w.SearchCondition), nil))
}

// CompileDelete compiles a DELETE.
func CompileDelete(sc Scope, st *ast.DeleteStatement) (*Statement, error) {
	return compileDML(sc, st.OptimizerHints, st.WithCtesAndXmlNamespaces, func(n *names, out *Statement) { n.delete(out, st.DeleteSpecification) })
}

func (n *names) delete(out *Statement, spec *ast.DeleteSpecification) {
	rel, src := n.targetSource(spec.Target, spec.FromClause, "DELETE")
	base := n.baseOf(src)
	if base == nil {
		panic(message.MS(4405, src.alias))
	}
	x := n.change(base, src, "DELETE")
	where := n.whereOf(spec.WhereClause)
	o := n.output(x, spec.OutputClause, spec.OutputIntoClause, true, false)
	out.Columns = o.columns
	s := &selection{n: n, rel: rel, where: where, own: rel.Slots(), top: n.topFilter(spec.TopRowFilter, nil)}
	s.cols = []outColumn{{e: neededBy(o, x, base)}}
	pl, _ := s.plan(nil)
	n.c.paths = append(n.c.paths, pl.Access...)
	slots := s.own.List()
	l := n.lateFor(base, rel, where, o, false, spec.TopRowFilter != nil)
	find := func(fr *query.Frame, id int64) found { return newFound(fr, id, slots, o) }
	out.run = func(fr *query.Frame, sink func(value.Row) error) (int64, error) {
		return x.deleteAll(fr, l.collect(fr, x, base, pl.Op, find), o, slots, sink)
	}
}

// deleteAll removes the rows that were found.
func (x *target) deleteAll(fr *query.Frame, list []found, o *output, slots []int, sink func(value.Row) error) (int64, error) {
	olds, kept := x.remove(fr, list)
	for i, old := range olds {
		kept[i].restore(fr, slots)
		fr.Slots[x.old.Slot] = query.Tuple{Row: old}
		if err := o.row(fr, sink); err != nil {
			return 0, err
		}
	}
	return int64(len(olds)), nil
}

// remove deletes rows.
func (x *target) remove(fr *query.Frame, list []found) (olds []value.Row, kept []found) {
	t, tx := x.data(fr), env(fr).Txn()
	for _, f := range list {
		if old, ok := x.latest(fr, t, f.id); ok {
			query.Check(tx.Delete(t, store.RowID(f.id)))
			olds, kept = append(olds, old), append(kept, f)
		}
	}
	return olds, kept
}
