package integration

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	mssqldb "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLFailureInsideUndoesAll: an error that no procedure expects, after it has begun to write, arrives as it is and alone, and nothing is left of the
// call: no row, no transaction, no lock, no alarm.
func TestMSSQLFailureInsideUndoesAll(t *testing.T) {
	onMSSQL(t, setup{lanes: 2, stopped: true}, func(h *harness) {
		s := h.session()
		suspended := s.ask(h.say.createProcess("suspended", true))
		failed := h.process(dialects.NewProcess{Name: "fails"})
		bad := h.exec(dialects.NewTask{SQL: h.say.fails(0), Order: 1, ProcessID: failed}, dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: failed})[0]
		require.NoError(h, h.sched.Start(h.Context()))
		h.until(time.Minute, "it has failed", func() bool { return h.statusOf(bad) == "Failed" })
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		waiting := h.exec(h.task(1, h.say.nothing))[0]
		h.schedule(dialects.NewSchedule{Name: "s", Calendar: "@yearly", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		h.schedule(dialects.NewSchedule{Name: "off", Calendar: "@yearly", Disabled: true, Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		h.round(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorSQL: h.say.nothing})
		h.resource("db", 1)
		h.resource("free", 1)
		s.exec(h.say.deleteAlarms)
		h.pause(2 * time.Minute)

		const task = "N'SELECT 1;', 1"
		faults := map[string][]string{ // by what no new row of a table may be
			"WakeSent: TransactionId < 0": {
				"EXEC dbsched.ExecAsync " + task + ";", `EXEC dbsched.ExecAsyncBatch N'[{"SQL": "SELECT 1;", "ExecutionOrder": 1}]';`,
				"DECLARE @T dbsched.TaskTable; INSERT INTO @T (TaskNo, SQL, ExecutionOrder) VALUES (1, " + task + "); EXEC dbsched.ExecAsyncTable @T;",
				"EXEC dbsched.CloseProcess " + suspended + ";", "EXEC dbsched.ReleaseProcess " + suspended + ";", fmt.Sprintf("EXEC dbsched.CancelTask %d;", waiting), "EXEC dbsched.CancelProcess " + suspended + ";",
				fmt.Sprintf("EXEC dbsched.RetryTask %d;", bad), fmt.Sprintf("EXEC dbsched.RetryProcess %d;", failed), "EXEC dbsched.CreateSchedule N'new', N'@daily', N'SELECT 1;';", "EXEC dbsched.AlterSchedule N's', N'@daily';",
				"EXEC dbsched.SetScheduleEnabled N's', 0;", "EXEC dbsched.SetScheduleEnabled N'off', 1;", "EXEC dbsched.RunSchedule N's';", "EXEC dbsched.DropSchedule N's';",
			},
			"RoundMembers: Member <> N'b'":             {`EXEC dbsched.DefineRound N'new', N'["c", "b"]', @SuccessorSQL = N'SELECT 1;';`, `EXEC dbsched.DefineRound N'r', N'["c", "b"]', @SuccessorSQL = N'SELECT 1;';`},
			"RoundFirings: FiredBy <> N'a'":            {"EXEC dbsched.ReportRound N'r', N'a';"},
			"ResourceRequests: Requester <> N'me'":     {"EXEC dbsched.AcquireResource N'db', @Requester = N'me', @TimeoutSeconds = 0;"},
			"ResourceRequests: Status <> 'Granted'":    {"EXEC dbsched.AcquireResource N'free', @TimeoutSeconds = 0;"},
			"Resources: Capacity < 7":                  {"EXEC dbsched.DefineResource N'new', 8;", "EXEC dbsched.DefineResource N'db', 8;"},
			"Settings: MaxWorkers <> 1":                {"EXEC dbsched.SetWorkers 1;"},
			"Settings: RetentionDays <> 77":            {"EXEC dbsched.SetOptions @RetentionDays = 77;"},
			"Schedules: Calendar <> N'* * * * *'":      {"EXEC dbsched.CreateSchedule N'newer', N'* * * * *', N'SELECT 1;';", "EXEC dbsched.AlterSchedule N's', N'* * * * *';"},
			"Processes: Name <> N'new' OR Status = ''": {"EXEC dbsched.CreateProcess N'new';"},
		}
		tables := []string{"tasks", "processes", "process_requests", "schedules", "schedule_firings", "rounds", "round_members", "round_firings", "resources", "resource_requests", "settings", "alarms"}
		read := func() map[string][]row {
			all := map[string][]row{}
			for _, name := range tables {
				all[name] = h.rowsOf(s, name)
			}
			return all
		}
		const state = "SELECT @@TRANCOUNT, @@OPTIONS, @@LOCK_TIMEOUT, USER_NAME(), (SELECT COUNT(*) FROM sys.dm_tran_locks AS l WHERE l.request_session_id = @@SPID AND l.resource_type = N'APPLICATION');"
		for fault, calls := range sorted(faults) {
			table, check, _ := strings.Cut(fault, ": ")
			s.exec("ALTER TABLE dbsched." + table + " WITH NOCHECK ADD CONSTRAINT Fault CHECK (" + check + ");")
			for _, call := range calls {
				caller := h.session()
				before, clean := read(), caller.rows(state)
				err := caller.try(call)
				require.ErrorContains(h, err, `"Fault"`, call)
				var e mssqldb.Error
				require.ErrorAs(h, err, &e)
				require.EqualValues(h, 547, e.Number, call)
				require.Len(h, e.All, 1, "%s: %v", call, e.All)
				require.Equal(h, clean, caller.rows(state), call)
				require.Equal(h, before, read(), call)
			}
			s.exec("ALTER TABLE dbsched." + table + " DROP CONSTRAINT Fault;")
			for _, call := range calls[:1] {
				require.NoError(h, h.session().try(call), call)
			}
			h.pause(5 * time.Second) // the dispatcher looks at it
		}

		// In the caller's transaction, all else that it has done stays.
		marks := h.marks()
		s.exec("ALTER TABLE dbsched.WakeSent WITH NOCHECK ADD CONSTRAINT Fault CHECK (TransactionId < 0);")
		suspended = s.ask(h.say.createProcess("another", true))
		for i, call := range append(slices.Clone(faults["WakeSent: TransactionId < 0"][:3]), "EXEC dbsched.CloseProcess "+suspended+";", "EXEC dbsched.ReleaseProcess "+suspended+";") {
			caller := h.session()
			caller.exec("BEGIN TRANSACTION;")
			caller.exec(h.say.mark(i))
			require.ErrorContains(h, caller.try(call), `"Fault"`, call)
			require.Equal(h, [][]string{{"1", "1"}}, caller.rows("SELECT @@TRANCOUNT, XACT_STATE();"), call)
			caller.exec("COMMIT;")
			require.Len(h, marks.rows(h.say.markRead), i+1, call)
		}
	})
}

// TestMSSQLDeadlockIsNoTimeout: who is chosen as the victim of a deadlock while it looks at a process is told so, not that the process is locked.
func TestMSSQLDeadlockIsNoTimeout(t *testing.T) {
	onMSSQL(t, setup{stopped: true}, func(h *harness) {
		s := h.marks()
		s.exec("INSERT INTO dbo.Marks (N) VALUES (1), (2);")
		calls := map[string]string{
			"ExecAsync":      "EXEC dbsched.ExecAsync N'SELECT 1;', 1, @ProcessId = %s;",
			"ExecAsyncBatch": `EXEC dbsched.ExecAsyncBatch N'[{"SQL": "SELECT 1;", "ExecutionOrder": 1}]', %s;`,
			"ExecAsyncTable": "DECLARE @T dbsched.TaskTable; INSERT INTO @T (TaskNo, SQL, ExecutionOrder, ProcessId) VALUES (1, N'SELECT 1;', 1, %s); EXEC dbsched.ExecAsyncTable @T;",
			"CloseProcess":   "EXEC dbsched.CloseProcess %s;", "ReleaseProcess": "EXEC dbsched.ReleaseProcess %s;",
		}
		for name, call := range sorted(calls) {
			a, b := h.session(), h.session()
			b.exec("SET DEADLOCK_PRIORITY LOW;")
			a.begin()
			p := a.ask(h.say.createProcess("p", false))
			b.begin()
			b.exec("UPDATE dbo.Marks SET N = N + 10 WHERE N = 1;")
			done := make(chan error, 1)
			go func() { done <- b.try(fmt.Sprintf(call, p)) }()
			h.pause(time.Second)
			a.exec("UPDATE dbo.Marks SET N = N + 10 WHERE N = 2; UPDATE dbo.Marks SET N = N + 10 WHERE N = 1;")
			err := <-done
			require.ErrorContains(h, err, "deadlock", name)
			var e mssqldb.Error
			require.ErrorAs(h, err, &e)
			require.EqualValues(h, 1205, e.Number, name)
			a.rollback()
		}
	})
}
