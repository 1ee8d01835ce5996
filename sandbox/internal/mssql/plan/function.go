package plan

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/builtin"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// parameterless maps the functions without parentheses to the names of Scope.SessionFunction.
func parameterless(kind string) string {
	name := map[string]string{
		"CurrentTimestamp": "CURRENT_TIMESTAMP", "CurrentUser": "CURRENT_USER", "SessionUser": "SESSION_USER", "SystemUser": "SYSTEM_USER", "User": "USER",
	}[kind]
	if name == "" {
		panic(sqlerr.NotSupported("%s", kind))
	}
	return name
}

// function binds a function call.
func (n *names) function(x *ast.FunctionCall) *expr {
	name := strings.ToUpper(x.FunctionName.Value)
	if x.CallTarget != nil {
		return n.called(x)
	}
	if x.OverClause != nil {
		return n.windowFunction(name, x)
	}
	if isAggregate(name) {
		return n.aggregate(name, x)
	}
	if x.WithinGroupClause != nil || len(x.IgnoreRespectNulls) > 0 || x.UniqueRowFilter != "" && x.UniqueRowFilter != "NotSpecified" {
		panic(sqlerr.NotSupported("function %s with DISTINCT, WITHIN GROUP or IGNORE NULLS", name))
	}
	if name == "ISNULL" {
		return n.isNullCall(x.Parameters)
	}
	if windowOnly(name) {
		panic(message.MS(10753, name).At(15, 3))
	}
	if f, ok := n.sc.SessionFunction(name); ok {
		return n.session(f, x.Parameters)
	}
	if _, ok := builtin.Lookup(name); !ok && !builtin.Elsewhere(name) {
		panic(message.MS(195, x.FunctionName.Value, "built-in function name").At(15, 10))
	}
	return n.builtin(name, x.Parameters)
}

// sessionCall is a function or @@variable that only the session knows.
func (n *names) sessionCall(name, shown string, params []ast.ScalarExpression) *expr {
	f, ok := n.sc.SessionFunction(name)
	if !ok {
		if strings.HasPrefix(name, "@@") && !builtin.Elsewhere(name) {
			panic(message.MS(137, shown).At(15, 2))
		}
		panic(sqlerr.NotSupported("the function %s", name))
	}
	return n.session(f, params)
}

func (n *names) session(f *SessionFunc, params []ast.ScalarExpression) *expr {
	if len(params) < f.MinArgs || len(params) > f.MaxArgs {
		query.Check(builtin.CheckCount(&builtin.Func{Name: strings.ToLower(f.Name), MinArgs: f.MinArgs, MaxArgs: f.MaxArgs}, len(params)))
	}
	args := n.scalars(params)
	t := f.Result
	if t.IsCharacter() {
		t = t.WithCollation(n.sc.Collation())
	}
	fns := expression.Evals(args)
	eval := func(fr *query.Frame) value.Value { return f.Eval(env(fr), query.Eval(fr, fns)) }
	e := derive(t, "session:"+f.Name, args, eval)
	e.Null = !f.NotNull
	e.coll = coercible
	switch {
	case f.PerRow:
		e.PerRow, e.Key, e.Shape = true, "", expression.Opaque
	case e.Refs.Empty() && !e.PerRow:
		e.Shape = expression.Fixed
		if len(args) == 0 {
			n.c.Start(f.Name, &e.Eval)
			break
		}
		e.Eval = query.Once(n.c.Memo(), eval)
	}
	return e
}

