package integration

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// nasty is a task that tries to leave something behind.
type nasty struct {
	name, sql string
	number    int  // of its error; 0: it succeeds
	realOnly  bool // the sandbox refuses to model it
}

var nastyTasks = []nasty{
	{"nothing", "DECLARE @Nothing int;", 0, false},
	{"open transaction", "BEGIN TRANSACTION; BEGIN TRANSACTION;", 51020, false},
	{"open transaction and error", "BEGIN TRANSACTION; SELECT 1 / 0;", 8134, false},
	{"commit of ours", "COMMIT;", 3902, false},
	{"rollback of ours", "ROLLBACK;", 3903, false},
	{"named savepoint of nobody", "ROLLBACK TRANSACTION Nobody;", 3903, false},
	{"revert", "REVERT;", 0, false},
	{"reverts", "REVERT; REVERT; REVERT; REVERT;", 0, false},
	{"impersonation left behind", "EXECUTE AS USER = N'anna';", 0, false},
	{"options", "SET ANSI_WARNINGS OFF; SET ANSI_PADDING OFF; SET ARITHABORT OFF; SET CONCAT_NULL_YIELDS_NULL OFF; SET QUOTED_IDENTIFIER OFF; SET ANSI_NULLS OFF;", 0, false},
	{"numeric option", "SET NUMERIC_ROUNDABORT ON;", 0, false},
	{"counting", "SET NOCOUNT OFF; SET ROWCOUNT 1;", 0, false},
	{"XACT_ABORT", "SET XACT_ABORT ON;", 0, false},
	{"XACT_ABORT and error", "SET XACT_ABORT ON; SELECT 1 / 0;", 8134, false},
	{"isolation", "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;", 0, false},
	{"language", "SET LANGUAGE Deutsch;", 0, true},
	{"dates", "SET DATEFIRST 3;", 0, false},
	{"date format", "SET DATEFORMAT dmy;", 0, true},
	{"lock timeout", "SET LOCK_TIMEOUT 1;", 0, false},
	{"deadlock priority", "SET DEADLOCK_PRIORITY LOW;", 0, false},
	{"context info", "SET CONTEXT_INFO 0x1234;", 0, false},
	{"session context", "EXEC sys.sp_set_session_context @key = N'leftover', @value = N'secret', @read_only = 1;", 0, false},
	{"global cursor", "DECLARE Leftover CURSOR GLOBAL FOR SELECT 1; OPEN Leftover;", 0, false},
	{"global cursor again", "DECLARE Leftover CURSOR GLOBAL FOR SELECT 1;", 0, false},
	{"a hundred global cursors", "DECLARE @N int = 1, @Text nvarchar(200); WHILE @N <= 99 BEGIN SET @Text = CONCAT(N'DECLARE Earlier', @N, N' CURSOR GLOBAL FOR SELECT 1;'); EXEC (@Text); SET @N += 1; END; DECLARE Leftover CURSOR GLOBAL FOR SELECT 1;", 0, false},
	{"cursor and error", "DECLARE Leftover CURSOR GLOBAL FOR SELECT 1; OPEN Leftover; SELECT 1 / 0;", 8134, false},
	{"application lock", "EXEC sys.sp_getapplock @Resource = N'leftover', @LockMode = 'Exclusive', @LockOwner = 'Session';", 0, false},
	{"temporary table", "CREATE TABLE #Leftover (A int NOT NULL);", 0, false},
	{"result sets", "SELECT 1; SELECT 2, 3; PRINT N'text'; RAISERROR (N'informational', 10, 1);", 0, false},
	{"return", "RETURN;", 0, false},
	{"recursion without end", "EXEC dbo.Recurse;", 217, false},
}

// sessionState records what the next task of the session sees.
const sessionState = `INSERT INTO dbo.State (After, What, Value)
SELECT N'%s', v.What, v.Value
FROM (VALUES (N'transactions', CONVERT(nvarchar(100), @@TRANCOUNT)),
             (N'options', CONVERT(nvarchar(100), @@OPTIONS)),
             (N'language', CONVERT(nvarchar(100), @@LANGUAGE)),
             (N'first day', CONVERT(nvarchar(100), @@DATEFIRST)),
             (N'lock timeout', CONVERT(nvarchar(100), @@LOCK_TIMEOUT)),
             (N'deadlock priority', (SELECT CONVERT(nvarchar(100), s.deadlock_priority) FROM sys.dm_exec_sessions AS s WHERE s.session_id = @@SPID)),
             (N'isolation', (SELECT CONVERT(nvarchar(100), s.transaction_isolation_level) FROM sys.dm_exec_sessions AS s WHERE s.session_id = @@SPID)),
             (N'date format', CONVERT(nvarchar(100), DATEPART(month, CONVERT(datetime, '02/01/2020')))),
             (N'row limit', (SELECT CONVERT(nvarchar(100), COUNT(*)) FROM (SELECT r.N FROM (VALUES (1), (2), (3)) AS r (N)) AS x)),
             (N'database', DB_NAME()),
             (N'temporary table', CONVERT(nvarchar(100), OBJECT_ID(N'tempdb..#Leftover'))),
             (N'cursor', CONVERT(nvarchar(100), CURSOR_STATUS('global', 'Leftover'))),
             (N'context info', CONVERT(nvarchar(100), CONTEXT_INFO(), 1)),
             (N'user', USER_NAME())) AS v (What, Value);`

