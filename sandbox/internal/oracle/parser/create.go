package parser

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

func (p *parser) create(unit **ast.CreateUnit) ast.Statement {
	at := p.cur().pos
	p.i++
	replace := p.acceptWord("OR", "REPLACE")
	force := p.acceptWord("FORCE")
	if !force {
		p.acceptWord("NO", "FORCE")
	}
	if !p.acceptWord("EDITIONABLE") {
		p.acceptWord("NONEDITIONABLE")
	}
	switch p.word() {
	case "PACKAGE", "PROCEDURE", "FUNCTION", "TRIGGER":
		return p.createUnit(replace, unit)
	case "VIEW":
		return p.createView(&ast.CreateView{Pos: at, OrReplace: replace, Force: force})
	case "SYNONYM", "PUBLIC":
		s := p.createSynonym(&ast.CreateSynonym{Pos: at, OrReplace: replace})
		p.end(933)
		return s
	}
	if replace || force {
		p.fail(922)
	}
	s := p.createOther(at)
	p.end(922)
	return s
}

func (p *parser) createOther(at ast.Pos) ast.Statement {
	p.binds = bindsNoDDL
	switch p.word() {
	case "TABLE":
		return p.createTable(&ast.CreateTable{Pos: at})
	case "GLOBAL":
		p.i++
		p.want("TEMPORARY", 905)
		return p.createTable(&ast.CreateTable{Pos: at, Temporary: true})
	case "UNIQUE", "INDEX":
		return p.createIndex(at)
	case "SEQUENCE":
		p.i++
		return &ast.CreateSequence{Pos: at, Name: p.ref(931), Options: p.sequenceOptions()}
	case "USER":
		p.i++
		u := &ast.CreateUser{Pos: at, Name: p.name(987)}
		p.userOptions(u)
		return u
	case "ROLE":
		p.i++
		r := &ast.CreateRole{Pos: at, Name: p.name(931)}
		return r
	}
	p.fail(901)
	return nil
}

func (p *parser) createTable(t *ast.CreateTable) ast.Statement {
	p.want("TABLE", 905)
	t.Name = p.ref(903)
	if !p.acceptSym("(") {
		p.fail(922)
	}
	for more := true; more; more = p.acceptSym(",") {
		if p.isConstraint() {
			t.Constraints = append(t.Constraints, p.constraint(true))
		} else {
			t.Columns = append(t.Columns, p.columnDef(true))
		}
	}
	p.sym(")")
	for p.cur().kind != tEOF {
		switch {
		case t.Temporary && t.OnCommit == "" && p.acceptWord("ON", "COMMIT", "DELETE", "ROWS"):
			t.OnCommit = ast.DeleteRows
		case t.Temporary && t.OnCommit == "" && p.acceptWord("ON", "COMMIT", "PRESERVE", "ROWS"):
			t.OnCommit = ast.PreserveRows
		default:
			t.Options = append(t.Options, p.tableOption())
		}
	}
	for i := range t.Columns {
		p.checkType(&t.Columns[i])
	}
	return t
}

// checkType fails unless a new column has a type or is virtual.
func (p *parser) checkType(c *ast.ColumnDef) {
	if c.Type == nil && c.Virtual == nil {
		p.raise(c.Pos, Error{Number: 2263, Text: message.ORA(2263).Text})
	}
}

// tableOption takes one physical option of a table, or fails.
func (p *parser) tableOption() ast.Option {
	at := p.cur().pos
	if o, ok := p.words(at, []string{"SEGMENT", "CREATION", "IMMEDIATE"}); ok {
		return o
	}
	if o, ok := p.physical(at); ok {
		return o
	}
	p.fail(922)
	return ast.Option{}
}

// words takes an option that is the given words.
func (p *parser) words(at ast.Pos, words []string) (ast.Option, bool) {
	if !p.acceptWord(words...) {
		return ast.Option{}, false
	}
	return ast.Option{Pos: at, Name: ast.OptionName(strings.Join(words, " "))}, true
}

