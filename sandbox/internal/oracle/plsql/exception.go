package plsql

import (
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// predefined returns an exception of STANDARD, or nil (Language Reference, "Predefined Exceptions").
func predefined(name string) *exception {
	number, ok := map[string]int32{
		"ACCESS_INTO_NULL": 6530, "CASE_NOT_FOUND": 6592, "COLLECTION_IS_NULL": 6531, "CURSOR_ALREADY_OPEN": 6511,
		"DUP_VAL_ON_INDEX": 1, "INVALID_CURSOR": 1001, "INVALID_NUMBER": 1722, "LOGIN_DENIED": 1017,
		"NO_DATA_FOUND": 1403, "NO_DATA_NEEDED": 6548, "NOT_LOGGED_ON": 1012, "PROGRAM_ERROR": 6501,
		"ROWTYPE_MISMATCH": 6504, "SELF_IS_NULL": 30625, "STORAGE_ERROR": 6500, "SUBSCRIPT_BEYOND_COUNT": 6533,
		"SUBSCRIPT_OUTSIDE_LIMIT": 6532, "SYS_INVALID_ROWID": 1410, "TIMEOUT_ON_RESOURCE": 51, "TOO_MANY_ROWS": 1422,
		"VALUE_ERROR": 6502, "ZERO_DIVIDE": 1476,
	}[name]
	if !ok {
		return nil
	}
	return &exception{name: name, number: number}
}

// bareMessage returns the text of an error without arguments, for RAISE and SQLERRM(n); those of others are unknown here.
func bareMessage(number int32) string {
	if number >= 20000 && number <= 20999 {
		return ""
	}
	if text := message.Bare(number); text != "" {
		return text
	}
	return fmt.Sprintf("Message %d not found;  product=RDBMS; facility=ORA", number)
}

// exception finds the exception with a name.
func (c *compiler) exception(ref *ast.Ref) *exception {
	x, rest := c.lookup(ref)
	if x == nil {
		undeclared(ref, ref.String())
	}
	e, ok := x.(*exception)
	if !ok || len(rest) > 0 {
		fail(ref, 485, ref)
	}
	return e
}

// matches reports whether a handler of the exception handles an error.
func (x *exception) matches(e *sqlerr.Error) bool {
	if r := raisedOf(e); r != nil && r.exception != nil {
		return r.exception == x
	}
	return x.number != 0 && x.number == e.Number
}

// error returns the error that RAISE raises.
func (x *exception) error() *sqlerr.Error {
	cause := &raised{}
	number := x.number
	if number == 0 {
		number, cause.exception = 6510, x
	}
	return &sqlerr.Error{Number: number, Severity: 16, State: 1, Text: bareMessage(number), Cause: cause}
}

// code returns SQLCODE for an error.
func code(e *sqlerr.Error) int64 {
	switch r := raisedOf(e); {
	case r != nil && r.exception != nil:
		return 1
	case e.Number == 1403:
		return 100
	}
	return -int64(e.Number)
}

// errm returns SQLERRM for a number.
func errm(n int64) string {
	switch {
	case n == 0:
		return "ORA-0000: normal, successful completion"
	case n == 1:
		return "User-Defined Exception"
	case n == 100:
		return line(message.ORA(1403))
	case n > 0:
		return fmt.Sprintf("-%d: non-ORACLE exception ", n)
	case n < -65535:
		return fmt.Sprintf("ORA%d: non-ORACLE exception ", n)
	}
	return fmt.Sprintf("ORA-%05d: %s", -n, bareMessage(int32(-n)))
}

// special compiles SQLCODE and SQLERRM; nil for anything else.
func (c *compiler) special(e ast.Expr) *plan.Expr {
	name, args := "", []ast.Arg(nil)
	switch e := e.(type) {
	case *ast.Ref:
		name = e.Word()
	case *ast.Call:
		if ref, ok := e.Func.(*ast.Ref); ok && ref.Word() == "SQLERRM" && len(e.Args) == 1 {
			name, args = "SQLERRM", e.Args
		}
	}
	text := datatype.Sized(datatype.Varchar2, 512)
	switch {
	case name == "SQLCODE":
		return plan.Volatile(name, datatype.Of(datatype.PLSInteger), nil, func(fr *query.Frame) value.Value {
			e := act(fr).st.handling
			if e == nil {
				return value.NewInt(0)
			}
			return value.NewInt(code(e))
		})
	case name == "SQLERRM" && args == nil:
		return plan.Volatile(name, text, nil, func(fr *query.Frame) value.Value {
			e := act(fr).st.handling
			switch {
			case e == nil:
				return value.NewString(errm(0))
			case code(e) == 1:
				return value.NewString(errm(1))
			}
			s := line(e)
			for r := raisedOf(e); r != nil && r.under != nil; r = raisedOf(r.under) {
				s += "\n" + line(r.under)
			}
			return datatype.NewText(s[:min(len(s), 512)])
		})
	case name == "SQLERRM":
		n := eval(c.convert(e, c.expr(args[0].Value), scalarType(datatype.Of(datatype.PLSInteger))))
		return plan.Volatile(name, text, nil, inFrame(func(f *frame) value.Value {
			v := n(f)
			if v.IsNull() {
				return v
			}
			return value.NewString(errm(v.Int64()))
		}))
	}
	return nil
}

// raiseApplicationError compiles RAISE_APPLICATION_ERROR(number, message [, keep_errors]).
func (c *compiler) raiseApplicationError(at ast.Node, args []ast.Arg) func(f *frame) {
	params := []param{
		{name: "NUM", mode: ast.ModeIn, typ: scalarType(datatype.Of(datatype.PLSInteger))},
		{name: "MSG", mode: ast.ModeIn, typ: scalarType(datatype.Of(datatype.Varchar2))},
		{name: "KEEPERRORSTACK", mode: ast.ModeIn, typ: scalarType(datatype.Of(datatype.Boolean)), def: func(*frame) value.Value { return value.NewBool(false) }},
	}
	o := &overloads{name: "RAISE_APPLICATION_ERROR", list: []*routine{{params: params}}}
	list := c.actuals(args)
	_, given := o.choose(at, list)
	values := make([]func(f *frame) value.Value, len(params))
	for i := range params {
		if given[i] >= 0 {
			values[i] = eval(c.convert(at, list[given[i]].x, params[i].typ))
		} else {
			values[i] = params[i].def
		}
	}
	return func(f *frame) {
		number, text, keep := values[0](f), values[1](f), values[2](f).IsTrue()
		if number.IsNull() || number.Int64() < -20999 || number.Int64() > -20000 {
			n := "null"
			if !number.IsNull() {
				n = fmt.Sprint(number.Int64())
			}
			raise(message.ORA(21000, n))
		}
		msg := ""
		if !text.IsNull() {
			msg = text.Str()
			msg = msg[:min(len(msg), 2048)]
		}
		e := sqlerr.New(int32(-number.Int64()), "%s", msg)
		e.Cause = &raised{replaces: !keep}
		raise(e)
	}
}
