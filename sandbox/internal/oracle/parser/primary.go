package parser

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// primary takes an operand: a literal, a name with everything that may follow it, something in parentheses.
func (p *parser) primary() ast.Expr {
	if x := p.pending; x != nil {
		p.pending = nil
		return x
	}
	t := p.cur()
	switch t.kind {
	case tNumber:
		if last := t.text[len(t.text)-1] | 0x20; last == 'f' || last == 'd' {
			p.refuse("BINARY_FLOAT and BINARY_DOUBLE")
		}
		p.i++
		return &ast.Number{Pos: t.pos, Text: t.text}
	case tString, tNational:
		p.i++
		return &ast.String{Pos: t.pos, Value: t.text, National: t.kind == tNational}
	case tBind:
		return p.bind()
	case tSymbol:
		if t.text == "(" {
			return p.parenthesized()
		}
	case tQuoted:
		return p.path()
	case tWord:
		if x := p.keyword(t); x != nil {
			return x
		}
		if p.isName() || p.sql && pseudo(t.text) || !p.sql && t.text == "SQL" && p.symAhead(1, "%") ||
			p.sql && p.unit && t.text == "SQL" && p.symAhead(1, "%") {
			return p.path()
		}
	}
	p.fail(936, "( - + case cast date interval new not null prior q sql timestamp <a number> <a string>", identifier, "<a bind variable>")
	return nil
}

func (p *parser) bind() ast.Expr {
	t := p.cur()
	if p.fires && (t.text == "NEW" || t.text == "OLD") {
		p.refuse(":%s", t.text)
	}
	switch p.binds {
	case bindsAllowed:
	case bindsNoDDL:
		p.raise(t.pos, Error{Number: 1027, Text: message.ORA(1027).Text})
	case bindsNoUnit:
		p.raise(t.pos, Error{Number: 49, PLS: true, Text: fmt.Sprintf("bad bind variable '%s'", t.text)})
	}
	p.i++
	return &ast.Bind{Pos: t.pos, Name: t.text}
}

// parenthesized takes (value), (condition), (a, b) or (query).
func (p *parser) parenthesized() ast.Expr {
	p.enter()
	defer p.leave()
	at := p.cur().pos
	p.i++
	if p.sql && (p.is("SELECT") || p.is("WITH")) {
		q := p.query(inExpression)
		p.sym(")")
		return &ast.Subquery{Pos: at, Query: q}
	}
	if p.sql && p.isSym("(") && p.isQuery() { // ((query) UNION (query)), or ((query) + 1)
		inner := p.cur().pos
		x := p.parenthesized()
		if sub, ok := x.(*ast.Subquery); ok && (p.isSetOperator() || p.isSym(")")) {
			x = &ast.Subquery{Pos: at, Query: p.queryFrom(&ast.Query{Pos: inner}, sub.Query, inExpression)}
			p.sym(")")
			return x
		}
		p.pending = x
	}
	var x ast.Expr
	if p.cond || !p.sql {
		x = p.or()
	} else {
		x = p.additive()
	}
	if !p.isSym(",") || !p.sql {
		p.sym(")")
		return x
	}
	tuple := &ast.Tuple{Pos: at, Items: []ast.Expr{x}}
	for p.acceptSym(",") {
		tuple.Items = append(tuple.Items, p.expr())
	}
	p.sym(")")
	return tuple
}

// keyword takes an operand that begins with a keyword; nil if t is just a name here.
func (p *parser) keyword(t *token) ast.Expr {
	next := p.ahead(1)
	open := next.kind == tSymbol && next.text == "("
	switch t.text {
	case "NULL":
		p.i++
		return &ast.Null{Pos: t.pos}
	case "TRUE", "FALSE":
		if !p.sql {
			p.i++
			return &ast.Bool{Pos: t.pos, Value: t.text == "TRUE"}
		}
	case "CASE":
		return p.caseExpr()
	case "DATE", "TIMESTAMP":
		if next.kind == tString {
			p.i += 2
			return &ast.DateTime{Pos: t.pos, Kind: ast.DateTimeKind(t.text), Value: next.text}
		}
	case "INTERVAL":
		if next.kind == tString {
			p.i += 2
			return &ast.Interval{Pos: t.pos, Value: next.text, Qualifier: p.qualifier()}
		}
	case "EXISTS":
		if !p.sql && open && (p.wordAhead(2) == "SELECT" || p.wordAhead(2) == "WITH") {
			p.raise(t.pos, Error{Number: 204, PLS: true, Text: "function or pseudo-column 'EXISTS' may be used inside a SQL statement only"})
		}
		if p.sql && p.cond {
			p.i++
			p.sym("(")
			q := p.query(inExpression)
			p.sym(")")
			return &ast.Exists{Pos: t.pos, Query: q}
		}
	case "CAST":
		if open {
			return p.cast(t.pos)
		}
	case "INSERTING", "UPDATING", "DELETING":
		if p.fires {
			p.refuse("%s", t.text)
		}
	case "EXTRACT":
		if open {
			return p.extract(t.pos)
		}
	case "CONNECT_BY_ROOT":
		p.fail(936)
	case "SOME":
		if open && p.sql {
			p.fail(936)
		}
	case "TREAT", "CURSOR", "MULTISET", "JSON_VALUE", "JSON_QUERY", "JSON_EXISTS", "JSON_OBJECT", "JSON_ARRAY", "JSON_ARRAYAGG", "JSON_OBJECTAGG", "JSON_TABLE", "JSON_MERGEPATCH",
		"VALIDATE_CONVERSION", "ROLLUP", "CUBE":
		if open {
			p.refuse("%s", t.text)
		}
	}
	if open && strings.HasPrefix(t.text, "XML") && !strings.Contains(t.text, "_") {
		p.refuse("%s", t.text)
	}
	return nil
}

