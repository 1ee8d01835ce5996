package oracle

import (
	"errors"

	"github.com/dbsched/dbsched/sandbox/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
	"github.com/dbsched/dbsched/sandbox/store"
)

// mapped words what a lower layer could not do as the engine does.
func (s *Session) mapped(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, store.ErrInterrupted) {
		return errCancelled()
	}
	if errors.Is(err, plan.ErrStale) { // statements of clients are compiled again; here a unit is being executed
		return sqlerr.NotSupported("a stored unit that goes on running while DDL changes a table that it uses")
	}
	return plan.Worded(err)
}
