package integration

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// TestCancelBeforeTheStart: waiting and pending tasks are Cancelled at once, and never run; a second cancel changes nothing.
func TestCancelBeforeTheStart(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		later := h.task(1, h.say.nothing)
		later.NotBefore = h.now().Add(time.Minute)
		ids := h.exec(later, h.task(1, h.say.nothing), h.task(1, h.say.nothing))
		require.Equal(h, []string{"Waiting", "Pending", "Pending"}, h.statuses(ids))
		h.cancel(ids[0])
		h.cancel(ids[1])
		h.cancel(ids[1])
		require.Equal(h, []string{"Cancelled", "Cancelled", "Pending"}, h.statuses(ids))
		require.NoError(h, h.sched.Start(h.Context()))
		h.pause(2 * time.Minute)
		require.Equal(h, []string{"Cancelled", "Cancelled", "Succeeded"}, h.statuses(ids))
		require.Len(h, h.logs(), 1)
		h.cancel(ids[2])
		require.Equal(h, "Succeeded", h.statusOf(ids[2]), "what has ended is left as it is")
		require.ErrorContains(h, h.sched.CancelTask(h.Context(), 4711), h.errorText(24))
		require.ErrorContains(h, h.sched.CancelProcess(h.Context(), 4711), h.errorText(4))
		require.ErrorContains(h, h.sched.CancelProcess(h.Context(), defaultProcess), h.errorText(13))
	})
}

// TestCancelOpensTheNextWave: cancelling opens the next wave, and ends a closing process.
func TestCancelOpensTheNextWave(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "waves"})
		never := dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p, NotBefore: h.now().Add(time.Hour)}
		last := never
		last.Order = 3
		ids := h.exec(never, dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p}, last)
		require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		h.pause(10 * time.Second)
		require.Equal(h, "Pending", h.statusOf(ids[1]))
		since := h.now()
		h.cancel(ids[0])
		h.startsWithin(ids[1], since, h.soon)
		h.cancel(ids[2])
		h.waitFor(p, 5*time.Second)
		require.Equal(h, "Succeeded", h.processOf(p).Status, "to be cancelled is not to fail")
	})
}

// TestCancelRunning: the session is ended, its uncommitted work is undone, and the lane continues with the next task.
func TestCancelRunning(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.mayKill()
		s := h.session()
		for _, text := range h.say.marks {
			s.exec(text)
		}
		bad := h.task(1, h.say.marked(1, time.Hour))
		bad.MaxAttempts = 5
		ids := h.exec(bad, h.sleep(1, 30*time.Second), h.sleep(1, 30*time.Second))
		h.untilRunning(2, 2*h.restart)
		since := h.now()
		h.cancel(ids[0])
		h.cancel(ids[0])
		h.untilStatus(ids[0], "Cancelled", 3*time.Second)
		log := h.logsOf(ids[0])
		require.Len(h, log, 1)
		require.Equal(h, "Cancelled", log[0].Outcome)
		require.Equal(h, h.errorNumber(28), log[0].ErrorNumber)
		h.startsWithin(ids[2], since, h.freed)
		h.drain(2 * time.Minute)
		require.Equal(h, []string{"Cancelled", "Succeeded", "Succeeded"}, h.statuses(ids))
		require.Empty(h, s.rows(h.say.markRead), "its work was undone")
		require.Empty(h, s.rows(h.say.alarms))
	})
}

// TestCancelWithoutTheRight: where dbsched may not end sessions, the task is marked, one alarm says so, and it ends by itself:
// if it succeeds it is Succeeded, otherwise it is cancelled and not retried. Once dbsched is allowed to, it ends the session.
func TestCancelWithoutTheRight(t *testing.T) {
	each(t, setup{lanes: 3, box: handledBreaks}, func(h *harness) {
		failing := h.task(1, h.say.stubborn(5*time.Minute, true))
		failing.MaxAttempts = 5
		ids := h.exec(failing, h.task(1, h.say.stubborn(5*time.Minute, false)), h.task(1, h.say.stubborn(time.Hour, false)))
		h.untilRunning(3, 2*h.restart)
		for _, id := range ids {
			h.cancel(id)
		}
		h.pause(time.Minute)
		require.Equal(h, []string{"Stopping", "Stopping", "Stopping"}, h.statuses(ids))
		h.pause(6 * time.Minute)
		require.Equal(h, []string{"Cancelled", "Succeeded", "Stopping"}, h.statuses(ids))
		require.Len(h, h.logsOf(ids[0]), 1, "not tried again")
		require.Len(h, h.alarmsOf("CannotEnd"), 3, "one for each")
		other := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(other, h.now(), h.soon)

		h.mayKill()
		h.untilStatus(ids[2], "Cancelled", 65*time.Second)
	})
}

