package plan

import (
	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/mssql/datatype"
)

// semijoin turns EXISTS (SELECT … FROM x WHERE x.c = t.col AND rest), with x a table variable, temporary
// table or constructor and rest about x alone, into t.col IN (SELECT c FROM x WHERE rest): the few rows of x
// then drive an index seek of t. nil: it is not of that kind.
func (n *names) semijoin(q ast.QueryExpression, b *block, sub *names) *expr {
	if !b.simple || b.perRow || !small(b.rel) {
		return nil
	}
	own := b.rel.slots()
	var link *expr
	var rest []*expr
	for _, e := range b.where {
		switch {
		case e.refs.within(own):
			rest = append(rest, e)
		case link == nil && e.shape == compare && e.op == datatype.Equal:
			link = e
		default:
			return nil
		}
	}
	if link == nil {
		return nil
	}
	outer, inner := link.args[0], link.args[1]
	if outer.refs.meets(own) {
		outer, inner = inner, outer
	}
	if outer.shape != column || outer.refs.meets(own) || !inner.refs.within(own) || inner.refs.empty() {
		return nil
	}
	s := &selection{n: sub, rel: b.rel, where: rest, own: own, cols: []outColumn{{e: inner}}}
	return n.inUncorrelated(outer, &block{cols: s.cols, build: s.plan})
}

// small reports whether a relation has only few rows, and none that others could have locked.
func small(r relation) bool {
	switch x := r.(type) {
	case *tableRel:
		return x.variable >= 0 || x.table.Temp
	case *opRel:
		return x.deps.empty() && x.rows <= tempRows && len(x.through) == 0
	case *filterRel:
		return small(x.r)
	}
	return false
}
