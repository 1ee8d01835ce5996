package plan

import (
	"errors"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// run holds what one run of a statement reads with. It is in memo 0 of the statement's frame.
type run struct {
	env       Env
	tx        *store.Txn
	snapshot  store.Snapshot
	statement int32 // writes of this and later statements of the transaction are not seen
}

// runMemo is the memo that newStatement allocates first.
const runMemo = 0

func runOf(fr *query.Frame) *run {
	r, ok := fr.Memos[runMemo].(*run)
	if !ok {
		refuse("tables in an expression that is no part of a statement")
	}
	return r
}

// start begins a run: it takes the snapshot.
func (s *Statement) start(env Env) *query.Frame {
	fr := s.size.Frame(env)
	tx := env.Txn()
	fr.Memos[runMemo] = &run{env: env, tx: tx, snapshot: env.Snapshot(), statement: tx.Statement()}
	return fr
}

// end releases the snapshot, unless the transaction keeps it for all its statements.
func (r *run) end() {
	if !r.env.Serializable() {
		r.tx.Release(r.snapshot)
	}
}

// errChanged unwinds a run that found a row which others have changed since the snapshot.
var errChanged = errors.New("plan: a row was changed after the statement's snapshot")

// lock locks a row that the run has found, waiting as w says, and returns false if it is skipped (SKIP LOCKED). If
// it no longer matches the snapshot, lock unwinds with errChanged: the statement must restart (Concepts,
// "Data Concurrency and Consistency": a statement's rows are from one point in time).
func (r *run) lock(t *store.Table, found query.Tuple, w rowWait) bool {
	sess := r.tx.Session()
	before := sess.LockTimeout
	sess.LockTimeout = w.timeout
	defer func() { sess.LockTimeout = before }()
	now, ok, err := r.tx.Fetch(t, store.RowID(found.ID), store.Access{
		Mode: store.Locking, Lock: store.X, Keep: true, Statement: r.statement, NoWait: w.timeout == 0, SkipLocked: w.skip,
	})
	var late *store.LockTimeout
	if errors.As(err, &late) && w.timeout > 0 {
		fail(30006)
	}
	query.Check(Worded(err))
	switch {
	case !ok && w.skip:
		return false
	case ok && &now[0] == &found.Row[0]: // rows are immutable: the same version has the same memory
		return true
	case r.env.Serializable():
		query.Check(Worded(&store.UpdateConflict{}))
	}
	query.Raise(errChanged)
	return false
}

// Worded converts an error of the store to Oracle's; others are returned as they are.
func Worded(err error) error {
	switch e := err.(type) { //nolint:errorlint // the store returns them bare
	case *store.LockTimeout:
		return message.ORA(54)
	case *store.Deadlock:
		return message.ORA(60)
	case *store.UpdateConflict:
		return message.ORA(8177)
	case *store.UniqueViolation:
		owner, name, _ := strings.Cut(e.Index.Name(), ".")
		return message.ORA(1, owner, name)
	}
	switch err {
	case store.ErrFull: //nolint:errorlint // as above
		return message.ORA(30036, 8, "UNDOTBS1")
	case store.ErrInterrupted:
		return &sqlerr.Error{Number: 1013, Text: "user requested cancel of current operation", Uncaught: true}
	}
	return err
}
