package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var forUsers = []string{
	"ExecAsync", "ExecAsyncBatch", "ExecAsyncTable", "CreateProcess", "ReleaseProcess", "CloseProcess", "WaitProcess", "CancelTask", "CancelProcess", "RetryTask", "RetryProcess",
	"AcquireResource", "ReleaseResource", "DefineRound", "ReportRound",
	"CreateSchedule", "AlterSchedule", "SetScheduleEnabled", "RunSchedule", "DropSchedule", "RunFiring",
}

// TestMSSQLTaskRunsAsItsUser: a task never has more rights than its user; TestMSSQLTasksFromInside tries more.
func TestMSSQLTaskRunsAsItsUser(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withSecret()
		const who = "INSERT INTO dbo.Who (Name) VALUES (USER_NAME());"
		h.enqueueAs("anna", 1, who)
		h.enqueueAs("bert", 2, who)
		s.enqueue(3, who)
		h.enqueueAs("anna", 4, "REVERT; "+who)
		h.enqueueAs("anna", 5, "REVERT; REVERT; REVERT; EXEC (N'REVERT; "+who+"');")
		h.drain(10 * time.Second)
		require.Equal(h, [][]string{{"anna"}, {"bert"}, {"dbo"}, {"anna"}, {"anna"}}, s.rows("SELECT Name FROM dbo.Who ORDER BY Id;"), h.report())
		h.requireNoAlarms()
	})
}

// TestMSSQLPrivateProcedures: who may call what, procedure by procedure.
func TestMSSQLPrivateProcedures(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		s := h.withSecret()
		h.user("rita", "reader")
		h.user("ada", "admin")
		h.user("nobody")
		all := s.rows("SELECT o.name FROM sys.objects AS o WHERE o.schema_id = SCHEMA_ID(N'dbsched') AND o.type = 'P' ORDER BY o.name;")
		require.Greater(h, len(all), 30)
		for user, role := range sorted(map[string]string{"anna": "user", "rita": "reader", "ada": "admin", "nobody": ""}) {
			c := h.as(user)
			for _, row := range all {
				want := "0"
				for _, p := range publicProcedures[role] {
					if p == row[0] {
						want = "1"
					}
				}
				require.Equal(h, want, c.value("SELECT HAS_PERMS_BY_NAME(N'dbsched."+row[0]+"', N'OBJECT', N'EXECUTE');"), "%s %s", user, row[0])
				if want == "0" {
					require.ErrorContains(h, c.try("EXEC dbsched."+row[0]+";"), "EXECUTE permission was denied", "%s %s", user, row[0])
				}
			}
			for _, table := range s.rows("SELECT o.name FROM sys.objects AS o WHERE o.schema_id = SCHEMA_ID(N'dbsched') AND o.type = 'U' ORDER BY o.name;") {
				require.ErrorContains(h, c.try("SELECT COUNT(*) FROM dbsched."+table[0]+";"), "SELECT permission was denied", "%s %s", user, table[0])
				require.ErrorContains(h, c.try("DELETE FROM dbsched."+table[0]+";"), "permission was denied", "%s %s", user, table[0])
			}
			require.Error(h, c.try("RECEIVE TOP (1) conversation_handle FROM dbsched.Dispatch;"), user)
		}
	})
}

