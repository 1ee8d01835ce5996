package plan

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// merging is a MERGE being compiled.
type merging struct {
	x           *target
	rel         *tableRel
	set         assignment
	where       *Expr // of the update; nil: all
	deleteWhere *Expr
	ins         *inserter
	insertWhere *Expr
	slots       []int // of the source
	op          query.Op
}

// merge compiles a MERGE.
func (b *binder) merge(out *Statement, st *ast.Merge) {
	out.Kind = Merge
	privilege := "UPDATE"
	if st.Matched == nil {
		privilege = "INSERT"
	}
	m := &merging{x: b.target(st.Into, privilege)}
	out.into = m.x.table
	x := m.x
	if st.Matched != nil && st.Insert != nil {
		query.Must(b.c.sc.Table(st.Into.Name, "INSERT"))
	}
	b.noSeq = true
	from := b.tableRef(st.Using, b.beside(nil))
	using := slices.Clone(b.sources)
	m.slots = from.Slots().List()
	var src *source
	m.rel, src = b.stored(x.object, x.name)
	b.sources = append(b.sources, src)
	on := expression.Conjuncts(b.cond(st.On), nil)
	join := &optimizer.Join{Kind: query.Inner, Left: from, Right: m.rel.rel, On: b.c.conds(on)}
	var need []*Expr
	add := func(e *Expr) *Expr {
		need = append(need, e)
		return e
	}
	cond := func(b *binder, e ast.Expr) *Expr {
		if e == nil {
			return nil
		}
		return add(b.cond(e))
	}
	if u := st.Matched; u != nil {
		b.noSeq = false
		m.set = x.assignments(b, u.Sets)
		b.noSeq = true
		for _, ord := range m.set.ords {
			for _, e := range on {
				if e.Cols.Has(m.rel.at.Column(ord)) {
					fail(38104, src.alias, x.table.Columns[ord].Name)
				}
			}
		}
		need = append(need, m.set.exprs...)
		m.where, m.deleteWhere = cond(b, u.Where), cond(b, u.DeleteWhere)
	}
	if i := st.Insert; i != nil {
		join.Kind = query.Left
		m.ins = x.inserter(x.columnsOf(i.Columns))
		countValues(len(m.ins.columns), len(i.Values))
		values := b.with(using...)
		values.noSeq = false
		for n, ord := range m.ins.columns {
			m.ins.give(values, i.Values[n], ord)
			add(m.ins.values[n])
		}
		values.noSeq = true
		m.insertWhere = cond(values, i.Where)
	}
	s := &selection{b: b, q: &ast.Select{}, rel: join, own: join.Slots(), rownum: b.c.Slot(1), blk: &block{}}
	for _, e := range append(need, m.rel.whole()) {
		s.cols = append(s.cols, outColumn{e: e})
	}
	pl, _ := s.plan()
	b.c.paths = append(b.c.paths, pl.Access...)
	m.op = pl.Op
	out.change = m.run
}

// merged says what to do for a row of the source.
type merged struct {
	query.Tuple           // the row of the target; ID query.Missing: none
	values      value.Row // its new values, or the new row's
	source      []query.Tuple
}

func (m *merging) run(fr *query.Frame, _ func(value.Row)) int64 {
	x, r := m.x, runOf(fr)
	data := x.data(fr)
	var updates, inserts []merged
	seen, sets := map[int64]bool{}, expression.Evals(m.set.exprs)
	holds := func(e *Expr) bool { return e == nil || e.Eval(fr).IsTrue() }
	query.Each(fr, m.op, func() bool {
		row := merged{Tuple: fr.Slots[m.rel.at.Slot]}
		switch {
		case row.ID == query.Missing:
			if holds(m.insertWhere) {
				row.values = query.Eval(fr, expression.Evals(m.ins.values))
				inserts = append(inserts, row)
			}
		case len(m.set.ords) > 0 && holds(m.where):
			if seen[row.ID] {
				fail(30926)
			}
			seen[row.ID] = true
			row.values = query.Eval(fr, sets)
			for _, slot := range m.slots {
				row.source = append(row.source, fr.Slots[slot])
			}
			updates = append(updates, row)
		}
		return true
	})
	for _, u := range updates {
		r.lock(data, u.Tuple, forever)
	}
	var ch changes
	for _, u := range updates {
		ch.add(fr, x, u.Tuple, m.set.ords, u.values)
	}
	ch.write(fr, x)
	for i, u := range updates {
		if m.deleteWhere == nil {
			break
		}
		for n, slot := range m.slots {
			fr.Slots[slot] = u.source[n]
		}
		fr.Slots[m.rel.at.Slot] = query.Tuple{Row: ch.after[i], ID: u.ID}
		if m.deleteWhere.Eval(fr).IsTrue() { // the row after the update
			x.remove(fr, fr.Slots[m.rel.at.Slot])
		}
	}
	for _, in := range inserts {
		m.ins.insert(fr, in.values)
	}
	return int64(len(updates) + len(inserts))
}
