package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// conds tells the optimizer what it needs to know of conditions. The tables that they name must have been
// bound.
func (c *compiler) conds(list []*expr) []*optimizer.Cond {
	out := make([]*optimizer.Cond, len(list))
	for i, e := range list {
		out[i] = &optimizer.Cond{Eval: e.eval, Refs: e.refs, Cols: e.cols, PerRow: e.perRow, Bounds: c.bounds(e), Of: e}
		if e.shape == compare && e.op == datatype.Equal {
			out[i].Equal = &optimizer.Equality{Left: side(e.args[0]), Right: side(e.args[1])}
		}
	}
	return out
}

func side(e *expr) optimizer.Side { return optimizer.Side{Refs: e.refs, Key: imageOf(e, e.typ)} }

// imageOf makes the images of an expression as those of a type.
func imageOf(e *expr, t datatype.Type) optimizer.KeyFunc {
	return optimizer.Image(e.eval, func(dst []byte, v value.Value) []byte { return datatype.AppendKey(dst, v, t, false) })
}

var boundOps = map[datatype.CompareOp]optimizer.Op{
	datatype.Equal: optimizer.Equal, datatype.Less: optimizer.Less, datatype.LessEqual: optimizer.LessEqual,
	datatype.Greater: optimizer.Greater, datatype.GreaterEqual: optimizer.GreaterEqual,
}

// bounds finds the columns of tables that a condition can bound.
func (c *compiler) bounds(e *expr) (out []optimizer.Bound) {
	if e.perRow {
		return nil
	}
	switch e.shape {
	case compare:
		if e.op != datatype.NotEqual {
			out = c.bound(out, e.args[0], e.op, e.args[1])
			out = c.bound(out, e.args[1], flip(e.op), e.args[0])
		}
	case isNull:
		if a := e.args[0]; c.stored(a) != nil {
			out = append(out, optimizer.Bound{Slot: a.slot, Ord: a.ord, Op: optimizer.IsNull})
		}
	case not:
		if in := e.args[0]; in.shape == isNull && c.stored(in.args[0]) != nil {
			out = append(out, optimizer.Bound{Slot: in.args[0].slot, Ord: in.args[0].ord, Op: optimizer.NotNull})
		}
	case inList, or:
		parts := make([][]optimizer.Bound, len(e.args))
		for i, a := range e.args {
			parts[i] = c.bounds(a)
		}
		return optimizer.Either(parts...)
	case inQuery:
		if a := e.args[0]; c.stored(a) != nil && seekable(*c.stored(a), e.many.typ) {
			out = append(out, optimizer.Bound{Slot: a.slot, Ord: a.ord, Op: optimizer.In, Keys: e.many.keys})
		}
	case exists:
		if e.semi != nil {
			return c.bounds(e.semi.in)
		}
	}
	return out
}

// bound adds what a op b says about a, if that is a column.
func (c *compiler) bound(out []optimizer.Bound, a *expr, op datatype.CompareOp, b *expr) []optimizer.Bound {
	col := c.stored(a)
	if col == nil || b.refs.Has(a.slot) || b.perRow || !seekable(*col, a.typ) {
		return out
	}
	return append(out, optimizer.Bound{Slot: a.slot, Ord: a.ord, Op: boundOps[op], Key: imageOf(b, keyType(b.typ, *col)), Refs: b.refs})
}

// stored returns the type of the stored column that an expression is; nil: it is something else.
func (c *compiler) stored(e *expr) *datatype.Type {
	if e.shape != column || c.tables[e.slot] == nil {
		return nil
	}
	return &c.tables[e.slot].table.Columns[e.ord].Type
}

func flip(op datatype.CompareOp) datatype.CompareOp {
	switch op {
	case datatype.Less:
		return datatype.Greater
	case datatype.LessEqual:
		return datatype.GreaterEqual
	case datatype.Greater:
		return datatype.Less
	case datatype.GreaterEqual:
		return datatype.LessEqual
	}
	return op
}

// keyType is the type to make a key with: the compared one, which has the keys of the column's.
func keyType(compared, col datatype.Type) datatype.Type {
	if compared.IsCharacter() || compared.IsUntyped() {
		return col
	}
	return compared
}

// seekable reports whether values of the type in which a column is compared have the same keys as
// the column's own: else the column must be converted row by row, and the index is of no use. A
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
