package parser

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Error is a syntax error, or the refusal of what the sandbox does not model. Pos is where the engine points:
// in a stored unit it counts from the unit's first word.
type Error struct {
	ast.Pos
	Number  int32  // after ORA- or PLS-; sqlerr.NotSupportedNumber for a refusal
	PLS     bool   // Number is a PLS number
	Compile bool   // found in PL/SQL: a block fails with ORA-06550, a stored unit becomes invalid
	Text    string // without prefix

	syntax bool // the token at Pos is unexpected
	deep   bool // nested too deeply: nothing after it was parsed
}

// Refused reports whether the text may be right but is not modeled.
func (e *Error) Refused() bool { return e.Number == sqlerr.NotSupportedNumber }

// Message is the line of USER_ERRORS: "PLS-00103: …", "PL/SQL: ORA-00936: …"; in SQL the error's line.
func (e *Error) Message() string {
	switch {
	case e.Refused():
		return e.Text
	case e.PLS:
		return fmt.Sprintf("PLS-%05d: %s", e.Number, e.Text)
	case e.Compile:
		return fmt.Sprintf("PL/SQL: ORA-%05d: %s", e.Number, e.Text)
	}
	return fmt.Sprintf("ORA-%05d: %s", e.Number, e.Text)
}

// Error is what a client sees.
func (e *Error) Error() string {
	switch {
	case e.Refused():
		return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text)
	case e.Compile:
		return fmt.Sprintf("ORA-06550: line %d, column %d:\n%s", e.Line, e.Column, e.Message())
	}
	return e.Message()
}

// Unwrap is the error as the engine raises it if only the statement fails.
func (e *Error) Unwrap() error {
	if e.Refused() {
		r := sqlerr.NotSupported("%s", strings.TrimPrefix(e.Text, refusedPrefix))
		r.Line = e.Line
		return r
	}
	number, text := e.Number, e.Text
	if e.Compile {
		number, text = 6550, fmt.Sprintf("line %d, column %d:\n%s", e.Line, e.Column, e.Message())
	}
	return &sqlerr.Error{Number: number, Text: text, Line: e.Line, Scope: sqlerr.Statement}
}

const refusedPrefix = "the sandbox does not model "

// failure carries an *Error up to Statement.
type failure struct{ err *Error }

func (p *parser) raise(at ast.Pos, e Error) {
	e.Pos = at
	e.Compile = p.unit && !e.Refused()
	panic(failure{&e})
}

// refuse ends parsing: the text may be right, but the engine would not do what it says.
func (p *parser) refuse(format string, args ...any) {
	p.lexical()
	p.raise(p.cur().pos, Error{Number: sqlerr.NotSupportedNumber, Text: refusedPrefix + fmt.Sprintf(format, args...)})
}

// lexical fails if the current token is invalid.
func (p *parser) lexical() {
	t := p.cur()
	switch {
	case t.kind != tBad:
	case t.ora == 911 && p.unit && t.text == "$":
		p.raise(t.pos, Error{Number: sqlerr.NotSupportedNumber, Text: refusedPrefix + "conditional compilation"})
	case t.ora == 911 && p.unit && !p.sql:
		p.raise(t.pos, Error{Number: 103, PLS: true, Text: fmt.Sprintf("Encountered the symbol \"%s\"", t.text), syntax: true})
	case t.ora == 972 && p.unit && !p.sql:
		p.raise(t.pos, Error{Number: 114, PLS: true, Text: fmt.Sprintf("identifier '%s' too long", strings.ToUpper(t.text))})
	default:
		p.raise(t.pos, Error{Number: t.ora, Text: message.ORA(t.ora).Text, syntax: t.ora == 911})
	}
}

// fail reports that the current token is unexpected: with its own number in SQL, by PLS-00103 in PL/SQL.
func (p *parser) fail(ora int32, want ...string) {
	p.lexical()
	t := p.cur()
	if !p.unit || p.sql {
		var args []any
		switch ora {
		case 904:
			args = []any{""}
		case 2000:
			args = []any{strings.Join(want, " or ")}
		}
		p.raise(t.pos, Error{Number: ora, Text: message.ORA(ora, args...).Text, syntax: true})
	}
	at, symbol := t.pos, t.text
	if t.kind == tEOF { // PL/SQL points at the last character of the text
		symbol = "end-of-file"
		if p.i > 0 {
			last := p.toks[p.i-1]
			at = last.pos
			at.Offset += last.end - last.pos.Offset - 1
			at.Column += last.end - last.pos.Offset - 1
		}
	}
	text := fmt.Sprintf("Encountered the symbol \"%s\"", symbol)
	if len(want) > 0 {
		text += " when expecting one of the following:\n\n   " + strings.ToLower(strings.Join(want, " "))
	}
	p.raise(at, Error{Number: 103, PLS: true, Text: text, syntax: true})
}