// TestMSSQLUsersSeeTheirOwn: texts, logs and processes of others are hidden from users and shown to readers.
func TestMSSQLUsersSeeTheirOwn(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.withSecret()
		h.user("rita", "reader")
		h.user("ada", "admin")
		h.enqueueAs("anna", 1, "SELECT N'anna''s secret';")
		h.enqueueAs("bert", 1, "SELECT N'bert''s secret';")
		p := number(h, h.as("anna").ask(h.say.createProcess("anna's", false)))
		h.drain(10 * time.Second)

		bert := h.as("bert")
		require.Equal(h, [][]string{{"SELECT N'bert''s secret';"}}, bert.rows("SELECT SqlText FROM dbsched.TaskInfo;"))
		require.Equal(h, [][]string{{"SELECT N'bert''s secret';"}}, bert.rows("SELECT TaskBody FROM dbsched.LogInfo;"))
		require.Equal(h, [][]string{{"1"}}, bert.rows("SELECT ProcessId FROM dbsched.ProcessInfo;"))
		require.ErrorContains(h, bert.try("SELECT SessionId FROM dbsched.WorkerInfo;"), "SELECT permission was denied")
		require.ErrorContains(h, bert.try("SELECT AlarmText FROM dbsched.AlarmInfo;"), "SELECT permission was denied")
		for _, try := range []string{h.say.enqueue(p, 1, h.say.nothing), h.say.close(p), h.say.release(p), h.say.wait(p, 1)} {
			require.ErrorContains(h, bert.try(try), "51006", try)
		}
		for _, who := range []string{"rita", "ada"} {
			c := h.as(who)
			require.Len(h, c.rows("SELECT SqlText FROM dbsched.TaskInfo;"), 2, who)
			require.Len(h, c.rows("SELECT TaskBody FROM dbsched.LogInfo;"), 2, who)
			require.Len(h, c.rows("SELECT ProcessId FROM dbsched.ProcessInfo;"), 2, who)
			require.Len(h, c.rows("SELECT LaneId FROM dbsched.WorkerInfo;"), 1, who)
		}
		require.ErrorContains(h, h.as("rita").try(h.say.enqueue(0, 1, h.say.nothing)), "EXECUTE permission was denied")

		ada := h.as("ada")
		ada.exec(h.say.enqueue(p, 1, "INSERT INTO dbo.Who (Name) VALUES (USER_NAME());"))
		ada.exec(h.say.close(p))
		h.waitFor(p, 10*time.Second)
		require.Equal(h, [][]string{{"ada"}}, s.rows("SELECT Name FROM dbo.Who;"), "in anna's process, as herself")
		ada.exec("EXEC dbsched.SetWorkers 0;")
		ada.exec("EXEC dbsched.SetPolicy 'RoundRobin';")
		ada.exec("EXEC dbsched.Sweep;")
		ada.exec("EXEC dbsched.StopScheduler;")
		ada.exec("EXEC dbsched.StartScheduler;")
		ada.exec(h.say.worker(0))
	})
}

// TestMSSQLWhoCannotBeImpersonated: such a caller is told so when enqueueing, and a user who is gone when the task would run. A namesake is another
// user, even with the same number: only the SID tells them apart.
func TestMSSQLWhoCannotBeImpersonated(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		s := h.withSecret()
		h.user("carla", "user")
		const id = "SELECT p.principal_id FROM sys.database_principals AS p WHERE p.name = N'carla';"
		was := s.value(id)
		h.as("carla").exec(`EXEC dbsched.DefineRound N'carla''s', N'["a"]', @SuccessorSQL = N'SELECT 1;';`)
		gone := h.enqueueAs("carla", 1, h.say.nothing)
		again := h.enqueueAs("bert", 2, "INSERT INTO dbo.Who (Name) VALUES (USER_NAME());")
		s.exec("DROP USER carla;")
		s.exec("CREATE USER carla WITHOUT LOGIN;")
		require.Equal(h, was, s.value(id))
		s.exec("ALTER USER bert WITH NAME = robert;")
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(10 * time.Second)
		require.Equal(h, 51021, h.logsOf(gone)[0].ErrorNumber)
		require.Equal(h, 51021, h.logsOf(again)[0].ErrorNumber, "the same user under another name: enqueue again")
		require.ErrorContains(h, s.try("EXEC dbsched.ReportRound N'carla''s', N'a';"), "51057")
	})
}

// TestMSSQLNamesakeOwnsNothing: a user created later with the name and number of one who is gone neither sees nor touches what that one
// left.
func TestMSSQLNamesakeOwnsNothing(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.withSecret()
		h.user("carla", "user")
		const id = "SELECT p.principal_id FROM sys.database_principals AS p WHERE p.name = N'carla';"
		was := s.value(id)
		s.exec("EXEC dbsched.DefineResource N'r';")
		carla := h.as("carla")
		carla.exec("DECLARE @p int; EXEC dbsched.CreateProcess N'carla''s', @ProcessId = @p OUTPUT; EXEC dbsched.ExecAsync N'SELECT 1/0;', 1, @p; EXEC dbsched.DefineRound N'r', N'[\"a\"]', @SuccessorSQL = N'SELECT 1;';")
		carla.exec("EXEC dbsched.AcquireResource N'r', @TimeoutSeconds = 1, @LeaseSeconds = 3600;")
		h.waitFor(2, 10*time.Second)
		sees := func() (seen []string) {
			for _, view := range []string{"TaskInfo", "LogInfo", "RoundInfo", "ProcessInfo WHERE ProcessId > 1", "ResourceInfo WHERE RequestedBy IS NOT NULL"} {
				seen = append(seen, h.as("carla").value("SELECT COUNT(*) FROM dbsched."+view+";"))
			}
			return seen
		}
		require.Equal(h, []string{"1", "1", "1", "1", "1"}, sees())

		s.exec("DROP USER carla;")
		h.user("carla", "user")
		require.Equal(h, was, s.value(id))
		require.Equal(h, []string{"0", "0", "0", "0", "0"}, sees())
		for call, number := range sorted(map[string]string{
			"CancelTask 1":                 "51025",
			"RetryTask 1":                  "51025",
			"CancelProcess 2":              "51006",
			"RetryProcess 2":               "51006",
			"CloseProcess 2":               "51006",
			"WaitProcess 2, 1":             "51006",
			"ReleaseResource 1":            "51045",
			"ReportRound 'r', 'a'":         "51053",
			"ExecAsync N'SELECT 1;', 1, 2": "51006",
		}) {
			require.ErrorContains(h, h.as("carla").try("EXEC dbsched."+call+";"), number, call)
		}
	})
}

