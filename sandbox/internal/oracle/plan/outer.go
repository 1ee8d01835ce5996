package plan

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// outerColumn binds a column that is marked with (+).
func (b *binder) outerColumn(x *ast.Outer) *Expr {
	if b.marked == nil {
		fail(30563)
	}
	e := b.bind(x.Of)
	if _, ok := x.Of.(*ast.Ref); !ok || e.Refs.Empty() {
		refuse("(+) behind anything but a column")
	}
	*b.marked = b.marked.Union(e.Refs)
	return e
}

// outerTable is a table that WHERE marks with (+): the conditions that it is joined on, and the other tables that they name.
type outerTable struct {
	on    []ast.Expr
	needs optimizer.Slots
}

// bindWhere binds WHERE; FROM has the given elements. A marked table has NULLs where it has no row for those of the others
// (SQL Language Reference, "Outer Joins").
func (s *selection) bindWhere(rels []optimizer.Relation) {
	b := s.b
	outer := make([]outerTable, len(rels))
	var waiting optimizer.Slots // tables that are not joined yet
	var inner []ast.Expr
	split(s.q.Where, func(e ast.Expr) {
		if !s.marks(e) {
			inner = append(inner, e)
			return
		}
		b.marked = new(optimizer.Slots)
		needs := b.cond(e).Refs.Minus(*b.marked)
		i := slices.IndexFunc(rels, func(r optimizer.Relation) bool { return b.marked.Within(r.Slots()) })
		switch {
		case !b.marked.Within(s.own):
			refuse("(+) behind a column of an outer query")
		case i < 0:
			fail(1468)
		case needs.Meets(rels[i].Slots()):
			refuse("a condition on columns of one table with (+) and without")
		}
		waiting = waiting.Union(rels[i].Slots())
		outer[i] = outerTable{append(outer[i].on, e), outer[i].needs.Union(needs)}
	})
	if waiting == nil {
		s.where = expression.Conjuncts(b.cond(s.q.Where), nil)
		return
	}
	s.rel = nil
	for i, r := range rels {
		if outer[i].on == nil {
			s.rel = optimizer.Cross(s.rel, r)
		}
	}
	for !waiting.Empty() {
		i := slices.IndexFunc(outer, func(t outerTable) bool { return t.on != nil && !t.needs.Meets(waiting) })
		switch {
		case i < 0:
			fail(1416)
		case !outer[i].needs.Meets(s.own):
			refuse("(+) in a query without a table to join to")
		}
		var on []*Expr
		for _, e := range outer[i].on {
			on = expression.Conjuncts(b.cond(e), on)
		}
		s.rel = &optimizer.Join{Kind: query.Left, Left: s.rel, Right: rels[i], On: b.c.conds(on)}
		nullable(b.sources[i:i+1], optimizer.Witness(rels[i]))
		waiting, outer[i].on = waiting.Minus(rels[i].Slots()), nil
	}
	b.marked = nil
	for _, e := range inner {
		s.where = expression.Conjuncts(b.cond(e), s.where)
	}
}

// split yields the conditions that AND combines.
func split(e ast.Expr, yield func(ast.Expr)) {
	if x, ok := e.(*ast.Binary); ok && x.Op == "AND" {
		split(x.X, yield)
		split(x.Y, yield)
		return
	}
	yield(e)
}

// marks reports whether a condition has (+), where it is allowed.
func (s *selection) marks(e ast.Expr) (marked bool) {
	var or, query bool
	walk(e, func(x ast.Expr) bool {
		switch x := x.(type) {
		case *ast.Outer:
			marked = true
		case *ast.Subquery:
			query = true
		case *ast.In:
			or, query = true, query || x.Query != nil
		case *ast.Binary:
			or = or || x.Op == "OR"
		}
		return true
	})
	switch join := func(t ast.TableRef) bool { _, ok := t.(*ast.Join); return ok }; {
	case !marked:
	case query:
		fail(1799)
	case or:
		fail(1719)
	case slices.ContainsFunc(s.q.From, join):
		fail(25156)
	case s.tree != nil:
		refuse("(+) beside CONNECT BY")
	}
	return marked
}
