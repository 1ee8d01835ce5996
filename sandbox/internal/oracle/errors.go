package oracle

import (
	"errors"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// mapped words a lower layer's error as the engine does.
func (s *Session) mapped(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, store.ErrInterrupted) {
		return errCancelled()
	}
	return plan.Worded(err)
}