// TestMSSQLRevertThatGoesTooFar: if a server lets a task's REVERT undo the EXECUTE AS of dbsched, the task fails, the session ends and
// an alarm is raised. RunTask is altered here to behave as on such a server.
func TestMSSQLRevertThatGoesTooFar(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.withSecret()
		text := s.value("SELECT OBJECT_DEFINITION(OBJECT_ID(N'dbsched.RunTask'));")
		call := "EXEC [dbsched].RunTaskText @SqlText"
		require.Equal(h, 1, strings.Count(text, call))
		s.exec("DROP PROCEDURE dbsched.RunTask;")
		s.exec(strings.Replace(text, call, "EXEC sys.sp_executesql N'REVERT;'; "+call, 1))
		for _, transactional := range []string{"0", "1"} {
			task := number(h, h.as("anna").ask("DECLARE @id bigint; EXEC dbsched.ExecAsync N'INSERT INTO dbo.Who (Name) VALUES (USER_NAME());', 1, @Transactional = "+transactional+", @TaskId = @id OUTPUT; SELECT @id;"))
			h.drain(10 * time.Second)
			failed := h.logsOf(task)[0]
			require.Equal(h, 51037, failed.ErrorNumber)
			require.Equal(h, []string{"WorkerError", failed.ErrorMessage, fmt.Sprint(task)}, s.rows("SELECT TOP (1) Kind, AlarmText, TaskId FROM dbsched.AlarmInfo ORDER BY AlarmId DESC;")[0])
			h.pause(11 * time.Minute)
		}
		require.Equal(h, [][]string{{"dbsched_owner"}}, s.rows("SELECT Name FROM dbo.Who;"), "what a transactional task did is undone")
	})
}

// TestMSSQLLocksAreOurs: nobody else can take or release dbsched's locks, not even in the session that holds them.
func TestMSSQLLocksAreOurs(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.withSecret()
		anna := h.as("anna")
		for _, lock := range []string{"lane:1", "handover:1", "request:1"} {
			for _, try := range []string{
				"sp_getapplock @Resource = N'" + lock + "', @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 0, @DbPrincipal = N'dbsched_locks';",
				"sp_getapplock @Resource = N'" + lock + "', @LockMode = 'Shared', @LockOwner = 'Session', @LockTimeout = 0, @DbPrincipal = N'dbsched_owner';",
				"sp_releaseapplock @Resource = N'" + lock + "', @LockOwner = 'Session', @DbPrincipal = N'dbsched_locks';",
			} {
				text := "DECLARE @r int = 77; BEGIN TRY EXEC @r = sys." + try + " END TRY BEGIN CATCH SET @r = -1; END CATCH; "
				require.Equal(h, "refused", anna.value(text+"SELECT CASE WHEN @r < 0 THEN N'refused' ELSE N'taken' END;"), try)
				// A worker's session holds its lane's lock while it runs a task.
				id := h.enqueueAs("anna", 1, text+"IF @r >= 0 THROW 50001, N'taken', 1;")
				h.drain(10 * time.Second)
				require.Equal(h, "Succeeded", h.statusOf(id), "%s: %s", try, h.report())
			}
		}
		// Its own lock of that name is a different lock.
		anna.exec("EXEC sys.sp_getapplock @Resource = N'lane:1', @LockMode = 'Exclusive', @LockOwner = 'Session';")
		id := h.enqueueAs("bert", 1, h.say.nothing)
		h.startsWithin(id, h.now(), time.Second)
		h.requireNoAlarms()
	})
}