// TestCancelProcess: all of its tasks are cancelled, whatever their state.
func TestCancelProcess(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.mayKill()
		p := h.process(dialects.NewProcess{Name: "unwanted"})
		in := func(task dialects.NewTask) dialects.NewTask { task.ProcessID = p; return task }
		later := in(h.task(1, h.say.nothing))
		later.NotBefore = h.now().Add(time.Hour)
		ids := h.exec(in(h.sleep(1, time.Hour)), in(h.task(2, h.say.nothing)), later)
		mine := h.exec(h.sleep(1, 30*time.Second))[0]
		h.untilRunning(2, 2*h.restart)
		late := h.session()
		late.begin()
		late.exec(h.say.enqueue(p, 1, h.say.nothing))
		require.NoError(h, h.sched.CancelProcess(h.Context(), p))
		require.NoError(h, h.sched.CancelProcess(h.Context(), p))
		require.Equal(h, "Cancelled", h.processOf(p).Status)
		require.Equal(h, "1", h.session().ask(h.say.waitResult(p, 10)), "it has not ended well")
		h.untilStatus(ids[0], "Cancelled", 3*time.Second)
		require.Equal(h, []string{"Cancelled", "Cancelled", "Cancelled"}, h.statuses(ids))
		require.ErrorContains(h, h.session().try(h.say.enqueue(p, 1, h.say.nothing)), h.errorText(5))
		late.commit()
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(mine), "nobody else's")
		h.pause(2 * time.Minute)
		require.Len(h, h.logs(), 2)
		require.Zero(h, h.processOf(p).Unfinished, "what was committed later is skipped")
	})
}

// TestTimeout: an attempt that runs too long is ended in time and counts as failed: it is retried, and then is TimedOut.
func TestTimeout(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.mayKill()
		h.exec(h.task(0, h.say.nothing))
		h.drain(time.Minute)
		p := h.process(dialects.NewProcess{Name: "slow"})
		slow := dialects.NewTask{SQL: h.dialect.Sleep(time.Hour), Order: 1, ProcessID: p, Timeout: 7 * time.Second, MaxAttempts: 2, RetryDelay: 3 * time.Second}
		quick := dialects.NewTask{SQL: h.dialect.Sleep(20 * time.Second), Order: 1, ProcessID: p, Timeout: 25 * time.Second}
		ids := h.exec(slow, quick, dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p})
		h.untilStatus(ids[0], "TimedOut", time.Minute)
		logs := h.logsOf(ids[0])
		require.Len(h, logs, 2)
		for _, l := range logs {
			require.Equal(h, "TimedOut", l.Outcome)
			require.Equal(h, h.errorNumber(29), l.ErrorNumber)
			require.InDelta(h, 8, l.FinishedAt.Sub(l.StartedAt).Seconds(), 1.5)
		}
		h.pause(time.Minute)
		require.Equal(h, []string{"TimedOut", "Succeeded", "Skipped"}, h.statuses(ids))
		require.Equal(h, "Failed", h.processOf(p).Status, "a failure halts its process")
		require.Len(h, h.alarmsOf("ProcessFailed"), 1)
		require.Zero(h, h.processOf(p).Running)
	})
}

// TestTimeoutWithoutTheRight: the attempt continues; if it fails later, it has timed out.
func TestTimeoutWithoutTheRight(t *testing.T) {
	each(t, setup{lanes: 2, box: handledBreaks}, func(h *harness) {
		fails, works := h.task(1, h.say.stubborn(time.Minute, true)), h.task(1, h.say.stubborn(time.Minute, false))
		fails.Timeout, works.Timeout = 5*time.Second, 5*time.Second
		ids := h.exec(fails, works)
		h.untilRunning(2, 2*h.restart)
		// One of them may have to wait until the engine no longer tries to end the other.
		h.until(10*time.Second+h.restart, "both are to end", func() bool {
			return slices.Equal([]string{"Stopping", "Stopping"}, h.statuses(ids))
		})
		h.drain(2 * time.Minute)
		require.Equal(h, []string{"TimedOut", "Succeeded"}, h.statuses(ids))
		require.Len(h, h.alarmsOf("CannotEnd"), 2)
	})
}

