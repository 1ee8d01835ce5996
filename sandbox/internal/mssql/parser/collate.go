package parser

import (
	"reflect"
	"strings"
	"unicode/utf16"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// The parser knows COLLATE after few expressions, so it is hidden from it and given to the nodes afterwards.

// isCollation: the grammar calls a collation in an expression a name.
func isCollation(tokens []token, i int) bool {
	return i > 0 && tokens[i-1].kind == tokenWord && strings.EqualFold(tokens[i-1].text, "COLLATE")
}

// withoutCollations blanks out COLLATE in expressions; it returns where the collations are, and the other names.
func withoutCollations(text string, tokens []token, names []int) (blank string, others, collations []int) {
	u := utf16.Encode([]rune(text))
	for _, i := range names {
		if !isCollation(tokens, i) {
			others = append(others, i)
			continue
		}
		collations = append(collations, i)
		for at := tokens[i-1].start; at < tokens[i].end; at++ {
			if u[at] != '\n' {
				u[at] = ' '
			}
		}
	}
	if len(collations) == 0 {
		return text, others, nil
	}
	return string(utf16.Decode(u)), others, collations
}

// collate gives the expressions before COLLATE their collations.
func collate(script *ast.Script, tokens []token, collations []int) error {
	for _, i := range collations {
		name := &ast.Identifier{QuoteType: "NotQuoted", Value: nameOf(tokens[i])}
		name.StartOffset, name.FragmentLength, name.StartLine = tokens[i-1].start, tokens[i].end-tokens[i-1].start, tokens[i-1].line
		if !collateAt(reflect.ValueOf(script), tokens[i-2].end, name) {
			e := sqlerr.NotSupported("COLLATE after %s", tokens[i-2].text)
			e.Line = tokens[i].line
			return e
		}
	}
	return nil
}

// collateAt sets the collation of the expression that ends at a place.
func collateAt(v reflect.Value, end int, name *ast.Identifier) bool {
	switch v.Kind() {
	case reflect.Interface:
		return collateAt(v.Elem(), end, name)
	case reflect.Pointer:
		if n, ok := v.Interface().(interface{ Frag() *ast.Fragment }); ok && !v.IsNil() && n.Frag().HasSpan() && n.Frag().EndOffset() == end {
			_, scalar := v.Interface().(ast.ScalarExpression)
			if f := v.Elem().FieldByName("Collation"); scalar && f.IsValid() && f.IsNil() {
				f.Set(reflect.ValueOf(name))
				return true
			}
		}
		return collateAt(v.Elem(), end, name)
	case reflect.Slice:
		for i := range v.Len() {
			if collateAt(v.Index(i), end, name) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "Fragment" && collateAt(v.Field(i), end, name) {
				return true
			}
		}
	}
	return false
}
