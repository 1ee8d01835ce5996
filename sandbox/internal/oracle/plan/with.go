package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// cteScope holds a query of a WITH clause and those that could be named before it.
type cteScope struct {
	next *cteScope
	name string
	def  *ast.CommonTable
	in   *binder // where the WITH clause is
	self bool    // its own query is being compiled, which may name itself
}

// commonTables declares the queries of a WITH clause.
func (b *binder) commonTables(list []ast.CommonTable) {
	for i := range list {
		def := &list[i]
		for s := b.ctes; s != nil; s = s.next {
			if s.in == b && s.name == def.Name.Text {
				fail(32037)
			}
		}
		b.ctes = &cteScope{next: b.ctes, name: def.Name.Text, def: def, in: b}
	}
}

// commonTable expands a common table where it is named.
func (b *binder) commonTable(cte *cteScope, alias string) optimizer.Relation {
	if cte.self {
		refuse("a query in WITH that names itself; use CONNECT BY")
	}
	var columns []string
	for _, n := range cte.def.Columns {
		columns = append(columns, n.Text)
	}
	sub := b.beside(nil).inner()
	sub.outer, sub.ctes = cte.in.outer, &cteScope{next: cte.next, name: cte.name, self: true}
	blk := sub.query(cte.def.Query)
	if columns != nil && len(columns) != len(blk.cols) {
		fail(32038)
	}
	b.uses(sub.free, cte.in)
	return b.derived(blk, sub, alias, columns)
}

// uses records, in all queries from b out to that of a WITH clause, what its query uses from outer queries.
func (b *binder) uses(u *expression.Usage, in *binder) {
	for n := b; n != nil; n = n.outer {
		n.free.Add(u.Slots, u.Cols)
		if n == in {
			return
		}
	}
}
