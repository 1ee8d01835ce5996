package aq

import (
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Numbers and texts: Oracle Database Error Messages, ORA-24000 to ORA-24100 and ORA-25200 to ORA-25300.

func oraError(number int32, format string, args ...any) error {
	return &sqlerr.Error{Number: number, Text: fmt.Sprintf(format, args...)}
}

func errTableExists(owner, name string) error {
	return oraError(24001, "cannot create QUEUE_TABLE, %s.%s already exists", owner, name)
}

func errNoTable(owner, name string) error {
	return oraError(24002, "QUEUE_TABLE %s.%s does not exist", owner, name)
}

func errQueueExists(owner, name string) error {
	return oraError(24006, "cannot create QUEUE, %s.%s already exists", owner, name)
}

// errUnknown is what the administrative calls say of a queue that does not exist.
func errUnknown(owner, name string) error {
	return oraError(24010, "QUEUE %s.%s does not exist", owner, name)
}

// errNoQueue is what ENQUEUE and DEQUEUE say of it.
func errNoQueue(owner, name string) error {
	return oraError(25205, "the QUEUE %s.%s does not exist", owner, name)
}

func errTimeout(q *Queue) error {
	return oraError(25228, "timeout or end-of-fetch during message dequeue from %s", q)
}
