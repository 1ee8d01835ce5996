package plan

import (
	"math"
	"strings"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// expr binds an expression; in SQL, a condition is an error. It panics with SQL errors.
func (b *binder) expr(e ast.Expr) *Expr {
	x := b.bind(e)
	if !b.c.plsql && x.Type.ID == datatype.Boolean && x.Composite == nil {
		// SQL has no BOOLEAN in 19c: it can only come from PL/SQL.
		panic(ErrPLS(382))
	}
	return x
}

func (b *binder) exprs(list []ast.Expr) []*Expr {
	out := make([]*Expr, len(list))
	for i, e := range list {
		out[i] = b.expr(e)
	}
	return out
}

// bind binds an expression or condition, and records the compiler's place for errors.
func (b *binder) bind(e ast.Expr) *Expr {
	if e == nil {
		fail(936)
	}
	at := b.c.pos
	b.c.pos = e.Position()
	x := b.node(e)
	b.c.pos = at
	return x
}

func (b *binder) node(e ast.Expr) *Expr {
	if b.group != nil {
		if g := b.group.match(b, e); g != nil {
			return g
		}
	}
	switch x := e.(type) {
	case *ast.Number, *ast.String, *ast.DateTime, *ast.Interval, *ast.Null, *ast.Bool:
		return b.literal(e)
	case *ast.Ref:
		return b.ref(x)
	case *ast.Bind, *ast.Field, *ast.Attribute:
		if o := b.operand(e); o != nil {
			return o
		}
		panic(b.unknown(e))
	case *ast.Call:
		return b.call(x)
	case *ast.Unary:
		return b.unary(x)
	case *ast.Binary:
		return b.binary(x)
	case *ast.Case:
		return b.caseExpr(x)
	case *ast.Cast:
		return b.cast(x)
	case *ast.Extract:
		return b.extract(x)
	case *ast.AtTimeZone:
		return b.atTimeZone(x)
	case *ast.Subquery:
		return b.subquery(x.Query)
	case *ast.Star:
		fail(936)
	case *ast.Tuple:
		fail(907)
	case *ast.Default:
		fail(936)
	case *ast.Outer:
		return b.outerColumn(x)
	}
	return b.condition(e)
}

// literal binds a constant. An invalid one fails at compile time.
func (b *binder) literal(e ast.Expr) *Expr {
	var v value.Value
	var t datatype.Type
	var err error
	// Date literals are complete, so the session's clock, zone and formats do not matter.
	none := &datatype.Env{}
	switch x := e.(type) {
	case *ast.Null:
		return Constant(v, t)
	case *ast.Bool:
		v, t = value.NewBool(x.Value), datatype.Of(datatype.Boolean)
	case *ast.Number:
		v, t, err = datatype.NumberLiteral(x.Text)
		// Whole literals are PLS_INTEGERs: 2147483647 + 1 overflows (PL/SQL Language Reference, "PLS_INTEGER and
		// BINARY_INTEGER Data Types").
		if b.c.plsql && v.Kind == value.Int && v.N >= math.MinInt32 && v.N <= math.MaxInt32 && !strings.ContainsAny(x.Text, ".eE") {
			t = datatype.Of(datatype.PLSInteger)
		}
	case *ast.String:
		v, t = datatype.TextLiteral(x.Value, x.National)
	case *ast.DateTime:
		if x.Kind == ast.DateLiteral {
			t = datatype.Of(datatype.Date)
			v, err = datatype.DateLiteral(x.Value, none)
		} else {
			v, t, err = datatype.TimestampLiteral(x.Value, none)
		}
	case *ast.Interval:
		v, t, err = intervalLiteral(x)
	}
	query.Check(err)
	return Constant(v, t)
}

// intervalLiteral reads INTERVAL: precisions not written are 2 and 6.
func intervalLiteral(x *ast.Interval) (value.Value, datatype.Type, error) {
	q := x.Qualifier
	from, _ := datatype.ParseField(string(q.From))
	to := from
	if q.To != "" {
		to, _ = datatype.ParseField(string(q.To))
	}
	digits := func(n *ast.Number, missing int64) int64 {
		if n == nil {
			return missing
		}
		v, _ := datatype.ParseNumber(n.Text)
		if d, ok := datatype.Whole(v); ok && d >= 0 && d <= 9 {
			return d
		}
		fail(30088)
		return 0
	}
	return datatype.IntervalLiteral(x.Value, from, to, uint8(digits(q.Precision, 2)), int8(digits(q.Second, 6)))
}

// scalars checks that the operands of an operator or function are not records, collections or cursors, or, in SQL,
// BOOLEANs.
func (b *binder) scalars(op string, list ...*Expr) {
	for _, x := range list {
		if x.Composite != nil {
			panic(ErrPLS(306, op))
		}
		if !b.c.plsql && x.Type.ID == datatype.Boolean {
			panic(ErrPLS(382))
		}
	}
}

// check raises the error for incompatible operands. PL/SQL sees operators as overloaded functions.
func (b *binder) check(op string, err error) {
	if err != nil && b.c.plsql {
		switch oraNumber(err) {
		case 932, 30081, 975, 909, 938, 939:
			panic(ErrPLS(306, op))
		}
	}
	query.Check(err)
}

func (b *binder) unary(x *ast.Unary) *Expr {
	switch x.Op {
	case "NOT":
		return rules.Negate(b.cond(x.X))
	case "PRIOR":
		if b.prior == nil {
			fail(976)
		}
		return b.prior.expr(x.X)
	}
	a := b.expr(x.X)
	b.scalars(string(x.Op), a)
	t, fn, err := datatype.Negate(a.Type)
	b.check(string(x.Op), err)
	if x.Op == "+" {
		return a
	}
	if a.Shape == expression.Constant && a.Type.IsNumeric() {
		return Constant(query.Must(fn(a.Const, nil)), t)
	}
	f, format := a.Eval, b.c.formatFor(t, a.Type)
	return derive(t, "-", []*Expr{a}, func(fr *query.Frame) value.Value { return query.Must(fn(f(fr), format(fr))) })
}

func (b *binder) binary(x *ast.Binary) *Expr {
	op := string(x.Op)
	switch x.Op {
	case "AND":
		return rules.AllOf(b.cond(x.X), b.cond(x.Y))
	case "OR":
		return rules.AnyOf(b.cond(x.X), b.cond(x.Y))
	case "=", "<>", "<", "<=", ">", ">=":
		return b.compared(x)
	case "+", "-", "*", "/":
		return b.arith(datatype.Op(op[0]), b.expr(x.X), b.expr(x.Y))
	case "||":
		a, c := b.expr(x.X), b.expr(x.Y)
		b.scalars(op, a, c)
		t, fn, err := datatype.Concat(a.Type, c.Type)
		b.check(op, err)
		return b.computed(op, t, fn, a, c)
	case "**":
		return b.builtin("POWER", b.expr(x.X), b.expr(x.Y))
	case "MOD":
		return b.builtin("MOD", b.expr(x.X), b.expr(x.Y))
	}
	refuse("operator %s", x.Op)
	return nil
}

func (b *binder) arith(op datatype.Op, x, y *Expr) *Expr {
	name := string(rune(op))
	b.scalars(name, x, y)
	t, fn, err := datatype.Arith(op, x.Type, y.Type, b.c.plsql)
	b.check(name, err)
	return b.computed(name, t, fn, x, y)
}

// computed is an operator of two operands.
func (b *binder) computed(name string, t datatype.Type, fn datatype.Fn, x, y *Expr) *Expr {
	f, g, format := x.Eval, y.Eval, b.c.formatFor(t, x.Type, y.Type)
	return derive(t, name, []*Expr{x, y}, func(fr *query.Frame) value.Value {
		a := f(fr)
		return query.Must(fn(a, g(fr), format(fr)))
	})
}

// caseExpr binds CASE; conditions are tested in turn and only the chosen result is evaluated.
func (b *binder) caseExpr(x *ast.Case) *Expr {
	var first, again *Expr
	if x.Operand != nil {
		first, again = b.c.held(b.expr(x.Operand))
	}
	var conds, results []*Expr
	for _, w := range x.Whens {
		if x.Operand == nil {
			conds = append(conds, b.cond(w.Cond))
		} else {
			with := b.expr(w.Cond)
			if !b.c.plsql { // "must either have the same data type or must all have a numeric data type"
				_, err := datatype.Common(first.Type, with.Type)
				query.Check(err)
			}
			conds = append(conds, b.comparison("=", first, with))
			first = again
		}
		results = append(results, b.expr(w.Result))
	}
	if x.Else != nil {
		results = append(results, b.expr(x.Else))
	} else {
		results = append(results, Constant(value.Value{}, datatype.Type{}))
	}
	return b.choose(conds, results)
}

// choose returns the result of the first true condition, or the last one.
func (b *binder) choose(conds, results []*Expr) *Expr {
	types := make([]datatype.Type, len(results))
	for i, r := range results {
		if r.Composite != nil {
			refuse("records and collections as results of CASE")
		}
		types[i] = r.Type
	}
	t, err := datatype.Common(types...)
	if err != nil && b.c.plsql {
		panic(ErrPLS(382))
	}
	query.Check(err)
	args := append([]*Expr{}, conds...)
	nullable := false
	for i := range results {
		results[i] = b.convert(results[i], t)
		nullable = nullable || results[i].Null
	}
	tests, outs := expression.Evals(conds), expression.Evals(results)
	e := derive(t, "case", append(args, results...), func(fr *query.Frame) value.Value {
		for i, test := range tests {
			if test(fr).IsTrue() {
				return outs[i](fr)
			}
		}
		return outs[len(outs)-1](fr)
	})
	e.Null = nullable
	return e
}

func (b *binder) cast(x *ast.Cast) *Expr {
	a := b.expr(x.X)
	b.scalars("CAST", a)
	t := query.Must(DataType(x.Type, b.c.plsql, b.c.plsql))
	b.check("CAST", datatype.CheckCast(a.Type, t))
	f, from, format := a.Eval, a.Type, b.c.format()
	seconds := b.c.plsql && from.ID == datatype.Timestamp && t.ID == datatype.Timestamp && t.Scale == 0
	return derive(t, "cast "+t.String(), []*Expr{a}, func(fr *query.Frame) value.Value {
		v := f(fr)
		if seconds && !v.IsNull() {
			switch k := env(fr).Task().Kernel(); {
			case k.Differs(differ.CastKeepsFractions):
				return v
			case k.Differs(differ.CastCutsFractions):
				return datatype.ZoneOf(v).In(v.N - v.N%datatype.TicksPerSecond)
			}
		}
		return query.Must(datatype.Cast(v, from, t, format(fr)))
	})
}

func (b *binder) extract(x *ast.Extract) *Expr {
	a := b.expr(x.X)
	b.scalars("EXTRACT", a)
	field, ok := datatype.ParseField(string(x.Field))
	if !ok {
		refuse("EXTRACT of a time zone")
	}
	if !a.Type.IsDatetime() && !a.Type.IsInterval() && a.Type.ID != datatype.Untyped {
		fail(30076)
	}
	f, t := a.Eval, a.Type
	if t.ID != datatype.Untyped { // any value shows whether the source has the field
		if _, err := datatype.Extract(value.NewInt(0), t, field); err != nil {
			query.Check(err)
		}
	}
	return derive(datatype.Of(datatype.Number), "extract "+string(x.Field), []*Expr{a}, func(fr *query.Frame) value.Value {
		v := f(fr)
		if v.IsNull() {
			return v
		}
		return query.Must(datatype.Extract(v, t, field))
	})
}

// text converts anything other than text to VARCHAR2.
func (b *binder) text(op string, x *Expr) *Expr {
	b.scalars(op, x)
	if x.Type.IsText() || x.Type.ID == datatype.CLOB || x.Type.ID == datatype.NCLOB {
		return x
	}
	t := datatype.Of(datatype.Varchar2)
	b.check(op, datatype.CheckImplicit(x.Type, t))
	return b.convert(x, t)
}

func (b *binder) atTimeZone(x *ast.AtTimeZone) *Expr {
	a := b.expr(x.X)
	b.scalars("AT TIME ZONE", a)
	if a.Type.ID != datatype.Timestamp && a.Type.ID != datatype.TimestampTZ {
		fail(30084)
	}
	args, zone := []*Expr{a}, func(fr *query.Frame, e *datatype.Env) (datatype.Zone, bool) { return e.Zone, true }
	if x.Zone != nil {
		z := b.expr(x.Zone)
		if !z.Type.IsText() && z.Type.ID != datatype.Untyped {
			refuse("AT TIME ZONE with a zone that is no text")
		}
		args = append(args, z)
		g := z.Eval
		zone = func(fr *query.Frame, _ *datatype.Env) (zone datatype.Zone, ok bool) {
			v := g(fr)
			if v.IsNull() {
				return zone, false
			}
			return query.Must(datatype.ParseZone(v.Str())), true
		}
	}
	f, from, format := a.Eval, a.Type, b.c.format()
	name := "at zone"
	if x.Zone == nil {
		name = "at local"
	}
	return derive(datatype.Timestamps(datatype.TimestampTZ, from.Scale), name, args, func(fr *query.Frame) value.Value {
		v, e := f(fr), format(fr)
		to, ok := zone(fr, e)
		if v.IsNull() || !ok {
			return value.Value{}
		}
		return query.Must(datatype.AtZone(v, from, to, e))
	})
}
