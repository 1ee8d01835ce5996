// Package parser reads Oracle SQL and PL/SQL, as far as the sandbox's Oracle engine models it, into the tree of
// package ast: a lexer and recursive descent that looks a few tokens ahead and never goes back. Invalid text fails
// with the number that the engine gives it, valid text that is not modeled is refused.
//
// Sources: SQL Language Reference and PL/SQL Language Reference, 19c.
package parser

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// maxDepth is how deep expressions, queries and blocks may nest; it keeps hostile texts from exhausting the stack.
const maxDepth = 400

type parser struct {
	src   string
	toks  []token
	hints map[int]string
	i     int
	base  int // the token that positions count from
	depth int
	unit  bool // inside PL/SQL: errors are compile errors
	sql   bool // the rules of SQL apply, also to static SQL in PL/SQL
	cond  bool // in SQL: a condition is allowed here, not only a value
	binds bindRule
	fires bool // the block is a trigger's

	pending ast.Expr // an operand that was read before it was known to begin an expression
}

type bindRule uint8

const (
	bindsAllowed bindRule = iota
	bindsNoDDL            // ORA-01027
	bindsNoUnit           // PLS-00049
)

// Statement parses one SQL statement, or one anonymous block or stored unit, as a driver sends it: without a
// terminator after SQL, with one after PL/SQL. Errors are *Error. A stored unit with an error in its text is returned along with
// the error, with only its name and source: the engine creates an invalid object from it.
func Statement(text string) (ast.Statement, error) {
	l := lex(text)
	p := &parser{src: text, toks: l.toks, hints: l.hints, sql: true}
	var unit *ast.CreateUnit
	var s ast.Statement
	err := p.guard(func() { s = p.top(&unit) })
	if err = p.judge(err); err != nil {
		if unit != nil && err.Compile {
			return unit, err
		}
		return nil, err
	}
	return s, nil
}

// judge compares the parser's result with the grammar: a wrong text is not a refusal, and a right one is not an error. PL/SQL rules that
// are not syntax apply when the whole text is right.
func (p *parser) judge(err *Error) *Error {
	mistaken := err != nil && err.syntax
	if err != nil && !mistaken && !err.Refused() && (!err.PLS || p.cur().kind == tBad) || err != nil && err.deep {
		return err
	}
	at := p.i
	switch right, known, ora := p.matched(); {
	case !known || right && !mistaken || !right && mistaken && p.i <= at+1: // the grammar gets past what the parser does not know
		return err
	case right:
		t := p.toks[at]
		around := p.src[p.toks[max(p.base, at-2)].pos.Offset:p.toks[min(at+2, len(p.toks)-1)].end]
		text := fmt.Sprintf("%s%s in %q", refusedPrefix, cmp.Or(p.src[t.pos.Offset:t.end], "the end"), strings.Join(strings.Fields(around), " "))
		return &Error{Pos: t.pos, Number: sqlerr.NotSupportedNumber, Text: text}
	default:
		return p.guard(func() { p.fail(ora) })
	}
}

// Binds returns the bind variables in their order in the text, each as often as it occurs: a
// SQL statement takes a value for each, a block one for each name.
func Binds(text string) []ast.Bind {
	var binds []ast.Bind
	for _, t := range lex(text).toks {
		if t.kind == tBind {
			binds = append(binds, ast.Bind{Pos: t.pos, Name: t.text})
		}
	}
	return binds
}

// guard runs f and returns the error that ended it.
func (p *parser) guard(f func()) (err *Error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = r.err
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

func (p *parser) top(unit **ast.CreateUnit) ast.Statement {
	if p.is("BEGIN") || p.is("DECLARE") || p.isSym("<<") {
		p.unit, p.sql = true, false
		s := p.block()
		p.sym(";")
		p.end(0)
		return s
	}
	at := p.cur().pos
	switch {
	case p.isSym("("), p.is("SELECT"), p.is("WITH"):
		q := p.query(locking)
		p.end(933)
		return q
	case p.is("CREATE"):
		return p.create(unit)
	case p.acceptWord("ALTER"):
		return p.alter(at)
	case p.acceptWord("DROP"):
		return p.drop(at)
	case p.acceptWord("CALL"):
		c := &ast.CallStatement{Pos: at}
		if !p.isName() {
			p.fail(6576)
		}
		c.Call = p.path()
		if _, ok := c.Call.(*ast.Call); !ok { // parentheses are not optional
			p.fail(6576)
		}
		if p.acceptWord("INTO") {
			b := p.cur()
			if b.kind != tBind {
				p.fail(936)
			}
			p.i++
			c.Into = &ast.Bind{Pos: b.pos, Name: b.text}
		}
		p.end(933)
		return c
	}
	s := p.dml()
	if s == nil {
		s = p.otherSQL()
	}
	if s == nil {
		p.fail(900)
	}
	p.end(933)
	return s
}

// end fails unless the text ends here.
func (p *parser) end(ora int32) {
	switch {
	case p.cur().kind == tEOF:
	case !p.unit && p.isSym(";"): // a client's own terminator is not part of SQL: "ORA-00911: invalid character" up to 19c
		p.fail(911)
	default:
		p.fail(ora)
	}
}

// enter counts a level of nesting; the caller defers leave.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		text := fmt.Sprintf("%smore than %d levels of nesting", refusedPrefix, maxDepth)
		p.raise(p.cur().pos, Error{Number: sqlerr.NotSupportedNumber, Text: text, deep: true})
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) cur() *token { return &p.toks[p.i] }

