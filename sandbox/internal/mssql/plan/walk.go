package plan

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/syntax"
)

// hasAggregate reports whether an expression calls an aggregate of the query that contains it.
func hasAggregate(e any) bool {
	found := false
	syntax.Walk(e, func(node any) bool {
		switch x := node.(type) {
		case *ast.ScalarSubquery, *ast.ExistsPredicate:
			return false
		case *ast.BooleanInExpression:
			return x.Subquery == nil || !found
		case *ast.QuerySpecification, *ast.BinaryQueryExpression:
			return false
		case *ast.FunctionCall:
			if x.OverClause == nil && x.CallTarget == nil && isAggregate(x.FunctionName.Value) {
				found = true
			}
			if x.OverClause != nil { // its arguments may be aggregates of the group
				for _, p := range x.Parameters {
					found = found || hasAggregate(p)
				}
				found = found || hasAggregate(x.OverClause)
				return false
			}
		}
		return !found
	})
	return found
}

// hasAggregateIn reports whether a query without GROUP BY is one group because of its aggregates.
func hasAggregateIn(q *ast.QuerySpecification) bool {
	for _, e := range q.SelectElements {
		if hasAggregate(e) {
			return true
		}
	}
	return q.OrderByClause != nil && hasAggregate(q.OrderByClause)
}

// mentions reports whether a query names a table without a schema.
func mentions(q any, name string) bool {
	found := false
	syntax.Walk(q, func(node any) bool {
		if t, ok := node.(*ast.NamedTableReference); ok && t.SchemaObject.SchemaIdentifier == nil && strings.EqualFold(t.SchemaObject.BaseIdentifier.Value, name) {
			found = true
		}
		return !found
	})
	return found
}
