package plsql

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// flow says what follows a statement: the next one, or the end of the subprogram, or of a loop or one of its rounds,
// which are numbered in each subprogram.
type flow int32

const (
	next     flow = 0
	returned flow = 1
)

// step is a compiled statement.
type step struct {
	line int32
	ran  bool
	run  func(f *frame) flow
}

func run(steps []step, f *frame) flow {
	for i := range steps {
		f.line, steps[i].ran = int(steps[i].line), true
		if fl := steps[i].run(f); fl != next {
			return fl
		}
	}
	return next
}

// handler is a compiled exception handler; without exceptions, it is OTHERS.
type handler struct {
	exceptions []*exception
	body       []step
}

func (h *handler) handles(e *sqlerr.Error) bool {
	return h.exceptions == nil || slices.ContainsFunc(h.exceptions, func(x *exception) bool { return x.matches(e) })
}

// block compiles a block in a scope that is already open.
func (c *compiler) block(b *ast.Block, scope *names) func(f *frame) flow {
	outer := c.names
	c.names = scope
	defer func() { c.names = outer }()
	decls := c.declarations(b.Decls)
	body := c.statements(b.Body)
	handlers := c.handlers(b.Handlers)
	return guarded(handlers, func(f *frame) { run(decls, f) }, func(f *frame) flow { return run(body, f) })
}

// guarded runs declarations, whose errors propagate outward, and a body with its handlers.
func guarded(handlers []handler, decls func(f *frame), body func(f *frame) flow) func(f *frame) flow {
	if len(handlers) == 0 {
		return func(f *frame) flow {
			decls(f)
			return body(f)
		}
	}
	return func(f *frame) (fl flow) {
		decls(f)
		e := f.try(func() { fl = body(f) })
		if e == nil {
			return fl
		}
		i := slices.IndexFunc(handlers, func(h handler) bool { return h.handles(e) })
		if i < 0 {
			panic(e)
		}
		before, handled := f.st.handling, f.note(e)
		f.st.handling = handled
		defer func() { f.st.handling = before }()
		if e := f.try(func() { fl = run(handlers[i].body, f) }); e != nil {
			if r := raisedOf(e); e != f.reraised && (r == nil || !r.replaces) {
				e = over(f.note(e), handled)
				f.noted = e
			}
			panic(e)
		}
		return fl
	}
}

func (c *compiler) handlers(list []ast.Handler) []handler {
	var out []handler
	c.fn.handlers++
	defer func() { c.fn.handlers-- }()
	for i := range list {
		h := &list[i]
		var compiled handler
		c.guard(h, "", func() {
			for _, ref := range h.Exceptions {
				x := c.exception(ref)
				for _, o := range append(out, compiled) {
					for _, y := range o.exceptions {
						if x == y || x.number != 0 && x.number == y.number {
							fail(ref, 483, ref)
						}
					}
				}
				compiled.exceptions = append(compiled.exceptions, x)
			}
		})
		compiled.body = c.statements(h.Body)
		out = append(out, compiled)
	}
	return out
}

// statements compiles statements and reports the errors of each.
func (c *compiler) statements(list []ast.Statement) []step {
	out := make([]step, 0, len(list))
	for _, s := range list {
		var fn func(f *frame) flow
		ignored := "Statement"
		switch s.(type) {
		case *ast.Query, *ast.Insert, *ast.Update, *ast.Delete:
			ignored = "SQL Statement"
		}
		if c.guard(s, ignored, func() { fn = c.statement(s, nil) }) && fn != nil {
			out = append(out, step{line: int32(s.Position().Line), run: fn})
			in := ""
			if c.fn.routine != nil {
				in = c.fn.routine.name
			}
			unsafe, endless := left(s)
			*c.list = append(*c.list, Statement{in, s.Position(), &out[len(out)-1].ran, unsafe, endless})
		}
	}
	return out
}

// Waits reports whether COMMIT returns only when its log is on disk; without any option, PL/SQL goes on before.
func Waits(c *ast.Commit) bool { return c.Immediate || c.Wait }

// left says what a statement leaves open: see Statement.
func left(s ast.Statement) (unsafe, endless bool) {
	endlessly := func(q *ast.Query) bool { return q != nil && q.Lock != nil && q.Lock.Wait == "" }
	switch s := s.(type) {
	case *ast.Commit:
		return !Waits(s), false
	case *ast.Query:
		return false, endlessly(s)
	case *ast.ForCursor:
		return false, endlessly(s.Query)
	}
	return false, false
}

