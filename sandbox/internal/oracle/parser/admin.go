package parser

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// drop takes DROP of any object.
func (p *parser) drop(at ast.Pos) ast.Statement {
	d := &ast.Drop{Pos: at}
	d.Public = p.acceptWord("PUBLIC")
	switch d.Kind = ast.ObjectKind(p.word()); d.Kind {
	case ast.KindTable, ast.KindIndex, ast.KindSequence, ast.KindView, ast.KindSynonym, ast.KindProcedure, ast.KindFunction, ast.KindUser, ast.KindRole, ast.KindTrigger:
		p.i++
	case ast.KindPackage:
		p.i++
		if p.acceptWord("BODY") {
			d.Kind = ast.KindPackageBody
		}
	default:
		p.fail(950)
	}
	ora := int32(931)
	if d.Kind == ast.KindTable || d.Kind == ast.KindView {
		ora = 903
	}
	d.Name = p.ref(ora)
	for p.cur().kind != tEOF {
		switch {
		case d.Kind == ast.KindTable && p.acceptWord("PURGE"): // there is no recycle bin
		case (d.Kind == ast.KindTable || d.Kind == ast.KindView) && p.acceptWord("CASCADE", "CONSTRAINTS"), d.Kind == ast.KindUser && p.acceptWord("CASCADE"):
			d.Cascade = true
		default:
			p.fail(933)
		}
	}
	return d
}

// otherSQL takes what is neither DML nor CREATE, ALTER or DROP; nil if no known statement begins here.
func (p *parser) otherSQL() ast.Statement {
	at := p.cur().pos
	switch w := p.word(); w {
	case "GRANT", "REVOKE":
		p.i++
		return p.grant(at, w == "REVOKE")
	case "COMMENT":
		p.i++
		return p.comment(at)
	case "TRUNCATE":
		p.i++
		return p.truncate(at)
	}
	return nil
}

func (p *parser) grant(at ast.Pos, revoke bool) ast.Statement {
	g := &ast.Grant{Pos: at, Revoke: revoke}
	for {
		g.Privileges = append(g.Privileges, p.privilege())
		if !p.acceptSym(",") {
			break
		}
	}
	if p.acceptWord("ON") {
		if k := p.ahead(1).kind; !revoke && g.Privileges[0].Name == "INHERIT PRIVILEGES" && p.is("USER") && (k == tWord || k == tQuoted) {
			p.i++
			name := p.name(903)
			g.User = &name
		} else {
			g.On = p.ref(903)
		}
	}
	if revoke {
		p.want("FROM", 905)
	} else {
		p.want("TO", 946)
	}
	for {
		if p.is("PUBLIC") {
			g.To = append(g.To, p.take())
		} else {
			g.To = append(g.To, p.name(987))
		}
		if !p.acceptSym(",") {
			break
		}
	}
	g.WithGrant = !revoke && p.acceptWord("WITH", "GRANT", "OPTION")
	return g
}

// privilege takes the words of a privilege, or a role.
func (p *parser) privilege() ast.Privilege {
	v := ast.Privilege{Pos: p.cur().pos}
	if p.cur().kind == tQuoted {
		v.Name = p.take().Text
		return v
	}
	var words []string
	for p.cur().kind == tWord && !p.is("TO") && !p.is("FROM") && (!p.is("ON") || p.wordAhead(1) == "COMMIT") {
		words = append(words, p.take().Text)
	}
	if words == nil {
		p.fail(990)
	}
	v.Name = strings.Join(words, " ")
	return v
}

func (p *parser) comment(at ast.Pos) ast.Statement {
	p.want("ON", 969)
	c := &ast.Comment{Pos: at, Column: p.acceptWord("COLUMN")}
	if !c.Column {
		p.want("TABLE", 905)
	}
	c.Name = p.ref(903)
	p.want("IS", 905)
	c.Text = p.literal()
	return c
}

func (p *parser) truncate(at ast.Pos) ast.Statement {
	p.want("TABLE", 3290)
	return &ast.Truncate{Pos: at, Name: p.ref(903)}
}
