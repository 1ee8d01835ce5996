package cost

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestSaturated: while all workers have work, a transaction that enqueues sends one message, however many tasks it adds, and
// nobody else sends any.
func TestSaturated(t *testing.T) {
	const workers, transactions, size = 4, 20, 10
	each(t, workers, func(b *bench) {
		b.start()
		var tasks []dialects.NewTask
		for range workers * 2 * transactions {
			tasks = append(tasks, dialects.NewTask{SQL: b.dialect.Sleep(time.Second), Order: 1})
		}
		b.enqueue(tasks...)
		b.until("all workers are busy", time.Minute, func() bool { return b.status().Running == workers })
		c := b.spent(func() {
			for range transactions {
				b.enqueue(tasks[:size]...)
				b.pause(time.Second)
			}
		})
		require.Equal(b, int64(workers), b.status().Running, "there was work all the time")
		b.record("saturated/messages-per-transaction", float64(c.Messages)/transactions)
		require.LessOrEqual(b, c.Messages, int64(transactions))
	})
}

// TestIdle: when idle there is at most one sweep a minute, and it reads few rows, whatever the tables hold.
func TestIdle(t *testing.T) {
	const minutes, maxStatements = 60, 200
	maxRows := map[string]int64{"mssql": 46, "oracle": 39}
	n := 10_000
	if full {
		n = 100_000
	}
	each(t, 16, func(b *bench) {
		b.exec(b.numbers...)
		b.fill(b.delayed, n)
		b.fill(b.finished, n)
		b.start()
		b.enqueue(dialects.NewTask{SQL: b.nothing, Order: 1}, dialects.NewTask{SQL: b.nothing, Order: 2})
		b.pause(45 * time.Minute) // workers have left, and the messages of the work are gone
		c := b.spent(func() { b.pause(minutes * time.Minute) })
		b.record("idle/activations-per-minute", float64(c.Activations)/minutes)
		b.record("idle/messages-per-minute", float64(c.Messages)/minutes)
		b.record("idle/statements-per-minute", float64(c.Statements)/minutes)
		b.record("idle/queries-per-minute", float64(c.Queries)/minutes)
		b.record("idle/rows-read-per-minute", float64(read(c))/minutes)
		b.record("idle/locks-per-minute", float64(c.Locks)/minutes)
		require.Equal(b, b.resting, b.number(b.sessions))
		require.LessOrEqual(b, c.Activations, int64(minutes+1))
		require.LessOrEqual(b, read(c), minutes*maxRows[b.dialect.Name()])
		require.Less(b, c.Statements, int64(minutes*maxStatements))
	})
}
