package cost

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// stalled keeps the index entries of deleted and changed rows, as when clean-up lags behind.
func stalled(o *sandbox.Options) { o.Stalled = true }

// TestStalledClaims: late in a wave a claim costs what it cost early, though the entries of all tasks before it are still in the indexes.
func TestStalledClaims(t *testing.T) {
	const rest, measured = 30 * time.Second, 50
	n := 2_000
	if full {
		n = 100_000
	}
	each(t, 1, func(b *bench) {
		tasks := make([]dialects.NewTask, 0, n+2*measured)
		add := func(n int, text string) {
			for range n {
				tasks = append(tasks, dialects.NewTask{SQL: text, Order: 1})
			}
		}
		add(n, b.nothing)
		add(1, b.dialect.Sleep(rest))
		add(measured, b.nothing)
		add(1, b.dialect.Sleep(rest))
		add(measured, b.nothing)
		ids := b.enqueue(tasks...)
		b.start()
		b.until("the task before", 10*time.Minute, func() bool { return b.runs() == ids[n] })
		b.start() // the next sweep is in a minute
		b.pause(6 * time.Second)
		c := b.spent(func() { b.pause(rest) })
		require.Equal(b, ids[n+1+measured], b.runs())
		cost := per(c, measured+1)
		b.recordTask("stalled/after-2000", cost)
		require.LessOrEqual(b, cost.rows, 20.0, "rows read")
		require.LessOrEqual(b, cost.flushes, 1.05, "commits that wait for the log")
	}, stalled)
}
