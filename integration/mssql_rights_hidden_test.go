package integration

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// everyColumn gives anna's, bert's and dbo's rows a value in every column of every view. A user's words begin with the user's name.
func (h *harness) everyColumn(s *session) {
	h.Helper()
	s.exec("EXEC dbsched.DefineResource N'r', 3;")
	for _, who := range []string{"anna", "bert", "dbo"} {
		c := s
		if who != "dbo" {
			c = h.as(who)
		}
		c.exec(strings.ReplaceAll(`
			DECLARE @P int;
			EXEC dbsched.CreateProcess N'# process', @P OUTPUT, @MaxParallel = 3;
			EXEC dbsched.ExecAsync N'SELECT N''# text'';', 1, @P, @TimeoutSeconds = 77, @Resource = N'r', @Access = 'Exclusive', @DedupKey = N'# key', @Name = N'# task', @Parameters = N'{"P": "# parameter"}';
			EXEC dbsched.ExecAsync N'SELECT N''# later'';', 2, @P, @NotBefore = '2099-01-01';
			EXEC dbsched.DefineRound N'# round', N'["# member"]', @SuccessorSQL = N'SELECT N''# successor'';', @ProcessId = @P, @ExecutionOrder = 5;
			EXEC dbsched.DefineRound N'# job', N'["# member"]', @SuccessorSQL = N'SELECT 1;';
			EXEC dbsched.CreateSchedule N'# schedule', N'0 3 * * *', N'SELECT N''# task'';', @MaxParallel = 2, @EndAt = '20991231';
			EXEC dbsched.AcquireResource N'r', @LeaseSeconds = 3600, @Requester = N'# requester';`, "#", who))
	}
	// What only happens in the course of time is written into the tables. Each owner's first task is a running one that is to end.
	for _, statement := range []string{
		"INSERT INTO dbsched.Logs (TaskId, ProcessId, ExecutionOrder, Attempt, TaskName, SqlText, EnqueuedBySid, EnqueuedByName, LaneId, WorkerId, SessionId, StartedAt, EndedAt, Outcome, " +
			"ErrorNumber, ErrorMessage, ErrorProcedure, ErrorLine, RowsAffected) SELECT t.TaskId, t.ProcessId, 1, 1, t.Name, t.SqlText, t.EnqueuedBySid, t.EnqueuedByName, 1, NEWID(), 55, " +
			"SYSUTCDATETIME(), SYSUTCDATETIME(), 'Failed', 50001, t.EnqueuedByName + N' error', t.EnqueuedByName + N' procedure', 7, 8 FROM dbsched.Tasks AS t;",
		"UPDATE t SET t.Status = 'Stopping', t.WaitReason = NULL, t.StopOutcome = 'TimedOut', t.LogId = g.LogId, t.StartedAt = g.StartedAt, t.FinishedAt = g.EndedAt, t.DuplicateOf = 1, " +
			"t.EnqueuedByLogin = t.EnqueuedByName + N' login' FROM dbsched.Tasks AS t INNER JOIN dbsched.Logs AS g ON g.TaskId = t.TaskId WHERE t.ExecutionOrder = 1;",
		"UPDATE dbsched.Processes SET LastServedAt = CreatedAt, FinishedAt = CreatedAt WHERE ProcessId > 1;",
		"UPDATE dbsched.ResourceRequests SET ProcessId = 1, TaskId = 1;",
		"UPDATE dbsched.RoundMembers SET ReportedAt = SYSUTCDATETIME(), Succeeded = 1;",
		"UPDATE dbsched.Rounds SET SuccessorJob = Name, SuccessorSql = NULL, SuccessorOrder = NULL, SuccessorProcessId = NULL WHERE Name LIKE N'% job';",
		"INSERT INTO dbsched.RoundFirings (RoundId, Generation, FiredBy, TaskId, Detail) SELECT r.RoundId, 1, r.Name, 1, r.Name FROM dbsched.Rounds AS r;",
		"INSERT INTO dbsched.ScheduleFirings (ScheduleId, Name, DueAt, Manual, Status, Detail, TaskId, OwnerSid) SELECT s.ScheduleId, s.Name, SYSUTCDATETIME(), 0, 'Started', s.Name, 1, s.OwnerSid FROM dbsched.Schedules AS s;",
		"UPDATE s SET s.Reason = s.Name, s.LastFiringId = f.FiringId FROM dbsched.Schedules AS s INNER JOIN dbsched.ScheduleFirings AS f ON f.ScheduleId = s.ScheduleId;",
		"UPDATE p SET p.ScheduleId = f.ScheduleId, p.FiringId = f.FiringId FROM dbsched.Processes AS p INNER JOIN dbsched.ScheduleFirings AS f ON f.OwnerSid = p.CreatedBySid WHERE p.ProcessId > 1;",
		"UPDATE dbsched.Settings SET AlarmHook = N'dbo.Hook', AlarmHookByName = N'dbo', NextSweepAt = SYSUTCDATETIME(), HomeServer = N'other', HomeDatabase = N'other';",
	} {
		s.exec(statement)
	}
}