// refusedTo runs what must be refused to a user, in the user's session and in a task of the user, and looks for words in the error.
func (h *harness) refusedTo(user, words string, tries ...string) {
	h.Helper()
	for _, try := range tries {
		require.ErrorContains(h, h.as(user).try(try), words, try)
		id := h.enqueueAs(user, 1, try)
		h.drain(10 * time.Second)
		l := h.logsOf(id)[0]
		require.Equal(h, "Failed", l.Outcome, try)
		require.Contains(h, l.ErrorMessage, words, try)
	}
}

// TestMSSQLUserCannotStopIt: neither through the interface nor through the objects behind it.
func TestMSSQLUserCannotStopIt(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withSecret()
		h.exec(h.sleep(1, 5*time.Second))
		h.untilRunning(1, h.soon)
		victim := h.lane(1)
		timer := s.value("SELECT CONVERT(nvarchar(36), TimerHandle) FROM dbsched.Settings;")
		h.drain(10 * time.Second)
		h.refusedTo("anna", "EXECUTE permission was denied",
			"EXEC dbsched.StopScheduler;", "EXEC dbsched.StopScheduler 'Now';", "EXEC dbsched.StartScheduler;", "EXEC dbsched.SetWorkers 0;",
			"EXEC dbsched.SetPolicy 'Fifo';", "EXEC dbsched.SetOptions @RetentionDays = 1;", "EXEC dbsched.SetAlarmHook;", "EXEC dbsched.Purge 0;",
			"EXEC dbsched.Sweep;", "EXEC dbsched.TaskScheduler;", "EXEC dbsched.DefineResource N'mine';", "EXEC dbsched.KillWorker "+victim+", 1;",
			"EXEC dbsched.Dispatch_Activated;", "EXEC dbsched.Lane_01_Activated;",
			"EXEC dbsched.RaiseAlarm 'WorkerError', N'?';")
		h.refusedTo("anna", "permission", "UPDATE dbsched.Settings SET Started = 0;", "DELETE FROM dbsched.Lanes;", "KILL "+victim+";")
		for _, try := range []string{
			"ALTER QUEUE dbsched.Dispatch WITH STATUS = OFF;", "ALTER QUEUE dbsched.Lane_01 WITH ACTIVATION (STATUS = OFF);",
			"DROP SERVICE [//dbsched/Dispatch];", "DROP PROCEDURE dbsched.NextTask;", "DROP TABLE dbsched.Tasks;",
			"RECEIVE TOP (1) conversation_handle FROM dbsched.Dispatch;", "END CONVERSATION '" + timer + "';",
			"DECLARE @H uniqueidentifier; BEGIN DIALOG CONVERSATION @H FROM SERVICE [//dbsched/Dispatch] TO SERVICE N'//dbsched/Lane_01', N'CURRENT DATABASE' ON CONTRACT [//dbsched/Contract] WITH ENCRYPTION = OFF;",
		} {
			require.Error(h, h.as("anna").try(try), try)
		}
		require.True(h, h.status().Started)
		require.Equal(h, 2, h.status().MaxWorkers)
		h.startsWithin(h.enqueueAs("bert", 1, h.say.nothing), h.now(), time.Second)
		h.requireNoAlarms()
	})
}

