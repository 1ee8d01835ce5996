package integration

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLVerifySound: a sound installation has no findings, and the probe leaves nothing.
func TestMSSQLVerifySound(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		all, bad := h.verify(30 * time.Second)
		require.Empty(h, bad)
		last := all[len(all)-1]
		require.Equal(h, "probe", last.Name)
		require.Equal(h, dialects.OK, last.Level, last.Text)
		for _, table := range []string{"Tasks", "Logs", "Alarms"} {
			require.Equal(h, "0", h.session().value("SELECT COUNT(*) FROM dbsched."+table+";"), table)
		}
		require.Equal(h, "2", h.session().value("SELECT COUNT(*) FROM dbsched.Processes;"), "that of schedules, and the default process")

		h.exec(h.sleep(1, time.Hour), h.sleep(1, time.Hour))
		h.untilRunning(2, h.soon)
		_, bad = h.verify(30 * time.Second)
		require.Len(h, bad, 1)
		require.Equal(h, dialects.Warn, bad["probe"].Level, "all workers are busy")

		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopNow))
		_, bad = h.verify(30 * time.Second)
		require.Empty(h, bad, "stopped is no fault")
		require.False(h, h.status().Started, "and it is not started")
	})
}

// mssqlDamage are ways to damage an installation: the damage, the check that names it, and what repairs it, if that is not
// its remedy: a statement, or a command of the program.
var mssqlDamage = map[string]struct {
	damage, check, mend string
	level               dialects.Level
}{
	"dispatcher's queue disabled":     {"ALTER QUEUE dbsched.Dispatch WITH STATUS = OFF;", "queue Dispatch", "", dialects.Fail},
	"lane's queue disabled":           {"ALTER QUEUE dbsched.Lane_02 WITH STATUS = OFF;", "queue Lane_02", "", dialects.Fail},
	"dispatcher does not activate":    {"ALTER QUEUE dbsched.Dispatch WITH ACTIVATION (STATUS = OFF);", "queue Dispatch", "", dialects.Fail},
	"lane does not activate":          {"ALTER QUEUE dbsched.Lane_01 WITH ACTIVATION (STATUS = OFF);", "queue Lane_01", "", dialects.Fail},
	"procedure altered":               {"ALTER PROCEDURE dbsched.SendWake AS RETURN 0;", "procedure SendWake", "dbsched install", dialects.Fail},
	"public procedure altered":        {"ALTER PROCEDURE dbsched.SetPolicy @Policy varchar(30) AS RETURN 0;", "procedure SetPolicy", "dbsched install", dialects.Fail},
	"view altered":                    {"ALTER VIEW dbsched.AlarmInfo AS SELECT a.AlarmId, a.RaisedAt, a.Kind, a.ProcessId, a.TaskId, a.LaneId, a.AlarmText, a.AcknowledgedAt, a.AcknowledgedBy FROM dbsched.Alarms AS a WITH (NOLOCK);", "view AlarmInfo", "dbsched install", dialects.Fail},
	"procedure dropped":               {"DROP PROCEDURE dbsched.Purge;", "procedure Purge", "dbsched install", dialects.Fail},
	"view dropped":                    {"DROP VIEW dbsched.RoundInfo;", "view RoundInfo", "dbsched install", dialects.Fail},
	"index dropped":                   {"DROP INDEX IX_Tasks_Stop ON dbsched.Tasks;", "index IX_Tasks_Stop", "", dialects.Fail},
	"another index dropped":           {"DROP INDEX IX_Tasks_Unfinished ON dbsched.Tasks;", "index IX_Tasks_Unfinished", "", dialects.Fail},
	"timer's conversation ended":      {"DECLARE @h uniqueidentifier = (SELECT TimerHandle FROM dbsched.Settings); END CONVERSATION @h WITH CLEANUP;", "timer", "", dialects.Fail},
	"copy":                            {"UPDATE dbsched.Settings SET HomeServer = N'ELSEWHERE';", "scheduler", "here", dialects.Fail},
	"no worker allowed":               {"EXEC dbsched.SetWorkers 0;", "scheduler", "EXEC dbsched.SetWorkers 2;", dialects.Warn},
	"unacknowledged alarm":            {"EXEC dbsched.RaiseAlarm 'LateTask', N'It is late.';", "alarms", "EXEC dbsched.AcknowledgeAlarms;", dialects.Warn},
	"role dropped":                    {"DROP ROLE dbsched_reader;", "role dbsched_reader", "dbsched install", dialects.Fail},
	"schema has another owner":        {"ALTER AUTHORIZATION ON SCHEMA::dbsched TO dbo;", "owner", "", dialects.Fail},
	"owner lost its role":             {"ALTER ROLE db_owner DROP MEMBER dbsched_owner;", "owner", "", dialects.Fail},
	"broker off":                      {"ALTER DATABASE CURRENT SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE;", "broker", "not here", dialects.Fail},
	"queue activates something else":  {"ALTER QUEUE dbsched.Lane_01 WITH ACTIVATION (PROCEDURE_NAME = dbsched.Lane_02_Activated);", "queue Lane_01", "", dialects.Fail},
	"table that verify asks of, gone": {"DROP TABLE dbsched.WakeSent;", "table WakeSent", "not here", dialects.Fail},
}

