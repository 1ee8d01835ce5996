package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/syntax"
)

// walk calls fn for an expression and, where it returns true, for the nodes in it; not for those of subqueries.
func walk(e ast.Expr, fn func(ast.Expr) bool) {
	syntax.Walk(e, func(node any) bool {
		switch x := node.(type) {
		case *ast.Query, *ast.DataType:
			return false
		case ast.Expr:
			return fn(x)
		}
		return true
	})
}
