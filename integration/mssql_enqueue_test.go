package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLBatchOfATable: a table-valued parameter does what JSON does; its numbers need not be consecutive.
func TestMSSQLBatchOfATable(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		h.user("alice", "user")
		a := h.as("alice")
		rows := a.rows("DECLARE @T dbsched.TaskTable; INSERT INTO @T (TaskNo, SQL, ExecutionOrder, Priority) VALUES (30, N'SELECT 1;', 1, 2), (-5, N'SELECT 2;', 1, NULL), (7, N'SELECT 3;', 2, 1); EXEC dbsched.ExecAsyncTable @T;")
		require.Len(h, rows, 3)
		require.Equal(h, []string{"-5", "7", "30"}, []string{rows[0][0], rows[1][0], rows[2][0]})
		require.Less(h, number(h, rows[0][1]), number(h, rows[2][1]))
		h.drain(time.Minute)
		for _, task := range h.tasks() {
			require.Equal(h, "Succeeded", task.Status)
			require.Equal(h, "alice", task.EnqueuedBy)
		}
		require.ErrorContains(h, a.try("DECLARE @T dbsched.TaskTable; INSERT INTO @T (TaskNo, SQL, ExecutionOrder) VALUES (1, N'x', 1), (9, N'', 1); EXEC dbsched.ExecAsyncTable @T;"), "dbsched 51001: task 9:")
		require.Error(h, a.try("SELECT * FROM dbsched.ReadParameters(N'{}') AS p;"), "private")
	})
}

// TestMSSQLKeysAreTheirUsers: another user's key neither returns its task nor keeps one from running.
func TestMSSQLKeysAreTheirUsers(t *testing.T) {
	onMSSQL(t, setup{lanes: 2, stopped: true}, func(h *harness) {
		h.user("alice", "user")
		h.user("bob", "user")
		a := number(h, h.as("alice").ask(h.say.keyed(1, h.dialect.Sleep(5*time.Second), "k")))
		b := number(h, h.as("bob").ask(h.say.keyed(1, h.say.nothing, "k")))
		require.NotEqual(h, a, b)
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded"}, h.statuses([]int64{a, b}))
	})
}

// TestMSSQLParametersRunAsTheUser: the statement that binds the values has the user's rights.
func TestMSSQLParametersRunAsTheUser(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.user("alice", "user")
		id := number(h, h.as("alice").ask("DECLARE @Id bigint; EXEC dbsched.ExecAsync N'IF USER_NAME() <> @Who THROW 50001, N''somebody else'', 1;', 1, @Parameters = N'{\"Who\": \"alice\"}', @TaskId = @Id OUTPUT; SELECT @Id;"))
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id), h.report())
	})
}

// TestMSSQLBatchCost: a batch costs a fraction of as many calls, and sends one wake-up.
func TestMSSQLBatchCost(t *testing.T) {
	onMSSQL(t, setup{stopped: true}, func(h *harness) {
		const n = 200
		var tasks []map[string]any
		for range n {
			tasks = append(tasks, map[string]any{"SQL": h.say.nothing, "ExecutionOrder": 1})
		}
		c := h.session()
		h.pause(5 * time.Second)
		before := h.counters()
		c.begin()
		for range n {
			c.enqueue(1, h.say.nothing)
		}
		c.commit()
		single := h.counters()
		require.Len(h, c.ids(batchOf(h, tasks...)), n)
		batch := h.counters()
		h.Logf("one by one %+v, together %+v", single, batch)
		require.Less(h, (batch.Statements-single.Statements)*20, single.Statements-before.Statements, "statements")
		// Rows of table variables, which no other session waits for.
		require.Less(h, batch.RowsSeek-single.RowsSeek+batch.RowsScanned-single.RowsScanned, int64(12*n), "rows read")
		require.Less(h, batch.Locks-single.Locks, single.Locks-before.Locks, "locks")
		require.LessOrEqual(h, batch.Messages-single.Messages, int64(1), "messages")
	})
}

