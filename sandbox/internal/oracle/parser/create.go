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
	case "PACKAGE", "PROCEDURE", "FUNCTION", "TYPE", "TRIGGER":
		return p.createUnit(replace, unit)
	case "VIEW":
		return p.createView(&ast.CreateView{Pos: at, OrReplace: replace, Force: force})
	case "SYNONYM", "PUBLIC":
		s := p.createSynonym(&ast.CreateSynonym{Pos: at, OrReplace: replace})
		p.end(933)
		return s
	}
	if w := p.word(); w == "LIBRARY" || w == "CONTEXT" || w == "DIRECTORY" || w == "AND" {
		p.refuse("CREATE %s", w)
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
	switch w := p.word(); w {
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
		if p.is("IDENTIFIED") {
			p.refuse("a role with IDENTIFIED")
		}
		p.acceptWord("NOT", "IDENTIFIED")
		return r
	case "PRIVATE", "BITMAP", "MULTIVALUE", "MATERIALIZED", "DATABASE", "SHARED", "PROFILE", "TABLESPACE", "BIGFILE", "TEMPORARY",
		"UNDO", "CLUSTER", "OPERATOR", "INDEXTYPE", "DIMENSION", "JAVA", "EDITION", "OUTLINE", "ROLLBACK", "SCHEMA", "SHARDED",
		"IMMUTABLE", "BLOCKCHAIN", "DUPLICATED", "PLUGGABLE", "RESTORE", "SPFILE", "PFILE", "CONTROLFILE", "FLASHBACK", "AUDIT", "LOCKDOWN":
		p.refuse("CREATE %s", w)
	}
	p.fail(901)
	return nil
}

func (p *parser) createTable(t *ast.CreateTable) ast.Statement {
	p.want("TABLE", 905)
	t.Name = p.ref(903)
	switch {
	case p.acceptSym("("):
		for {
			if p.isConstraint() {
				t.Constraints = append(t.Constraints, p.constraint(true))
			} else {
				t.Columns = append(t.Columns, p.columnDef(true))
			}
			if !p.acceptSym(",") {
				break
			}
		}
		p.sym(")")
	case p.is("OF"):
		p.refuse("object tables")
	case !p.is("AS"):
		p.fail(922)
	}
	for p.cur().kind != tEOF && !p.is("AS") {
		switch {
		case t.Temporary && t.OnCommit == "" && p.acceptWord("ON", "COMMIT", "DELETE", "ROWS"):
			t.OnCommit = ast.DeleteRows
		case t.Temporary && t.OnCommit == "" && p.acceptWord("ON", "COMMIT", "PRESERVE", "ROWS"):
			t.OnCommit = ast.PreserveRows
		default:
			t.Options = append(t.Options, p.tableOption(922))
		}
	}
	as := p.acceptWord("AS")
	for i := range t.Columns {
		p.checkType(&t.Columns[i], as)
	}
	if as {
		t.AsQuery = p.query(inline)
	}
	return t
}

// checkType fails unless a new column has a type, or has none if a query supplies it.
func (p *parser) checkType(c *ast.ColumnDef, query bool) {
	switch {
	case c.Type != nil && query:
		p.raise(c.Type.Pos, Error{Number: 1773, Text: message.ORA(1773).Text})
	case c.Type == nil && !query && c.Virtual == nil:
		for _, k := range c.Constraints {
			if k.Kind == ast.ForeignKey {
				p.refuse("a column with the type of its parent")
			}
		}
		p.raise(c.Pos, Error{Number: 2263, Text: message.ORA(2263).Text})
	}
}

// tableOption takes one physical option of a table, or fails.
func (p *parser) tableOption(ora int32) ast.Option {
	at := p.cur().pos
	for _, words := range [][]string{{"SEGMENT", "CREATION", "IMMEDIATE"}, {"SEGMENT", "CREATION", "DEFERRED"}, {"ENABLE", "ROW", "MOVEMENT"},
		{"DISABLE", "ROW", "MOVEMENT"}, {"ORGANIZATION", "HEAP"}, {"ORGANIZATION", "INDEX"}, {"CACHE"}, {"NOCACHE"}, {"ROWDEPENDENCIES"},
		{"NOROWDEPENDENCIES"}, {"MONITORING"}} {
		if o, ok := p.words(at, words); ok {
			return o
		}
	}
	if o, ok := p.physical(at); ok {
		return o
	}
	switch w := p.word(); w {
	case "LOB", "PARTITION", "STORAGE", "NESTED", "VARRAY", "CLUSTER", "XMLTYPE", "INMEMORY", "FLASHBACK", "ROW", "ILM", "EXTERNAL",
		"ORGANIZATION", "ENABLE", "DISABLE", "COLUMN", "SUPPLEMENTAL", "RESULT_CACHE", "INCLUDING", "OVERFLOW", "NO", "ARCHIVE", "MEMOPTIMIZE":
		p.refuse("%s of a table", w)
	}
	p.fail(ora)
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
	case "INITRANS", "PCTFREE", "PCTUSED", "MAXTRANS":
		p.i++
		o.Value = p.number().Text
	case "TABLESPACE":
		p.i++
		o.Value = p.name(931).Text
	case "PARALLEL", "COMPRESS":
		p.i++
		if p.cur().kind == tNumber {
			o.Value = p.number().Text
		}
	case "LOGGING", "NOLOGGING", "NOPARALLEL", "NOCOMPRESS":
		p.i++
	default:
		return o, false
	}
	return o, true
}

