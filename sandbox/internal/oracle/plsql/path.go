package plsql

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// designator is what a name with fields, subscripts and calls designates.
type designator struct {
	typ *Type // nil: a procedure that was called
	get query.Expr
	// ref returns the place of a variable, field or element; with create, a missing element is created.
	// nil: a value only.
	ref func(fr *query.Frame, create bool) *value.Value
	v   *variable // the variable that it is part of; nil: a function's result
	key string    // equal keys mean the same value; "": none
	sql *plan.Expr
}

// method is a collection's method whose arguments are not known yet.
type method struct {
	of   *designator
	name ast.Name
}

// variableOf makes a variable's designator. The closure goes out one activation for each level in between.
func (c *compiler) variableOf(at ast.Node, v *variable) *designator {
	d := &designator{typ: v.typ, v: v, key: fmt.Sprintf("v%d.%d", v.level, v.slot)}
	slot := v.slot
	owner := v.owner
	if owner == nil && c.static && v.level == 0 && c.unit != nil {
		owner = c.unit // accessed as from outside
	}
	switch depth := c.fn.level - v.level; {
	case owner != nil:
		d.key = owner.Owner + "." + owner.Name + "." + v.name
		d.ref = func(fr *query.Frame, _ bool) *value.Value {
			i, err := act(fr).Package(owner)
			raise(err)
			return &i.frame.vars[slot]
		}
	case c.static:
		refuse(at, "variables in the defaults of a record's fields")
	case depth == 0:
		d.ref = func(fr *query.Frame, _ bool) *value.Value { return &act(fr).vars[slot] }
	case depth == 1:
		d.ref = func(fr *query.Frame, _ bool) *value.Value { return &act(fr).outer.vars[slot] }
	default:
		d.ref = func(fr *query.Frame, _ bool) *value.Value { return &act(fr).up(depth).vars[slot] }
	}
	ref := d.ref
	d.get = func(fr *query.Frame) value.Value { return *ref(fr, false) }
	return d
}

// field returns the designator of a record's field.
func (d *designator) field(i int) *designator {
	out := &designator{typ: d.typ.fields[i].typ, v: d.v}
	if d.key != "" {
		out.key = d.key + "." + d.typ.fields[i].name
	}
	get, ref := d.get, d.ref
	out.get = func(fr *query.Frame) value.Value { return get(fr).Any().(*Record).values[i] }
	if ref != nil {
		out.ref = func(fr *query.Frame, create bool) *value.Value {
			return &ref(fr, create).Any().(*Record).values[i]
		}
	}
	return out
}

// element returns the designator of a collection's element.
func (c *compiler) element(d *designator, call *ast.Call) *designator {
	if len(call.Args) != 1 || call.Args[0].Name != nil {
		fail(call, 316)
	}
	x := c.expr(call.Args[0].Value)
	if typeOf(x).kind != scalarKind {
		fail(call, 382)
	}
	t, from, sub := d.typ, x.Type, eval(x)
	get, ref := d.get, d.ref
	find := func(fr *query.Frame, at value.Value, create bool) *value.Value {
		f := act(fr)
		if at.IsNull() {
			raise(message.ORA(6531))
		}
		return at.Any().(*Collection).element(f, t.key(f, sub(f), from), create)
	}
	out := &designator{typ: t.elem, v: d.v, key: fmt.Sprintf("e%d", call.Offset)}
	out.get = func(fr *query.Frame) value.Value { return *find(fr, get(fr), false) }
	if ref != nil {
		out.ref = func(fr *query.Frame, create bool) *value.Value { return find(fr, *ref(fr, create), create) }
	}
	return out
}

// resolve finds what an expression names: *designator, *Type, *exception, *overloads, *Unit, *method; nil if nothing in
// PL/SQL has that name.
func (c *compiler) resolve(e ast.Expr) any {
	switch e := e.(type) {
	case *ast.Ref:
		x, rest := c.lookup(e)
		if x == nil {
			return nil
		}
		if v, ok := x.(*variable); ok {
			x = c.variableOf(e, v)
		}
		for _, n := range rest {
			x = c.selected(x, n)
		}
		return x
	case *ast.Field:
		x := c.resolve(e.Of)
		if x == nil {
			return nil
		}
		return c.selected(x, e.Name)
	case *ast.Call:
		if e.Distinct { // as CALL's grammar allows
			refuse(e, "DISTINCT in a call")
		}
		x := c.resolve(e.Func)
		switch x := x.(type) {
		case nil:
			return nil
		case *overloads:
			return c.call(e, x, e.Args)
		case *method:
			return c.method(x, e.Args)
		case *Type:
			if x.kind == collectionKind && x.index == nil {
				return c.constructor(x, e.Args)
			}
			refuse(e, "qualified expressions")
		case *designator:
			if x.typ != nil && x.typ.kind == collectionKind {
				return c.element(x, e)
			}
		}
		fail(e, 224, text(e.Func))
	case *ast.Bind:
		v := c.binds[e.Name]
		if v == nil {
			fail(e, 49, e.Name)
		}
		return c.variableOf(e, v)
	case *ast.Attribute:
		return c.attribute(e)
	}
	return nil
}

// text returns a name as messages show it.
func text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ref:
		return e.String()
	case *ast.Call:
		return text(e.Func)
	case *ast.Field:
		return text(e.Of) + "." + e.Name.Text
	case *ast.Bind:
		return e.Name
	}
	return ""
}

