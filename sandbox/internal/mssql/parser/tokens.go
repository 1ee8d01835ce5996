package parser

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/audit"
	"github.com/dbsched/dbsched/sandbox/internal/syntax"
)

// In many places the parser skips what it does not expect ("be lenient"), and it drops some words that it reads. So
// each token counts as a fact, too: which node it is in. A token that is a leaf's own (a name, a literal, a
// variable) is not a fact, but the user's.

// span is a node in the text.
type span struct {
	node       string
	start, end int // in UTF-16 code units
	leaf       bool
}

// leafNodes are the nodes that stand for one name or literal.
var leafNodes = []string{
	"BinaryLiteral", "DefaultLiteral", "GlobalVariableExpression", "Identifier", "IdentifierLiteral", "IntegerLiteral",
	"MaxLiteral", "MoneyLiteral", "NullLiteral", "NumericLiteral", "RealLiteral", "StringLiteral", "VariableReference",
}

// walkTokens visits the fact of every token that is not a leaf's: the innermost node around it and its text.
func walkTokens(b *ast.Batch, tokens []token, visit func(fact string, at audit.Place) bool) {
	spans, values := collectSpans(b)
	var open []span
	next := 0
	for _, t := range tokens {
		for next < len(spans) && spans[next].start <= t.start {
			open = append(open, spans[next])
			next++
		}
		for len(open) > 0 && open[len(open)-1].end <= t.start {
			open = open[:len(open)-1]
		}
		in := span{node: "Batch"}
		for _, o := range slices.Backward(open) {
			if o.end >= t.end {
				in = o
				break
			}
		}
		if in.leaf || values[nameOf(t)] || t.text == ";" || in.names(t) {
			continue
		}
		at := audit.Place{Line: t.line, Start: in.start, End: in.end}
		if in.end == 0 {
			at.Start = t.start
		}
		if !visit(in.node+` "`+factOf(t)+`"`, at) {
			return
		}
	}
}

// names reports whether a token is a word or quoted name of a node that keeps names without nodes of their own.
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

func factOf(t token) string {
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

// collectSpans lists the nodes of a tree in textual order, outer ones first, and the values of leaves whose position
// the parser does not record.
func collectSpans(b *ast.Batch) ([]span, map[string]bool) {
	c := collector{values: map[string]bool{}}
	syntax.Walk(b, c.note)
	slices.SortStableFunc(c.spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	return c.spans, c.values
}

type collector struct {
	spans  []span
	values map[string]bool
}

func (c *collector) note(node any) bool {
	n, ok := node.(interface{ Frag() *ast.Fragment })
	if !ok {
		return true
	}
	v := reflect.ValueOf(node).Elem()
	name := v.Type().Name()
	_, leaf := slices.BinarySearch(leafNodes, name)
	if f := n.Frag(); f.HasSpan() {
		c.spans = append(c.spans, span{node: name, start: f.StartOffset, end: f.EndOffset(), leaf: leaf})
	} else if value := v.FieldByName("Value"); leaf && value.IsValid() && value.Kind() == reflect.String {
		c.values[value.String()] = true
	}
	return true
}