// statement compiles a statement that has labels.
func (c *compiler) statement(s ast.Statement, labels []ast.Name) func(f *frame) flow {
	switch s := s.(type) {
	case *ast.Labeled:
		return c.labeled(s)
	case *ast.Block:
		if autonomous(s.Decls) { // a nested one
			fail(s, 710)
		}
		label := ""
		if len(labels) > 0 {
			label = labels[0].Text
		}
		outer := c.names
		defer func() { c.names = outer }()
		return c.block(s, c.push(label))
	case *ast.If:
		return c.ifStatement(s)
	case *ast.CaseStatement:
		return c.caseStatement(s)
	case *ast.Loop:
		return c.loop(s, labels)
	case *ast.ForRange:
		return c.forRange(s, labels)
	case *ast.ForCursor:
		return c.forCursor(s, labels)
	case *ast.Exit:
		return c.exit(s)
	case *ast.NullStatement:
		return func(*frame) flow { return next }
	case *ast.Return:
		return c.returnStatement(s)
	}
	do := c.action(s)
	return func(f *frame) flow { do(f); return next }
}

func (c *compiler) labeled(s *ast.Labeled) func(f *frame) flow {
	return c.statement(s.Stmt, s.Labels)
}

// action compiles a statement that the next one follows.
func (c *compiler) action(s ast.Statement) func(f *frame) {
	switch s := s.(type) {
	case *ast.Assign:
		return c.assignment(s)
	case *ast.ProcedureCall:
		return c.procedureCall(s)
	case *ast.Raise:
		return c.raise(s)
	case *ast.Query:
		return c.selectInto(s)
	case *ast.Insert, *ast.Update, *ast.Delete:
		return c.dml(s)
	case *ast.Forall:
		return c.forall(s)
	case *ast.ExecuteImmediate:
		return c.executeImmediate(s)
	case *ast.Open:
		return c.open(s)
	case *ast.FetchCursor:
		return c.fetch(s)
	case *ast.Close:
		return c.closeCursor(s)
	case *ast.Commit:
		return func(f *frame) { f.sqlStatement(func() error { return f.Commit(s) }) }
	case *ast.Rollback:
		if s.To != nil {
			return func(f *frame) { f.sqlStatement(func() error { return f.RollbackTo(s.To.Text) }) }
		}
		return func(f *frame) { f.sqlStatement(f.Rollback) }
	case *ast.Savepoint:
		return func(f *frame) { f.sqlStatement(func() error { f.Savepoint(s.Name.Text); return nil }) }
	case *ast.SetTransaction, *ast.LockTable:
		return func(f *frame) {
			f.mayCommit()
			raise(f.Statement(s))
		}
	}
	refuse(s, "%T in PL/SQL", s)
	return nil
}

// sqlStatement runs transaction control; the implicit cursor is then empty.
func (f *frame) sqlStatement(fn func() error) {
	f.mayCommit()
	raise(fn())
	f.st.sql = implicit{ran: true}
}

func (c *compiler) assignment(s *ast.Assign) func(f *frame) {
	x := c.expr(s.Value)
	d := c.target(s.Target)
	ev := c.assign(s.Value, x, d.typ)
	ref := d.ref
	if d.typ.kind == cursorKind {
		return func(f *frame) {
			v := ev(f)
			escape(v)
			*ref(&f.q, true) = v
		}
	}
	return func(f *frame) {
		v := ev(f)
		*ref(&f.q, true) = v
	}
}

func (c *compiler) procedureCall(s *ast.ProcedureCall) func(f *frame) {
	var args []ast.Arg
	e := s.Call
	if call, ok := e.(*ast.Call); ok {
		args, e = call.Args, call.Func
	}
	ref, _ := e.(*ast.Ref)
	if ref != nil && (ref.Word() == "RAISE_APPLICATION_ERROR" || len(ref.Parts) == 2 && ref.String() == "DBMS_STANDARD.RAISE_APPLICATION_ERROR") {
		do := c.raiseApplicationError(s, args)
		return func(f *frame) { do(f) }
	}
	c.statementCall = true
	x := c.resolve(s.Call)
	if x == nil {
		undeclared(s, text(s.Call))
	}
	var d *designator
	switch y := x.(type) {
	case *overloads:
		c.statementCall = true
		d = c.call(s, y, nil)
	case *method:
		d = c.method(y, nil)
	case *designator:
		d = y
	}
	c.statementCall = false
	if d == nil || d.typ != nil {
		fail(s, 221, text(s.Call))
	}
	return func(f *frame) { d.get(&f.q) }
}

func (c *compiler) raise(s *ast.Raise) func(f *frame) {
	if s.Exception == nil {
		if c.fn.handlers == 0 {
			fail(s, 367)
		}
		return func(f *frame) {
			e := *f.st.handling
			e.Frames = append([]sqlerr.Frame{f.here()}, e.Frames...)
			f.noted, f.reraised = &e, &e
			panic(&e)
		}
	}
	x := c.exception(s.Exception)
	return func(f *frame) { panic(x.error()) }
}

func (c *compiler) returnStatement(s *ast.Return) func(f *frame) flow {
	r := c.fn.routine
	switch {
	case r == nil || r.ret == nil:
		if s.Value != nil {
			fail(s, 372)
		}
		return func(*frame) flow { return returned }
	case s.Value == nil:
		fail(s, 503)
	}
	ev := c.assign(s.Value, c.expr(s.Value), r.ret)
	return func(f *frame) flow {
		f.result = ev(f)
		escape(f.result)
		return returned
	}
}