// TestMSSQLVerifyNamesDamage: each damage is named, and nothing else, and repaired.
func TestMSSQLVerifyNamesDamage(t *testing.T) {
	for name, c := range sorted(mssqlDamage) {
		t.Run(name, func(t *testing.T) {
			onMSSQL(t, setup{lanes: 2}, func(h *harness) {
				h.pause(30 * time.Second)
				s := h.session()
				s.exec(c.damage)
				_, _ = h.sched.Status(h.Context()) // in case its connection was closed
				_, bad := h.verify(0)
				require.Len(h, bad, 1, "%+v", bad)
				require.Contains(h, bad, c.check)
				found := bad[c.check]
				require.Equal(h, c.level, found.Level, found.Text)
				switch {
				case c.mend == "not here": // a lost table is restored from a backup; TestMSSQLBrokerOff covers the broker
					return
				case found.Safe:
					require.NoError(h, h.sched.Mend(h.Context(), found))
				case c.mend == "here":
					require.NoError(h, h.sched.StartHere(h.Context()))
					s.exec("EXEC dbsched.AcknowledgeAlarms;")
				case c.mend == "dbsched install":
					require.Equal(h, c.mend, found.Remedy)
					_, err := h.sched.Install(h.Context(), dialects.InstallOptions{DrainTimeout: time.Minute})
					require.NoError(h, err)
				case c.mend != "":
					s.exec(c.mend)
				default:
					s.exec(found.Remedy)
					_, _ = h.sched.Status(h.Context())
				}
				h.pause(10 * time.Second)
				s.exec("EXEC dbsched.AcknowledgeAlarms;")
				_, bad = h.verify(30 * time.Second)
				require.Empty(h, bad)
			})
		})
	}
}

// TestMSSQLVerifyOrphan: a worker's session was killed.
func TestMSSQLVerifyOrphan(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		task := h.exec(h.sleep(1, time.Hour))[0]
		h.untilRunning(1, h.restart)
		h.killWorker(task)
		_, bad := h.verify(0)
		require.Len(h, bad, 1, "%+v", bad)
		found := bad[fmt.Sprint("task ", task)]
		require.Equal(h, dialects.Warn, found.Level)
		require.NoError(h, h.sched.Mend(h.Context(), found))
		h.pause(10 * time.Second)
		_, bad = h.verify(0)
		require.Empty(h, bad)
	})
}

// TestMSSQLVerifyLeak: conversations that nobody ends.
func TestMSSQLVerifyLeak(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		h.openConversations(1000)
		_, bad := h.verify(0)
		require.Len(h, bad, 1, "%+v", bad)
		require.Contains(h, bad, "conversations")
	})
}

// TestMSSQLVerifyStuckMonitor: an activation that did not receive leaves its queue's monitor NOTIFIED for good, even after the
// procedure has been restored.
func TestMSSQLVerifyStuckMonitor(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.pause(10 * time.Second)
		s := h.session()
		const name = "Dispatch_Activated"
		whole := s.value("SELECT m.definition FROM sys.sql_modules AS m WHERE m.object_id = OBJECT_ID(N'dbsched." + name + "');")
		s.exec("ALTER PROCEDURE dbsched." + name + " AS RETURN 0;")
		h.pause(5 * time.Minute)
		h.exec(h.sleep(1, time.Second))
		h.pause(5 * time.Minute)
		s.exec(regexp.MustCompile(`CREATE +PROCEDURE`).ReplaceAllString(whole, "CREATE OR ALTER PROCEDURE")) // the server stores it without OR ALTER
		_, bad := h.verify(0)
		require.Len(h, bad, 1, "%+v", bad)
		found := bad["queue monitor Dispatch"]
		require.Equal(h, dialects.Warn, found.Level)
		require.NoError(h, h.sched.Mend(h.Context(), found))
		h.drain(time.Minute)
		_, bad = h.verify(30 * time.Second)
		require.Empty(h, bad)
	})
}
