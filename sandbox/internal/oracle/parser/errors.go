package parser

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Error is a syntax error, or the refusal of what the sandbox does not model. Pos is where the engine points to:
// in a stored unit it counts from the unit's first word.
type Error struct {
	ast.Pos
	Number  int32  // after ORA- or PLS-; sqlerr.NotSupportedNumber for a refusal
	PLS     bool   // Number is a PLS number
	Compile bool   // found in PL/SQL: a block fails with ORA-06550, a stored unit becomes invalid
	Text    string // without prefix
}

// Refused tells whether the text may be right, but is not modelled.
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

// Unwrap is the error as the engine raises it when the statement is all that fails.
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

const refusedPrefix = "sandbox: not supported: "

// failure carries an *Error up to Statement.
type failure struct{ err *Error }

func (p *parser) raise(at ast.Pos, e Error) {
	e.Pos = at
	e.Compile = p.unit && !e.Refused()
	panic(failure{&e})
}

// refuse ends parsing: the text may be right, but nobody would do what it says.
func (p *parser) refuse(format string, args ...any) {
	p.lexical()
	p.raise(p.cur().pos, Error{Number: sqlerr.NotSupportedNumber, Text: refusedPrefix + fmt.Sprintf(format, args...)})
}

// lexical fails if the current token is none.
func (p *parser) lexical() {
	t := p.cur()
	switch {
	case t.kind != tBad:
	case t.ora == 911 && p.unit && t.text == "$":
		p.raise(t.pos, Error{Number: sqlerr.NotSupportedNumber, Text: refusedPrefix + "conditional compilation"})
	case t.ora == 911 && p.unit && !p.sql:
		p.raise(t.pos, Error{Number: 103, PLS: true, Text: fmt.Sprintf("Encountered the symbol \"%s\"", t.text)})
	case t.ora == 972 && p.unit && !p.sql:
		p.raise(t.pos, Error{Number: 114, PLS: true, Text: fmt.Sprintf("identifier '%s' too long", strings.ToUpper(t.text))})
	default:
		p.raise(t.pos, Error{Number: t.ora, Text: oraText(t.ora)})
	}
}

// fail reports that the current token is not what should stand here: with its number in SQL, by PLS-00103 in PL/SQL.
func (p *parser) fail(ora int32, want ...string) {
	p.lexical()
	t := p.cur()
	if !p.unit || p.sql {
		text := oraText(ora)
		if ora == 2000 {
			text = fmt.Sprintf(text, strings.Join(want, " or "))
		}
		p.raise(t.pos, Error{Number: ora, Text: text})
	}
	at, symbol := t.pos, t.text
	if t.kind == tEOF { // PL/SQL points at the last sign of the text
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
	p.raise(at, Error{Number: 103, PLS: true, Text: text})
}

// oraText is the text of a message (Database Error Messages).
func oraText(number int32) string {
	switch number {
	case 900:
		return "invalid SQL statement"
	case 901:
		return "invalid CREATE command"
	case 902:
		return "invalid datatype"
	case 903:
		return "invalid table name"
	case 904:
		return ": invalid identifier"
	case 905:
		return "missing keyword"
	case 906:
		return "missing left parenthesis"
	case 907:
		return "missing right parenthesis"
	case 908:
		return "missing NULL keyword"
	case 911:
		return "invalid character"
	case 917:
		return "missing comma"
	case 920:
		return "invalid relational operator"
	case 922:
		return "missing or invalid option"
	case 923:
		return "FROM keyword not found where expected"
	case 924:
		return "missing BY keyword"
	case 925:
		return "missing INTO keyword"
	case 926:
		return "missing VALUES keyword"
	case 927:
		return "missing equal sign"
	case 928:
		return "missing SELECT keyword"
	case 931:
		return "missing identifier"
	case 933:
		return "SQL command not properly ended"
	case 936:
		return "missing expression"
	case 940:
		return "invalid ALTER command"
	case 946:
		return "missing TO keyword"
	case 950:
		return "invalid DROP option"
	case 953:
		return "missing or invalid index name"
	case 968:
		return "missing INDEX keyword"
	case 969:
		return "missing ON keyword"
	case 971:
		return "missing SET keyword"
	case 972:
		return "identifier is too long"
	case 987:
		return "missing or invalid username(s)"
	case 988:
		return "missing or invalid password(s)"
	case 990:
		return "missing or invalid privilege"
	case 1027:
		return "bind variables not allowed for data definition operations"
	case 1735:
		return "invalid ALTER TABLE option"
	case 1740:
		return "missing double quote in identifier"
	case 1741:
		return "illegal zero-length identifier"
	case 1742:
		return "comment not terminated properly"
	case 1745:
		return "invalid host/bind variable name"
	case 1747:
		return "invalid user.table.column, table.column, or column specification"
	case 1756:
		return "quoted string not properly terminated"
	case 1773:
		return "may not specify column datatypes in this CREATE TABLE"
	case 1780:
		return "string literal required"
	case 2000:
		return "missing %s keyword"
	case 2012:
		return "missing USING keyword"
	case 2017:
		return "integer value required"
	case 2248:
		return "invalid option for ALTER SESSION"
	case 2250:
		return "missing or invalid constraint name"
	case 2263:
		return "need to specify the datatype for this column"
	case 3290:
		return "Invalid truncate command - missing CLUSTER or TABLE keyword"
	case 4050:
		return "invalid or missing procedure, function, or package name"
	case 6576:
		return "not a valid function or procedure name"
	case 30089:
		return "missing or invalid <datetime field>"
	case 40454:
		return "path expression not a literal"
	}
	return "syntax error"
}
