package cli

import (
	"context"
	"errors"

	"github.com/dbsched/dbsched/dialects"
)

// The exit codes, as the documentation lists them.
const (
	ExitDone        = 0   // done
	ExitNo          = 1   // ran, and the answer is no
	ExitUsage       = 2   // usage or configuration; nothing was sent
	ExitConnect     = 3   // cannot connect
	ExitRefused     = 4   // the server refused a statement, or the command failed otherwise
	ExitPartly      = 5   // partly done: the error lists what was done and what to run next
	ExitTimeout     = 6   // the time to wait was over: what was sent goes on; its id is on stdout
	ExitInterrupted = 130 // interrupted, as a shell reports SIGINT
)

// exitCode classifies the end of a command. What has no class of its own is 4: never 1,
// which scripts read as an answer. A command that says it is done is, interrupted or not.
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
	case is[*dialects.UsageError](err), is[*dialects.PreflightError](err):
		return ExitUsage
	case is[*TimeoutError](err):
		return ExitTimeout
	case is[*dialects.ConnectError](err):
		return ExitConnect
	}
	return ExitRefused
}

// TimeoutError is a wait that was given up. The command did what it should otherwise.
type TimeoutError struct{ Text string }

func (e *TimeoutError) Error() string { return e.Text }

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