// TestMSSQLOthersAreOutOfReach: a user can neither add to what is another's, nor end, retry, wait for or release anything of it,
// from a session or from a task; the default process is nobody's.
func TestMSSQLOthersAreOutOfReach(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withSecret()
		s.exec("EXEC dbsched.DefineResource N'printer';")
		anna := h.as("anna")
		p := number(h, anna.ask(h.say.createProcess("anna's", true)))
		task := number(h, anna.ask(h.say.enqueueReturn(p, 1, "SELECT N'secret';")))
		failed := number(h, anna.ask(h.say.enqueueReturn(0, 1, "THROW 50001, N'secret', 1;")))
		h.drain(10 * time.Second)
		request := anna.ask(h.say.acquire("printer", "Shared", 0, 0))
		anna.exec(`EXEC dbsched.DefineRound N'anna''s', N'["a"]', @SuccessorSQL = N'SELECT 1;';`)

		h.refusedTo("bert", "51006", h.say.enqueue(p, 1, h.say.nothing), h.say.close(p), h.say.release(p), h.say.wait(p, 1),
			fmt.Sprintf(`EXEC dbsched.ExecAsyncBatch N'[{"SQL": "SELECT 1;", "ExecutionOrder": 1, "ProcessId": %d}]';`, p),
			fmt.Sprintf("DECLARE @T dbsched.TaskTable; INSERT INTO @T (TaskNo, SQL, ExecutionOrder, ProcessId) VALUES (1, N'SELECT 1;', 1, %d); EXEC dbsched.ExecAsyncTable @T;", p),
			fmt.Sprintf("EXEC dbsched.CancelProcess %d;", p), fmt.Sprintf("EXEC dbsched.RetryProcess %d;", p), "EXEC dbsched.RetryProcess 1;")
		h.refusedTo("bert", "51025", fmt.Sprintf("EXEC dbsched.CancelTask %d;", task), fmt.Sprintf("EXEC dbsched.RetryTask %d;", failed))
		h.refusedTo("bert", "51013", "EXEC dbsched.CancelProcess 1;", "EXEC dbsched.CloseProcess 1;")
		h.refusedTo("bert", "51045", "EXEC dbsched.ReleaseResource "+request+";")
		h.refusedTo("bert", "51053", "EXEC dbsched.ReportRound N'anna''s', N'a';", `EXEC dbsched.DefineRound N'anna''s', N'["a"]', @SuccessorSQL = N'SELECT 2;';`)

		require.Equal(h, []string{"Waiting", "Failed"}, h.statuses([]int64{task, failed}))
		require.Len(h, h.logsOf(failed), 1)
		require.Equal(h, "1", s.value("SELECT Held FROM dbsched.ResourceInfo;"))

		// What bert can see of all this, by any query.
		bert := h.as("bert")
		for _, view := range []string{"TaskInfo", "LogInfo", "RoundInfo"} {
			text := map[string]string{"TaskInfo": "SqlText", "LogInfo": "TaskBody", "RoundInfo": "SuccessorSql"}[view]
			for _, row := range bert.rows("SELECT * FROM dbsched." + view + ";") {
				require.NotContains(h, fmt.Sprint(row), "N'secret'")
			}
			require.Equal(h, "0", bert.value("SELECT COUNT(*) FROM dbsched."+view+" WHERE "+text+" LIKE N'SELECT N''secret%' OR "+text+" = N'SELECT 1;';"), view)
			err := bert.try("SELECT COUNT(*) FROM dbsched." + view + " WHERE CONVERT(int, " + text + ") = 1;")
			if err != nil {
				require.NotContains(h, err.Error(), "N'secret'", "a conversion that fails shows what it converted")
			}
		}
		require.Equal(h, "0", bert.value("SELECT COUNT(*) FROM dbsched.LogInfo WHERE ErrorMessage LIKE N'secret%';"))
		require.Equal(h, "0", bert.value("SELECT COUNT(*) FROM dbsched.TaskInfo WHERE EnqueuedBy <> N'bert';"))
		require.Equal(h, "0", bert.value("SELECT COUNT(*) FROM dbsched.ResourceInfo WHERE RequestedBy IS NOT NULL OR SessionId IS NOT NULL;"))
		require.Equal(h, [][]string{{"1"}}, bert.rows("SELECT ProcessId FROM dbsched.ProcessInfo;"))
	})
}

// TestMSSQLUserWatchesHisOwn: a user can do everything needed, from enqueueing to reading the error, without any other right.
func TestMSSQLUserWatchesHisOwn(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withSecret()
		anna := h.as("anna")
		p := number(h, anna.ask(h.say.createProcess("anna's", true)))
		for i, text := range []string{"INSERT INTO dbo.Who (Name) VALUES (USER_NAME());", "SELECT N FROM dbo.Secret;", h.say.nothing} {
			anna.exec(h.say.enqueue(p, i, text))
		}
		require.Equal(h, [][]string{{"Waiting", "Suspended"}, {"Waiting", "Suspended"}, {"Waiting", "Suspended"}}, anna.rows("SELECT Status, WaitReason FROM dbsched.TaskInfo;"))
		anna.exec(h.say.release(p))
		anna.exec(h.say.close(p))
		require.NotEqual(h, "2", anna.ask(h.say.waitResult(p, 30)))
		require.Equal(h, [][]string{{"Succeeded"}, {"Failed"}, {"Skipped"}}, anna.rows("SELECT Status FROM dbsched.TaskInfo ORDER BY TaskId;"))
		require.Equal(h, [][]string{{"Failed"}}, anna.rows("SELECT Status FROM dbsched.ProcessInfo WHERE CreatedBy = N'anna';"))
		require.Contains(h, anna.value("SELECT ErrorMessage FROM dbsched.LogInfo WHERE ErrorNumber = 229;"), "SELECT permission was denied on the object 'Secret'")
		s.exec("GRANT SELECT ON dbo.Secret TO anna;")
		anna.exec(fmt.Sprintf("EXEC dbsched.RetryProcess %d;", p))
		require.NotEqual(h, "2", anna.ask(h.say.waitResult(p, 30)))
		require.Equal(h, [][]string{{"Succeeded"}}, anna.rows("SELECT Status FROM dbsched.ProcessInfo WHERE CreatedBy = N'anna';"))
	})
}