// TestMSSQLPlanCache: a thousand tasks with the same parameterized text add no more plans than the first of them.
func TestMSSQLPlanCache(t *testing.T) {
	onMSSQL(t, setup{lanes: 4}, func(h *harness) {
		const n = 1000
		c := h.session()
		run := func(from, to int) {
			var tasks []map[string]any
			for i := from; i < to; i++ {
				tasks = append(tasks, map[string]any{"SQL": "DECLARE @M int = @N;", "ExecutionOrder": 1, "Parameters": map[string]any{"N int": i}})
			}
			// Bound, as by a client: the tasks are not part of any text.
			_, err := c.conn.ExecContext(h.Context(), "EXEC dbsched.ExecAsyncBatch @p1;", batchOf(h, tasks...))
			require.NoError(h, err)
			h.drain(time.Hour)
		}
		plans := func() int64 { return number(h, c.value("SELECT COUNT(*) FROM sys.dm_exec_cached_plans;")) }
		run(0, 200)
		h.pause(5 * time.Minute)
		_ = plans()
		before := plans()
		run(200, n)
		require.LessOrEqual(h, plans(), before+5, "plans grow with the tasks")
		failed, err := h.sched.Tasks(h.Context(), dialects.Filter{Statuses: []string{"Failed"}, Limit: 1})
		require.NoError(h, err)
		require.Empty(h, failed)
	})
}

// TestMSSQLEnqueueBesideWorkers: an enqueuer waits for no worker that holds the row of its process, except in a process that nobody has
// served yet, which may be uncommitted.
func TestMSSQLEnqueueBesideWorkers(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		served, fresh := h.process(dialects.NewProcess{Name: "served"}), h.process(dialects.NewProcess{Name: "fresh"})
		h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: served})
		h.waitFor(served, time.Minute)
		holder := h.session()
		holder.begin()
		holder.exec("UPDATE dbsched.Processes SET Weight = 2;")
		s := h.session()
		before := h.now()
		for _, p := range []int64{1, served} {
			s.exec(fmt.Sprintf("EXEC dbsched.ExecAsync N'%s', 1, @ProcessId = %d;", h.say.nothing, p))
		}
		require.Less(h, h.now().Sub(before), time.Second)
		require.ErrorContains(h, s.try(fmt.Sprintf("EXEC dbsched.ExecAsync N'%s', 1, @ProcessId = %d;", h.say.nothing, fresh)), "51011")
		holder.rollback()
		h.drain(time.Minute)
		h.waitFor(served, time.Minute)
	})
}

// TestMSSQLCommitReleasesLockByLock: the wake-up of a transaction may be seen before the locks on its tasks and on its mark are released; here
// another session holds them for a moment. The dispatcher looks again, and not only in its next sweep.
func TestMSSQLCommitReleasesLockByLock(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.pause(10 * time.Second)
		enqueuer, holder := h.session(), h.session()
		enqueuer.begin()
		enqueuer.enqueue(1, h.say.nothing)
		id := h.tasks()[0].ID
		done := make(chan error)
		go func() {
			done <- holder.try(fmt.Sprintf("BEGIN TRANSACTION; DECLARE @Id bigint; SELECT @Id = t.TaskId FROM dbsched.Tasks AS t WITH (XLOCK, ROWLOCK) WHERE t.TaskId = %d; SELECT @Id = COUNT(*) FROM dbsched.WakeSent AS w WITH (XLOCK, ROWLOCK); WAITFOR DELAY '00:00:00.500'; ROLLBACK;", id))
		}()
		h.untilWaiting(1, "the holder")
		enqueuer.commit()
		committed := h.now()
		require.NoError(h, <-done)
		h.startsWithin(id, committed, 3*time.Second)
	})
}

