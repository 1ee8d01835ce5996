package cost

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/sandboxtest"
)

// TestEnqueuersAndWorkers: they do not block each other. Many open transactions that have enqueued make no worker wait, and an enqueuer waits
// for no lock that workers hold while they end a task and claim the next.
func TestEnqueuersAndWorkers(t *testing.T) {
	const workers, enqueuers = 16, 1000
	each(t, workers, func(b *bench) {
		b.start()
		clients, err := sandboxtest.Open(b.dialect.Name(), b.dsn(), b.box.Dial)
		require.NoError(b, err)
		clients.SetMaxOpenConns(0)
		b.Cleanup(func() { _ = clients.Close() })
		var tasks []dialects.NewTask
		for range 10 * workers {
			tasks = append(tasks, dialects.NewTask{SQL: b.dialect.Sleep(time.Second), Order: 1})
		}
		var uncommitted int64 // tasks that the status counts anyway
		work := func() (waits int64) {
			return b.spent(func() {
				b.enqueue(tasks...)
				b.until("all have run", 10*time.Minute, func() bool { return b.status().Unfinished == uncommitted })
			}).LockWaits
		}
		begin := func() *sql.Tx {
			tx, err := clients.BeginTx(context.WithoutCancel(b.Context()), nil) // otherwise all would be rolled back at once at the end, in any order
			require.NoError(b, err)
			b.Cleanup(func() { _ = tx.Rollback() })
			return tx
		}
		exec := func(tx *sql.Tx, text string) {
			_, err := tx.ExecContext(b.Context(), text)
			require.NoError(b, err, text)
		}
		work()
		alone := work()
		for range enqueuers {
			exec(begin(), b.enqueueing)
		}
		uncommitted = b.status().Unfinished
		// A worker that waits for one of them waits forever, and the work does not end. Workers wait for each other now and then: not more often.
		require.LessOrEqual(b, work(), alone+workers, "lock waits of workers beside open transactions")

		holder := begin()
		exec(holder, b.holding)
		require.Zero(b, b.spent(func() { exec(begin(), b.enqueueing) }).LockWaits, "of an enqueuer beside what a claim holds")
	})
}
