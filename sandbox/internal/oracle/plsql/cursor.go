package plsql

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Cursor is an open or closed cursor: what a cursor variable holds in a Ref, or a declared cursor.
type Cursor struct {
	rows    *plan.Rows
	columns []plan.Column
	count   int64
	fetched bool
	found   bool
	escaped bool // a variable elsewhere holds it, too
}

// Rows returns the rows of an open cursor, nil for a closed one. Whoever fetches closes them with Close.
func (c *Cursor) Rows() *plan.Rows { return c.rows }

// Columns returns the columns of an open cursor.
func (c *Cursor) Columns() []plan.Column { return c.columns }

// Close closes it; closing a closed cursor does nothing.
func (c *Cursor) Close() {
	if c.rows != nil {
		c.rows.Close()
		c.rows = nil
	}
}

// begin opens it for rows.
func (c *Cursor) begin(r *plan.Rows, columns []plan.Column) {
	*c = Cursor{rows: r, columns: columns, escaped: c.escaped}
}

// next fetches a row: ORA-01001 if the cursor is not open.
func (c *Cursor) next() (value.Row, bool) {
	if c.rows == nil {
		raise(message.ORA(1001))
	}
	row, ok, err := c.rows.Next()
	raise(err)
	c.fetched, c.found = true, ok
	if ok {
		c.count++
	}
	return row, ok
}

// escape records that a cursor is known outside the activation that opened it.
func escape(v value.Value) {
	if v.Kind != value.Ref {
		return
	}
	if c, ok := v.Any().(*Cursor); ok {
		c.escaped = true
	}
}

// cursor is a declared cursor: a variable that holds a *Cursor, and the way to open it.
type cursor struct {
	name   string
	params []param
	first  int // slot of the first parameter
	row    *Type
	st     staticSQL
}

// cursorDecl compiles CURSOR c (params) IS query.
func (c *compiler) cursorDecl(d *ast.Cursor) func(f *frame) {
	if d.Query == nil {
		refuse(d, "cursors whose query is in the body")
	}
	cur := &cursor{name: d.Name.Text}
	v := &variable{name: d.Name.Text, typ: &Type{kind: cursorKind}, level: c.fn.level, cursor: cur}
	v.slot = c.slot()
	outer := c.names
	c.push("")
	for i := range d.Params {
		p := &d.Params[i]
		if p.Mode != ast.ModeIn {
			fail(p, 405)
		}
		out := param{name: p.Name.Text, mode: ast.ModeIn, typ: c.dataType(p.Type, true)}
		if p.Default != nil {
			out.def = c.assign(p.Default, c.expr(p.Default), out.typ)
		}
		pv := c.variable(p.Name, out.typ)
		pv.readOnly = true
		if i == 0 {
			cur.first = pv.slot
		}
		cur.params = append(cur.params, out)
	}
	defer func() { c.names = outer }()
	cur.st = c.compileSQL(d.Query)
	cur.row = rowType(cur.st.Columns)
	cur.row.name = d.Name.Text
	c.names = outer
	c.declare(d.Name, v)
	if c.unit != nil && v.level == 0 {
		c.unit.Stateful = true
	}
	slot, stays := v.slot, c.unit != nil && v.level == 0
	return func(f *frame) {
		if !f.vars[slot].IsNull() { // the block is starting again
			f.vars[slot].Any().(*Cursor).Close()
			return
		}
		cur := &Cursor{escaped: stays}
		f.vars[slot] = value.NewRef(cur)
		f.cursors = append(f.cursors, cur)
	}
}

// declared finds an explicit cursor; nil: it is not one.
func (c *compiler) declared(e ast.Expr) (*variable, *cursor, []ast.Arg) {
	var args []ast.Arg
	if call, ok := e.(*ast.Call); ok {
		e, args = call.Func, call.Args
	}
	ref, ok := e.(*ast.Ref)
	if !ok {
		return nil, nil, nil
	}
	x, rest := c.lookup(ref)
	if v, ok := x.(*variable); ok && v.cursor != nil && len(rest) == 0 {
		return v, v.cursor, args
	}
	return nil, nil, nil
}

