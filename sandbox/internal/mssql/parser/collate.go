package parser

import (
	"reflect"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/syntax"
)

// The parser accepts COLLATE after few expressions, so COLLATE is hidden from it and added to the nodes afterwards.

// isCollation reports whether a name is a collation: in an expression, the grammar calls collations names.
func isCollation(tokens []token, i int) bool {
	return i > 0 && tokens[i-1].kind == tokenWord && strings.EqualFold(tokens[i-1].text, "COLLATE")
}

// collate gives the expressions before COLLATE their collations.
func collate(script *ast.Script, tokens []token, names []int) error {
	for _, i := range names {
		if !isCollation(tokens, i) || strings.EqualFold(tokens[1].text, "BULK") { // INSERT BULK: the client's encoding does not matter
			continue
		}
		name := &ast.Identifier{QuoteType: "NotQuoted", Value: nameOf(tokens[i])}
		name.StartOffset, name.FragmentLength, name.StartLine = tokens[i-1].start, tokens[i].end-tokens[i-1].start, tokens[i-1].line
		if !collateAt(script, tokens[i-2].end, name) {
			e := sqlerr.NotSupported("COLLATE after %s", tokens[i-2].text)
			e.Line = tokens[i].line
			return e
		}
	}
	return nil
}

// collateAt sets the collation of the expression that ends at a position.
func collateAt(script *ast.Script, end int, name *ast.Identifier) (done bool) {
	syntax.Walk(script, func(node any) bool {
		n, ok := node.(interface{ Frag() *ast.Fragment })
		if _, scalar := node.(ast.ScalarExpression); !ok || !scalar || !n.Frag().HasSpan() || n.Frag().EndOffset() != end {
			return !done
		}
		if f := reflect.ValueOf(node).Elem().FieldByName("Collation"); f.IsValid() && f.IsNil() {
			f.Set(reflect.ValueOf(name))
			done = true
		}
		return !done
	})
	return done
}
