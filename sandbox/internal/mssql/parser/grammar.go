package parser

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/sqlc-dev/teesql/parser"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/syntax"
)

// The parser loses words and accepts anything in their place, so what it and the audit accept is also matched with our own grammar.

//go:embed grammar.txt
var grammarText string

// kinds of tokens as the grammar knows them.
const (
	quotedToken = syntax.Own + iota
	stringToken
	numberToken
)

var kinds = map[tokenKind]uint8{
	tokenWord: syntax.Word, tokenSymbol: syntax.Symbol, tokenQuoted: quotedToken, tokenString: stringToken, tokenNumber: numberToken,
}

// grammar compiles the text once.
var grammar = sync.OnceValue(func() *syntax.Grammar {
	variable := func(t syntax.Token) bool { return t.Kind == syntax.Word && t.Text[0] == '@' }
	name := func(t syntax.Token) bool { // not a reserved word, a variable or $action
		return t.Kind == quotedToken && len(t.Text) > 2 || t.Kind == syntax.Word && t.Text[0] != '@' && t.Text[0] != '$' && !isReserved(t.Text)
	}
	return syntax.Compile(grammarText, syntax.Language{Name: "name", Classes: map[string]func(syntax.Token) bool{
		"id":   name,
		"doll": func(t syntax.Token) bool { return t.Kind == syntax.Word && t.Text[0] == '$' },
		"name": name,
		"var":  variable,
		"str":  func(t syntax.Token) bool { return t.Kind == stringToken },
		"num":  func(t syntax.Token) bool { return t.Kind == numberToken },
		"int":  func(t syntax.Token) bool { return t.Kind == numberToken && strings.Trim(t.Text, "0123456789") == "" },
		"word": func(t syntax.Token) bool { return t.Kind == syntax.Word && !variable(t) },
	}})
})

// optionLists are the lists of options of which an unknown one is error 155, each by an option that no other list has; DBCC has 195.
var optionLists = map[string]string{
	"COPY_ONLY": "BACKUP", "PERSIST_SAMPLE_PERCENT": "UPDATE STATISTICS", "SORT_IN_TEMPDB": "ALTER INDEX REBUILD", "LOB_COMPACTION": "ALTER INDEX REORGANIZE",
	"NO_INFOMSGS": "DBCC",
}

// matchGrammar finds the tokens that are names although the parser takes them as words, or error 102 or 156 at the token that does not fit.
func matchGrammar(tokens []token) ([]int, error) {
	plain := make([]syntax.Token, len(tokens))
	for i, t := range tokens {
		plain[i] = syntax.Token{Kind: kinds[t.kind], Text: strings.ToUpper(t.text)}
	}
	found := grammar().Match("batch", plain)
	switch {
	case found.Deep:
		return nil, sqlerr.NotSupported("a batch that nests so deeply")
	case !found.Matched:
		t := tokens[min(found.At, len(tokens)-1)]
		if found.At < len(tokens) && slices.Contains(found.Wanted, "LIKE") { // a comparison should follow
			e := message.MS(4145, t.text).Ending(sqlerr.Batch)
			e.Line = t.line
			return nil, e
		}
		for _, option := range found.Wanted {
			if kind := optionLists[option]; kind != "" && found.At < len(tokens) && t.kind == tokenWord {
				e := message.MS(155, t.text, kind)
				if kind == "DBCC" {
					e = message.MS(195, t.text, "option")
				}
				e = e.At(15, 1).Ending(sqlerr.Batch)
				e.Line = t.line
				return nil, e
			}
		}
		if found.At == len(tokens) {
			t.kind = tokenSymbol // at the end, 102 names keywords, too
		}
		return nil, near(t)
	}
	var names []int
	for _, i := range found.Names {
		if isCollation(tokens, i) || tokens[i].kind == tokenWord && parser.NewLexer(plain[i].Text).NextToken().Type != parser.TokenIdent {
			names = append(names, i)
		}
	}
	return names, nil
}
