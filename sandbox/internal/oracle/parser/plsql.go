package parser

import "github.com/dbsched/dbsched/sandbox/internal/oracle/ast"

const statementStart = "( begin case declare end exception exit for goto if loop null pragma raise return select update while with " +
	identifier + " <a bind variable> << continue close current delete fetch lock insert open rollback savepoint set sql execute commit forall merge"

// block takes an anonymous block with its labels, without the semicolon.
func (p *parser) block() ast.Statement {
	at := p.cur().pos
	labels := p.labels()
	b := p.blockStatement(labels)
	if labels == nil {
		return b
	}
	return &ast.Labeled{Pos: at, Labels: labels, Stmt: b}
}

func (p *parser) labels() []ast.Name {
	var list []ast.Name
	for p.acceptSym("<<") {
		list = append(list, p.name(931))
		p.sym(">>")
	}
	return list
}

func (p *parser) blockStatement(labels []ast.Name) *ast.Block {
	p.enter()
	defer p.leave()
	b := &ast.Block{Pos: p.cur().pos}
	if p.acceptWord("DECLARE") {
		b.Decls = p.decls(false)
	}
	p.want("BEGIN", 905)
	p.blockBody(b)
	p.endName(labels...)
	return b
}

// blockBody takes everything from after BEGIN through END.
func (p *parser) blockBody(b *ast.Block) {
	b.Body = p.statements()
	if p.acceptWord("EXCEPTION") {
		if !p.is("WHEN") {
			p.fail(905, "pragma when")
		}
		for p.is("WHEN") {
			b.Handlers = append(b.Handlers, p.handler(b.Handlers))
		}
	}
	b.End = p.cur().pos
	p.want("END", 905)
}

func (p *parser) handler(before []ast.Handler) ast.Handler {
	h := ast.Handler{Pos: p.cur().pos}
	if n := len(before); n > 0 && before[n-1].Exceptions == nil {
		p.raise(h.Pos, Error{Number: 370, PLS: true, Text: "OTHERS handler must be last among the exception handlers of a block"})
	}
	p.i++
	if !p.acceptWord("OTHERS") {
		h.Exceptions = []*ast.Ref{p.ref(931)}
		for p.acceptWord("OR") {
			if p.is("OTHERS") {
				p.raise(p.cur().pos, Error{Number: 369, PLS: true, Text: "no choices may appear with choice OTHERS in an exception handler"})
			}
			h.Exceptions = append(h.Exceptions, p.ref(931))
		}
	}
	p.want("THEN", 905)
	h.Body = p.statements()
	return h
}

// statements takes one or more statements, up to a word that ends them.
func (p *parser) statements() []ast.Statement {
	list := []ast.Statement{p.statement()}
	for {
		switch p.word() {
		case "END", "EXCEPTION", "ELSE", "ELSIF", "WHEN":
			return list
		}
		list = append(list, p.statement())
	}
}

// statement takes a statement with its labels and its semicolon.
func (p *parser) statement() ast.Statement {
	p.enter()
	defer p.leave()
	at := p.cur().pos
	labels := p.labels()
	s := p.unlabeled(labels)
	p.sym(";")
	if labels == nil {
		return s
	}
	return &ast.Labeled{Pos: at, Labels: labels, Stmt: s}
}

