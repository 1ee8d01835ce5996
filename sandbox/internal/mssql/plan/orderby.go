package plan

import (
	"strconv"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
)

// bindOrder binds ORDER BY: ordinals, names of the select list, expressions.
func (s *selection) bindOrder(c *ast.OrderByClause) {
	for _, el := range c.OrderByElements {
		e := s.orderExpr(el.Expression)
		if !e.Type.IsComparable() && !e.Type.IsUntyped() {
			panic(message.MS(306))
		}
		s.order = append(s.order, orderBy{E: e, Desc: el.SortOrder == "Descending"})
	}
}

func (s *selection) orderExpr(e ast.ScalarExpression) *expr {
	if lit, ok := e.(*ast.IntegerLiteral); ok {
		i, err := strconv.Atoi(lit.Value)
		if err != nil || i < 1 || i > len(s.cols) {
			panic(message.MS(108, lit.Value))
		}
		return s.cols[i-1].e
	}
	if ref, ok := e.(*ast.ColumnReferenceExpression); ok && ref.Collation == nil {
		if parts := idents(ref.MultiPartIdentifier); len(parts) == 1 {
			var found *expr
			for i := range s.cols {
				if s.cols[i].name != "" && s.n.same(s.cols[i].name, parts[0]) {
					if found != nil && found.Key != s.cols[i].e.Key {
						panic(message.MS(209, parts[0]))
					}
					found = s.cols[i].e
				}
			}
			if found != nil {
				return found
			}
		}
	}
	b := s.n.scalar(e)
	if b.Shape == expression.Constant {
		panic(message.MS(408, len(s.order)+1))
	}
	if s.distinct {
		for i := range s.cols {
			if b.Key != "" && s.cols[i].e.Key == b.Key {
				return s.cols[i].e
			}
		}
		panic(message.MS(145))
	}
	return b
}
