package integration

import (
	"slices"
	"strings"
	"testing"
	"time"

	mssqldb "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/templates"
)

// TestMSSQLRefusalsReturnTheirNumber: the procedures that join the caller's transaction return the number of their error, have added nothing, and leave the
// caller's session as it was.
func TestMSSQLRefusalsReturnTheirNumber(t *testing.T) {
	onMSSQL(t, setup{stopped: true}, func(h *harness) {
		s := h.marks()
		s.exec("EXEC dbsched.DefineResource N'r';")
		closed := s.ask(h.say.createProcess("closed", true))
		s.exec("EXEC dbsched.CloseProcess " + closed + ";")
		h.user("anna", "user")
		foreign := s.ask(h.say.createProcess("dbo's", false))
		s.exec(h.say.options(map[string]int{"MaxTasksPerUser": 2}))
		anna := h.as("anna")
		anna.enqueue(1, h.say.nothing)
		anna.enqueue(1, h.say.nothing)
		h.pause(5 * time.Second)
		before := [][]row{h.rowsOf(s, "tasks"), h.rowsOf(s, "processes"), h.rowsOf(s, "process_requests")}

		batch := func(tasks string) string { return "EXEC dbsched.ExecAsyncBatch " + templates.QuoteString(tasks) + ";" }
		table := func(columns, values string) string {
			return "DECLARE @T dbsched.TaskTable; INSERT INTO @T (TaskNo, SQL, ExecutionOrder" + columns + ") VALUES (1, N'SELECT 1', 1" + strings.Repeat(", NULL", strings.Count(columns, ",")) + "), (7, N'SELECT 1', 1" + values + "); EXEC dbsched.ExecAsyncTable @T;"
		}
		type refused struct {
			by     *session
			text   string
			number int
			words  string // in the message
		}
		var all []refused
		for _, r := range h.say.refusals {
			if r.joins {
				all = append(all, refused{s, r.sql, r.number, r.text})
			}
		}
		for tasks, n := range sorted(h.say.badBatches) {
			all = append(all, refused{s, batch(tasks), 51000 + n, ""})
		}
		for values, n := range sorted(h.say.badValues) {
			all = append(all, refused{s, "EXEC dbsched.ExecAsync N'SELECT 1', 1, @Parameters = " + templates.QuoteString(values) + ";", 51000 + n, ""})
			all = append(all, refused{s, table(", Parameters", ", "+templates.QuoteString(values)), 51000 + n, ""})
		}
		for values, n := range sorted(map[string]int{
			", Priority|, 1000001": 51003, ", MaxAttempts|, 0": 51003, ", MaxAttempts|, 101": 51003, ", RetryDelaySeconds|, 86401": 51003, ", ExpectedSeconds|, -1": 51003, ", TimeoutSeconds|, 0": 51003,
			", OnOrphan|, 'x'": 51008, ", Resource, Access|, N'r', 'x'": 51008, ", Access|, 'Shared'": 51041, ", Resource|, N'none'": 51040, ", DedupKey|, N' '": 51030, ", Name|, N' '": 51059, ", ProcessId|, 4711": 51004, ", ProcessId|, 0": 51004,
			", ProcessId|, " + closed: 51005, ", ProcessId, Priority|, 4711, 1000001": 51003,
		}) {
			columns, list, _ := strings.Cut(values, "|")
			all = append(all, refused{s, table(columns, list), n, ""})
		}
		for _, in := range []string{closed, "0", "1", foreign} {
			number, more := map[string]int{closed: 51005, "0": 51004, "1": 51038, foreign: 51006}[in], ", @ProcessId = "+in
			by := anna
			if in == closed {
				by = s
			}
			all = append(all, refused{by, "EXEC dbsched.ExecAsync N'SELECT 1', 1" + more + ";", number, ""}, refused{by, table(", ProcessId", ", "+in), number, ""})
			all = append(all, refused{by, batch(`[{"SQL": "SELECT 1", "ExecutionOrder": 1, "ProcessId": ` + in + `}]`), number, ""})
		}
		all = append(all,
			refused{s, "EXEC dbsched.CreateProcess N'p', @Priority = NULL;", 51003, ""}, refused{s, "EXEC dbsched.CreateProcess N'p', @Weight = NULL;", 51003, ""}, refused{s, "EXEC dbsched.CreateProcess N'p', @OnError = NULL;", 51008, ""},
			refused{anna, "EXEC dbsched.CreateProcess N'p', @Priority = 1;", 51061, ""}, refused{anna, "EXEC dbsched.CreateProcess N'p', @Weight = 2;", 51061, ""},
			refused{s, "EXEC dbsched.ExecAsync N'SELECT 1', 1, @Priority = NULL;", 51003, ""}, refused{s, "EXEC dbsched.ExecAsync N'SELECT 1', 1, @MaxAttempts = NULL;", 51003, ""},
			refused{s, "EXEC dbsched.ExecAsync N'SELECT 1', 1, @RetryDelaySeconds = NULL;", 51003, ""}, refused{s, "EXEC dbsched.ExecAsync N'SELECT 1', 1, @ExpectedSeconds = NULL;", 51003, ""},
			refused{s, "EXEC dbsched.ExecAsync N'SELECT 1', 1, @OnOrphan = NULL;", 51008, ""}, refused{anna, "EXEC dbsched.CloseProcess " + foreign + ";", 51006, ""}, refused{anna, "EXEC dbsched.ReleaseProcess " + closed + ";", 51006, ""},
			refused{s, "EXEC dbsched.ReleaseProcess NULL;", 51004, ""}, refused{s, "EXEC dbsched.ReleaseProcess 0;", 51013, ""}, refused{s, "EXEC dbsched.RunFiring 1;", 51078, ""}, refused{s, batch("") /* no array */, 51036, ""},
		)
		// The text names the first number that is out of range, whatever the others are.
		numbers := []string{"Priority", "MaxAttempts", "RetryDelaySeconds", "ExpectedSeconds", "TimeoutSeconds"}
		for i := range numbers {
			for _, edges := range [][]string{{"-1000000", "1", "0", "0", "1"}, {"1000000", "100", "86400", "2147483647", "2147483647"}} {
				values := slices.Clone(edges)
				list := strings.Fields("1000001 101 86401 -1 0")
				if edges[0] == "-1000000" {
					list = strings.Fields("-1000001 0 -1 -1 0")
				}
				values[i] = list[i]
				more, members := "", ""
				for j, name := range numbers {
					more += ", @" + name + " = " + values[j]
					members += ", \"" + name + "\": " + values[j]
				}
				word := "@" + numbers[i] + " must be "
				all = append(all, refused{s, "EXEC dbsched.ExecAsync N'SELECT 1', 1" + more + ";", 51003, word}, refused{s, table(", "+strings.Join(numbers, ", "), ", "+strings.Join(values, ", ")), 51003, "task 7: " + word})
				all = append(all, refused{s, batch(`[{"SQL": "SELECT 1", "ExecutionOrder": 1}, {"SQL": "SELECT 1", "ExecutionOrder": 1` + members + `}]`), 51003, "task 2: " + word})
			}
		}
		// What each number says, whoever says it.
		problems := map[int]string{
			51001: "@SQL is NULL or empty", 51002: "@ExecutionOrder is NULL", 51003: "@(Priority|MaxAttempts|RetryDelaySeconds|ExpectedSeconds|TimeoutSeconds|Weight|MaxParallel) must be ", 51004: "process|@ProcessId is NULL",
			51005: "process " + closed + " is closed or has ended and accepts no more tasks", 51006: "process (" + foreign + "|" + closed + ") belongs to another user", 51008: "@(OnOrphan|Access|OnError) must be ", 51030: "@DedupKey",
			51038: "2 unfinished tasks", 51040: "there is no (such )?resource", 51041: "@Access requires @Resource, which is NULL",
		}
		const state = "SELECT @@TRANCOUNT, @@OPTIONS, @@LOCK_TIMEOUT, (SELECT e.transaction_isolation_level FROM sys.dm_exec_sessions AS e WHERE e.session_id = @@SPID);"
		for _, begins := range []string{"", "SET IMPLICIT_TRANSACTIONS ON; "} {
			for _, r := range all {
				clean := r.by.rows(state)
				at := strings.LastIndex(r.text, "EXEC ")
				kept := "INSERT INTO dbo.Marks (N) VALUES (@Returned); IF @@TRANCOUNT > 0 COMMIT; SET IMPLICIT_TRANSACTIONS OFF;"
				err := r.by.try(begins + "DECLARE @Returned int = -1; " + r.text[:at] + "EXEC @Returned = " + r.text[at+len("EXEC "):] + " " + kept)
				require.ErrorContains(h, err, "dbsched "+show(r.number)+": ", r.text)
				var e mssqldb.Error
				require.ErrorAs(h, err, &e)
				require.Len(h, e.All, 1, "%s: no other error follows: %v", r.text, e.All)
				require.Contains(h, e.Message, r.words, r.text)
				require.Regexp(h, problems[r.number], e.Message, r.text)
				require.NotContains(h, e.Message, "(null)", r.text)
				require.Equal(h, [][]string{{show(r.number)}}, s.rows(h.say.markRead), "%s%s: %v", begins, r.text, err)
				s.exec(h.say.markDelete)
				require.Equal(h, clean, r.by.rows(state), r.text)
			}
		}
		require.Equal(h, before, [][]row{h.rowsOf(s, "tasks"), h.rowsOf(s, "processes"), h.rowsOf(s, "process_requests")})
	})
}
