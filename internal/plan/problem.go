package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one mistake in a plan. Line and column count from 1, columns in characters.
type Problem struct {
	Line, Column int
	Text         string
}

// Error is everything that is wrong with a plan.
type Error struct {
	File     string
	Problems []Problem // by position
}

func (e *Error) Error() string {
	things := "problems"
	if len(e.Problems) == 1 {
		things = "problem"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d %s; nothing was sent:", e.File, len(e.Problems), things)
	for _, p := range e.Problems {
		fmt.Fprintf(&b, "\n  %s:%d:%d: %s", e.File, p.Line, p.Column, p.Text)
	}
	return b.String()
}

func sortProblems(all []Problem) {
	slices.SortStableFunc(all, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
