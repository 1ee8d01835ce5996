package parser

import (
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

func (p *parser) alter(at ast.Pos) ast.Statement {
	var s ast.Statement
	ora := int32(922)
	p.binds = bindsNoDDL
	switch w := p.word(); w {
	case "TABLE":
		p.i++
		s, ora = p.alterTable(at), 1735
	case "INDEX":
		p.i++
		s = p.alterIndex(at)
	case "SESSION", "SYSTEM":
		p.i++
		s = p.alterSession(at, w == "SYSTEM")
	case "USER":
		p.i++
		u := &ast.CreateUser{Pos: at, Alter: true, Name: p.name(987)}
		p.userOptions(u)
		s = u
	case "PACKAGE", "PROCEDURE", "FUNCTION", "TRIGGER":
		s = p.alterCompile(at)
	default:
		p.fail(940)
	}
	p.end(ora)
	return s
}

func (p *parser) alterTable(at ast.Pos) ast.Statement {
	t := &ast.AlterTable{Pos: at, Name: p.ref(903)}
	for {
		t.Actions = append(t.Actions, p.tableAction())
		if p.cur().kind == tEOF {
			return t
		}
	}
}

func (p *parser) tableAction() ast.TableAction {
	a := ast.TableAction{Pos: p.cur().pos}
	switch {
	case p.is("ADD"), p.is("MODIFY"):
		a.Kind = ast.ActionKind(p.word())
		p.i++
		p.addition(&a)
	case p.acceptWord("DROP"):
		p.dropAction(&a)
	default:
		p.fail(1735)
	}
	return a
}

// addition takes what follows ADD or MODIFY: columns and constraints, in parentheses or not.
func (p *parser) addition(a *ast.TableAction) {
	modify := a.Kind == ast.ActionModify
	parens := p.acceptSym("(")
	for {
		if !modify && p.isConstraint() {
			a.Constraints = append(a.Constraints, p.constraint(true))
		} else {
			c := p.columnDef(parens)
			if !modify {
				p.checkType(&c)
			}
			a.Columns = append(a.Columns, c)
		}
		if !parens || !p.acceptSym(",") {
			break
		}
	}
	if parens {
		p.sym(")")
	}
}

// whichConstraint takes CONSTRAINT name, PRIMARY KEY or UNIQUE (columns).
func (p *parser) whichConstraint(c *ast.Constraint) {
	switch {
	case p.acceptWord("CONSTRAINT"):
		n := p.name(2250)
		c.Name = &n
	case p.acceptWord("PRIMARY", "KEY"):
		c.Kind = ast.PrimaryKey
	case p.acceptWord("UNIQUE"):
		c.Kind = ast.Unique
		c.Columns = p.nameList(904)
	default:
		p.fail(905)
	}
}

func (p *parser) dropAction(a *ast.TableAction) {
	switch {
	case p.is("CONSTRAINT"), p.is("PRIMARY"), p.is("UNIQUE"):
		a.Kind = ast.ActionDropConstraint
		c := ast.Constraint{Pos: p.cur().pos}
		p.whichConstraint(&c)
		a.Constraints = append(a.Constraints, c)
	case p.acceptWord("COLUMN"):
		a.Kind, a.Columns = ast.ActionDropColumn, []ast.ColumnDef{{Name: p.name(904)}}
	default:
		p.fail(905)
	}
	if a.Cascade = p.acceptWord("CASCADE", "CONSTRAINTS") || p.acceptWord("CASCADE"); a.Kind == ast.ActionDropConstraint {
		a.KeepIndex = p.acceptWord("KEEP", "INDEX")
	}
}

func (p *parser) alterIndex(at ast.Pos) ast.Statement {
	x := &ast.AlterIndex{Pos: at, Name: p.ref(953)}
	switch x.Action = p.word(); x.Action {
	case "REBUILD", "VISIBLE", "INVISIBLE":
		p.i++
	default:
		p.fail(905)
	}
	return x
}

func (p *parser) alterCompile(at ast.Pos) ast.Statement {
	c := &ast.AlterCompile{Pos: at, Kind: ast.ObjectKind(p.word())}
	p.i++
	c.Name = p.ref(931)
	if c.Kind == ast.KindTrigger && (p.is("ENABLE") || p.is("DISABLE")) {
		c.State = ast.OptionName(p.take().Text)
		return c
	}
	p.want("COMPILE", 922)
	c.Body = c.Kind == ast.KindPackage && p.acceptWord("BODY")
	return c
}

func (p *parser) alterSession(at ast.Pos, system bool) ast.Statement {
	s := &ast.AlterSession{Pos: at, System: system}
	if system {
		if p.acceptWord("KILL", "SESSION") {
			return p.killSession(at)
		}
	}
	for _, always := range [][]string{
		{"ENABLE", "COMMIT", "IN", "PROCEDURE"}, {"DISABLE", "PARALLEL", "DML"}, {"ENABLE", "PARALLEL", "QUERY"}, {"ENABLE", "PARALLEL", "DDL"},
	} {
		if p.acceptWord(always...) {
			return s
		}
	}
	if !system && p.acceptWord("SET", "ROW", "ARCHIVAL", "VISIBILITY") {
		p.sym("=")
		p.want("ACTIVE", 922)
		return s
	}
	p.want("SET", 922)
	for {
		v := ast.Setting{Pos: p.cur().pos}
		if p.cur().kind != tWord {
			p.fail(2248)
		}
		v.Name = p.take().Text
		p.sym("=")
		v.Value = p.settingValue()
		s.Settings = append(s.Settings, v)
		if p.cur().kind == tEOF {
			return s
		}
	}
}

// settingValue takes a literal or a word.
func (p *parser) settingValue() ast.Expr {
	t := p.cur()
	switch t.kind {
	case tWord, tQuoted:
		n := p.take()
		if t.text == "READ" && p.word() == "COMMITTED" { // ISOLATION_LEVEL = READ COMMITTED, the only value of two words
			n.Text += " " + p.take().Text
		}
		return &ast.Ref{Pos: t.pos, Parts: []ast.Name{n}}
	case tString:
		p.i++
		return &ast.String{Pos: t.pos, Value: t.text}
	case tNumber:
		return p.number()
	case tSymbol:
		if t.text == "-" {
			return p.size()
		}
	}
	p.fail(922)
	return nil
}

func (p *parser) killSession(at ast.Pos) ast.Statement {
	k := &ast.KillSession{Pos: at}
	k.Session = p.literal()
	p.acceptWord("IMMEDIATE") // it is killed at once anyway
	return k
}

func (p *parser) userOptions(u *ast.CreateUser) {
	for p.cur().kind != tEOF {
		at := p.cur().pos
		switch {
		case u.Password == nil && p.acceptWord("IDENTIFIED"):
			p.want("BY", 924)
			if p.is("VALUES") {
				p.fail(988)
			}
			t := p.cur()
			if t.kind != tWord && t.kind != tQuoted {
				p.fail(988)
			}
			n := p.take()
			if !n.Quoted { // passwords keep their case
				n.Text = p.src[t.pos.Offset:t.end]
			}
			u.Password = &n
		case p.acceptWord("DEFAULT", "TABLESPACE"):
			u.Options = append(u.Options, ast.Option{Pos: at, Name: "DEFAULT TABLESPACE", Value: p.name(931).Text})
		case p.acceptWord("QUOTA"):
			u.Options = append(u.Options, p.quota(at))
		default:
			u.Options = append(u.Options, p.accountOption(at))
		}
	}
}

func (p *parser) accountOption(at ast.Pos) ast.Option {
	for _, words := range [][]string{{"ACCOUNT", "LOCK"}, {"ACCOUNT", "UNLOCK"}, {"PASSWORD", "EXPIRE"}} {
		if o, ok := p.words(at, words); ok {
			return o
		}
	}
	p.fail(922)
	return ast.Option{}
}

// quota takes 10M ON users or UNLIMITED ON users; Value is "size tablespace".
func (p *parser) quota(at ast.Pos) ast.Option {
	size := p.cur().text
	if !p.acceptWord("UNLIMITED") {
		p.number()
		switch w := p.word(); w {
		case "K", "M", "G", "T":
			p.i++
			size += w
		}
	}
	p.want("ON", 969)
	return ast.Option{Pos: at, Name: "QUOTA", Value: size + " " + p.name(931).Text}
}
