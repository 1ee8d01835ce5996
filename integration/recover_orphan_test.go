package integration

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestWorkerDeath: the task of a worker whose session was killed is logged as orphaned and runs again, within a sweep;
// the tasks of other lanes continue, and the wave order is kept.
func TestWorkerDeath(t *testing.T) {
	each(t, setup{lanes: 3}, func(h *harness) {
		ids := h.exec(h.sleep(1, 3*time.Minute), h.sleep(1, 3*time.Minute), h.task(2, h.say.nothing))
		h.untilRunning(2, 2*h.restart)
		h.killWorker(ids[0])
		since := h.now()
		h.until(70*time.Second+h.soon, "the second attempt", func() bool { return len(h.logsOf(ids[0])) == 2 })
		require.LessOrEqual(h, h.now().Sub(since), 64*time.Second+h.soon)
		first := h.logsOf(ids[0])[0]
		require.Equal(h, "Orphaned", first.Outcome)
		require.Equal(h, h.errorNumber(23), first.ErrorNumber)
		h.drain(10 * time.Minute)
		require.Len(h, h.logsOf(ids[1]), 1, "the other lane's task was left alone")
		require.Equal(h, []string{"Succeeded", "Succeeded", "Succeeded"}, h.statuses(ids))
		require.Equal(h, 2, h.logsOf(ids[0])[1].Attempt)
		h.requireWaves(h.logs())
	})
}

// TestWorkerDeathIsSeenAtOnceByASweep: it is seen at once when somebody requests a sweep.
func TestWorkerDeathIsSeenAtOnceByASweep(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		id := h.exec(h.sleep(1, 10*time.Second))[0]
		h.untilRunning(1, 2*h.restart)
		h.killWorker(id)
		h.session().exec(h.say.sweep)
		h.until(time.Second+h.soon, "the second attempt", func() bool { return len(h.logsOf(id)) == 2 })
	})
}

// TestTwoDeathsBesideAWave: the dispatcher, woken for a task of a new wave, counts what can run before it finds two dead workers. Their tasks
// need both lanes, not only the one counted.
func TestTwoDeathsBesideAWave(t *testing.T) {
	each(t, setup{lanes: 3}, func(h *harness) {
		ids := h.exec(h.sleep(1, time.Minute), h.sleep(1, time.Minute))
		p := h.process(dialects.NewProcess{Name: "waves"})
		for _, task := range []dialects.NewTask{h.sleep(1, 10*time.Second), h.sleep(2, time.Minute), h.sleep(2, time.Minute)} {
			task.ProcessID = p
			h.exec(task)
		}
		h.untilRunning(3, 2*h.restart)
		h.killWorker(ids[0])
		h.killWorker(ids[1])
		killed := h.now()
		h.until(10*time.Second+h.restart, "three lanes work again", func() bool {
			return len(slices.DeleteFunc(h.logs(), func(l dialects.LogEntry) bool { return l.StartedAt.Before(killed) })) == 3
		})
	})
}

// TestTaskThatKillsItsWorkers: it is abandoned after the third orphan beyond the allowed number.
func TestTaskThatKillsItsWorkers(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "deadly"})
		id := h.exec(dialects.NewTask{SQL: h.dialect.Sleep(time.Hour), Order: 1, ProcessID: p})[0]
		for n := 1; n <= 4; n++ {
			h.until(4*time.Second+h.restart, "the next attempt", func() bool { return len(h.logsOf(id)) == n && h.running() == 1 })
			h.killWorker(id)
			h.session().exec(h.say.sweep)
		}
		h.until(5*time.Second, "given up", func() bool { return h.statusOf(id) == "Failed" })
		logs := h.logsOf(id)
		require.Len(h, logs, 4)
		for _, l := range logs {
			require.Equal(h, "Orphaned", l.Outcome)
		}
		require.Equal(h, "Failed", h.processOf(p).Status)
		other := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(other, h.now(), h.soon)
	})
}

// TestIdleWorkerDeath: a worker killed while it waits for work is replaced when there is work.
func TestIdleWorkerDeath(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.exec(h.task(1, h.say.nothing))
		h.drain(30 * time.Second)
		lanes, err := h.sched.Lanes(h.Context())
		require.NoError(h, err)
		require.NotZero(h, lanes[0].SessionID, "it lingers")
		h.admin().exec(h.say.kill(lanes[0].SessionID))
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(id, h.now(), h.replaced)
	})
}

// TestIdleWorkerDeathIsSeen: a worker that was killed while it waited for work is no longer listed after a sweep.
func TestIdleWorkerDeathIsSeen(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.session().exec(h.say.options(map[string]int{"LingerSeconds": 60}))
		h.exec(h.sleep(1, time.Second), h.sleep(1, time.Second))
		h.drain(30 * time.Second)
		h.pause(10 * time.Second)
		lanes, err := h.sched.Lanes(h.Context())
		require.NoError(h, err)
		h.admin().exec(h.say.kill(lanes[0].SessionID))
		h.session().exec(h.say.sweep)
		h.until(5*time.Second, "the other one is left", func() bool { return h.status().Workers == 1 })
		left, err := h.sched.Lanes(h.Context())
		require.NoError(h, err)
		require.Equal(h, []int{0, lanes[1].SessionID}, []int{left[0].SessionID, left[1].SessionID})
	})
}

