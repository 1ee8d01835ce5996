package parser

import (
	"reflect"
	"strings"
	"unicode/utf16"

	"github.com/sqlc-dev/teesql/ast"
)

// hidden makes names that the parser would take for other words underscores, a timer's variable a number, and operators with white space
// in them ("< >") whole. All that follows stays in its place, and on its line.
func hidden(text string, tokens []token, names []int) string {
	u := utf16.Encode([]rune(text))
	for _, i := range names {
		for at := tokens[i].start; at < tokens[i].end; at++ {
			u[at] = '_'
		}
	}
	for i, t := range tokens {
		for at := t.start; timerVariable(tokens, i) && at < t.end; at++ {
			u[at] = '0'
		}
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

// timerVariable tells whether a token is the variable of BEGIN CONVERSATION TIMER (@handle) TIMEOUT = @variable.
func timerVariable(tokens []token, i int) bool {
	return i >= 7 && tokens[i].text[0] == '@' && tokens[i-1].text == "=" && strings.EqualFold(tokens[i-2].text, "TIMEOUT") && strings.EqualFold(tokens[i-6].text, "TIMER")
}

func hasTimer(tokens []token) bool {
	for i := range tokens {
		if timerVariable(tokens, i) {
			return true
		}
	}
	return false
}

// unhide gives the nodes their names back, and timers their variables.
func unhide(v reflect.Value, tokens []token, names []int) {
	if n, ok := v.Interface().(*ast.BeginConversationTimerStatement); ok && n != nil {
		if number, ok := n.Timeout.(*ast.IntegerLiteral); ok {
			for i := range tokens {
				if tokens[i].start == number.StartOffset && timerVariable(tokens, i) {
					n.Timeout = &ast.VariableReference{Fragment: number.Fragment, Name: tokens[i].text}
				}
			}
		}
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