// ahead returns the token n after the current one.
func (p *parser) ahead(n int) *token { return &p.toks[min(p.i+n, len(p.toks)-1)] }

// word returns the current word, "" if it is not an unquoted word.
func (p *parser) word() string { return wordOf(p.cur()) }

func (p *parser) wordAhead(n int) string { return wordOf(p.ahead(n)) }

func wordOf(t *token) string {
	if t.kind == tWord {
		return t.text
	}
	return ""
}

func (p *parser) is(word string) bool {
	t := p.cur()
	return t.kind == tWord && t.text == word
}

func (p *parser) isSym(s string) bool { return p.symAhead(0, s) }

func (p *parser) symAhead(n int, s string) bool {
	t := p.ahead(n)
	return t.kind == tSymbol && t.text == s
}

// acceptWord takes words if they come next in this order.
func (p *parser) acceptWord(words ...string) bool {
	for n, w := range words {
		if p.wordAhead(n) != w {
			return false
		}
	}
	p.i += len(words)
	return true
}

func (p *parser) acceptSym(s string) bool {
	if !p.isSym(s) {
		return false
	}
	p.i++
	return true
}

// want takes a word, or fails with SQL's number for its absence.
func (p *parser) want(word string, ora int32) {
	if !p.acceptWord(word) {
		p.fail(ora, word)
	}
}

// sym takes a symbol or fails.
func (p *parser) sym(s string) {
	if p.acceptSym(s) {
		return
	}
	switch s {
	case "(":
		p.fail(906, s)
	case ")":
		p.fail(907, s)
	case ",":
		p.fail(917, s)
	case "=":
		p.fail(927, s)
	}
	p.fail(933, s)
}

const identifier = "<an identifier> <a double-quoted delimited-identifier>"

// isName reports whether a name can begin here.
func (p *parser) isName() bool {
	t := p.cur()
	if t.kind == tQuoted {
		return true
	}
	if t.kind != tWord {
		return false
	}
	if p.sql {
		return !sqlReserved(t.text)
	}
	return !plsqlReserved(t.text)
}

// name takes one identifier; ora is SQL's error if there is none.
func (p *parser) name(ora int32) ast.Name {
	if !p.isName() {
		p.fail(ora, identifier)
	}
	return p.take()
}

// take makes a name from the current word, whatever it is.
func (p *parser) take() ast.Name {
	t := p.cur()
	p.i++
	return ast.Name{Pos: t.pos, Text: t.text, Quoted: t.kind == tQuoted}
}

// ref takes a dotted name.
func (p *parser) ref(ora int32) *ast.Ref {
	r := &ast.Ref{Pos: p.cur().pos, Parts: []ast.Name{p.name(ora)}}
	for p.isSym(".") {
		p.i++
		r.Parts = append(r.Parts, p.field())
	}
	return r
}

// field takes the name after a dot.
func (p *parser) field() ast.Name {
	if p.is("TYPE") || p.is("ROWID") { // a column of many dictionary views; t.ROWID
		return p.take()
	}
	return p.name(1747)
}

func (p *parser) names(ora int32) []ast.Name {
	list := []ast.Name{p.name(ora)}
	for p.acceptSym(",") {
		list = append(list, p.name(ora))
	}
	return list
}

// nameList takes names in parentheses.
func (p *parser) nameList(ora int32) []ast.Name {
	p.sym("(")
	list := p.names(ora)
	p.sym(")")
	return list
}

// text returns the source from an offset to the end of the last token taken.
func (p *parser) text(from int) string { return p.src[from:max(from, p.toks[p.i-1].end)] }

// rebase makes positions count from the current token.
func (p *parser) rebase() {
	base := p.cur().pos
	p.base = p.i
	for i := p.i; i < len(p.toks); i++ {
		t := &p.toks[i]
		if t.pos.Line == base.Line {
			t.pos.Column -= base.Column - 1
		}
		t.pos.Line -= base.Line - 1
		t.pos.Offset -= base.Offset
		t.end -= base.Offset
	}
	p.src = p.src[base.Offset:]
}
