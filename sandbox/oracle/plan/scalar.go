package plan

import (
	"github.com/dbsched/dbsched/sandbox/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/query"
	"github.com/dbsched/dbsched/sandbox/value"
)

// members is the result of an IN subquery.
type members struct {
	keys map[string]struct{}
	list []value.Value // distinct, not NULL, in key order
	null bool
}

// expr binds an expression; in SQL a condition is an error. It panics SQL errors.
func (b *binder) expr(e ast.Expr) *Expr {
	refuse("expression %T", e)
	return nil
}

// cond binds a condition.
func (b *binder) cond(e ast.Expr) *Expr {
	refuse("condition %T", e)
	return nil
}

// value binds an expression or a condition.
func (b *binder) value(e ast.Expr) *Expr { return b.expr(e) }

var _ query.Expr
