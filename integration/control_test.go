package integration

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestStartAndStopTwice: both are idempotent; tasks enqueued while stopped wait, and run after the next start.
func TestStartAndStopTwice(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		ctx := h.Context()
		require.False(h, h.status().Started)
		require.NoError(h, h.sched.Stop(ctx, dialects.StopDrain), "stopping what is stopped")
		early := h.exec(h.task(1, h.say.nothing))[0]
		h.pause(5 * time.Minute)
		require.Equal(h, "Pending", h.statusOf(early))

		require.NoError(h, h.sched.Start(ctx))
		since := h.now()
		require.NoError(h, h.sched.Start(ctx))
		require.True(h, h.status().Started)
		h.startsWithin(early, since, h.restart)
		h.drain(30 * time.Second)
		require.Len(h, h.logs(), 1, "one start or two, the task runs once")

		require.Positive(h, h.status().Workers, "idle workers linger")
		require.NoError(h, h.sched.Stop(ctx, dialects.StopDrain))
		h.until(2*time.Second, "idle workers are sent home", func() bool { return h.status().Workers == 0 })
		require.NoError(h, h.sched.Stop(ctx, dialects.StopDrain))
		require.False(h, h.status().Started)
		late := h.exec(h.task(1, h.say.nothing))[0]
		h.pause(5 * time.Minute)
		require.Equal(h, "Pending", h.statusOf(late))
		require.Zero(h, h.status().Workers, "nobody is left")
		require.NoError(h, h.sched.Start(ctx))
		h.startsWithin(late, h.now(), h.restart)
	})
}

// TestStopDrains: no task starts once Stop has returned, and running ones finish.
func TestStopDrains(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		var list []dialects.NewTask
		for range 4 {
			list = append(list, h.sleep(1, 30*time.Second))
		}
		for range 8 {
			list = append(list, h.sleep(1, time.Second))
		}
		ids := h.exec(append(list, h.task(2, h.say.nothing))...)
		h.untilRunning(4, 2*h.soon)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.pause(2 * time.Minute)
		require.Len(h, h.logs(), 4)
		for i, id := range ids {
			want := "Pending"
			if i < 4 {
				want = "Succeeded"
			}
			require.Equal(h, want, h.statusOf(id))
		}
		require.Zero(h, h.status().Workers)
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(time.Minute)
		require.Len(h, h.logs(), 13)
		h.requireWaves(h.logs())
	})
}

// TestStopBesideAnOpenTransaction: stopping waits for no uncommitted enqueuer.
func TestStopBesideAnOpenTransaction(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		open := h.session()
		open.begin()
		open.exec(h.say.enqueue(1, 1, h.say.nothing))
		ctx, cancel := context.WithTimeout(h.Context(), 10*time.Second)
		defer cancel()
		for _, mode := range []dialects.StopMode{dialects.StopDrain, dialects.StopNow} {
			require.NoError(h, h.sched.Stop(ctx, mode))
			require.False(h, h.status().Started)
		}
		open.commit()
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(time.Minute)
	})
}

// TestStopNow: running tasks are abandoned, so that none is retried.
func TestStopNow(t *testing.T) {
	each(t, setup{box: handledBreaks}, func(h *harness) {
		bad := h.task(1, h.say.stubborn(10*time.Second, true))
		bad.MaxAttempts = 5
		id := h.exec(bad)[0]
		h.untilRunning(1, 2*h.soon)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopNow))
		require.Equal(h, "Stopping", h.statusOf(id))
		h.pause(time.Minute)
		require.Equal(h, "Cancelled", h.statusOf(id))
		require.Equal(h, "Cancelled", h.logsOf(id)[0].Outcome)
		require.NoError(h, h.sched.Start(h.Context()))
		h.pause(time.Minute)
		require.Len(h, h.logsOf(id), 1)
	})
}

