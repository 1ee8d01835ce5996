package dialects

import (
	"fmt"
	"regexp"
	"strings"
)

// UsageError is invalid input: a flag, a DSN, a name. Nothing was sent.
type UsageError struct{ Text string }

func (e *UsageError) Error() string { return e.Text }

// Usagef returns a UsageError.
func Usagef(format string, args ...any) error {
	return &UsageError{Text: fmt.Sprintf(format, args...)}
}

// ConnectError is a server that cannot be reached, refuses the login, or closed the connection.
type ConnectError struct {
	Target string // redacted
	Hint   string // what it means and what to do next, when that is known
	Err    error
}

func (e *ConnectError) Error() string {
	text := fmt.Sprintf("cannot connect to %s: %s", e.Target, endOfFile.ReplaceAllString(Words(e.Err), "the server closed the connection"))
	if e.Hint != "" {
		text += "\n" + e.Hint
	}
	return text
}

// endOfFile is how Go calls a connection that the other side has closed.
var endOfFile = regexp.MustCompile(`\bEOF$`)

// Unwrap returns the cause.
func (e *ConnectError) Unwrap() error { return e.Err }

// ServerError is a statement that the server refused. Err is the dialect's own error,
// whose text is the one the engine's own client would show.
type ServerError struct {
	Doing string // the batch or procedure
	Hint  string // the next action, when it is known
	Err   error
}

func (e *ServerError) Error() string {
	text := fmt.Sprintf("%s: %s", e.Doing, Words(e.Err))
	if e.Hint != "" {
		text += "\n" + e.Hint
	}
	return text
}

// Unwrap returns the dialect's own error.
func (e *ServerError) Unwrap() error { return e.Err }

// Finding is one obstacle to an installation.
type Finding struct {
	Text   string // what is wrong and what it means
	Remedy string // the statement that fixes it; empty if there is none
}

// PreflightError lists every obstacle; nothing was changed.
type PreflightError struct {
	Target   string
	Findings []Finding
}

func (e *PreflightError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is not ready for dbsched; nothing was changed:", e.Target)
	for _, f := range e.Findings {
		fmt.Fprintf(&b, "\n  - %s", f.Text)
		if f.Remedy != "" {
			fmt.Fprintf(&b, "\n      %s", strings.ReplaceAll(f.Remedy, "\n", "\n      "))
		}
	}
	return b.String()
}

// PartialError is work that stopped in the middle: what was applied, what failed, what to do.
type PartialError struct {
	Applied []string // batches that were applied
	Failed  string   // the one that failed
	Left    int      // batches not tried
	Next    string   // what to run next
	Err     error
}

func (e *PartialError) Error() string {
	text := fmt.Sprintf("stopped at %s: %d done, %d not tried\n%s", e.Failed, len(e.Applied), e.Left, Words(e.Err))
	if e.Next != "" {
		text += "\n" + e.Next
	}
	return text
}

// Unwrap returns why it stopped.
func (e *PartialError) Unwrap() error { return e.Err }