// TestOrphanIsNoFailure: a worker's death uses none of the attempts that MaxAttempts allows.
func TestOrphanIsNoFailure(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		id := h.exec(dialects.NewTask{SQL: h.say.fails(10 * time.Second), Order: 1, MaxAttempts: 2, RetryDelay: time.Second})[0]
		h.untilRunning(1, 2*h.restart)
		h.killWorker(id)
		h.session().exec(h.say.sweep)
		h.untilStatus(id, "Failed", time.Minute)
		var outcomes []string
		for _, l := range h.logsOf(id) {
			outcomes = append(outcomes, l.Outcome)
		}
		require.Equal(h, []string{"Orphaned", "Failed", "Failed"}, outcomes)
	})
}

// TestOrphanThatMustNotRunAgain: a task with OnOrphan Fail, or of an installation that allows no orphans, fails with its worker, and its process is
// halted.
func TestOrphanThatMustNotRunAgain(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		for name, c := range sorted(map[string]struct {
			onOrphan string
			allowed  int
		}{"fail": {"Fail", 3}, "none allowed": {"Retry", 0}}) {
			h.session().exec(h.say.options(map[string]int{"MaxOrphans": c.allowed}))
			p := h.process(dialects.NewProcess{Name: name})
			ids := h.exec(dialects.NewTask{SQL: h.dialect.Sleep(time.Hour), Order: 1, ProcessID: p, MaxAttempts: 5, OnOrphan: c.onOrphan},
				dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p})
			h.untilRunning(1, 2*h.restart)
			h.killWorker(ids[0])
			h.session().exec(h.say.sweep)
			h.untilStatus(ids[0], "Failed", 5*time.Second)
			require.Equal(h, "Skipped", h.statusOf(ids[1]), name)
			require.Equal(h, "Failed", h.processOf(p).Status, name)
			require.Len(h, h.logsOf(ids[0]), 1, name)
			require.Equal(h, "Orphaned", h.logsOf(ids[0])[0].Outcome, name)
			h.pause(time.Minute)
			require.Len(h, h.logsOf(ids[0]), 1, name)
		}
	})
}

// TestOrphanOfAHaltedProcess: a task whose worker dies after its process was halted does not run again.
func TestOrphanOfAHaltedProcess(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "halted"})
		ids := h.exec(dialects.NewTask{SQL: h.dialect.Sleep(time.Hour), Order: 1, ProcessID: p},
			dialects.NewTask{SQL: h.say.fails(20 * time.Second), Order: 1, ProcessID: p})
		h.untilRunning(2, 2*h.restart)
		h.untilStatus(ids[1], "Failed", 25*time.Second)
		require.Equal(h, "Running", h.statusOf(ids[0]))
		h.killWorker(ids[0])
		h.session().exec(h.say.sweep)
		h.untilStatus(ids[0], "Failed", 5*time.Second)
		h.pause(2 * time.Minute)
		require.Len(h, h.logs(), 2)
		require.EqualValues(h, 2, h.processOf(p).Failed)
		require.Zero(h, h.status().Unfinished)
	})
}

// TestDeathOfWhatIsStopping: a worker that dies while its attempt is to end leaves the outcome for which it was to end: cancelled, and not tried
// again; or timed out, which is a failure like any other and not an orphan.
func TestDeathOfWhatIsStopping(t *testing.T) {
	each(t, setup{lanes: 2, box: handledBreaks}, func(h *harness) {
		h.session().exec(h.say.options(map[string]int{"MaxOrphans": 0}))
		cancelled, late := h.task(1, h.say.stubborn(time.Hour, false)), h.task(1, h.say.stubborn(time.Hour, false))
		cancelled.MaxAttempts, late.MaxAttempts, late.Timeout, late.RetryDelay = 3, 2, 5*time.Second, time.Second
		ids := h.exec(cancelled, late)
		h.untilRunning(2, 2*h.restart)
		h.cancel(ids[0])
		h.until(20*time.Second+h.restart, "both are to end", func() bool {
			return slices.Equal([]string{"Stopping", "Stopping"}, h.statuses(ids))
		})
		h.killWorker(ids[0])
		h.killWorker(ids[1])
		h.session().exec(h.say.sweep)
		h.untilStatus(ids[0], "Cancelled", time.Minute)
		h.until(time.Minute+h.restart, "the second attempt", func() bool { return len(h.logsOf(ids[1])) == 2 })
		require.Len(h, h.logsOf(ids[0]), 1)
		require.Equal(h, h.errorNumber(28), h.logsOf(ids[0])[0].ErrorNumber)
		require.Equal(h, "TimedOut", h.logsOf(ids[1])[0].Outcome)
		require.Equal(h, h.errorNumber(29), h.logsOf(ids[1])[0].ErrorNumber)
		h.untilStatus(ids[1], "Stopping", 20*time.Second+h.restart)
		h.killWorker(ids[1])
		h.session().exec(h.say.sweep)
		h.untilStatus(ids[1], "TimedOut", time.Minute)
	})
}

// TestDeathWhileStopped: a worker that dies while the scheduler is stopped is found by the next start, and its task runs again.
func TestDeathWhileStopped(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		ids := h.exec(h.sleep(1, time.Minute), h.task(2, h.say.nothing))
		h.untilRunning(1, 2*h.restart)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.killWorker(ids[0])
		h.pause(10 * time.Minute)
		require.Len(h, h.logs(), 1, "nothing starts")
		require.NoError(h, h.sched.Start(h.Context()))
		h.until(2*h.restart, "the second attempt", func() bool { return len(h.logsOf(ids[0])) == 2 })
		h.drain(2 * time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded"}, h.statuses(ids))
		require.Equal(h, "Orphaned", h.logsOf(ids[0])[0].Outcome)
		require.Len(h, h.logs(), 3)
	})
}