// physical takes an option that tables and indexes share.
func (p *parser) physical(at ast.Pos) (ast.Option, bool) {
	o := ast.Option{Pos: at, Name: ast.OptionName(p.word())}
	switch o.Name {
	case "INITRANS", "PCTFREE":
		p.i++
		o.Value = p.number().Text
	case "TABLESPACE":
		p.i++
		o.Value = p.name(931).Text
	case "NOLOGGING":
		p.i++
	default:
		return o, false
	}
	return o, true
}

// columnDef takes a column; its type may be missing in ALTER TABLE … MODIFY and for a virtual column.
func (p *parser) columnDef(create bool) ast.ColumnDef {
	c := ast.ColumnDef{Pos: p.cur().pos, Name: p.name(904)}
	if !p.isColumnRest() && !p.isSym(",") && !p.isSym(")") && p.cur().kind != tEOF {
		c.Type = p.dataType()
	}
	for {
		switch {
		case c.Text == "" && p.acceptWord("DEFAULT"):
			c.DefaultOnNull = p.acceptWord("ON", "NULL")
			from := p.cur().pos.Offset
			c.Default = p.expr()
			c.Text = p.text(from)
		case p.is("GENERATED"), p.is("AS") && p.symAhead(1, "("):
			p.generated(&c)
		case p.isConstraint(), p.is("NOT"), p.is("NULL"):
			c.Constraints = append(c.Constraints, p.constraint(false))
		case p.isSym(","), p.isSym(")"), !create, p.cur().kind == tEOF:
			return c
		default:
			p.fail(907)
		}
	}
}

// isColumnRest reports whether the next tokens continue a column after its type.
func (p *parser) isColumnRest() bool {
	switch p.word() {
	case "DEFAULT", "GENERATED", "AS", "NOT", "NULL", "CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK":
		return true
	}
	return false
}

// generated takes an identity or a virtual column.
func (p *parser) generated(c *ast.ColumnDef) {
	at := p.cur().pos
	kind := ast.GeneratedAlways
	if p.acceptWord("GENERATED") {
		switch {
		case p.acceptWord("ALWAYS"):
		case p.acceptWord("BY", "DEFAULT", "ON", "NULL"):
			kind = ast.GeneratedByDefaultOnNull
		case p.acceptWord("BY", "DEFAULT"):
			kind = ast.GeneratedByDefault
		}
	}
	p.want("AS", 905)
	if p.acceptWord("IDENTITY") {
		c.Identity = &ast.Identity{Pos: at, Kind: kind}
		if p.acceptSym("(") {
			c.Identity.Options = p.sequenceOptions()
			p.sym(")")
		}
		return
	}
	if kind != ast.GeneratedAlways {
		p.fail(905)
	}
	p.sym("(")
	from := p.cur().pos.Offset
	c.Virtual = p.expr()
	c.Text = p.text(from)
	p.sym(")")
	p.acceptWord("VIRTUAL")
}

func (p *parser) sequenceOptions() []ast.SequenceOption {
	var list []ast.SequenceOption
	for {
		o := ast.SequenceOption{Pos: p.cur().pos, Name: ast.SequenceWords(p.word())}
		switch o.Name {
		case "START":
			p.i++
			p.want("WITH", 905)
			o.Name, o.Value = "START WITH", p.size()
		case "INCREMENT":
			p.i++
			p.want("BY", 924)
			o.Name, o.Value = "INCREMENT BY", p.size()
		case "CACHE":
			p.i++
			o.Value = p.size()
		case "NOCYCLE", "NOCACHE", "ORDER":
			p.i++
		default:
			return list
		}
		list = append(list, o)
	}
}

// isConstraint reports whether a constraint begins here, not a column with that name.
func (p *parser) isConstraint() bool {
	switch p.word() {
	case "CONSTRAINT", "UNIQUE", "CHECK":
		return true
	case "PRIMARY":
		return p.wordAhead(1) == "KEY"
	}
	return false
}

