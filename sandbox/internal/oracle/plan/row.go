package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/bound"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
)

// row compiles an expression over the columns of a table.
func (c *compiler) row(t *catalog.Table, e ast.Expr) *RowExpr {
	at := c.Slot(len(t.Columns))
	src := &source{cols: tableColumns(t, at)}
	c.rowOnly = true
	b := c.binder().with(src)
	b.noSeq, b.noPLS = true, true
	bound := b.bind(e)
	return &RowExpr{Type: bound.Type, Nullable: bound.Null, Pure: !c.foreign, at: at, size: c.Size(), eval: bound.Eval}
}

// tableColumns are the columns of a table whose rows are at a slot.
func tableColumns(t *catalog.Table, at bound.Slot) (out []sourceColumn) {
	for i := range t.Columns {
		if col := &t.Columns[i]; !col.Generated {
			out = append(out, sourceColumn{name: col.Name, e: columnExpr(at, i, col.Type, col.Nullable, col.Name), hidden: col.Hidden})
		}
	}
	return out
}
