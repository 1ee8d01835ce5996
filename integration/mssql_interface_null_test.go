package integration

import (
	"fmt"
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
			created("tasks", "taskid", "ExecAsync N'SELECT 1;', 1", "ExecAsync N'SELECT 1;', 1, @ProcessId = NULL, @TimeoutSeconds = NULL, @NotBefore = NULL, @Resource = NULL, @Access = NULL, @Transactional = NULL, @DedupKey = NULL, @Parameters = NULL, @Name = NULL",
				`ExecAsyncBatch N'[{"SQL": "SELECT 1;", "ExecutionOrder": 1}]', NULL`,
				`ExecAsyncBatch N'[{"SQL": "SELECT 1;", "ExecutionOrder": 1, "ProcessId": null, "Priority": null, "MaxAttempts": null, "RetryDelaySeconds": null, "TimeoutSeconds": null, "NotBefore": null, "ExpectedSeconds": null, "Resource": null, "Access": null, "Transactional": null, "OnOrphan": null, "DedupKey": null, "Parameters": null, "Name": null}]'`),
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

// TestMSSQLLineIsLockedWhileItChanges: whoever changes a line, or looks whether there is one, holds the lock on its resource until the commit, so nobody joins
// meanwhile; what it has removed is not gone before.
func TestMSSQLLineIsLockedWhileItChanges(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		for _, what := range []string{"drop", "define", "release", "acquire", "cancel", "give up"} {
			h.resource(what, 1)
			resource := s.value("SELECT s.ResourceId FROM dbsched.Resources AS s WHERE s.Name = N'" + what + "';")
			holder := h.session()
			var held, waiting string
			task := int64(0)
			if what != "drop" {
				held = holder.ask("DECLARE @R bigint; EXEC dbsched.AcquireResource N'" + what + "', @TimeoutSeconds = 0, @RequestId = @R OUTPUT; SELECT @R;")
			}
			if what == "cancel" {
				task = h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, Resource: what})[0]
				h.untilStatus(task, "Waiting", time.Minute)
			}
			// A request that nobody else can read yet, or that somebody changes.
			s.exec("INSERT INTO dbsched.ResourceRequests (ResourceId, Status, Access, Requester, SessionId, RequestedBySid, RequestedByName, GiveUpAt) SELECT s.ResourceId, 'Waiting', 'Shared', N'x', 1, 0x01, N'dbo', '2999-12-31' FROM dbsched.Resources AS s WHERE s.Name = N'" + what + "';")
			waiting = s.value("SELECT MAX(r.RequestId) FROM dbsched.ResourceRequests AS r;")
			blocker := h.session()
			blocker.begin()
			blocker.exec("UPDATE dbsched.ResourceRequests SET Requester = N'y' WHERE RequestId = " + waiting + ";")
			done := make(chan error, 1)
			call := map[string]string{
				"drop": "EXEC dbsched.DropResource N'drop';", "define": "EXEC dbsched.DefineResource N'define', 2;", "release": "EXEC dbsched.ReleaseResource " + held + ";", "cancel": fmt.Sprintf("EXEC dbsched.CancelTask %d;", task),
				"acquire": "EXEC dbsched.AcquireResource N'acquire', @TimeoutSeconds = 0;", "give up": "EXEC dbsched.AcquireResource N'give up', @TimeoutSeconds = 0;",
			}[what]
			caller := h.session()
			go func() { done <- caller.try(call) }()
			h.pause(time.Second)
			select {
			case err := <-done:
				require.Fail(h, "it waits for nobody", "%s: %v", what, err)
			default:
			}
			other := h.session()
			other.exec("SET LOCK_TIMEOUT 0;")
			require.ErrorContains(h, other.try("SELECT s.Capacity FROM dbsched.Resources AS s WITH (UPDLOCK, ROWLOCK) WHERE s.ResourceId = "+resource+";"), "Lock request time out", what)
			if what == "release" {
				require.ErrorContains(h, other.try("SELECT r.Status FROM dbsched.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE r.RequestId = "+held+";"), "Lock request time out", "it is not released yet")
			}
			blocker.commit()
			err := <-done
			if what == "drop" {
				require.ErrorContains(h, err, "51047")
			} else {
				require.NoError(h, err, what)
			}
		}
	})
}

// TestMSSQLPurgeByDefault: without a number of days, what ended longer than RetentionDays ago is removed, and nothing younger.
func TestMSSQLPurgeByDefault(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.onSandbox("it takes days")
		s := h.session()
		s.exec(h.say.options(map[string]int{"RetentionDays": 3}))
		h.exec(h.task(1, h.say.nothing))
		h.drain(time.Minute)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		began := *h.logs()[0].FinishedAt
		for _, call := range []string{"Purge", "Purge NULL"} {
			h.pauseUntil(began.Add(3*24*time.Hour - 2*time.Second))
			s.exec("EXEC dbsched." + call + ";")
			require.Len(h, h.tasks(), 1, call)
			began = began.Add(500 * time.Millisecond)
		}
		h.pauseUntil(began.Add(3*24*time.Hour + time.Second))
		require.Equal(h, [][]string{{"2"}}, s.rows("DECLARE @Rows bigint; EXEC dbsched.Purge @Rows = @Rows OUTPUT; SELECT @Rows;"))
		require.Empty(h, h.tasks())
		require.Empty(h, h.logs())
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
