package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLFiringRunsWhatItsOwnerWrote: a firing that waits for a lane, or for its next attempt, while somebody else gives its schedule new
// tasks does not run these as the former owner. The new owner is told, and can start it.
func TestMSSQLFiringRunsWhatItsOwnerWrote(t *testing.T) {
	for _, victim := range []string{"dbo", "anna"} {
		for way, hold := range sorted(map[string]struct{ before, between, after string }{
			"the lanes are off":    {"EXEC dbsched.SetWorkers 0;", "", "EXEC dbsched.SetWorkers 2;"},
			"it failed once":       {"EXEC dbsched.AlterSchedule N'nightly', @MaxParallel = 2;", "", ""},
			"it was cancelled":     {"EXEC dbsched.SetWorkers 0;", "EXEC dbsched.CancelTask %d;", "EXEC dbsched.SetWorkers 2;"},
			"the scheduler stands": {"EXEC dbsched.StopScheduler;", "", "EXEC dbsched.StartScheduler;"},
		}) {
			t.Run(victim+", "+way, func(t *testing.T) {
				onMSSQL(t, setup{lanes: 2}, func(h *harness) {
					s := h.withSecret()
					h.user("ada", "admin")
					ada, owner := h.as("ada"), s
					if victim == "anna" {
						owner = h.as("anna")
					}
					owner.exec("EXEC dbsched.CreateSchedule N'nightly', N'0 3 1 1 *', " + quotedMSSQL(writesWho) + ";")
					ada.exec(hold.before)
					if way == "it failed once" {
						s.exec("UPDATE dbsched.Schedules SET Tasks = N'[1]';")
					}
					ada.exec("EXEC dbsched.RunSchedule N'nightly';")
					if way == "the scheduler stands" { // the firing is the dispatcher's to start, as whoever owns the schedule then
						ada.exec("EXEC dbsched.AlterSchedule N'nightly', @SQL = " + quotedMSSQL(writesWho) + ";")
						ada.exec(hold.after)
						h.pause(time.Minute)
						require.Equal(h, [][]string{{"ada"}}, s.rows("SELECT Name FROM dbo.Who;"))
						return
					}
					h.pause(5 * time.Second)
					task := h.firingTask("nightly")
					if hold.between != "" {
						ada.exec(fmt.Sprintf(hold.between, task))
					}
					ada.exec("EXEC dbsched.AlterSchedule N'nightly', @SQL = " + quotedMSSQL(takesAll) + ";")
					require.ErrorContains(h, ada.try(fmt.Sprintf("EXEC dbsched.RetryTask %d;", task)), "51027")
					require.ErrorContains(h, owner.try(fmt.Sprintf("EXEC dbsched.RetryTask %d;", task)), "51027")
					ada.exec(hold.after)
					h.pause(5 * time.Minute)

					require.Empty(h, s.rows("SELECT Name FROM dbo.Who;"))
					require.Equal(h, "0", s.value("SELECT IS_ROLEMEMBER(N'db_owner', N'ada');"))
					require.Equal(h, "0", s.value("SELECT COUNT(*) FROM dbsched.TaskInfo AS t WHERE t.SqlText LIKE N'%Secret%';"))
					if hold.between == "" {
						require.Equal(h, "Failed", h.statusOf(task))
						logs := h.logsOf(task)
						require.Contains(h, logs[len(logs)-1].ErrorMessage, "51072")
						require.Contains(h, strings.Join(h.alarmsOf("ScheduleFailed"), " "), "51072")
					}
					// As herself she may.
					ada.exec("EXEC dbsched.AlterSchedule N'nightly', @SQL = " + quotedMSSQL(writesWho) + "; EXEC dbsched.RunSchedule N'nightly';")
					h.pause(time.Minute)
					require.Equal(h, [][]string{{"ada"}}, s.rows("SELECT Name FROM dbo.Who;"))
				})
			})
		}
	}
}

