package cost

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// maxGrowth is how many times as much the same work may cost beside very many other tasks.
const maxGrowth = 1.3

// TestTaskBesideMany: what claiming, running and completing a task costs does not depend on how many tasks there are: pending in
// its wave and in later ones, delayed, finished.
func TestTaskBesideMany(t *testing.T) {
	many, finished := 10_000, 20_000
	if full {
		many, finished = 100_000, 1_000_000
	}
	each(t, 1, func(b *bench) {
		b.exec(b.numbers...)
		b.workers(0)
		b.start()

		b.fill(b.pending, 1_000)
		few := perTask(b)
		b.recordTask("task/among-1000-unfinished", few)
		require.LessOrEqual(b, few.flushes, 1.0, "commits that wait for the log")
		require.LessOrEqual(b, few.rows, 18.0, "rows read")
		require.LessOrEqual(b, few.locks, 32.0, "locks taken")
		for _, stage := range []struct {
			name, more string
			n          int
		}{
			{fmt.Sprintf("among-%d-unfinished", many), b.pending, many - 1_000},
			{fmt.Sprintf("beside-%d-delayed", many), b.delayed, many},
			{fmt.Sprintf("beside-%d-finished", finished), b.finished, finished},
		} {
			b.fill(stage.more, stage.n)
			cost := perTask(b)
			b.recordTask("task/"+stage.name, cost)
			require.LessOrEqual(b, cost.rows, few.rows*maxGrowth, "rows read, %s", stage.name)
			require.LessOrEqual(b, cost.locks, few.locks*maxGrowth, "locks taken, %s", stage.name)
		}
	})
}

// TestTaskBesideProcesses: a claim looks at each process that has work before it chooses one. The target does not cover this,
// but it is what a user with very many processes pays.
func TestTaskBesideProcesses(t *testing.T) {
	each(t, 1, func(b *bench) {
		require.NoError(b, b.sched.SetPolicy(b.Context(), dialects.Fifo)) // else the others have their turn first
		b.workers(0)
		b.start()
		for range 100 {
			id, err := b.sched.CreateProcess(b.Context(), dialects.NewProcess{Name: "other"})
			require.NoError(b, err)
			b.enqueue(dialects.NewTask{ProcessID: id, SQL: b.nothing, Order: 1})
		}
		b.pause(time.Minute) // until the dispatcher has seen them all
		b.recordTask("task/beside-100-processes", perTask(b))
	})
}

// TestTaskOfSeveral: with several processes that have work, RoundRobin ends a task of one and claims one of another. Two commits that
// wait for the log: two workers that each held both processes could wait for each other.
func TestTaskOfSeveral(t *testing.T) {
	const processes, tasks, rest = 4, 20, 30 * time.Second
	each(t, 1, func(b *bench) {
		var list []dialects.NewTask
		for i := range processes {
			id := b.process(dialects.NewProcess{Name: "one of several"})
			add := func(n int, priority int, text string) {
				for range n {
					list = append(list, dialects.NewTask{ProcessID: id, SQL: text, Order: 1, Priority: priority})
				}
			}
			if i > 0 {
				add(2*tasks, 0, b.nothing) // it does not end meanwhile
				continue
			}
			add(1, 2, b.dialect.Sleep(rest)) // what is measured begins in this task
			add(tasks, 1, b.nothing)
			add(1, 0, b.dialect.Sleep(rest)) // and ends in this one
		}
		ids := b.enqueue(list...)
		b.start()
		b.until("the task before", time.Minute, func() bool { return b.runs() == ids[0] })
		b.pause(6 * time.Second)
		before := b.starts()
		c := b.spent(func() { b.pause(rest) })
		require.Equal(b, ids[tasks+1], b.runs(), "in this time all measured tasks have run")
		cost := per(c, b.starts()-before)
		b.recordTask("task/of-several-processes", cost)
		require.LessOrEqual(b, cost.flushes, 2.0, "commits that wait for the log")
	})
}

