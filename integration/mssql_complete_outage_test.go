package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// unresolved makes users unresolvable, with an error each.
func (h *harness) unresolved(users map[string]int) {
	h.Helper()
	h.site(sandbox.Site{Unresolved: users})
}

// TestMSSQLOutageOfOneUser: while one user cannot be resolved, the tasks of others run.
func TestMSSQLOutageOfOneUser(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		h.user("anna", "user")
		h.user("ben", "user")
		s := h.session()
		s.exec(h.say.setWorkers(0))
		annas, bens := h.enqueueAs("anna", 1, h.say.nothing), h.enqueueAs("ben", 1, h.say.nothing)
		h.unresolved(map[string]int{"anna": 15404})
		s.exec(h.say.setWorkers(2))
		h.untilStatus(bens, "Succeeded", time.Minute)
		require.Equal(h, "Waiting Outage", h.reasonOf(annas))
		require.Contains(h, h.alarmsOf("Outage")[0], "[anna]")
		h.recovers()
		h.drain(5 * time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(annas))
	})
}

// TestMSSQLOutageOfTheDatabaseOwner: the tasks of dbo wait while the owner of the database cannot be resolved, and verify names it, with what
// to do; so does the installation.
func TestMSSQLOutageOfTheDatabaseOwner(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		_, bad := h.verify(0)
		require.Empty(h, bad)
		h.unresolved(map[string]int{"dbo": 15517})
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.pause(time.Minute)
		require.Equal(h, "Waiting Outage", h.reasonOf(id))
		_, bad = h.verify(0)
		require.Equal(h, dialects.Warn, bad["user dbo"].Level)
		require.Contains(h, bad["user dbo"].Text, "15517")
		require.Contains(h, bad["user dbo"].Remedy, "ALTER AUTHORIZATION ON DATABASE")
		report, err := h.sched.Install(h.Context(), dialects.InstallOptions{})
		require.NoError(h, err)
		require.Len(h, report.Warnings, 2, "the other one says that nothing ends a session")
		require.Contains(h, report.Warnings[0], "dbo")
		h.recovers()
		h.drain(5 * time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
	})
}

// TestMSSQLVerifyImpersonates: verify tries the users of what waits, of schedules and of the hook, and nobody else's; who is not db_owner is told so.
func TestMSSQLVerifyImpersonates(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		h.withHook("")
		for _, name := range []string{"anna", "ben", "carl"} {
			h.user(name, "user")
		}
		h.enqueueAs("anna", 1, h.say.nothing)
		h.as("ben").exec("EXEC dbsched.CreateSchedule N'load', N'0 * * * *', @SQL = N'SELECT 1;';")
		h.unresolved(map[string]int{"anna": 15404, "ben": 15404, "carl": 15404, "ops": 15517})
		_, bad := h.verify(0)
		require.Len(h, bad, 3)
		for _, name := range []string{"anna", "ben", "ops"} {
			require.Equal(h, dialects.Warn, bad["user "+name].Level, name)
		}
	})
}

// TestMSSQLOutageOfTheHook: calls of the hook wait, and raise no calls of their own; they are made when its user is back.
func TestMSSQLOutageOfTheHook(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withHook("")
		h.unresolved(map[string]int{"ops": 15404})
		h.raises()
		h.pause(15 * time.Minute)
		require.Equal(h, []string{"Waiting"}, h.hookTasks())
		require.NotEmpty(h, h.alarmsOf("Outage"))
		h.recovers()
		h.until(15*time.Minute, "it is told", func() bool { return s.value("SELECT COUNT(*) FROM dbo.Told;") == "1" })
	})
}

// TestMSSQLOutageInATask: a procedure that a task calls runs as somebody who cannot be resolved. What the task did before may stay, so its
// OnOrphan decides. A transactional task has done nothing, and waits.
func TestMSSQLOutageInATask(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		h.user("loader")
		s.exec("GRANT INSERT ON dbo.Marks TO loader;")
		s.exec("CREATE PROCEDURE dbo.LoadAll WITH EXECUTE AS 'loader' AS INSERT INTO dbo.Marks (N) VALUES (1);")
		task := func(t dialects.NewTask) int64 {
			t.SQL, t.Order, t.MaxAttempts = "INSERT INTO dbo.Marks (N) VALUES (0); EXEC dbo.LoadAll;", 1, 1
			return h.exec(t)[0]
		}
		h.unresolved(map[string]int{"loader": 15404})
		fails := task(dialects.NewTask{OnOrphan: "Fail"})
		h.untilStatus(fails, "Failed", time.Minute)
		require.Equal(h, "Orphaned", h.attempts(fails))

		again := task(dialects.NewTask{OnOrphan: "Retry"})
		h.untilStatus(again, "Failed", time.Minute)
		require.Equal(h, "Orphaned Orphaned Orphaned Orphaned", h.attempts(again), "as often as MaxOrphans allows")

		before := s.value("SELECT COUNT(*) FROM dbo.Marks;")
		waits := task(dialects.NewTask{Transactional: true})
		h.pause(time.Minute)
		require.Equal(h, "Waiting Outage", h.reasonOf(waits))
		require.Equal(h, before, s.value("SELECT COUNT(*) FROM dbo.Marks;"))
		h.recovers()
		h.untilStatus(waits, "Succeeded", 5*time.Minute)

		// Whoever names somebody who does not exist has made a mistake.
		wrong := h.exec(h.task(1, "EXECUTE AS USER = N'nobody such';"))[0]
		h.untilStatus(wrong, "Failed", time.Minute)
		require.Equal(h, "Failed", h.attempts(wrong))
	})
}

// TestMSSQLOutageOfATrustedUser: the module that runs the tasks of a trusted user cannot become that user: its tasks wait, too.
func TestMSSQLOutageOfATrustedUser(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		o := h.other()
		o.trust("etl")
		s := h.session()
		s.exec(h.say.setWorkers(0))
		id := h.enqueueAs("etl", 1, o.insert(7))
		h.unresolved(map[string]int{"etl": 15517})
		s.exec(h.say.setWorkers(1))
		h.pause(time.Minute)
		require.Equal(h, "Waiting Outage", h.reasonOf(id))
		h.recovers()
		h.drain(5 * time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
	})
}
