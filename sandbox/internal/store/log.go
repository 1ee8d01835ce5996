package store

import (
	"maps"
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Work is what transactions have written, and for how long they kept others away.
type Work struct {
	// Log is how many bytes of rows the log has: all of a row that is new or gone, and what a change replaces and puts there. A server adds to this
	// what it needs to find the place, and index entries.
	Log int64
	// Locked is for how long transactions have kept rows of a table locked to change them, from the first lock to their end.
	Locked map[string]time.Duration
}

// Clone returns a copy.
func (w Work) Clone() Work { return Work{w.Log, maps.Clone(w.Locked)} }

// logBytes counts the bytes of the rows in a transaction's log.
func logBytes(log []undo) (n int64) {
	for _, u := range log {
		switch {
		case u.ver == nil || u.table.spec.Volatile:
		case u.ver.prev == nil || u.ver.deleted:
			for _, v := range u.ver.row {
				n += size(v)
			}
		default:
			for i, v := range u.ver.row {
				if old := u.ver.prev.row[i]; old != v && (old.Kind != v.Kind || old.String() != v.String()) {
					n += size(old) + size(v)
				}
			}
		}
	}
	return n
}

// size is how many bytes a value takes.
func size(v value.Value) int64 {
	switch v.Kind {
	case value.Null:
		return 0
	case value.String, value.Bytes:
		return int64(len(v.Str()))
	case value.GUID:
		return 16
	default:
		return 8
	}
}

// unwritten is a commit whose log is in memory: everybody sees it, but a crash may undo it.
type unwritten struct {
	at   time.Time
	pin  int64 // keeps what the commit replaced
	undo []undo
}

// logInterval is how long a commit's log stays in memory at most: the log writer writes every three seconds (Oracle Database
// Concepts, "Log Writer Process (LGWR)").
const logInterval = 3 * time.Second

// CommitLater commits without waiting until its log is written. Sync writes it, as does every other commit of a change: the log
// is one sequence.
func (tx *Txn) CommitLater() {
	tx.later = true
	tx.Commit()
}

// keepLog keeps in memory the log of a transaction that is committing.
func (s *Store) keepLog(tx *Txn) {
	w := unwritten{at: s.k.Now(), pin: s.pin()}
	for _, u := range tx.undo {
		if u.ver != nil && !u.table.spec.Volatile {
			w.undo = append(w.undo, u)
		}
	}
	s.unwritten = append(s.unwritten, w)
	s.writeUntil(s.k.Now().Add(-logInterval))
}

// Sync writes the log of all commits.
func (s *Store) Sync() { s.written(len(s.unwritten)) }

// writeUntil writes the log of all commits up to a time.
func (s *Store) writeUntil(at time.Time) {
	n := 0
	for n < len(s.unwritten) && s.unwritten[n].at.Before(at) {
		n++
	}
	s.written(n)
}

// written records that the log of the oldest n commits is on disk.
func (s *Store) written(n int) {
	if n == 0 {
		return
	}
	done := s.unwritten[:n]
	s.unwritten = slices.Clone(s.unwritten[n:])
	for _, w := range done {
		s.unpin(w.pin)
	}
}

// Crash undoes the commits whose log was not written, and returns the names of the tables that lost something. No transaction may
// be open. The seed chooses how far the log writer has come; usually it has not begun.
func (s *Store) Crash() (lost []string) {
	s.writeUntil(s.k.Now().Add(-logInterval))
	if n := len(s.unwritten); n > 0 && s.k.Choose("log writer", 4) == 0 {
		s.written(s.k.Choose("log written", n+1))
	}
	for _, w := range slices.Backward(s.unwritten) {
		for _, u := range slices.Backward(w.undo) {
			u.table.undo(u.id, u.ver)
			if !slices.Contains(lost, u.table.spec.Name) {
				lost = append(lost, u.table.spec.Name)
			}
		}
	}
	s.Sync()
	slices.Sort(lost)
	return lost
}
