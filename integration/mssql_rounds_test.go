package integration

import (
	"strings"
	"testing"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/stretchr/testify/require"
)

// TestMSSQLRoundRights: a round belongs to the user who defined it, and only db_owner can have it start jobs: they start with the rights of
// whoever reports, who may be a sysadmin. An administrator may take such a round over, but with a task, which runs as that administrator.
func TestMSSQLRoundRights(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.user("alice", "user")
		h.user("bob", "user")
		h.user("carol", "admin")
		alice, bob, carol := h.as("alice"), h.as("bob"), h.as("carol")
		alice.exec(`EXEC dbsched.DefineRound N'r', N'["a", "b"]', @SuccessorSQL = N'CREATE TABLE dbo.NotHers (N int);';`)
		require.ErrorContains(h, alice.try(`EXEC dbsched.DefineRound N'j', N'["a"]', @SuccessorJob = N'Job';`), "51056")
		require.ErrorContains(h, bob.try(`EXEC dbsched.ReportRound N'r', N'a';`), "51053")
		require.ErrorContains(h, bob.try(`EXEC dbsched.DefineRound N'r', N'["b"]', @SuccessorSQL = N'SELECT 1;';`), "51053")
		require.ErrorContains(h, bob.try(`EXEC dbsched.DefineRound N'r', N'[]';`), "51053")
		for _, private := range []string{"RecordReport", "StartJob", "EndFiring", "EnqueueForRound", "LookAtJob"} {
			require.ErrorContains(h, carol.try("EXEC dbsched."+private+";"), "permission was denied", private)
		}
		require.Empty(h, bob.rows("SELECT Name FROM dbsched.RoundInfo;"))
		require.Empty(h, bob.rows("SELECT Member FROM dbsched.RoundMemberInfo;"))
		require.Len(h, alice.rows("SELECT Name FROM dbsched.RoundInfo;"), 1)
		require.NotEmpty(h, alice.rows("SELECT Member FROM dbsched.RoundMemberInfo;"))
		alice.exec(`EXEC dbsched.ReportRound N'r', N'a';`)
		carol.exec(`EXEC dbsched.ReportRound N'r', N'b';`)
		h.drain(time.Minute)
		task := h.tasks()[0]
		require.Equal(h, []any{"alice", "Failed"}, []any{task.EnqueuedBy, task.Status}, "it ran with her rights")
		require.ErrorContains(h, carol.try(`EXEC dbsched.DefineRound N'j', N'["a"]', @SuccessorJob = N'Job';`), "51056")
		h.session().exec(`EXEC dbsched.DefineRound N'j', N'["a"]', @SuccessorJob = N'Job';`)
		carol.exec(`EXEC dbsched.ReportRound N'j', N'a';`)
		alarms := h.alarms()
		require.Contains(h, strings.Join(alarms[len(alarms)-1], " "), "msdb cannot be read", "nobody is more in msdb than he is")
		require.ErrorContains(h, carol.try(`EXEC dbsched.DefineRound N'j', N'["a"]', @SuccessorJob = N'Another';`), "51056")
		require.Equal(h, "Job", h.roundOf("j").SuccessorJob)
		carol.exec(`EXEC dbsched.DefineRound N'j', N'["a"]', @SuccessorSQL = N'CREATE TABLE dbo.NotHisEither (N int);';`)
		h.session().exec(`EXEC dbsched.ReportRound N'j', N'a';`)
		h.drain(time.Minute)
		tasks := h.tasks()
		require.Equal(h, []any{"carol", "Failed"}, []any{tasks[len(tasks)-1].EnqueuedBy, tasks[len(tasks)-1].Status})
	})
}

// TestMSSQLRoundRedefined: a firing is about the job that it started, even if the round has a different successor by then.
func TestMSSQLRoundRedefined(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.successor("next")
		for _, successor := range []dialects.NewRound{{Name: "r", SuccessorJob: "another"}, {Name: "s", SuccessorSQL: "SELECT 1;"}} {
			name := successor.Name
			h.job("a"+name, h.say.jobs.report(name))
			h.round(dialects.NewRound{Name: name, Members: []string{"a" + name}, SuccessorJob: "next", StartTimeout: 10 * time.Second})
			h.startJob("a" + name)
			h.until(time.Minute, "a start", func() bool { return h.roundOf(name).LastStatus == "Starting" })
			admin := h.admin()
			admin.exec(h.say.kill(int(number(h, admin.value(h.say.jobs.reporter("a"+name))))))
			successor.Members, successor.StartTimeout = []string{"a" + name}, 10*time.Second
			h.round(successor)
			h.until(3*time.Minute, "an end", func() bool { return h.roundOf(name).LastStatus != "Starting" })
			require.Equal(h, "Unknown", h.roundOf(name).LastStatus)
			alarms := h.alarms()
			require.Contains(h, strings.Join(alarms[len(alarms)-1], " "), `job "next" may not have started`)
		}
	})
}