// fill adds n tasks by one of the engine's statements.
func (b *bench) fill(statement string, n int) {
	b.Helper()
	const most = 100_000 // in b.numbers
	for ; n > 0; n -= most {
		_, err := b.db.ExecContext(b.Context(), statement, min(n, most))
		require.NoError(b, err, statement)
	}
}

// taskCost is what one task costs on average. Where it is measured, log is how many bytes of rows it writes to the log, and locked for how
// many microseconds transactions keep the row of its process from others.
type taskCost struct{ statements, queries, rows, written, locks, flushes, records, log, locked float64 }

func (b *bench) recordTask(name string, c taskCost) {
	b.Helper()
	b.record(name+"/statements", c.statements)
	b.record(name+"/queries", c.queries)
	b.record(name+"/rows-read", c.rows)
	b.record(name+"/rows-written", c.written)
	b.record(name+"/locks", c.locks)
	b.record(name+"/commits-that-wait", c.flushes)
	b.record(name+"/log-records", c.records)
	if c.log > 0 {
		b.record(name+"/log-bytes", c.log)
	}
	if c.locked > 0 {
		b.record(name+"/process-row-locked-microseconds", c.locked)
	}
}

func per(c sandbox.Counters, n int) taskCost {
	f := float64(n)
	return taskCost{
		statements: float64(c.Statements) / f, queries: float64(c.Queries) / f, rows: float64(read(c)) / f, written: float64(c.RowsWritten) / f,
		locks: float64(c.Locks) / f, flushes: float64(c.Flushes) / f, records: float64(c.LogRecords) / f,
	}
}

// worked adds to the cost of n tasks what their transactions have written and locked since before.
func (c *taskCost) worked(b *bench, before sandbox.Work, n int) {
	after := b.box.Work()
	c.log = float64(after.Log-before.Log) / float64(n)
	c.locked = float64((after.Locked[b.rows] - before.Locked[b.rows]).Microseconds()) / float64(n)
}

// perTask is what claiming, running and completing one task costs on a worker in its steady state. It expects a scheduler
// without workers, and leaves it that way.
func perTask(b *bench) taskCost {
	b.Helper()
	const warm, measured, rest = 20, 50, 30 * time.Second
	var tasks []dialects.NewTask
	add := func(n, priority int, text string) {
		for range n {
			tasks = append(tasks, dialects.NewTask{SQL: text, Order: 1, Priority: priority})
		}
	}
	add(warm, 40, b.nothing)
	add(1, 30, b.dialect.Sleep(rest))
	add(measured, 20, b.nothing)
	add(1, 10, b.dialect.Sleep(rest))
	ids := b.enqueue(tasks...)
	before, after := ids[warm], ids[len(ids)-1]

	b.workers(1)
	b.until("the task before", time.Minute, func() bool { return b.runs() == before })
	b.start() // the next sweep is in a minute
	b.pause(6 * time.Second)
	work := b.box.Work()
	cost := per(b.spent(func() { b.pause(rest) }), measured+1) // includes the end of the task before and the start of the one after
	cost.worked(b, work, measured+1)
	require.Equal(b, after, b.runs(), "in this time all measured tasks have run")
	b.workers(0) // the rest stays for the next measurement
	b.until("the task after", time.Minute, func() bool { return b.runs() == 0 })
	return cost
}

// starts counts the attempts that have started.
func (b *bench) starts() int {
	b.Helper()
	logs, err := b.sched.Logs(b.Context(), dialects.Filter{})
	require.NoError(b, err)
	return len(logs)
}

// runs returns the running task, if there is one.
func (b *bench) runs() int64 {
	b.Helper()
	lanes, err := b.sched.Lanes(b.Context())
	require.NoError(b, err)
	for _, l := range lanes {
		if l.TaskID != 0 {
			return l.TaskID
		}
	}
	return 0
}

// drain waits on the server until no task is left.
func (b *bench) drain() {
	b.Helper()
	for b.status().Unfinished > 0 {
		b.pause(5 * time.Second)
	}
}
