package plsql

import (
	"fmt"

	"github.com/dbsched/dbsched/sandbox/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/query"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
)

// CallInSQL compiles the call of a stored function in a SQL statement that is not part of PL/SQL: for the Operand of a
// session's scope. It returns nil if the name is no unit's.
func CallInSQL(lib Library, e ast.Expr, sub func(ast.Expr) *plan.Expr) (out *plan.Expr, err error) {
	err = query.Catch(func() error {
		c := &compiler{lib: lib, fn: &function{}, sub: sub}
		c.push("")
		x := c.resolve(e)
		if o, ok := x.(*overloads); ok {
			x = c.call(e, o, nil)
		}
		switch d, ok := x.(*designator); {
		case x == nil:
		case !ok || d.sql == nil: // a variable, a constant, a type
			fail(e, 221, "'%s' is not a procedure or is undefined", text(e))
		default:
			out = d.sql
		}
		return nil
	})
	if err != nil {
		err = inSQL(asError(err))
	}
	return out, err
}

// inSQL words an error of PL/SQL's compiler as a SQL statement has it: ORA-06553 and the number without zeros.
func inSQL(e *sqlerr.Error) error {
	var number int
	if _, err := fmt.Sscanf(e.Text, "PLS-%d", &number); err != nil || e.Number != 6550 {
		return e
	}
	return sqlerr.New(6553, "PLS-%d%s", number, e.Text[len("PLS-00000"):])
}
