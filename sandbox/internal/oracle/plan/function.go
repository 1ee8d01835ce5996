package plan

import (
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/builtin"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// call binds anything with arguments. In SQL, built-in functions come first; in PL/SQL they are those of package STANDARD,
// which any declaration hides.
func (b *binder) call(x *ast.Call) *Expr {
	ref, ok := x.Func.(*ast.Ref)
	if !ok || ref.Word() == "" {
		return b.userCall(x)
	}
	name := ref.Word()
	if b.c.plsql {
		if e := b.operand(x); e != nil {
			plainCall(x)
			return e
		}
		if sqlOnly(name) {
			panic(ErrPLS(204, name))
		}
		if isAggregate(name) || windowOnly(name) || name == "NVL2" || name == "STANDARD_HASH" {
			panic(b.unknown(x)) // package STANDARD does not have them
		}
	}
	switch {
	case x.Over != nil && (isAggregate(name) || windowOnly(name)):
		return b.analytic(name, x)
	case windowOnly(name):
		if len(x.Within) > 0 {
			refuse("%s WITHIN GROUP", name)
		}
		fail(30484)
	case isAggregate(name):
		return b.aggregate(name, x)
	}
	if _, ok := builtin.Lookup(name); !ok && name != "DECODE" {
		if b.c.plsql {
			panic(b.unknown(x))
		}
		return b.userCall(x)
	}
	plainCall(x)
	args := make([]*Expr, len(x.Args))
	for i, a := range x.Args {
		if _, star := a.Value.(*ast.Star); star {
			fail(936)
		}
		if a.Name != nil {
			refuse("named arguments of function %s", name)
		}
		args[i] = b.expr(a.Value)
	}
	return b.builtin(name, args...)
}

// plainCall refuses the clauses of aggregates on other functions.
func plainCall(x *ast.Call) {
	switch {
	case x.Over != nil:
		refuse("OVER of %s", nameOf(x))
	case x.Distinct:
		fail(30482)
	case x.Within != nil, x.Keep != nil:
		refuse("WITHIN GROUP and KEEP of %s", nameOf(x))
	}
}

// userCall binds a function, constructor or collection element that only the scope can know.
func (b *binder) userCall(x *ast.Call) *Expr {
	if e := b.operand(x); e != nil {
		plainCall(x)
		return e
	}
	panic(b.unknown(x))
}

// sqlOnly has what package STANDARD declares only for SQL statements.
func sqlOnly(name string) bool {
	switch name {
	case "DECODE", "DUMP", "VSIZE", "COUNT", "SUM", "AVG", "MIN", "MAX", "STDDEV", "VARIANCE", "ROWNUM", "LEVEL", "ROWID":
		return true
	}
	return false
}

// builtin binds a built-in function of bound arguments.
func (b *binder) builtin(name string, args ...*Expr) *Expr {
	b.scalars(name, args...)
	types := make([]datatype.Type, len(args))
	for i, a := range args {
		types[i] = a.Type
	}
	if name == "DECODE" {
		return b.decode(args, types)
	}
	fn, ok := builtin.Lookup(name)
	if !ok {
		refuse("function %s", name)
	}
	if len(args) == 3 && fn.MaxArgs == 2 && strings.HasPrefix(name, "TO_") {
		refuse("NLS parameters of %s; use ALTER SESSION", name)
	}
	b.check(name, builtin.CheckCount(fn, len(args)))
	t, err := fn.Result(types, b.c.plsql)
	b.check(name, err)
	switch name {
	case "COALESCE":
		return b.coalesce(args, t)
	case "NVL", "NVL2": // unchosen arguments are converted, too: NVL(1, 'x') fails
		for i := len(args) - 2; i < len(args); i++ {
			args[i] = b.convert(args[i], t)
			types[i] = t
		}
	}
	fs, format := expression.Evals(args), b.c.format()
	orders := name == "GREATEST" || name == "LEAST"
	compares := (orders || slices.Contains(collating, name)) && slices.ContainsFunc(types, datatype.Type.IsText)
	var kept builtin.Pattern
	e := derive(t, name, args, func(fr *query.Frame) value.Value {
		vals := make([]value.Value, len(fs))
		for i, f := range fs {
			vals[i] = f(fr)
		}
		if compares && env(fr).Linguistic() && (orders || len(vals) > 1 && !datatype.Caseless(vals[1]) && (name != "NULLIF" || vals[0].Str() != vals[1].Str())) {
			refuse("%s with NLS_COMP = LINGUISTIC", name)
		}
		return query.Must(builtin.Eval(fn, vals, types, format(fr), &kept))
	})
	e.Null = true
	return e
}

// collating are functions that search for the text in their second argument.
var collating = []string{"NULLIF", "INSTR", "INSTRB", "REPLACE", "TRANSLATE", "LTRIM", "RTRIM", "TRIM",
	"REGEXP_COUNT", "REGEXP_LIKE", "REGEXP_INSTR", "REGEXP_REPLACE", "REGEXP_SUBSTR"}

// coalesce evaluates its arguments only up to the first that is not NULL ("COALESCE", short-circuit evaluation).
func (b *binder) coalesce(args []*Expr, t datatype.Type) *Expr {
	fs := make([]query.Expr, len(args))
	nullable := true
	for i, a := range args {
		fs[i] = b.convert(a, t).Eval
		nullable = nullable && a.Null
	}
	e := derive(t, "COALESCE", args, func(fr *query.Frame) (v value.Value) {
		for _, f := range fs {
			if v = f(fr); !v.IsNull() {
				return v
			}
		}
		return v
	})
	e.Null = nullable
	return e
}

// decode compares with each search in turn and evaluates only what it needs ("DECODE").
func (b *binder) decode(args []*Expr, types []datatype.Type) *Expr {
	if len(args) < 3 {
		fail(938)
	}
	cmp, t, err := builtin.DecodeTypes(types)
	query.Check(err)
	of := b.convert(args[0], cmp).Eval
	var searches, results []query.Expr
	for i := 1; i < len(args); i++ {
		if i%2 == 1 && i+1 < len(args) {
			searches = append(searches, b.convert(args[i], cmp).Eval)
		} else {
			results = append(results, b.convert(args[i], t).Eval)
		}
	}
	e := derive(t, "DECODE", args, func(fr *query.Frame) value.Value {
		v := of(fr)
		for i, s := range searches {
			if builtin.DecodeEqual(v, s(fr), collated(fr, cmp)) {
				return results[i](fr)
			}
		}
		if len(results) > len(searches) {
			return results[len(searches)](fr)
		}
		return value.Value{}
	})
	e.Null = true
	return e
}
