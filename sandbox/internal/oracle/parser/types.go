package parser

import "github.com/dbsched/dbsched/sandbox/internal/oracle/ast"

// dataType takes a data type. Only the engine knows whether a name is a type.
func (p *parser) dataType() *ast.DataType { return p.typeWith(true) }

// bareType takes the type of a parameter or result, which has no length.
func (p *parser) bareType() *ast.DataType { return p.typeWith(false) }

func (p *parser) typeWith(length bool) *ast.DataType {
	d := &ast.DataType{Pos: p.cur().pos}
	switch w := p.word(); w {
	case "INTERVAL":
		if p.wordAhead(1) == "DAY" || p.wordAhead(1) == "YEAR" {
			p.i++
			p.intervalType(d)
			return d
		}
		d.Name = p.ref(902)
	case "DOUBLE":
		if p.wordAhead(1) == "PRECISION" {
			d.Name = p.typeName(w + " PRECISION")
			p.i++
			return d
		}
		d.Name = p.ref(902)
	case "REF", "LONG", "NATIONAL":
		p.fail(902)
	case "CHAR", "CHARACTER", "VARCHAR", "VARCHAR2", "NUMBER", "DATE", "RAW", "FLOAT", "INTEGER", "SMALLINT", "DECIMAL", "ROWID":
		d.Name = p.typeName(w)
	default:
		d.Name = p.ref(902)
	}
	if p.unit && p.isSym("%") {
		p.i++
		switch {
		case p.acceptWord("TYPE"):
			d.Anchor = ast.AnchorType
		case p.acceptWord("ROWTYPE"):
			d.Anchor = ast.AnchorRowType
		default:
			p.fail(902, "type", "rowtype")
		}
		return d
	}
	if length && p.acceptSym("(") {
		p.precision(d)
	}
	if d.Name.Word() == "TIMESTAMP" && p.is("WITH") {
		if d.Zoned = p.acceptWord("WITH", "TIME", "ZONE"); !d.Zoned {
			p.fail(905, "TIME ZONE")
		}
	}
	return d
}

// typeName makes a name from the current word.
func (p *parser) typeName(text string) *ast.Ref {
	n := p.take()
	n.Text = text
	return &ast.Ref{Pos: n.Pos, Parts: []ast.Name{n}}
}

func (p *parser) intervalType(d *ast.DataType) {
	q := p.qualifier()
	text := "INTERVAL " + string(q.From) + " TO " + string(q.To)
	if text != "INTERVAL DAY TO SECOND" {
		p.fail(902)
	}
	d.Name = &ast.Ref{Pos: d.Pos, Parts: []ast.Name{{Pos: d.Pos, Text: text}}}
	if q.Precision != nil {
		d.Precision = q.Precision
	}
	if q.Second != nil {
		d.Scale = q.Second
	}
}

// precision takes what is in the parentheses of a type.
func (p *parser) precision(d *ast.DataType) {
	if p.acceptSym("*") {
		d.AnyPrecision = true
	} else {
		d.Precision = p.size()
	}
	switch {
	case p.acceptWord("BYTE"):
		d.Unit = ast.Bytes
	case p.acceptWord("CHAR"):
		d.Unit = ast.Chars
	case p.acceptSym(","):
		d.Scale = p.size()
	}
	p.sym(")")
}

// size takes a number: in PL/SQL a static expression, in SQL a literal with a sign.
func (p *parser) size() ast.Expr {
	if !p.sql {
		return p.expr()
	}
	at := p.cur().pos
	if p.acceptSym("-") {
		return &ast.Unary{Pos: at, Op: "-", X: p.number()}
	}
	return p.number()
}
