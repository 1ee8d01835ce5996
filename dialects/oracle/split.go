package oracle

import (
	"regexp"
	"strings"
)

// statement is one piece of a script, as the driver expects it.
type statement struct {
	line int    // where it begins in the script, from 1
	text string // without terminator, and without comments before its first word
	unit unit   // what it creates, if that can fail to compile
}

// split splits a script at lines that contain only a slash, as SQL*Plus does. It does
// not split at semicolons: in PL/SQL they are part of the text, and a statement that
// shares a file with others is followed by a slash.
func split(script string) []statement {
	var all []statement
	var lines []string
	begin := 1
	flush := func(next int) {
		if s, ok := newStatement(lines, begin); ok {
			all = append(all, s)
		}
		lines, begin = nil, next
	}
	number := 0
	for line := range strings.Lines(strings.ReplaceAll(script, "\r\n", "\n")) {
		number++
		if strings.TrimSpace(line) == "/" {
			flush(number + 1)
		} else {
			lines = append(lines, line)
		}
	}
	flush(number + 1)
	return all
}

var (
	leading = regexp.MustCompile(`^(?:[\s\v\x{85}\p{Z}]+|--[^\n]*(?:\n|$)|(?s:/\*.*?\*/))+`)
	// ofPLSQL matches statements whose last semicolon belongs to them.
	ofPLSQL = regexp.MustCompile(`(?i)^(?:begin|declare|<<|create\s+(?:or\s+replace\s+)?(?:(?:non)?editionable\s+)?(?:package|procedure|function|trigger|type|library|java)\b)`)
	// ofUnit finds type and name of what can fail to compile.
	ofUnit = regexp.MustCompile(`(?i)^create\s+(?:or\s+replace\s+)?(?:(?:no\s+)?force\s+)?(?:(?:non)?editionable\s+)?(package\s+body|package|procedure|function|trigger|type\s+body|type|view)\s+(?:if\s+not\s+exists\s+)?(?:(?:"[^"]+"|[\w$#]+)\.)?("[^"]+"|[\w$#]+)`)
)

// newStatement builds a statement from the lines between two slashes. Comments before the first
// word are dropped: the driver recognizes the statement by that word, and an apostrophe in a comment
// above it misleads the driver.
func newStatement(lines []string, begin int) (statement, bool) {
	text := strings.Join(lines, "")
	skipped := leading.FindString(text)
	begin += strings.Count(skipped, "\n")
	text = strings.TrimSpace(text[len(skipped):])
	if !ofPLSQL.MatchString(text) {
		text = strings.TrimSpace(strings.TrimSuffix(text, ";"))
	}
	s := statement{line: begin, text: text}
	if m := ofUnit.FindStringSubmatch(text); m != nil {
		s.unit = unit{strings.ToUpper(strings.Join(strings.Fields(m[1]), " ")), strings.ToUpper(m[2])}
		if name, ok := strings.CutPrefix(m[2], `"`); ok {
			s.unit.name = strings.TrimSuffix(name, `"`)
		}
	}
	return s, text != ""
}