// TestMSSQLRetryOfSeveralUsers: who owns a process does not run other users' tasks in it again, neither failed ones nor those that were
// skipped or cancelled with it. Each can retry their own, and an administrator the whole process: each task runs as its own user.
func TestMSSQLRetryOfSeveralUsers(t *testing.T) {
	const fails = writesWho + " THROW 50001, N'once more', 1;"
	for name, c := range sorted(map[string]struct {
		first, second string // anna's task and dbo's, in waves 1 and 2 of her process
		cancel        bool
		ran           []string // after an administrator's retry
	}{
		"failed":    {writesWho, fails, false, []string{"anna", "dbo", "dbo"}},
		"skipped":   {fails, writesWho, false, []string{"anna", "anna"}},
		"cancelled": {writesWho, writesWho, true, []string{"anna", "dbo"}},
	}) {
		t.Run(name, func(t *testing.T) {
			onMSSQL(t, setup{lanes: 2}, func(h *harness) {
				s := h.withSecret()
				h.user("ada", "admin")
				anna := h.as("anna")
				p := number(h, anna.ask(h.say.createProcess("anna's", true)))
				anna.exec(h.say.enqueue(p, 1, c.first))
				s.exec(h.say.enqueue(p, 2, c.second))
				if c.cancel {
					anna.exec(fmt.Sprintf("EXEC dbsched.CancelProcess %d;", p))
				}
				anna.exec(h.say.release(p))
				h.waitFor(p, time.Minute)
				before := s.rows("SELECT Name FROM dbo.Who ORDER BY Id;")
				require.ErrorContains(h, anna.try(fmt.Sprintf("EXEC dbsched.RetryProcess %d;", p)), "51025")
				h.pause(10 * time.Second)
				require.Equal(h, before, s.rows("SELECT Name FROM dbo.Who ORDER BY Id;"))
				h.as("ada").exec(fmt.Sprintf("EXEC dbsched.RetryProcess %d;", p))
				h.waitFor(p, time.Minute)
				var ran []string
				for _, row := range s.rows("SELECT Name FROM dbo.Who ORDER BY Id;") {
					ran = append(ran, row[0])
				}
				require.Equal(h, c.ran, ran)
			})
		})
	}
}

// TestMSSQLSessionOfAWorkerIsItsOwners: TaskScheduler runs only the caller's own tasks, whatever the caller may do: others' could read and change
// what belongs to the session. It leaves the session's CONTEXT_INFO as it was.
func TestMSSQLSessionOfAWorkerIsItsOwners(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.withSecret()
		h.user("ada", "admin")
		h.user("olga", "user")
		s.exec("ALTER ROLE db_owner ADD MEMBER olga;")
		s.exec("EXEC dbsched.SetWorkers 0;")
		const result = "DECLARE @r int; EXEC @r = dbsched.TaskScheduler 0; SELECT @r;"
		for _, worker := range []*session{s, h.as("ada"), h.as("olga")} {
			me := worker.value("SELECT USER_NAME();")
			hers := h.enqueueAs("anna", 2, "UPDATE #t SET x = USER_NAME(); EXEC sys.sp_set_session_context N'tenant', N'anna'; SET CONTEXT_INFO 0x616E6E61;")
			worker.exec("CREATE TABLE #t (x nvarchar(128)); INSERT #t VALUES (N'mine'); SET CONTEXT_INFO 0x6D696E65;")
			require.Equal(h, "1", worker.value(result), "%s: the next task is another user's", me)
			require.Equal(h, "Pending", h.statusOf(hers))
			require.Equal(h, [][]string{{"mine", "NULL"}}, worker.rows("SELECT x, CONVERT(nvarchar(10), SESSION_CONTEXT(N'tenant')) FROM #t;"))

			own := number(h, worker.ask(h.say.enqueueReturn(0, 1, writesWho)))
			require.Equal(h, "1", worker.value(result), me)
			require.Equal(h, "Succeeded", h.statusOf(own), me)
			require.Equal(h, me, s.value("SELECT TOP (1) w.Name FROM dbo.Who AS w ORDER BY w.Id DESC;"))
			require.Equal(h, "0x6D696E65", worker.value("SELECT CONVERT(varchar(30), SUBSTRING(CONTEXT_INFO(), 1, 4), 1);"), me)
			h.as("anna").exec(fmt.Sprintf("EXEC dbsched.CancelTask %d;", hers))
			require.Equal(h, "0", worker.value(result), "%s: nothing is left", me)
		}
	})
}

