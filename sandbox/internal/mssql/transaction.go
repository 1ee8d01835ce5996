package mssql

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// savepoint is a named mark; names are compared case-sensitively even under a case-insensitive
// collation (learn.microsoft.com, "SAVE TRANSACTION (Transact-SQL)").
type savepoint struct {
	name string
	mark store.Mark
}

// begin opens the store's transaction of the session.
func (s *Session) begin() { s.tx = s.st.Begin() }

func (s *Session) beginTransaction(f *frame, n *ast.BeginTransactionStatement) {
	name := query.Must(s.transactionName(f, n.Name))
	s.beginImplicitly()
	s.beginTran(name)
}

// beginImplicitly comes before the statements that SET IMPLICIT_TRANSACTIONS names, BEGIN TRANSACTION among them, which so counts two:
// "an unseen BEGIN TRANSACTION being executed first" (learn.microsoft.com, "SET IMPLICIT_TRANSACTIONS (Transact-SQL)").
func (s *Session) beginImplicitly() {
	if s.set.implicitTransactions && s.tranCount == 0 {
		s.beginTran("")
	}
}

func (s *Session) beginTran(name string) {
	if s.tx == nil {
		s.begin()
	}
	if s.tranCount == 0 {
		s.tranName = name
		s.out.Transaction(TranBegun, s.tx.ID())
	}
	s.tranCount++
}

func (s *Session) transactionName(f *frame, n *ast.IdentifierOrValueExpression) (string, error) {
	switch {
	case n == nil:
		return "", nil
	case n.Identifier != nil:
		return n.Identifier.Value, nil
	case n.ValueExpression != nil:
		v, err := s.scalar(f, n, n.ValueExpression)
		return textOf(v), err
	}
	return n.Value, nil
}

func (s *Session) commitTransaction(*frame, *ast.CommitTransactionStatement) {
	query.Check(s.commitTran())
}

func (s *Session) commitTran() error {
	switch {
	case s.tranCount == 0:
		return message.MS(3902)
	case s.doomed:
		return message.MS(3930)
	case s.insertExec > 0 && s.tranCount <= s.insertExec:
		return message.MS(3916).At(16, 0)
	case s.tranCount > 1:
		s.tranCount--
		return nil
	}
	tx := s.tx
	id := tx.ID()
	s.endTransaction()
	tx.Commit()
	s.out.Transaction(TranCommitted, id)
	return nil
}

func (s *Session) rollbackTransaction(f *frame, n *ast.RollbackTransactionStatement) {
	name := query.Must(s.transactionName(f, n.Name))
	query.Check(s.rollbackTran(name))
}

func (s *Session) rollbackTran(name string) error {
	if s.insertExec > 0 {
		return message.MS(3915).At(16, 0)
	}
	if s.tranCount == 0 {
		return message.MS(3903)
	}
	if name != "" && name != s.tranName {
		for i := len(s.savepoints) - 1; i >= 0; i-- {
			if s.savepoints[i].name != name {
				continue
			}
			if s.doomed {
				return message.MS(3931)
			}
			s.tx.RollbackTo(s.savepoints[i].mark)
			s.savepoints = s.savepoints[:i+1]
			return nil
		}
		return message.MS(6401, name)
	}
	s.rollbackAll()
	return nil
}

// rollbackAll undoes the whole transaction, however deeply nested.
func (s *Session) rollbackAll() {
	tx := s.tx
	if tx == nil {
		s.endTransaction()
		return
	}
	id := tx.ID()
	s.endTransaction()
	tx.Rollback()
	s.out.Transaction(TranRolledBack, id)
}

// endTransaction forgets the session's transaction state.
func (s *Session) endTransaction() {
	s.tx, s.tranCount, s.doomed, s.savepoints, s.tranName = nil, 0, false, nil, ""
	s.snapshot, s.otherLevel = nil, false
}

func (s *Session) saveTransaction(f *frame, n *ast.SaveTransactionStatement) {
	if s.tranCount == 0 {
		panic(message.MS(628))
	}
	if s.doomed {
		panic(message.MS(3930))
	}
	name := query.Must(s.transactionName(f, n.Name))
	s.savepoints = append(s.savepoints, savepoint{name, s.tx.Mark()})
}

// xactState is XACT_STATE(): 1 open, 0 none, -1 doomed.
func (s *Session) xactState() int64 {
	switch {
	case s.tranCount == 0:
		return 0
	case s.doomed:
		return -1
	}
	return 1
}

func (s *Session) setIsolation(n *ast.SetTransactionIsolationLevelStatement) {
	level, ok := isolationNamed(n.Level)
	if !ok {
		panic(sqlerr.NotSupported("SET TRANSACTION ISOLATION LEVEL %s", n.Level))
	}
	s.iso = level
}

func isolationNamed(name string) (plan.Isolation, bool) {
	switch strings.ToLower(strings.ReplaceAll(name, " ", "")) {
	case "readuncommitted":
		return plan.ReadUncommitted, true
	case "readcommitted":
		return plan.ReadCommitted, true
	case "repeatableread":
		return plan.RepeatableRead, true
	case "serializable":
		return plan.Serializable, true
	case "snapshot":
		return plan.Snapshot, true
	}
	return plan.ReadCommitted, false
}