// builtin is a function that needs nothing but its arguments.
func (n *names) builtin(name string, params []ast.ScalarExpression) *expr {
	f, ok := builtin.Lookup(name)
	if !ok {
		panic(sqlerr.NotSupported("the function %s", name))
	}
	query.Check(builtin.CheckCount(f, len(params)))
	var args []*expr
	for i, p := range params {
		if i == 0 && f.DatePart {
			args = append(args, datePart(f, p))
			continue
		}
		args = append(args, n.scalar(p))
	}
	for i := 1; i < len(args); i++ {
		for j := range i {
			if args[i].Type.IsCharacter() && args[j].Type.IsCharacter() {
				args[j], args[i] = settle(args[j], args[i], f.Name)
			}
		}
	}
	types := make([]datatype.Type, len(args))
	for i, a := range args {
		types[i] = a.Type
	}
	t := query.Must(f.Result(types))
	if t.IsCharacter() {
		coll := n.sc.Collation()
		for _, a := range args {
			if a.Type.IsCharacter() {
				coll = a.Type.Coll
				break
			}
		}
		t = t.WithCollation(coll)
	}
	fns := expression.Evals(args)
	nullIn := f.NullIn
	call := func(vals []value.Value) value.Value {
		if nullIn {
			for _, v := range vals {
				if v.IsNull() {
					return value.Value{}
				}
			}
		}
		v := query.Must(f.Eval(vals, types))
		if v.Kind == value.String {
			query.Check(sqlerr.Fits(len(v.Str())))
		}
		return v
	}
	e := derive(t, f.Name, args, func(fr *query.Frame) value.Value { return call(query.Eval(fr, fns)) })
	if !nullIn {
		e.Null = true
	}
	return e
}

// datePart is the first argument of DATEADD and the like: a name, not an expression.
func datePart(f *builtin.Func, p ast.ScalarExpression) *expr {
	ref, ok := p.(*ast.ColumnReferenceExpression)
	name := ""
	if ok {
		if parts := idents(ref.MultiPartIdentifier); len(parts) == 1 {
			name = parts[0]
		}
	}
	if name == "" {
		panic(message.MS(1023, f.Name))
	}
	part := query.Must(builtin.ParseDatePart(name, f.Name))
	return constExpr(value.NewInt(int64(part)), datatype.Of(datatype.Int))
}

// isNullCall is ISNULL: the type is that of the first argument, the second is truncated to it.
func (n *names) isNullCall(params []ast.ScalarExpression) *expr {
	if len(params) != 2 {
		panic(message.MS(174, "isnull", 2))
	}
	a, b := n.scalar(params[0]), n.scalar(params[1])
	switch {
	case a.Type.IsUntyped() && b.Type.IsUntyped():
		a, b = implicitTo(a, datatype.Of(datatype.Int)), implicitTo(b, datatype.Of(datatype.Int))
	case a.Type.IsUntyped():
		a = implicitTo(a, b.Type)
	default:
		a, b = settle(a, b, "isnull")
		b = assignTo(b, a.Type)
	}
	f, g := a.Eval, b.Eval
	e := derive(a.Type, "isnull2", []*expr{a, b}, func(fr *query.Frame) value.Value {
		if v := f(fr); !v.IsNull() {
			return v
		}
		return g(fr)
	})
	e.Null = a.Null && b.Null
	return e
}

// called is schema.function(…).
func (n *names) called(x *ast.FunctionCall) *expr {
	target, ok := x.CallTarget.(*ast.MultiPartIdentifierCallTarget)
	if !ok {
		panic(sqlerr.NotSupported("method %s", x.FunctionName.Value))
	}
	ids := append(append([]*ast.Identifier{}, target.MultiPartIdentifier.Identifiers...), x.FunctionName)
	name := &ast.SchemaObjectName{Count: len(ids), Identifiers: ids, BaseIdentifier: x.FunctionName, SchemaIdentifier: ids[len(ids)-2]}
	if len(ids) > 2 {
		name.DatabaseIdentifier = ids[len(ids)-3]
	}
	if len(ids) > 3 {
		panic(sqlerr.NotSupported("four-part function name"))
	}
	o, err := n.sc.Resolve(name)
	if err != nil || o.Kind != catalog.ScalarFunction {
		shown := strings.Join(idents(target.MultiPartIdentifier), ".")
		panic(message.MS(4121, shown, shown, x.FunctionName.Value))
	}
	if x.OverClause != nil {
		panic(sqlerr.NotSupported("OVER with a user-defined function"))
	}
	m := o.Module()
	args := n.arguments(o, m.Params, x.Parameters)
	n.c.use(o, "EXECUTE")
	t := m.Returns
	fns := expression.Evals(args)
	e := derive(t, "", args, func(fr *query.Frame) value.Value {
		vals := query.Eval(fr, fns)
		return query.Must(env(fr).CallScalar(o, vals))
	})
	// It may read tables: it is evaluated anew each time, and identical calls do not count as equal.
	e.Key, e.Null, e.coll, e.Shape = "", true, coercible, expression.Opaque
	if e.Refs.Empty() {
		e.Shape = expression.Opaque
	}
	return e
}
