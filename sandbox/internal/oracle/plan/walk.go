package plan

import "github.com/dbsched/dbsched/sandbox/internal/oracle/ast"

// walk calls fn for an expression and, where it returns true, for the expressions in it; not for those of subqueries.
func walk(e ast.Expr, fn func(ast.Expr) bool) {
	if e == nil || !fn(e) {
		return
	}
	all := func(list ...ast.Expr) {
		for _, x := range list {
			walk(x, fn)
		}
	}
	order := func(items []ast.OrderItem) {
		for _, o := range items {
			walk(o.Value, fn)
		}
	}
	switch x := e.(type) {
	case *ast.Call:
		walk(x.Func, fn)
		for _, a := range x.Args {
			walk(a.Value, fn)
		}
		order(x.Within)
		if x.Over != nil {
			all(x.Over.PartitionBy...)
			order(x.Over.OrderBy)
		}
	case *ast.Field:
		walk(x.Of, fn)
	case *ast.Attribute:
		walk(x.Of, fn)
	case *ast.Outer:
		walk(x.Of, fn)
	case *ast.Unary:
		walk(x.X, fn)
	case *ast.Binary:
		all(x.X, x.Y)
	case *ast.Tuple:
		all(x.Items...)
	case *ast.Case:
		walk(x.Operand, fn)
		for _, w := range x.Whens {
			all(w.Cond, w.Result)
		}
		walk(x.Else, fn)
	case *ast.Cast:
		walk(x.X, fn)
	case *ast.Extract:
		walk(x.X, fn)
	case *ast.Trim:
		all(x.Chars, x.X)
	case *ast.Between:
		all(x.X, x.Low, x.High)
	case *ast.In:
		walk(x.X, fn)
		all(x.List...)
	case *ast.Like:
		all(x.X, x.Pattern, x.Escape)
	case *ast.IsNull:
		walk(x.X, fn)
	case *ast.Quantified:
		walk(x.X, fn)
		all(x.List...)
	case *ast.AtTimeZone:
		all(x.X, x.Zone)
	case *ast.ToInterval:
		walk(x.X, fn)
	}
}
