package integration

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

func mssqlEnqueueing(schema string) enqueueing {
	q := func(name string) string { return templates.QuoteIdent(schema) + "." + name }
	lit := templates.QuoteString
	values := func(member, value string) string { return fmt.Sprintf(`{"%s": %s}`, member, value) }
	task := func(more string) string {
		return `[{"SQL": "SELECT 1", "ExecutionOrder": 1}, {"SQL": "SELECT 1", "ExecutionOrder": 1` + more + `}, {"SQL": "SELECT 1", "ExecutionOrder": 1, "Parameters": {"A int": 1}}]`
	}
	return enqueueing{
		keyed: func(order int, task, key string) string {
			return fmt.Sprintf("DECLARE @Id bigint; EXEC %s %s, %d, @DedupKey = %s, @TaskId = @Id OUTPUT; SELECT @Id;", q("ExecAsync"), lit(task), order, lit(key))
		},
		batch: func(ctx context.Context, c conn, tasks string) ([]int64, error) {
			rows, err := c.QueryContext(ctx, fmt.Sprintf("EXEC %s %s;", q("ExecAsyncBatch"), lit(tasks)))
			if err != nil {
				return nil, err
			}
			defer rows.Close()
			var ids []int64
			for rows.Next() {
				var task, id int64
				if err := rows.Scan(&task, &id); err != nil {
					return nil, err
				}
				ids = append(ids, id)
			}
			return ids, rows.Err()
		},
		member: func(name string) string { return name },
		duplicateOf: func(task int64) string {
			return fmt.Sprintf("SELECT t.DuplicateOf FROM %s AS t WHERE t.TaskId = %d;", q("TaskInfo"), task)
		},
		bound: "INSERT INTO dbo.Marks (N) VALUES (@N);",
		allBound: `IF NOT (@Bit = 1 AND @Tiny = 255 AND @Small = -7 AND @Big = 9223372036854775807 AND @Dec = 12.50 AND @Most = 9999999999999999.99 AND @Least = -99.99 AND @Part = 0.99 AND @Rounded = 10.00 AND @Money = 1.5 AND @Float = 1e3
    AND @Date = '20260131' AND @Time = '23:59:00' AND @Stamp = CONVERT(datetime2, '2026-01-31T04:05:06.7') AND @Zone = CONVERT(datetimeoffset, '2026-01-31T04:00:00+02:00')
    AND @Id = CONVERT(uniqueidentifier, '6F9619FF-8B86-D011-B42D-00C04FC964FF') AND @Text = N'it''s; DROP TABLE dbo.Marks --' AND @Ansi = 'x' AND @Bytes = 0x0A0B
    AND LEN(@Long) = 5000 AND LEN(@Max) = 9 AND @Nothing IS NULL AND @_n1 = 1.5 AND @Thousand = 1000 AND @Half = -0.5 AND @Yes = 1 AND @p_Text = N'y' AND @SqlText = N'z')
    THROW 50001, N'not what was given', 1;`,
		allValues: `{"Bit bit": true, "Tiny tinyint": 255, "Small smallint": -7, "Big bigint": 9223372036854775807, "Dec decimal(9, 2)": 12.50, "Most decimal(18,2)": 9999999999999999.99, "Least decimal(4,2)": -99.994, "Part decimal(2,2)": 0.994, "Rounded decimal(4,2)": 9.995,
			"Money money": 1.5,
			"Float float": 1e3, "Date DATE": "2026-01-31", "Time time": "23:59", "Stamp datetime2": "2026-01-31T04:05:06.7", "Zone datetimeoffset": "2026-01-31T04:00:00+02:00",
			"Id uniqueidentifier": "6F9619FF-8B86-D011-B42D-00C04FC964FF", "Text nvarchar": "it's; DROP TABLE dbo.Marks --", "Ansi varchar": "x", "Bytes varbinary": "0x0A0B",
			"Max nvarchar(max)": "max value", "Nothing int": null, "_n1": 1.5, "Thousand": 1e3, "Half": -5E-1, "Yes": true, "p_Text": "y", "SqlText": "z", "Long": "` + strings.Repeat("x", 5000) + `"}`,
		ends: []string{
			"INSERT INTO dbo.Marks (N) VALUES (-1); COMMIT;",
			"INSERT INTO dbo.Marks (N) VALUES (-1); ROLLBACK;",
			"INSERT INTO dbo.Marks (N) VALUES (-1); COMMIT; BEGIN TRANSACTION;",
			"INSERT INTO dbo.Marks (N) VALUES (-1); ROLLBACK; BEGIN TRANSACTION; INSERT INTO dbo.Marks (N) VALUES (-1);",
			"BEGIN TRY INSERT INTO dbo.Marks (N) VALUES (-1); SELECT 1 / 0; END TRY BEGIN CATCH ROLLBACK; THROW; END CATCH;",
			"INSERT INTO dbo.Marks (N) VALUES (-1); COMMIT; THROW 50001, N'after all', 1;",
		},
		slowly: func(n int, d time.Duration) string {
			return fmt.Sprintf("INSERT INTO dbo.Marks (N) VALUES (%d); %s", n, mssqlPause(d))
		},
		enqueuesAndFails: fmt.Sprintf("EXEC %s N'SELECT 1;', 2; THROW 50001, N'no', 1;", q("ExecAsync")),
		leavesOpen:       "INSERT INTO dbo.Marks (N) VALUES (-1); BEGIN TRANSACTION;",
		badValues: map[string]int{
			"x": 31, "[]": 31, "[1]": 31, `"x"`: 31, `{"a": 1`: 31,
			values("", "1"): 32, values("1a", "1"): 32, values("@a", "1"): 32, values("a-b", "1"): 32, values("a;b int", "1"): 32, values(" a", "1"): 32,
			values(strings.Repeat("x", 101), "1"): 32, `{"a": 1, "A int": 2}`: 32, values("ä", "1"): 32,
			values("a xml", `"<a/>"`): 33, values("a sysname", `"x"`): 33, values("a int = 1", "1"): 33, values("a int, @b int", "1"): 33, values("a decimal", "1"): 33,
			values("a decimal(39,1)", "1"): 33, values("a decimal(5,6)", "1"): 33, values("a dbo.MyType", "1"): 33, values("a nvarchar(10)", `"x"`): 33, values("a int output", "1"): 33,
			values("a", "[1]"): 34, values("a", `{"b": 1}`): 34, values("a int", `"1"`): 34, values("a int", "1.5"): 34, values("a tinyint", "256"): 34, values("a bit", "1"): 34,
			values("a date", `"31.01.2026"`): 34, values("a date", `"2026-02-30"`): 34, values("a datetime2", `"2026-01-31 04:00"`): 34, values("a uniqueidentifier", `"x"`): 34,
			values("a varbinary", `"0A"`): 34, values("a nvarchar", `"`+strings.Repeat("x", 4001)+`"`): 34, values("a decimal(4,2)", "100"): 34, values("a decimal(4,2)", "-99.995"): 34, values("a decimal(2,2)", "0.995"): 34, values("a decimal(4,2)", "1e1"): 34, values("a bigint", "9223372036854775808"): 34,
			values("a nvarchar", "1"): 34, values("a int", "true"): 34, values("a datetime2", `"2026-01-31T04:00:00+02:00"`): 34,
			values("a"+strings.Repeat(" ", 200), "1"): 32,
		},
		badBatches: map[string]int{
			"": 36, "{}": 36, "x": 36, "[1]": 36, "[[]]": 36,
			task(`, "Prioritty": 1`): 36, task(`, "priority": 1`): 36, task(`, "Priority": "1"`): 36, task(`, "Priority": 1.5`): 36, task(`, "NotBefore": "tomorrow"`): 36, task(`, "NotBefore": "2026-01-31T04:00:00-02:00"`): 36,
			task(`, "Parameters": "x"`): 36, task(`, "Transactional": 1`): 36, task(`, "OnOrphan": "` + strings.Repeat("x", 31) + `"`): 36,
			task(`, "OnOrphan": "` + strings.Repeat("x", 30) + `"`): 8, task(`, "Resource": "r", "Access": "` + strings.Repeat("x", 30) + `"`): 8, task(`, "Access": "` + strings.Repeat("x", 31) + `"`): 36,
			task(`, "Resource": "` + strings.Repeat("x", 128) + `"`): 40, task(`, "Resource": "` + strings.Repeat("x", 129) + `"`): 36, task(`, "DedupKey": "` + strings.Repeat("x", 4000) + `"`): 30,
			task(`, "DedupKey": "` + strings.Repeat("x", 4001) + `"`): 36, task(`, "NotBefore": "2026-01-31"`): 36, task(`, "NotBefore": "2026-01-31T"`): 36,
			task(`, "NotBefore": "2026-01-31T04:00:00+02:00"`): 36, task(`, "NotBefore": 5`): 36, task(`, "ProcessId": "1"`): 36, task(`, "MaxAttempts": 2147483648`): 36, task(`, "Transactional": "true"`): 36, task(`, "SQL": 5`): 36,
			task(`, "DedupKey": 5`): 36, task(`, "Resource": 5`): 36, task(`, "Access": true`): 36, task(`, "OnOrphan": []`): 36, task(`, "Parameters": []`): 36, task(`, "NotBefore": "31-01-2026T04:00:00"`): 36,
			task(`, "MaxAttempts": 0`): 3, task(`, "OnOrphan": "forget"`): 8, task(`, "ProcessId": 4711`): 4, task(`, "DedupKey": ""`): 30,
			task(`, "Parameters": {"a xml": "x"}`): 33, task(`, "TimeoutSeconds": 0`): 3, task(`, "Resource": "nothing"`): 40, task(`, "Access": "Shared"`): 41,
			`[{"SQL": " ", "ExecutionOrder": 1}]`: 1, `[{"SQL": "SELECT 1"}]`: 2, `[{"SQL": null, "ExecutionOrder": 1}]`: 1,
		},
	}
}

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
