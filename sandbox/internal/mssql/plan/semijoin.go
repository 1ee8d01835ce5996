package plan

import (
	"slices"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
)

// semijoin turns EXISTS (SELECT … FROM x WHERE x.c = t.col AND rest), with x a table variable, temporary
// table or constructor and rest about x alone, into t.col IN (SELECT c FROM x WHERE rest): the few rows of x
// then drive an index seek of t. nil: it is not such a query.
func (n *names) semijoin(q ast.QueryExpression, b *block, sub *names) *expr {
	if !b.simple || b.perRow || !n.c.small(b.rel) {
		return nil
	}
	own := b.rel.Slots()
	var link *expr
	var rest []*optimizer.Cond
	for _, c := range b.where {
		e := c.Of.(*expr)
		switch {
		case c.Refs.Within(own):
			rest = append(rest, c)
		case link == nil && e.Shape == expression.Compare && e.Op == optimizer.Equal:
			link = e
		default:
			return nil
		}
	}
	if link == nil {
		return nil
	}
	outer, inner := link.Args[0], link.Args[1]
	if outer.Refs.Meets(own) {
		outer, inner = inner, outer
	}
	if outer.Shape != expression.Column || outer.Refs.Meets(own) || !inner.Refs.Within(own) || inner.Refs.Empty() {
		return nil
	}
	s := &selection{n: sub, rel: b.rel, where: rest, own: own, cols: []outColumn{{e: inner}}}
	return n.inUncorrelated(outer, &block{cols: s.cols, build: s.plan})
}

// small reports whether a relation has only few rows, and none that others could have locked.
func (c *compiler) small(r optimizer.Relation) bool {
	switch x := r.(type) {
	case *optimizer.Table:
		t := c.tables[x.Slot]
		return t.variable >= 0 || t.table.Temp
	case *optimizer.Source:
		derived := slices.ContainsFunc(x.Sets.List(), func(slot int) bool { return c.opaque[slot] != nil })
		return x.Deps.Empty() && x.Rows <= optimizer.TempRows && !derived
	case *optimizer.Filtered:
		return c.small(x.Of)
	}
	return false
}
