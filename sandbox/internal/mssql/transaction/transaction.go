// Package transaction holds what a session knows about its transaction: @@TRANCOUNT, savepoints, isolation level, XACT_STATE.
package transaction

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Event is what a client is told about its transaction.
type Event uint8

// The events.
const (
	Begun Event = iota
	Committed
	RolledBack
)

// Transaction is a session's transaction. Start and Tell must be set.
type Transaction struct {
	Start func() *store.Txn       // begins one in the store
	Tell  func(e Event, id int64) // tells the client

	Level      plan.Isolation
	Tx         *store.Txn // the open transaction, or the running statement's own
	Count      int        // @@TRANCOUNT
	InsertExec int        // @@TRANCOUNT inside the running INSERT … EXEC; 0: none is running
	Doomed     bool
	Snapshot   *store.Snapshot // of a SNAPSHOT transaction, taken at its first read
	OtherLevel bool            // the transaction's first access to data was at another level: SNAPSHOT is refused in it (3951)
	Statement  *store.Snapshot // of the running statement under READ_COMMITTED_SNAPSHOT

	name       string
	savepoints []savepoint
}

// savepoint is a named mark; names are compared case-sensitively even under a case-insensitive
// collation (learn.microsoft.com, "SAVE TRANSACTION (Transact-SQL)").
type savepoint struct {
	name string
	mark store.Mark
}

// Open opens the store's transaction.
func (t *Transaction) Open() { t.Tx = t.Start() }

// Begin is BEGIN TRANSACTION.
func (t *Transaction) Begin(name string) {
	if t.Tx == nil {
		t.Open()
	}
	if t.Count == 0 {
		t.name = name
		t.Tell(Begun, t.Tx.ID())
	}
	t.Count++
}

// Commit is COMMIT TRANSACTION: errors 3902, 3916, 3930.
func (t *Transaction) Commit() error {
	switch {
	case t.Count == 0:
		return message.MS(3902)
	case t.Doomed:
		return message.MS(3930)
	case t.InsertExec > 0 && t.Count <= t.InsertExec:
		return message.MS(3916).At(16, 0)
	case t.Count > 1:
		t.Count--
		return nil
	}
	tx := t.Forget()
	tx.Commit()
	t.Tell(Committed, tx.ID())
	return nil
}

// Save is SAVE TRANSACTION; error 628.
func (t *Transaction) Save(name string) error {
	if t.Count == 0 {
		return message.MS(628)
	}
	t.savepoints = append(t.savepoints, savepoint{name, t.Tx.Mark()})
	return nil
}

// Rollback is ROLLBACK TRANSACTION, of the transaction or to a savepoint: errors 3903, 3915, 3931, 6401.
func (t *Transaction) Rollback(name string) error {
	if t.InsertExec > 0 {
		return message.MS(3915).At(16, 0)
	}
	if t.Count == 0 {
		return message.MS(3903)
	}
	if name != "" && name != t.name {
		for i := len(t.savepoints) - 1; i >= 0; i-- {
			if t.savepoints[i].name != name {
				continue
			}
			if t.Doomed {
				return message.MS(3931)
			}
			t.Tx.RollbackTo(t.savepoints[i].mark)
			t.savepoints = t.savepoints[:i+1]
			return nil
		}
		return message.MS(6401, name)
	}
	t.RollbackAll()
	return nil
}

// RollbackAll undoes the whole transaction, however deeply nested.
func (t *Transaction) RollbackAll() {
	if tx := t.Forget(); tx != nil {
		tx.Rollback()
		t.Tell(RolledBack, tx.ID())
	}
}

// Forget leaves the session without a transaction, and returns its last one.
func (t *Transaction) Forget() *store.Txn {
	tx := t.Tx
	*t = Transaction{Start: t.Start, Tell: t.Tell, Level: t.Level, InsertExec: t.InsertExec, Statement: t.Statement}
	return tx
}

// EndStatement drops what lives only as long as a statement.
func (t *Transaction) EndStatement() {
	if t.Tx != nil {
		t.Tx.EndStatement()
		if t.Statement != nil {
			t.Tx.Release(*t.Statement)
		}
	}
	t.Statement = nil
}

// State is XACT_STATE(): 1 open, 0 none, -1 doomed.
func (t *Transaction) State() int64 {
	switch {
	case t.Count == 0:
		return 0
	case t.Doomed:
		return -1
	}
	return 1
}

// Isolation returns the level with a name, ignoring blanks and case.
func Isolation(name string) (level plan.Isolation, ok bool) {
	level, ok = map[string]plan.Isolation{
		"readuncommitted": plan.ReadUncommitted, "readcommitted": plan.ReadCommitted, "repeatableread": plan.RepeatableRead,
		"serializable": plan.Serializable, "snapshot": plan.Snapshot,
	}[strings.ToLower(strings.ReplaceAll(name, " ", ""))]
	return level, ok
}
