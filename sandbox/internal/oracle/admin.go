package oracle

import (
	"errors"
	"fmt"
	"time"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// lock takes a table lock as LOCK TABLE does, held until the end of the transaction.
func (s *Session) lock(t *catalog.Table, n *ast.LockTable) error {
	mode := map[ast.TableLock]store.LockMode{
		ast.RowShare: store.IS, ast.RowExclusive: store.IX, ast.Share: store.S, ast.Exclusive: store.X,
	}[n.Mode]
	wait := store.LockWait{For: -1}
	switch n.Wait {
	case ast.Nowait:
		wait.For = 0
	case ast.WaitFor:
		lib := &library{srv: s.srv, rights: s.here().rights, schema: s.currentSchema()}
		e, err := plan.CompileExpr(&statementScope{library: *lib}, n.Time)
		if err != nil {
			return err
		}
		v, err := e.Value(s)
		if err != nil {
			return err
		}
		wait = store.LockWait{For: time.Duration(v.Int64()) * time.Second, Demand: true}
	}
	tx := s.Txn()
	err := s.srv.store.Lock(tx.Owner(), t.Data.Resource(), mode, wait)
	if _, ok := errors.AsType[*store.LockTimeout](err); ok {
		return message.ORA(54)
	}
	return err
}

// killSession implements ALTER SYSTEM KILL SESSION 'sid,serial#'. The victim's work is undone at once.
func (s *Session) killSession(n *ast.KillSession) error {
	if !s.srv.catalog.Has(s.here().rights, "ALTER SYSTEM") {
		return catalog.ErrPrivileges()
	}
	var sid, serial int
	if c, err := fmt.Sscanf(n.Session, "%d,%d", &sid, &serial); err != nil || c != 2 {
		return message.ORA(26)
	}
	victim := s.srv.Session(sid)
	switch {
	case victim == nil || victim.serial != serial:
		return message.ORA(30)
	case victim == s:
		return message.ORA(27)
	}
	if s.srv.k.Differs(differ.KilledLingers) {
		s.srv.k.After(time.Minute, kernel.Demand, func() {
			if s.srv.Session(sid) == victim {
				s.srv.kill(victim)
			}
		})
		return nil
	}
	s.srv.kill(victim)
	return nil
}
