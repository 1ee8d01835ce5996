package parser

import (
	"slices"
	"strings"
	"unicode/utf16"
)

// mergeText rewrites MERGE as the parser accepts it, in the same length: hints after the alias, VALUES as a source in more parentheses.
func mergeText(text string, tokens []token) string {
	u := utf16.Encode([]rune(text))
	at := func(i int) string {
		if i >= len(tokens) {
			return ""
		}
		return strings.ToUpper(tokens[i].text)
	}
	closing := func(i int) int { // the parenthesis that closes the one at i
		for depth := 0; i < len(tokens); i++ {
			depth += map[string]int{"(": 1, ")": -1}[at(i)]
			if depth == 0 {
				break
			}
		}
		return i
	}
	merging := false
	for i := range tokens {
		switch word := at(i); {
		case word == "MERGE":
			merging = true
		case word == "WITH" && merging && at(i+1) == "(":
			end := closing(i + 1)
			alias := end + 1
			if at(alias) == "AS" {
				alias++
			}
			if at(alias+1) == "USING" && tokens[end].end < tokens[end+1].start {
				hints, gap, name := u[tokens[i].start:tokens[end].end], u[tokens[end].end:tokens[end+1].start], u[tokens[end+1].start:tokens[alias].end]
				copy(u[tokens[i].start:], slices.Concat(name, gap, hints))
			}
		case word == "USING":
			on := closing(i + 1)
			for on < len(tokens) && at(on) != "ON" {
				on++
			}
			if merging && at(i+2) == "VALUES" && on < len(tokens) && u[tokens[i].end] == ' ' && u[tokens[on].start-1] == ' ' {
				u[tokens[i].end], u[tokens[on].start-1] = '(', ')'
			}
			merging = false
		}
	}
	return string(utf16.Decode(u))
}
