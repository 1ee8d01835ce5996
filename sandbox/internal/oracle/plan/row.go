package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
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

// tableColumns returns the columns of a table whose rows are at a slot.
func tableColumns(t *catalog.Table, at expression.Slot) (out []sourceColumn) {
	for i := range t.Columns {
		col := &t.Columns[i]
		out = append(out, sourceColumn{name: col.Name, e: columnExpr(at, i, col.Type, col.Nullable, col.Name), hidden: col.Hidden})
	}
	return out
}

// addRowid gives the source of a table its ROWID.
func (s *source) addRowid(o *catalog.Object, at expression.Slot) {
	if len(s.cols) == 0 {
		return
	}
	s.rowid = derive(datatype.Of(datatype.Rowid), "ROWID", []*Expr{s.cols[0].e}, func(fr *query.Frame) value.Value {
		row := &fr.Slots[at.Slot]
		if row.ID < 0 { // of an outer join
			return value.Value{}
		}
		return datatype.NewRowid(o.ID, row.ID)
	})
	s.rowid.Name = "ROWID"
}