// TestMSSQLRightsThatAreGone: what a user has left behind enqueues nothing once the user may not: a round's report fails, a schedule is suspended,
// and says why. With the right it goes on, however the user got it.
func TestMSSQLRightsThatAreGone(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withSecret()
		h.user("carla", "user")
		h.user("ada", "admin")
		carla := h.as("carla")
		carla.exec("EXEC dbsched.DefineRound N'hers', N'[\"a\"]', @SuccessorSQL = " + quotedMSSQL(writesWho) + ";")
		carla.exec("EXEC dbsched.CreateSchedule N'hers', N'0 * * * *', " + quotedMSSQL(writesWho) + ";")
		queued := number(h, carla.ask("DECLARE @t bigint, @at datetime2(3) = DATEADD(minute, 30, SYSUTCDATETIME()); EXEC dbsched.ExecAsync "+quotedMSSQL(writesWho)+", 1, @NotBefore = @at, @TaskId = @t OUTPUT; SELECT @t;"))
		ran := func() string { return s.value("SELECT COUNT(*) FROM dbo.Who WHERE Name = N'carla';") }
		for _, without := range []string{"ALTER ROLE dbsched_user DROP MEMBER carla;", "DENY EXECUTE ON dbsched.ExecAsync TO carla;"} {
			s.exec(without)
			before := ran()
			require.ErrorContains(h, s.try("EXEC dbsched.ReportRound N'hers', N'a';"), "51057", without)
			require.ErrorContains(h, h.as("ada").try("EXEC dbsched.ReportRound N'hers', N'a';"), "51057", without)
			h.as("ada").exec("EXEC dbsched.RunSchedule N'hers';")
			h.pause(time.Minute)
			require.Equal(h, "Suspended", h.scheduleOf("hers").Status, without)
			require.Contains(h, h.scheduleOf("hers").Reason, "its owner [carla] may no longer enqueue")
			h.as("ada").exec("EXEC dbsched.SetScheduleEnabled N'hers', 1;")
			h.pause(2 * time.Hour)
			require.Equal(h, "Suspended", h.scheduleOf("hers").Status, "%s: as before", without)
			if h.statusOf(queued) == "Succeeded" && before == "0" {
				before = "1"
			}
			require.Equal(h, before, ran(), "%s: but what was queued before", without)

			s.exec("GRANT EXECUTE ON dbsched.ExecAsync TO carla;")
			s.exec("EXEC dbsched.ReportRound N'hers', N'a';")
			h.as("ada").exec("EXEC dbsched.SetScheduleEnabled N'hers', 1;")
			h.pause(time.Minute)
			require.Equal(h, strings.HasPrefix(without, "DENY"), h.scheduleOf("hers").Status == "Enabled", "she needs RunFiring, too, and has it in the second round")
			s.exec("GRANT EXECUTE ON dbsched.RunFiring TO carla;")
			h.as("ada").exec("EXEC dbsched.SetScheduleEnabled N'hers', 1;")
			h.pause(time.Hour)
			require.Equal(h, "Enabled", h.scheduleOf("hers").Status)
			require.Greater(h, number(h, ran()), number(h, before)+1)
		}
		require.NotEmpty(h, h.alarmsOf("ScheduleSuspended"))
	})
}

// TestMSSQLFormerOwner: what dbo left belongs to dbo, and not to the login that owned the database then: it would run with dbo's rights.
func TestMSSQLFormerOwner(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withSecret()
		password, login := fmt.Sprintf("Pw-%d-x", h.now().UnixNano()), fmt.Sprintf("dbsched_test_%d", h.now().UnixNano())
		s.exec("CREATE LOGIN " + login + " WITH PASSWORD = '" + password + "';")
		h.dropLogin(login)
		database := "DATABASE::" + s.value("SELECT QUOTENAME(DB_NAME());")
		h.admin().exec("ALTER AUTHORIZATION ON " + database + " TO " + login + ";")
		was := h.sessionAs(login, password)
		require.Equal(h, "dbo", was.value("SELECT USER_NAME();"))
		task := number(h, was.ask(h.say.enqueueReturn(0, 1, writesWho+" THROW 50001, N'once more', 1;")))
		p := number(h, was.ask(h.say.createProcess("dbo's", false)))
		was.exec("EXEC dbsched.DefineRound N'dbo''s', N'[\"a\"]', @SuccessorSQL = " + quotedMSSQL(writesWho) + ";")
		was.exec("EXEC dbsched.CreateSchedule N'dbo''s', N'@yearly', " + quotedMSSQL(writesWho) + ";")
		h.drain(time.Minute)

		h.admin().exec("ALTER AUTHORIZATION ON " + database + " TO sa;")
		s.exec("CREATE USER former FOR LOGIN " + login + "; ALTER ROLE dbsched_user ADD MEMBER former;")
		former := h.sessionAs(login, password)
		require.Equal(h, "former", former.value("SELECT USER_NAME();"))
		for _, view := range []string{"TaskInfo", "LogInfo", "RoundInfo", "ScheduleInfo", "ProcessInfo WHERE ProcessId > 1"} {
			require.Equal(h, "0", former.value("SELECT COUNT(*) FROM dbsched."+view+";"), view)
		}
		for call, number := range sorted(map[string]string{
			fmt.Sprintf("RetryTask %d", task):                "51025",
			fmt.Sprintf("RetryProcess %d", p):                "51006",
			fmt.Sprintf("ExecAsync N'SELECT 1;', 1, %d", p):  "51006",
			"ReportRound N'dbo''s', N'a'":                    "51053",
			"RunSchedule N'dbo''s'":                          "51072",
			"AlterSchedule N'dbo''s', @Calendar = N'@daily'": "51072",
		}) {
			require.ErrorContains(h, former.try("EXEC dbsched."+call+";"), number, call)
		}
		require.Equal(h, [][]string{{"dbo"}}, s.rows("SELECT Name FROM dbo.Who;"))
		s.exec("EXEC dbsched.ReportRound N'dbo''s', N'a'; EXEC dbsched.RunSchedule N'dbo''s';")
		h.pause(time.Minute)
		require.Equal(h, [][]string{{"dbo"}, {"dbo"}, {"dbo"}}, s.rows("SELECT Name FROM dbo.Who;"), "whoever owns the database now is dbo")
	})
}

