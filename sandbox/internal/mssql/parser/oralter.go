package parser

import (
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// The parser reads RETURNS TABLE AS RETURN after CREATE FUNCTION and ALTER FUNCTION, but not after CREATE OR ALTER FUNCTION:
// it gets the text without OR ALTER, and the resulting statement is changed back.

func isCreateOrAlterFunction(tokens []token) bool {
	for i, word := range []string{"CREATE", "OR", "ALTER", "FUNCTION"} {
		if i >= len(tokens) || tokens[i].kind != tokenWord || !strings.EqualFold(tokens[i].text, word) {
			return false
		}
	}
	return true
}

// withoutOrAlter blanks the second and the third token, so that all others stay where they are.
func withoutOrAlter(text string, tokens []token) string {
	u := utf16.Encode([]rune(text))
	for _, t := range tokens[1:3] {
		for i := t.start; i < t.end; i++ {
			u[i] = ' '
		}
	}
	return string(utf16.Decode(u))
}

// plainExecuteAs blanks the N of WITH EXECUTE AS N'name', after which the parser reads no name.
func plainExecuteAs(text string, tokens []token) string {
	is := func(t token, words ...string) bool {
		return t.kind == tokenWord && slices.Contains(words, strings.ToUpper(t.text))
	}
	var u []uint16
	for i, t := range tokens {
		if i < 2 || t.kind != tokenString || t.text[0] == '\'' || !is(tokens[i-1], "AS") || !is(tokens[i-2], "EXECUTE", "EXEC") {
			continue
		}
		if u == nil {
			u = utf16.Encode([]rune(text))
		}
		u[t.start] = ' '
		tokens[i].start, tokens[i].text = t.start+1, t.text[1:]
	}
	if u == nil {
		return text
	}
	return string(utf16.Decode(u))
}

// restoreOrAlter restores the statement that the text says. A batch that does not begin with the function is left to the engine, which
// accepts CREATE FUNCTION only as the only statement of a batch.
func restoreOrAlter(script *ast.Script) error {
	for _, b := range script.Batches {
		if len(b.Statements) == 0 {
			continue
		}
		n, ok := b.Statements[0].(*ast.CreateFunctionStatement)
		if !ok {
			continue
		}
		if n.MethodSpecifier != nil || n.OrderHint != nil {
			return sqlerr.NotSupported("CLR functions")
		}
		b.Statements[0] = &ast.CreateOrAlterFunctionStatement{
			Fragment: n.Fragment, Name: n.Name, Parameters: n.Parameters, ReturnType: n.ReturnType, Options: n.Options, StatementList: n.StatementList,
		}
	}
	return nil
}