// TestMSSQLKeysOfABatchAreTheirUsers: the same for many tasks at once: a key names one task of each user, whichever way it was enqueued.
func TestMSSQLKeysOfABatchAreTheirUsers(t *testing.T) {
	onMSSQL(t, setup{lanes: 2, stopped: true}, func(h *harness) {
		h.user("alice", "user")
		h.user("bob", "user")
		alice, bob := h.as("alice"), h.as("bob")
		task := map[string]any{"SQL": h.say.nothing, "ExecutionOrder": 1, "DedupKey": "batch"}
		for way, enqueue := range sorted(map[string]func(s *session) []int64{
			"ExecAsyncBatch": func(s *session) []int64 { return s.ids(batchOf(h, task, task)) },
			"ExecAsyncTable": func(s *session) (ids []int64) {
				for _, row := range s.rows("DECLARE @T dbsched.TaskTable; INSERT INTO @T (TaskNo, SQL, ExecutionOrder, DedupKey) VALUES (1, N'SELECT 1;', 1, N'table'), (2, N'SELECT 2;', 1, N'table'); EXEC dbsched.ExecAsyncTable @T;") {
					ids = append(ids, number(h, row[1]))
				}
				return ids
			},
		}) {
			a, b := enqueue(alice), enqueue(bob)
			require.Len(h, a, 2, way)
			require.Equal(h, []int64{a[0], a[0]}, a, way)
			require.Equal(h, []int64{b[0], b[0]}, b, way)
			require.NotEqual(h, a, b, way)
			require.Equal(h, a, enqueue(alice), way)
			require.Equal(h, b, enqueue(bob), way)
		}
		require.Len(h, h.tasks(), 4)
		for _, key := range []string{"batch", "table"} {
			number(h, bob.ask(h.say.keyed(1, h.say.nothing, key)))
		}
		require.Len(h, h.tasks(), 4, "one by one or many")
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(time.Minute)
		for _, task := range h.tasks() {
			require.Equal(h, "Succeeded", task.Status)
		}
	})
}

// TestMSSQLParameterThatIsTooLong: blanks at the end of a value count, which LEN does not see: they are bound whole, or refused.
func TestMSSQLParameterThatIsTooLong(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		enqueue := func(name string, letters, blanks, bytes int) string {
			return fmt.Sprintf("DECLARE @Id bigint, @P nvarchar(max) = N'{\"%s\": \"' + REPLICATE(CONVERT(nvarchar(max), N'x'), %d) + REPLICATE(CONVERT(nvarchar(max), N' '), %d) + N'\"}';"+
				" EXEC dbsched.ExecAsync N'IF DATALENGTH(@A) <> %d THROW 50001, N''cut'', 1;', 1, @Parameters = @P, @TaskId = @Id OUTPUT; SELECT @Id;", name, letters, blanks, bytes)
		}
		for _, c := range []struct {
			name                   string
			letters, blanks, bytes int
		}{
			{"A nvarchar", 3998, 2, 8000}, {"A nvarchar", 0, 4000, 8000}, {"A", 3999, 2, 8002}, {"A nvarchar(max)", 3999, 2, 8002},
			{"A varchar", 7998, 2, 8000}, {"A varchar(max)", 7999, 2, 8001},
		} {
			id := number(h, s.ask(enqueue(c.name, c.letters, c.blanks, c.bytes)))
			h.drain(time.Minute)
			require.Equal(h, "Succeeded", h.statusOf(id), "%+v %s", c, h.report())
		}
		before := len(h.tasks())
		for _, c := range []struct {
			name            string
			letters, blanks int
		}{{"A nvarchar", 3999, 2}, {"A nvarchar", 0, 4001}, {"A nvarchar", 4001, 0}, {"A varchar", 7999, 2}, {"A varchar", 0, 8001}} {
			require.ErrorContains(h, s.try(enqueue(c.name, c.letters, c.blanks, 0)), "51034", "%+v", c)
		}
		require.Len(h, h.tasks(), before)
	})
}
