package parser

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// expr takes a value. In SQL, comparisons are not values: the caller fails at the operator, as the engine does.
func (p *parser) expr() ast.Expr {
	if !p.sql {
		return p.or()
	}
	defer p.as(false)()
	return p.additive()
}

// condition takes a condition, in PL/SQL any expression.
func (p *parser) condition() ast.Expr {
	if !p.sql {
		return p.or()
	}
	defer p.as(true)()
	return p.mustCondition(p.or())
}

// as sets whether a condition is allowed here, and returns a function that restores the setting.
func (p *parser) as(cond bool) func() {
	before := p.cond
	p.cond = cond
	return func() { p.cond = before }
}

func (p *parser) mustCondition(x ast.Expr) ast.Expr {
	if p.sql && !isCondition(x) {
		p.fail(920)
	}
	return x
}

// isCondition reports whether x is what SQL calls a condition.
func isCondition(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Between, *ast.In, *ast.Like, *ast.IsNull, *ast.Exists:
		return true
	case *ast.Unary:
		return x.Op == "NOT"
	case *ast.Binary:
		switch x.Op {
		case "AND", "OR", "=", "<>", "<", "<=", ">", ">=":
			return true
		}
	case *ast.Call:
		if f, ok := x.Func.(*ast.Ref); ok {
			return f.Word() == "REGEXP_LIKE" || f.Word() == "LNNVL"
		}
	}
	return false
}

func (p *parser) or() ast.Expr {
	p.enter()
	defer p.leave()
	return p.chain("OR", p.and)
}

func (p *parser) and() ast.Expr { return p.chain("AND", p.not) }

// chain takes conditions that AND or OR combines.
func (p *parser) chain(op ast.Op, operand func() ast.Expr) ast.Expr {
	x := operand()
	for p.is(string(op)) {
		p.mustCondition(x)
		p.i++
		x = &ast.Binary{Pos: x.Position(), Op: op, X: x, Y: p.mustCondition(operand())}
	}
	return x
}

func (p *parser) not() ast.Expr {
	if p.pending != nil || !p.is("NOT") {
		return p.comparison()
	}
	p.enter()
	defer p.leave()
	at := p.cur().pos
	p.i++
	return &ast.Unary{Pos: at, Op: "NOT", X: p.mustCondition(p.not())}
}

func (p *parser) comparison() ast.Expr {
	x := p.additive()
	if p.sql && isCondition(x) {
		return x
	}
	at := x.Position()
	defer p.as(false)()
	if t := p.cur(); t.kind == tSymbol {
		switch t.text {
		case "=", "<>", "<", "<=", ">", ">=":
			p.i++
			return &ast.Binary{Pos: at, Op: ast.Op(t.text), X: x, Y: p.additive()}
		}
		return x
	}
	not := p.is("NOT")
	word := p.word()
	if not {
		word = p.wordAhead(1)
	}
	switch word {
	case "BETWEEN", "IN", "LIKE":
		if not {
			p.i++
		}
		p.i++
	}
	switch word {
	case "BETWEEN":
		b := &ast.Between{Pos: at, Not: not, X: x, Low: p.additive()}
		p.want("AND", 905)
		b.High = p.additive()
		return b
	case "LIKE":
		l := &ast.Like{Pos: at, Not: not, X: x, Pattern: p.additive()}
		if p.acceptWord("ESCAPE") {
			l.Escape = p.additive()
		}
		return l
	case "IN":
		in := &ast.In{Pos: at, Not: not, X: x}
		if p.isSym("(") {
			in.List, in.Query = p.listOrQuery()
		} else { // IN x: parentheses are optional around one value
			in.List = []ast.Expr{p.additive()}
		}
		return in
	case "IS":
		if !not {
			return p.isPredicate(at, x)
		}
	}
	return x
}

// isPredicate takes what follows a value: IS [NOT] NULL and the like.
func (p *parser) isPredicate(at ast.Pos, x ast.Expr) ast.Expr {
	p.i++
	not := p.acceptWord("NOT")
	p.want("NULL", 908)
	return &ast.IsNull{Pos: at, Not: not, X: x}
}

// listOrQuery takes (a, b) or (SELECT …).
func (p *parser) listOrQuery() ([]ast.Expr, *ast.Query) {
	p.sym("(")
	if p.isQuery() {
		if !p.sql {
			p.raise(p.cur().pos, Error{Number: 405, PLS: true, Text: "subquery not allowed in this context"})
		}
		q := p.query(inExpression)
		p.sym(")")
		return nil, q
	}
	list := []ast.Expr{p.expr()}
	for p.acceptSym(",") {
		list = append(list, p.expr())
	}
	p.sym(")")
	return list, nil
}

