package integration

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLCallersAreNotDoomed: whatever goes wrong inside a public procedure, a caller that catches the error has no transaction
// that it did not begin, and above all none that it cannot continue (3930).
func TestMSSQLCallersAreNotDoomed(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		s.exec("CREATE PROCEDURE dbo.Hook @AlarmId bigint AS RETURN 0;")
		s.exec("EXEC dbsched.DefineResource N'r';")
		s.exec("EXEC dbsched.DefineRound N'round', N'[\"a\"]', @SuccessorSQL = N'SELECT 1;';")
		s.exec("EXEC dbsched.CreateSchedule N'daily', '@daily', N'SELECT 1;';")
		process := h.process(dialects.NewProcess{Name: "p"})
		task := h.exec(h.task(1, h.say.failing[0].sql))[0]
		h.until(h.soon, "the task failed", func() bool { return h.statusOf(task) == "Failed" })
		calls := map[string]string{
			"AlterSchedule":      "N'daily', '@hourly'",
			"CreateSchedule":     "N'new', '@daily', N'SELECT 1;'",
			"DropSchedule":       "N'daily'",
			"RunFiring":          "1",
			"RunSchedule":        "N'daily'",
			"SetScheduleEnabled": "N'daily', 1",
			"AcquireResource":    "N'r', @TimeoutSeconds = 1",
			"AcknowledgeAlarms":  "",
			"CancelProcess":      fmt.Sprint(process),
			"CancelTask":         fmt.Sprint(task),
			"CloseProcess":       fmt.Sprint(process),
			"CreateProcess":      "N'q'",
			"DefineResource":     "N's'",
			"DefineRound":        "N'other', N'[\"a\"]', @SuccessorSQL = N'SELECT 1;'",
			"DropResource":       "N'r'",
			"ExecAsync":          "N'SELECT 1;', 1",
			"ExecAsyncBatch":     "N'[{\"SQL\": \"SELECT 1;\", \"ExecutionOrder\": 1}]'",
			"ExecAsyncTable":     "@T",
			"Purge":              "1",
			"ReleaseProcess":     fmt.Sprint(process),
			"ReleaseResource":    "1",
			"ReportRound":        "N'round', N'a'",
			"RetryProcess":       fmt.Sprint(process),
			"RetryTask":          fmt.Sprint(task),
			"SetAlarmHook":       "N'dbo.Hook'",
			"SetOptions":         "@RetentionDays = 7",
			"SetPolicy":          "'Fifo'",
			"SetWorkers":         "1",
			"StartScheduler":     "",
			"StopScheduler":      "'Now'",
			"Sweep":              "",
			"WaitProcess":        fmt.Sprint(process) + ", 1",
		}
		for _, row := range s.rows("SELECT DISTINCT o.name FROM sys.database_permissions AS p INNER JOIN sys.procedures AS o ON o.object_id = p.major_id WHERE p.state = 'G' AND o.schema_id = SCHEMA_ID(N'dbsched');") {
			if row[0] != "TaskScheduler" { // a worker, which waits as long as it takes
				require.Contains(h, calls, row[0], "a public procedure without a call here")
			}
		}
		failures := 0
		for _, table := range []string{"Settings", "Processes", "Tasks", "Logs", "Lanes", "Resources", "ResourceRequests", "ProcessRequests", "Rounds", "RoundFirings", "WakeSent", "Alarms", "Schedules", "ScheduleFirings"} {
			locker := h.session()
			locker.begin()
			locker.exec("SELECT COUNT(*) FROM dbsched." + table + " WITH (XLOCK, HOLDLOCK);")
			for _, name := range slices.Sorted(maps.Keys(calls)) {
				c := h.session()
				c.exec("CREATE TABLE #Outcome (Error int, State int, Count int);")
				c.exec("SET LOCK_TIMEOUT 100; DECLARE @Error int = 0, @State int, @Count int, @T dbsched.TaskTable;" +
					" INSERT INTO @T (TaskNo, SQL, ExecutionOrder) VALUES (1, N'SELECT 1;', 1);" +
					" BEGIN TRY EXEC dbsched." + name + " " + calls[name] + "; END TRY BEGIN CATCH SET @Error = ERROR_NUMBER(); END CATCH;" +
					" SELECT @State = XACT_STATE(), @Count = @@TRANCOUNT; IF @State <> 0 ROLLBACK; INSERT INTO #Outcome VALUES (@Error, @State, @Count);")
				last := c.rows("SELECT Error, State, Count FROM #Outcome;")[0]
				require.Equal(h, []string{"0", "0"}, last[1:3], "%s while %s is locked: error %s", name, table, last[0])
				if last[0] != "0" {
					failures++
				}
			}
			locker.rollback()
		}
		require.Greater(h, failures, 50)
	})
}
