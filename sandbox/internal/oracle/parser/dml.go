package parser

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// dml takes INSERT, UPDATE, DELETE and the statements of transactions, which are the same in PL/SQL; nil if
// none of them begins here.
func (p *parser) dml() ast.Statement {
	at := p.cur().pos
	w := p.word()
	switch w {
	case "INSERT", "UPDATE", "DELETE", "MERGE", "COMMIT", "ROLLBACK", "SAVEPOINT", "LOCK", "SET":
	default:
		return nil
	}
	defer p.asSQL()()
	p.hint()
	p.i++
	switch w {
	case "INSERT":
		return p.insert(at)
	case "UPDATE":
		return p.update(at)
	case "DELETE":
		return p.delete(at)
	case "MERGE":
		p.refuse("MERGE")
	case "COMMIT":
		return p.commit(at)
	case "ROLLBACK":
		return p.rollback(at)
	case "SAVEPOINT":
		return &ast.Savepoint{Pos: at, Name: p.name(931)}
	case "LOCK":
		return p.lockTable(at)
	}
	return p.setTransaction(at)
}

// dmlTable takes the table that a statement changes.
func (p *parser) dmlTable() *ast.Table {
	t := &ast.Table{Pos: p.cur().pos, Name: p.ref(903)}
	t.Alias = p.alias()
	return t
}

func (p *parser) insert(at ast.Pos) ast.Statement {
	s := &ast.Insert{Pos: at}
	p.want("INTO", 925)
	s.Table = p.dmlTable()
	if p.isSym("(") && !p.isQuery() {
		p.i++
		s.Columns = p.columnRefs(1747)
		p.sym(")")
	}
	switch {
	case p.acceptWord("VALUES"):
		if p.unit && !p.isSym("(") {
			p.target()
			p.refuse("INSERT … VALUES of a record")
		}
		s.Values = p.values()
	case p.isQuery():
		s.Query = p.query(inline)
	default:
		p.fail(926, "VALUES", "SELECT", "(")
	}
	if s.Query == nil {
		s.Returning = p.returning()
	}
	return s
}

// values takes (a, DEFAULT, …).
func (p *parser) values() []ast.Expr {
	p.sym("(")
	list := []ast.Expr{p.valueOrDefault()}
	for p.acceptSym(",") {
		list = append(list, p.valueOrDefault())
	}
	if !p.isSym(")") {
		p.fail(917)
	}
	p.i++
	return list
}

func (p *parser) valueOrDefault() ast.Expr {
	at := p.cur().pos
	if p.acceptWord("DEFAULT") {
		return &ast.Default{Pos: at}
	}
	return p.expr()
}

func (p *parser) update(at ast.Pos) ast.Statement {
	s := &ast.Update{Pos: at, Table: p.dmlTable()}
	p.want("SET", 971)
	if p.unit && p.is("ROW") && p.symAhead(1, "=") {
		p.fail(971)
	}
	s.Sets = p.assignments()
	s.Where = p.where()
	s.Returning = p.returning()
	return s
}

func (p *parser) assignments() []ast.Assignment {
	list := []ast.Assignment{p.assignment()}
	for p.acceptSym(",") {
		list = append(list, p.assignment())
	}
	return list
}

func (p *parser) assignment() ast.Assignment {
	a := ast.Assignment{Pos: p.cur().pos}
	a.Columns = []*ast.Ref{p.ref(1747)}
	p.sym("=")
	a.Value = p.valueOrDefault()
	return a
}

func (p *parser) where() ast.Expr {
	if !p.acceptWord("WHERE") {
		return nil
	}
	return p.condition()
}

func (p *parser) delete(at ast.Pos) ast.Statement {
	p.acceptWord("FROM")
	s := &ast.Delete{Pos: at, Table: p.dmlTable()}
	s.Where = p.where()
	s.Returning = p.returning()
	return s
}

func (p *parser) returning() *ast.Returning {
	r := &ast.Returning{Pos: p.cur().pos}
	if !p.acceptWord("RETURNING") && !p.acceptWord("RETURN") {
		return nil
	}
	r.Values = p.exprs()
	r.Into = p.into()
	return r
}

func (p *parser) commit(at ast.Pos) ast.Statement {
	c := &ast.Commit{Pos: at}
	p.acceptWord("WORK")
	if p.acceptWord("WRITE") {
		c.Immediate, c.Wait = p.acceptWord("IMMEDIATE"), p.acceptWord("WAIT")
		return c
	}
	if !p.unit && p.word() != "" {
		p.fail(2185)
	}
	return c
}

func (p *parser) rollback(at ast.Pos) ast.Statement {
	r := &ast.Rollback{Pos: at}
	p.acceptWord("WORK")
	if p.acceptWord("TO") {
		p.acceptWord("SAVEPOINT")
		n := p.name(931)
		r.To = &n
	} else if !p.unit && p.word() != "" {
		p.fail(2181)
	}
	return r
}

func (p *parser) lockTable(at ast.Pos) ast.Statement {
	l := &ast.LockTable{Pos: at}
	p.want("TABLE", 905)
	l.Tables = p.columnRefs(903)
	p.want("IN", 905)
	for _, mode := range [][]string{{"SHARE"}, {"ROW", "SHARE"}, {"ROW", "EXCLUSIVE"}, {"EXCLUSIVE"}} {
		if p.acceptWord(mode...) {
			l.Mode = ast.TableLock(strings.Join(mode, " "))
			break
		}
	}
	if l.Mode == "" {
		p.fail(905, "EXCLUSIVE", "SHARE", "ROW")
	}
	p.want("MODE", 905)
	if l.Wait, l.Time = p.lockWait(); l.Wait == ast.SkipLocked {
		p.fail(933)
	}
	return l
}

func (p *parser) setTransaction(at ast.Pos) ast.Statement {
	if p.acceptWord("CONSTRAINTS", "ALL", "IMMEDIATE") || p.acceptWord("CONSTRAINT", "ALL", "IMMEDIATE") {
		return &ast.SetConstraints{Pos: at}
	}
	p.want("TRANSACTION", 922)
	s := &ast.SetTransaction{Pos: at}
	switch {
	case p.acceptWord("READ", "ONLY"):
		s.Mode = ast.ReadOnly
	case p.acceptWord("READ", "WRITE"):
		s.Mode = ast.ReadWrite
	case p.acceptWord("ISOLATION", "LEVEL", "SERIALIZABLE"):
		s.Mode = ast.Serializable
	case p.acceptWord("ISOLATION", "LEVEL", "READ", "COMMITTED"):
		s.Mode = ast.ReadCommitted
	default:
		p.fail(905)
	}
	return s
}

// literal takes a text literal.
func (p *parser) literal() string {
	t := p.cur()
	if t.kind != tString {
		p.fail(1780, "<a string>")
	}
	p.i++
	return t.text
}
