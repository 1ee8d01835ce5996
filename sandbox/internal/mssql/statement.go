package mssql

import (
	"slices"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// runStatement executes one statement. The error it returns is on its way to a TRY block or to the
// end of the batch; an error that ends only the statement has been reported and is gone.
func (s *Session) runStatement(f *frame, st ast.Statement) (flow, error) {
	if s.srv.ran != nil {
		unit := ""
		if f.object != nil {
			unit = f.object.Name
		}
		s.srv.ran[st] = [2]string{unit, f.code.text}
	}
	f.line = lineOf(st)
	if done, err := s.formatOnly(f, st); done {
		return flow{}, err
	}
	if fl, handled, err := s.runControl(f, st); handled {
		return fl, err
	}
	if err := s.startStatement(f); err != nil {
		return flow{}, err
	}
	fl, err := s.dispatch(f, st)
	if err != nil {
		r := s.asRaised(f, err)
		s.locate(f, st, r)
		return flow{}, s.fail(f, r)
	}
	if resetsError(st) {
		s.lastError = 0
	}
	if n, ok := setsRowCount(st); ok {
		s.rowCount = n
	}
	return fl, nil
}

// setsRowCount returns the @@ROWCOUNT after statements that have no rows (learn.microsoft.com, "@@ROWCOUNT (Transact-SQL)").
func setsRowCount(st ast.Statement) (int64, bool) {
	switch n := st.(type) {
	case *ast.SetVariableStatement, *ast.ReturnStatement, *ast.DeclareCursorStatement:
		return 1, true
	case *ast.DeclareVariableStatement:
		return 1, slices.ContainsFunc(n.Declarations, func(d *ast.DeclareVariableElement) bool { return d.Value != nil })
	case *ast.PredicateSetStatement, *ast.SetTransactionIsolationLevelStatement, *ast.SetCommandStatement, *ast.SetRowCountStatement,
		*ast.SetTextSizeStatement, *ast.SetIdentityInsertStatement, *ast.UseStatement, *ast.PrintStatement, *ast.RaiseErrorStatement,
		*ast.BeginTransactionStatement, *ast.CommitTransactionStatement, *ast.RollbackTransactionStatement, *ast.SaveTransactionStatement,
		*ast.CloseCursorStatement, *ast.DeallocateCursorStatement:
		return 0, true
	}
	return 0, false
}

// resetsError: every statement that succeeds sets @@ERROR to 0, except declarations, RAISERROR and EXECUTE.
func resetsError(st ast.Statement) bool {
	switch st.(type) {
	case *ast.DeclareVariableStatement, *ast.RaiseErrorStatement, *ast.ExecuteStatement:
		return false
	}
	return true
}

// startStatement is the switch point between statements: time passes, others may run, and an
// attention is noticed.
func (s *Session) startStatement(f *frame) error {
	s.srv.countdown()
	s.st.Count(store.Counters{Statements: 1})
	s.queried = false
	s.control = 0
	if err := s.Tick(); err != nil {
		return s.fail(f, err)
	}
	return nil
}

// Tick lets time pass and others run, and notices an attention.
func (s *Session) Tick() error {
	if s.task.Step(s.srv.opts.StatementCost) {
		return errAttention
	}
	return nil
}

// locate fills in where an error happened, unless a deeper level did.
func (s *Session) locate(f *frame, st ast.Statement, r *raised) {
	if r.Line != 0 || r.reported || r.Unit != "" { // in line 0 of a procedure: when it is called, or has returned
		return
	}
	c := *r.sqlError
	c.Line = lineOf(st)
	c.Unit = f.unit
	r.sqlError = &c
}

// lineOf returns the 1-based line of a statement in its batch or module.
func lineOf(n any) int {
	if p, ok := n.(interface{ Frag() *ast.Fragment }); ok {
		return max(1, p.Frag().StartLine)
	}
	return 1
}

// dispatch executes a statement that is not control flow.
func (s *Session) dispatch(f *frame, st ast.Statement) (fl flow, err error) {
	err = query.Catch(func() error {
		fl, err = s.route(f, st)
		return err
	})
	return fl, err
}

func (s *Session) route(f *frame, st ast.Statement) (fl flow, err error) {
	switch n := st.(type) {
	case *ast.DeclareVariableStatement:
		err = s.declareVariables(f, n)
	case *ast.DeclareTableVariableStatement:
		s.declareTableVariable(f, n)
	case *ast.SetVariableStatement:
		s.setVariable(f, n)
	case *ast.PredicateSetStatement:
		s.setOnOff(n)
	case *ast.SetTransactionIsolationLevelStatement:
		s.setIsolation(n)
	case *ast.SetCommandStatement:
		s.setCommands(f, n)
	case *ast.SetRowCountStatement:
		err = s.setRowCount(f, n)
	case *ast.DbccStatement:
		err = s.dbcc(n)
	case *ast.BackupDatabaseStatement:
		err = s.backup(f, n, "DATABASE", n.DatabaseName, n.Devices, n.Options)
	case *ast.BackupTransactionLogStatement:
		err = s.backup(f, n, "LOG", n.DatabaseName, n.Devices, n.Options)
	case *ast.SetTextSizeStatement:
		err = s.setTextSize(f, n)
	case *ast.SetIdentityInsertStatement:
		s.setIdentityInsert(f, n)
	case *ast.PrintStatement:
		s.print(f, n)
	case *ast.RaiseErrorStatement:
		s.raiseError(f, n)
	case *ast.ThrowStatement:
		s.throw(f, n)
	case *ast.ReturnStatement:
		err = s.doReturn(f, n)
		fl = flow{kind: flowReturn}
	case *ast.WaitForStatement:
		s.waitFor(f, n)
	case *ast.BeginTransactionStatement:
		s.beginTransaction(f, n)
	case *ast.CommitTransactionStatement:
		query.Check(s.tran.Commit())
	case *ast.RollbackTransactionStatement:
		query.Check(s.tran.Rollback(query.Must(s.nameOrValue(f, n.Name, n.Name))))
	case *ast.SaveTransactionStatement:
		s.saveTransaction(f, n)
	case *ast.ExecuteStatement:
		s.execute(f, n)
	case *ast.ExecuteAsStatement:
		s.executeAs(f, n)
	case *ast.RevertStatement:
		s.revert(f, n)
	case *ast.UseStatement:
		s.use(n.DatabaseName.Value)
	case *ast.InsertBulkStatement:
		s.startBulk(f, n)
	case *ast.KillStatement:
		s.kill(f, n)
	case *ast.DeclareCursorStatement, *ast.OpenCursorStatement, *ast.FetchCursorStatement, *ast.CloseCursorStatement, *ast.DeallocateCursorStatement:
		s.cursorStatement(f, st)
	case *ast.BeginDialogStatement, *ast.BeginConversationTimerStatement, *ast.SendStatement, *ast.ReceiveStatement, *ast.EndConversationStatement:
		s.brokerStatement(f, st)
	case *ast.SelectStatement, *ast.InsertStatement, *ast.UpdateStatement, *ast.DeleteStatement:
		err = s.runQuery(f, st)
	default:
		err = s.runDDL(f, st)
	}
	return fl, err
}

// countQuery counts the running statement as one that works on tables or queues, once.
func (s *Session) countQuery() {
	if !s.queried {
		s.queried = true
		s.st.Count(store.Counters{Queries: 1})
	}
}

// atomic runs fn as one statement: in the open transaction, or in one of its own that commits at
// the end. An error undoes what fn did; locks stay with an open transaction.
func (s *Session) atomic(writes bool, fn func() error) error {
	s.countQuery()
	if s.tran.Doomed && writes {
		return message.MS(3930)
	}
	if s.tran.Tx != nil {
		// A transaction starts, for its isolation level, with its first access to data.
		s.tran.OtherLevel = s.tran.OtherLevel || (s.tran.Level != plan.Snapshot && s.tran.Snapshot == nil)
		mark := s.tran.Tx.Mark()
		tx := s.tran.Tx
		tx.NewStatement()
		err := query.Catch(fn)
		s.endStatement()
		if err != nil && s.tran.Tx == tx {
			tx.RollbackStatement(mark)
		}
		return err
	}
	s.tran.Open()
	tx := s.tran.Tx
	tx.NewStatement()
	err := query.Catch(fn)
	s.endStatement()
	if s.tran.Tx != tx || s.tran.Count > 0 {
		return err
	}
	s.tran.Tx, s.tran.Snapshot = nil, nil
	if err != nil {
		tx.Rollback()
		return err
	}
	tx.Commit()
	return nil
}
