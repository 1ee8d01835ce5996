package parser

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// drop takes DROP of any object.
func (p *parser) drop(at ast.Pos) ast.Statement {
	d := &ast.Drop{Pos: at}
	if p.acceptWord("PUBLIC") {
		if !p.is("SYNONYM") {
			p.refuse("DROP PUBLIC %s", p.word())
		}
		d.Public = true
	}
	w := p.word()
	switch d.Kind = ast.ObjectKind(w); d.Kind {
	case ast.KindTable, ast.KindIndex, ast.KindSequence, ast.KindView, ast.KindSynonym, ast.KindProcedure, ast.KindFunction, ast.KindUser, ast.KindRole, ast.KindTrigger:
		p.i++
	case ast.KindPackage, ast.KindType:
		p.i++
		if p.is("BODY") {
			if d.Kind == ast.KindType {
				p.refuse("bodies of object types")
			}
			p.i++
			d.Kind = ast.KindPackageBody
		}
	default:
		switch w {
		case "MATERIALIZED", "DATABASE", "DIRECTORY", "CONTEXT", "PROFILE", "TABLESPACE", "CLUSTER", "LIBRARY", "OPERATOR",
			"INDEXTYPE", "DIMENSION", "JAVA", "EDITION", "OUTLINE", "ROLLBACK", "PLUGGABLE", "RESTORE":
			p.refuse("DROP %s", w)
		}
		p.fail(950)
	}
	ora := int32(931)
	if d.Kind == ast.KindTable || d.Kind == ast.KindView {
		ora = 903
	}
	d.Name = p.ref(ora)
	for p.cur().kind != tEOF {
		switch {
		case d.Kind == ast.KindTable && p.acceptWord("PURGE"):
			d.Purge = true
		case (d.Kind == ast.KindTable || d.Kind == ast.KindView) && p.acceptWord("CASCADE", "CONSTRAINTS"), d.Kind == ast.KindUser && p.acceptWord("CASCADE"):
			d.Cascade = true
		case d.Kind == ast.KindIndex && p.acceptWord("ONLINE"):
			d.Online = true
		case (d.Kind == ast.KindType || d.Kind == ast.KindSynonym || d.Kind == ast.KindIndex) && p.acceptWord("FORCE"):
			d.Force = true
		case p.is("VALIDATE"), p.is("DEFERRED"):
			p.refuse("DROP … %s", p.word())
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
	case "RENAME":
		p.refuse("RENAME")
	case "EXPLAIN", "ANALYZE", "PURGE", "FLASHBACK", "AUDIT", "NOAUDIT", "ASSOCIATE", "DISASSOCIATE", "ADMINISTER":
		p.refuse("%s", w)
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
		switch w := p.word(); w {
		case "DIRECTORY", "USER", "EDITION", "MINING", "JAVA", "SQL":
			if k := p.ahead(1).kind; k == tWord && p.wordAhead(1) != "TO" && p.wordAhead(1) != "FROM" || k == tQuoted {
				if w != "USER" || revoke || len(g.Privileges) > 1 || g.Privileges[0].Name != "INHERIT PRIVILEGES" {
					p.refuse("privileges on %s", w)
				}
				p.i++
				name := p.name(903)
				g.User = &name
			}
		}
		if g.User == nil {
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
	switch {
	case p.is("IDENTIFIED"), p.is("CONTAINER"):
		p.refuse("GRANT … %s", p.word())
	case !revoke && p.acceptWord("WITH", "ADMIN", "OPTION"):
		g.WithAdmin = true
	case !revoke && p.acceptWord("WITH", "GRANT", "OPTION"):
		g.WithGrant = true
	case p.is("WITH"), p.is("FORCE"):
		p.refuse("%s %s", p.word(), p.ahead(1).text)
	case revoke && p.acceptWord("CASCADE", "CONSTRAINTS"):
		g.Constraints = true
	}
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
	if p.isSym("(") {
		v.Columns = p.nameList(904)
	}
	return v
}

func (p *parser) comment(at ast.Pos) ast.Statement {
	p.want("ON", 969)
	c := &ast.Comment{Pos: at}
	switch {
	case p.acceptWord("COLUMN"):
		c.Column = true
	case p.acceptWord("TABLE"):
	default:
		p.refuse("COMMENT ON %s", p.cur().text)
	}
	c.Name = p.ref(903)
	p.want("IS", 905)
	c.Text = p.literal()
	return c
}

func (p *parser) truncate(at ast.Pos) ast.Statement {
	if p.is("CLUSTER") {
		p.refuse("TRUNCATE CLUSTER")
	}
	p.want("TABLE", 3290)
	t := &ast.Truncate{Pos: at, Name: p.ref(903)}
	if p.is("PRESERVE") || p.is("PURGE") {
		p.refuse("TRUNCATE … %s", p.word())
	}
	for _, words := range [][]string{{"DROP", "STORAGE"}, {"DROP", "ALL", "STORAGE"}, {"REUSE", "STORAGE"}} {
		if o, ok := p.words(p.cur().pos, words); ok {
			t.Storage = o.Name
		}
	}
	t.Cascade = p.acceptWord("CASCADE")
	return t
}
