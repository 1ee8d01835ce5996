package plsql

import (
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// loop is a loop being compiled.
type loop struct {
	labels []ast.Name
	exit   flow // what leaves it; exit+1 starts its next round
}

// branch is a condition with its statements.
type branch struct {
	cond func(f *frame) bool
	body []step
}

func (c *compiler) ifStatement(s *ast.If) func(f *frame) flow {
	return c.branches(s.Branches, func(b *ast.Branch) func(f *frame) bool { return c.condition(b.Cond) }, c.orElse(s.Else))
}

func (c *compiler) orElse(list []ast.Statement) func(f *frame) flow {
	steps := c.statements(list)
	return func(f *frame) flow { return run(steps, f) }
}

// branches compiles all branches, even if a condition is wrong, and reports every error.
func (c *compiler) branches(list []ast.Branch, cond func(b *ast.Branch) func(f *frame) bool, orElse func(f *frame) flow) func(f *frame) flow {
	out := make([]branch, len(list))
	for i := range list {
		c.guard(list[i].Cond, "Statement", func() { out[i].cond = cond(&list[i]) })
		out[i].body = c.statements(list[i].Body)
	}
	return func(f *frame) flow {
		for i := range out {
			if out[i].cond(f) {
				return run(out[i].body, f)
			}
		}
		return orElse(f)
	}
}

func (c *compiler) caseStatement(s *ast.CaseStatement) func(f *frame) flow {
	orElse := func(*frame) flow {
		raise(message.ORA(6592))
		return next
	}
	if s.HasElse {
		orElse = c.orElse(s.Else)
	}
	if s.Operand == nil {
		return c.branches(s.Branches, func(b *ast.Branch) func(f *frame) bool { return c.condition(b.Cond) }, orElse)
	}
	// The operand is evaluated once, into an unnamed variable.
	x := c.expr(s.Operand)
	v := &variable{name: "CASE", typ: typeOf(x), level: c.fn.level, slot: c.slot(), readOnly: true}
	ev := eval(x)
	operand := &ast.Ref{Pos: s.Operand.Position(), Parts: []ast.Name{{Pos: s.Operand.Position(), Text: "case operand", Quoted: true}}}
	outer := c.names
	defer func() { c.names = outer }()
	c.push("").list["case operand"] = v
	chosen := c.branches(s.Branches, func(b *ast.Branch) func(f *frame) bool {
		return c.condition(&ast.Binary{Pos: b.Cond.Position(), Op: "=", X: operand, Y: b.Cond})
	}, orElse)
	return func(f *frame) flow {
		f.vars[v.slot] = ev(f)
		return chosen(f)
	}
}

// body compiles the statements of a loop. The closure runs one iteration and reports whether another may follow; if not,
// also what follows the loop.
func (c *compiler) body(list []ast.Statement, labels []ast.Name) func(f *frame) (bool, flow) {
	l := &loop{labels: labels, exit: c.fn.exits + 2}
	c.fn.exits += 2
	c.fn.loops = append(c.fn.loops, l)
	steps := c.statements(list)
	c.fn.loops = c.fn.loops[:len(c.fn.loops)-1]
	exit := l.exit
	return func(f *frame) (bool, flow) {
		f.tick()
		switch fl := run(steps, f); fl {
		case next, exit + 1:
			return true, next
		case exit:
			return false, next
		default:
			return false, fl
		}
	}
}

func (c *compiler) exit(s *ast.Exit) func(f *frame) flow {
	var l *loop
	for i := len(c.fn.loops) - 1; i >= 0 && l == nil; i-- {
		if s.Label == nil {
			l = c.fn.loops[i]
			break
		}
		for _, n := range c.fn.loops[i].labels {
			if n.Text == s.Label.Text {
				l = c.fn.loops[i]
			}
		}
	}
	switch {
	case l == nil && s.Label != nil:
		fail(s.Label, 201, s.Label.Text)
	case l == nil:
		fail(s, 376)
	}
	fl := l.exit
	if s.Continue {
		fl++
	}
	if s.When == nil {
		return func(*frame) flow { return fl }
	}
	cond := c.condition(s.When)
	return func(f *frame) flow {
		if cond(f) {
			return fl
		}
		return next
	}
}

func (c *compiler) loop(s *ast.Loop, labels []ast.Name) func(f *frame) flow {
	cond := func(*frame) bool { return true }
	if s.While != nil {
		c.guard(s.While, "Statement", func() { cond = c.condition(s.While) })
	}
	round := c.body(s.Body, labels)
	at := s.Line
	return func(f *frame) flow {
		for cond(f) {
			if more, fl := round(f); !more {
				return fl
			}
			f.line = at
		}
		return next
	}
}

func (c *compiler) forRange(s *ast.ForRange, labels []ast.Name) func(f *frame) flow {
	integer := scalarType(datatype.Of(datatype.PLSInteger))
	low := eval(c.convert(s.Low, c.expr(s.Low), integer))
	high := eval(c.convert(s.High, c.expr(s.High), integer))
	outer := c.names
	defer func() { c.names = outer }()
	if labels != nil {
		c.push(labels[0].Text)
	} else {
		c.push("")
	}
	v := c.variable(s.Var, integer)
	v.readOnly, v.index = true, true
	round := c.body(s.Body, labels)
	return func(f *frame) flow {
		a, b := low(f), high(f)
		if a.IsNull() || b.IsNull() {
			raise(datatype.ErrNumeric(""))
		}
		from, to, by := a.Int64(), b.Int64(), int64(1)
		n := to - from
		if s.Reverse {
			from, by = to, -1
		}
		for i := from; n >= 0; i, n = i+by, n-1 {
			f.vars[v.slot] = value.NewInt(i)
			if more, fl := round(f); !more {
				return fl
			}
		}
		return next
	}
}
