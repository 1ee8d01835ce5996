package store

import (
	"errors"
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// ErrInterrupted ends a lock wait when the session's task is interrupted (an attention).
var ErrInterrupted = errors.New("store: lock wait interrupted")

// ErrGone is returned by Update, Delete and LockRow when the row does not exist (anymore).
var ErrGone = errors.New("store: the row is gone")

// Deadlock ends the lock wait of the session that was chosen as the victim. It is up to the engine what else
// the victim loses (its transaction, or only the statement).
type Deadlock struct {
	Cycle    []*Session // each waits for the next, the last for the first
	Resource Resource   // what the victim waited for
	Mode     LockMode   // and in which mode
}

// Error describes the deadlock.
func (e *Deadlock) Error() string {
	return fmt.Sprintf("store: deadlock of %d sessions; victim waited for %s on %s", len(e.Cycle), e.Mode, e.Resource)
}

// LockTimeout ends a lock request that was not granted in time, or at once if it may not wait.
type LockTimeout struct {
	Resource Resource
	Mode     LockMode
}

// Error describes the request.
func (e *LockTimeout) Error() string {
	return fmt.Sprintf("store: lock request timed out: %s on %s", e.Mode, e.Resource)
}

// ErrFull is returned by Insert, Update and Delete when there is no space for the log of the change.
var ErrFull = errors.New("store: the log is full")

// UpdateConflict is returned when a transaction that promised a snapshot (GuardWrites) changes
// or locks a row that another transaction changed and committed after that snapshot.
type UpdateConflict struct {
	Table *Table
	ID    RowID
}

// Error describes the conflict.
func (e *UpdateConflict) Error() string {
	return fmt.Sprintf("store: row %d of %s was changed after the transaction's snapshot", e.ID, e.Table.Name())
}

// UniqueViolation is returned when a row's key already exists in a unique index.
type UniqueViolation struct {
	Table *Table
	Index *Index
	Row   value.Row // the row that was refused
}

// Error describes the violation.
func (e *UniqueViolation) Error() string {
	return fmt.Sprintf("store: duplicate key in index %s of %s", e.Index.Name(), e.Table.Name())
}