// opener compiles OPEN of a declared cursor.
func (c *compiler) opener(at ast.Node, v *variable, cur *cursor, args []ast.Arg) func(f *frame) *Cursor {
	r := &routine{name: cur.name, params: cur.params}
	list := c.actuals(args)
	given, _ := r.match(list)
	if given == nil {
		fail(at, 306, cur.name)
	}
	values := make([]func(f *frame) value.Value, len(given))
	for i, n := range given {
		if n >= 0 {
			values[i] = c.assign(at, list[n].x, cur.params[i].typ)
		}
	}
	d := c.variableOf(at, v)
	depth := c.fn.level - v.level
	home := func(f *frame) *frame { return f.up(depth) } // the parameters and what the query sees are there
	if v.owner != nil {
		home = func(f *frame) *frame {
			i, err := f.Package(v.owner)
			raise(err)
			return i.frame
		}
	}
	return func(f *frame) *Cursor {
		k := d.get(&f.q).Any().(*Cursor)
		if k.rows != nil {
			raise(message.ORA(6511))
		}
		h := home(f)
		for i, ev := range values {
			if ev != nil {
				h.vars[cur.first+i] = ev(f)
			} else {
				h.vars[cur.first+i] = cur.params[i].def(h)
			}
		}
		f.openStatic(k, cur.st, h)
		return k
	}
}

// openStatic opens a cursor for a static query, whose variables are in env.
func (f *frame) openStatic(k *Cursor, st staticSQL, env *frame) {
	raise(f.Run(func() error {
		return st.run(f, func(st *plan.Statement) error {
			r, err := st.Open(env)
			if err == nil {
				k.begin(r, r.Columns)
			}
			return err
		})
	}))
}

// cursorOf compiles a cursor or cursor variable that is used: ORA-01001 if the variable holds none.
func (c *compiler) cursorOf(e ast.Expr) (get func(f *frame) *Cursor, row *Type) {
	if v, cur, _ := c.declared(e); v != nil {
		d := c.variableOf(e, v)
		return func(f *frame) *Cursor { return d.get(&f.q).Any().(*Cursor) }, cur.row
	}
	x := c.expr(e)
	t := typeOf(x)
	if t.kind != cursorKind {
		fail(e, 456, text(e))
	}
	ev := eval(x)
	return func(f *frame) *Cursor {
		v := ev(f)
		if v.IsNull() {
			raise(message.ORA(1001))
		}
		return v.Any().(*Cursor)
	}, t.row
}

// open compiles OPEN in its three forms.
func (c *compiler) open(s *ast.Open) func(f *frame) {
	if s.Query == nil && s.Dynamic == nil {
		v, cur, args := c.declared(s.Cursor)
		if v == nil {
			fail(s.Cursor, 456, text(s.Cursor))
		}
		do := c.opener(s, v, cur, args)
		return func(f *frame) { do(f) }
	}
	d := c.target(s.Cursor)
	if d.typ.kind != cursorKind {
		fail(s.Cursor, 382)
	}
	local := d.v.level == c.fn.level && d.v.owner == nil && d.v.bind == nil && d.v.slot >= c.fn.params() && (c.fn.level > 0 || c.unit == nil)
	fresh := func(f *frame) *Cursor {
		place := d.ref(&f.q, true)
		if !place.IsNull() {
			k := place.Any().(*Cursor)
			k.Close()
			return k
		}
		k := &Cursor{}
		*place = value.NewRef(k)
		if local {
			f.cursors = append(f.cursors, k)
		}
		return k
	}
	if s.Query != nil {
		st := c.compileSQL(s.Query)
		if d.typ.row != nil && !d.typ.row.accepts(rowType(st.Columns)) {
			fail(s, 382)
		}
		return func(f *frame) { f.openStatic(fresh(f), st, f) }
	}
	if d.typ.row != nil {
		fail(s, 455, text(s.Cursor))
	}
	dyn := c.dynamic(s.Dynamic, s.Using)
	return func(f *frame) {
		p, binds := dyn.prepare(f)
		if p.Kind() != DynamicQuery {
			raise(message.ORA(6539))
		}
		k := fresh(f)
		r, err := p.Execute(binds)
		raise(sqlerr.Outside(err))
		k.begin(r.Rows, r.Rows.Columns)
	}
}

