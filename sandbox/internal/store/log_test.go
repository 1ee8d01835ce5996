package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
)

// seeded returns a store whose choices a seed makes.
func seeded(t *testing.T, seed uint64) *world {
	t.Helper()
	k := kernel.New(kernel.Options{Seed: seed})
	return &world{t: t, k: k, s: New(k, Options{})}
}

// TestCrashLosesWhatNobodyWaitedFor runs transactions, some of which do not wait for their log. A crash leaves the state after one of the
// commits from the last one that somebody waited for onward, including indexes, and nothing later.
func TestCrashLosesWhatNobodyWaitedFor(t *testing.T) {
	lostSome, lostNone := 0, 0
	for seed := range uint64(200) {
		w := seeded(t, seed)
		k := w.k
		tab, _, group := w.people()
		state := func() string {
			tx := w.s.NewSession(nil).Begin()
			defer tx.Rollback()
			var rows []string
			c := tx.Open(tab, Access{})
			defer c.Close()
			for {
				_, row, ok, err := c.Next()
				require.NoError(t, err)
				if !ok {
					return fmt.Sprint(rows, read(t, tx, tab, Access{Index: group}))
				}
				rows = append(rows, fmt.Sprint(row[0].Int64(), ":", row[1].Int64()))
			}
		}
		possible := []string{state()}
		var ids []RowID
		for range 1 + k.Choose("transactions", 12) {
			tx := w.s.NewSession(nil).Begin()
			for range 1 + k.Choose("changes", 3) {
				switch n := int64(k.Choose("value", 1000)); {
				case len(ids) == 0 || k.Choose("insert", 3) == 0:
					id, err := tx.Insert(tab, ints(int64(len(ids)), n, n))
					require.NoError(t, err)
					ids = append(ids, id)
				case k.Choose("delete", 4) == 0:
					at := k.Choose("row", len(ids))
					if _, ok := tab.rows.Get(ids[at]); ok {
						_ = tx.Delete(tab, ids[at])
					}
				default:
					at := k.Choose("row", len(ids))
					if v, ok := tab.rows.Get(ids[at]); ok && !v.deleted {
						require.NoError(t, tx.Update(tab, ids[at], ints(int64(at), n, n)))
					}
				}
			}
			switch wrote := tx.Wrote(); k.Choose("end", 8) {
			case 0:
				tx.Rollback()
				continue
			case 1, 2:
				tx.Commit()
				if wrote {
					possible = nil
				}
			case 3:
				tx.Commit()
				w.s.Sync()
				possible = nil
			default:
				tx.CommitLater()
			}
			possible = append(possible, state())
		}
		before := state()
		w.s.Crash()
		require.Contains(t, possible, state(), "seed %d", seed)
		if state() == before {
			lostNone++
		} else {
			lostSome++
		}
		w.clean(tab)
	}
	require.NotZero(t, lostSome)
	require.NotZero(t, lostNone)
}

// TestLogIsWrittenInTime: commits older than the log writer's interval are not lost.
func TestLogIsWrittenInTime(t *testing.T) {
	for seed := range uint64(20) {
		w := seeded(t, seed)
		tab, _, _ := w.people()
		for n := range int64(3) {
			tx := w.s.NewSession(nil).Begin()
			_, err := tx.Insert(tab, ints(n, n, n))
			require.NoError(t, err)
			tx.CommitLater()
			if n < 2 {
				w.k.Advance(2 * time.Second)
			}
		}
		w.s.Crash()
		require.GreaterOrEqual(t, tab.Rows(), 1, "the first was four seconds old")
		w.clean(tab)
	}
}

// TestKilledAtCommitIsNotInTheLog: a session is killed just before it commits without waiting. Its changes are undone, and a crash
// does not undo them again.
func TestKilledAtCommitIsNotInTheLog(t *testing.T) {
	for seed := range uint64(5) { // how much of the log is written is the seed's choice
		k := kernel.New(kernel.Options{Seed: seed, Granularity: kernel.AtLocks})
		w := &world{t: t, k: k, s: New(k, Options{})}
		tab, _, _ := w.people(ints(1, 1, 1))
		a := w.actor("a")
		w.ok(a.update(tab, 1, 1, 2, 2))
		a.do(func(tx *Txn) error { a.task.Kill(); tx.CommitLater(); return nil })
		require.True(t, a.ended)
		require.Empty(t, w.s.Crash())
		require.Equal(t, 1, tab.Rows())
		w.clean(tab)
	}
}
