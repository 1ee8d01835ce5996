package audit

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"
)

// The parser skips what it does not expect in many places ("be lenient"), forgets some words that it reads and does not
// miss others that must be there. So each pair of neighbours among the tokens of a node is a fact, too, with a dot
// for the nodes between them:
//
//	CREATE PROCEDURE p AS RETURN   gives   CreateProcedureStatement ^ CREATE
//	                                       CreateProcedureStatement CREATE PROCEDURE
//	                                       CreateProcedureStatement PROCEDURE· AS
//	                                       CreateProcedureStatement AS· $
//
// A token that is a leaf's own (a name, a literal, a variable) is the user's and no fact.

// span is a node in the text.
type span struct {
	node       string
	start, end int // in UTF-16 code units
	leaf       bool
}

// leafNodes are the nodes that stand for one name or literal.
//
//nolint:gochecknoglobals // a constant table
var leafNodes = []string{
	"BinaryLiteral", "DefaultLiteral", "GlobalVariableExpression", "Identifier", "IdentifierLiteral", "IntegerLiteral",
	"MaxLiteral", "MoneyLiteral", "NullLiteral", "NumericLiteral", "RealLiteral", "StringLiteral", "VariableReference",
}

// openNode is a node around the current token.
type openNode struct {
	span
	last string // its last token, with a dot when a node came after it
	line int
}

// inner notes that a node, or a name, stands in n after its last token.
func (n *openNode) inner() { n.last = strings.TrimSuffix(n.last, "·") + "·" }

// walkTokens visits the pairs of neighbours in every node.
func walkTokens(b *ast.Batch, tokens []token, visit func(fact string, line int) bool) {
	w := tokenWalker{visit: visit}
	spans, values := collectSpans(b)
	next := 0
	for _, t := range tokens {
		w.close(t.start)
		for next < len(spans) && spans[next].start <= t.start {
			if spans[next].end > t.start {
				w.open = append(w.open, &openNode{span: spans[next], last: "^", line: t.line})
			}
			next++
		}
		if t.text != ";" {
			w.token(t, values)
		}
	}
	w.close(len(b.Statements) + 1<<30)
}

type tokenWalker struct {
	visit func(fact string, line int) bool
	open  []*openNode
	ended bool
}

// close ends the nodes that end at or before a place.
func (w *tokenWalker) close(at int) {
	w.open = slices.DeleteFunc(w.open, func(n *openNode) bool {
		if n.end > at {
			return false
		}
		w.see(n, "$", n.line)
		return true
	})
}

func (w *tokenWalker) see(n *openNode, symbol string, line int) {
	if !n.leaf && !w.ended && !w.visit(n.node+" "+n.last+" "+symbol, line) {
		w.ended = true
	}
}

func (w *tokenWalker) token(t token, values map[string]bool) {
	var in *openNode
	for _, n := range w.open {
		if n.end < t.end {
			continue
		}
		if in != nil {
			in.inner()
		}
		in = n
	}
	switch {
	case in == nil:
		in = &openNode{span: span{node: "Batch"}, last: "^"}
		w.see(in, symbolOf(t), t.line)
	case in.leaf:
	case values[nameOf(t)] || in.names(t):
		in.inner()
	default:
		w.see(in, symbolOf(t), t.line)
		in.last, in.line = symbolOf(t), t.line
	}
}

// names tells the words and quoted names of nodes that keep names without nodes of their own.
func (s span) names(t token) bool {
	if t.kind != tokenWord && t.kind != tokenQuoted {
		return false
	}
	switch s.node {
	case "LabelStatement", "GoToStatement", "SqlDataTypeReference", "UserDataTypeReference":
		return !isReserved(t.text)
	case "CreateContractStatement":
		return t.kind == tokenQuoted
	}
	return false
}

func symbolOf(t token) string {
	switch t.kind {
	case tokenString:
		return "string"
	case tokenNumber:
		return "number"
	case tokenQuoted:
		return "name"
	case tokenWord, tokenSymbol:
	}
	return strings.ToUpper(t.text)
}

// nameOf is the value that a leaf would have for a token.
func nameOf(t token) string {
	text := t.text
	switch t.kind {
	case tokenQuoted:
		text = strings.ReplaceAll(text[1:len(text)-1], text[len(text)-1:]+text[len(text)-1:], text[len(text)-1:])
	case tokenString:
		text = strings.TrimPrefix(strings.TrimPrefix(text, "N"), "n")
		text = strings.ReplaceAll(text[1:len(text)-1], "''", "'")
	case tokenWord, tokenNumber, tokenSymbol:
	}
	return text
}

// collectSpans lists the nodes of a tree in textual order, outer ones first, and the values of leaves whose place
// the parser does not tell.
func collectSpans(b *ast.Batch) ([]span, map[string]bool) {
	c := collector{values: map[string]bool{}}
	c.walk(reflect.ValueOf(b))
	slices.SortStableFunc(c.spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	return c.spans, c.values
}

type collector struct {
	spans  []span
	values map[string]bool
}

func (c *collector) walk(v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // the others are leaves
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			c.note(v)
			c.walk(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			c.walk(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "Fragment" {
				c.walk(v.Field(i))
			}
		}
	}
}

func (c *collector) note(v reflect.Value) {
	n, ok := v.Interface().(interface{ Frag() *ast.Fragment })
	if !ok || v.Kind() != reflect.Pointer {
		return
	}
	name := v.Elem().Type().Name()
	_, leaf := slices.BinarySearch(leafNodes, name)
	f := n.Frag()
	if !f.HasSpan() {
		if value := v.Elem().FieldByName("Value"); leaf && value.IsValid() && value.Kind() == reflect.String {
			c.values[value.String()] = true
		}
		return
	}
	c.spans = append(c.spans, span{node: name, start: f.StartOffset, end: f.EndOffset(), leaf: leaf})
}
