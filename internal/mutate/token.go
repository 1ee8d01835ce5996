package main

import (
	"regexp"
	"strings"
)

// token is a token of a template: of SQL, or an action in braces, which stands for a piece of SQL.
type token struct {
	kind       tokenKind
	text       string // words in upper case
	start, end int    // in the template
}

type tokenKind uint8

const (
	word tokenKind = iota // keyword, name, variable
	name                  // quoted
	text                  // string
	number
	symbol
	action // {{…}}
)

// tokenText matches a token, or what lies between tokens, at the beginning of a text. Words are as both engines write them.
var tokenText = regexp.MustCompile(`^(?s)(?:` +
	`(?P<space>\s+|--[^\n]*|/\*.*?\*/)` +
	`|(?P<action>\{\{.*?\}\})` +
	`|(?P<text>[Nn]?'(?:[^']|'')*')` +
	`|(?P<name>"[^"]*"|\[[^\]]*\])` +
	`|(?P<number>0x[0-9A-Fa-f]+|\d+(?:\.\d+)?)` +
	`|(?P<word>[@#$]*[\pL_][\pL\d_@#$]*)` +
	`|(?P<symbol><=|>=|<>|!=|:=|=>|\|\||\.\.|\+=|-=|.))`)

var tokenKinds = map[string]tokenKind{"action": action, "text": text, "name": name, "number": number, "word": word, "symbol": symbol}

// tokens splits a template.
func tokens(template string) []token {
	var out []token
	for at := 0; at < len(template); {
		m := tokenText.FindStringSubmatchIndex(template[at:])
		for i, group := range tokenText.SubexpNames() {
			if i == 0 || m[2*i] < 0 || group == "space" {
				continue
			}
			t := token{tokenKinds[group], template[at : at+m[1]], at, at + m[1]}
			if t.kind == word {
				t.text = strings.ToUpper(t.text)
			}
			out = append(out, t)
		}
		at += m[1]
	}
	return out
}

// is reports whether a token is one of some words or symbols.
func (t token) is(texts ...string) bool {
	if t.kind != word && t.kind != symbol {
		return false
	}
	for _, s := range texts {
		if t.text == s {
			return true
		}
	}
	return false
}

// depth is by how many levels a token goes deeper into parentheses and CASE.
func (t token) depth() int {
	switch {
	case t.is("(", "CASE"):
		return 1
	case t.is(")", "END"):
		return -1
	}
	return 0
}

// control reports whether a token is an action that has no text of its own.
func (t token) control() bool {
	if t.kind != action {
		return false
	}
	f := strings.Fields(strings.Trim(t.text, "{}- "))
	if len(f) == 0 {
		return true
	}
	switch f[0] {
	case "if", "else", "end", "range", "with", "block", "define", "template":
		return true
	}
	return strings.HasPrefix(f[0], "/*") || strings.HasPrefix(f[0], "$") && len(f) > 1 // a comment, a variable
}