// selected resolves x.name.
func (c *compiler) selected(x any, name ast.Name) any {
	switch y := x.(type) {
	case *overloads:
		x = c.call(name, y, nil)
	case *method:
		x = c.method(y, nil)
	}
	d, ok := x.(*designator)
	if !ok || d.typ == nil {
		fail(name, 302, name.Text)
	}
	switch d.typ.kind {
	case recordKind:
		if i := d.typ.field(name.Text); i >= 0 {
			return d.field(i)
		}
	case collectionKind:
		switch name.Text {
		case "COUNT", "FIRST", "LAST", "LIMIT", "NEXT", "PRIOR", "EXISTS", "DELETE", "EXTEND", "TRIM":
			return &method{of: d, name: name}
		}
	case scalarKind:
		fail(name, 487, variableName(d))
	}
	fail(name, 302, name.Text)
	return nil
}

func variableName(d *designator) string {
	if d.v != nil {
		return d.v.name
	}
	return ""
}

// value turns what was resolved into a value.
func (c *compiler) value(at ast.Node, x any) *designator {
	switch y := x.(type) {
	case *overloads:
		x = c.call(at, y, nil)
	case *method:
		x = c.method(y, nil)
	}
	d, ok := x.(*designator)
	switch {
	case !ok:
		fail(at, 330, text(at))
	case d.typ == nil:
		fail(at, 222, strings.ToUpper(text(at)))
	case d.v != nil && d.v.bind != nil:
		d.v.bind.in = true
	case d.v != nil && d.v.cursor != nil:
		fail(at, 382)
	}
	return d
}

// supplied compiles a name that SQL itself has; found without an operand: a function of SQL.
func (c *compiler) supplied(e ast.Expr, sub func(ast.Expr) *plan.Expr) (o *plan.Expr, found bool) {
	o, err := c.lib.Operand(e, sub)
	raise(err)
	return o, o != nil || c.builtin(e)
}

// operand compiles a name of PL/SQL in an expression of PL/SQL; nil: a sequence or a function of SQL.
func (c *compiler) operand(e ast.Expr, sub func(ast.Expr) *plan.Expr) *plan.Expr {
	if x := c.special(e); x != nil {
		return x
	}
	x := c.local(e)
	if x == nil {
		if o, found := c.supplied(e, sub); found {
			return o
		}
		if x = c.resolve(e); x == nil {
			if ref, ok := e.(*ast.Ref); ok && len(ref.Parts) > 1 {
				if last := ref.Parts[len(ref.Parts)-1].Text; last == "NEXTVAL" || last == "CURRVAL" {
					return nil
				}
			}
			switch ref := e.(type) {
			case *ast.Call: // a function of SQL, or plan reports that there is none
				return nil
			case *ast.Ref:
				if _, err := c.lib.Table(ref, "SELECT"); err == nil {
					fail(e, 357, text(e))
				}
			}
			undeclared(e, text(e))
		}
	}
	d := c.value(e, x)
	return d.operand()
}

// operand returns the designator as an expression of PL/SQL.
func (d *designator) operand() *plan.Expr {
	out := plan.Volatile("plsql", d.typ.scalar, nil, d.get)
	if d.typ.kind != scalarKind {
		out.Type, out.Composite = datatype.Type{}, d.typ
	}
	return out
}

// local resolves an expression whose first name is declared in the unit, which hides functions of the session.
func (c *compiler) local(e ast.Expr) any {
	root := e
	for {
		switch x := root.(type) {
		case *ast.Call:
			root = x.Func
			continue
		case *ast.Field:
			root = x.Of
			continue
		case *ast.Ref:
			for n := c.names; n != nil; n = n.outer {
				if _, ok := n.list[x.Parts[0].Text]; ok || n.label == x.Parts[0].Text && len(x.Parts) > 1 {
					return c.resolve(e)
				}
			}
			return nil
		case *ast.Bind, *ast.Attribute:
			return c.resolve(e)
		}
		return nil
	}
}

// sqlOperand compiles a name of PL/SQL in a SQL statement: functions are called for each row, everything else is fixed when
// the statement starts.
func (c *compiler) sqlOperand(e ast.Expr, sub func(ast.Expr) *plan.Expr) *plan.Expr {
	before := c.sub
	c.sub = sub
	defer func() { c.sub = before }()
	x := c.local(e)
	if x == nil {
		if o, found := c.supplied(e, sub); found {
			return o
		}
		if x = c.resolve(e); x == nil {
			return nil
		}
	}
	switch x.(type) {
	case *designator, *overloads, *method:
	default:
		return nil // a type or exception means nothing in SQL
	}
	d := c.value(e, x)
	switch {
	case d.sql != nil:
		return d.sql
	case d.typ.kind == collectionKind:
		fail(e, 642)
	case d.typ.kind != scalarKind, d.typ.scalar.ID == datatype.Boolean:
		fail(e, 382)
	case d.key == "":
		refuse(e, "parts of what a function returns, in SQL")
	}
	return plan.Fixed(d.key, d.typ.scalar, d.get)
}

// target compiles something that a value can be put into: PLS-00363 if it cannot.
func (c *compiler) target(e ast.Expr) *designator {
	x := c.resolve(e)
	if x == nil && text(e) != "" {
		undeclared(e, text(e))
	}
	d, ok := x.(*designator)
	if n, number := e.(*ast.Number); number {
		fail(e, 363, n.Text)
	}
	if !ok || d.ref == nil || d.v == nil || d.v.readOnly || d.v.cursor != nil {
		fail(e, 363, text(e))
	}
	if d.v.bind != nil {
		d.v.bind.out = true
	}
	return d
}

// set stores a value of another type in the designator.
func (d *designator) set(f *frame, v value.Value, from *Type) {
	v = d.typ.store(f, v, from)
	*d.ref(&f.q, true) = v
}