// constraint takes a constraint, of a table or inside a column.
func (p *parser) constraint(table bool) ast.Constraint {
	c := ast.Constraint{Pos: p.cur().pos}
	if p.acceptWord("CONSTRAINT") {
		n := p.name(2250)
		c.Name = &n
	}
	switch {
	case !table && p.acceptWord("NOT", "NULL"):
		c.Kind = ast.NotNull
	case !table && p.acceptWord("NULL"):
		c.Kind = ast.Nullable
	case p.acceptWord("PRIMARY", "KEY"):
		c.Kind = ast.PrimaryKey
	case p.acceptWord("UNIQUE"):
		c.Kind = ast.Unique
	case p.acceptWord("CHECK"):
		c.Kind = ast.Check
		p.sym("(")
		from := p.cur().pos.Offset
		c.Check = p.condition()
		c.Text = p.text(from)
		p.sym(")")
	default:
		p.fail(904)
	}
	if table && c.Kind != ast.Check {
		c.Columns = p.nameList(904)
	}
	p.constraintState(&c)
	return c
}

func (p *parser) constraintState(c *ast.Constraint) {
	for {
		switch {
		case p.is("ENABLE") && p.wordAhead(1) != "ROW":
			p.i++
		case p.is("DISABLE") && p.wordAhead(1) != "ROW":
			p.i++
			c.Disabled = true
		case p.acceptWord("NOVALIDATE"):
			c.NoValidate = true
		case p.is("DEFERRABLE") && (c.Deferred || p.wordAhead(1) == "INITIALLY"):
			p.i++
		case p.acceptWord("INITIALLY", "DEFERRED"):
			c.Deferred = true
		case c.UsingIndex == nil && p.is("USING"):
			c.UsingIndex = p.usingIndex()
		default:
			return
		}
	}
}

func (p *parser) usingIndex() *ast.UsingIndex {
	u := &ast.UsingIndex{Pos: p.cur().pos}
	p.i++
	p.want("INDEX", 968)
	p.sym("(")
	at := p.cur().pos
	p.want("CREATE", 901)
	u.Create = p.createIndex(at)
	p.sym(")")
	return u
}

func (p *parser) createIndex(at ast.Pos) *ast.CreateIndex {
	x := &ast.CreateIndex{Pos: at, Unique: p.acceptWord("UNIQUE")}
	p.want("INDEX", 968)
	x.Name = p.ref(953)
	p.want("ON", 969)
	x.Table = p.ref(903)
	p.sym("(")
	for {
		x.Columns = append(x.Columns, p.name(904))
		p.acceptWord("ASC")
		if !p.acceptSym(",") {
			break
		}
	}
	p.sym(")")
	x.Options = p.indexOptions()
	return x
}

func (p *parser) indexOptions() []ast.Option {
	var list []ast.Option
	for {
		at := p.cur().pos
		o, ok := p.physical(at)
		for _, word := range []string{"ONLINE", "VISIBLE", "INVISIBLE", "UNUSABLE"} {
			if !ok {
				o, ok = p.words(at, []string{word})
			}
		}
		if !ok {
			return list
		}
		list = append(list, o)
	}
}

func (p *parser) createView(v *ast.CreateView) ast.Statement {
	p.i++
	p.binds = bindsNoDDL
	v.Name = p.ref(903)
	if p.isSym("(") {
		v.Columns = p.nameList(904)
	}
	p.want("AS", 905)
	from := p.cur().pos.Offset
	v.Query = p.query(inline)
	v.Text = p.text(from)
	v.ReadOnly = p.acceptWord("WITH", "READ", "ONLY")
	p.end(933)
	return v
}

func (p *parser) createSynonym(s *ast.CreateSynonym) ast.Statement {
	s.Public = p.acceptWord("PUBLIC")
	p.want("SYNONYM", 905)
	s.Name = p.ref(931)
	p.want("FOR", 905)
	s.For = p.ref(931)
	return s
}
