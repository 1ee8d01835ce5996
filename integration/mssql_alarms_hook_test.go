package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLAlarmHook: the procedure that an administrator set is called for every alarm, as that user, until it is removed; an
// installation keeps it.
func TestMSSQLAlarmHook(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withHook("")
		told := func(n int) {
			h.Helper()
			h.until(5*time.Second, fmt.Sprint(n, " alarms told"), func() bool { return s.value("SELECT COUNT(*) FROM dbo.Told;") == fmt.Sprint(n) })
		}
		h.raises()
		told(1)
		require.Equal(h, [][]string{{"1", "ProcessFailed", "ops"}}, s.rows("SELECT AlarmId, Kind, Who FROM dbo.Told;"))
		require.Equal(h, [][]string{{"[dbo].[OnAlarm]", "ops"}}, s.rows("SELECT AlarmHook, AlarmHookBy FROM dbsched.SchedulerInfo;"))

		s.exec("CREATE OR ALTER PROCEDURE dbsched.CloseIfDone @ProcessId int AS BEGIN SET NOCOUNT ON; END;")
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{})
		require.NoError(h, err)
		h.raises()
		told(2)

		h.as("ops").exec("EXEC dbsched.SetAlarmHook N'[dbo].[OnAlarm]';")
		require.Equal(h, [][]string{{"Open"}}, s.rows("SELECT Status FROM dbsched.ProcessInfo WHERE Name = N'alarm hook';"), "the same again")

		// Another user's, with a name that needs quoting.
		s.exec("CREATE PROCEDURE dbo.[x]]'; DELETE FROM dbo.Told; --] @AlarmId bigint AS INSERT INTO dbo.Told (AlarmId, Kind, Who) VALUES (@AlarmId, 'odd', USER_NAME());")
		s.exec("EXEC dbsched.SetAlarmHook N'dbo.x]''; DELETE FROM dbo.Told; --';")
		h.raises()
		told(3)
		require.Equal(h, [][]string{{"odd", "dbo"}}, s.rows("SELECT Kind, Who FROM dbo.Told WHERE Id = 3;"))

		s.exec("EXEC dbsched.SetAlarmHook;")
		h.raises()
		h.pause(5 * time.Minute)
		require.Equal(h, "3", s.value("SELECT COUNT(*) FROM dbo.Told;"))
		require.Equal(h, [][]string{{"Succeeded"}, {"Succeeded"}}, s.rows("SELECT Status FROM dbsched.ProcessInfo WHERE Name = N'alarm hook';"))
		require.Equal(h, "4", s.value("SELECT COUNT(*) FROM dbsched.AlarmInfo;"))
	})
}

// TestMSSQLAlarmHookThatFails: it is tried three times, and nothing else suffers; nor is its failure an alarm.
func TestMSSQLAlarmHookThatFails(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withHook("BEGIN TRANSACTION; UPDATE dbo.Told SET Who = N'?'; SELECT 1 / 0; THROW 50001, N'no pager', 1;")
		h.raises()
		h.pause(10 * time.Minute)
		require.Equal(h, []string{"Failed"}, h.hookTasks())
		logs := s.rows("SELECT ErrorNumber, EnqueuedBy FROM dbsched.LogInfo WHERE TaskBody LIKE N'EXEC %@AlarmId = %' ORDER BY LogId;")
		require.Len(h, logs, 3)
		require.Equal(h, "ops", logs[0][1])
		require.Equal(h, "1", s.value("SELECT COUNT(*) FROM dbsched.AlarmInfo;"))
		require.Equal(h, "0", s.value("SELECT COUNT(*) FROM dbo.Told;"))
		h.startsWithin(h.exec(h.task(1, h.say.nothing))[0], h.now(), time.Second)
	})
}

// TestMSSQLAlarmHookThatCannotBeEnqueued: the alarm stays, and so does what raised it. A missing user simulates whatever may keep
// the hook's task from being stored.
func TestMSSQLAlarmHookThatCannotBeEnqueued(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withHook("")
		s.exec("UPDATE dbsched.Settings SET AlarmHookById = NULL;")
		h.raises()
		require.Len(h, h.alarmsOf("ProcessFailed"), 1)
		require.Len(h, h.logs(), 1)
		require.Empty(h, h.hookTasks())
		h.as("ops").exec("EXEC dbsched.SetAlarmHook N'dbo.OnAlarm';")
		h.raises()
		h.until(5*time.Second, "it is told of the next one", func() bool { return s.value("SELECT COUNT(*) FROM dbo.Told;") == "1" })
		require.Len(h, s.rows(h.say.alarms), 2)
	})
}

