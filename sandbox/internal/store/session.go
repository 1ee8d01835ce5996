package store

import (
	"fmt"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
)

// Session is what waits for locks: one kernel task. It may have several transactions.
type Session struct {
	Task             *kernel.Task  // nil: whoever drives the kernel; it cannot wait
	LockTimeout      time.Duration // of its transactions' lock requests; negative: forever; 0: no wait
	DeadlockPriority int           // the lowest in a cycle loses
	Label            any           // whose session it is, for the engine
	Counters         Counters

	s       *Store
	owner   Owner
	waiting *waiter
	txns    []*Txn // open ones, oldest first
}

// Counters measure work in units that mean the same on any machine. Statements counts executed statements, even those of T-SQL that only
// set, declare, decide or call (PL/SQL's are not counted); Queries counts those that work on tables or queues: only for these
// the engine has plans with operators (on SQL Server: a row in sys.dm_exec_query_stats, or a conversation that changes).
// Flushes counts commits of changes that wait for the log; LogRecords counts the changes in it, to rows, messages and definitions.
type Counters struct {
	Statements, Queries, RowsSeek, RowsScanned, RowsWritten, Locks, LockWaits, Messages, Activations, Transactions, Flushes, LogRecords int64

	Panics int64 // of an engine: bugs

	ByMode LocksByMode // Locks by the mode requested
}

// LocksByMode count lock requests.
type LocksByMode [modes]int64

// String lists the modes requested.
func (l LocksByMode) String() string {
	var b strings.Builder
	for m, n := range l {
		if n > 0 {
			fmt.Fprintf(&b, " %v:%d", LockMode(m), n)
		}
	}
	return strings.TrimPrefix(b.String(), " ")
}

// Add adds other to c.
func (c *Counters) Add(other Counters) {
	c.Statements += other.Statements
	c.Queries += other.Queries
	c.RowsSeek += other.RowsSeek
	c.RowsScanned += other.RowsScanned
	c.RowsWritten += other.RowsWritten
	c.Locks += other.Locks
	c.LockWaits += other.LockWaits
	c.Messages += other.Messages
	c.Activations += other.Activations
	c.Transactions += other.Transactions
	c.Flushes += other.Flushes
	c.LogRecords += other.LogRecords
	for m, n := range other.ByMode {
		c.ByMode[m] += n
	}
}

// NewSession returns a session that waits forever and has no transaction.
func (s *Store) NewSession(task *kernel.Task) *Session {
	x := &Session{Task: task, LockTimeout: -1, s: s}
	x.owner.sess = x
	return x
}

// Store returns the store of the session.
func (x *Session) Store() *Store { return x.s }

// Owner owns the locks that outlive transactions.
func (x *Session) Owner() *Owner { return &x.owner }

// Wait returns how the session's lock requests wait: for its LockTimeout.
func (x *Session) Wait() LockWait { return LockWait{For: x.LockTimeout, Demand: true} }

// Waiting returns what the session is waiting for, if anything.
func (x *Session) Waiting() (Resource, LockMode, bool) {
	if x.waiting == nil {
		return Resource{}, NL, false
	}
	return x.waiting.lk.res, x.waiting.want, true
}

// Blockers returns the sessions that keep this one waiting, or nil.
func (x *Session) Blockers() []*Session {
	if x.waiting == nil {
		return nil
	}
	return x.waiting.blockers()
}

// Undo returns how much the session's open transactions would have to undo.
func (x *Session) Undo() int {
	n := 0
	for _, tx := range x.txns {
		n += len(tx.undo)
	}
	return n
}

// Count adds work to the session's counters and to the store's.
func (x *Session) Count(c Counters) {
	x.Counters.Add(c)
	x.s.Counters.Add(c)
}

// Close rolls back the session's transactions and releases the locks it owns itself. It never blocks.
func (x *Session) Close() {
	for len(x.txns) > 0 {
		x.txns[len(x.txns)-1].Rollback()
	}
	x.owner.ReleaseAll()
}

// offer lets others run at a point of the given granularity.
func (x *Session) offer(g kernel.Granularity) {
	if x.s.k.Granularity() >= g && x.Task != nil {
		x.Task.Switch(g)
	}
}

// Owner owns locks: a transaction or a session.
type Owner struct {
	sess  *Session
	txn   *Txn // nil: the session itself
	first *grant
	last  *grant
	held  int
}

// Session returns the session that the owner belongs to.
func (o *Owner) Session() *Session { return o.sess }

// Txn returns the owning transaction, or nil if the session itself does.
func (o *Owner) Txn() *Txn { return o.txn }

// Len returns the number of locks owned.
func (o *Owner) Len() int { return o.held }

// ReleaseAll releases all locks, oldest first.
func (o *Owner) ReleaseAll() {
	for o.first != nil {
		o.sess.s.release(o.first)
	}
}

// allies reports whether two owners never block each other: one and the same, or a session and
// a transaction of it. Two transactions of one session (an autonomous one) do block each other.
func (o *Owner) allies(other *Owner) bool {
	return o == other || o.sess == other.sess && (o.txn == nil || other.txn == nil)
}
