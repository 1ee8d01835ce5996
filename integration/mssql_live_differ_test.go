package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/sandbox/differ"
)

// noting makes a table that everybody may write notes to.
func (h *harness) noting() *session {
	h.Helper()
	s := h.session()
	s.exec("CREATE TABLE dbo.Notes (Id int IDENTITY(1, 1) NOT NULL PRIMARY KEY, Text nvarchar(200) NOT NULL);")
	s.exec("GRANT INSERT ON dbo.Notes TO public;")
	return s
}

// TestMSSQLKillRefused: where KILL does not end activated sessions, a task that is cancelled ends by itself, and the next one runs. A refusal
// is an alarm.
func TestMSSQLKillRefused(t *testing.T) {
	for d, alarms := range sorted(map[differ.Difference]int{differ.KillRefused: 1, differ.KillUnheeded: 0}) {
		t.Run(string(d), func(t *testing.T) {
			onMSSQL(t, setup{lanes: 1, box: that(d)}, func(h *harness) {
				h.different()
				h.dropKillLogin()
				h.mayKill()
				id := h.exec(h.sleep(1, 30*time.Second))[0]
				next := h.exec(h.task(2, h.say.nothing))[0]
				h.untilRunning(1, h.soon)
				h.cancel(id)
				h.pause(20 * time.Second)
				require.Equal(h, "Stopping", h.statusOf(id))
				require.Len(h, h.alarmsOf("CannotEnd"), alarms)
				h.drain(time.Minute)
				require.Equal(h, "Succeeded", h.statusOf(next))
			})
		})
	}
}

// TestMSSQLActivationReusesSession: workers in one session find nothing of each other, and an orphan is found.
func TestMSSQLActivationReusesSession(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, box: that(differ.ActivationReusesSession)}, func(h *harness) {
		h.different()
		s := h.noting()
		const note = "INSERT INTO dbo.Notes (Text) VALUES (CONCAT(@@SPID, N' ', CONVERT(nvarchar(100), SESSION_CONTEXT(N'left'))));"
		for n, name := range []string{"anna", "ben"} {
			h.user(name, "user")
			h.enqueueAs(name, n+1, note+"EXEC sys.sp_set_session_context @key = N'left', @value = N'something';")
			h.drain(time.Minute)
		}
		notes := s.rows("SELECT n.Text FROM dbo.Notes AS n ORDER BY n.Id;")
		require.Equal(h, notes[0], notes[1])
		id := h.exec(h.sleep(3, time.Minute))[0]
		h.untilRunning(1, h.soon)
		h.killWorker(id)
		h.drain(5 * time.Minute)
		require.Equal(h, "Orphaned Succeeded", h.attempts(id))
	})
}

// TestMSSQLReadersOneByOne: all lanes work in the end.
func TestMSSQLReadersOneByOne(t *testing.T) {
	onMSSQL(t, setup{lanes: 16, box: that(differ.ReadersOneByOne)}, func(h *harness) {
		h.different()
		h.pause(10 * time.Minute)
		var tasks []dialects.NewTask
		for range 16 {
			tasks = append(tasks, h.sleep(1, 30*time.Second))
		}
		h.exec(tasks...)
		h.until(10*time.Second, "all run", func() bool { return h.running() == 16 })
	})
}

// TestMSSQLMirroringSeen: after a failover the database goes on without a start.
func TestMSSQLMirroringSeen(t *testing.T) {
	onMSSQL(t, setup{lanes: 2, box: that(differ.MirroringSeen)}, func(h *harness) {
		h.different()
		h.site(sandbox.Site{GUID: [16]byte{7}})
		require.NoError(h, h.sched.Start(h.Context()))
		h.site(sandbox.Site{Server: "PARTNER", GUID: [16]byte{7}})
		h.goesOn()
	})
}

// TestMSSQLStartJobRaises: a start that the Agent refuses is an alarm, once.
func TestMSSQLStartJobRaises(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, box: func(o *sandbox.Options) {
		that(differ.StartJobRaises)(o)
		o.AgentStopped = true
	}}, func(h *harness) {
		h.different()
		h.successor("next")
		h.round(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorJob: "next"})
		got, err := h.sched.ReportRound(h.Context(), "r", "a", true)
		require.NoError(h, err)
		require.Equal(h, dialects.RoundFailed, got)
		h.alarmed("RoundStart", `"next" was not started`)
		h.pause(5 * time.Minute)
		h.alarmed("RoundStart")
	})
}

// TestMSSQLActivationHasDatabaseOptions: tasks have the options that filtered indexes need.
func TestMSSQLActivationHasDatabaseOptions(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, box: that(differ.ActivationHasDatabaseOptions)}, func(h *harness) {
		h.different()
		s := h.noting()
		h.exec(h.task(1, "INSERT INTO dbo.Notes (Text) VALUES (CONVERT(nvarchar(20), @@OPTIONS & 12664));"))
		h.drain(time.Minute)
		require.Equal(h, [][]string{{"4472"}}, s.rows("SELECT n.Text FROM dbo.Notes AS n ORDER BY n.Id;"))
	})
}
