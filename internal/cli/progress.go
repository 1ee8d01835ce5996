package cli

import (
	"fmt"
	"strings"
)

// Step shows one line of progress, in place, when a person watches.
func (s *Session) Step(line string) {
	if s.progressing() {
		fmt.Fprintf(s.app.Err, "\r\033[K%s", clip(line, 100))
	}
}

// EndSteps removes the line of progress.
func (s *Session) EndSteps() {
	if s.progressing() {
		fmt.Fprint(s.app.Err, "\r\033[K")
	}
}

func (s *Session) progressing() bool {
	return !s.app.globals.quiet && s.app.Terminal(s.app.Err)
}

// Bar draws done of total in width cells.
func Bar(done, total, width int) string {
	if total <= 0 || width <= 0 {
		return ""
	}
	n := min(max(done, 0), total) * width / total
	return "[" + strings.Repeat("#", n) + strings.Repeat(".", width-n) + "]"
}
