package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// lockTask locks a task in the named indexes until the session's transaction ends, as a commit does that has released its other locks.
func (s *session) lockTask(task int64, indexes ...string) {
	s.h.Helper()
	row := s.rows(fmt.Sprintf("SELECT t.ExecutionOrder, CONVERT(varchar(40), t.Rank) FROM dbsched.Tasks AS t WITH (NOLOCK) WHERE t.TaskId = %d;", task))[0]
	seek := map[string]string{
		"PK_Tasks": "", "IX_Tasks_Claim": " AND t.Rank = " + row[1] + " AND t.Status = 'Pending'",
		"IX_Tasks_Waiting": " AND t.ExecutionOrder = " + row[0] + " AND t.Status = 'Waiting'", "IX_Tasks_Unfinished": " AND t.ExecutionOrder = " + row[0] + " AND t.FinishedAt IS NULL",
	}
	for _, index := range indexes {
		require.Len(s.h, s.rows(fmt.Sprintf("SELECT t.TaskId FROM dbsched.Tasks AS t WITH (XLOCK, ROWLOCK, INDEX (%s)) WHERE t.ProcessId = 1 AND t.TaskId = %d%s;",
			index, task, seek[index])), 1)
	}
}

// TestMSSQLBarrierWhileLocksGo: a commit releases its locks one by one. A row of a wave that is still locked must not let a later wave of the same
// transaction start.
func TestMSSQLBarrierWhileLocksGo(t *testing.T) {
	onMSSQL(t, setup{lanes: 2, stopped: true}, func(h *harness) {
		ids := h.exec(h.task(1, h.say.nothing), h.task(2, h.say.nothing))
		s := h.session()
		s.exec("BEGIN TRANSACTION;")
		s.lockTask(ids[0], "PK_Tasks", "IX_Tasks_Claim", "IX_Tasks_Unfinished")
		require.NoError(h, h.sched.Start(h.Context()))
		h.pause(2 * time.Second)
		require.Empty(h, h.logs(), h.report())
		s.exec("COMMIT TRANSACTION;")
		h.drain(time.Second)
		h.requireWaves(h.logs())
		require.Len(h, h.logsOf(ids[1]), 1)
		h.requireNoAlarms()
	})
}

// TestMSSQLWatermarkWhileLocksGo: nor does the watermark pass such a row, though the dispatcher has told that it is there.
func TestMSSQLWatermarkWhileLocksGo(t *testing.T) {
	for name, order := range map[string]int{"of a lower order": 3, "of the wave": 5} {
		t.Run(name, func(t *testing.T) {
			onMSSQL(t, setup{lanes: 1}, func(h *harness) {
				ids := h.exec(h.sleeps(6, 5)...)
				h.untilBegun(ids[1])
				low := h.exec(dialects.NewTask{SQL: h.dialect.Sleep(brief), Order: order, Priority: 1})[0]
				s := h.session()
				s.exec("BEGIN TRANSACTION;")
				s.lockTask(low, "PK_Tasks", "IX_Tasks_Claim", "IX_Tasks_Unfinished")
				h.untilBegun(ids[3])
				s.exec("COMMIT TRANSACTION;")
				h.drain(time.Minute)
				require.Equal(h, []int64{ids[0], ids[1], ids[2], ids[3], low, ids[4], ids[5]}, h.began(), h.report())
				h.requireNoAlarms()
			})
		})
	}
}

// TestMSSQLNextWaveWhileLocksGo: a task that was made to wait, or to run again, keeps its wave open while its row is still locked though the
// process's row is not.
func TestMSSQLNextWaveWhileLocksGo(t *testing.T) {
	for name, indexes := range map[string][]string{"a retry": {"PK_Tasks", "IX_Tasks_Waiting"}, "at once": {"PK_Tasks", "IX_Tasks_Claim"}} {
		t.Run(name, func(t *testing.T) {
			onMSSQL(t, setup{lanes: 1}, func(h *harness) {
				s, locks := h.marks(), h.session()
				id := number(h, s.ask(fmt.Sprintf("DECLARE @Id bigint; EXEC dbsched.ExecAsync @SQL = N'%s', @ExecutionOrder = 1, @MaxAttempts = 2, @RetryDelaySeconds = %d, @TaskId = @Id OUTPUT; SELECT @Id;",
					"WAITFOR DELAY ''00:00:02''; "+h.say.early, map[bool]int{true: 30}[name == "a retry"])))
				next := h.exec(h.sleep(2, brief))[0]
				h.untilBegun(id)
				require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
				h.pause(3 * time.Second)
				s.exec(h.say.late)
				locks.exec("BEGIN TRANSACTION;")
				locks.lockTask(id, indexes...)
				require.NoError(h, h.sched.SetWorkers(h.Context(), 1))
				h.pause(3 * time.Second)
				require.Equal(h, []int64{id}, h.began(), h.report())
				locks.exec("COMMIT TRANSACTION;")
				h.drain(time.Minute)
				require.Equal(h, []int64{id, id, next}, h.began(), h.report())
			})
		})
	}
}

// TestMSSQLLookThatFailed: an enqueuer's statement fails after it has added its task, and before it has asked for a look, and its transaction
// commits. The next sweep asks for it.
func TestMSSQLLookThatFailed(t *testing.T) {
	for name, enqueue := range map[string]string{
		"a lower order":     "EXEC dbsched.ExecAsync N'WAITFOR DELAY ''00:00:02'';', 3;",
		"a higher priority": "EXEC dbsched.ExecAsync N'WAITFOR DELAY ''00:00:02'';', 5, @Priority = 1;",
		"a batch":           `EXEC dbsched.ExecAsyncBatch N'[{"SQL": "WAITFOR DELAY ''00:00:02'';", "ExecutionOrder": 3}]';`,
	} {
		t.Run(name, func(t *testing.T) {
			onMSSQL(t, setup{lanes: 1}, func(h *harness) {
				ids := h.exec(h.sleeps(20, 5)...)
				h.untilBegun(ids[1])
				holder, s := h.session(), h.session()
				holder.begin()
				holder.rows("SELECT r.RequestId FROM dbsched.ProcessRequests AS r WITH (TABLOCKX, HOLDLOCK);")
				s.exec("SET LOCK_TIMEOUT 0;")
				s.exec("BEGIN TRANSACTION;")
				require.ErrorContains(h, s.try(enqueue), "Lock request time out")
				holder.rollback()
				s.exec("COMMIT TRANSACTION;")
				s.exec("SET LOCK_TIMEOUT -1;")
				h.untilBegun(ids[4])
				require.Subset(h, ids, h.began(), "without a look it is not found")
				h.session().exec(h.say.sweep)
				n := len(h.began())
				h.until(time.Minute, "the next task", func() bool { return len(h.began()) > n })
				require.NotContains(h, ids, h.began()[n], "%v %s", h.began(), h.report())
				h.drain(2 * time.Minute)
				h.requireNoAlarms()
			})
		})
	}
}

// TestMSSQLWaitBesideALook: a request for a look that the dispatcher has not applied yet is no work: who waits for the process goes on.
func TestMSSQLWaitBesideALook(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		ids := h.exec(h.sleeps(3, 5)...)
		h.untilBegun(ids[1])
		h.session().exec(h.say.noDispatcher)
		h.exec(h.sleep(3, brief))
		s := h.session()
		require.Equal(h, "0", s.ask("DECLARE @Result int; EXEC @Result = dbsched.WaitProcess 1, 60; SELECT @Result;"))
		require.Equal(h, "1", s.ask("SELECT COUNT(*) FROM dbsched.ProcessRequests;"))
	})
}