// TestStopNowEndsSessions: afterwards no worker is left, and none of the tasks is retried.
func TestStopNowEndsSessions(t *testing.T) {
	each(t, setup{lanes: 4}, func(h *harness) {
		h.mayKill()
		var list []dialects.NewTask
		for range 6 {
			task := h.sleep(1, time.Hour)
			task.MaxAttempts = 3
			list = append(list, task)
		}
		ids := h.exec(list...)
		h.untilRunning(4, 2*h.restart)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopNow))
		h.until(h.freed, "nobody works", func() bool { return h.status().Workers == 0 && h.running() == 0 })
		require.Equal(h, strings.Fields("Cancelled Cancelled Cancelled Cancelled Pending Pending"), h.statuses(ids))
		h.pause(time.Minute)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopNow))
		require.NoError(h, h.sched.Start(h.Context()))
		h.untilRunning(2, h.restart)
		h.pause(time.Minute)
		require.Len(h, h.logs(), 6)
	})
}

// TestRetryTask: a task that failed runs again, and its process, which had ended, continues.
func TestRetryTask(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "goes on"})
		early := dialects.NewTask{SQL: h.say.early, Order: 1, ProcessID: p}
		ids := h.exec(early, dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p})
		require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		h.waitFor(p, time.Minute)
		require.Equal(h, []string{"Failed", "Skipped"}, h.statuses(ids))
		require.ErrorContains(h, h.sched.RetryTask(h.Context(), 4711), h.errorText(24))
		h.session().exec(h.say.late)
		require.NoError(h, h.sched.RetryTask(h.Context(), ids[0]))
		h.waitFor(p, time.Minute)
		require.Equal(h, []string{"Succeeded", "Skipped"}, h.statuses(ids), "only what was asked for")
		require.Equal(h, "Succeeded", h.processOf(p).Status)
		require.ErrorContains(h, h.sched.RetryTask(h.Context(), ids[0]), h.errorText(27), "it has not failed")
		require.Equal(h, 2, h.logsOf(ids[0])[1].Attempt)
	})
}

// TestRetryBeginsAnew: a retried task may fail as often as it could at first, and lose as many workers, whether the retry is of
// the task or of its process.
func TestRetryBeginsAnew(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.session().exec(h.say.options(map[string]int{"MaxOrphans": 1}))
		bad := dialects.NewTask{SQL: h.say.fails(0), Order: 1, MaxAttempts: 2, RetryDelay: time.Second}
		deadly := dialects.NewTask{SQL: h.dialect.Sleep(time.Hour), Order: 1}
		for _, task := range []dialects.NewTask{bad, deadly} {
			p := h.process(dialects.NewProcess{Name: "again"})
			task.ProcessID = p
			id := h.exec(task)[0]
			attempts := 0
			for _, again := range []func() error{
				func() error { return nil },
				func() error { return h.sched.RetryTask(h.Context(), id) },
				func() error { return h.sched.RetryProcess(h.Context(), p) },
			} {
				require.NoError(h, again())
				for range 2 {
					attempts++
					h.until(5*time.Second+h.restart, fmt.Sprint("attempt ", attempts), func() bool { return len(h.logsOf(id)) == attempts })
					if task.SQL == deadly.SQL {
						h.killWorker(id)
						h.session().exec(h.say.sweep)
					}
				}
				h.untilStatus(id, "Failed", 5*time.Second)
				require.Len(h, h.logsOf(id), attempts)
			}
		}
	})
}

// TestRetryProcess resumes a halted process where it failed, in the order of its waves.
func TestRetryProcess(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "resumes"})
		in := func(order int, sql string) dialects.NewTask {
			return dialects.NewTask{SQL: sql, Order: order, ProcessID: p}
		}
		ids := h.exec(in(1, h.say.nothing), in(2, h.say.early), in(3, h.dialect.Sleep(time.Second)), in(3, h.say.nothing), in(4, h.say.nothing))
		require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		h.waitFor(p, time.Minute)
		require.Equal(h, strings.Fields("Succeeded Failed Skipped Skipped Skipped"), h.statuses(ids))
		h.session().exec(h.say.late)
		require.NoError(h, h.sched.RetryProcess(h.Context(), p))
		h.waitFor(p, time.Minute)
		require.Equal(h, strings.Fields("Succeeded Succeeded Succeeded Succeeded Succeeded"), h.statuses(ids))
		require.Equal(h, "Succeeded", h.processOf(p).Status)
		require.Zero(h, h.processOf(p).Failed)
		h.requireWaves(h.logs())
		require.Len(h, h.logs(), 6)
		require.ErrorContains(h, h.sched.RetryProcess(h.Context(), p), h.errorText(27))
	})
}