// TestMSSQLNestingGivesNothing: tasks that enqueue tasks, and values that are bound, run as the first user.
func TestMSSQLNestingGivesNothing(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withSecret()
		quoted := func(text string) string { return "N'" + strings.ReplaceAll(text, "'", "''") + "'" }
		text := "REVERT; INSERT INTO dbo.Who (Name) VALUES (USER_NAME()); SELECT N FROM dbo.Secret;"
		for i := range 3 {
			text = fmt.Sprintf("REVERT; EXEC dbsched.ExecAsync %s, %d;", quoted(text), 10-i)
		}
		h.enqueueAs("anna", 1, text)
		// Her own procedure changes the user for nobody else.
		s.exec("CREATE PROCEDURE dbo.AsBert WITH EXECUTE AS 'bert' AS EXEC dbsched.ExecAsync N'INSERT INTO dbo.Who (Name) VALUES (USER_NAME());', 20;")
		s.exec("GRANT EXECUTE ON dbo.AsBert TO anna;")
		h.enqueueAs("anna", 11, "EXEC dbo.AsBert;")
		h.enqueueAs("anna", 30, "EXEC dbsched.ExecAsync N'EXEC (@X); INSERT INTO dbo.Who (Name) VALUES (USER_NAME()); SELECT N FROM dbo.Secret;', 40, @Parameters = N'{\"X\": \"REVERT; REVERT;\"}';")
		h.drain(20 * time.Second)
		require.Equal(h, [][]string{{"anna"}, {"bert"}, {"anna"}}, s.rows("SELECT Name FROM dbo.Who ORDER BY Id;"), h.report())
		denied := 0
		for _, l := range h.logs() {
			if l.Outcome == "Failed" {
				require.Equal(h, 229, l.ErrorNumber, l.ErrorMessage)
				denied++
			}
		}
		require.Equal(h, 2, denied)
		h.refusedTo("anna", "5103", "EXEC dbsched.ExecAsync N'SELECT 1;', 1, @Parameters = N'{\"X int; REVERT; --\": 1}';",
			"EXEC dbsched.ExecAsync N'SELECT 1;', 1, @Parameters = N'{\"X int = (SELECT N FROM dbo.Secret)\": 1}';")
	})
}

// TestMSSQLUserByLogin: a login with only dbsched_user, from its own connection.
func TestMSSQLUserByLogin(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.withSecret()
		password := fmt.Sprintf("Pw-%d-x", h.now().UnixNano())
		login := fmt.Sprintf("dbsched_test_%d", h.now().UnixNano())
		s.exec("CREATE LOGIN " + login + " WITH PASSWORD = '" + password + "';")
		h.dropLogin(login)
		s.exec("CREATE USER lisa FOR LOGIN " + login + ";")
		s.exec("ALTER ROLE dbsched_user ADD MEMBER lisa;")
		lisa := h.sessionAs(login, password)
		id := number(h, lisa.ask(h.say.enqueueReturn(0, 1, "INSERT INTO dbo.Who (Name, OriginalLogin) VALUES (USER_NAME(), NULL);")))
		bad := number(h, lisa.ask(h.say.enqueueReturn(0, 2, "REVERT; SELECT N FROM dbo.Secret;")))
		h.drain(10 * time.Second)
		require.Equal(h, [][]string{{"lisa"}}, s.rows("SELECT Name FROM dbo.Who;"))
		require.Equal(h, "Succeeded", h.statusOf(id))
		require.Equal(h, 229, h.logsOf(bad)[0].ErrorNumber)
		require.Equal(h, [][]string{{"Succeeded"}, {"Failed"}}, lisa.rows("SELECT Status FROM dbsched.TaskInfo ORDER BY TaskId;"))
		require.Equal(h, [][]string{{login}}, s.rows("SELECT DISTINCT EnqueuedByLogin FROM dbsched.TaskInfo;"))
		require.ErrorContains(h, lisa.try("EXEC dbsched.StopScheduler;"), "EXECUTE permission was denied")
	})
}
