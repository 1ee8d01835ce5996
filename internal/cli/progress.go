package cli

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/dbsched/dbsched/internal/format"
)

// Step shows one line of progress, in place, when a person watches.
func (s *Session) Step(line string) {
	if width := s.progressWidth(); width > 1 {
		fmt.Fprintf(s.app.Err, "\r\033[K%s", text.Snip(format.Clean(line), width-1, "…"))
	}
}

// Watched reports whether a person sees the progress.
func (s *Session) Watched() bool { return s.progressWidth() > 1 }

// EndSteps removes the progress line.
func (s *Session) EndSteps() {
	if s.Watched() {
		fmt.Fprint(s.app.Err, "\r\033[K")
	}
}

// progressWidth returns the width available for a progress line; 0 without a terminal.
func (s *Session) progressWidth() int {
	if s.app.globals.quiet {
		return 0
	}
	return s.app.Terminal(s.app.Err)
}

// Bar draws done of total in width cells.
func Bar(done, total, width int) string {
	if total <= 0 || width <= 0 {
		return ""
	}
	n := min(max(done, 0), total) * width / total
	return "[" + strings.Repeat("#", n) + strings.Repeat(".", width-n) + "]"
}
