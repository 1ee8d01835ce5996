package store

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Workers claim rows of a table as a queue does (UPDLOCK, READPAST, ROWLOCK), some roll back, some
// are killed: in the end every row was processed once, and nobody ever waited for another's row.
func TestTableAsQueue(t *testing.T) {
	const jobs = 30
	for seed := range uint64(60) {
		k := kernel.New(kernel.Options{Seed: seed, Granularity: kernel.AtRows})
		w := &world{t: t, k: k, s: New(k, Options{DetectAfter: time.Second})}
		var rows []value.Row
		for n := range int64(jobs) {
			rows = append(rows, ints(n, n%2, 0))
		}
		tab, _, ix := w.people(rows...)
		done := map[int64]int{}
		busy := map[int64]bool{}
		work := func(task *kernel.Task) {
			x := w.s.NewSession(task)
			defer x.Close()
			r := rand.New(rand.NewPCG(seed, task.ID()))
			for {
				more := claim(x, r, tab, ix, busy, done)
				if !more {
					return
				}
			}
		}
		for n := range 5 {
			task := k.Go("worker", work, nil)
			if n < 2 {
				k.After(time.Duration(n+1)*3*time.Second, kernel.Demand, task.Kill)
			}
		}
		_ = k.RunUntil(func() bool { return false })
		k.Go("last", work, nil) // process what the killed ones left
		_ = k.RunUntil(func() bool { return false })
		require.Len(t, done, jobs)
		for id, times := range done {
			require.Equal(t, 1, times, id)
		}
		require.Zero(t, w.s.Counters.LockWaits)
		require.Zero(t, tab.Rows())
		w.clean(tab)
	}
}

func claim(x *Session, r *rand.Rand, tab *Table, ix *Index, busy map[int64]bool, done map[int64]int) bool {
	tx := x.Begin()
	defer tx.Rollback()
	c := tx.Open(tab, Access{Index: ix, Lock: U, Keep: true, SkipLocked: true})
	defer c.Close()
	rid, row, ok, err := c.Next()
	if err != nil || !ok {
		return false
	}
	id := row[0].Int64()
	if busy[id] {
		panic("two have claimed one row")
	}
	busy[id] = true
	defer delete(busy, id)
	if tx.Delete(tab, rid) != nil {
		return false
	}
	x.Task.Block(kernel.Wait{For: time.Duration(r.IntN(2000)) * time.Millisecond})
	if r.IntN(5) > 0 {
		tx.OnCommit(func() { done[id]++; delete(busy, id) })
		tx.Commit()
	}
	return true
}
