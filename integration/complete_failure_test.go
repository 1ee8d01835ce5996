package integration

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestFailingTasks: whatever a task does wrong is logged with number, message, procedure and line, undone, and harms
// neither the task beside it nor the next one in the same lane.
func TestFailingTasks(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		look := h.marks()
		beside := h.process(dialects.NewProcess{Name: "beside"})
		long := h.sleep(1, 5*time.Minute)
		long.ProcessID = beside
		besideID := h.exec(long)[0]

		ids := map[int64]failing{}
		var want [][]string
		for i, f := range h.say.failing {
			made := h.exec(h.task(2*i, f.sql), h.task(2*i+1, h.say.mark(i)))
			ids[made[0]] = f
			want = append(want, []string{show(i)})
		}
		h.drain(time.Minute)

		for id, f := range sorted(ids) {
			logs := h.logsOf(id)
			require.Len(h, logs, 1, f.name)
			l := logs[0]
			require.Equal(h, "Failed", l.Outcome, f.name)
			require.Equal(h, f.number, l.ErrorNumber, "%s: %s", f.name, l.ErrorMessage)
			require.Contains(h, l.ErrorMessage, f.message, f.name)
			require.Equal(h, f.line, l.ErrorLine, f.name)
			if f.unit == "" {
				require.Empty(h, l.ErrorUnit, f.name)
			} else {
				require.Contains(h, l.ErrorUnit, f.unit, f.name)
			}
			require.Equal(h, "Failed", h.statusOf(id), f.name)
		}
		require.Equal(h, want, withoutWork(look.rows(h.say.markRead)), "each next task ran")
		require.Equal(h, "Running", h.statusOf(besideID), "the task beside them runs on")
		def := h.processOf(defaultProcess)
		require.EqualValues(h, len(h.say.failing), def.Failed)
		require.EqualValues(h, len(h.say.failing), def.Succeeded)
		require.Equal(h, "Open", def.Status, "the default process goes on")
	})
}

// TestLongErrorText: the longest error text that the engine passes on is logged in full.
func TestLongErrorText(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		text := strings.Repeat("x", h.say.longestError-3) + "end"
		id := h.exec(h.task(1, h.say.failsWith(text)))[0]
		h.drain(time.Minute)
		l := h.logsOf(id)[0]
		require.Equal(h, "Failed", l.Outcome)
		require.Contains(h, l.ErrorMessage, text)
	})
}

// withoutWork drops the marks below zero: those of failing tasks, where each statement that was not in a
// transaction stays.
func withoutWork(rows [][]string) [][]string {
	var out [][]string
	for _, r := range rows {
		if r[0] != "-1" {
			out = append(out, r)
		}
	}
	return out
}

// TestRetries: a failing task is retried, after pauses that double.
func TestRetries(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		bad := h.task(1, h.say.failing[0].sql)
		bad.MaxAttempts, bad.RetryDelay = 4, 10*time.Second
		id := h.exec(bad, h.task(2, h.say.nothing))[0]
		h.until(4*time.Second+h.restart, "the first attempt fails", func() bool { return h.statusOf(id) == "Waiting" })
		require.Equal(h, "Retry", h.tasks()[0].Reason)
		h.drain(5 * time.Minute)

		logs := h.logsOf(id)
		require.Len(h, logs, 4)
		for i, l := range logs {
			require.Equal(h, i+1, l.Attempt)
			require.Equal(h, "Failed", l.Outcome)
			if i > 0 {
				pause := l.StartedAt.Sub(*logs[i-1].FinishedAt)
				want := 10 * time.Second << (i - 1)
				require.GreaterOrEqual(h, pause, want)
				require.LessOrEqual(h, pause, want+time.Second+h.soon, "attempt %d", i+1)
			}
		}
		require.Equal(h, "Failed", h.statusOf(id))
		h.requireWaves(h.logs())
	})
}

// TestRetryThatSucceeds: a task that fails at first and then does not has succeeded.
func TestRetryThatSucceeds(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "late table"})
		task := dialects.NewTask{SQL: h.say.early, Order: 1, ProcessID: p, MaxAttempts: 2, RetryDelay: 20 * time.Second}
		id := h.exec(task)[0]
		require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		h.until(4*time.Second+h.restart, "the first attempt fails", func() bool { return h.statusOf(id) == "Waiting" })
		h.session().exec(h.say.late)
		h.waitFor(p, time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
		require.Equal(h, "Succeeded", h.processOf(p).Status)
		require.Len(h, h.logsOf(id), 2)
	})
}