// TestMSSQLAlarmHookThatHangs: it holds one worker, however many alarms there are, and nobody else.
func TestMSSQLAlarmHookThatHangs(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		h.withHook("WAITFOR DELAY '01:00:00';")
		for range 3 {
			h.raises()
		}
		h.until(5*time.Second, "the hook runs", func() bool { return h.running() == 1 })
		h.pause(time.Minute)
		require.Equal(h, []string{"Running", "Pending", "Pending"}, h.hookTasks())
		h.startsWithin(h.exec(h.task(1, h.say.nothing))[0], h.now(), time.Second)
	})
}

// TestMSSQLAlarmHookTellsNothingOfItself: its own tasks never cause a call, and a process that was ended gets no new tasks.
func TestMSSQLAlarmHookTellsNothingOfItself(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withHook("WAITFOR DELAY '01:00:00';")
		h.raises()
		h.until(5*time.Second, "the hook runs", func() bool { return h.running() == 1 })
		// Nobody has signed the kill procedure: dbsched cannot end the task, which is an alarm.
		h.pause(10 * time.Minute)
		require.Len(h, h.alarmsOf("CannotEnd"), 1)
		require.Equal(h, []string{"Stopping"}, h.hookTasks())

		p := s.value("SELECT ProcessId FROM dbsched.ProcessInfo WHERE Name = N'alarm hook';")
		h.as("ops").exec("EXEC dbsched.CancelProcess " + p + ";")
		h.raises()
		h.pause(10 * time.Minute)
		require.Equal(h, []string{"Stopping"}, h.hookTasks())
		require.Empty(h, h.alarmsOf("LateTask"))
		h.as("ops").exec("EXEC dbsched.SetAlarmHook N'dbo.OnAlarm';")
		h.raises()
		h.until(5*time.Second, "it is called again", func() bool { return len(h.hookTasks()) == 2 })
	})
}

// TestMSSQLAlarmHookOfWhoIsGone: if its user is gone it fails on its own, as every task does.
func TestMSSQLAlarmHookOfWhoIsGone(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withHook("")
		s.exec("DROP USER ops;")
		h.raises()
		h.pause(5 * time.Minute)
		require.Equal(h, []string{"Failed"}, h.hookTasks())
		require.Equal(h, "51021", s.value("SELECT DISTINCT ErrorNumber FROM dbsched.LogInfo WHERE TaskBody LIKE N'EXEC %@AlarmId = %';"))
	})
}

// TestMSSQLAlarmHookRefused: anything but a procedure that the caller may execute with an alarm, and callers without the right.
func TestMSSQLAlarmHookRefused(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		s := h.withHook("")
		s.exec("CREATE PROCEDURE dbo.Deaf AS SELECT 1;")
		s.exec("CREATE PROCEDURE dbo.Secret @AlarmId bigint AS SELECT 1;")
		s.exec("GRANT VIEW DEFINITION ON dbo.Secret TO ops;")
		s.exec("GRANT EXECUTE ON dbo.Deaf TO ops;")
		ops := h.as("ops")
		for _, name := range []string{"N'dbo.Missing'", "N'OnAlarm'", "N'dbo.Deaf'", "N'dbo.Secret'", "N'elsewhere.dbo.OnAlarm'", "N''", "N'dbo.Told'", "N'dbo.OnAlarm; DELETE FROM dbo.Told'"} {
			require.ErrorContains(h, ops.try("EXEC dbsched.SetAlarmHook "+name+";"), "51060", name)
		}
		ops.exec("BEGIN TRANSACTION;")
		require.ErrorContains(h, ops.try("EXEC dbsched.SetAlarmHook N'dbo.OnAlarm';"), "51010")
		h.user("anna", "user", "reader")
		require.ErrorContains(h, h.as("anna").try("EXEC dbsched.SetAlarmHook NULL;"), "EXECUTE permission was denied")
		require.Equal(h, "[dbo].[OnAlarm]", s.value("SELECT AlarmHook FROM dbsched.SchedulerInfo;"))
	})
}
