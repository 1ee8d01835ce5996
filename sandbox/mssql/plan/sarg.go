package plan

import (
	"github.com/dbsched/dbsched/sandbox/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/query"
	"github.com/dbsched/dbsched/sandbox/value"
)

// sarg is a condition that can bound a column of an index.
type sarg struct {
	cond *expr
	ord  int
	op   datatype.CompareOp                  // Equal also for IS NULL and IN
	with *expr                               // the other side
	many func(fr *query.Frame) []value.Value // IN: several values
	null bool                                // IS NULL, or with Greater: IS NOT NULL
	refs slotSet                             // what the values depend on
}

// sargs finds the conditions that can bound columns of t.
func (p *planner) sargs(t *tableRel, conds []*expr) (out []sarg) {
	for _, c := range conds {
		if s, ok := sargOf(t, c); ok {
			out = append(out, s)
		}
	}
	return out
}

func sargOf(t *tableRel, c *expr) (sarg, bool) {
	none := sarg{}
	if c.perRow {
		return none, false
	}
	mine := func(e *expr) bool { return e.shape == column && e.slot == t.at.slot }
	other := func(e *expr) bool { return !e.refs.has(t.at.slot) && !e.perRow }
	switch c.shape {
	case compare:
		a, b, op := c.args[0], c.args[1], c.op
		if !mine(a) {
			a, b = b, a
			op = flip(op)
		}
		if op == datatype.NotEqual || !mine(a) || !other(b) || !seekable(t.table.Columns[a.ord].Type, a.typ) {
			return none, false
		}
		return sarg{cond: c, ord: a.ord, op: op, with: b, refs: b.refs}, true
	case isNull:
		if a := c.args[0]; mine(a) {
			return sarg{cond: c, ord: a.ord, op: datatype.Equal, null: true}, true
		}
	case not:
		if in := c.args[0]; in.shape == isNull && mine(in.args[0]) {
			return sarg{cond: c, ord: in.args[0].ord, op: datatype.Greater, null: true}, true
		}
	case inList, or:
		var parts []sarg
		for _, x := range c.args {
			s, ok := sargOf(t, x)
			if !ok || s.op != datatype.Equal || s.many != nil || len(parts) > 0 && s.ord != parts[0].ord {
				return none, false
			}
			parts = append(parts, s)
		}
		out := sarg{cond: c, ord: parts[0].ord, op: datatype.Equal}
		for _, s := range parts {
			out.refs = out.refs.union(s.refs)
			out.null = out.null || s.null
		}
		out.many = func(fr *query.Frame) (vals []value.Value) {
			for _, s := range parts {
				if s.null {
					vals = append(vals, value.Value{})
				} else if v := s.with.eval(fr); !v.IsNull() {
					vals = append(vals, v)
				}
			}
			return vals
		}
		return out, true
	case inQuery:
		if a := c.args[0]; mine(a) && seekable(t.table.Columns[a.ord].Type, c.many.typ) {
			return sarg{cond: c, ord: a.ord, op: datatype.Equal, many: c.many.values}, true
		}
	case exists:
		if c.semi != nil {
			if s, ok := sargOf(t, c.semi.in); ok {
				s.cond = c
				return s, true
			}
		}
	}
	return none, false
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
