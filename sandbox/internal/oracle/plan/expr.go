package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Expr is an expression that has been bound. A condition is of type BOOLEAN.
type Expr struct {
	expression.Expr[Expr]
	Type      datatype.Type
	Composite any // a PL/SQL type other than a scalar (record, collection, cursor), defined by package plsql; Type is then zero

	in   datatype.Type                  // the type in which a comparison compares
	many func(fr *query.Frame) *members // for expression.InQuery
	size expression.Size                // for a whole expression: what its frame needs
}

// orderBy is an element of ORDER BY.
type orderBy = expression.OrderBy[*Expr]

// rules are Oracle's rules for expressions. NULLs come last, first if descending, as in an index.
var rules = expression.Rules[Expr, *Expr]{
	Condition: func(e expression.Expr[Expr]) *Expr { return &Expr{Expr: e, Type: boolean} },
	Append: func(dst []byte, fr *query.Frame, v value.Value, of *Expr, desc, moved bool) []byte {
		return datatype.AppendKey(dst, v, collated(fr, of.Type), desc, desc != moved)
	},
	Choose: func(fr *query.Frame, n int) int { return env(fr).Task().Kernel().Choose("rows equal in ORDER BY", n) },
}

// Constant returns an expression of one value.
func Constant(v value.Value, t datatype.Type) *Expr {
	return &Expr{Expr: expression.NewConstant[Expr](v, t), Type: t}
}

// Fixed returns an expression that has one value throughout a SQL statement, in which it is evaluated once, when the
// statement starts: a variable, a bind, SYSDATE, USER. Equal keys must mean the same thing.
func Fixed(key string, t datatype.Type, eval query.Expr) *Expr {
	return &Expr{Type: t, Expr: expression.Expr[Expr]{Shape: expression.Fixed, Null: true, Key: "f:" + key, Eval: eval}}
}

// Computed returns a function of arguments that always gives the same result for the same arguments.
func Computed(name string, t datatype.Type, args []*Expr, eval query.Expr) *Expr {
	return derive(t, name, args, eval)
}

// Volatile returns a function of arguments that is called again for each row: a user-defined function, SYS_GUID.
func Volatile(name string, t datatype.Type, args []*Expr, eval query.Expr) *Expr {
	e := derive(t, name, args, eval)
	e.PerRow, e.Key, e.Shape, e.Null = true, "", expression.Opaque, true
	return e
}

// ConstantValue returns the value of an expression that is a constant.
func (e *Expr) ConstantValue() (value.Value, bool) { return e.Const, e.Shape == expression.Constant }

func columnExpr(at expression.Slot, ord int, t datatype.Type, nullable bool, name string) *Expr {
	return &Expr{Expr: expression.NewColumn[Expr](at, ord, nullable, name), Type: t}
}

func env(fr *query.Frame) Env { return fr.Env.(Env) }

// derive makes an opaque expression from others.
func derive(t datatype.Type, name string, args []*Expr, eval query.Expr) *Expr {
	return &Expr{Expr: expression.Derive(name, args, eval), Type: t}
}
