// Package store keeps the rows of the sandbox's engines: tables, B-trees, row versions, one
// undo log per transaction, and one lock manager with one wait graph. It knows nothing about SQL;
// the lock modes and protocols are SQL Server's (learn.microsoft.com, "Transaction locking and
// row versioning guide"), the versioned reads serve both engines.
//
// Everything here runs with the kernel's baton: no method may be called without it, and a
// session blocks and wakes only through its kernel task.
//
// A row is a chain of immutable versions, newest first, each stamped with the transaction and
// the statement that wrote it. Trees map keys to row ids; an entry counts for a reader if the
// version it sees has that key. Old versions and the entries that only they need are removed when no
// snapshot can see them anymore.
package store

import (
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
)

// Options configure a store.
type Options struct {
	// DetectAfter is how long a session waits for a lock before it looks for deadlocks.
	DetectAfter time.Duration
	// Victim chooses the session that loses a deadlock; nil: the lowest DeadlockPriority, among those the one
	// with the least to undo, among those the seed chooses.
	Victim func(cycle []*Session) *Session
	// EscalateAt is how many row locks one statement may keep on one index before a table lock
	// is tried instead; 0: never.
	EscalateAt int
	// Stalled keeps the index entries of deleted and changed rows, as when clean-up lags behind: readers pass over them, and each counts as read.
	Stalled bool
	// Block is how many entries of an index share a block, about: an entry that is added removes the dead ones of its block. 0: none.
	Block int
}

// Store holds tables, transactions and locks of one engine.
type Store struct {
	// Counters are the sums over all sessions.
	Counters Counters
	// Work are other sums over all transactions.
	Work Work

	k     *kernel.Kernel
	opts  Options
	seq   int64 // commit sequence: the newest committed change; never 0
	txn   int64 // last transaction id
	ids   int64 // last id of a table or index
	snaps []pin // active snapshots, oldest first
	trash []garbage

	unwritten []unwritten // commits whose log is in memory, oldest first

	locks     map[Resource]*lock
	ranges    int // granted locks with a range part; none: inserts need not test
	freeLocks *lock
	freeHolds *grant
}

// pin is a snapshot sequence and the number of its holders.
type pin struct {
	seq  int64
	held int
}

// garbage is a row with versions that nobody needs once all snapshots have seen seq.
type garbage struct {
	seq int64
	t   *Table
	id  RowID
}

// New returns an empty store.
func New(k *kernel.Kernel, o Options) *Store {
	return &Store{k: k, opts: o, seq: 1, locks: map[Resource]*lock{}, Work: Work{Locked: map[string]time.Duration{}}}
}

// Kernel returns the kernel the store runs on.
func (s *Store) Kernel() *kernel.Kernel { return s.k }

// Sequence returns the commit sequence number of the newest commit that changed something.
func (s *Store) Sequence() int64 { return s.seq }

func (s *Store) nextID() int64 {
	s.ids++
	return s.ids
}

// pin keeps the versions that a snapshot taken now sees, until unpin.
func (s *Store) pin() int64 {
	if n := len(s.snaps); n > 0 && s.snaps[n-1].seq == s.seq {
		s.snaps[n-1].held++
	} else {
		s.snaps = append(s.snaps, pin{s.seq, 1})
	}
	return s.seq
}

func (s *Store) unpin(seq int64) {
	for i := range s.snaps {
		if s.snaps[i].seq == seq {
			s.snaps[i].held--
			break
		}
	}
	n := 0
	for n < len(s.snaps) && s.snaps[n].held == 0 {
		n++
	}
	if n > 0 {
		s.snaps = append(s.snaps[:0], s.snaps[n:]...)
		s.collect()
	}
}

// horizon returns the oldest sequence that a snapshot may still need.
func (s *Store) horizon() int64 {
	if len(s.snaps) > 0 {
		return s.snaps[0].seq
	}
	return s.seq
}

// collect drops versions that no snapshot can see anymore.
func (s *Store) collect() {
	h := s.horizon()
	n := 0
	for ; n < len(s.trash) && s.trash[n].seq <= h; n++ {
		s.trash[n].t.prune(s.trash[n].id, h)
	}
	if n == len(s.trash) {
		s.trash = s.trash[:0]
	} else if n > 0 {
		s.trash = s.trash[n:]
	}
}
