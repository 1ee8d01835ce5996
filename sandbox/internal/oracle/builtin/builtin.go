// Package builtin holds Oracle's scalar functions and aggregates that need nothing but
// their arguments and the session's formats: no clock, no user, no catalog. Sources
// are the function pages of the SQL Language Reference, 19c.
package builtin

import (
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/function"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Many is the MaxArgs of a function without a limit that matters.
const Many = 65535

// Func is a scalar function, by its name in upper case. Result is asked for SQL or PL/SQL.
type Func = function.Func[func(args []datatype.Type, plsql bool) (datatype.Type, error), func(c *call) value.Value]

// CheckCount returns ORA-00909, or ORA-00938 and ORA-00939 if the function accepts several numbers of
// arguments, unless it can be called with n. PL/SQL has its own message.
func CheckCount(f *Func, n int) error {
	outside := f.Outside(n)
	switch {
	case outside == 0:
		return nil
	case f.MinArgs == f.MaxArgs:
		return message.ORA(909)
	case outside < 0:
		return message.ORA(938)
	}
	return message.ORA(939)
}

// Eval computes the result of f from arguments of exactly the types given to Result. kept is the place of the call, between its runs.
func Eval(f *Func, args []value.Value, types []datatype.Type, env *datatype.Env, kept *Pattern) (value.Value, error) {
	if f.NullIn && slices.ContainsFunc(args, value.Value.IsNull) {
		return value.Value{}, nil
	}
	c := &call{name: f.Name, args: args, types: types, env: env, kept: kept}
	v := f.Eval(c)
	if c.err != nil {
		return value.Value{}, c.err
	}
	return v, nil
}

// Lookup returns the function of that name; case does not matter.
func Lookup(name string) (*Func, bool) {
	f, ok := registry[strings.ToUpper(name)]
	return f, ok
}

// registry is filled once and never changes.
var registry = function.Registry(textFuncs(), searchFuncs(), mathFuncs(), dateFuncs(), conversionFuncs(), choiceFuncs(), regexpFuncs())

// call is one evaluation. Its methods convert arguments; the first error is kept.
type call struct {
	name  string
	args  []value.Value
	types []datatype.Type
	env   *datatype.Env
	kept  *Pattern
	err   error
}

func (c *call) fail(err error) value.Value {
	if c.err == nil {
		c.err = err
	}
	return value.Value{}
}

// has reports whether argument i exists and is not NULL.
func (c *call) has(i int) bool { return i < len(c.args) && !c.args[i].IsNull() }

// anyNull reports whether one of the first n arguments is NULL.
func (c *call) anyNull(n int) bool {
	return slices.ContainsFunc(c.args[:n], value.Value.IsNull)
}

// as returns argument i converted implicitly.
func (c *call) as(i int, t datatype.Type) value.Value {
	if i >= len(c.args) || c.err != nil {
		return value.Value{}
	}
	v, err := datatype.Convert(c.args[i], c.types[i], t, c.env)
	if err != nil {
		return c.fail(err)
	}
	return v
}

// text returns argument i as text, "" for NULL; a LOB in full.
func (c *call) text(i int) string {
	if !c.has(i) || c.err != nil {
		return ""
	}
	s, err := datatype.Text(c.args[i], c.types[i], c.env)
	if err != nil {
		c.fail(err)
	}
	return s
}

// number returns argument i as a NUMBER, 0 if it is missing.
func (c *call) number(i int) value.Value {
	if !c.has(i) {
		return value.NewInt(0)
	}
	v := c.as(i, tNumber)
	if c.err != nil {
		return value.NewInt(0)
	}
	return v
}

// whole returns argument i truncated to a whole number, or missing if it is NULL or not given.
func (c *call) whole(i int, missing int64) int64 {
	if !c.has(i) {
		return missing
	}
	n, ok := datatype.Whole(c.number(i))
	if !ok {
		c.fail(datatype.ErrOverflow())
	}
	return n
}

// Short names for types.
var (
	tNumber   = datatype.Of(datatype.Number)
	tText     = datatype.Of(datatype.Varchar2)
	tDate     = datatype.Of(datatype.Date)
	tRaw      = datatype.Of(datatype.Raw)
	tCLOB     = datatype.Of(datatype.CLOB)
	tBoolean  = datatype.Of(datatype.Boolean)
	tTS       = datatype.Timestamps(datatype.Timestamp, 9)
	tTSTZ     = datatype.Timestamps(datatype.TimestampTZ, 9)
	tInterval = datatype.Type{ID: datatype.IntervalDS, Prec: 9, Scale: 9}
)

// fixed is a result that always has the same type; each argument must convert implicitly to
// the type of its place (the last place serves the rest).
func fixed(t datatype.Type, params ...datatype.Type) func([]datatype.Type, bool) (datatype.Type, error) {
	return func(args []datatype.Type, _ bool) (datatype.Type, error) {
		return t, check(args, params...)
	}
}

func check(args []datatype.Type, params ...datatype.Type) error {
	return function.Fit(args, params, func(from, to datatype.Type) error {
		if isLOBText(from) && to.ID == datatype.Varchar2 {
			return nil // text functions take LOBs of any length
		}
		return datatype.CheckImplicit(from, to)
	})
}

func isLOBText(t datatype.Type) bool { return t.ID == datatype.CLOB || t.ID == datatype.NCLOB }

// likeFirst is text of the kind of the first argument: CLOB, NVARCHAR2 or VARCHAR2.
func likeFirst(params ...datatype.Type) func([]datatype.Type, bool) (datatype.Type, error) {
	return func(args []datatype.Type, _ bool) (datatype.Type, error) {
		return textType(args[0]), check(args, params...)
	}
}

func textType(t datatype.Type) datatype.Type {
	switch {
	case isLOBText(t):
		return t
	case t.IsNational():
		return datatype.Of(datatype.NVarchar2)
	}
	return tText
}

// limit is the longest text in bytes.
func limit(env *datatype.Env) int {
	if env.PLSQL {
		return 32767
	}
	return 4000
}

// result returns text like argument 0: LOBs may be empty, other text has a limit.
func (c *call) result(s string) value.Value {
	switch {
	case isLOBText(c.types[0]):
		return value.NewString(s)
	case len(s) > limit(c.env) && c.env.PLSQL:
		return c.fail(datatype.ErrNumeric("character string buffer too small"))
	case len(s) > limit(c.env):
		return c.fail(message.ORA(1489))
	}
	return datatype.NewText(s)
}
