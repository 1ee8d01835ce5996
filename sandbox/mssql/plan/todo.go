package plan

import (
	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/sqlerr"
)

func (n *names) forClause(q *ast.QuerySpecification, qc queryContext) *block {
	panic(sqlerr.NotSupported("FOR clause"))
}
func (n *names) method(x *ast.FunctionCall) *expr                           { panic(sqlerr.NotSupported("method call")) }
func (n *names) semijoin(q ast.QueryExpression, b *block, sub *names) *expr { return nil }
func (n *names) openJSON(x *ast.OpenJsonTableReference, lateral *names) relation {
	panic(sqlerr.NotSupported("OPENJSON"))
}
func (n *names) globalFunction(x *ast.GlobalFunctionTableReference, lateral *names) relation {
	panic(sqlerr.NotSupported("table function"))
}
