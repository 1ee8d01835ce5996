package mssql

import (
	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/transaction"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

func (s *Session) beginTransaction(f *frame, n *ast.BeginTransactionStatement) {
	name := query.Must(s.nameOrValue(f, n.Name, n.Name))
	s.beginImplicitly()
	s.tran.Begin(name)
}

// beginImplicitly runs before the statements that SET IMPLICIT_TRANSACTIONS lists, BEGIN TRANSACTION among them, which therefore counts 2:
// "an unseen BEGIN TRANSACTION being executed first" (learn.microsoft.com, "SET IMPLICIT_TRANSACTIONS (Transact-SQL)").
func (s *Session) beginImplicitly() {
	if s.set.ImplicitTransactions && s.tran.Count == 0 {
		s.tran.Begin("")
	}
}

func (s *Session) saveTransaction(f *frame, n *ast.SaveTransactionStatement) {
	if s.tran.Doomed {
		panic(message.MS(3930))
	}
	query.Check(s.tran.Save(query.Must(s.nameOrValue(f, n.Name, n.Name))))
}

func (s *Session) setIsolation(n *ast.SetTransactionIsolationLevelStatement) {
	level, ok := transaction.Isolation(n.Level)
	if !ok {
		panic(sqlerr.NotSupported("SET TRANSACTION ISOLATION LEVEL %s", n.Level))
	}
	s.tran.Level = level
}
