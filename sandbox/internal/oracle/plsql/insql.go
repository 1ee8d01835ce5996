package plsql

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// CallInSQL compiles the call of a stored function in a SQL statement that is not part of PL/SQL: for Operand of a
// session's scope. It returns nil if the name is not a unit's.
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
			fail(e, 221, text(e))
		default:
			out = d.sql
		}
		return nil
	})
	if err != nil {
		err = wordedInSQL(asError(err))
	}
	return out, err
}

// wordedInSQL formats an error of PL/SQL's compiler as a SQL statement has it: ORA-06553 and the number without zeros.
func wordedInSQL(e *sqlerr.Error) error {
	var number int
	if _, err := fmt.Sscanf(e.Text, "PLS-%d", &number); err != nil || e.Number != 6550 {
		return e
	}
	if number == 905 {
		return message.ORA(6575, strings.Fields(e.Text)[2])
	}
	if number == 382 { // the function exists and can be called, but its result is not usable in SQL
		return message.ORA(6552, number, e.Text[len("PLS-00000"):])
	}
	return message.ORA(6553, number, e.Text[len("PLS-00000"):])
}

// sqlCaller is the kind of SQL statement that called the running function.
type sqlCaller uint8

const (
	noSQL   sqlCaller = iota // none, or it runs in an autonomous transaction
	someSQL                  // a query or DML
	aQuery
)

// inSQL wraps an invocation for a SQL statement.
func inSQL(invoke invocation, query bool) invocation {
	return func(f *frame, values []value.Value, defaults func(outer *frame)) value.Value {
		before := f.st.caller
		defer func() { f.st.caller = before }()
		f.st.caller = someSQL
		if query {
			f.st.caller = aQuery
		}
		var out value.Value
		if e := f.try(func() { out = invoke(f, values, defaults) }); e != nil && e.Number != 1403 {
			panic(e)
		}
		return out // in SQL, NO_DATA_FOUND from a function is NULL
	}
}

// mayWrite raises ORA-14551 in a function that a query calls. What a function called by DML may write (anything but
// the statement's table) is not modeled.
func (f *frame) mayWrite() {
	switch f.st.caller {
	case aQuery:
		raise(message.ORA(14551))
	case someSQL:
		raise(sqlerr.NotSupported("DML in a function that a SQL statement calls"))
	}
}

// mayCommit raises ORA-14552 in a function that a SQL statement calls.
func (f *frame) mayCommit() {
	if f.st.caller != noSQL {
		raise(message.ORA(14552))
	}
}
