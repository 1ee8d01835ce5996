package ddl

import (
	"errors"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Message texts, severities and states are those of sys.messages (learn.microsoft.com
// "Database engine events and errors") and of transcripts published there.

// ErrExists is 2714: the name is taken.
func ErrExists(name string) *sqlerr.Error {
	return message.MS(2714, name).At(16, 3)
}

// errDrop is 3701: there is nothing to drop. kind is table, view, procedure, index, constraint …
func errDrop(kind, name string) *sqlerr.Error {
	return message.MS(3701, kind, name).At(11, 5)
}

// Chain is several errors that one statement raises, in order. CATCH sees the last one, a
// client all of them.
type Chain struct{ Errors []*sqlerr.Error }

// Error describes the errors, one per line.
func (c *Chain) Error() string {
	lines := make([]string, len(c.Errors))
	for i, e := range c.Errors {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the last error.
func (c *Chain) Unwrap() error { return c.Errors[len(c.Errors)-1] }

// chain adds the error that follows an error; errors of other kinds (a lock timeout) stay as they are.
func chain(err error, last *sqlerr.Error) error {
	if c, ok := errors.AsType[*Chain](err); ok {
		return &Chain{append(slices.Clip(c.Errors), last)}
	}
	if e, ok := errors.AsType[*sqlerr.Error](err); ok && e.Number != sqlerr.NotSupportedNumber {
		return &Chain{[]*sqlerr.Error{e, last}}
	}
	return err
}

// errConstraint adds 1750, which follows every error about a constraint's definition.
func errConstraint(err error) error {
	return chain(err, message.MS(1750).At(16, 0))
}
