package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// access says which columns conditions can bound. The tables that they name must have been bound.
func (c *compiler) access() *expression.Access[expr, *expr] {
	return &expression.Access[expr, *expr]{
		Column: func(e *expr) (slot, ord int, ok bool) { return e.Slot, e.Ord, c.stored(e) != nil },
		Key: func(_, col, x *expr) optimizer.KeyFunc {
			if !seekable(*c.stored(col), col.Type) {
				return nil
			}
			return imageOf(x, keyType(x.Type, *c.stored(col)))
		},
		Keys: func(cond, col *expr) func(*query.Frame) [][]byte {
			if !seekable(*c.stored(col), cond.many.typ) {
				return nil
			}
			return cond.many.keys
		},
		Image: func(_, side *expr) optimizer.KeyFunc { return imageOf(side, side.Type) },
	}
}

func (c *compiler) conds(list []*expr) []*optimizer.Cond { return c.access().Conds(list) }

// imageOf builds the images of an expression as keys of a type.
func imageOf(e *expr, t datatype.Type) optimizer.KeyFunc {
	return optimizer.Image(e.Eval, func(dst []byte, v value.Value) []byte { return datatype.AppendKey(dst, v, t, false) })
}

// stored returns the type of the column if an expression is a stored column, otherwise nil.
func (c *compiler) stored(e *expr) *datatype.Type {
	if e.Shape != expression.Column || c.tables[e.Slot] == nil {
		return nil
	}
	return &c.tables[e.Slot].table.Columns[e.Ord].Type
}

// keyType is the type to build a key with: the compared type, but for characters and a bare NULL the column's.
func keyType(compared, col datatype.Type) datatype.Type {
	if compared.IsCharacter() || compared.IsUntyped() {
		return col
	}
	return compared
}

// seekable reports whether values of the type in which a column is compared have the same keys as
// the column's own: if not, the column must be converted row by row, and the index is useless. A
// varchar column under an SQL collation that is compared with nvarchar is the well-known case.
func seekable(col, compared datatype.Type) bool {
	calendar := func(t datatype.Type) bool { return t.IsDateTime() && t.ID != datatype.Time }
	whole := func(t datatype.Type) bool { return t.IsInteger() || t.ID == datatype.Bit }
	switch {
	case col.ID == compared.ID:
		return col.Coll == compared.Coll || !col.IsCharacter()
	case whole(col) && whole(compared), col.IsExact() && compared.IsExact(),
		col.IsApproximate() && compared.IsApproximate(), calendar(col) && calendar(compared):
		return true
	case col.IsCharacter() && compared.IsCharacter():
		return col.IsUnicode() == compared.IsUnicode() && col.Coll == compared.Coll
	case col.IsBinary() && compared.IsBinary():
		return true
	}
	return false
}
