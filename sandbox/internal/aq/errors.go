package aq

import (
	"errors"

	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Numbers and texts: Oracle Database Error Messages, ORA-24000 to ORA-24100 and ORA-25200 to ORA-25300.

func isBusy(err error) bool {
	_, busy := errors.AsType[*store.LockTimeout](err)
	return busy
}
