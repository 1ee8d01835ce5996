package cli

import (
	"context"
	"errors"

	"github.com/dbsched/dbsched/dialects"
)

// The exit codes, as the documentation lists them.
const (
	ExitDone        = 0   // done
	ExitNo          = 1   // ran, and the result is negative
	ExitUsage       = 2   // usage or configuration; nothing was sent
	ExitConnect     = 3   // cannot connect
	ExitRefused     = 4   // the server refused a statement, or the command failed otherwise
	ExitPartly      = 5   // partly done: the error lists what was done and what to run next
	ExitTimeout     = 6   // the time limit was reached: what was sent continues; its id is on stdout
	ExitInterrupted = 130 // interrupted, as a shell reports SIGINT
)

// exitCode classifies the end of a command. Anything without its own code is 4: never 1,
// which scripts treat as a result. A command that reports success has succeeded, interrupted or not.
func exitCode(ctx context.Context, err error, ran, verdict bool) int {
	switch {
	case err == nil && !ran: // help and the like
		return ExitDone
	case err == nil && verdict:
		return ExitDone
	case ran && ctx.Err() != nil:
		return ExitInterrupted
	case err == nil:
		return ExitNo
	case !ran:
		return ExitUsage
	case is[*dialects.PartialError](err):
		return ExitPartly
	case is[*dialects.UsageError](err), is[*dialects.PreflightError](err), errors.Is(err, errNotConfirmed):
		return ExitUsage
	case is[*TimeoutError](err):
		return ExitTimeout
	case is[*dialects.ConnectError](err):
		return ExitConnect
	}
	return ExitRefused
}

// errNotConfirmed is a question that was not answered with yes.
var errNotConfirmed = errors.New("not confirmed; nothing was changed")

// TimeoutError is a wait that was given up. Otherwise the command did what it should.
type TimeoutError struct{ Text string }

func (e *TimeoutError) Error() string { return e.Text }

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
