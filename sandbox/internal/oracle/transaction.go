package oracle

import (
	"errors"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/transaction"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Commit implements plsql.Host. A commit that does not wait for its log may be lost in a crash until the call ends, or
// until somebody else's has waited. nil: a commit of the engine itself.
func (s *Session) Commit(n *ast.Commit) error {
	s.task.Switch(kernel.AtStatements) // others may run that do not see it yet
	t := s.Current()
	if err := t.Broken(); err != nil {
		return s.rolledBack(err)
	}
	t.KeepCursors()
	s.temporary.End(t.Tx, true)
	changed := t.Tx.Wrote()
	if s.waits(n) {
		t.Tx.Commit()
		if changed {
			s.unsynced = false // the log is written in order
			s.synchWrites++
		}
	} else {
		t.Tx.CommitLater()
		s.unsynced = s.unsynced || changed
	}
	if n == nil {
		s.endCall()
	}
	s.Renew(t)
	if changed {
		s.srv.committed()
	}
	s.task.Switch(kernel.AtLocks)
	return nil
}

// Rollback implements plsql.Host.
func (s *Session) Rollback() error {
	t := s.Current()
	t.KeepCursors()
	t.Tx.Rollback()
	s.temporary.End(t.Tx, false)
	s.Renew(t)
	return nil
}

// Autonomous implements plsql.Host: what follows runs in a separate transaction until leave, which undoes it and
// fails with ORA-06519 if it was neither committed nor rolled back.
func (s *Session) Autonomous() func(normal bool) error {
	s.Current()
	s.Push()
	return func(normal bool) error {
		t, left := s.Pop()
		s.temporary.End(t.Tx, false)
		if left && normal {
			return message.ORA(6519)
		}
		return nil
	}
}

// TransactionID implements supplied.Session.
func (s *Session) TransactionID(begin bool) string { return s.Current().ID(begin) }

// Run implements plsql.Host: one SQL statement. It is undone as a whole if it fails; its locks are kept.
func (s *Session) Run(fn func() error) error {
	s.srv.countdown(&s.srv.crashAtStatement)
	if err := s.step(); err != nil {
		return err
	}
	s.st.Count(store.Counters{Statements: 1, Queries: 1})
	t := s.Current()
	tx := t.Tx
	tx.NewStatement()
	mark, locks := tx.Mark(), tx.Owner().Len()
	err := query.Catch(fn)
	if _, late := errors.AsType[*store.UpdateConflict](err); t.Isolation == transaction.ReadOnly && t.Tx == tx && (late || tx.Mark() != mark || tx.Owner().Len() > locks) {
		err = message.ORA(1456)
	}
	if err != nil && !tx.Done() {
		tx.RollbackStatement(mark)
	}
	return s.mapped(err)
}

// step lets a statement's time pass, others run, and a break arrive.
func (s *Session) step() error {
	if s.task.Step(s.srv.opts.StatementCost) {
		return errCancelled()
	}
	return nil
}

// errCancelled is the error of a break. No exception handler can catch it unless BreaksAreHandled says so
// (whether one can on a server depends on where the break arrives; code must not rely on either).
func errCancelled() *sqlerr.Error {
	e := message.ORA(1013)
	e.Uncaught = true
	return e
}

// rolledBack undoes a transaction that cannot be committed: ORA-02091, followed by its cause.
func (s *Session) rolledBack(cause error) error {
	if err := s.Rollback(); err != nil {
		return err
	}
	return message.ORA(2091, plsql.ErrorText(cause))
}