// isQuery reports whether a query begins here, possibly after more parentheses.
func (p *parser) isQuery() bool {
	n := 0
	for n <= maxDepth && p.symAhead(n, "(") {
		n++
	}
	w := p.wordAhead(n)
	return w == "SELECT" || w == "WITH"
}

// additive takes + - || and what binds tighter.
func (p *parser) additive() ast.Expr {
	x := p.multiplicative()
	for {
		t := p.cur()
		if t.kind != tSymbol || t.text != "+" && t.text != "-" && t.text != "||" || p.sql && isCondition(x) {
			return x
		}
		p.i++
		x = &ast.Binary{Pos: x.Position(), Op: ast.Op(t.text), X: x, Y: p.value(p.multiplicative)}
	}
}

func (p *parser) multiplicative() ast.Expr {
	x := p.unary()
	for {
		t := p.cur()
		var op ast.Op
		switch {
		case t.kind == tSymbol && (t.text == "*" || t.text == "/"), !p.sql && t.kind == tWord && (t.text == "MOD" || t.text == "REM"):
			op = ast.Op(t.text)
		}
		if op == "" || p.sql && isCondition(x) {
			return x
		}
		p.i++
		x = &ast.Binary{Pos: x.Position(), Op: op, X: x, Y: p.value(p.unary)}
	}
}

// value takes an operand that cannot be a condition in SQL.
func (p *parser) value(f func() ast.Expr) ast.Expr {
	defer p.as(false)()
	return f()
}

func (p *parser) unary() ast.Expr {
	t := p.cur()
	switch {
	case p.pending != nil:
	case t.kind == tSymbol && (t.text == "-" || t.text == "+"),
		p.sql && t.kind == tWord && t.text == "PRIOR":
		p.enter()
		defer p.leave()
		p.i++
		return &ast.Unary{Pos: t.pos, Op: ast.Op(t.text), X: p.value(p.unary)}
	}
	x := p.postfix(p.primary())
	if !p.sql && p.isSym("**") {
		p.enter()
		defer p.leave()
		p.i++
		x = &ast.Binary{Pos: x.Position(), Op: "**", X: x, Y: p.value(p.unary)}
	}
	return x
}

// postfix takes AT TIME ZONE and an interval's qualifier after a value.
func (p *parser) postfix(x ast.Expr) ast.Expr {
	for {
		switch {
		case p.acceptWord("AT", "LOCAL"):
			x = &ast.AtTimeZone{Pos: x.Position(), X: x}
		case p.acceptWord("AT", "TIME", "ZONE"):
			x = &ast.AtTimeZone{Pos: x.Position(), X: x, Zone: p.value(p.primary)}
		default:
			return x
		}
	}
}

// qualifier takes the fields of an interval.
func (p *parser) qualifier() ast.IntervalQualifier {
	q := ast.IntervalQualifier{Pos: p.cur().pos, From: p.intervalField()}
	if p.acceptSym("(") {
		q.Precision = p.number()
		if q.From == "SECOND" && p.acceptSym(",") {
			q.Second = p.number()
		}
		p.sym(")")
	}
	if p.acceptWord("TO") {
		at := p.cur().pos
		q.To = p.intervalField()
		if !intervalRange(q.From, q.To) {
			p.raise(at, Error{Number: 30089, Text: message.ORA(30089).Text})
		}
		if q.To == "SECOND" && p.acceptSym("(") {
			q.Second = p.number()
			p.sym(")")
		}
	}
	return q
}

// intervalRange reports whether an interval may range from one field to the other.
func intervalRange(from, to ast.IntervalField) bool {
	const fields = "YEAR MONTH DAY HOUR MINUTE SECOND"
	if from == "YEAR" || to == "MONTH" {
		return from == "YEAR" && to == "MONTH"
	}
	return from != "MONTH" && strings.Index(fields, string(from)) < strings.Index(fields, string(to))
}

func (p *parser) intervalField() ast.IntervalField {
	switch w := p.word(); w {
	case "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND":
		p.i++
		return ast.IntervalField(w)
	}
	p.fail(30089, "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")
	return ""
}

// number takes an unsigned numeric literal.
func (p *parser) number() *ast.Number {
	t := p.cur()
	if t.kind != tNumber {
		p.fail(2017, "<a number>")
	}
	p.i++
	return &ast.Number{Pos: t.pos, Text: t.text}
}