func (p *parser) unlabeled(labels []ast.Name) ast.Statement {
	t := p.cur()
	if t.kind == tBind || t.kind == tQuoted || p.symAhead(1, ":=") || p.symAhead(1, ".") {
		return p.assignOrCall()
	}
	switch p.word() {
	case "BEGIN", "DECLARE":
		return p.blockStatement(labels)
	case "IF":
		return p.ifStatement()
	case "CASE":
		return p.caseStatement(labels)
	case "LOOP", "WHILE":
		return p.loop(labels)
	case "FOR":
		return p.forLoop(labels)
	case "FORALL":
		return p.forall()
	case "EXIT", "CONTINUE":
		return p.exit()
	case "NULL":
		p.i++
		return &ast.NullStatement{Pos: t.pos}
	case "RETURN":
		p.i++
		r := &ast.Return{Pos: t.pos}
		if !p.isSym(";") {
			r.Value = p.expr()
		}
		return r
	case "RAISE":
		p.i++
		r := &ast.Raise{Pos: t.pos}
		if !p.isSym(";") {
			r.Exception = p.ref(931)
		}
		return r
	case "EXECUTE":
		return p.executeImmediate()
	case "OPEN":
		return p.open()
	case "FETCH":
		return p.fetch()
	case "CLOSE":
		p.i++
		return &ast.Close{Pos: t.pos, Cursor: p.target()}
	case "SELECT", "WITH":
		return p.selectInto()
	}
	if s := p.dml(); s != nil {
		return s
	}
	return p.assignOrCall()
}

func (p *parser) assignOrCall() ast.Statement {
	if t := p.cur(); t.kind != tBind && !p.isName() {
		p.fail(0, statementStart)
	}
	x := p.target()
	at := x.Position()
	if p.acceptSym(":=") {
		return &ast.Assign{Pos: at, Target: x, Value: p.expr()}
	}
	switch x.(type) {
	case *ast.Ref, *ast.Call, *ast.Field:
		return &ast.ProcedureCall{Pos: at, Call: x}
	}
	p.fail(0, ":= . ( @ % ;")
	return nil
}

func (p *parser) selectInto() ast.Statement {
	q := p.query(withInto)
	var body ast.Node = q.Body
	for {
		switch b := body.(type) {
		case *ast.Query:
			body = b.Body
			continue
		case *ast.SetOperation:
			body = b.Left
			continue
		case *ast.Select:
			if b.Into == nil {
				p.raise(q.Pos, Error{Number: 428, PLS: true, Text: "an INTO clause is expected in this SELECT statement"})
			}
		}
		return q
	}
}

func (p *parser) ifStatement() ast.Statement {
	s := &ast.If{Pos: p.cur().pos}
	for {
		b := ast.Branch{Pos: p.cur().pos}
		p.i++ // IF, ELSIF
		b.Cond = p.expr()
		p.want("THEN", 905)
		b.Body = p.statements()
		s.Branches = append(s.Branches, b)
		if !p.is("ELSIF") {
			break
		}
	}
	if p.acceptWord("ELSE") {
		s.Else = p.statements()
	}
	p.want("END", 905)
	p.want("IF", 905)
	return s
}

func (p *parser) caseStatement(labels []ast.Name) ast.Statement {
	s := &ast.CaseStatement{Pos: p.cur().pos}
	p.i++
	if !p.is("WHEN") {
		s.Operand = p.expr()
	}
	for p.is("WHEN") {
		b := ast.Branch{Pos: p.cur().pos}
		p.i++
		b.Cond = p.expr()
		p.want("THEN", 905)
		b.Body = p.statements()
		s.Branches = append(s.Branches, b)
	}
	if s.Branches == nil {
		p.fail(905, "when")
	}
	if p.acceptWord("ELSE") {
		s.HasElse = true
		s.Else = p.statements()
	}
	p.want("END", 905)
	p.want("CASE", 905)
	p.endName(labels...)
	return s
}

func (p *parser) loop(labels []ast.Name) ast.Statement {
	s := &ast.Loop{Pos: p.cur().pos}
	if p.acceptWord("WHILE") {
		s.While = p.expr()
	}
	s.Body = p.loopBody(labels)
	return s
}

func (p *parser) loopBody(labels []ast.Name) []ast.Statement {
	p.want("LOOP", 905)
	body := p.statements()
	p.want("END", 905)
	p.want("LOOP", 905)
	p.endName(labels...)
	return body
}

