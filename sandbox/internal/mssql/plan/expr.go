package plan

import (
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// coercion is how strongly an expression holds its collation
// (learn.microsoft.com "Collation Precedence").
type coercion uint8

const (
	coercible coercion = iota // literal, variable
	implicit                  // column
	explicit                  // COLLATE
)

// expr is an expression that has been bound. Conditions are of type bit inside the binder only; predicates never leave it.
type expr struct {
	expression.Expr[expr]
	Type     datatype.Type
	coll     coercion
	identity bool        // straight from an identity column
	base     bool        // straight from a column of a table that may be written
	literal  bool        // a literal as written (filtered indexes match literals, not variables)
	many     *manyValues // for expression.InQuery
}

// orderBy is an element of ORDER BY.
type orderBy = expression.OrderBy[*expr]

// rules are what T-SQL says about expressions. NULLs come first, last if descending, as in an index.
var rules = expression.Rules[expr, *expr]{
	Condition: func(e expression.Expr[expr]) *expr { return &expr{Expr: e, Type: boolType()} },
	Append: func(dst []byte, _ *query.Frame, v value.Value, of *expr, desc, _ bool) []byte {
		return datatype.AppendKey(dst, v, of.Type, desc)
	},
	Choose: func(fr *query.Frame, n int) int { return env(fr).Kernel().Choose("rows equal in ORDER BY", n) },
}

// manyValues is the right side of col IN (uncorrelated subquery).
type manyValues struct {
	typ  datatype.Type
	keys func(fr *query.Frame) [][]byte
}

func constExpr(v value.Value, t datatype.Type) *expr {
	return &expr{Expr: expression.NewConstant[expr](v, t), Type: t}
}

func columnExpr(at expression.Slot, ord int, t datatype.Type, nullable bool, name string) *expr {
	return &expr{Expr: expression.NewColumn[expr](at, ord, nullable, name), Type: t, coll: implicit}
}

func variableExpr(slot int, t datatype.Type) *expr {
	return &expr{Type: t, Expr: expression.Expr[expr]{
		Shape: expression.Fixed, Null: true, Key: fmt.Sprintf("v%d", slot),
		Eval: func(fr *query.Frame) value.Value { return *env(fr).Var(slot) },
	}}
}

func env(fr *query.Frame) Env { return fr.Env.(Env) }

// derive builds an opaque expression from others.
func derive(t datatype.Type, name string, args []*expr, eval query.Expr) *expr {
	e := &expr{Expr: expression.Derive(name, args, eval), Type: t}
	for _, a := range args {
		if a.Type.IsCharacter() {
			e.coll = max(e.coll, a.coll)
		}
	}
	return e
}

func boolType() datatype.Type { return datatype.Of(datatype.Bit) }
