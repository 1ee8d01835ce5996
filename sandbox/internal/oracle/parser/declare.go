package parser

import (
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// decls takes declarations until BEGIN or END; the specification of a package defines no subprogram.
func (p *parser) decls(spec bool) []ast.Decl {
	var list []ast.Decl
	bodies := false // after the first body, only subprograms may follow
	for !p.is("BEGIN") && !p.is("END") {
		if bodies && !p.is("PROCEDURE") && !p.is("FUNCTION") && !p.is("PRAGMA") {
			p.fail(0, "begin end function pragma procedure")
		}
		d := p.decl(spec)
		if s, ok := d.(*ast.Subprogram); ok && s.Body != nil {
			bodies = true
		}
		list = append(list, d)
	}
	return list
}

func (p *parser) decl(spec bool) ast.Decl {
	at := p.cur().pos
	switch p.word() {
	case "PRAGMA":
		return p.pragma(at)
	case "TYPE":
		return p.typeDecl(at)
	case "SUBTYPE":
		p.fail(0)
	case "CURSOR":
		return p.cursorDecl(at)
	case "PROCEDURE", "FUNCTION":
		return p.subprogram(at, spec)
	}
	if !p.isName() {
		p.fail(0, "begin end function pragma procedure subtype type", identifier, "cursor")
	}
	name := p.take()
	if p.acceptWord("EXCEPTION") {
		p.sym(";")
		return &ast.Exception{Pos: at, Name: name}
	}
	v := &ast.Variable{Pos: at, Name: name, Constant: p.acceptWord("CONSTANT"), Type: p.dataType()}
	p.variableRest(v)
	if v.Constant && v.Default == nil {
		p.raise(at, Error{Number: 322, PLS: true, Text: fmt.Sprintf("declaration of a constant '%s' must contain an initialization assignment", name.Text)})
	}
	p.sym(";")
	return v
}

// variableRest takes [NOT NULL] [:= value] after the type of a variable or field.
func (p *parser) variableRest(v *ast.Variable) {
	if p.acceptWord("NOT") {
		p.want("NULL", 908)
		v.NotNull = true
	}
	v.Default = p.initial()
	if v.NotNull && v.Default == nil {
		p.raise(v.Pos, Error{Number: 218, PLS: true, Text: "a variable declared NOT NULL must have an initialization assignment"})
	}
}

// initial takes := value or DEFAULT value.
func (p *parser) initial() ast.Expr {
	if p.acceptSym(":=") || p.acceptWord("DEFAULT") {
		return p.expr()
	}
	return nil
}

func (p *parser) pragma(at ast.Pos) ast.Decl {
	p.i++
	d := &ast.Pragma{Pos: at, Kind: ast.PragmaKind(p.word())}
	switch d.Kind {
	case ast.AutonomousTransaction:
		p.i++
		p.sym(";")
		return d
	case ast.ExceptionInit:
		p.i++
	case "INLINE", "SERIALLY_REUSABLE", "RESTRICT_REFERENCES", "UDF", "DEPRECATE", "COVERAGE", "SUPPRESSES_WARNING_6009":
		p.refuse("PRAGMA %s", d.Kind)
	default:
		p.raise(p.cur().pos, Error{Number: 127, PLS: true, Text: fmt.Sprintf("Pragma %s is not a supported pragma", p.cur().text)})
	}
	p.sym("(")
	d.Args = p.exprs()
	p.sym(")")
	p.sym(";")
	return d
}

func (p *parser) typeDecl(at ast.Pos) ast.Decl {
	p.i++
	name := p.name(931)
	p.want("IS", 905)
	var d ast.Decl
	switch {
	case p.acceptWord("RECORD"):
		r := &ast.RecordType{Pos: at, Name: name}
		p.sym("(")
		for {
			f := ast.Variable{Pos: p.cur().pos, Name: p.name(931), Type: p.dataType()}
			p.variableRest(&f)
			r.Fields = append(r.Fields, f)
			if !p.acceptSym(",") {
				break
			}
		}
		p.sym(")")
		d = r
	case p.acceptWord("REF", "CURSOR"):
		r := &ast.RefCursorType{Pos: at, Name: name}
		if p.acceptWord("RETURN") {
			r.Return = p.bareType()
		}
		d = r
	default:
		d = p.collection(at, name)
	}
	p.sym(";")
	return d
}

// collection takes TABLE OF or VARRAY(n) OF, in a declaration or in CREATE TYPE.
func (p *parser) collection(at ast.Pos, name ast.Name) *ast.CollectionType {
	c := &ast.CollectionType{Pos: at, Name: name}
	switch {
	case p.acceptWord("TABLE"):
	default:
		p.fail(0, "array record ref table varray varying")
	}
	p.want("OF", 905)
	c.Element = p.dataType()
	if p.acceptWord("INDEX") {
		p.want("BY", 924)
		c.IndexBy = p.dataType()
	}
	return c
}

func (p *parser) cursorDecl(at ast.Pos) ast.Decl {
	p.i++
	c := &ast.Cursor{Pos: at, Name: p.name(931)}
	c.Params = p.params()
	p.want("IS", 905)
	c.Query = p.query(locking)
	p.sym(";")
	return c
}

// params takes formal parameters, if any.
func (p *parser) params() []ast.Param {
	if !p.acceptSym("(") {
		return nil
	}
	var list []ast.Param
	for {
		a := ast.Param{Pos: p.cur().pos, Name: p.name(931), Mode: ast.ModeIn}
		in, out := p.acceptWord("IN"), p.acceptWord("OUT")
		switch {
		case in && out:
			a.Mode = ast.ModeInOut
		case out:
			a.Mode = ast.ModeOut
		}
		a.NoCopy = p.acceptWord("NOCOPY")
		a.Type = p.bareType()
		from := p.cur().pos
		if a.Default = p.initial(); a.Default != nil && out {
			p.raise(from, Error{Number: 230, PLS: true, Text: "OUT and IN OUT formal parameters may not have default expressions"})
		}
		list = append(list, a)
		if !p.acceptSym(",") {
			break
		}
	}
	p.sym(")")
	return list
}

// subprogram takes a procedure or function inside a package or block, declared or defined.
func (p *parser) subprogram(at ast.Pos, spec bool) *ast.Subprogram {
	s := p.heading(at, nil)
	if p.acceptSym(";") {
		return s
	}
	if spec {
		p.fail(0, ";")
	}
	p.subprogramBody(s)
	return s
}

// heading takes PROCEDURE name … up to IS; unit is the stored unit that the subprogram is, if it is one.
func (p *parser) heading(at ast.Pos, unit *ast.CreateUnit) *ast.Subprogram {
	function := p.is("FUNCTION")
	s := &ast.Subprogram{Pos: at}
	if unit == nil {
		p.i++
		s.Name = p.name(931)
	} else {
		s.Name = unit.Name.Parts[len(unit.Name.Parts)-1]
	}
	s.Params = p.params()
	if function || unit != nil && unit.Kind == ast.KindFunction {
		p.want("RETURN", 905)
		s.Return = p.bareType()
	}
	for {
		switch w := p.word(); {
		case unit != nil && w == "AUTHID":
			p.authid(unit)
		case s.Return != nil && p.acceptWord("DETERMINISTIC"): // a promise, which nobody here makes use of
		default:
			return s
		}
	}
}

func (p *parser) subprogramBody(s *ast.Subprogram) {
	p.enter()
	defer p.leave()
	p.isOrAs()
	s.Body = &ast.Block{Pos: p.cur().pos, Decls: p.decls(false)}
	p.want("BEGIN", 905)
	p.blockBody(s.Body)
	p.endName(s.Name)
	p.sym(";")
}

func (p *parser) isOrAs() {
	if !p.acceptWord("IS") && !p.acceptWord("AS") {
		p.fail(905, "is as")
	}
}

// endName takes the name after END, which must match.
func (p *parser) endName(want ...ast.Name) {
	if !p.isName() || len(want) == 0 {
		return
	}
	at := p.cur().pos
	got := p.take()
	for _, n := range want {
		if n.Text == got.Text {
			return
		}
	}
	w := want[len(want)-1]
	p.raise(at, Error{Number: 113, PLS: true, Text: fmt.Sprintf("END identifier '%s' must match '%s' at line %d, column %d", got.Text, w.Text, w.Line, w.Column)})
}

// createUnit takes a stored unit. Positions count from its first word.
func (p *parser) createUnit(replace bool, result **ast.CreateUnit) ast.Statement {
	p.rebase()
	u := &ast.CreateUnit{OrReplace: replace, Pos: p.cur().pos, Kind: ast.ObjectKind(p.word()), Source: p.src}
	p.i++
	if p.acceptWord("BODY") {
		u.Kind = ast.KindPackageBody
	}
	if p.is("IF") && p.wordAhead(1) == "NOT" {
		p.fail(922)
	}
	u.Name = p.ref(4050)
	if u.Kind == ast.KindTrigger {
		u.Trigger = p.trigger()
	}
	*result = &ast.CreateUnit{OrReplace: replace, Pos: u.Pos, Kind: u.Kind, Name: u.Name, Source: u.Source, Trigger: u.Trigger}
	p.unit, p.sql, p.binds = true, false, bindsNoUnit
	name := u.Name.Parts[len(u.Name.Parts)-1]
	switch u.Kind {
	case ast.KindPackage:
		p.authid(u)
		p.isOrAs()
		u.Decls = p.decls(true)
		p.want("END", 905)
		p.endName(name)
		p.sym(";")
	case ast.KindPackageBody:
		p.isOrAs()
		body := &ast.Block{Pos: p.cur().pos}
		u.Decls = p.decls(false)
		if body.Pos = p.cur().pos; p.acceptWord("BEGIN") {
			u.Body = body
			p.blockBody(body)
		} else {
			p.want("END", 905)
		}
		p.endName(name)
		p.sym(";")
	case ast.KindTrigger:
		p.rebase() // its lines count from here
		p.fires = true
		u.Body = p.blockStatement([]ast.Name{name})
		p.sym(";")
	default:
		s := p.heading(u.Pos, u)
		p.subprogramBody(s)
		u.Decls = []ast.Decl{s}
	}
	p.end(0)
	return u
}

// authid takes AUTHID DEFINER or CURRENT_USER.
func (p *parser) authid(u *ast.CreateUnit) {
	if !p.acceptWord("AUTHID") {
		return
	}
	switch {
	case p.acceptWord("CURRENT_USER"):
		u.CurrentUser = true
	case !p.acceptWord("DEFINER"):
		p.fail(905, "current_user definer")
	}
}

// trigger takes everything between a trigger's name and its block.
func (p *parser) trigger() *ast.Trigger {
	t := &ast.Trigger{Pos: p.cur().pos, After: p.is("AFTER")}
	if !p.acceptWord("BEFORE") {
		p.want("AFTER", 905)
	}
	for more := true; more; more = p.acceptWord("OR") {
		switch e := ast.TriggerEvent(p.word()); e {
		case ast.Inserting, ast.Updating, ast.Deleting:
			p.i++
			t.Events = append(t.Events, e)
			if e == ast.Updating && p.acceptWord("OF") {
				t.Of = p.names(904)
			}
		default:
			p.fail(905)
		}
	}
	p.want("ON", 969)
	t.Table = p.ref(903)
	t.Row = p.acceptWord("FOR", "EACH", "ROW")
	if t.Disabled = p.acceptWord("DISABLE"); !t.Disabled {
		p.acceptWord("ENABLE")
	}
	return t
}
