// Package sqlerr is the one error type of the sandbox's engines: what a client
// sees of an error, and what the engine needs to know to handle it.
package sqlerr

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Scope says what an error ends.
type Scope uint8

// What an error ends if nobody catches it.
const (
	Statement   Scope = iota // the statement; the batch continues
	Batch                    // the batch (SQL Server) or the call (Oracle)
	Transaction              // the batch and the whole transaction (a deadlock victim)
	Connection               // the session (severity >= 20, KILL)
)

// Error is an error as an engine raises it.
type Error struct {
	Number   int32  // SQL Server message number, or the number after ORA-
	Severity uint8  // SQL Server severity (class); 0 for Oracle
	State    uint8  // SQL Server state
	Text     string // message text as the engine words it
	Unit     string // procedure, trigger or program unit; empty in an ad-hoc batch
	Line     int    // 1-based line in the unit or batch; 0 when not known
	Frames   []Frame
	Scope    Scope
	Uncaught bool  // TRY/CATCH or an exception handler does not see it (attention, KILL, compile error at the same level)
	Dooms    bool  // a surrounding transaction can only be rolled back, even without XACT_ABORT
	Cause    error // what went wrong inside the sandbox, if that is the reason
}

// Frame is one entry of an error stack.
type Frame struct {
	Unit string
	Line int
}

// New returns an error of severity 16, state 1, that ends its statement.
func New(number int32, format string, args ...any) *Error {
	return &Error{Number: number, Severity: 16, State: 1, Text: fmt.Sprintf(format, args...)}
}

// At returns a copy of e with severity and state set.
func (e *Error) At(severity, state uint8) *Error {
	c := *e
	c.Severity, c.State = severity, state
	return &c
}

// Ending returns a copy of e with its scope set.
func (e *Error) Ending(s Scope) *Error {
	c := *e
	c.Scope = s
	return &c
}

// Error formats e for logs and tests.
func (e *Error) Error() string {
	where := ""
	if e.Unit != "" {
		where = ", " + e.Unit
	}
	return fmt.Sprintf("Msg %d, Level %d, State %d%s, Line %d: %s", e.Number, e.Severity, e.State, where, e.Line, e.Text)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// NotSupportedNumber is the number of every refusal of what the sandbox does not model.
// It lies in the range that neither vendor uses.
const NotSupportedNumber = 49999

// NotSupported refuses what the sandbox does not model. No handler in the same text may catch it, so that a script
// can never continue as if it had been done; see [Outside].
func NotSupported(format string, args ...any) *Error {
	return &Error{
		Number: NotSupportedNumber, Severity: 16, State: 1, Scope: Batch, Uncaught: true,
		Text: "the sandbox does not model " + node.ReplaceAllStringFunc(fmt.Sprintf(format, args...), words),
	}
}

// mostBytes is the maximum size of a value: servers allow gigabytes, but here values are in memory.
const mostBytes = 1 << 26

// Fits refuses a value with more bytes.
func Fits(n int) error {
	if n > mostBytes {
		return NotSupported("values of more than %d MiB", mostBytes>>20)
	}
	return nil
}

var (
	node    = regexp.MustCompile(`\*ast\.\w+`)
	capital = regexp.MustCompile(`[A-Z]`)
)

// words writes the name of a node (%T) as the user would: "fetch cursor statement".
func words(node string) string {
	return strings.TrimSpace(strings.ToLower(capital.ReplaceAllString(strings.TrimPrefix(node, "*ast."), " $0")))
}

// Refuses reports whether e says that the sandbox does not model something.
func (e *Error) Refuses() bool { return e.Number == NotSupportedNumber && e.Uncaught }

// Outside returns an error of dynamic SQL as seen by the enclosing text: handlers there may catch a refusal, just as they may
// catch an error in compiling the dynamic SQL. Code that runs other people's texts can then report what happened to them.
func Outside(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || !e.Refuses() {
		return err
	}
	c := *e
	c.Uncaught, c.Cause = false, err
	return &c
}
