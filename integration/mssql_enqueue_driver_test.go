package integration

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/sandbox/differ"
)

// joining returns calls of all procedures that join the caller's transaction, each as its first statement.
func joining(suspended int64) map[string]string {
	n := strconv.FormatInt(suspended, 10)
	return map[string]string{
		"ExecAsync":          "EXEC dbsched.ExecAsync N'SELECT 1;', 1;",
		"ExecAsync again":    "EXEC dbsched.ExecAsync N'SELECT 1;', 1, @DedupKey = N'there';",
		"ExecAsync prepared": "EXEC sys.sp_executesql N'EXEC dbsched.ExecAsync @SQL, 1;', N'@SQL nvarchar(max)', @SQL = N'SELECT 1;';",
		"ExecAsyncBatch":     `EXEC dbsched.ExecAsyncBatch N'[{"SQL": "SELECT 1;", "ExecutionOrder": 1}]';`,
		"ExecAsyncTable":     "DECLARE @T dbsched.TaskTable; EXEC dbsched.ExecAsyncTable @T;",
		"CreateProcess":      "EXEC dbsched.CreateProcess N'p';",
		"ReleaseProcess":     "EXEC dbsched.ReleaseProcess " + n + ";",
		"CloseProcess":       "EXEC dbsched.CloseProcess " + n + ";",
	}
}

// TestMSSQLImplicitTransactions: the caller's implicit transaction is joined like any other, also by its first statement, and
// whether or not the server reports it with error 266.
func TestMSSQLImplicitTransactions(t *testing.T) {
	for name, counted := range sorted(map[string]bool{"no 266": false, "266": true}) {
		t.Run(name, func(t *testing.T) {
			onMSSQL(t, setup{box: func(o *sandbox.Options) {
				if counted {
					o.Differ = []differ.Difference{differ.ImplicitTransactionsCount}
				}
			}}, func(h *harness) {
				c := h.session()
				suspended := number(h, c.ask(h.say.createProcess("s", true)))
				c.exec("EXEC dbsched.ExecAsync N'SELECT 1;', 1, @DedupKey = N'there', @NotBefore = '2999-01-01';")
				rows := func() string {
					return h.session().value("SELECT (SELECT COUNT(*) FROM dbsched.Tasks) + (SELECT COUNT(*) FROM dbsched.Processes) + (SELECT COUNT(*) FROM dbsched.ProcessRequests);")
				}
				h.pause(5 * time.Second)
				before := rows()
				c.exec("SET IMPLICIT_TRANSACTIONS ON;")
				for name, call := range sorted(joining(suspended)) {
					require.NoError(h, c.try(call), name)
					require.Equal(h, "1", c.value("SELECT @@TRANCOUNT;"), name)
					c.exec("ROLLBACK;")
					require.Equal(h, before, rows(), name)
				}
				for name, call := range sorted(joining(suspended)) {
					require.NoError(h, c.try(call), name)
					c.exec("COMMIT;")
				}
				// The driver shows the last error: that of the call.
				for call, want := range sorted(map[string]string{
					"EXEC dbsched.ExecAsync N' ', 1;": "51001", "EXEC dbsched.ExecAsync N'SELECT 1;', 1, @ProcessId = 99;": "51004",
					`EXEC dbsched.ExecAsyncBatch N'[{"SQL": " ", "ExecutionOrder": 1}]';`: "51001",
					"EXEC dbsched.ExecAsyncBatch N'1';":                                   "51036",
					"EXEC dbsched.CreateProcess N'p', @Weight = 0;":                       "51003", "EXEC dbsched.ReleaseProcess 99;": "51004",
				}) {
					require.ErrorContains(h, c.try(call), "dbsched "+want, call)
					c.exec("IF @@TRANCOUNT > 0 ROLLBACK;")
				}
				// No request is left.
				h.pause(5 * time.Second)
				c.exec(h.say.release(suspended))
				require.Equal(h, "1", c.value("SELECT @@TRANCOUNT;"))
				c.exec("COMMIT;")
				h.pause(5 * time.Second)
				require.Len(h, h.logs(), 3)
				h.requireNoAlarms()
			})
		})
	}
}

// TestMSSQLImplicitSnapshot: a transaction of the caller that a dbsched procedure begins has the caller's isolation level.
func TestMSSQLImplicitSnapshot(t *testing.T) {
	onMSSQL(t, setup{}, func(h *harness) {
		c, other := h.marks(), h.session()
		c.exec("ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON;")
		suspended := number(h, c.ask(h.say.createProcess("s", true)))
		c.exec("SET IMPLICIT_TRANSACTIONS ON; SET TRANSACTION ISOLATION LEVEL SNAPSHOT;")
		for name, call := range sorted(joining(suspended)) {
			c.exec(call)
			other.exec(h.say.mark(1))
			require.Empty(h, c.rows(h.say.markRead), name)
			c.exec("COMMIT;")
			other.exec(h.say.markDelete)
		}
	})
}

// owning are calls of all procedures that refuse to be called inside a transaction.
var owning = []string{
	"AcknowledgeAlarms", "AlterSchedule N's'", "AcquireResource N'r', @TimeoutSeconds = 0", "CancelProcess 1", "CancelTask 1", "DefineResource N'r', 1", "DefineRound N'r', N'[]'", "DropResource N'r'", "OrderSchedule N's', 'Run'", "Purge",
	"ReleaseResource 1", "ReportRound N'r', 'Succeeded'", "RetryProcess 1", "RetryTask 1", "SetAlarmHook NULL", "SetOptions", "SetPolicy 'FIFO'", "SetWorkers 1",
	"StartScheduler", "StopScheduler", "Sweep", "TaskScheduler", "WaitProcess 1, 1",
}

// TestMSSQLDriversTransaction: a caller refused because of a transaction that the driver began is told of the driver's setting;
// the transaction stays.
func TestMSSQLDriversTransaction(t *testing.T) {
	onMSSQL(t, setup{}, func(h *harness) {
		c := h.marks()
		require.Equal(h, strconv.Itoa(len(owning)), c.value(`SELECT COUNT(*) FROM sys.sql_modules AS m WHERE m.definition LIKE N'%THROW 51010,%';`))
		c.exec("SET IMPLICIT_TRANSACTIONS ON;" + h.say.mark(1))
		for _, call := range owning {
			name, _, _ := strings.Cut(call, " ")
			if name == "OrderSchedule" { // called by others
				name = "A procedure for schedules"
			}
			err := c.try("EXEC dbsched." + call + ";")
			require.ErrorContains(h, err, "dbsched 51010: "+name+" cannot be called inside a transaction", call)
			require.ErrorContains(h, err, ". Commit first; if your driver begins transactions by itself, turn its autocommit on.", call)
			require.Equal(h, "1", c.value("SELECT @@TRANCOUNT;"), call)
		}
		c.exec("COMMIT;")
		require.Equal(h, [][]string{{"1"}}, h.session().rows(h.say.markRead))
	})
}
