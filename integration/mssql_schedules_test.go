package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLScheduleRights: users see and change their own schedules, readers see all and change none, administrators do everything.
func TestMSSQLScheduleRights(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		h.withSecret()
		h.user("rita", "reader")
		h.user("ada", "admin")
		h.user("nobody")
		anna, bert, ada, rita := h.as("anna"), h.as("bert"), h.as("ada"), h.as("rita")
		anna.exec("EXEC dbsched.CreateSchedule N'hers', N'0 * * * *', N'INSERT INTO dbo.Who (Name) VALUES (USER_NAME());';")
		bert.exec("EXEC dbsched.CreateSchedule N'his', N'0 3 * * *', N'SELECT 1;';")
		h.pause(time.Hour + time.Minute)
		require.Equal(h, [][]string{{"anna"}}, h.session().rows("SELECT Name FROM dbo.Who;"))

		calls := []string{
			"EXEC dbsched.AlterSchedule N'hers', @Missed = 'None';", "EXEC dbsched.AlterSchedule N'hers', @SQL = N'SELECT 1;';", "EXEC dbsched.SetScheduleEnabled N'hers', 0;",
			"EXEC dbsched.SetScheduleEnabled N'hers', 1;", "EXEC dbsched.RunSchedule N'hers';", "EXEC dbsched.DropSchedule N'hers';",
		}
		const schedules, firings = "SELECT s.Name FROM dbsched.ScheduleInfo AS s ORDER BY s.Name;", "SELECT DISTINCT f.Name FROM dbsched.ScheduleLog AS f;"
		for _, call := range calls {
			require.ErrorContains(h, bert.try(call), "51072", call)
			require.ErrorContains(h, rita.try(call), "permission was denied", call)
			require.ErrorContains(h, h.as("nobody").try(call), "permission was denied", call)
		}
		require.ErrorContains(h, bert.try("EXEC dbsched.CreateSchedule N'hers', N'0 * * * *', N'SELECT 1;';"), "51073", "the name is taken")
		require.ErrorContains(h, anna.try("EXEC dbsched.RunFiring 1;"), "51078", "for the task alone")
		require.ErrorContains(h, ada.try("EXEC dbsched.OrderSchedule N'hers', 'Drop';"), "permission was denied")
		require.Equal(h, [][]string{{"his"}}, bert.rows(schedules))
		require.Empty(h, bert.rows(firings))
		require.Equal(h, [][]string{{"hers"}}, anna.rows(schedules))
		require.Equal(h, [][]string{{"hers"}}, anna.rows(firings))
		for _, c := range []*session{ada, rita, h.session()} {
			require.Equal(h, [][]string{{"hers"}, {"his"}}, c.rows(schedules))
			require.Equal(h, [][]string{{"hers"}}, c.rows(firings))
		}
		require.Error(h, h.as("nobody").try(schedules))

		// An administrator's change leaves it hers, except for the tasks, which belong to whoever wrote them.
		for _, call := range calls[:5] {
			ada.exec(call)
			require.Equal(h, map[bool]string{true: "anna", false: "ada"}[call == calls[0]], h.scheduleOf("hers").OwnedBy)
		}
		require.ErrorContains(h, anna.try(calls[0]), "51072")
		h.pause(time.Minute)
		require.Equal(h, "Succeeded Succeeded", h.outcomes("hers"))
		ada.exec(calls[5])
		require.Equal(h, [][]string{{"hers"}}, anna.rows(firings), "what was hers stays so")
		h.requireNoAlarms()
	})
}

