package plsql

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// actual is an argument of a call.
type actual struct {
	name *ast.Name
	e    ast.Expr
	x    *plan.Expr // its value; evaluated in the frame of the caller, or of the SQL statement
}

// actuals compiles the arguments of a call, in SQL using sub.
func (c *compiler) actuals(args []ast.Arg) []actual {
	out := make([]actual, len(args))
	for i, a := range args {
		out[i] = actual{name: a.Name, e: a.Value}
		if i > 0 && a.Name == nil && args[i-1].Name != nil {
			fail(a.Value, 312)
		}
		switch b, ok := a.Value.(*ast.Bind); {
		case c.sub != nil:
			out[i].x = c.sub(a.Value)
		case ok && c.binds[b.Name] != nil: // the parameter determines whether it is read
			out[i].x = c.variableOf(b, c.binds[b.Name]).operand()
		default:
			out[i].x = c.expr(a.Value)
		}
	}
	return out
}

// call compiles the call of a procedure or function.
func (c *compiler) call(at ast.Node, o *overloads, args []ast.Arg) *designator {
	sub, statement := c.sub, c.statementCall
	c.statementCall = false
	list := c.actuals(args)
	r, given := o.of(statement).choose(at, list)
	if r.private && sub != nil && r.ret != nil {
		fail(at, 231, r.name)
	}
	c.sub = nil
	defer func() { c.sub = sub }()
	type passing struct {
		in    query.Expr                 // nil: OUT
		def   func(f *frame) value.Value // the default, evaluated where the subprogram is declared
		out   *designator
		check *Type
	}
	pass := make([]passing, len(r.params))
	for i := range r.params {
		p, n := &r.params[i], given[i]
		if n < 0 {
			pass[i].def = p.def
			continue
		}
		a := &list[n]
		if p.mode != ast.ModeIn {
			if sub != nil {
				raise(message.ORA(6572, r.name))
			}
			pass[i].out = c.target(a.e)
		}
		if p.mode == ast.ModeOut {
			continue
		}
		if b, ok := a.e.(*ast.Bind); ok && c.binds[b.Name] != nil {
			c.binds[b.Name].bind.in = true
		}
		x := c.convert(a.e, a.x, p.typ)
		switch t := p.typ; {
		case sub != nil:
			pass[i].in = x.Eval
		case t.kind != scalarKind && t.kind != cursorKind && (p.mode == ast.ModeInOut && !p.noCopy || typeOf(a.x) != t):
			pass[i].in = inFrame(c.assign(a.e, a.x, t))
		default:
			pass[i].in = inFrame(eval(x))
		}
		if p.typ.constrained() {
			pass[i].check = p.typ
		}
	}
	invoke := c.invoker(r)
	if sub != nil {
		invoke = inSQL(invoke, c.query)
	}
	d := &designator{typ: r.ret}
	d.get = func(fr *query.Frame) value.Value {
		f := act(fr)
		values := make([]value.Value, len(pass))
		for i := range pass {
			if in := pass[i].in; in != nil {
				values[i] = in(fr)
				if pass[i].check != nil {
					pass[i].check.check(values[i])
				}
			}
		}
		result := invoke(f, values, func(outer *frame) {
			for i := range pass {
				if pass[i].def != nil {
					values[i] = pass[i].def(outer)
				}
				if pass[i].in == nil && pass[i].def == nil {
					values[i] = r.params[i].typ.initial(f.Host)
				}
			}
		})
		for i := range pass {
			if out := pass[i].out; out != nil {
				v, t := values[i], r.params[i].typ
				if t.kind == scalarKind || t != out.typ { // a composite of the same type is passed as is
					v = out.typ.store(f, v, t)
				}
				escape(v)
				*out.ref(&f.q, true) = v
			}
		}
		return result
	}
	if sub != nil && r.ret != nil {
		xs := make([]*plan.Expr, len(list))
		for i := range list {
			xs[i] = list[i].x
		}
		if r.ret.kind != scalarKind || r.ret.scalar.ID == datatype.Boolean {
			fail(at, 382)
		}
		d.sql = plan.Volatile(r.name, r.ret.scalar, xs, d.get)
	}
	return d
}

// of returns the overloads that are procedures, or those that are functions; if there are none, all overloads.
func (o *overloads) of(procedures bool) *overloads {
	out := &overloads{name: o.name}
	for _, r := range o.list {
		if (r.ret == nil) == procedures {
			out.list = append(out.list, r)
		}
	}
	if out.list == nil {
		return o
	}
	return out
}

func inFrame(fn func(f *frame) value.Value) query.Expr {
	return func(fr *query.Frame) value.Value { return fn(act(fr)) }
}