// TestRetryClosesLate: a process that failed before it was closed closes when it is retried. A close that was requested in
// time may also be carried out after the failure.
func TestRetryClosesLate(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "closed too late"})
		h.exec(dialects.NewTask{SQL: h.say.early, Order: 1, ProcessID: p}, dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p})
		h.waitFor(p, time.Minute)
		require.Equal(h, "Failed", h.processOf(p).Status)
		require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		h.pause(5 * time.Second) // the dispatcher has seen it
		h.session().exec(h.say.late)
		require.NoError(h, h.sched.RetryProcess(h.Context(), p))
		h.until(time.Minute, "its end", func() bool { return h.processOf(p).Status == "Succeeded" })
	})
}

// TestRetryCancelledProcess: the tasks that were cancelled with it run.
func TestRetryCancelledProcess(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.mayKill()
		p := h.process(dialects.NewProcess{Name: "after all"})
		ids := h.exec(dialects.NewTask{SQL: h.dialect.Sleep(10 * time.Second), Order: 1, ProcessID: p}, dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p})
		h.untilRunning(1, 2*h.restart)
		require.NoError(h, h.sched.CancelProcess(h.Context(), p))
		h.untilStatus(ids[0], "Cancelled", 3*time.Second)
		require.NoError(h, h.sched.RetryProcess(h.Context(), p))
		require.Equal(h, "Open", h.processOf(p).Status)
		h.waitFor(p, time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded"}, h.statuses(ids))
	})
}

// TestCancelAgainstCompletion: tasks are cancelled about when they end, under several seeds. Whichever is faster, there is one
// outcome, the log agrees, and no task is hit that nobody cancelled.
func TestCancelAgainstCompletion(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(strconv.FormatUint(seed+1, 10), func(t *testing.T) {
			each(t, setup{lanes: 2, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				h.mayKill()
				var list []dialects.NewTask
				for range 24 {
					list = append(list, h.sleep(1, 500*time.Millisecond))
				}
				ids := h.exec(list...)
				asked := map[int64]bool{}
				for i := 0; i < len(ids); i += 3 {
					h.until(time.Minute, "the next one begins", func() bool { return len(h.logsOf(ids[i])) > 0 })
					h.pause(time.Duration(400+(uint64(i)*37+seed*53)%200) * time.Millisecond)
					h.cancel(ids[i])
					asked[ids[i]] = true
				}
				h.drain(5 * time.Minute)
				for _, id := range ids {
					logs := h.logsOf(id)
					require.Len(h, logs, 1, "task %d", id)
					require.Equal(h, h.statusOf(id), logs[0].Outcome)
					if asked[id] {
						require.Contains(h, []string{"Succeeded", "Cancelled"}, logs[0].Outcome)
					} else {
						require.Equal(h, "Succeeded", logs[0].Outcome, "task %d: %s", id, h.report())
					}
				}
				require.Empty(h, h.session().rows(h.say.alarms))
			})
		})
	}
}

// TestRetryStartsAWorker: a retry needs neither a running worker nor a sweep.
func TestRetryStartsAWorker(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "again"})
		id := h.exec(dialects.NewTask{SQL: h.say.fails(0), Order: 1, ProcessID: p})[0]
		attempts := 1
		for _, again := range []func() error{func() error { return h.sched.RetryTask(h.Context(), id) }, func() error { return h.sched.RetryProcess(h.Context(), p) }} {
			h.untilStatus(id, "Failed", time.Minute)
			h.until(5*time.Minute, "all workers have left", func() bool { return h.status().Workers == 0 })
			require.NoError(h, again())
			attempts++
			h.until(h.restart, "the next attempt", func() bool { return len(h.logsOf(id)) == attempts })
		}
	})
}

