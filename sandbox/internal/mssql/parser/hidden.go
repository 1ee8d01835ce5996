package parser

import (
	"reflect"
	"strings"
	"unicode/utf16"

	"github.com/sqlc-dev/teesql/ast"
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
func unhide(v reflect.Value, tokens []token, names []int) {
	if len(names) == 0 {
		return
	}
	if id, ok := v.Interface().(*ast.Identifier); ok && id != nil && id.HasSpan() {
		for _, i := range names {
			if tokens[i].start == id.StartOffset {
				id.Value = tokens[i].text
			}
		}
		return
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			unhide(v.Elem(), tokens, names)
		}
	case reflect.Slice:
		for i := range v.Len() {
			unhide(v.Index(i), tokens, names)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "Fragment" {
				unhide(v.Field(i), tokens, names)
			}
		}
	}
}
