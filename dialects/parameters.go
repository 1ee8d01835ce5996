package dialects

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Parameters are what an engine binds to a task: the rules of function ReadParameters, on Oracle of package body values, as far
// as they can be checked without a server. The server refuses the rest, such as a decimal out of range.
type Parameters struct {
	Name  *regexp.Regexp
	Rule  string   // for names
	Types []string // as people write them
	// Want says what a JSON value of a type must look like; empty if it does. It is not asked about null.
	Want func(typ, value string) string
}

// decimals is decimal(p,s) as the server sees it.
var decimals = regexp.MustCompile(`^decimal\(([0-9]+),([0-9]+)\)$`)

// Knows reports whether a type, in lower case and without blanks, can be bound.
func (p Parameters) Knows(typ string) bool {
	if m := decimals.FindStringSubmatch(typ); m != nil && slices.Contains(p.Types, "decimal(p,s)") {
		digits, err := strconv.Atoi(m[1])
		scale, wrong := strconv.Atoi(m[2])
		return err == nil && wrong == nil && digits >= 1 && digits <= 38 && scale <= digits
	}
	return typ != "decimal(p,s)" && slices.ContainsFunc(p.Types, func(t string) bool { return strings.ReplaceAll(t, " ", "") == typ })
}

// WantNumber says that a JSON value must be a number; empty if it is.
func WantNumber(value string) string {
	if strings.IndexByte(`"tfn`, value[0]) >= 0 {
		return "a number"
	}
	return ""
}

// WantText says that a JSON value must be a text; empty if it is.
func WantText(value string) string {
	if value[0] != '"' {
		return "a text: write it in quotes"
	}
	return ""
}