// foreignState records what another user's task must not see, though one of the same user may.
const foreignState = `INSERT INTO dbo.State (After, What, Value)
SELECT N'%s', v.What, v.Value
FROM (VALUES (N'session context', CONVERT(nvarchar(100), SESSION_CONTEXT(N'leftover'))),
             (N'application lock', APPLOCK_MODE(N'public', N'leftover', N'Session'))) AS v (What, Value);`

// TestMSSQLTasksLeaveNothingBehind: after each task the next one of the same lane begins in the same state as the first, whether it is
// the same user's or another's.
func TestMSSQLTasksLeaveNothingBehind(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		s.exec("CREATE TABLE dbo.State (Id int IDENTITY(1, 1) NOT NULL PRIMARY KEY, After nvarchar(100) NOT NULL, What nvarchar(100) NOT NULL, Value nvarchar(100) NULL);")
		s.exec("GRANT INSERT ON dbo.State TO public;")
		s.exec("CREATE PROCEDURE dbo.Recurse AS EXEC dbo.Recurse;")
		s.exec("GRANT EXECUTE ON dbo.Recurse TO public;")
		h.user("anna", "user")
		h.user("bert", "user")

		tasks := slices.Clone(nastyTasks)
		if h.server.box != nil {
			tasks = slices.DeleteFunc(tasks, func(n nasty) bool { return n.realOnly })
		}
		ids := map[string]int64{}
		anna, bert := h.as("anna"), h.as("bert")
		for i, n := range tasks {
			anna.begin()
			ids[n.name] = number(h, anna.ask(h.say.enqueueReturn(0, 4*i, n.sql)))
			anna.enqueue(4*i+1, fmt.Sprintf(sessionState, n.name))
			anna.commit()
			bert.begin()
			bert.enqueue(4*i+2, fmt.Sprintf(strings.ReplaceAll(sessionState, "USER_NAME()", "NULL"), n.name+", other user"))
			bert.enqueue(4*i+3, fmt.Sprintf(foreignState, n.name))
			bert.commit()
		}
		h.drain(5 * time.Minute)
		for _, l := range h.logs() {
			if l.ErrorNumber != 0 && l.Order%4 != 0 {
				require.Fail(h, l.ErrorMessage, "a probe failed: %s", h.report())
			}
		}
		for _, n := range tasks {
			logs := h.logsOf(ids[n.name])
			require.Len(h, logs, 1, n.name)
			require.Equal(h, n.number, logs[0].ErrorNumber, "%s: %s", n.name, logs[0].ErrorMessage)
		}
		clean := s.rows("SELECT What, Value FROM dbo.State WHERE After = N'nothing' AND What NOT IN (N'session context', N'application lock') ORDER BY Id;")
		require.NotEmpty(h, clean)
		require.Contains(h, clean, []string{"user", "anna"})
		for _, n := range tasks {
			require.Equal(h, clean, s.rows("SELECT What, Value FROM dbo.State WHERE After = @p1 AND What NOT IN (N'session context', N'application lock') ORDER BY Id;", n.name), n.name)
			other := s.rows("SELECT What, Value FROM dbo.State WHERE After = @p1 ORDER BY Id;", n.name+", other user")
			require.Equal(h, len(clean), len(other), n.name)
			for i := range clean {
				if clean[i][0] != "user" {
					require.Equal(h, clean[i], other[i], n.name)
				}
			}
			require.Equal(h, [][]string{{"session context", "NULL"}, {"application lock", "NoLock"}},
				s.rows("SELECT What, Value FROM dbo.State WHERE After = @p1 AND What IN (N'session context', N'application lock') ORDER BY Id;", n.name), n.name)
		}
		h.requireNoAlarms()
	})
}

