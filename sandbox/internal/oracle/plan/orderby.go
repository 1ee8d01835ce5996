package plan

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// orderKey binds an element of ORDER BY: a position, a name of the select list, or an expression.
func (s *selection) orderKey(o ast.OrderItem) orderBy {
	e := position(o.Value, s.cols)
	if ref, ok := o.Value.(*ast.Ref); ok && e == nil && len(ref.Parts) == 1 {
		for _, c := range s.cols {
			if c.name != ref.Parts[0].Text {
				continue
			}
			if e != nil && (e.Key == "" || e.Key != c.e.Key) {
				fail(960)
			}
			e = c.e
		}
	}
	if e == nil {
		s.refuseAlias(o.Value)
		e = s.b.expr(o.Value)
		if s.distinct && e.Shape != expression.Constant {
			i := slices.IndexFunc(s.cols, func(c outColumn) bool { return e.Key != "" && c.e.Key == e.Key })
			if i < 0 {
				fail(1791)
			}
			e = s.cols[i].e
		}
	}
	return s.b.keyOf(e, o)
}

// refuseAlias refuses an alias of the select list in an expression of ORDER BY, where it is not a column.
func (s *selection) refuseAlias(e ast.Expr) {
	walk(e, func(n ast.Expr) bool {
		if ref, ok := n.(*ast.Ref); ok && len(ref.Parts) == 1 {
			for _, item := range s.q.Items {
				if aliasOf(item.Alias) == ref.Parts[0].Text && s.b.local(ref) == nil {
					refuse("alias %s in an expression of ORDER BY", ref)
				}
			}
		}
		return true
	})
}

// position returns the column that ORDER BY names by its number; nil: it is not a number.
func position(e ast.Expr, cols []outColumn) *Expr {
	n, ok := e.(*ast.Number)
	if !ok {
		return nil
	}
	v, _ := datatype.ParseNumber(n.Text)
	i, whole := datatype.Whole(v)
	if !whole || i < 1 || i > int64(len(cols)) {
		fail(1785)
	}
	return cols[i-1].e
}

func (b *binder) keyOf(e *Expr, o ast.OrderItem) orderBy {
	b.sortable(e)
	return orderBy{E: e, Desc: o.Desc, Moved: o.Nulls != "" && o.Desc != (o.Nulls == ast.NullsFirst)}
}

// orderKeys binds an ORDER BY where positions and aliases mean nothing.
func (b *binder) orderKeys(items []ast.OrderItem) []orderBy {
	out := make([]orderBy, len(items))
	for i, it := range items {
		out[i] = b.keyOf(b.expr(it.Value), it)
	}
	return out
}

// sortable refuses to sort or group LOBs, records and the like.
func (b *binder) sortable(e *Expr) {
	b.scalars("ORDER BY", e)
	if e.Type.IsLOB() {
		query.Check(datatype.ErrInconsistent("-", e.Type))
	}
}
