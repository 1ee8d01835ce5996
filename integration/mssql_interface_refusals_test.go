package integration

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMSSQLRefusalsOfProcedures: each error that docs/interface.md promises of a procedure that has its own transactions, for NULL and at the edges. How the
// number arrives is checked wherever an error arrives.
func TestMSSQLRefusalsOfProcedures(t *testing.T) {
	onMSSQL(t, setup{stopped: true}, func(h *harness) {
		s := h.session()
		long := func(n int) string { return "N'" + strings.Repeat("x", n) + "'" }
		s.exec("EXEC dbsched.DefineResource N'used'; EXEC dbsched.DefineResource N'wanted'; EXEC dbsched.AcquireResource N'used', @TimeoutSeconds = 0;")
		s.exec("EXEC dbsched.ExecAsync N'SELECT 1;', 1, @Resource = N'wanted';")
		s.exec(`EXEC dbsched.DefineRound N'100%d', N'["a%s", "b"]', @SuccessorSQL = N'SELECT 1;'; EXEC dbsched.CreateSchedule N's', N'@daily', N'SELECT 1;';`)
		s.exec("CREATE PROCEDURE dbo.Deaf AS RETURN 0;")
		refusals := map[string]map[string]string{
			"51003": {
				"DefineResource N'r', NULL": "@Capacity", "AcquireResource N'used', @LeaseSeconds = 604801": "@LeaseSeconds", "AcquireResource N'used', @TimeoutSeconds = -1": "@TimeoutSeconds",
				`DefineRound N'r', N'["a"]', N'j', @ExecutionOrder = NULL`: "@ExecutionOrder", `DefineRound N'r', N'["a"]', N'j', @MaxAgeSeconds = NULL`: "@MaxAgeSeconds", `DefineRound N'r', N'["a"]', N'j', @StartSeconds = 0`: "@StartSeconds",
				"ReportRound N'100%d', N'a%s', NULL": "@Succeeded", "SetScheduleEnabled N's', NULL": "@Enabled", "SetScheduleEnabled N'none', NULL": "@Enabled", "TaskScheduler NULL": "@WaitingTime", "TaskScheduler 86401": "@WaitingTime",
				"Purge -1": "@Days", "SetOptions": "at least one option", "SetWorkers NULL": "@MaxWorkers", "WaitProcess 1, 604801": "@TimeoutSeconds", "WaitProcess 4711, NULL": "@TimeoutSeconds",
				"CreateSchedule N'x', N'@daily', N'SELECT 1;', @Weight = 0": "@Weight", "CreateSchedule N'x', N'@daily', N'SELECT 1;', @MaxParallel = -1": "@MaxParallel", "AlterSchedule N's', @Weight = 1001": "@Weight",
			},
			"51004": {
				"CancelProcess NULL": "@ProcessId is NULL", "CancelProcess 4711": "", "CancelProcess -1": "", "RetryProcess NULL": "@ProcessId is NULL", "RetryProcess 4711": "", "RetryProcess 0": "", "WaitProcess NULL, 1": "",
				"WaitProcess 0, 1": "", `DefineRound N'r', N'["a"]', @SuccessorSQL = N'SELECT 1;', @ProcessId = -1`: "no process -1", `DefineRound N'r', N'["a"]', N'j', @ProcessId = 4711`: "no process 4711",
			},
			"51008": {
				"AcquireResource N'used', NULL": "@Access", "AcquireResource N'used', ''": "@Access", "SetPolicy ''": "@Policy", "StopScheduler NULL": "@Mode", "StopScheduler ''": "@Mode",
				"CreateSchedule N'x', N'@daily', N'SELECT 1;', @Overlap = 'Wait'": "@Overlap", "CreateSchedule N'x', N'@daily', N'SELECT 1;', @Missed = 'Some'": "@Missed", "AlterSchedule N's', @Overlap = ''": "@Overlap",
				"AlterSchedule N's', @Missed = ''": "@Missed", "CreateSchedule N'x', N'@daily', N'SELECT 1;', @OnError = 'x'": "@OnError", "AlterSchedule N's', @OnError = 'x'": "@OnError",
			},
			"51013": {"CancelProcess 0": "", "CancelProcess 1": ""},
			"51014": {"TaskScheduler 0": "", "TaskScheduler 86400": "", "TaskScheduler": ""},
			"51024": {"CancelTask NULL": "@TaskId is NULL", "CancelTask 4711": "", "RetryTask NULL": "@TaskId is NULL", "RetryTask 4711": "", "CancelTask -1": ""},
			"51027": {"RetryTask 1": "", "RetryProcess 1": ""},
			"51036": {"CreateSchedule N'x', N'@daily', @Tasks = N'x'": "", "CreateSchedule N'x', N'@daily', @Tasks = N'[1]'": "", "AlterSchedule N's', @Tasks = N'{}'": ""},
			"51001": {"CreateSchedule N'x', N'@daily', N' '": "", "AlterSchedule N's', @SQL = N''": ""},
			"51040": {"DropResource NULL": "", "DropResource N''": "", "AcquireResource N'none'": "", "DropResource " + long(129): ""},
			"51041": {
				"DefineResource NULL": "@Name", "DefineResource N''": "@Name", "DefineResource " + long(129): "@Name", "AcquireResource NULL": "@Name", "AcquireResource N''": "@Name", "AcquireResource " + long(129): "@Name",
				"AcquireResource N'used', @Requester = N''": "@Requester", "AcquireResource N'used', @Requester = " + long(129): "@Requester",
			},
			"51044": {"ReleaseResource NULL": "", "ReleaseResource 4711": "", "ReleaseResource 0": ""},
			"51047": {"DropResource N'used'": "", "DropResource N'wanted'": ""},
			"51050": {"DefineRound NULL, N'[\"a\"]', N'j'": "@Round", "DefineRound " + long(129) + ", N'[\"a\"]', N'j'": "@Round", "ReportRound NULL, N'b'": "", "ReportRound N'100%d', NULL": ""},
			"51051": {"ReportRound N'99%d', N'a'": `no round "99%d"`},
			"51052": {"ReportRound N'100%d', N'c%s'": `round "100%d" has no member "c%s"`, "ReportRound N'100%d', N''": ""},
			"51054": {
				"DefineRound N'r', NULL, N'j'": "", "DefineRound N'r', N'', N'j'": "", "DefineRound N'r', N'{}', N'j'": "", "DefineRound N'r', N'[\"a\"', N'j'": "", "DefineRound N'r', N'[\"\"]', N'j'": "",
				"DefineRound N'r', N'[null]', N'j'": "", "DefineRound N'r', N'[\"b\", [\"a\"]]', N'j'": "", "DefineRound N'r', N'[\"" + strings.Repeat("x", 129) + "\"]', N'j'": "", "DefineRound N'r', N'[\"a\", \"b\", \"a\"]', N'j'": "",
			},
			"51055": {
				"DefineRound N'r', N'[\"a\"]', N''": "", "DefineRound N'r', N'[\"a\"]', NULL, N' \t\r\n'": "", "DefineRound N'r', N'[\"a\"]', N'j', N'SELECT 1;'": "", "DefineRound N'r', N'[\"a\"]', " + long(129): "",
				"DefineRound N'r', N'[\"a\"]'": "",
			},
			"51060": {"SetAlarmHook N'dbo.None'": "", "SetAlarmHook N'dbo.Deaf'": "", "SetAlarmHook N''": "", "SetAlarmHook N'Deaf'": ""},
			"51071": {"AlterSchedule N'none'": "", "AlterSchedule N'none', @Overlap = 'Skip'": "", "DropSchedule N'none'": "", "RunSchedule N'none'": "", "SetScheduleEnabled N'none', 0": "", "SetScheduleEnabled N'none', 1": "", "DropSchedule NULL": ""},
			"51073": {
				"CreateSchedule NULL, N'@daily', N'SELECT 1;'": "1 to 100", "CreateSchedule N'', N'@daily', N'SELECT 1;'": "1 to 100", "CreateSchedule " + long(101) + ", N'@daily', N'SELECT 1;'": "1 to 100", "AlterSchedule NULL": "1 to 100",
				"CreateSchedule N's', N'@daily', N'SELECT 1;'": "there is a schedule of that name",
			},
			"51074": {
				"CreateSchedule N'x', NULL, N'SELECT 1;'": "", "CreateSchedule N'x', N'50%d', N'SELECT 1;'": `"50%d"`, "AlterSchedule N's', N'x'": `"x"`, "AlterSchedule N's', @EndAt = '2001-01-01'": "never fires between",
				"CreateSchedule N'x', N'@daily', N'SELECT 1;', @EndAt = '2001-01-01'": "never fires between",
			},
			"51075": {"CreateSchedule N'x', N'@daily', N'SELECT 1;', @Zone = N'5%d'": `no time zone "5%d"`, "AlterSchedule N's', @Zone = N''": ""},
			"51076": {
				"CreateSchedule N'x', N'@daily'": "", "CreateSchedule N'x', N'@daily', N'SELECT 1;', N'[]'": "", "CreateSchedule N'x', N'@daily', @Tasks = N'[]'": "", "AlterSchedule N's', @SQL = N'SELECT 1;', @Tasks = N'[]'": "",
				`CreateSchedule N'x', N'@daily', @Tasks = N'[{"SQL": "SELECT 1", "ExecutionOrder": 1}, {"SQL": "SELECT 1", "ExecutionOrder": 1, "NotBefore": "2030-01-01T00:00:00"}]'`: "",
				`AlterSchedule N's', @Tasks = N'[{"SQL": "SELECT 1", "ExecutionOrder": 1, "ProcessId": 1}]'`:                                                                           "",
			},
		}
		before := map[string][]row{}
		tables := []string{"tasks", "processes", "resources", "rounds", "round_members", "schedules", "settings", "alarms", "resource_requests"}
		h.pause(5 * time.Second)
		for _, name := range tables {
			before[name] = h.rowsOf(s, name)
		}
		for number, calls := range sorted(refusals) {
			for call, words := range sorted(calls) {
				err := s.try("EXEC dbsched." + call + ";")
				require.ErrorContains(h, err, "dbsched "+number+": ", call)
				require.ErrorContains(h, err, words, call)
				s.begin()
				if err = s.try("EXEC dbsched." + call + ";"); words != "@Enabled" { // which is looked at first
					require.ErrorContains(h, err, "dbsched 51010: ", call)
				}
				require.Equal(h, "1", s.value("SELECT @@TRANCOUNT;"), call)
				s.rollback()
			}
		}
		for _, name := range tables {
			require.Equal(h, before[name], h.rowsOf(s, name), name)
		}
		// NULL is no member, and no time, of what has none.
		s.exec(`EXEC dbsched.CreateSchedule N'nulls', N'@daily', @Tasks = N'[{"SQL": "SELECT 1", "ExecutionOrder": 1, "ProcessId": null, "NotBefore": null}]'; EXEC dbsched.DefineRound N'none', N' []';`)
		s.exec("EXEC dbsched.DefineRound " + long(128) + ", N'[\"" + strings.Repeat("y", 128) + "\"]', " + long(128) + "; EXEC dbsched.DefineResource " + long(128) + "; EXEC dbsched.CreateSchedule " + long(100) + ", N'@daily', N'SELECT 1;';")
	})
}
