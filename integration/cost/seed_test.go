package cost

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// The workload on which dbsched is compared with the published designs: 1,000 tasks, 8 workers.
const seedTasks, seedWorkers = 1000, 8

// design is a way to run the workload.
type design struct {
	name string
	up   func(b *bench)                             // creates it, with its workers if it keeps them
	add  func(b *bench, width int, d time.Duration) // enqueues the tasks, in waves of width
	left func(b *bench) int64                       // counts the tasks that have not ended
	stir func(b *bench)                             // runs between two looks, uncounted
}

var dbsched = design{
	"dbsched", (*bench).start,
	func(b *bench, width int, d time.Duration) { b.batch(seedTasks, width, b.dialect.Sleep(d)) },
	func(b *bench) int64 { return b.status().Unfinished },
	func(*bench) {},
}

// seeds are the published designs, and the width of the waves: polling is one queue with eight readers, all started; AHOY has no waves.
var seeds = map[string]struct {
	width int
	design
}{
	"mssql": {50, design{
		"polling", (*bench).pollingUp,
		func(b *bench, width int, d time.Duration) { b.pollingAdd(seedTasks, width, b.dialect.Sleep(d)) },
		(*bench).pollingLeft, func(*bench) {},
	}},
	"oracle": {seedTasks, design{"ahoy", (*bench).ahoyUp, (*bench).ahoyAdd, (*bench).ahoyLeft, (*bench).ahoyStir}},
}

// TestAgainstSeeds runs the same workload on both. What polling costs depends on how long tasks are: its idle workers look ten times a
// second, and each look reads the wave. These are millions of rows that do not change: unless everything is measured, the committed figures stay.
func TestAgainstSeeds(t *testing.T) {
	t.Parallel()
	for _, e := range engines() {
		seed := seeds[e.dialect.Name()]
		for _, length := range []time.Duration{100 * time.Millisecond, time.Second, 10 * time.Second} {
			t.Run(fmt.Sprint(e.dialect.Name(), " ", length), func(t *testing.T) {
				t.Parallel()
				theirs := figures.task(fmt.Sprintf("%s/workload-of-%gs-tasks/%s", e.dialect.Name(), length.Seconds(), seed.name))
				if full {
					e.run(t, 0, func(b *bench) { theirs = b.workload(seed.design, seed.width, length) })
				}
				e.run(t, seedWorkers, func(b *bench) {
					ours := b.workload(dbsched, seed.width, length)
					// docs/benchmarks.md says which targets are missed.
					require.Less(b, ours.rows, theirs.rows, "rows read")
					if length >= time.Second {
						require.LessOrEqual(b, ours.rows*10, theirs.rows, "a tenth of the rows")
					}
					if seed.name == "polling" {
						require.Less(b, ours.locks, theirs.locks, "locks")
					}
				})
			})
		}
	}
}

// workload records the cost per task of running it, including enqueueing. It excludes what the test's looks cost.
func (b *bench) workload(d design, width int, length time.Duration) taskCost {
	b.Helper()
	d.up(b)
	work := b.box.Work()
	c := b.spent(func() { d.add(b, width, length) })
	for d.left(b) > 0 {
		c.Add(b.spent(func() { b.pause(length) }))
		d.stir(b)
	}
	cost := per(c, seedTasks)
	cost.worked(b, work, seedTasks)
	b.recordTask(fmt.Sprintf("workload-of-%gs-tasks/%s", length.Seconds(), d.name), cost)
	return cost
}

// batch enqueues n tasks in waves with one call, as a caller with many tasks does.
func (b *bench) batch(n, width int, text string) {
	b.Helper()
	tasks := make([]dialects.NewTask, n)
	for i := range tasks {
		tasks[i] = dialects.NewTask{SQL: text, Order: i / width}
	}
	b.enqueue(tasks...)
}

// script installs a published design.
func (b *bench) script(file, end string) {
	b.Helper()
	text, err := os.ReadFile("../../internal/bench/designs/" + file)
	require.NoError(b, err)
	b.exec(strings.Split(strings.TrimSuffix(strings.TrimSpace(string(text)), "\n"+end), "\n"+end+"\n")...)
}

func (b *bench) pollingUp() {
	b.Helper()
	b.script("polling_queue.sql", "go")
	b.exec(fmt.Sprintf("alter queue QueueScheduler with activation (max_queue_readers = %d)", seedWorkers), "exec StartScheduler")
	// Its workers start one every ten seconds, and leave after 30 without work.
	b.pollingAdd(500, 500, b.dialect.Sleep(time.Second))
	for b.pollingLeft() > 0 {
		b.pause(time.Second)
	}
	require.EqualValues(b, seedWorkers, b.number("select count(*) from sys.dm_broker_activated_tasks"))
}

func (b *bench) pollingLeft() int64 {
	b.Helper()
	return b.number("select count(*) from Tasks with (nolock)")
}

func (b *bench) pollingAdd(n, width int, text string) {
	b.Helper()
	b.exec(fmt.Sprintf(`set nocount on
begin transaction
declare @i int = 0, @order int
while @i < %d
begin
    set @order = @i / %d
    exec ExecAsync '%s', @order
    set @i += 1
end
commit`, n, width, strings.ReplaceAll(text, "'", "''")))
}

func (b *bench) ahoyLeft() int64 {
	b.Helper()
	return b.number("select count(*) from ahoy_task where atask_state in ('TBD', 'RUN')")
}

func (b *bench) ahoyUp() {
	b.Helper()
	b.script("ahoy.sql", "/")
	b.exec(fmt.Sprintf("update ahoy_par set apar_threads = %d", seedWorkers))
}

func (b *bench) ahoyAdd(_ int, length time.Duration) {
	b.Helper()
	_, err := b.db.ExecContext(b.Context(), "insert into ahoy_task (atask_cmd, atask_state) select :1, 'TBD' from dual connect by level <= :2", b.dialect.Sleep(length), seedTasks)
	require.NoError(b, err)
	b.ahoyStir()
}

// ahoyStir starts the first thread, which starts the others; again if all have ended before the tasks.
func (b *bench) ahoyStir() {
	b.Helper()
	if b.number(`select count(*) from user_scheduler_jobs where job_name like 'AHOY\_JOB\_%' escape '\'`) == 0 && b.ahoyLeft() > 0 {
		b.exec("begin ahoy_proc.threadAsync; end;")
	}
}

// TestMSSQLEnqueue: what it costs to enqueue a task, alone and among many in one call.
func TestMSSQLEnqueue(t *testing.T) {
	onMSSQL(t, 1, func(b *bench) {
		const n = 1000
		loop := fmt.Sprintf("DECLARE @I int = 0; BEGIN TRANSACTION; WHILE @I < %d BEGIN %s SET @I += 1; END; COMMIT;", n, b.enqueueing)
		b.recordTask("enqueue/one-call-each", per(b.spent(func() { b.exec(loop) }), n))
		b.recordTask("enqueue/one-call-for-1000", per(b.spent(func() { b.batch(n, n, b.nothing) }), n))
	})
}