// columnDef takes a column; its type may be missing in ALTER TABLE … MODIFY, before AS (SELECT …) and for a virtual column.
func (p *parser) columnDef(create bool) ast.ColumnDef {
	c := ast.ColumnDef{Pos: p.cur().pos, Name: p.name(904)}
	if p.is("SUPPLEMENTAL") {
		p.refuse("SUPPLEMENTAL LOG")
	}
	if !p.isColumnRest() && !p.isSym(",") && !p.isSym(")") && p.cur().kind != tEOF {
		c.Type = p.dataType()
	}
	for {
		switch {
		case p.is("SORT"), p.is("ENCRYPT"), p.is("DECRYPT"), p.is("COLLATE"), p.is("SCOPE"), p.is("WITH"), p.is("DOMAIN"):
			p.refuse("%s of a column", p.word())
		case p.acceptWord("VISIBLE"):
			c.Visible = true
		case p.acceptWord("INVISIBLE"):
			c.Invisible = true
		case c.Text == "" && p.acceptWord("DEFAULT"):
			c.DefaultOnNull = p.acceptWord("ON", "NULL")
			from := p.cur().pos.Offset
			c.Default = p.expr()
			c.Text = p.text(from)
		case p.is("GENERATED"), p.is("AS") && p.symAhead(1, "("):
			p.generated(&c)
		case p.isConstraint(), p.is("NOT"), p.is("NULL"), p.is("REFERENCES"):
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
	case "DEFAULT", "GENERATED", "AS", "NOT", "NULL", "CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "REFERENCES", "VISIBLE", "INVISIBLE":
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
	if p.is("EVALUATE") || p.is("UNUSABLE") || p.is("MATERIALIZED") {
		p.refuse("%s of a virtual column", p.word())
	}
}

func (p *parser) sequenceOptions() []ast.SequenceOption {
	var list []ast.SequenceOption
	for {
		o := ast.SequenceOption{Pos: p.cur().pos, Name: ast.SequenceWords(p.word())}
		switch o.Name {
		case "START":
			p.i++
			p.want("WITH", 905)
			if p.is("LIMIT") {
				p.refuse("START WITH LIMIT VALUE")
			}
			o.Name, o.Value = "START WITH", p.size()
		case "INCREMENT":
			p.i++
			p.want("BY", 924)
			o.Name, o.Value = "INCREMENT BY", p.size()
		case "MAXVALUE", "MINVALUE", "CACHE":
			p.i++
			o.Value = p.size()
		case "NOMAXVALUE", "NOMINVALUE", "CYCLE", "NOCYCLE", "NOCACHE", "ORDER", "NOORDER", "NOKEEP", "NOSCALE":
			p.i++
		case "KEEP", "SCALE", "SHARD", "SESSION", "GLOBAL", "SHARING", "RESTART":
			p.refuse("%s of a sequence", o.Name)
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
	case "PRIMARY", "FOREIGN":
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
	case table && p.acceptWord("FOREIGN", "KEY"), !table && p.is("REFERENCES"):
		c.Kind = ast.ForeignKey
	default:
		p.fail(904)
	}
	if table && c.Kind != ast.Check {
		c.Columns = p.nameList(904)
	}
	if c.Kind == ast.ForeignKey {
		p.references(&c)
	}
	p.constraintState(&c)
	return c
}

func (p *parser) references(c *ast.Constraint) {
	p.want("REFERENCES", 905)
	c.RefTable = p.ref(903)
	if p.isSym("(") {
		c.RefColumns = p.nameList(904)
	}
	if p.acceptWord("ON", "DELETE") {
		switch {
		case p.acceptWord("CASCADE"):
			c.OnDelete = ast.Cascade
		case p.acceptWord("SET", "NULL"):
			c.OnDelete = ast.SetNull
		default:
			p.fail(905)
		}
	}
}

func (p *parser) constraintState(c *ast.Constraint) {
	for {
		switch {
		case p.acceptWord("NOT", "DEFERRABLE"), p.acceptWord("INITIALLY", "IMMEDIATE"), p.acceptWord("NORELY"), p.acceptWord("VALIDATE"):
		case p.is("ENABLE") && p.wordAhead(1) != "ROW":
			p.i++
		case p.is("DISABLE") && p.wordAhead(1) != "ROW":
			p.i++
			c.Disabled = true
		case p.acceptWord("NOVALIDATE"):
			c.NoValidate = true
		case p.acceptWord("DEFERRABLE"):
			c.Deferrable = true
		case p.acceptWord("INITIALLY", "DEFERRED"):
			c.Deferred = true
		case p.is("RELY"), p.is("EXCEPTIONS"):
			p.refuse("%s of a constraint", p.word())
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
	if p.acceptSym("(") {
		at := p.cur().pos
		p.want("CREATE", 901)
		u.Create = p.createIndex(at)
		p.sym(")")
		return u
	}
	u.Options = p.indexOptions()
	if u.Options == nil && p.isName() && !p.is("ENABLE") && !p.is("DISABLE") && !p.is("NOVALIDATE") && !p.is("DEFERRABLE") && !p.is("INITIALLY") {
		u.Name = p.ref(953)
	}
	return u
}

func (p *parser) createIndex(at ast.Pos) *ast.CreateIndex {
	x := &ast.CreateIndex{Pos: at, Unique: p.acceptWord("UNIQUE")}
	p.want("INDEX", 968)
	x.Name = p.ref(953)
	p.want("ON", 969)
	if p.is("CLUSTER") {
		p.refuse("cluster indexes")
	}
	x.Table = p.ref(903)
	if p.cur().kind == tWord {
		p.refuse("bitmap join indexes and aliases")
	}
	p.sym("(")
	for {
		from := p.cur().pos
		c := ast.IndexColumn{Pos: from, Value: p.expr(), Text: p.text(from.Offset)}
		if c.Desc = p.acceptWord("DESC"); !c.Desc {
			p.acceptWord("ASC")
		}
		x.Columns = append(x.Columns, c)
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
		for _, words := range [][]string{{"ONLINE"}, {"REVERSE"}, {"VISIBLE"}, {"INVISIBLE"}, {"UNUSABLE"}, {"COMPUTE", "STATISTICS"}, {"NOSORT"}} {
			if !ok {
				o, ok = p.words(at, words)
			}
		}
		if !ok {
			switch w := p.word(); w {
			case "LOCAL", "GLOBAL", "STORAGE", "INDEXTYPE", "PARAMETERS", "INDEXING":
				p.refuse("%s of an index", w)
			}
			return list
		}
		list = append(list, o)
	}
}

func (p *parser) createView(v *ast.CreateView) ast.Statement {
	p.i++
	p.binds = bindsNoDDL
	v.Name = p.ref(903)
	if p.is("OF") || p.is("SHARING") || p.is("BEQUEATH") || p.is("DEFAULT") {
		p.refuse("CREATE VIEW … %s", p.word())
	}
	if p.acceptSym("(") {
		for {
			if p.isConstraint() {
				p.refuse("constraints of a view")
			}
			v.Columns = append(v.Columns, p.name(904))
			if !p.acceptSym(",") {
				break
			}
		}
		p.sym(")")
	}
	if p.is("BEQUEATH") || p.is("DEFAULT") {
		p.refuse("CREATE VIEW … %s", p.word())
	}
	p.want("AS", 905)
	from := p.cur().pos.Offset
	v.Query = p.query(inline)
	v.Text = p.text(from)
	if p.acceptWord("WITH") {
		switch {
		case p.acceptWord("READ", "ONLY"):
			v.ReadOnly = true
		case p.acceptWord("CHECK", "OPTION"):
			v.CheckOption = true
		default:
			p.fail(905)
		}
		if p.is("CONSTRAINT") {
			p.refuse("the name of a view's constraint")
		}
	}
	p.end(933)
	return v
}

func (p *parser) createSynonym(s *ast.CreateSynonym) ast.Statement {
	s.Public = p.acceptWord("PUBLIC")
	if s.Public && p.is("DATABASE") {
		p.refuse("CREATE PUBLIC DATABASE LINK")
	}
	p.want("SYNONYM", 905)
	s.Name = p.ref(931)
	p.want("FOR", 905)
	s.For = p.ref(931)
	return s
}