// TestMSSQLTransactionalTasksLeaveNothingBehind: nor does what dbsched does to record the end of a transactional task.
func TestMSSQLTransactionalTasksLeaveNothingBehind(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		s.exec("CREATE TABLE dbo.State (Id int IDENTITY(1, 1) NOT NULL PRIMARY KEY, After nvarchar(100) NOT NULL, What nvarchar(100) NOT NULL, Value nvarchar(100) NULL);")
		look := func(order int, after string) dialects.NewTask {
			return dialects.NewTask{SQL: fmt.Sprintf(sessionState, after), Order: order}
		}
		ids := h.exec(look(1, "nothing"), dialects.NewTask{SQL: h.say.mark(1), Order: 2, Transactional: true}, look(3, "one"))
		h.drain(time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded", "Succeeded"}, h.statuses(ids))
		of := func(after string) [][]string {
			return s.rows("SELECT What, Value FROM dbo.State WHERE After = @p1 ORDER BY Id;", after)
		}
		require.NotEmpty(h, of("nothing"))
		require.Equal(h, of("nothing"), of("one"))
	})
}

// TestMSSQLTaskDeadlock: of two tasks that deadlock one is the victim, is logged as such, and succeeds when it is
// retried.
func TestMSSQLTaskDeadlock(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.marks()
		s.exec("INSERT INTO dbo.Marks (N) VALUES (1), (2);")
		task := func(first, second int) string {
			return fmt.Sprintf("BEGIN TRANSACTION; UPDATE dbo.Marks SET N = N + 10 WHERE Id = %d; WAITFOR DELAY '00:00:02'; UPDATE dbo.Marks SET N = N + 10 WHERE Id = %d; COMMIT;", first, second)
		}
		a, b := h.task(1, task(1, 2)), h.task(1, task(2, 1))
		a.MaxAttempts, b.MaxAttempts = 2, 2
		ids := h.exec(a, b)
		h.drain(2 * time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded"}, h.statuses(ids))
		logs := h.logs()
		require.Len(h, logs, 3)
		victims := 0
		for _, l := range logs {
			if l.ErrorNumber == 1205 {
				victims++
			}
		}
		require.Equal(h, 1, victims, h.report())
		require.Equal(h, [][]string{{"21"}, {"22"}}, s.rows(h.say.markRead))
	})
}

// TestMSSQLTaskEnqueues: a task may enqueue, also in a transaction, and what it rolls back never existed.
func TestMSSQLTaskEnqueues(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.marks()
		h.user("anna", "user")
		h.enqueueAs("anna", 1, `EXEC dbsched.ExecAsync N'INSERT INTO dbo.Marks (N) VALUES (1);', 5;
BEGIN TRANSACTION;
EXEC dbsched.ExecAsync N'INSERT INTO dbo.Marks (N) VALUES (2);', 6;
COMMIT;
BEGIN TRANSACTION;
EXEC dbsched.ExecAsync N'INSERT INTO dbo.Marks (N) VALUES (3);', 7;
ROLLBACK;`)
		id := h.enqueueAs("anna", 8, "EXEC dbsched.ExecAsync N'INSERT INTO dbo.Marks (N) VALUES (4);', 9; SELECT 1 / 0;")
		h.drain(10 * time.Second)
		require.Equal(h, [][]string{{"1"}, {"2"}, {"4"}}, s.rows(h.say.markRead), h.report())
		require.Equal(h, "Failed", h.statusOf(id))
		for _, task := range h.tasks() {
			require.Equal(h, "anna", task.EnqueuedBy)
		}
	})
}

// TestMSSQLSessionOfATaskScheduler: a task has the options of a login's session, whatever session became a worker, as
// activation gives it the defaults of the database; and it returns results only to a session of its own user, or of a db_owner.
func TestMSSQLSessionOfATaskScheduler(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		h.user("Adam", "admin")
		const text = "CREATE TABLE #T (A int); INSERT INTO #T DEFAULT VALUES;"
		others := h.exec(h.task(1, text))[0]
		worker := "SET ANSI_NULL_DFLT_ON OFF; EXEC dbsched.TaskScheduler 0;"
		adam := h.as("Adam")
		adam.exec(worker)
		require.Equal(h, "Pending", h.statusOf(others))
		h.session().exec(worker)
		require.Equal(h, "Succeeded", h.statusOf(others), "%v", h.logsOf(others))
		own := h.enqueueAs("Adam", 1, text)
		adam.exec(worker)
		require.Equal(h, "Succeeded", h.statusOf(own), "%v", h.logsOf(own))
	})
}