// TestMSSQLWhoOwnsNothing: whoever cannot be impersonated, such as guest or an application role, owns no process, round, schedule, task or hook, and
// works in no session.
func TestMSSQLWhoOwnsNothing(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.withSecret()
		password, login := fmt.Sprintf("Pw-%d-x", h.now().UnixNano()), fmt.Sprintf("dbsched_test_%d", h.now().UnixNano())
		s.exec("CREATE LOGIN " + login + " WITH PASSWORD = '" + password + "';")
		h.dropLogin(login)
		s.exec("GRANT CONNECT TO guest;")
		s.exec("CREATE PROCEDURE dbo.OnAlarm @AlarmId bigint AS RETURN 0;")
		calls := []string{
			"ExecAsync N'SELECT 1;', 1", `ExecAsyncBatch N'[{"SQL": "SELECT 1;", "ExecutionOrder": 1}]'`, "CreateProcess N'p'",
			`DefineRound N'r', N'["a"]', @SuccessorSQL = N'SELECT 1;'`, "CreateSchedule N's', N'@daily', N'SELECT 1;'", "TaskScheduler 0", "SetAlarmHook N'dbo.OnAlarm'",
		}
		s.exec("CREATE APPLICATION ROLE app WITH PASSWORD = '" + password + "';")
		for _, name := range []string{"guest", "app"} {
			for _, call := range calls {
				procedure, _, _ := strings.Cut(call, " ")
				s.exec("GRANT EXECUTE ON dbsched." + procedure + " TO " + name + ";")
			}
			s.exec("GRANT EXECUTE ON TYPE::dbsched.TaskTable TO " + name + "; GRANT EXECUTE ON dbo.OnAlarm TO " + name + ";")
		}
		guest, app := h.sessionAs(login, password), h.session()
		app.exec("EXEC sys.sp_setapprole 'app', '" + password + "';")
		for name, c := range sorted(map[string]*session{"guest": guest, "app": app}) {
			require.Equal(h, name, c.value("SELECT USER_NAME();"))
			for _, call := range calls {
				require.ErrorContains(h, c.try("EXEC dbsched."+call+";"), "51007", "%s: %s", name, call)
			}
		}
		for _, table := range []string{"Tasks", "Rounds", "Schedules", "Processes WHERE ProcessId > 1"} {
			require.Equal(h, "0", s.value("SELECT COUNT(*) FROM dbsched."+table+";"), table)
		}
	})
}

// TestMSSQLVerifyUsers: verify names what was left by users who no longer exist, and the alarm hook among it.
func TestMSSQLVerifyUsers(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.withHook("")
		h.user("carla", "user")
		carla := h.as("carla")
		carla.exec("EXEC dbsched.DefineRound N'r', N'[\"a\"]', @SuccessorSQL = N'SELECT 1;'; EXEC dbsched.CreateSchedule N's', N'@yearly', N'SELECT 1;';")
		carla.exec("DECLARE @at datetime2(3) = DATEADD(day, 1, SYSUTCDATETIME()); EXEC dbsched.ExecAsync N'SELECT 1;', 1, @NotBefore = @at;")
		_, bad := h.verify(30 * time.Second)
		require.Empty(h, bad)
		s.exec("DROP USER carla; CREATE USER carla WITHOUT LOGIN; ALTER USER ops WITH NAME = op;")
		_, bad = h.verify(30 * time.Second)
		require.Len(h, bad, 1)
		require.Equal(h, dialects.Warn, bad["users"].Level)
		require.Equal(h, `left by users who no longer exist: round "r" of carla, schedule "s" of carla, the alarm hook of ops, unfinished tasks of carla`, bad["users"].Text)
	})
}