// params returns the number of parameter slots in the function's activation.
func (fn *function) params() int {
	if fn.routine == nil {
		return 0
	}
	return len(fn.routine.params)
}

func (c *compiler) closeCursor(s *ast.Close) func(f *frame) {
	get, _ := c.cursorOf(s.Cursor)
	return func(f *frame) {
		k := get(f)
		if k.rows == nil {
			raise(message.ORA(1001))
		}
		k.Close()
	}
}

// fetch compiles FETCH.
func (c *compiler) fetch(s *ast.FetchCursor) func(f *frame) {
	get, row := c.cursorOf(s.Cursor)
	var columns []plan.Column
	if row != nil {
		columns = []plan.Column{}
		for _, f := range row.fields {
			columns = append(columns, plan.Column{Name: f.name, Type: f.typ.scalar})
		}
	}
	in := c.into(s.Into, columns, func(bool) {
		fail(s, 394)
	})
	var limit func(f *frame) value.Value
	if s.Limit != nil {
		limit = eval(c.convert(s.Limit, c.expr(s.Limit), scalarType(datatype.Of(datatype.PLSInteger))))
	}
	return func(f *frame) {
		k := get(f)
		if !in.bulk {
			if row, ok := k.next(); ok {
				f.storeFetched(in, row, k.columns)
			}
			return
		}
		most := int64(-1)
		if limit != nil {
			v := limit(f)
			if v.IsNull() || v.Int64() < 0 {
				raise(datatype.ErrNumeric("NULL index table key value"))
			}
			most = v.Int64()
		}
		before := k.count
		in.begin(f)
		for most < 0 || k.count-before < most {
			row, ok := k.next()
			if !ok {
				break
			}
			in.add(f, row, k.columns)
		}
	}
}

// storeFetched stores a row; a mismatch in number or type is ORA-06504.
func (f *frame) storeFetched(in *into, row value.Row, columns []plan.Column) {
	if in.width() != len(row) {
		raise(message.ORA(6504))
	}
	in.store(f, row, columns)
}

// forCursor compiles a cursor FOR loop. The loop's record exists only inside it; leaving the loop closes the cursor.
func (c *compiler) forCursor(s *ast.ForCursor, labels []ast.Name) func(f *frame) flow {
	var start func(f *frame) *Cursor
	var row *Type
	if s.Query != nil {
		st := c.compileSQL(s.Query)
		row = rowType(st.Columns)
		start = func(f *frame) *Cursor {
			k := &Cursor{}
			f.openStatic(k, st, f)
			return k
		}
	} else {
		v, cur, args := c.declared(s.Cursor)
		if v == nil {
			fail(s.Cursor, 456, text(s.Cursor))
		}
		row = cur.row
		start = c.opener(s, v, cur, args)
	}
	outer := c.names
	defer func() { c.names = outer }()
	label := ""
	if labels != nil {
		label = labels[0].Text
	}
	c.push(label)
	rec := c.variable(s.Var, row)
	round := c.body(s.Body, labels)
	at := s.Line
	return func(f *frame) flow {
		k := start(f)
		defer k.Close()
		for {
			values, ok := k.next()
			if !ok {
				return next
			}
			if len(values) != len(row.fields) { // SELECT * was recompiled
				raise(message.ORA(1007))
			}
			r := &Record{typ: row, values: slices.Clone(values)}
			for i := range r.values {
				if to := row.fields[i].typ; to.scalar != k.columns[i].Type {
					r.values[i] = to.store(f, r.values[i], scalarType(k.columns[i].Type))
				}
			}
			f.vars[rec.slot] = value.NewRef(r)
			if more, fl := round(f); !more {
				return fl
			}
			f.line = at
		}
	}
}
