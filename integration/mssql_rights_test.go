package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// publicProcedures are what roles may call; everything else is private.
var publicProcedures = map[string][]string{
	"user":   {"AcquireResource", "ReleaseResource", "ExecAsync", "CreateProcess", "ReleaseProcess", "CloseProcess", "WaitProcess"},
	"reader": {},
	"admin": {"AcquireResource", "ReleaseResource", "DefineResource", "ExecAsync", "CreateProcess", "ReleaseProcess", "CloseProcess", "WaitProcess", "StartScheduler", "StopScheduler", "SetWorkers",
		"SetPolicy", "Sweep", "TaskScheduler"},
}

// withSecret makes a table that only dbo may read, and two users of dbsched.
func (h *harness) withSecret() *session {
	h.Helper()
	s := h.marks()
	s.exec("CREATE TABLE dbo.Secret (N int NOT NULL);")
	s.exec("INSERT INTO dbo.Secret (N) VALUES (42);")
	s.exec("CREATE TABLE dbo.Who (Id int IDENTITY(1, 1) NOT NULL PRIMARY KEY, Name nvarchar(128) NOT NULL, OriginalLogin nvarchar(128) NULL);")
	s.exec("GRANT INSERT ON dbo.Who TO public;")
	h.user("anna", "user")
	h.user("bert", "user")
	return s
}

// TestMSSQLTaskRunsAsItsUser, never with more rights, whatever it tries.
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

		for _, try := range []struct {
			sql    string
			number int
		}{
			{"SELECT N FROM dbo.Secret;", 229},
			{"REVERT; SELECT N FROM dbo.Secret;", 229},
			{"REVERT; REVERT; EXEC (N'REVERT; SELECT N FROM dbo.Secret;');", 229},
			{"EXECUTE AS USER = N'dbo'; SELECT N FROM dbo.Secret;", 15517},
			{"EXECUTE AS USER = N'bert';", 15517},
			{"EXECUTE AS USER = N'dbsched_owner';", 15517},
			{"EXECUTE AS LOGIN = N'sa';", 15406},
			{"EXEC (N'SELECT N FROM dbo.Secret') AS USER = N'dbo';", 15517},
			{"DELETE FROM dbsched.Tasks;", 229},
			{"SELECT SqlText FROM dbsched.Tasks;", 229},
			{"UPDATE dbsched.Settings SET MaxWorkers = 0;", 229},
			{"EXEC dbsched.RunTaskText N'SELECT N FROM dbo.Secret;', NULL, NULL, NULL, NULL, NULL;", 229},
			{"EXEC dbsched.RunTask N'SELECT N FROM dbo.Secret;', 1, 0x01, N'dbo', NULL, NULL, NULL, NULL, NULL;", 229},
			{"EXEC dbsched.SetWorkers 0;", 229},
			{"EXEC dbsched.StopScheduler;", 229},
			{"ALTER ROLE dbsched_admin ADD MEMBER anna;", 15151},
			{"CREATE USER carla WITHOUT LOGIN;", 15247},
			{"DROP TABLE dbo.Secret;", 3701},
		} {
			id := h.enqueueAs("anna", 10, try.sql)
			h.drain(10 * time.Second)
			l := h.logsOf(id)[0]
			require.Equal(h, try.number, l.ErrorNumber, "%s: %s", try.sql, l.ErrorMessage)
		}
		require.Equal(h, [][]string{{"42"}}, s.rows("SELECT N FROM dbo.Secret;"))
		require.Equal(h, 2, h.status().MaxWorkers)
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
		for user, role := range map[string]string{"anna": "user", "rita": "reader", "ada": "admin", "nobody": ""} {
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

// TestMSSQLWhoCannotBeImpersonated is told so when enqueueing, and a user who is gone when the task would run.
func TestMSSQLWhoCannotBeImpersonated(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		s := h.withSecret()
		h.user("carla", "user")
		gone := h.enqueueAs("carla", 1, h.say.nothing)
		again := h.enqueueAs("bert", 2, "INSERT INTO dbo.Who (Name) VALUES (USER_NAME());")
		s.exec("DROP USER carla;")
		s.exec("CREATE USER carla WITHOUT LOGIN;") // a namesake
		s.exec("ALTER USER bert WITH NAME = robert;")
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(10 * time.Second)
		require.Equal(h, 51021, h.logsOf(gone)[0].ErrorNumber)
		require.Equal(h, 51021, h.logsOf(again)[0].ErrorNumber, "the same user under another name: enqueue again")
	})
}

// TestMSSQLLocksAreOurs: nobody else can take or release a lane's lock, or make a worker of itself by other means.
func TestMSSQLLocksAreOurs(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.withSecret()
		anna := h.as("anna")
		for _, try := range []string{
			"EXEC @r = sys.sp_getapplock @Resource = N'lane:1', @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 0, @DbPrincipal = N'dbsched_locks';",
			"EXEC @r = sys.sp_releaseapplock @Resource = N'lane:1', @LockOwner = 'Session', @DbPrincipal = N'dbsched_locks';",
		} {
			got := anna.rows("DECLARE @r int = 77; BEGIN TRY " + try + " END TRY BEGIN CATCH SET @r = -ERROR_NUMBER(); END CATCH; SELECT CASE WHEN @r < 0 THEN N'refused' ELSE N'taken' END;")
			require.Equal(h, [][]string{{"refused"}}, got, try)
		}
		// Its own lock of that name is another lock.
		anna.exec("EXEC sys.sp_getapplock @Resource = N'lane:1', @LockMode = 'Exclusive', @LockOwner = 'Session';")
		id := h.enqueueAs("bert", 1, h.say.nothing)
		h.startsWithin(id, h.now(), time.Second)
	})
}

// TestMSSQLUserByLogin: a login with nothing but dbsched_user, from its own connection.
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
