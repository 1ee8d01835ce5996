package plsql

import (
	"strconv"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// declarations compiles declarations in the open scope; the closures run in order when the block,
// subprogram or package begins. Each error is reported, and the rest is compiled.
func (c *compiler) declarations(list []ast.Decl) []step {
	var steps []step
	for _, d := range list {
		if s, ok := d.(*ast.Subprogram); ok {
			c.guard(s, "Declaration", func() { c.subprogram(s) })
			continue
		}
		var run func(f *frame)
		if !c.guard(d, "Item", func() { run = c.declaration(d) }) {
			c.unknown(d)
		} else if run != nil {
			steps = append(steps, step{line: int32(d.Position().Line), run: func(f *frame) flow { run(f); return next }})
		}
	}
	for _, r := range c.names.order {
		if !r.defined && (c.unit == nil || c.unit.Kind != ast.KindPackage) {
			if r.index >= 0 {
				c.guard(r.decl, "", func() {
					fail(r.decl.Name, 323, r.name)
				})
				continue
			}
			c.guard(r.decl, "", func() {
				fail(r.decl.Name, 328, r.name)
			})
		}
	}
	return steps
}

// unknown declares what could not be compiled, so its name is not reported as undeclared: its uses get PLS-00320.
func (c *compiler) unknown(d ast.Decl) {
	name := ""
	switch d := d.(type) {
	case *ast.Variable:
		name = d.Name.Text
	case *ast.RecordType:
		name = d.Name.Text
	case *ast.CollectionType:
		name = d.Name.Text
	case *ast.RefCursorType:
		name = d.Name.Text
	case *ast.Cursor:
		name = d.Name.Text
	}
	if name != "" && c.names.list[name] == nil {
		c.names.list[name] = &broken{}
	}
}

// broken marks an invalid declaration.
type broken struct{}

func (c *compiler) declaration(d ast.Decl) func(f *frame) {
	switch d := d.(type) {
	case *ast.Variable:
		return c.variableDecl(d)
	case *ast.Exception:
		c.declare(d.Name, &exception{name: d.Name.Text})
	case *ast.Pragma:
		c.pragma(d)
	case *ast.RecordType:
		c.declare(d.Name, c.recordType(d))
	case *ast.CollectionType:
		c.declare(d.Name, c.collectionType(d))
	case *ast.RefCursorType:
		t := &Type{kind: cursorKind, name: d.Name.Text}
		if d.Return != nil {
			t.row = c.dataType(d.Return, true)
		}
		c.declare(d.Name, t)
	case *ast.Cursor:
		return c.cursorDecl(d)
	}
	return nil
}

func (c *compiler) variableDecl(d *ast.Variable) func(f *frame) {
	t := c.dataType(d.Type, false)
	if d.NotNull && !t.notNull {
		n := *t
		n.notNull = true
		t = &n
	}
	if t.notNull && d.Default == nil {
		fail(d, 218)
	}
	var init func(f *frame) value.Value
	if d.Default != nil {
		init = c.assign(d.Default, c.expr(d.Default), t)
	}
	v := c.variable(d.Name, t)
	v.readOnly = d.Constant
	slot := v.slot
	if c.unit != nil && !d.Constant && v.level == 0 {
		c.unit.Stateful = true
	}
	switch {
	case init != nil:
		return func(f *frame) { f.vars[slot] = init(f) }
	case t.kind == scalarKind, t.kind == cursorKind:
		return func(f *frame) { f.vars[slot] = value.Value{} }
	}
	return func(f *frame) { f.vars[slot] = t.initial(f.Host) }
}

func (c *compiler) pragma(d *ast.Pragma) {
	switch d.Kind {
	case ast.ExceptionInit:
		if len(d.Args) != 2 {
			fail(d, 706)
		}
		ref, ok := d.Args[0].(*ast.Ref)
		if !ok {
			fail(d, 703)
		}
		x, ok := c.names.list[ref.Parts[0].Text].(*exception)
		if !ok {
			fail(ref, 124)
		}
		n, ok := number(d.Args[1])
		switch {
		case !ok:
			fail(d.Args[1], 702)
		case n == 100:
			n = -1403
		case n >= 0 || n == -1403 || n < -1000000:
			fail(d.Args[1], 701, n)
		}
		x.number = int32(-n)
	case ast.AutonomousTransaction:
		if c.unit != nil && c.unit.Kind != ast.KindTrigger && (c.fn.routine == nil || c.names.label == "") {
			fail(d, 710)
		}
	}
}

// number returns a whole literal with its sign.
func number(e ast.Expr) (int64, bool) {
	switch e := e.(type) {
	case *ast.Unary:
		if n, ok := number(e.X); ok && e.Op == "-" {
			return -n, true
		}
	case *ast.Number:
		n, err := strconv.ParseInt(e.Text, 10, 64)
		return n, err == nil
	}
	return 0, false
}

func (c *compiler) recordType(d *ast.RecordType) *Type {
	t := &Type{kind: recordKind, name: d.Name.Text}
	for i := range d.Fields {
		p := &d.Fields[i]
		if t.field(p.Name.Text) >= 0 {
			fail(p, 410)
		}
		f := field{name: p.Name.Text, typ: c.dataType(p.Type, false)}
		if p.NotNull {
			n := *f.typ
			n.notNull = true
			f.typ = &n
		}
		if p.Default != nil {
			static := c.static
			c.static = true
			f.init = c.assign(p.Default, c.expr(p.Default), f.typ)
			c.static = static
		}
		t.fields = append(t.fields, f)
	}
	return t
}

func (c *compiler) collectionType(d *ast.CollectionType) *Type {
	t := &Type{kind: collectionKind, name: d.Name.Text, elem: c.dataType(d.Element, false)}
	if d.IndexBy != nil {
		t.index = c.dataType(d.IndexBy, false)
		if id := t.index.scalar.ID; t.index.kind != scalarKind || id != datatype.PLSInteger && id != datatype.Varchar2 {
			fail(d.IndexBy, 315)
		}
	}
	return t
}
