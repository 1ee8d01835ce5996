package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/snapshot"
)

// taskOf and logOf read a task and its only attempt as clients do.
func (h *harness) taskOf(id int64) dialects.Task {
	h.Helper()
	all, err := h.sched.Tasks(h.Context(), dialects.Filter{TaskID: id})
	require.NoError(h, err)
	require.Len(h, all, 1)
	return all[0]
}

func (h *harness) logOf(id int64) dialects.LogEntry {
	h.Helper()
	all := h.logsOf(id)
	require.Len(h, all, 1)
	return all[0]
}

// TestWhatOverranIsMarked: where nothing ends its session, a task that runs on after its timeout is marked while it does, as Stopping, and
// after it has ended, whatever it became. A timeout that works marks nothing.
func TestWhatOverranIsMarked(t *testing.T) {
	each(t, setup{lanes: 2, box: handledBreaks}, func(h *harness) {
		fails, works := h.task(1, h.say.stubborn(2*time.Minute, true)), h.task(1, h.say.stubborn(2*time.Minute, false))
		fails.Timeout, works.Timeout = 5*time.Second, 5*time.Second
		ids := h.exec(fails, works)
		h.untilRunning(2, 2*h.restart)
		for _, id := range ids {
			require.Nil(h, h.taskOf(id).Overran)
			require.Equal(h, "Running", h.logOf(id).State())
		}
		h.pause(time.Minute)
		for _, id := range ids {
			task := h.taskOf(id)
			require.Equal(h, "Stopping", task.Status)
			require.Equal(h, "TimedOut", task.StopOutcome)
			require.InDelta(h, h.now().Sub(*task.StartedAt).Seconds()-5, *task.Overran, 1, "by the server's clock")
			e := h.logOf(id)
			require.Equal(h, "Stopping", e.State())
			require.InDelta(h, *task.Overran, *e.Overran, 1)
		}
		s, err := snapshot.New(h.sched).Read(h.Context())
		require.NoError(h, err)
		require.Equal(h, 2, s.Overran())

		h.drain(3 * time.Minute)
		require.Equal(h, []string{"TimedOut", "Succeeded"}, h.statuses(ids))
		for _, id := range ids {
			task, e := h.taskOf(id), h.logOf(id)
			require.InDelta(h, *task.Seconds-5, *task.Overran, 0.1)
			require.InDelta(h, *e.Seconds-5, *e.Overran, 0.1)
		}

		h.mayKill()
		ends := h.sleep(1, time.Hour)
		ends.Timeout = 5 * time.Second
		ended := h.exec(ends)[0]
		h.untilStatus(ended, "TimedOut", time.Minute)
		require.Nil(h, h.taskOf(ended).Overran)
		require.Nil(h, h.logOf(ended).Overran)
	})
}

// TestARetryCountsFromItsStart: neither the pause before it nor the attempt before it belongs to an attempt; nor does the time until a task
// that waits for its next attempt is cancelled.
func TestARetryCountsFromItsStart(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		task := h.task(1, h.say.failing[0].sql)
		task.Timeout, task.MaxAttempts, task.RetryDelay = 5*time.Second, 2, 30*time.Second
		cancelled := task
		cancelled.RetryDelay = time.Hour
		ids := h.exec(task, cancelled)
		h.pause(20 * time.Second)
		require.Equal(h, []string{"Waiting", "Waiting"}, h.statuses(ids))
		require.Nil(h, h.taskOf(ids[0]).Overran)
		h.cancel(ids[1])
		h.drain(2 * time.Minute)
		require.Equal(h, []string{"Failed", "Cancelled"}, h.statuses(ids))
		for _, id := range ids {
			require.Nil(h, h.taskOf(id).Overran)
			for _, e := range h.logsOf(id) {
				require.Nil(h, e.Overran)
			}
		}
	})
}

// TestOptionsAreRead: a task is read with all that its enqueuer chose.
func TestOptionsAreRead(t *testing.T) {
	each(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		require.NoError(h, h.sched.DefineResource(h.Context(), "warehouse", 2))
		id := h.exec(dialects.NewTask{
			SQL: h.say.nothing, Order: 300, Priority: 5, MaxAttempts: 3, Timeout: 2 * time.Hour, ExpectedSeconds: 90, OnOrphan: "Fail", Resource: "warehouse", Access: "Exclusive",
			Transactional: true, DedupKey: "day 22", Parameters: `{"Day": "2026-11-22"}`,
		})[0]
		limit := int64(7200)
		require.Equal(h, dialects.TaskOptions{
			Timeout: &limit, ExpectedSeconds: 90, MaxAttempts: 3, OnOrphan: "Fail", Access: "Exclusive", Transactional: true, DedupKey: "day 22", Parameters: `{"Day": "2026-11-22"}`,
		}, h.taskOf(id).TaskOptions)
		plain := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 300})[0]
		require.Equal(h, dialects.TaskOptions{MaxAttempts: 1, OnOrphan: "Retry"}, h.taskOf(plain).TaskOptions)
	})
}

// TestOracleTimeoutsEndTasks: there no script is needed.
func TestOracleTimeoutsEndTasks(t *testing.T) {
	onOracle(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		command, err := h.sched.EndCommand(h.Context())
		require.NoError(h, err)
		require.Empty(h, command)
	})
}
