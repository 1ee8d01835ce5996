package integration

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

// TestMSSQLTaskThatSweeps: APPLOCK_TEST grants a session its own lock, so the sweeping worker must not be mistaken for dead.
func TestMSSQLTaskThatSweeps(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		id := h.exec(h.task(1, "EXEC dbsched.Sweep;"))[0]
		h.drain(10 * time.Second)
		logs := h.logsOf(id)
		require.Len(h, logs, 1)
		require.Equal(h, "Succeeded", logs[0].Outcome, h.report())
		h.requireNoAlarms()
	})
}

// TestMSSQLDatabaseWideRights: they reach nothing private of dbsched, or db_datawriter could add a task that runs as dbo.
func TestMSSQLDatabaseWideRights(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		s := h.withSecret()
		s.exec("ALTER ROLE db_datareader ADD MEMBER anna;")
		s.exec("ALTER ROLE db_datawriter ADD MEMBER anna;")
		s.exec("GRANT EXECUTE TO anna;")
		h.enqueueAs("bert", 1, "SELECT N'secret of bert';")
		a := h.as("anna")
		require.Equal(h, [][]string{{"42"}}, a.rows("SELECT N FROM dbo.Secret;"))
		var activated []string
		readable := []string{"Settings", "Lanes"} // as by whoever installs it, who also writes the version
		for _, o := range s.rows("SELECT o.name, RTRIM(o.type) FROM sys.objects AS o WHERE o.schema_id = SCHEMA_ID(N'dbsched') AND o.type IN ('U', 'P', 'FN', 'IF', 'TF') ORDER BY o.name;") {
			name, denied := o[0], map[string]string{}
			switch {
			case o[1] == "P" && strings.HasSuffix(name, "_Activated"):
				s.exec("ALTER QUEUE dbsched." + strings.TrimSuffix(name, "_Activated") + " WITH ACTIVATION (STATUS = OFF);")
				activated = append(activated, strings.TrimSuffix(name, "_Activated"))
			case o[1] == "P" && !slices.Contains(publicProcedures["admin"], name):
				denied["EXECUTE"] = "EXEC dbsched." + name + ";"
			case o[1] == "U" && name != migrations.VersionTable:
				column := s.rows("SELECT TOP (1) c.name FROM sys.columns AS c WHERE c.object_id = OBJECT_ID(N'dbsched." + name + "') AND c.is_identity = 0 ORDER BY c.column_id;")[0][0]
				denied["INSERT"] = fmt.Sprintf("INSERT INTO dbsched.%s (%s) VALUES (NULL);", name, column)
				denied["UPDATE"] = fmt.Sprintf("UPDATE dbsched.%s SET %s = NULL;", name, column)
				denied["DELETE"] = "DELETE FROM dbsched." + name + ";"
				if !slices.Contains(readable, name) {
					denied["SELECT"] = "SELECT COUNT(*) FROM dbsched." + name + ";"
				}
			case o[1] == "FN": // calculates, and reads nothing
			case o[1] != "U" && o[1] != "P" && name != "NextInstants": // which is public
				parameters := number(h, s.value("SELECT COUNT(*) FROM sys.parameters AS p WHERE p.object_id = OBJECT_ID(N'dbsched."+name+"') AND p.parameter_id > 0;"))
				denied["SELECT"] = "SELECT COUNT(*) FROM dbsched." + name + "(NULL" + strings.Repeat(", NULL", int(parameters)-1) + ");"
			}
			for right, text := range sorted(denied) {
				require.Equal(h, "0", a.value("SELECT HAS_PERMS_BY_NAME(N'dbsched."+name+"', N'OBJECT', N'"+right+"');"), text)
				require.ErrorContains(h, a.try(text), right+" permission was denied", text)
			}
		}
		// What Service Broker activates runs as its caller, and only the owner can receive a message from a queue.
		require.Equal(h, []string{"Dispatch", "Lane_01"}, activated)
		s.enqueue(1, h.say.nothing)
		s.exec("EXEC dbsched.SendWake 1;")
		for _, queue := range activated {
			messages := s.rows("SELECT q.conversation_handle FROM dbsched." + queue + " AS q ORDER BY q.queuing_order;")
			require.NotEmpty(h, messages, queue)
			_ = a.try("EXEC dbsched." + queue + "_Activated;") // it may report an error, or leave
			require.Equal(h, messages, s.rows("SELECT q.conversation_handle FROM dbsched."+queue+" AS q ORDER BY q.queuing_order;"), queue)
		}
		require.Empty(h, a.rows("SELECT TaskId FROM dbsched.TaskInfo;"))
		require.Empty(h, a.rows("SELECT TaskId FROM dbsched.TaskInfo WHERE CONVERT(int, SqlText) = 1;"))
		h.enqueueAs("anna", 1, "SELECT 1;")
	})
}

// TestMSSQLOwnerInstalls: a member of db_owner other than dbo is denied the tables like everybody, and can still install.
func TestMSSQLOwnerInstalls(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		s := h.session()
		s.exec("CREATE USER olga WITHOUT LOGIN;")
		s.exec("ALTER ROLE db_owner ADD MEMBER olga;")
		batches, err := templates.MSSQL(templates.Params{Schema: "dbsched", Lanes: 2, Version: "2"})
		require.NoError(h, err)
		o := h.as("olga")
		for _, b := range batches {
			require.NoError(h, o.try(b.SQL), b.Name)
		}
		require.Equal(h, [][]string{{"2", "2"}}, s.rows("SELECT Version, MaxLanes FROM dbsched.SchedulerInfo;"))
		require.Equal(h, [][]string{{"olga"}}, o.rows("SELECT USER_NAME();"))
	})
}