// TestMSSQLScheduleOwner: nothing runs as a user who is gone, who was renamed, or whose name another user has.
func TestMSSQLScheduleOwner(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withSecret()
		for _, name := range []string{"anna", "bert"} {
			h.as(name).exec("EXEC dbsched.CreateSchedule N'" + name + "', N'0 * * * *', N'INSERT INTO dbo.Who (Name) VALUES (USER_NAME());';")
		}
		s.exec("EXEC dbsched.CreateSchedule N'mine', N'0 * * * *', N'INSERT INTO dbo.Who (Name) VALUES (USER_NAME());';")
		s.exec("DROP USER anna;")
		h.user("anna", "user") // a different user
		s.exec("ALTER USER bert WITH NAME = albert;")
		h.pause(2*time.Hour + time.Minute)
		for _, name := range []string{"anna", "bert"} {
			require.Equal(h, "Suspended", h.scheduleOf(name).Status)
			require.Contains(h, h.scheduleOf(name).Reason, "["+name+"] no longer exists")
			require.Empty(h, h.firings(name))
		}
		require.Equal(h, "Succeeded Succeeded", h.outcomes("mine"))
		require.Len(h, h.alarmsOf("ScheduleSuspended"), 2)
		require.Empty(h, h.as("anna").rows("SELECT s.Name FROM dbsched.ScheduleInfo AS s;"), "the new user has nothing of the old one")
		require.ErrorContains(h, h.as("anna").try("EXEC dbsched.SetScheduleEnabled N'anna', 1;"), "51072")

		// The name is back: the schedule continues where it was. The user is not: somebody else takes over.
		s.exec("ALTER USER albert WITH NAME = bert;")
		h.as("bert").exec("EXEC dbsched.SetScheduleEnabled N'bert', 1;")
		s.exec("EXEC dbsched.SetScheduleEnabled N'anna', 1;")
		h.pause(time.Minute)
		require.Equal(h, "Suspended", h.scheduleOf("anna").Status, "it is still nobody's")
		s.exec("EXEC dbsched.AlterSchedule N'anna', @SQL = N'INSERT INTO dbo.Who (Name) VALUES (USER_NAME());';")
		s.exec("EXEC dbsched.SetScheduleEnabled N'anna', 1;")
		h.pause(time.Minute)
		for _, name := range []string{"anna", "bert"} {
			require.Equal(h, "Missed Succeeded", h.outcomes(name))
		}
		require.Equal(h, [][]string{{"bert", "1"}, {"dbo", "3"}}, s.rows("SELECT Name, COUNT(*) FROM dbo.Who GROUP BY Name ORDER BY Name;"))

		// Between the dispatcher and the lane.
		s.exec("EXEC dbsched.SetWorkers 0;")
		h.as("bert").exec("EXEC dbsched.RunSchedule N'bert';")
		h.pause(time.Minute)
		require.Equal(h, "Missed Succeeded Starting", h.outcomes("bert"))
		s.exec("DROP USER bert;")
		s.exec("EXEC dbsched.SetWorkers 2;")
		h.pause(10 * time.Minute)
		require.Equal(h, "Missed Succeeded Failed", h.outcomes("bert"))
		require.Len(h, h.alarmsOf("ScheduleFailed"), 1)
		require.Equal(h, "Failed", h.scheduleOf("bert").LastStatus)
	})
}

// TestMSSQLFiringBesideTheEndOfTheOneBefore: the process of the previous firing ends while the next instant is handled: the waiting firing
// starts then.
func TestMSSQLFiringBesideTheEndOfTheOneBefore(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		hour := h.now().Truncate(time.Hour).Add(time.Hour)
		h.pauseUntil(hour.Add(-10 * time.Minute))
		h.schedule(dialects.NewSchedule{Name: "q", Calendar: "0,1,2 * * * *", Overlap: "Queue", Tasks: []dialects.NewTask{h.sleep(1, 125*time.Second)}})
		h.pauseUntil(hour.Add(90 * time.Second))
		holder := h.session()
		holder.begin()
		require.Len(h, holder.rows("SELECT f.FiringId FROM dbsched.ScheduleFirings AS f WITH (XLOCK, ROWLOCK, FORCESEEK) WHERE f.ScheduleId = 1 AND f.Status = 'Waiting';"), 1)
		h.pauseUntil(hour.Add(130 * time.Second))
		holder.commit()
		h.pauseUntil(hour.Add(10 * time.Minute))
		fired := h.firings("q")
		require.Len(h, fired, 3)
		require.Equal(h, "Succeeded Succeeded Skipped", h.outcomes("q"))
		require.WithinDuration(h, hour.Add(130*time.Second), h.processOf(fired[1].ProcessID).CreatedAt, 5*time.Second)
	})
}

// TestMSSQLScheduleSameInstant: two sessions that order a firing in the same millisecond cause two firings.
func TestMSSQLScheduleSameInstant(t *testing.T) {
	onMSSQL(t, setup{stopped: true}, func(h *harness) {
		s := h.session()
		s.exec("EXEC dbsched.CreateSchedule N'q', N'@yearly', @SQL = N'SELECT 1;', @Overlap = 'Allow';")
		s.exec("EXEC dbsched.RunSchedule N'q'; EXEC dbsched.RunSchedule N'q';")
		s.exec("UPDATE dbsched.ScheduleFirings SET DueAt = '20260105 09:00';")
		s.exec("EXEC dbsched.StartScheduler;")
		h.pause(time.Minute)
		require.Equal(h, "Succeeded Succeeded", h.outcomes("q"))
	})
}
