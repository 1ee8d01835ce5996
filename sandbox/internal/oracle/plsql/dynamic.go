package plsql

import (
	"github.com/dbsched/dbsched/sandbox/internal/audit"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// dynamic is the text of a dynamic statement with its USING clause.
type dynamic struct {
	text func(f *frame) value.Value
	args []dynamicArg
}

type dynamicArg struct {
	mode ast.ParamMode
	typ  *Type
	in   func(f *frame) value.Value
	out  *designator
}

func (c *compiler) dynamic(text ast.Expr, using []ast.UsingArg) *dynamic {
	x := c.expr(text)
	if t := typeOf(x); t.kind != scalarKind || !t.scalar.IsText() && t.scalar.ID != datatype.CLOB && t.scalar.ID != datatype.Untyped {
		fail(text, 382)
	}
	d := &dynamic{text: eval(x)}
	for _, u := range using {
		a := dynamicArg{mode: u.Mode}
		if u.Mode != ast.ModeOut {
			v := c.expr(u.Value)
			if _, literal := u.Value.(*ast.Null); literal {
				fail(u.Value, 457)
			}
			a.typ, a.in = typeOf(v), eval(v)
		}
		if u.Mode != ast.ModeIn {
			a.out = c.target(u.Value)
			a.typ = a.out.typ
		}
		d.args = append(d.args, a)
	}
	return d
}

// prepare parses the text and computes the binds: ORA-06535 for a text that is NULL.
func (d *dynamic) prepare(f *frame) (Dynamic, []*Bind) {
	v := d.text(f)
	if v.IsNull() || v.Str() == "" {
		raise(message.ORA(6535))
	}
	binds := make([]*Bind, len(d.args))
	for i, a := range d.args {
		b := &Bind{Mode: a.mode}
		switch a.typ.kind {
		case scalarKind:
			b.Type = a.typ.scalar
		case cursorKind:
			b.Cursor = true
		default:
			b.Composite = a.typ
		}
		if a.in != nil {
			b.Value = a.in(f)
		} else {
			b.Value = a.typ.initial(f.Host)
		}
		binds[i] = b
	}
	audit.Composed("oracle", f.unit, v.Str(), "")
	p, err := f.Prepare(v.Str())
	raise(sqlerr.Outside(err))
	names := p.Placeholders()
	n := len(names)
	for i, b := range binds[:min(n, len(binds))] {
		b.Name = names[i]
	}
	switch {
	case len(binds) < n-len(p.Returning()):
		raise(message.ORA(1008))
	case len(binds) > n:
		raise(message.ORA(1006))
	}
	return p, binds
}

// finish puts the values of OUT binds into their variables.
func (d *dynamic) finish(f *frame, binds []*Bind) {
	for i, a := range d.args {
		if a.out != nil && i < len(binds) {
			escape(binds[i].Value)
			a.out.set(f, binds[i].Value, a.typ)
		}
	}
}

// executeImmediate compiles EXECUTE IMMEDIATE.
func (c *compiler) executeImmediate(s *ast.ExecuteImmediate) func(f *frame) {
	run := c.execution(s)
	return func(f *frame) {
		f.st.sql = implicit{ran: true}
		rows, finish := run(f)
		f.st.sql = implicit{ran: true, rows: rows}
		finish()
	}
}

// execution compiles EXECUTE IMMEDIATE: the closure runs it, and returns how many rows there were and a function that then puts
// values into variables.
func (c *compiler) execution(s *ast.ExecuteImmediate) func(f *frame) (int64, func()) {
	d := c.dynamic(s.SQL, s.Using)
	var into, returning *into
	if s.Into != nil {
		into = c.into(s.Into, nil, nil)
	}
	if s.Returning != nil {
		returning = c.into(s.Returning, nil, nil)
	}
	return func(f *frame) (int64, func()) {
		p, binds := d.prepare(f)
		kind := p.Kind()
		names := p.Placeholders()
		inputs := len(names) - len(p.Returning())
		switch {
		case into != nil && kind != DynamicQuery:
			raise(message.ORA(1007))
		case returning != nil && (len(p.Returning()) == 0 || len(binds) > inputs):
			raise(message.ORA(6547))
		case returning == nil && len(binds) < len(names):
			raise(message.ORA(1008))
		case kind != DynamicBlock:
			for i, a := range d.args {
				if i < inputs && a.mode != ast.ModeIn {
					raise(message.ORA(6536))
				}
			}
		}
		switch kind {
		case DynamicDML:
			f.mayWrite()
		case DynamicDDL, DynamicOther:
			f.mayCommit()
		}
		if kind == DynamicQuery && into == nil {
			return 0, func() {} // it is only parsed (Language Reference, "EXECUTE IMMEDIATE Statement")
		}
		r, err := p.Execute(binds[:min(inputs, len(binds))])
		raise(sqlerr.Outside(err))
		if kind != DynamicQuery {
			return r.Count, func() {
				switch columns := p.Returning(); {
				case returning != nil:
					returning.fill(f, r.Returning, columns)
				case len(columns) > 0:
					d.returned(f, r.Returning, columns, inputs)
				default:
					d.finish(f, binds)
				}
			}
		}
		defer r.Rows.Close()
		if into.width() != len(r.Rows.Columns) {
			raise(message.ORA(1007))
		}
		rows, err := fetchAll(r.Rows, into.bulk)
		raise(sqlerr.Outside(err))
		return int64(len(rows)), func() { f.finishInto(into, rows, r.Rows.Columns) }
	}
}

// returned stores the values of a RETURNING clause into the OUT arguments of USING.
func (d *dynamic) returned(f *frame, rows []value.Row, columns []plan.Column, first int) {
	in := &into{}
	for _, a := range d.args[first:] {
		if a.out == nil {
			raise(message.ORA(6537))
		}
		in.targets = append(in.targets, a.out)
	}
	in.fill(f, rows, columns)
}

// forall compiles FORALL: its statement runs once for each index.
func (c *compiler) forall(s *ast.Forall) func(f *frame) {
	integer := scalarType(datatype.Of(datatype.PLSInteger))
	indices := c.indices(s, integer)
	outer := c.names
	defer func() { c.names = outer }()
	c.push("")
	v := c.variable(s.Var, integer)
	v.readOnly, v.index = true, true
	var do func(f *frame) (int64, []value.Row, func([]value.Row))
	if x, ok := s.Stmt.(*ast.ExecuteImmediate); ok {
		if x.Into != nil || x.Returning != nil {
			refuse(x, "INTO in a FORALL with EXECUTE IMMEDIATE")
		}
		run := c.execution(x)
		do = func(f *frame) (int64, []value.Row, func([]value.Row)) {
			n, finish := run(f)
			return n, nil, func([]value.Row) { finish() }
		}
	} else {
		do = c.change(s.Stmt)
	}
	return func(f *frame) {
		var done implicit
		var counts Collection
		var all []value.Row
		finish := func([]value.Row) {}
		round := int64(0)
		for _, i := range indices(f) {
			round++
			f.vars[v.slot] = value.NewInt(i)
			counts.Put(i, value.NewInt(0))
			once := func() {
				n, rows, end := do(f)
				done.rows += n
				counts.Put(i, value.NewInt(n))
				all, finish = append(all, rows...), end
			}
			if !s.SaveExceptions {
				f.st.sql = done
				f.st.sql.ran, f.st.sql.bulkRows = true, counts.items
				once()
				continue
			}
			if e := f.try(once); e != nil {
				done.errors = append(done.errors, bulkError{round, int64(e.Number)})
			}
		}
		done.ran, done.bulkRows = true, counts.items
		f.st.sql = done
		if all != nil || len(done.errors) == 0 {
			finish(all)
		}
		if len(done.errors) > 0 {
			raise(message.ORA(24381))
		}
	}
}

// indices compiles the range of a FORALL.
func (c *compiler) indices(s *ast.Forall, integer *Type) func(f *frame) []int64 {
	bound := func(e ast.Expr) func(f *frame) int64 {
		ev := eval(c.convert(e, c.expr(e), integer))
		return func(f *frame) int64 {
			v := ev(f)
			if v.IsNull() {
				raise(datatype.ErrNumeric(""))
			}
			return v.Int64()
		}
	}
	low, high := bound(s.Low), bound(s.High)
	return func(f *frame) (out []int64) {
		for i, n := low(f), high(f); i <= n; i++ {
			out = append(out, i)
		}
		return out
	}
}
