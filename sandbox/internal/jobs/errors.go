package jobs

import (
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Numbers and texts: Oracle Database Error Messages, ORA-27361 to ORA-27500.

func oraError(number int32, format string, args ...any) error {
	return &sqlerr.Error{Number: number, Text: fmt.Sprintf(format, args...)}
}

func errExists(owner, name string) error {
	return oraError(27477, "\"%s\".\"%s\" already exists", owner, name)
}

func errUnknownJob(owner, name string) error {
	return oraError(27475, "unknown job \"%s\".\"%s\"", owner, name)
}

func errMissing(owner, name string) error {
	return oraError(27476, "\"%s\".\"%s\" does not exist", owner, name)
}

func errRunning(j *job) error {
	return oraError(27478, "job \"%s\".\"%s\" is running", j.Owner, j.Name)
}

func errNotRunning(j *job) error {
	return oraError(27366, "job \"%s\".\"%s\" is not running", j.Owner, j.Name)
}

func errStillRunning() error {
	return oraError(27365, "job has been notified to stop, but failed to do so immediately")
}

func errUnavailable(j *job) error {
	return oraError(27492, "unable to run job \"%s\".\"%s\": scheduler unavailable", j.Owner, j.Name)
}

func errPrivileges() error { return oraError(27486, "insufficient privileges") }

func errValue(value any, attribute string) error {
	return oraError(27465, "invalid value %v for attribute %s", value, attribute)
}

func errCalendar(what string) error {
	return oraError(27412, "repeat interval or calendar contains invalid identifier: %s", what)
}
