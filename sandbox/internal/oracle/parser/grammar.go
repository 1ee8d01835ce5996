package parser

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/dbsched/dbsched/sandbox/internal/syntax"
)

// The parser refuses before it has seen the whole text, and does not know everything that Oracle accepts. So each text is also matched with
// a grammar of the whole language: what the grammar rejects is wrong, and what only the parser rejects is not modeled.

//go:embed grammar.txt
var grammarText string

// kinds of tokens as the grammar knows them, besides words and symbols.
var kinds = map[kind]uint8{
	tWord: syntax.Word, tSymbol: syntax.Symbol, tQuoted: syntax.Own, tNumber: syntax.Own + 1, tString: syntax.Own + 2, tNational: syntax.Own + 2,
	tBind: syntax.Own + 3, tInquiry: syntax.Own + 4, tBad: syntax.Own + 5,
}

// grammarOf compiles the text for SQL, or for PL/SQL, whose SQL statements have more reserved words.
func grammarOf(plsql bool) *syntax.Grammar {
	is := func(k kind) func(syntax.Token) bool {
		return func(t syntax.Token) bool { return t.Kind == kinds[k] }
	}
	name := func(reserved func(string) bool) func(syntax.Token) bool {
		return func(t syntax.Token) bool {
			return t.Kind == kinds[tQuoted] || t.Kind == syntax.Word && !reserved(t.Text)
		}
	}
	return syntax.Compile(grammarText, syntax.Language{
		Facts: map[string]bool{"plsql": plsql},
		Classes: map[string]func(syntax.Token) bool{
			"id":      name(func(word string) bool { return sqlReserved(word) || plsql && plsqlReserved(word) && word != "TYPE" }),
			"column":  name(sqlReserved),
			"pid":     name(plsqlReserved),
			"quoted":  is(tQuoted),
			"word":    is(tWord),
			"num":     is(tNumber),
			"str":     is(tString),
			"bind":    is(tBind),
			"inquiry": is(tInquiry),
			"colon":   func(t syntax.Token) bool { return t.Kind == kinds[tBad] && t.Text == ":" },
			"not":     func(t syntax.Token) bool { return t.Kind == kinds[tBad] && strings.Contains("!^~", t.Text) },
		},
	})
}

var grammars = map[bool]func() *syntax.Grammar{
	false: sync.OnceValue(func() *syntax.Grammar { return grammarOf(false) }),
	true:  sync.OnceValue(func() *syntax.Grammar { return grammarOf(true) }),
}

// matched reports whether the text is right; if not, the parser is at the first token that does not fit, and its error number is returned.
// known is false if the grammar cannot judge the text.
func (p *parser) matched() (right, known bool, ora int32) {
	tokens := make([]syntax.Token, len(p.toks)-1) // without the end
	for i, t := range p.toks[:len(tokens)] {
		tokens[i] = syntax.Token{Kind: kinds[t.kind], Text: t.text}
		if t.kind == tBad && t.text == "$" { // conditional compilation, which comes first
			return false, false, 0
		}
	}
	unit := isUnit(tokens)
	rule := "sql"
	if unit {
		rule = "unit"
	}
	found := grammars[unit]().Match(rule, tokens)
	if !found.Matched {
		p.i, p.unit, p.sql = found.At, unit, !unit
	}
	return found.Matched, !found.Deep, missing(found.Wanted)
}

// isUnit reports whether the text is PL/SQL: a block or a stored unit.
func isUnit(tokens []syntax.Token) bool {
	for _, t := range tokens {
		if t.Kind == syntax.Symbol {
			return t.Text == "<<"
		}
		switch t.Text {
		case "BEGIN", "DECLARE", "PROCEDURE", "FUNCTION", "PACKAGE", "TRIGGER", "TYPE":
			return true
		case "CREATE", "OR", "REPLACE", "EDITIONABLE", "NONEDITIONABLE":
			continue
		}
		return false
	}
	return false
}

// missing has SQL's errors where one of these could come.
func missing(wanted []string) int32 {
	switch has := func(want string) bool { return slices.Contains(wanted, want) }; {
	case has("num"):
		return 936
	case has("SELECT"):
		return 928
	case has("FROM"):
		return 923
	case has(")"):
		return 907
	case has("eof"):
		return 933
	}
	return 905
}