func (p *parser) forLoop(labels []ast.Name) ast.Statement {
	at := p.cur().pos
	p.i++
	name := p.name(931)
	p.want("IN", 905)
	if p.isSym("(") && p.isQuery() {
		p.i++
		s := &ast.ForCursor{Pos: at, Var: name, Query: p.query(locking)}
		p.sym(")")
		s.Body = p.loopBody(labels)
		return s
	}
	reverse := p.acceptWord("REVERSE")
	x := p.expr()
	if p.acceptSym("..") {
		s := &ast.ForRange{Pos: at, Var: name, Reverse: reverse, Low: x, High: p.expr()}
		s.Body = p.loopBody(labels)
		return s
	}
	switch x.(type) {
	case *ast.Ref, *ast.Call, *ast.Field, *ast.Bind:
	default:
		p.fail(905, "..")
	}
	if reverse {
		p.fail(905, "..")
	}
	s := &ast.ForCursor{Pos: at, Var: name, Cursor: x}
	s.Body = p.loopBody(labels)
	return s
}

func (p *parser) forall() ast.Statement {
	s := &ast.Forall{Pos: p.cur().pos}
	p.i++
	s.Var = p.name(931)
	p.want("IN", 905)
	s.Low = p.simple()
	p.sym("..")
	s.High = p.simple()
	if p.acceptWord("SAVE") {
		p.want("EXCEPTIONS", 905)
		s.SaveExceptions = true
	}
	switch p.word() {
	case "INSERT", "UPDATE", "DELETE", "MERGE":
		s.Stmt = p.dml()
	case "EXECUTE":
		s.Stmt = p.executeImmediate()
	default:
		p.fail(905, "insert update delete merge execute save")
	}
	return s
}

// simple takes an expression without comparisons.
func (p *parser) simple() ast.Expr { return p.additive() }

func (p *parser) exit() ast.Statement {
	s := &ast.Exit{Pos: p.cur().pos, Continue: p.is("CONTINUE")}
	p.i++
	if p.isName() {
		n := p.take()
		s.Label = &n
	}
	if p.acceptWord("WHEN") {
		s.When = p.expr()
	}
	return s
}

func (p *parser) executeImmediate() ast.Statement {
	s := &ast.ExecuteImmediate{Pos: p.cur().pos}
	p.i++
	p.want("IMMEDIATE", 905)
	s.SQL = p.simple()
	if p.is("INTO") || p.is("BULK") {
		s.Into = p.into()
	}
	s.Using = p.using()
	if p.acceptWord("RETURNING") || p.acceptWord("RETURN") {
		s.Returning = p.into()
	}
	return s
}

func (p *parser) using() []ast.UsingArg {
	if !p.acceptWord("USING") {
		return nil
	}
	var list []ast.UsingArg
	for {
		a := ast.UsingArg{Pos: p.cur().pos, Mode: ast.ModeIn}
		in, out := p.acceptWord("IN"), p.acceptWord("OUT")
		switch {
		case in && out:
			a.Mode = ast.ModeInOut
		case out:
			a.Mode = ast.ModeOut
		}
		a.Value = p.expr()
		list = append(list, a)
		if !p.acceptSym(",") {
			return list
		}
	}
}

func (p *parser) open() ast.Statement {
	s := &ast.Open{Pos: p.cur().pos}
	p.i++
	s.Cursor = p.target()
	if !p.acceptWord("FOR") {
		return s
	}
	if p.isQuery() {
		s.Query = p.query(locking)
		return s
	}
	s.Dynamic = p.simple()
	s.Using = p.using()
	return s
}

func (p *parser) fetch() ast.Statement {
	s := &ast.FetchCursor{Pos: p.cur().pos}
	p.i++
	s.Cursor = p.target()
	s.Into = p.into()
	if s.Into.Bulk && p.acceptWord("LIMIT") {
		s.Limit = p.simple()
	}
	return s
}
