package oracle

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// isolation is the mode of a transaction.
type isolation uint8

const (
	readCommitted isolation = iota
	serializable
	readOnly
)

// transaction is the session's transaction or, above it, an autonomous one.
type transaction struct {
	tx         *store.Txn
	iso        isolation
	named      bool // SET TRANSACTION has been the first statement
	snapshot   *store.Snapshot
	savepoints []savepoint
	open       []*plan.Rows // cursors that read with tx
	deferred   []plan.Deferred
	immediate  bool // SET CONSTRAINTS ALL IMMEDIATE
}

type savepoint struct {
	name string
	mark store.Mark
}

// active reports whether there is a transaction in Oracle's sense: something changed or locked.
func (t *transaction) active() bool {
	return t.named || t.tx.UndoLen() > 0 || t.tx.Owner().Len() > 0
}

// current returns the transaction that runs.
func (s *Session) current() *transaction {
	if len(s.transactions) == 0 {
		s.transactions = append(s.transactions, s.begin())
	}
	return s.transactions[len(s.transactions)-1]
}

func (s *Session) begin() *transaction { return &transaction{tx: s.st.Begin(), iso: s.isolation} }

// Txn implements plan.Env.
func (s *Session) Txn() *store.Txn { return s.current().tx }

// Serializable implements plan.Env.
func (s *Session) Serializable() bool { return s.current().iso != readCommitted }

// Snapshot implements plan.Env: of the statement, or of the transaction if that is serializable or read only.
func (s *Session) Snapshot() store.Snapshot {
	t := s.current()
	if t.iso == readCommitted {
		return t.tx.Snapshot()
	}
	if t.snapshot == nil {
		sn := t.tx.Snapshot()
		t.snapshot = &sn
		t.tx.GuardWrites(sn)
	}
	return *t.snapshot
}

// Track implements plan.Env.
func (s *Session) Track(r *plan.Rows) {
	t := s.current()
	t.open = append(t.open, r)
}

// Untrack implements plan.Env.
func (s *Session) Untrack(r *plan.Rows) {
	for _, t := range s.transactions {
		t.open = slices.DeleteFunc(t.open, func(o *plan.Rows) bool { return o == r })
	}
}

// keepCursors lets the cursors of a transaction that is about to change outlive it: they go on with what
// they would have read.
func (t *transaction) keepCursors() {
	open := t.open
	t.open = nil
	for _, r := range open {
		r.Buffer()
	}
}

// Commit implements plsql.Host. A commit that does not wait for its log may be lost in a crash until the call ends, or
// until somebody else's has waited. nil: the engine's own.
func (s *Session) Commit(n *ast.Commit) error {
	s.task.Switch(kernel.AtStatements) // others may run who do not see it yet
	t := s.current()
	if err := t.broken(); err != nil {
		return s.rolledBack(err)
	}
	t.keepCursors()
	s.dropTemporary(t.tx, true)
	changed := t.tx.Wrote()
	if waits(n) {
		t.tx.Commit()
		if changed {
			s.unsynced = false // the log is written in order
			s.synchWrites++
		}
	} else {
		t.tx.CommitLater()
		s.unsynced = s.unsynced || changed
	}
	if n == nil {
		s.endCall()
	}
	s.renew(t)
	if changed {
		s.srv.committed()
	}
	s.task.Switch(kernel.AtLocks)
	return nil
}

// Rollback implements plsql.Host.
func (s *Session) Rollback() error {
	t := s.current()
	t.keepCursors()
	t.tx.Rollback()
	s.dropTemporary(t.tx, false)
	s.renew(t)
	return nil
}

// renew begins the next transaction where one has ended.
func (s *Session) renew(t *transaction) { *t = *s.begin() }

// Savepoint implements plsql.Host: one of the same name moves.
func (s *Session) Savepoint(name string) {
	t := s.current()
	t.savepoints = slices.DeleteFunc(t.savepoints, func(p savepoint) bool { return p.name == name })
	t.savepoints = append(t.savepoints, savepoint{name, t.tx.Mark()})
}

// RollbackTo implements plsql.Host. Error: ORA-01086.
func (s *Session) RollbackTo(name string) error {
	t := s.current()
	i := slices.IndexFunc(t.savepoints, func(p savepoint) bool { return p.name == name })
	if i < 0 {
		return message.ORA(1086, name)
	}
	t.keepCursors()
	t.tx.RollbackTo(t.savepoints[i].mark)
	t.savepoints = t.savepoints[:i+1]
	return nil
}

// Autonomous implements plsql.Host: what follows runs in a transaction of its own until leave, which undoes it and
// fails with ORA-06519 if it was neither committed nor rolled back.
func (s *Session) Autonomous() func(normal bool) error {
	s.current()
	s.transactions = append(s.transactions, s.begin())
	return func(normal bool) error {
		t := s.transactions[len(s.transactions)-1]
		left := t.active()
		t.tx.Rollback()
		s.dropTemporary(t.tx, false)
		s.transactions = s.transactions[:len(s.transactions)-1]
		if left && normal {
			return message.ORA(6519)
		}
		return nil
	}
}

// setTransaction is SET TRANSACTION, which must be the first statement of its transaction.
func (s *Session) setTransaction(n *ast.SetTransaction) error {
	t := s.current()
	if t.active() {
		return message.ORA(1453)
	}
	t.named = true
	switch n.Mode {
	case ast.Serializable:
		t.iso = serializable
	case ast.ReadOnly:
		t.iso = readOnly
	case ast.ReadCommitted, ast.ReadWrite:
		t.iso = readCommitted
	}
	return nil
}

// TransactionID implements supplied.Session.
func (s *Session) TransactionID(begin bool) string {
	t := s.current()
	if !t.active() {
		if !begin {
			return ""
		}
		t.named = true
	}
	id := t.tx.ID()
	return fmt.Sprintf("%d.%d.%d", id%10+1, id%32, id)
}

// Run implements plsql.Host: one SQL statement. It is undone as a whole if it fails; its locks stay.
func (s *Session) Run(fn func() error) error {
	if err := s.step(); err != nil {
		return err
	}
	s.st.Count(store.Counters{Statements: 1, Queries: 1})
	t := s.current()
	tx := t.tx
	tx.NewStatement()
	mark, locks := tx.Mark(), tx.Owner().Len()
	err := query.Catch(fn)
	if _, late := errors.AsType[*store.UpdateConflict](err); t.iso == readOnly && t.tx == tx && (late || tx.Mark() != mark || tx.Owner().Len() > locks) {
		err = message.ORA(1456)
	}
	if err != nil && !tx.Done() {
		tx.RollbackStatement(mark)
	}
	return s.mapped(err)
}

// step lets a statement's time pass, others run, and a break arrive.
func (s *Session) step() error {
	s.task.Spend(s.srv.opts.StatementCost)
	s.task.Switch(kernel.AtStatements)
	if s.task.ClearInterrupt() {
		return errCancelled()
	}
	return nil
}

// errCancelled is what a break raises. No exception handler gets it unless Options.HandledBreaks says so
// (whether one does on a server depends on where the break comes; code must not rely on either).
func errCancelled() *sqlerr.Error {
	e := message.ORA(1013)
	e.Uncaught = true
	return e
}