// TestSetWorkers raises, lowers and pauses while fifty tasks run, as the third seed does with its threads.
func TestSetWorkers(t *testing.T) {
	each(t, setup{lanes: 8, workers: 1}, func(h *harness) {
		ctx := h.Context()
		var list []dialects.NewTask
		for range 50 {
			list = append(list, h.sleep(1, 10*time.Second))
		}
		h.exec(list...)
		h.untilRunning(1, h.restart)
		h.pause(12 * time.Second)
		require.Equal(h, 1, h.running())

		require.NoError(h, h.sched.SetWorkers(ctx, 8))
		h.untilRunning(8, h.soon)
		h.pause(25 * time.Second)
		require.Equal(h, 8, h.running())

		require.NoError(h, h.sched.SetWorkers(ctx, 3))
		require.Equal(h, 8, h.running(), "running tasks finish")
		h.pause(12 * time.Second)
		require.Equal(h, 3, h.running())
		h.pause(25 * time.Second)
		require.Equal(h, 3, h.running())

		require.NoError(h, h.sched.SetWorkers(ctx, 0))
		h.pause(12 * time.Second)
		require.Zero(h, h.running())
		left := h.status().Unfinished
		require.Positive(h, left)
		h.pause(5 * time.Minute)
		require.Equal(h, left, h.status().Unfinished, "paused")

		require.NoError(h, h.sched.SetWorkers(ctx, 4))
		h.untilRunning(4, h.soon)
		h.drain(10 * time.Minute)
		logs := h.logs()
		require.Len(h, logs, 50)
		for i, l := range logs {
			require.EqualValues(h, i+1, l.TaskID, "first in, first out")
			require.Equal(h, "Succeeded", l.Outcome)
		}
	})
}

// TestManualWorkers: sessions of clients become workers, as in the first seed; with no other workers they run everything.
func TestManualWorkers(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		require.ErrorContains(h, h.session().try(h.say.worker(1)), h.errorText(14), "the scheduler is stopped")
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		require.NoError(h, h.sched.Start(h.Context()))

		var errs [3]error
		done := make(chan int)
		for i := range errs {
			c := h.session()
			go func() {
				errs[i] = c.try(h.say.worker(30))
				done <- i
			}()
		}
		h.until(2*time.Second, "three workers", func() bool { return h.status().Workers == 3 })
		var list []dialects.NewTask
		for _, s := range seedTasks {
			list = append(list, h.sleep(s.order, s.delay))
		}
		h.exec(list...)
		h.drain(2 * time.Minute)
		logs := h.logs()
		require.Len(h, logs, 9)
		h.requireWaves(logs)
		require.Equal(h, 3, overlap(logs))
		h.pause(time.Minute)
		for range errs {
			require.NoError(h, errs[<-done])
		}
		require.Zero(h, h.status().Workers)
	})
}

// TestManualWorkerBesideLanes: it is an additional worker.
func TestManualWorkerBesideLanes(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		c := h.session()
		done := make(chan error, 1)
		require.NoError(h, c.try(h.say.worker(0)), "with nothing to wait for it returns")
		require.Zero(h, h.status().Workers)

		go func() { done <- c.try(h.say.worker(5)) }()
		h.until(2*time.Second, "a worker", func() bool { return h.status().Workers == 1 })
		h.exec(h.sleep(1, 10*time.Second), h.sleep(1, 10*time.Second), h.sleep(1, 10*time.Second))
		h.untilRunning(3, 2*h.soon)
		h.drain(time.Minute)
		h.pause(10 * time.Second)
		require.NoError(h, <-done)

		c.begin()
		c.enqueue(1, h.say.nothing)
		require.ErrorContains(h, c.try(h.say.worker(1)), h.errorText(10), "not inside a transaction")
		c.rollback()
		id := h.exec(h.task(1, h.say.worker(1)))[0]
		h.drain(time.Minute)
		require.Equal(h, h.errorNumber(17), h.logsOf(id)[0].ErrorNumber, "not from a task")
	})
}

// TestBusyAfterASecondLook: a worker whose first task had to wait for a resource, and that runs the next one, reports itself busy: other workers
// count it.
func TestBusyAfterASecondLook(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("r", 1)
		number(h, h.session().ask(h.say.acquire("r", "Exclusive", 0, 0)))
		first, second := h.task(1, h.say.nothing), h.sleep(1, 20*time.Second)
		first.Resource, first.Priority = "r", 1
		h.exec(first, second)
		h.untilRunning(1, 2*h.restart)
		lanes, err := h.sched.Lanes(h.Context())
		require.NoError(h, err)
		require.Equal(h, "Busy", lanes[0].State)
	})
}

// TestDueWhileStopped: a delay or a pause that ends while the scheduler is stopped starts nothing; the next start does, at once.
func TestDueWhileStopped(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		later, again := h.task(1, h.say.nothing), h.task(1, h.say.fails(0))
		later.NotBefore = h.now().Add(2 * time.Minute)
		again.MaxAttempts, again.RetryDelay = 2, 2*time.Minute
		ids := h.exec(later, again)
		h.until(4*time.Second+h.restart, "the first attempt fails", func() bool { return h.statusOf(ids[1]) == "Waiting" })
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.pause(10 * time.Minute)
		require.Equal(h, []string{"Waiting", "Waiting"}, h.statuses(ids))
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(h.restart + 2*time.Second)
		require.Equal(h, []string{"Succeeded", "Failed"}, h.statuses(ids))
		require.Len(h, h.logsOf(ids[1]), 2)
	})
}