// invocation runs a routine. defaults fills in the values that are evaluated where the routine is declared.
type invocation func(f *frame, values []value.Value, defaults func(outer *frame)) value.Value

// invoker returns how a routine is run from the code being compiled.
func (c *compiler) invoker(r *routine) invocation {
	if r.unit == c.unit && (c.unit == nil || c.unit.Kind != ast.KindPackage) {
		if c.static {
			refuse(r.decl, "functions of the unit in the defaults of a record's fields")
		}
		depth := c.fn.level - (r.level - 1)
		return func(f *frame, values []value.Value, defaults func(outer *frame)) value.Value {
			outer := f.up(depth)
			defaults(outer)
			return r.invoke(f.Host, outer, values)
		}
	}
	u, index := r.unit, r.index
	return func(f *frame, values []value.Value, defaults func(outer *frame)) value.Value {
		h := f.Host
		body, code, outer := u, r, bare(h)
		if u.Kind == ast.KindPackage {
			i, err := h.Package(u)
			raise(err)
			if i.Body != nil {
				body, code = i.Body, i.Body.exports[index]
			}
			outer = i.frame
		}
		defaults(outer)
		if code.native != nil {
			return code.invoke(h, outer, values)
		}
		leave, err := h.Enter(body)
		raise(err)
		defer leave()
		if body.CurrentUser && body.ownSQL && h.ViewContext().Rights.User != body.Owner {
			raise(sqlerr.NotSupported("SQL statements of an invoker's rights unit, whose names would be those of the invoker"))
		}
		return code.invoke(h, outer, values)
	}
}

// choose finds the overload for arguments, and for each of its parameters which argument it gets, -1 for none.
func (o *overloads) choose(at ast.Node, args []actual) (*routine, []int) {
	var best *routine
	var given []int
	cost, ties := 0, 0
	for _, r := range o.list {
		g, n := r.match(args)
		switch {
		case g == nil:
		case best == nil || n < cost:
			best, given, cost, ties = r, g, n, 0
		case n == cost:
			ties++
		}
	}
	switch {
	case best == nil:
		fail(at, 306, o.name)
	case ties > 0:
		fail(at, 307, o.name)
	}
	return best, given
}

// match returns which argument each parameter gets and the distance of the types; nil: they do not match.
func (r *routine) match(args []actual) ([]int, int) {
	given := make([]int, len(r.params))
	for i := range given {
		given[i] = -1
	}
	cost := 0
	for n, a := range args {
		i := n
		if a.name != nil {
			if i = r.param(a.name.Text); i < 0 {
				return nil, 0
			}
		}
		if i >= len(given) || given[i] >= 0 {
			return nil, 0
		}
		given[i] = n
		far := distance(a.x, r.params[i].typ, r.params[i].mode)
		if far < 0 {
			return nil, 0
		}
		cost += far
	}
	for i, n := range given {
		if n < 0 && r.params[i].def == nil {
			return nil, 0
		}
	}
	return given, cost
}

func (r *routine) param(name string) int {
	return slices.IndexFunc(r.params, func(p param) bool { return p.name == name })
}

// distance is how far an argument's type is from a parameter's: 0 for the same type, 1 or more within a family (for numbers
// PLS_INTEGER is preferred, then NUMBER, BINARY_FLOAT, BINARY_DOUBLE), more for a conversion, -1 if impossible (Language Reference, "Formal Parameters that Differ Only in Numeric Data Type", "Overloaded
// Subprograms").
func distance(x *plan.Expr, t *Type, mode ast.ParamMode) int {
	const conversion = 100
	from := typeOf(x)
	switch {
	case isNull(x) && from.kind == scalarKind:
		if t.kind == recordKind || t.kind == collectionKind && t.index != nil {
			return -1
		}
		return 0
	case t.kind != scalarKind || from.kind != scalarKind:
		if t.accepts(from) {
			return 0
		}
		return -1
	}
	a, b := from.scalar, t.scalar
	if mode == ast.ModeOut {
		a, b = b, a
	}
	switch {
	case a.ID == b.ID, a.ID == datatype.Untyped:
		return 0
	case a.ID == datatype.Boolean || b.ID == datatype.Boolean:
		return -1
	case a.IsText() && b.IsText():
		return 1
	case a.IsNumeric() && b.IsNumeric():
		return 1 + slices.Index([]datatype.ID{datatype.PLSInteger, datatype.Number, datatype.Float, datatype.BinaryFloat, datatype.BinaryDouble}, b.ID)
	case datatype.CheckImplicit(a, b) != nil:
		return -1
	case a.IsText() && b.IsLOB(), a.IsDatetime() && b.IsDatetime():
		return conversion / 2
	}
	return conversion
}