// TestNotBefore: a delayed task starts when its time has come, to the second, and holds up only its own process's later waves.
func TestNotBefore(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		due := h.now().Add(90 * time.Second)
		p := h.process(dialects.NewProcess{Name: "delayed"})
		ids := h.exec(
			dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p, NotBefore: due},
			dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p},
			h.task(1, h.say.nothing),
		)
		require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		h.until(2*time.Second+h.restart, "the other process's task ends", func() bool { return h.statusOf(ids[2]) == "Succeeded" })
		require.Equal(h, "Waiting", h.statusOf(ids[0]))
		require.Equal(h, "Delay", h.tasks()[0].Reason)
		h.waitFor(p, 5*time.Minute)
		at := h.logsOf(ids[0])[0].StartedAt
		require.False(h, at.Before(due), "started at %s, due at %s", shortTime(&at), shortTime(&due))
		require.LessOrEqual(h, at.Sub(due), time.Second+h.soon)
		h.requireWaves(h.logs())
		require.Equal(h, "Succeeded", h.processOf(p).Status)
	})
}

// TestNotBeforeThePastIsNow: a time in the past delays nothing.
func TestNotBeforeThePastIsNow(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		since := h.now()
		id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, NotBefore: since.Add(-time.Hour)})[0]
		h.startsWithin(id, since, h.restart)
	})
}

// TestHaltedProcessRetriesNothing: a task that still runs when its process is halted is not retried if it fails, too.
func TestHaltedProcessRetriesNothing(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "halts"})
		ids := h.exec(dialects.NewTask{SQL: h.say.fails(5 * time.Second), Order: 1, ProcessID: p},
			dialects.NewTask{SQL: h.say.fails(15 * time.Second), Order: 1, ProcessID: p, MaxAttempts: 3, RetryDelay: time.Second},
			dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p})
		h.untilStatus(ids[0], "Failed", 2*h.restart+10*time.Second)
		require.Equal(h, []string{"Failed", "Running", "Skipped"}, h.statuses(ids))
		h.pause(time.Minute)
		require.Equal(h, []string{"Failed", "Failed", "Skipped"}, h.statuses(ids))
		require.Len(h, h.logs(), 2)
		require.Zero(h, h.status().Unfinished)
	})
}

// TestPausesOfManyFailures: pauses double up to the installation's limit, however often a task has failed: those of a delay of a day would soon be
// longer than the engine can count.
func TestPausesOfManyFailures(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.session().exec(h.say.options(map[string]int{"MaxRetryDelaySeconds": 2}))
		const attempts = 24
		bad := h.task(1, h.say.fails(0))
		bad.MaxAttempts, bad.RetryDelay = attempts, 24*time.Hour
		id := h.exec(bad)[0]
		h.until(10*time.Minute, "it has failed for good", func() bool { return h.statusOf(id) == "Failed" })
		logs := h.logsOf(id)
		require.Len(h, logs, attempts)
		for i, l := range logs[1:] {
			pause := l.StartedAt.Sub(*logs[i].FinishedAt)
			require.GreaterOrEqual(h, pause, 2*time.Second, "attempt %d", l.Attempt)
			require.LessOrEqual(h, pause, 3*time.Second+h.soon, "attempt %d", l.Attempt)
		}
		h.requireNoAlarms()
	})
}

// TestPausesWithoutALimitInTheWay: the limit is one of pauses, not of delays: a shorter one stays as it is, and no pause is none.
func TestPausesWithoutALimitInTheWay(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.session().exec(h.say.options(map[string]int{"MaxRetryDelaySeconds": 0}))
		bad := h.task(1, h.say.fails(0))
		bad.MaxAttempts, bad.RetryDelay = 3, time.Hour
		id := h.exec(bad)[0]
		h.untilStatus(id, "Failed", 3*h.restart)
		require.Len(h, h.logsOf(id), 3)

		h.session().exec(h.say.options(map[string]int{"MaxRetryDelaySeconds": 3600}))
		bad.MaxAttempts, bad.RetryDelay = 2, 20*time.Second
		id = h.exec(bad)[0]
		h.untilStatus(id, "Failed", 30*time.Second+2*h.restart)
		logs := h.logsOf(id)
		require.InDelta(h, 20, logs[1].StartedAt.Sub(*logs[0].FinishedAt).Seconds(), 1.5+h.soon.Seconds())
	})
}
