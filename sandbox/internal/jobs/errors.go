package jobs

import (
	"github.com/dbsched/dbsched/sandbox/internal/message"
)

// Numbers and texts: Oracle Database Error Messages, ORA-27361 to ORA-27500.

func errUnknownJob(owner, name string) error {
	return message.ORA(27475, owner, name)
}

func errMissing(owner, name string) error {
	return message.ORA(27476, owner, name)
}

func errRunning(j *job) error {
	return message.ORA(27478, j.Owner, j.Name)
}

func errNotRunning(j *job) error {
	return message.ORA(27366, j.Owner, j.Name)
}

func errUnavailable(j *job) error {
	return message.ORA(27492, j.Owner, j.Name)
}
