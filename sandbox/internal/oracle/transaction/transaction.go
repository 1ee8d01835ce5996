// Package transaction holds what a session knows about its transactions: the innermost autonomous one, savepoints, snapshots, deferred
// constraints.
package transaction

import (
	"fmt"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Isolation is the isolation mode of a transaction.
type Isolation uint8

// The modes.
const (
	ReadCommitted Isolation = iota
	Serializable
	ReadOnly
)

// Transaction is the session's transaction or, above it, an autonomous one.
type Transaction struct {
	Tx         *store.Txn
	Isolation  Isolation
	named      bool // SET TRANSACTION has been the first statement
	snapshot   *store.Snapshot
	savepoints []savepoint
	open       []*plan.Rows // cursors that read with Tx
	deferred   []plan.Deferred
	immediate  bool // SET CONSTRAINTS ALL IMMEDIATE
}

type savepoint struct {
	name string
	mark store.Mark
}

// Active reports whether there is a transaction in Oracle's sense: something changed or locked.
func (t *Transaction) Active() bool {
	return t.named || t.Tx.UndoLen() > 0 || t.Tx.Owner().Len() > 0
}

// KeepCursors lets the cursors of a transaction that is about to change outlive it: they continue with what
// they would have read.
func (t *Transaction) KeepCursors() {
	open := t.open
	t.open = nil
	for _, r := range open {
		r.Buffer()
	}
}

// Set implements SET TRANSACTION, which must be the first statement of its transaction: ORA-01453.
func (t *Transaction) Set(n *ast.SetTransaction) error {
	if t.Active() {
		return message.ORA(1453)
	}
	t.named = true
	if n.Mode != "" && n.Mode != ast.ReadWrite {
		t.Isolation = map[ast.TransactionMode]Isolation{ast.Serializable: Serializable, ast.ReadOnly: ReadOnly}[n.Mode]
	}
	if t.Isolation != ReadCommitted {
		t.view() // "changes that were committed before the transaction began", and it begins here
	}
	return nil
}

// view takes the snapshot of a transaction that has one for all of its statements.
func (t *Transaction) view() store.Snapshot {
	if t.snapshot == nil {
		sn := t.Tx.Snapshot()
		t.snapshot = &sn
		t.Tx.GuardWrites(sn)
	}
	return *t.snapshot
}

// ID returns the transaction's id as DBMS_TRANSACTION shows it; empty if there is none and none is begun.
func (t *Transaction) ID(begin bool) string {
	if !t.Active() {
		if !begin {
			return ""
		}
		t.named = true
	}
	id := t.Tx.ID()
	return fmt.Sprintf("%d.%d.%d", id%10+1, id%32, id)
}

// Broken returns the error of a deferred constraint that the transaction still violates.
func (t *Transaction) Broken() (err error) {
	caught := query.Catch(func() error {
		for _, d := range t.deferred {
			if d.Violated() {
				return d.Error
			}
		}
		return nil
	})
	if caught == nil {
		t.deferred = nil
	}
	return caught
}

// Immediate implements SET CONSTRAINTS ALL IMMEDIATE: deferred constraints are checked now and from now on; it changes nothing
// if it fails (SQL Language Reference, SET CONSTRAINT[S]).
func (t *Transaction) Immediate() error {
	if err := t.Broken(); err != nil {
		return err
	}
	t.immediate = true
	return nil
}

// Stack is a session's transactions, the innermost autonomous one last. Its methods apply to that one; they implement plan.Env and
// plsql.Host. Start has to be set.
type Stack struct {
	Start     func() *store.Txn // begins one in the store
	Next      Isolation         // of future transactions
	Immediate bool              // ALTER SESSION SET CONSTRAINTS = IMMEDIATE: none is deferred
	list      []*Transaction    // never empty once something ran
}

// Current returns the running transaction.
func (s *Stack) Current() *Transaction {
	if len(s.list) == 0 {
		s.Push()
	}
	return s.list[len(s.list)-1]
}

func (s *Stack) begin() *Transaction { return &Transaction{Tx: s.Start(), Isolation: s.Next} }

// Push begins a transaction above the running one.
func (s *Stack) Push() { s.list = append(s.list, s.begin()) }

// Pop undoes the innermost transaction and returns it, and whether there was something to undo; nil: there is none.
func (s *Stack) Pop() (t *Transaction, left bool) {
	if len(s.list) == 0 {
		return nil, false
	}
	t = s.Current()
	left = t.Active()
	t.Tx.Rollback()
	s.list = s.list[:len(s.list)-1]
	return t, left
}

// Renew begins the next transaction where one has ended.
func (s *Stack) Renew(t *Transaction) { *t = *s.begin() }

// Call records where a client's call begins; undo reverts what it has changed since then, or since its last commit.
func (s *Stack) Call() (undo func()) {
	t := s.Current()
	tx, mark, savepoints := t.Tx, t.Tx.Mark(), slices.Clone(t.savepoints)
	return func() {
		t := s.Current()
		if t.Tx != tx { // it has committed: the rest of the call is undone
			t.Tx.Rollback()
			s.Renew(t)
			return
		}
		t.Tx.RollbackStatement(mark)
		t.savepoints = slices.DeleteFunc(t.savepoints, func(p savepoint) bool { return !slices.Contains(savepoints, p) })
	}
}

// Txn returns the store's transaction.
func (s *Stack) Txn() *store.Txn { return s.Current().Tx }

// Serializable reports whether the transaction sees one snapshot throughout.
func (s *Stack) Serializable() bool { return s.Current().Isolation != ReadCommitted }

// Snapshot returns the statement's snapshot, or the transaction's if that is serializable or read only.
func (s *Stack) Snapshot() store.Snapshot {
	t := s.Current()
	if t.Isolation == ReadCommitted {
		return t.Tx.Snapshot()
	}
	return t.view()
}

// Track registers an open cursor.
func (s *Stack) Track(r *plan.Rows) {
	t := s.Current()
	t.open = append(t.open, r)
}

// Untrack unregisters a cursor.
func (s *Stack) Untrack(r *plan.Rows) {
	for _, t := range s.list {
		t.open = slices.DeleteFunc(t.open, func(o *plan.Rows) bool { return o == r })
	}
}

// Savepoint implements SAVEPOINT: one with the same name moves.
func (s *Stack) Savepoint(name string) {
	t := s.Current()
	t.savepoints = slices.DeleteFunc(t.savepoints, func(p savepoint) bool { return p.name == name })
	t.savepoints = append(t.savepoints, savepoint{name, t.Tx.Mark()})
}

// RollbackTo implements ROLLBACK TO SAVEPOINT. Error: ORA-01086.
func (s *Stack) RollbackTo(name string) error {
	t := s.Current()
	i := slices.IndexFunc(t.savepoints, func(p savepoint) bool { return p.name == name })
	if i < 0 {
		return message.ORA(1086, name)
	}
	t.KeepCursors()
	t.Tx.RollbackTo(t.savepoints[i].mark)
	t.savepoints = t.savepoints[:i+1]
	return nil
}

// Defer defers a violated constraint to the end of the transaction; false: the violation counts at once.
func (s *Stack) Defer(d plan.Deferred) bool {
	t := s.Current()
	if t.immediate || s.Immediate {
		return false
	}
	if !slices.ContainsFunc(t.deferred, func(o plan.Deferred) bool { return o.Name == d.Name }) {
		t.deferred = append(t.deferred, d)
	}
	return true
}