// TestMSSQLNothingOfOthersShows: no column of a view shows anything of a hidden row, not even in the error of a condition, to users who own
// nothing and to users who own something.
func TestMSSQLNothingOfOthersShows(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		s := h.withSecret()
		h.user("nell", "user")
		h.everyColumn(s)
		nell, anna := h.as("nell"), h.as("anna")
		w := hiding{
			harness: h, everything: s,
			columns: nell.rows("SELECT o.name, c.name FROM sys.views AS o INNER JOIN sys.columns AS c ON c.object_id = o.object_id " +
				"WHERE o.schema_id = SCHEMA_ID(N'dbsched') AND o.name <> N'SchedulerInfo' AND HAS_PERMS_BY_NAME(N'dbsched.' + o.name, N'OBJECT', N'SELECT') = 1 ORDER BY o.name, c.column_id;"),
			keys: map[string]string{
				"TaskInfo": "TaskId", "LogInfo": "LogId", "ProcessInfo": "ProcessId", "ResourceInfo": "RequestId", "RoundInfo": "RoundId",
				"RoundMemberInfo": "RoundId", "ScheduleInfo": "ScheduleId", "ScheduleLog": "FiringId",
			},
			public: []string{
				"ResourceInfo.Resource", "ResourceInfo.Capacity", "ResourceInfo.Held", "ResourceInfo.Waiting", "ResourceInfo.RequestId", "ResourceInfo.Status",
				"ResourceInfo.Access", "ResourceInfo.RequestedAt", "ResourceInfo.GrantedAt", "ResourceInfo.LeaseUntil",
			},
			sought: []string{"TaskInfo.TaskId", "TaskInfo.FinishedAt", "LogInfo.LogId", "ProcessInfo.ProcessId", "ScheduleLog.FiringId"},
			rows: func(view, key, column string) string {
				return fmt.Sprintf("SELECT v.%s FROM dbsched.%s AS v WHERE v.%s IS NOT NULL ORDER BY v.%[1]s;", key, view, column)
			},
			attacks: func(view, key, column string, rows [][]string) (all []string) {
				// Without the key it may be evaluated before a join.
				value := fmt.Sprintf("CONVERT(nvarchar(max), v.%s)", column)
				if len(rows) > 0 {
					value = fmt.Sprintf("CASE WHEN ISNULL(v.%s, -1) NOT IN (%s) THEN %s END", key, listOf(rows), value)
				}
				for _, condition := range []string{
					"1 / CASE WHEN " + value + " IS NULL THEN 1 ELSE 0 END = 1", "CONVERT(int, N'x' + " + value + ") = 1", "CONVERT(date, N'x' + " + value + ") = '2026-01-01'",
					"CONVERT(decimal(9, 2), N'x' + " + value + ") = 1",
				} {
					all = append(all, fmt.Sprintf("SELECT COUNT(*) FROM dbsched.%s AS v WHERE %s;", view, condition),
						fmt.Sprintf("SELECT COUNT(*) FROM dbsched.%s AS v WHERE %s OPTION (FORCE ORDER);", view, condition), // the tables before Viewer
						fmt.Sprintf("SELECT COUNT(*) FROM (SELECT 1 AS One) AS o LEFT JOIN dbsched.%s AS v ON %s;", view, condition))
				}
				return all
			},
			heard: func(*session) string { return "" },
		}
		w.requireHidden(nell, anna)

		// The settings are everybody's, and functions read no rows.
		require.Equal(h, [][]string{{"NextInstants"}}, s.rows("SELECT o.name FROM sys.objects AS o WHERE o.schema_id = SCHEMA_ID(N'dbsched') AND o.type IN ('IF', 'TF', 'FN') "+
			"AND EXISTS (SELECT 1 FROM sys.database_permissions AS p WHERE p.major_id = o.object_id AND p.state = 'G') ORDER BY o.name;"))
		for _, table := range s.rows("SELECT t.name FROM sys.tables AS t WHERE t.schema_id = SCHEMA_ID(N'dbsched');") {
			require.NotContains(h, s.value("SELECT OBJECT_DEFINITION(OBJECT_ID(N'dbsched.NextInstants'));"), "]."+table[0])
		}

		// All columns have the form, and without it the errors show nearly all of them; the sandbox reads outer joins in the order written.
		create, noticed := regexp.MustCompile(`\nCREATE\s.*VIEW`), 0
		for _, c := range w.columns {
			text := create.ReplaceAllString(s.value("SELECT OBJECT_DEFINITION(OBJECT_ID(N'dbsched."+c[0]+"'));"), "\nALTER VIEW")
			if name := c[0] + "." + c[1]; !slices.Contains(w.sought, name) && !slices.Contains(w.public, name) {
				require.Regexp(h, `\n(SELECT|      ) CASE WHEN v\.Mine (= 1|IS NULL THEN NULL) .*(?:\n {12}.*)? END AS `+c[1]+`\b`, text)
			}
			bare := regexp.MustCompile(`CASE WHEN v\.Mine = 1 THEN (.*) END AS `+c[1]+`\b`).ReplaceAllString(text, "$1 AS "+c[1])
			if bare == text {
				continue
			}
			s.exec(bare)
			if w.shows(c[0], c[1], nell) != "" {
				noticed++
			}
			s.exec(text)
		}
		require.Greater(h, noticed, 95)
	})
}
