package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLNullIsTheDefault: NULL for what may be left out is as if it were left out.
func TestMSSQLNullIsTheDefault(t *testing.T) {
	onMSSQL(t, setup{stopped: true}, func(h *harness) {
		s := h.session()
		created := func(view, key string, calls ...string) (all []row) {
			for _, call := range calls {
				before := h.rowsOf(s, view)
				s.exec("EXEC dbsched." + call + ";")
				for _, r := range h.rowsOf(s, view) {
					if only(before, key, r[key]) == nil {
						for _, other := range []string{key, "name", "lookat", "createdat", "beginat", "sqltext", "enqueuedat", "definedat", "changedat", "rank", "transactionid"} {
							delete(r, other)
						}
						all = append(all, r)
					}
				}
			}
			require.Len(h, all, len(calls))
			return all
		}
		for _, same := range [][]row{
			created("schedules", "scheduleid", "CreateSchedule N'a', N'@daily', N'SELECT 1;'",
				"CreateSchedule N'b', N'@daily', N'SELECT 1;', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL",
				"CreateSchedule N'c', N'@daily', N'SELECT 1;', @Zone = N'UTC', @Overlap = 'Skip', @Missed = 'Once', @OnError = 'Halt', @Weight = 1, @MaxParallel = 0, @Enabled = 1"),
			created("processes", "processid", "CreateProcess N'a'", "CreateProcess N'b', NULL, NULL, @MaxParallel = NULL"),
			created("tasks", "taskid", "ExecAsync N'SELECT 1;', 1", "ExecAsync N'SELECT 1;', 1, @ProcessId = NULL, @TimeoutSeconds = NULL, @NotBefore = NULL, @Resource = NULL, @Access = NULL, @Transactional = NULL, @DedupKey = NULL, @Parameters = NULL",
				`ExecAsyncBatch N'[{"SQL": "SELECT 1;", "ExecutionOrder": 1}]', NULL`,
				`ExecAsyncBatch N'[{"SQL": "SELECT 1;", "ExecutionOrder": 1, "ProcessId": null, "Priority": null, "MaxAttempts": null, "RetryDelaySeconds": null, "TimeoutSeconds": null, "NotBefore": null, "ExpectedSeconds": null, "Resource": null, "Access": null, "Transactional": null, "OnOrphan": null, "DedupKey": null, "Parameters": null}]'`),
			created("rounds", "roundid", `DefineRound N'a', N'["x"]', @SuccessorSQL = N'SELECT 1;'`, `DefineRound N'b', N'["x"]', N'', N'SELECT 1;', 1, NULL`),
		} {
			for _, r := range same[1:] {
				require.Equal(h, same[0], r)
			}
		}

		// Altering nothing changes nothing but the moment at which the dispatcher looks.
		before := h.rowsOf(s, "schedules")[0]
		h.pause(time.Second)
		s.exec("EXEC dbsched.AlterSchedule N'a', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL;")
		after := h.rowsOf(s, "schedules")[0]
		delete(before, "lookat")
		delete(after, "lookat")
		require.Equal(h, before, after)
	})
}

// TestMSSQLDropHoldsTheResource: while it looks whether somebody needs the resource, nobody joins the line.
func TestMSSQLDropHoldsTheResource(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		h.resource("db", 1)
		unseen := h.session()
		unseen.begin()
		unseen.exec("INSERT INTO dbsched.ResourceRequests (ResourceId, Status, Access, Requester, SessionId, RequestedBySid, RequestedByName) SELECT ResourceId, 'Waiting', 'Shared', N'x', 1, 0x01, N'dbo' FROM dbsched.Resources WITH (NOLOCK);")
		dropped := make(chan error, 1)
		go func() { dropped <- h.sched.DropResource(h.Context(), "db") }()
		h.pause(time.Second)
		other := h.session()
		other.exec("SET LOCK_TIMEOUT 0;")
		require.ErrorContains(h, other.try("SELECT s.ResourceId FROM dbsched.Resources AS s WITH (UPDLOCK, ROWLOCK) WHERE s.ResourceId = 1;"), "Lock request time out")
		unseen.rollback()
		require.NoError(h, <-dropped)
		require.NoError(h, second(h.sched.Resources(h.Context())))
		require.Empty(h, h.rowsOf(h.session(), "resources"))
	})
}

// TestMSSQLReportCost: a report costs the same however many members the round has, unless some reports are too old.
func TestMSSQLReportCost(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		cost := func(name string, n int) int64 {
			members := []string{"a"}
			for i := range n {
				members = append(members, show(i))
			}
			h.round(dialects.NewRound{Name: name, Members: members, SuccessorSQL: h.say.nothing})
			h.pause(5 * time.Second)
			before := h.counters().Statements
			h.reports(name, "a", true, dialects.RoundWaiting)
			return h.counters().Statements - before
		}
		few := cost("few", 1)
		require.Equal(h, few, cost("many", 200))
	})
}