// TestMSSQLSnapshotCaller: a transaction that begins with one of the procedures that join it has the caller's isolation level (error
// 3951 otherwise): it does not see what others commit after that call, it writes, and it gets an error if it would write what others have
// written meanwhile.
func TestMSSQLSnapshotCaller(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s, other := h.marks(), h.session()
		s.exec("ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON;")
		p := number(h, s.ask(h.say.createProcess("p", true)))
		for _, call := range []string{
			h.say.enqueue(0, 1, h.say.mark(3)),
			`EXEC dbsched.ExecAsyncBatch N'[{"SQL": "INSERT INTO dbo.Marks (N) VALUES (3);", "ExecutionOrder": 1}]';`,
			"DECLARE @T dbsched.TaskTable; INSERT INTO @T (TaskNo, SQL, ExecutionOrder) VALUES (1, N'INSERT INTO dbo.Marks (N) VALUES (3);', 1); EXEC dbsched.ExecAsyncTable @T;",
			"DECLARE @P int; EXEC dbsched.CreateProcess N'q', @P OUTPUT; EXEC dbsched.ExecAsync N'INSERT INTO dbo.Marks (N) VALUES (3);', 1, @P;",
			h.say.release(p) + h.say.enqueue(p, 1, h.say.mark(3)),
			h.say.close(p) + h.say.enqueue(0, 1, h.say.mark(3)),
		} {
			s.exec("DELETE FROM dbo.Marks; INSERT INTO dbo.Marks (N) VALUES (0);")
			s.begin(sql.LevelSnapshot)
			s.exec(call)
			other.exec("UPDATE dbo.Marks SET N = 10;" + h.say.mark(1))
			require.Equal(h, [][]string{{"0"}}, s.rows(h.say.markRead), call)
			s.exec(h.say.mark(2))
			require.Equal(h, [][]string{{"0"}, {"2"}}, s.rows(h.say.markRead), call)
			require.Equal(h, [][]string{{"1", "1", "5"}}, s.rows("SELECT @@TRANCOUNT, XACT_STATE(), e.transaction_isolation_level FROM sys.dm_exec_sessions AS e WHERE e.session_id = @@SPID;"), call)
			s.commit()
			h.until(2*time.Second, "the task runs", func() bool { return len(other.rows(h.say.markRead)) == 4 })
			require.Equal(h, [][]string{{"10"}, {"1"}, {"2"}, {"3"}}, other.rows(h.say.markRead), call)

			s.begin(sql.LevelSnapshot)
			s.enqueue(1, h.say.nothing)
			other.exec("UPDATE dbo.Marks SET N = 11 WHERE N = 10;")
			require.ErrorContains(h, s.try("UPDATE dbo.Marks SET N = 12 WHERE N = 10;"), "Snapshot isolation transaction aborted due to update conflict", call)
			_ = s.tx.Rollback() // it is gone already
			s.tx = nil
		}
		h.pause(time.Minute)
		require.Len(h, h.logs(), 6)
		h.requireNoAlarms()
	})
}

// TestMSSQLManualWorkerAtOnce: a session that enqueues and then works finds its own task, even if the dispatcher has not
// looked yet.
func TestMSSQLManualWorkerAtOnce(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		s := h.session()
		s.exec("EXEC dbsched.ExecAsync N'SELECT 1;', 1; EXEC dbsched.TaskScheduler @WaitingTime = 0;")
		require.Equal(h, "0", s.value("SELECT COUNT(*) FROM dbsched.TaskInfo AS i WHERE i.Status = 'Pending';"))
	})
}

// TestMSSQLManyReleases: if one transaction makes more requests than the dispatcher carries out in a turn, they do not wait for the sweep.
func TestMSSQLManyReleases(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		s.exec(`
DECLARE @I int = 0, @P int;
WHILE @I < 520
BEGIN
    EXEC dbsched.CreateProcess N'many', @P OUTPUT, @Suspended = 1;
    SET @I = @I + 1;
END;
EXEC dbsched.ExecAsync N'SELECT 1;', 1, @P;`)
		h.pause(2 * time.Second)
		s.exec(`
BEGIN TRANSACTION;
DECLARE @P int = 0;
WHILE @P IS NOT NULL
BEGIN
    SELECT @P = MIN(i.ProcessId) FROM dbsched.ProcessInfo AS i WHERE i.ProcessId > @P AND i.Status = 'Suspended';
    IF @P IS NOT NULL
        EXEC dbsched.ReleaseProcess @P;
END;
COMMIT TRANSACTION;`)
		h.until(10*time.Second, "the last process's task", func() bool { return len(h.logs()) == 1 })
		h.requireNoAlarms()
	})
}

// TestMSSQLRetryOfWhatIsForgotten: the process of a task may have been deleted before the task.
func TestMSSQLRetryOfWhatIsForgotten(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "short"})
		task := h.task(1, h.say.nothing)
		task.ProcessID = p
		ids := h.exec(task)
		s := h.session()
		s.exec(fmt.Sprintf("EXEC dbsched.CancelProcess %d;", p))
		s.exec(fmt.Sprintf("EXECUTE AS USER = 'dbsched_owner'; DELETE FROM dbsched.Processes WHERE ProcessId = %d; REVERT;", p))
		require.ErrorContains(h, s.try(fmt.Sprintf("EXEC dbsched.RetryTask %d;", ids[0])), "51027")
		require.Equal(h, "Cancelled", h.statusOf(ids[0]))
	})
}