// TestMSSQLTrustIsNotTakenOver: a schedule of a trusted user leaves the database with its own tasks, and with nobody else's.
func TestMSSQLTrustIsNotTakenOver(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		o := h.other()
		o.trust("etl")
		h.user("ada", "admin")
		etl, ada := h.as("etl"), h.as("ada")
		etl.exec("EXEC dbsched.CreateSchedule N'load', N'@yearly', " + quotedMSSQL(o.insert(1)) + "; EXEC dbsched.RunSchedule N'load';")
		h.pause(time.Minute)
		require.Equal(h, [][]string{{"1"}, {"42"}}, o.facts(), h.report())
		ada.exec("EXEC dbsched.SetWorkers 0; EXEC dbsched.RunSchedule N'load';")
		h.pause(time.Minute)
		ada.exec("EXEC dbsched.AlterSchedule N'load', @SQL = " + quotedMSSQL(o.insert(7)) + "; EXEC dbsched.SetWorkers 2;")
		h.pause(5 * time.Minute)
		require.Contains(h, h.logsOf(h.firingTask("load"))[0].ErrorMessage, "51072")
		ada.exec("EXEC dbsched.RunSchedule N'load';")
		h.pause(time.Minute)
		require.Equal(h, [][]string{{"1"}, {"42"}}, o.facts())
		logs := h.logs()
		require.Equal(h, 916, logs[len(logs)-1].ErrorNumber, "she is nobody there")
	})
}

// TestMSSQLRevokedUser: a user who leaves the role is refused at once, in an open session, too. What the user's tasks do goes on, an administrator can
// end what the user holds, and back in the role the user has what was the user's.
func TestMSSQLRevokedUser(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.user("anna", "user")
		h.user("ada", "admin")
		h.resource("db", 1)
		anna := h.as("anna")
		request := number(h, anna.ask(h.say.acquire("db", "Shared", 0, 0)))
		p := number(h, anna.ask(h.say.createProcess("anna's", false)))
		ids := []int64{number(h, anna.ask(h.say.enqueueReturn(p, 1, h.dialect.Sleep(30*time.Second)))), number(h, anna.ask(h.say.enqueueReturn(p, 2, h.say.nothing)))}
		h.untilRunning(1, h.soon)
		h.session().exec("ALTER ROLE dbsched_user DROP MEMBER anna;")
		for _, text := range []string{h.say.enqueue(p, 1, h.say.nothing), h.say.close(p), h.say.releaseResource(request), fmt.Sprintf("EXEC dbsched.CancelTask %d;", ids[0])} {
			require.ErrorContains(h, anna.try(text), "EXECUTE permission was denied", text)
		}
		require.ErrorContains(h, anna.try("SELECT TaskId FROM dbsched.TaskInfo;"), "SELECT permission was denied")
		h.as("ada").exec(h.say.releaseResource(request))
		h.acquire("db", "Exclusive", 0, 0).granted(time.Second)
		h.waitFor(p, time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded"}, h.statuses(ids), "what was queued before")

		h.session().exec("ALTER ROLE dbsched_user ADD MEMBER anna;")
		require.Len(h, anna.rows("SELECT TaskId FROM dbsched.TaskInfo;"), 2)
		anna.exec(h.say.close(p))
		require.ErrorContains(h, anna.try(h.say.releaseResource(request)), "51044")
	})
}

// TestMSSQLRevokedAdministrator: who leaves the role of administrators sees and changes only what is the user's own.
func TestMSSQLRevokedAdministrator(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.user("anna", "user")
		h.user("ada", "admin", "user")
		id := h.enqueueAs("anna", 1, h.dialect.Sleep(time.Minute))
		ada := h.as("ada")
		h.enqueueAs("ada", 2, h.say.nothing)
		require.Len(h, ada.rows("SELECT TaskId FROM dbsched.TaskInfo;"), 2)
		h.session().exec("ALTER ROLE dbsched_admin DROP MEMBER ada;")
		require.Len(h, ada.rows("SELECT TaskId FROM dbsched.TaskInfo;"), 1)
		require.ErrorContains(h, ada.try(fmt.Sprintf("EXEC dbsched.CancelTask %d;", id)), "51025")
		require.ErrorContains(h, ada.try("EXEC dbsched.SetWorkers 0;"), "EXECUTE permission was denied")
		h.drain(2 * time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
	})
}
