package plan

import (
	"github.com/dbsched/dbsched/sandbox/optimizer"
	"github.com/dbsched/dbsched/sandbox/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/query"
)

// block is a query that has been bound.
type block struct {
	cols   []outColumn
	perRow bool // has something that is evaluated anew each time
	one    bool // only its first row is asked for: EXISTS

	// A simple block selects, filters and joins, no more: it can be merged into the query around it.
	simple bool
	rel    optimizer.Relation
	where  []*Expr
	build  func() (optimizer.Plan, []*Expr)
	c      *compiler
}

// plan builds the block on its own; out are its columns after the operator has moved to a row.
func (b *block) plan() (op query.Op, out []*Expr) {
	pl, out := b.build()
	b.c.access = append(b.c.access, pl.Access...)
	return pl.Op, out
}

// cteScope is the queries of WITH clauses that can be named.
type cteScope struct{ next *cteScope }

// query binds a query; b are the names around it (see inner), and becomes those of the query itself: what it uses of
// queries further out is in b.free after that.
func (b *binder) query(q *ast.Query) *block {
	refuse("query %T", q)
	return nil
}
