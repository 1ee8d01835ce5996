package cost

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// The workload on which dbsched is compared with the polling design it grew from: 20 waves of 50 tasks, 8 workers.
const (
	seedWaves, seedWidth, seedWorkers = 20, 50, 8
	seedTasks                         = seedWaves * seedWidth
)

// TestMSSQLAgainstPolling runs the same workload by the polling design of ../testdata and by dbsched. What the former costs depends
// on how long tasks are: its idle workers look ten times a second, and each look reads the wave. That is millions of rows, which
// do not change: unless all is measured, its committed figures stand.
func TestMSSQLAgainstPolling(t *testing.T) {
	const published = 10 * time.Second // as long as the tasks of the published example
	for _, length := range []time.Duration{time.Second, published} {
		t.Run(length.String(), func(t *testing.T) {
			t.Parallel()
			polling := figures.task(fmt.Sprintf("mssql/workload-of-%.0fs-tasks/polling", length.Seconds()))
			if full {
				mssqlEngine().run(t, 0, func(b *bench) { polling = b.byPolling(length) })
			}
			var dbsched taskCost
			mssqlEngine().run(t, seedWorkers, func(b *bench) { dbsched = b.byDbsched(length) })
			require.LessOrEqual(t, dbsched.rows*10, polling.rows, "a tenth of the rows")
			if length == published {
				require.Less(t, dbsched.statements, polling.statements)
			}
		})
	}
}

func (b *bench) byPolling(length time.Duration) taskCost {
	b.Helper()
	text, err := os.ReadFile("../../internal/bench/designs/polling_queue.sql")
	require.NoError(b, err)
	b.exec(strings.Split(strings.TrimSuffix(strings.TrimSpace(string(text)), "\ngo"), "\ngo\n")...)
	enqueue := func(n, width int, length time.Duration) {
		b.exec(fmt.Sprintf(`set nocount on
begin transaction
declare @i int = 0, @order int
while @i < %d
begin
    set @order = @i / %d
    exec ExecAsync '%s', @order
    set @i += 1
end
commit`, n, width, strings.ReplaceAll(b.dialect.Sleep(length), "'", "''")))
	}
	// Its workers come one every ten seconds, and only while there is work.
	b.exec(fmt.Sprintf("alter queue QueueScheduler with activation (max_queue_readers = %d)", seedWorkers), "exec StartScheduler")
	enqueue(seedWorkers, seedWorkers, 5*time.Minute)
	b.pause(4 * time.Minute)
	require.EqualValues(b, seedWorkers, b.number("select count(*) from sys.dm_broker_activated_tasks"))
	return b.workload("polling", length, func() {
		enqueue(seedTasks, seedWidth, length)
		for b.number("select count(*) from Tasks with (nolock)") > 0 {
			b.pause(length * seedWaves)
		}
	})
}

func (b *bench) byDbsched(length time.Duration) taskCost {
	b.Helper()
	b.start()
	return b.workload("dbsched", length, func() {
		b.batch(seedTasks, seedWidth, b.dialect.Sleep(length))
		for b.status().Unfinished > 0 {
			b.pause(length * seedWaves)
		}
	})
}

// batch enqueues n tasks in waves by one call, as somebody does who has many.
func (b *bench) batch(n, width int, text string) {
	b.Helper()
	type task struct {
		SQL            string
		ExecutionOrder int
	}
	var tasks []task
	for i := range n {
		tasks = append(tasks, task{text, i / width})
	}
	array, err := json.Marshal(tasks)
	require.NoError(b, err)
	_, err = b.db.ExecContext(b.Context(), "EXEC dbsched.ExecAsyncBatch @p1;", string(array))
	require.NoError(b, err)
}

// TestMSSQLEnqueue: what a task costs before it exists, alone and among many in one call.
func TestMSSQLEnqueue(t *testing.T) {
	onMSSQL(t, 1, func(b *bench) {
		const n = 1000
		tasks := make([]dialects.NewTask, n)
		for i := range tasks {
			tasks[i] = dialects.NewTask{SQL: b.nothing, Order: 1}
		}
		b.recordTask("enqueue/one-call-each", per(b.spent(func() { b.enqueue(tasks...) }), n))
		b.recordTask("enqueue/one-call-for-1000", per(b.spent(func() { b.batch(n, n, b.nothing) }), n))
	})
}

// workload records what running it costs for each task, enqueueing included.
func (b *bench) workload(design string, length time.Duration, run func()) taskCost {
	b.Helper()
	cost := per(b.spent(run), seedTasks)
	b.recordTask(fmt.Sprintf("workload-of-%.0fs-tasks/%s", length.Seconds(), design), cost)
	return cost
}
