package plan

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// assignment gives columns their values.
type assignment struct {
	ords  []int
	exprs []*Expr // to be evaluated in this order
}

// assignments binds a SET list; b sees the row as it is.
func (x *target) assignments(b *binder, list []ast.Assignment) (out assignment) {
	for i := range list {
		a := &list[i]
		var ords []int
		for _, ref := range a.Columns {
			ord := x.columnNamed(ref)
			col := &x.table.Columns[ord]
			switch {
			case slices.Contains(out.ords, ord) || slices.Contains(ords, ord):
				fail(957)
			case col.Virtual != nil:
				fail(54017)
			case col.Identity != nil && col.Identity.Kind == ast.GeneratedAlways:
				fail(32796)
			}
			ords = append(ords, ord)
		}
		out.ords = append(out.ords, ords...)
		switch v := a.Value.(type) {
		case *ast.Default:
			out.exprs = append(out.exprs, x.defaultOf(ords[0]))
		default:
			out.exprs = append(out.exprs, x.toColumn(b.expr(v), ords[0]))
		}
	}
	return out
}

// finder finds the rows that UPDATE or DELETE changes.
type finder struct {
	op query.Op
	at expression.Slot
}

// find binds WHERE: afterwards b sees the table's rows. The returned function plans the search for rows whose
// given expressions are needed.
func (b *binder) find(x *target, where ast.Expr) func(need []*Expr) finder {
	rel, src := b.stored(x.object, x.name)
	b.sources = []*source{src}
	s := &selection{b: b, q: &ast.Select{}, rel: rel.rel, own: rel.rel.Slots(), rownum: b.c.Slot(1), blk: &block{}}
	b.pseudo = map[string]*Expr{"ROWNUM": columnExpr(s.rownum, 0, datatype.Of(datatype.Number), false, "ROWNUM")}
	if where != nil {
		b.noSeq = true
		s.where = expression.Conjuncts(b.cond(where), nil)
		b.noSeq = false
	}
	return func(need []*Expr) finder {
		s.cols = append(s.cols, outColumn{e: rel.whole()})
		for _, e := range need {
			s.cols = append(s.cols, outColumn{e: e})
		}
		pl, _ := s.plan()
		b.c.paths = append(b.c.paths, pl.Access...)
		return finder{pl.Op, rel.at}
	}
}

// found is a row to be changed and its new values.
type found struct {
	query.Tuple
	values value.Row
}

// rows reads the rows to be changed and locks them.
func (f finder) rows(fr *query.Frame, x *target, values []query.Expr) []found {
	var list []found
	query.Each(fr, f.op, func() bool {
		list = append(list, found{fr.Slots[f.at.Slot], query.Eval(fr, values)})
		return true
	})
	data := x.data(fr)
	for _, r := range list {
		runOf(fr).lock(data, r.Tuple, forever)
	}
	return list
}

// update compiles an UPDATE.
func (b *binder) update(out *Statement, st *ast.Update) {
	out.Kind = Update
	x := b.target(st.Table, "UPDATE")
	out.into = x.table
	plan := b.find(x, st.Where)
	set := x.assignments(b, st.Sets)
	f := plan(set.exprs)
	x.bindReturning(out, b, st.Returning)
	values := expression.Evals(set.exprs)
	out.change = func(fr *query.Frame, emit func(value.Row)) int64 {
		var ch changes
		for _, r := range f.rows(fr, x, values) {
			ch.add(fr, x, r.Tuple, set.ords, r.values)
		}
		ch.write(fr, x)
		for i, id := range ch.ids {
			x.returned(fr, id, ch.after[i], emit)
		}
		return int64(len(ch.ids))
	}
}

// changes are rows that are being replaced.
type changes struct {
	ids   []store.RowID
	after []value.Row
}

func (ch *changes) add(fr *query.Frame, x *target, r query.Tuple, ords []int, values value.Row) {
	row := slices.Clone(r.Row)
	for i, ord := range ords {
		row[ord] = values[i]
	}
	x.finish(fr, store.RowID(r.ID), row, ords)
	ch.ids, ch.after = append(ch.ids, store.RowID(r.ID)), append(ch.after, row)
}

// write replaces the rows; keys have to be unique only at the end.
func (ch *changes) write(fr *query.Frame, x *target) {
	x.stored(env(fr).Txn().UpdateAll(x.data(fr), ch.ids, ch.after))
}

// delete compiles a DELETE.
func (b *binder) delete(out *Statement, st *ast.Delete) {
	out.Kind = Delete
	x := b.target(st.Table, "DELETE")
	out.into = x.table
	f := b.find(x, st.Where)(nil)
	x.bindReturning(out, b, st.Returning)
	out.change = func(fr *query.Frame, emit func(value.Row)) (n int64) {
		for _, r := range f.rows(fr, x, nil) {
			x.remove(fr, r.Tuple)
			x.returned(fr, store.RowID(r.ID), r.Row, emit)
			n++
		}
		return n
	}
}

// remove deletes a row.
func (x *target) remove(fr *query.Frame, r query.Tuple) {
	x.stored(env(fr).Txn().Delete(x.data(fr), store.RowID(r.ID)))
}
