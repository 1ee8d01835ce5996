package plsql

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// routine is a procedure or function.
type routine struct {
	name       string
	unit       *Unit // the unit that has its code or, in a specification, its declaration; nil in a block
	decl       *ast.Subprogram
	level      int // nesting level of its activations
	index      int // position in the specification that declares it, else -1
	params     []param
	ret        *Type // nil: a procedure
	slots      int
	private    bool // no other unit can call it
	defined    bool
	autonomous bool
	body       func(f *frame) flow
	native     Native
}

type param struct {
	name   string
	mode   ast.ParamMode
	noCopy bool
	typ    *Type
	def    func(f *frame) value.Value // evaluated in the activation around the subprogram; nil: none
}

// heading compiles name, parameters and result.
func (c *compiler) heading(d *ast.Subprogram) *routine {
	r := &routine{name: d.Name.Text, unit: c.unit, decl: d, level: c.fn.level + 1, index: -1, private: true}
	for i := range d.Params {
		p := &d.Params[i]
		if r.param(p.Name.Text) >= 0 {
			fail(p, 410)
		}
		out := param{name: p.Name.Text, mode: p.Mode, noCopy: p.NoCopy, typ: c.dataType(p.Type, true)}
		if p.Default != nil {
			out.def = c.assign(p.Default, c.expr(p.Default), out.typ)
		}
		r.params = append(r.params, out)
	}
	if d.Return != nil {
		r.ret = c.dataType(d.Return, true)
	}
	r.slots = len(r.params)
	return r
}

// same reports whether two headings belong to the same subprogram.
func (r *routine) same(o *routine) bool {
	if len(r.params) != len(o.params) || (r.ret == nil) != (o.ret == nil) {
		return false
	}
	for i := range r.params {
		a, b := &r.params[i], &o.params[i]
		if a.name != b.name || a.mode != b.mode || !sameType(a.typ, b.typ) {
			return false
		}
	}
	return r.ret == nil || sameType(r.ret, o.ret)
}

func sameType(a, b *Type) bool {
	if a.kind == scalarKind && b.kind == scalarKind {
		return a.scalar == b.scalar
	}
	return a == b || a.kind == b.kind && a.name == b.name && (a.rowType && b.rowType || a.kind == cursorKind) && a.accepts(b)
}

// subprogram declares or defines a procedure or function in the open scope.
func (c *compiler) subprogram(d *ast.Subprogram) {
	r := c.heading(d)
	o, _ := c.names.list[d.Name.Text].(*overloads)
	if o == nil {
		o = &overloads{name: d.Name.Text}
		c.declare(d.Name, o)
	}
	if old := slices.IndexFunc(o.list, r.same); old >= 0 {
		if o.list[old].defined || d.Body == nil {
			fail(d.Name, 305, d.Name.Text, o.list[old].decl.Line)
		}
		declared := o.list[old]
		for i := range r.params {
			if declared.params[i].def == nil && r.params[i].def != nil {
				fail(&d.Params[i], 593, r.params[i].name)
			}
		}
		r = declared
	} else {
		o.list = append(o.list, r)
		c.names.order = append(c.names.order, r)
	}
	if d.Body != nil {
		r.defined = true
		r.decl = d
		c.define(r, d)
	}
}

// define compiles the body of a routine.
func (c *compiler) define(r *routine, d *ast.Subprogram) {
	fn, scope := c.fn, c.names
	defer func() { c.fn, c.names = fn, scope }()
	c.fn = &function{routine: r, level: r.level, slots: len(r.params)}
	c.push(r.name)
	for i := range r.params {
		p := &r.params[i]
		c.names.list[p.name] = &variable{name: p.name, typ: p.typ, level: r.level, slot: i, readOnly: p.mode == ast.ModeIn}
	}
	body := c.block(d.Body, c.names)
	r.autonomous = autonomous(d.Body.Decls)
	r.slots = c.fn.slots
	end := d.Body.End.Line
	r.body = func(f *frame) flow {
		fl := body(f)
		if fl != returned && r.ret != nil {
			f.line = end
			raise(message.ORA(6503))
		}
		return fl
	}
}

func autonomous(decls []ast.Decl) bool {
	return slices.ContainsFunc(decls, func(d ast.Decl) bool {
		p, ok := d.(*ast.Pragma)
		return ok && p.Kind == ast.AutonomousTransaction
	})
}

// invoke runs the routine. values are its arguments and receive those of OUT parameters.
func (r *routine) invoke(h Host, outer *frame, values []value.Value) value.Value {
	unit := ""
	if r.unit != nil {
		unit = r.unit.Owner + "." + r.unit.Name
	}
	if r.native != nil {
		nc := &NativeCall{Host: h, routine: r, args: values}
		f := newFrame(h, outer, unit, 0)
		f.line = r.decl.Line
		f.call(func() { raise(query.Catch(func() error { return r.native(nc) })) })
		return nc.result
	}
	f := newFrame(h, outer, unit, r.slots)
	copy(f.vars, values)
	f.call(func() { f.isolated(r.autonomous, func() { r.body(f) }) })
	copy(values, f.vars)
	return f.result
}

// isolated runs fn, in a separate transaction if the routine is autonomous.
func (f *frame) isolated(autonomous bool, fn func()) {
	if !autonomous {
		fn()
		return
	}
	leave := f.Autonomous()
	normal, caller := false, f.st.caller
	f.st.caller = noSQL
	defer func() {
		f.st.caller = caller
		if !normal {
			_ = leave(false)
		}
	}()
	fn()
	normal = true
	raise(leave(true))
}
