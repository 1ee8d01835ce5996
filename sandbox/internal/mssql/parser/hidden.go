package parser

import (
	"strings"
	"unicode/utf16"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/syntax"
)

// hidden makes names that the parser would take for other words underscores, COLLATE in expressions blank, and operators with white space
// in them ("< >") whole. All that follows stays in its place, and on its line.
func hidden(text string, tokens []token, names []int) string {
	u := utf16.Encode([]rune(text))
	for _, i := range names {
		from, fill := tokens[i].start, uint16('_')
		if isCollation(tokens, i) {
			from, fill = tokens[i-1].start, ' '
		}
		for at := from; at < tokens[i].end; at++ {
			if u[at] != '\n' {
				u[at] = fill
			}
		}
	}
	for _, t := range tokens {
		if t.kind != tokenSymbol || t.end-t.start == len(t.text) {
			continue
		}
		lines := 0
		for at := t.start; at < t.end; at++ {
			if u[at] == '\n' {
				lines++
			}
			u[at] = ' '
		}
		copy(u[t.start:], utf16.Encode([]rune(t.text+strings.Repeat("\n", lines))))
	}
	return string(utf16.Decode(u))
}

// unhide gives the nodes their names back.
func unhide(script *ast.Script, tokens []token, names []int) {
	if len(names) == 0 {
		return
	}
	syntax.Walk(script, func(node any) bool {
		id, ok := node.(*ast.Identifier)
		if !ok || !id.HasSpan() {
			return true
		}
		for _, i := range names {
			if tokens[i].start == id.StartOffset {
				id.Value = tokens[i].text
			}
		}
		return false
	})
}
