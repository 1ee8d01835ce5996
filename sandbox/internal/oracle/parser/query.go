package parser

import (
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// queryKind says where a query is.
type queryKind uint8

const (
	inExpression queryKind = iota
	inline                 // in FROM, WITH, a view, INSERT
	locking                // a statement or cursor: may lock rows
	withInto               // a statement of PL/SQL: may have INTO, too
)

// query takes a SELECT with all its clauses.
func (p *parser) query(kind queryKind) *ast.Query {
	p.enter()
	defer p.leave()
	defer p.asSQL()()
	q := &ast.Query{Pos: p.cur().pos}
	if p.acceptWord("WITH") {
		q.With = append(q.With, p.commonTable())
		for p.acceptSym(",") {
			q.With = append(q.With, p.commonTable())
		}
	}
	return p.queryFrom(q, p.queryTerm(kind), kind)
}

// asSQL applies the rules of SQL, and returns a function that ends this.
func (p *parser) asSQL() func() {
	sql, cond := p.sql, p.cond
	p.sql, p.cond = true, false
	return func() { p.sql, p.cond = sql, cond }
}

// asPLSQL applies the rules of PL/SQL, and returns a function that ends this.
func (p *parser) asPLSQL() func() {
	sql, cond := p.sql, p.cond
	p.sql, p.cond = false, false
	return func() { p.sql, p.cond = sql, cond }
}

// queryFrom takes what follows a query's first block.
func (p *parser) queryFrom(q *ast.Query, body ast.QueryBody, kind queryKind) *ast.Query {
	q.Body = body
	for p.isSetOperator() {
		s := &ast.SetOperation{Pos: q.Body.Position(), Op: ast.SetOperator(p.word()), Left: q.Body}
		p.i++
		if s.Op == ast.Union && p.acceptWord("ALL") {
			s.Op = ast.UnionAll
		}
		s.Right = p.queryTerm(inline)
		q.Body = s
	}
	if p.is("ORDER") {
		q.OrderBy = p.orderBy()
	}
	if p.acceptWord("OFFSET") {
		q.Offset = p.expr()
		p.rowWord()
	}
	if p.is("FETCH") {
		q.Fetch = p.fetchFirst()
	}
	if kind == inExpression && q.OrderBy != nil && q.Offset == nil && q.Fetch == nil {
		p.refuse("ORDER BY in a subquery of an expression")
	}
	if p.is("FOR") {
		if kind < locking {
			p.fail(907)
		}
		q.Lock = p.rowLock()
	}
	return q
}

func (p *parser) isSetOperator() bool {
	switch p.word() {
	case "UNION", "INTERSECT", "MINUS":
		return true
	}
	return false
}

// queryTerm takes a query block or a query in parentheses.
func (p *parser) queryTerm(kind queryKind) ast.QueryBody {
	if p.acceptSym("(") {
		q := p.query(min(kind, inline))
		p.sym(")")
		return q
	}
	return p.selectBlock(kind == withInto)
}

func (p *parser) commonTable() ast.CommonTable {
	c := ast.CommonTable{Pos: p.cur().pos, Name: p.name(903)}
	if p.isSym("(") {
		c.Columns = p.nameList(904)
	}
	p.want("AS", 905)
	p.sym("(")
	c.Query = p.query(inline)
	p.sym(")")
	return c
}

func (p *parser) selectBlock(into bool) *ast.Select {
	s := &ast.Select{Pos: p.cur().pos, Hint: p.hint("FULL", "INDEX")}
	p.want("SELECT", 928)
	switch {
	case p.acceptWord("DISTINCT"), p.acceptWord("UNIQUE"):
		s.Distinct = true
	case p.acceptWord("ALL"):
	}
	s.Items = append(s.Items, p.selectItem())
	for p.acceptSym(",") {
		s.Items = append(s.Items, p.selectItem())
	}
	if p.is("INTO") || p.is("BULK") && p.wordAhead(1) == "COLLECT" {
		if !into {
			p.fail(905)
		}
		s.Into = p.into()
	}
	p.want("FROM", 923)
	s.From = append(s.From, p.joined())
	for p.acceptSym(",") {
		s.From = append(s.From, p.joined())
	}
	if p.acceptWord("WHERE") {
		s.Where = p.condition()
	}
	p.hierarchy(s)
	if p.acceptWord("GROUP") {
		p.want("BY", 924)
		s.GroupBy = p.exprs()
	}
	if p.acceptWord("HAVING") {
		s.Having = p.condition()
	}
	return s
}

// hint returns the text of the hint behind the verb that comes next, of which all names must be known.
func (p *parser) hint(known ...string) string {
	depth := 0
	names := strings.Map(func(r rune) rune { // without parameters
		switch r {
		case '(':
			depth++
			return ' '
		case ')':
			depth--
			return ' '
		}
		if depth > 0 {
			return -1
		}
		return r
	}, strings.ToUpper(p.hints[p.i]))
	for _, name := range strings.Fields(names) {
		if !slices.Contains(known, name) {
			p.refuse("the hint %s", name)
		}
	}
	return p.hints[p.i]
}

// hierarchy takes START WITH and CONNECT BY, in either order.
func (p *parser) hierarchy(s *ast.Select) {
	for {
		switch {
		case s.StartWith == nil && p.acceptWord("START"):
			p.want("WITH", 905)
			s.StartWith = p.condition()
		case s.ConnectBy == nil && p.acceptWord("CONNECT"):
			p.want("BY", 924)
			s.NoCycle = p.acceptWord("NOCYCLE")
			s.ConnectBy = p.condition()
		default:
			if s.StartWith != nil && s.ConnectBy == nil {
				p.fail(905, "CONNECT")
			}
			return
		}
	}
}

func (p *parser) selectItem() ast.SelectItem {
	t := p.cur()
	item := ast.SelectItem{Pos: t.pos}
	if star := p.star(); star != nil {
		item.Value, item.Text = star, p.text(t.pos.Offset)
		return item
	}
	item.Value = p.expr()
	item.Text = p.text(t.pos.Offset)
	if p.acceptWord("AS") {
		n := p.name(923)
		item.Alias = &n
	} else {
		item.Alias = p.itemAlias()
	}
	return item
}

// star takes * or t.* if it comes next.
func (p *parser) star() ast.Expr {
	at := p.cur().pos
	if p.acceptSym("*") {
		return &ast.Star{Pos: at}
	}
	n := 0
	for k := p.ahead(n).kind; (k == tWord || k == tQuoted) && p.symAhead(n+1, "."); k = p.ahead(n).kind {
		n += 2
	}
	if n == 0 || !p.symAhead(n, "*") {
		return nil
	}
	s := &ast.Star{Pos: at, Of: &ast.Ref{Pos: at, Parts: []ast.Name{p.name(936)}}}
	for p.i++; !p.isSym("*"); p.i++ {
		s.Of.Parts = append(s.Of.Parts, p.field())
	}
	p.i++
	return s
}

// itemAlias takes the alias of a value, which no clause but INTO follows.
func (p *parser) itemAlias() *ast.Name {
	if !p.isName() || p.is("BULK") && p.wordAhead(1) == "COLLECT" {
		return nil
	}
	n := p.take()
	return &n
}

// alias takes the alias of a table, if one comes next.
func (p *parser) alias() *ast.Name {
	if !p.isName() || p.cur().kind == tWord && notAlias(p.word(), p.wordAhead(1)) {
		return nil
	}
	n := p.take()
	return &n
}

// joined takes a table with the joins that follow it.
func (p *parser) joined() ast.TableRef { return p.joinedFrom(p.tableRef()) }

func (p *parser) joinedFrom(left ast.TableRef) ast.TableRef {
	for {
		j := &ast.Join{Pos: left.Position(), Left: left}
		switch {
		case p.acceptWord("CROSS", "JOIN"):
			j.Kind = ast.CrossJoin
		case p.acceptWord("JOIN"), p.acceptWord("INNER", "JOIN"):
			j.Kind = ast.InnerJoin
		case p.is("LEFT"), p.is("RIGHT"), p.is("FULL"):
			j.Kind = ast.JoinKind(p.word())
			p.i++
			p.acceptWord("OUTER")
			p.want("JOIN", 905)
		default:
			return left
		}
		j.Right = p.tableRef()
		if j.Kind != ast.CrossJoin {
			switch {
			case p.acceptWord("ON"):
				j.On = p.condition()
			case j.Kind != ast.FullJoin && p.acceptWord("USING"):
				j.Using = p.nameList(904)
			default:
				p.fail(905, "ON", "USING")
			}
		}
		left = j
	}
}

func (p *parser) tableRef() ast.TableRef {
	p.enter()
	defer p.leave()
	at := p.cur().pos
	lateral := p.is("LATERAL") && p.symAhead(1, "(")
	if lateral {
		p.i++
	}
	switch {
	case p.isSym("("):
		return p.tableInParens(at, lateral)
	case p.is("TABLE"):
		p.i++
		p.fail(906)
	}
	t := &ast.Table{Pos: at, Name: p.ref(903)}
	t.Alias = p.alias()
	return t
}

// tableInParens takes (query) alias, or a join in parentheses.
func (p *parser) tableInParens(at ast.Pos, lateral bool) ast.TableRef {
	p.i++
	var q *ast.Query
	switch {
	case lateral, p.is("SELECT"), p.is("WITH"):
		q = p.query(inline)
	case p.isQuery(): // ((query) UNION (query)), or ((query) a JOIN b)
		inner := p.cur().pos
		t := p.tableRef()
		d, ok := t.(*ast.DerivedTable)
		if !ok || d.Alias != nil || !p.isSetOperator() && !p.isSym(")") {
			t = p.joinedFrom(t)
			p.sym(")")
			return t
		}
		q = p.queryFrom(&ast.Query{Pos: inner}, d.Query, inline)
	default:
		t := p.joined()
		p.sym(")")
		return t
	}
	p.sym(")")
	return &ast.DerivedTable{Pos: at, Lateral: lateral, Query: q, Alias: p.alias()}
}

// orderBy takes ORDER [SIBLINGS] BY and its keys.
func (p *parser) orderBy() []ast.OrderItem {
	p.want("ORDER", 905)
	p.want("BY", 924)
	list := []ast.OrderItem{p.orderItem()}
	for p.acceptSym(",") {
		list = append(list, p.orderItem())
	}
	return list
}

func (p *parser) orderItem() ast.OrderItem {
	o := ast.OrderItem{Pos: p.cur().pos, Value: p.expr()}
	o.Desc = p.acceptWord("DESC")
	if !o.Desc {
		p.acceptWord("ASC")
	}
	switch {
	case p.acceptWord("NULLS", "FIRST"):
		o.Nulls = ast.NullsFirst
	case p.acceptWord("NULLS", "LAST"):
		o.Nulls = ast.NullsLast
	}
	return o
}

func (p *parser) rowWord() {
	if !p.acceptWord("ROWS") {
		p.want("ROW", 905)
	}
}

func (p *parser) fetchFirst() *ast.Fetch {
	f := &ast.Fetch{Pos: p.cur().pos}
	p.i++
	if !p.acceptWord("FIRST") {
		p.want("NEXT", 905)
	}
	if !p.is("ROW") && !p.is("ROWS") {
		f.Count = p.expr()
	}
	p.rowWord()
	if p.acceptWord("WITH") {
		p.want("TIES", 905)
		f.WithTies = true
		return f
	}
	p.want("ONLY", 905)
	return f
}

func (p *parser) rowLock() *ast.RowLock {
	l := &ast.RowLock{Pos: p.cur().pos}
	p.i++
	p.want("UPDATE", 905)
	if p.acceptWord("OF") {
		l.Of = p.columnRefs(904)
	}
	l.Wait, l.Time = p.lockWait()
	return l
}

// lockWait takes NOWAIT, WAIT n or SKIP LOCKED.
func (p *parser) lockWait() (ast.LockWait, ast.Expr) {
	switch {
	case p.acceptWord("NOWAIT"):
		return ast.Nowait, nil
	case p.acceptWord("WAIT"):
		if p.cur().kind == tBind || p.unit && p.isName() {
			return ast.WaitFor, p.expr()
		}
		return ast.WaitFor, p.number()
	case p.acceptWord("SKIP"):
		p.want("LOCKED", 905)
		return ast.SkipLocked, nil
	}
	return "", nil
}

func (p *parser) columnRefs(ora int32) []*ast.Ref {
	list := []*ast.Ref{p.ref(ora)}
	for p.acceptSym(",") {
		list = append(list, p.ref(ora))
	}
	return list
}

// into takes [BULK COLLECT] INTO targets.
func (p *parser) into() *ast.Into {
	in := &ast.Into{Pos: p.cur().pos}
	if p.acceptWord("BULK") {
		p.want("COLLECT", 905)
		in.Bulk = true
	}
	p.want("INTO", 925)
	in.Targets = []ast.Expr{p.target()}
	for p.acceptSym(",") {
		in.Targets = append(in.Targets, p.target())
	}
	return in
}

// target takes a variable or an element of one, or a bind. It is PL/SQL, whatever surrounds it.
func (p *parser) target() ast.Expr {
	if p.cur().kind == tBind {
		return p.bind()
	}
	if !p.unit {
		p.fail(925)
	}
	defer p.asPLSQL()()
	if !p.isName() {
		p.fail(936, identifier, "<a bind variable>")
	}
	return p.path()
}