func (p *parser) caseExpr() ast.Expr {
	p.enter()
	defer p.leave()
	c := &ast.Case{Pos: p.cur().pos}
	p.i++
	if !p.is("WHEN") {
		c.Operand = p.expr()
	}
	for p.is("WHEN") {
		w := ast.When{Pos: p.cur().pos}
		p.i++
		if c.Operand != nil {
			w.Cond = p.expr()
		} else {
			w.Cond = p.condition()
		}
		p.want("THEN", 905)
		w.Result = p.expr()
		c.Whens = append(c.Whens, w)
	}
	if c.Whens == nil {
		p.fail(905, "WHEN")
	}
	if p.acceptWord("ELSE") {
		c.Else = p.expr()
	}
	p.want("END", 905)
	return c
}

func (p *parser) cast(at ast.Pos) ast.Expr {
	p.i += 2
	c := &ast.Cast{Pos: at, X: p.expr()}
	p.want("AS", 905)
	c.Type = p.dataType()
	p.sym(")")
	return c
}

func (p *parser) extract(at ast.Pos) ast.Expr {
	p.i += 2
	e := &ast.Extract{Pos: at, Field: p.intervalField()}
	p.want("FROM", 905)
	e.X = p.expr()
	p.sym(")")
	return e
}

// path takes a dotted name with calls, fields and attributes after it.
func (p *parser) path() ast.Expr {
	r := &ast.Ref{Pos: p.cur().pos, Parts: []ast.Name{p.take()}}
	for p.isSym(".") && !p.symAhead(1, "*") {
		p.i++
		r.Parts = append(r.Parts, p.field())
	}
	return p.suffix(r)
}

// suffix takes (args), .field and %attribute after x.
func (p *parser) suffix(x ast.Expr) ast.Expr {
	for {
		t := p.cur()
		if t.kind != tSymbol {
			return x
		}
		switch t.text {
		case "(":
			if p.symAhead(1, "+") && p.symAhead(2, ")") {
				p.i += 3
				return &ast.Outer{Pos: x.Position(), Of: x}
			}
			x = p.call(x)
		case ".":
			if p.symAhead(1, "*") {
				return x
			}
			p.i++
			x = &ast.Field{Pos: x.Position(), Of: x, Name: p.field()}
		case "%":
			if !p.unit {
				return x
			}
			p.i++
			x = &ast.Attribute{Pos: x.Position(), Of: x, Name: p.attribute()}
		default:
			return x
		}
	}
}

func (p *parser) attribute() ast.Name {
	switch p.word() {
	case "FOUND", "NOTFOUND", "ISOPEN", "ROWCOUNT", "BULK_ROWCOUNT", "BULK_EXCEPTIONS":
		return p.take()
	}
	p.fail(936, "found notfound isopen rowcount bulk_rowcount bulk_exceptions")
	return ast.Name{}
}

// call takes arguments in parentheses and the clauses of an aggregate or analytic function.
func (p *parser) call(f ast.Expr) ast.Expr {
	p.enter()
	defer p.leave()
	c := &ast.Call{Pos: f.Position(), Func: f}
	p.i++
	switch { // PL/SQL has no aggregates
	case !p.sql:
	case p.acceptWord("DISTINCT"), p.acceptWord("UNIQUE"):
		c.Distinct = true
	case p.acceptWord("ALL"):
	}
	if !p.isSym(")") {
		c.Args = append(c.Args, p.arg())
		for p.acceptSym(",") {
			c.Args = append(c.Args, p.arg())
		}
	}
	p.sym(")")
	if !p.sql {
		return c
	}
	if p.acceptWord("WITHIN") {
		p.want("GROUP", 2000)
		p.sym("(")
		c.Within = p.orderBy()
		p.sym(")")
	}
	if p.is("KEEP") && p.symAhead(1, "(") {
		c.Keep = p.keep()
	}
	if p.is("OVER") {
		c.Over = p.window()
	}
	return c
}

func (p *parser) arg() ast.Arg {
	a := ast.Arg{Pos: p.cur().pos}
	if p.isSym("*") && p.sql && p.symAhead(1, ")") {
		p.i++
		a.Value = &ast.Star{Pos: a.Pos}
		return a
	}
	if t := p.cur(); (t.kind == tWord || t.kind == tQuoted) && p.symAhead(1, "=>") {
		n := p.take()
		a.Name = &n
		p.i++
	}
	a.Value = p.expr()
	return a
}

func (p *parser) keep() *ast.Keep {
	k := &ast.Keep{Pos: p.cur().pos}
	p.i += 2
	p.want("DENSE_RANK", 905)
	switch {
	case p.acceptWord("LAST"):
		k.Last = true
	default:
		p.want("FIRST", 905)
	}
	k.OrderBy = p.orderBy()
	p.sym(")")
	return k
}

func (p *parser) window() *ast.Window {
	w := &ast.Window{Pos: p.cur().pos}
	p.i++
	p.sym("(")
	if p.acceptWord("PARTITION") {
		p.want("BY", 924)
		w.PartitionBy = p.exprs()
	}
	if p.is("ORDER") {
		w.OrderBy = p.orderBy()
	}
	p.sym(")")
	return w
}

func (p *parser) exprs() []ast.Expr {
	list := []ast.Expr{p.expr()}
	for p.acceptSym(",") {
		list = append(list, p.expr())
	}
	return list
}
