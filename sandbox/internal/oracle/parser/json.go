package parser

import "github.com/dbsched/dbsched/sandbox/internal/oracle/ast"

func (p *parser) jsonFunction(t *token) ast.Expr {
	f := &ast.JSONFunction{Pos: t.pos, Name: ast.JSONName(t.text)}
	p.i += 2
	f.X = p.expr()
	p.formatJSON()
	p.sym(",")
	f.Path = p.jsonPath()
	if p.is("PASSING") {
		p.refuse("PASSING in %s", f.Name)
	}
	if f.Name != ast.JSONExists && p.acceptWord("RETURNING") {
		f.Returning = p.dataType()
	}
	f.OnError, f.OnEmpty = p.jsonHandlers()
	if !p.isSym(")") {
		p.refuse("%s with %s", f.Name, p.cur().text)
	}
	p.i++
	return f
}

// formatJSON takes FORMAT JSON.
func (p *parser) formatJSON() bool { return p.acceptWord("FORMAT", "JSON") }

// jsonPath takes a path: a literal, as the engine demands.
func (p *parser) jsonPath() ast.Expr {
	t := p.cur()
	if t.kind != tString {
		p.fail(40454)
	}
	p.i++
	return &ast.String{Pos: t.pos, Value: t.text}
}

// jsonHandlers takes … ON ERROR and … ON EMPTY.
func (p *parser) jsonHandlers() (onError, onEmpty ast.JSONHandler) {
	for p.wordAhead(1) == "ON" {
		h := ast.JSONHandler(p.word())
		switch h {
		case ast.JSONNull, ast.JSONError, ast.JSONTrue, ast.JSONFalse:
		default:
			return onError, onEmpty
		}
		switch {
		case onError == "" && p.wordAhead(2) == "ERROR":
			onError = h
		case onEmpty == "" && p.wordAhead(2) == "EMPTY":
			onEmpty = h
		default:
			return onError, onEmpty
		}
		p.i += 3
	}
	return onError, onEmpty
}

func (p *parser) jsonObject(at ast.Pos) ast.Expr {
	o := &ast.JSONObject{Pos: at}
	p.i += 2
	for !p.isSym(")") {
		m := ast.JSONMember{Pos: p.cur().pos}
		if p.is("KEY") && !p.symAhead(1, ".") && p.wordAhead(1) != "VALUE" {
			p.i++
		}
		m.Key = p.expr()
		if !p.acceptWord("VALUE") {
			p.want("IS", 907)
		}
		m.Value = p.expr()
		m.Format = p.formatJSON()
		o.Members = append(o.Members, m)
		if !p.acceptSym(",") {
			break
		}
	}
	switch {
	case p.acceptWord("NULL", "ON", "NULL"):
		o.OnNull = ast.NullOnNull
	case p.acceptWord("ABSENT", "ON", "NULL"):
		o.OnNull = ast.AbsentOnNull
	}
	if p.acceptWord("RETURNING") {
		o.Returning = p.dataType()
	}
	if p.is("STRICT") || p.is("WITH") {
		p.refuse("JSON_OBJECT with %s", p.word())
	}
	p.sym(")")
	return o
}

func (p *parser) jsonTable() ast.TableRef {
	t := &ast.JSONTable{Pos: p.cur().pos}
	p.i += 2
	t.X = p.expr()
	p.formatJSON()
	if !p.acceptSym(",") {
		p.refuse("JSON_TABLE without a path")
	}
	t.Path = p.jsonPath()
	var onEmpty ast.JSONHandler
	if t.OnError, onEmpty = p.jsonHandlers(); onEmpty != "" {
		p.refuse("JSON_TABLE with ON EMPTY")
	}
	p.want("COLUMNS", 905)
	p.sym("(")
	for {
		t.Columns = append(t.Columns, p.jsonColumn())
		if !p.acceptSym(",") {
			break
		}
	}
	p.sym(")")
	p.sym(")")
	t.Alias = p.alias()
	return t
}

func (p *parser) jsonColumn() ast.JSONColumn {
	if p.is("NESTED") {
		p.refuse("NESTED in JSON_TABLE")
	}
	c := ast.JSONColumn{Pos: p.cur().pos, Name: p.name(904)}
	if p.acceptWord("FOR", "ORDINALITY") {
		return c
	}
	c.Type = p.dataType()
	c.Format = p.formatJSON()
	if p.is("EXISTS") || p.is("TRUNCATE") {
		p.refuse("%s in JSON_TABLE", p.word())
	}
	if p.acceptWord("PATH") {
		c.Path = p.jsonPath()
	}
	c.OnError, c.OnEmpty = p.jsonHandlers()
	return c
}