// TestRetryOfAnEmptyProcess: a process without tasks that was cancelled, closed and retried ends with the next sweep.
func TestRetryOfAnEmptyProcess(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "empty"})
		require.NoError(h, h.sched.CancelProcess(h.Context(), p))
		require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		h.pause(5 * time.Second)
		require.NoError(h, h.sched.RetryProcess(h.Context(), p))
		h.until(70*time.Second, "its end", func() bool { return h.processOf(p).Status == "Succeeded" })
	})
}

// TestStopNowOfWhatIsStopping: an attempt that has timed out and cannot be ended runs on. A stop that cancels what runs cancels it, too: it is not
// tried again.
func TestStopNowOfWhatIsStopping(t *testing.T) {
	each(t, setup{lanes: 2, box: handledBreaks}, func(h *harness) {
		fails, works := h.task(1, h.say.stubborn(2*time.Minute, true)), h.task(1, h.say.stubborn(2*time.Minute, false))
		fails.Timeout, fails.MaxAttempts, fails.RetryDelay = 5*time.Second, 3, time.Second
		works.Timeout, works.MaxAttempts, works.RetryDelay = 5*time.Second, 3, time.Second
		ids := h.exec(fails, works)
		h.untilRunning(2, 2*h.restart)
		h.until(20*time.Second+h.restart, "both are to end", func() bool {
			return slices.Equal([]string{"Stopping", "Stopping"}, h.statuses(ids))
		})
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopNow))
		h.pause(3 * time.Minute)
		require.Equal(h, []string{"Cancelled", "Succeeded"}, h.statuses(ids))
		require.NoError(h, h.sched.Start(h.Context()))
		h.pause(time.Minute)
		require.Len(h, h.logs(), 2, "neither is tried again")
		require.Equal(h, "Cancelled", h.logsOf(ids[0])[0].Outcome)
	})
}

// TestCancelOfWhatIsStopping: so does an order to cancel it, or its process.
func TestCancelOfWhatIsStopping(t *testing.T) {
	each(t, setup{lanes: 2, box: handledBreaks}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "unwanted"})
		one := h.task(1, h.say.stubborn(2*time.Minute, true))
		one.Timeout, one.MaxAttempts, one.RetryDelay = 5*time.Second, 3, time.Second
		other := one
		other.ProcessID = p
		ids := h.exec(one, other)
		h.untilRunning(2, 2*h.restart)
		h.until(20*time.Second+h.restart, "both are to end", func() bool {
			return slices.Equal([]string{"Stopping", "Stopping"}, h.statuses(ids))
		})
		h.cancel(ids[0])
		require.NoError(h, h.sched.CancelProcess(h.Context(), p))
		h.pause(4 * time.Minute)
		require.Equal(h, []string{"Cancelled", "Cancelled"}, h.statuses(ids))
		require.Len(h, h.logs(), 2, "neither is tried again")
	})
}

// TestStopNowAfterADrain: running tasks of a scheduler that drains can still be cancelled by a stop.
func TestStopNowAfterADrain(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.mayKill()
		task := h.sleep(1, time.Hour)
		task.MaxAttempts = 3
		ids := h.exec(task, task, h.task(1, h.say.nothing))
		h.untilRunning(2, 2*h.restart)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.pause(5 * time.Minute)
		require.Equal(h, 2, h.running())
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopNow))
		h.until(h.freed+h.restart, "nobody works", func() bool { return h.status().Workers == 0 && h.running() == 0 })
		require.Equal(h, []string{"Cancelled", "Cancelled", "Pending"}, h.statuses(ids))
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(time.Minute)
		require.Len(h, h.logs(), 3)
	})
}

// TestStartBesideWhatIsStopping: a start does not wait for attempts that a stop could not end, and does not bring them back.
func TestStartBesideWhatIsStopping(t *testing.T) {
	each(t, setup{lanes: 2, box: handledBreaks}, func(h *harness) {
		bad := h.task(1, h.say.stubborn(3*time.Minute, true))
		bad.MaxAttempts = 3
		id := h.exec(bad)[0]
		h.untilRunning(1, 2*h.restart)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopNow))
		h.pause(30 * time.Second)
		require.NoError(h, h.sched.Start(h.Context()))
		next := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(next, h.now(), h.restart+12*time.Second) // Oracle's dispatcher may be waiting for STOP_JOB
		require.Equal(h, "Stopping", h.statusOf(id))
		h.untilStatus(id, "Cancelled", 4*time.Minute)
		h.pause(time.Minute)
		require.Len(h, h.logsOf(id), 1)
	})
}
