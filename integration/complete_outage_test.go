package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// outage makes the server unable to begin any task.
func (h *harness) outage() { h.Helper(); h.site(h.say.outage) }

// TestOutage: tasks that the server cannot begin wait, with one alarm. No attempt is used up, nothing is halted, and later waves wait for them.
func TestOutage(t *testing.T) {
	each(t, setup{lanes: 3}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "night", OnError: "Halt"})
		var ids []int64
		for n := range 4 {
			ids = append(ids, h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1 + n/3, ProcessID: p, MaxAttempts: 1, NotBefore: h.now().Add(time.Minute)})[0])
		}
		h.outage()
		h.pause(2 * time.Minute)
		for _, id := range ids[:3] {
			require.Equal(h, "Waiting Outage", h.reasonOf(id))
			require.True(h, strings.HasPrefix(h.attempts(id), "Outage"))
		}
		require.Equal(h, "Waiting Delay", strings.Replace(h.reasonOf(ids[3]), "Pending ", "Waiting Delay", 1), "of the next wave")
		require.Equal(h, "Open", h.processOf(p).Status)
		require.Len(h, h.alarmsOf("Outage"), 1)
		require.Contains(h, h.alarmsOf("Outage")[0], h.say.outageError)
		h.pause(25 * time.Minute)
		require.LessOrEqual(h, len(h.logsOf(ids[0])), 7, "further and further apart")
		h.recovers()
		h.waitFor(p, 11*time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded", "Succeeded", "Succeeded"}, h.statuses(ids))
		require.Zero(h, h.processOf(p).Failed)
	})
}

// TestOutageEnds: after the option's time the tasks have failed, with all that follows; a retry has the whole time again.
func TestOutageEnds(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		s.exec(h.say.options(map[string]int{"OutageSeconds": 150}))
		p := h.process(dialects.NewProcess{Name: "night", OnError: "Halt"})
		h.outage()
		began := h.now()
		ids := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p}, dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p})
		h.untilStatus(ids[0], "Failed", 10*time.Minute)
		require.GreaterOrEqual(h, h.now().Sub(began), 150*time.Second)
		require.LessOrEqual(h, h.now().Sub(began), 5*time.Minute, "it was between two attempts")
		require.Equal(h, "Failed", h.processOf(p).Status)
		require.Equal(h, "Skipped", h.statusOf(ids[1]))
		require.True(h, strings.HasSuffix(h.attempts(ids[0]), "Outage Failed"), h.attempts(ids[0]))

		require.NoError(h, h.sched.RetryProcess(h.Context(), p))
		h.pause(time.Minute)
		require.Equal(h, "Waiting Outage", h.reasonOf(ids[0]))
		h.recovers()
		h.waitFor(p, 5*time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded"}, h.statuses(ids))

		s.exec(h.say.options(map[string]int{"OutageSeconds": 0}))
		h.outage()
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.untilStatus(id, "Failed", time.Minute)
		require.Equal(h, "Failed", h.attempts(id), "at once")
	})
}

// TestOutageRetries: a task with attempts left keeps them for its own failures, and an outage during one counts from its own beginning.
func TestOutageRetries(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		id := h.exec(dialects.NewTask{SQL: h.say.failing[0].sql, Order: 1, MaxAttempts: 2, RetryDelay: time.Minute})[0]
		h.until(time.Minute, "the first attempt", func() bool { return h.attempts(id) == "Failed" })
		h.outage()
		h.pause(5 * time.Minute)
		require.Equal(h, "Waiting Outage", h.reasonOf(id))
		h.recovers()
		h.untilStatus(id, "Failed", 10*time.Minute)
		require.Regexp(h, `^Failed( Outage)+ Failed$`, h.attempts(id))
	})
}

// TestOutageCancelled: what waits can be cancelled, alone and with its process.
func TestOutageCancelled(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "night"})
		h.outage()
		ids := h.exec(h.task(1, h.say.nothing), dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p})
		h.pause(time.Minute)
		require.NoError(h, h.sched.CancelTask(h.Context(), ids[0]))
		require.NoError(h, h.sched.CancelProcess(h.Context(), p))
		require.Equal(h, []string{"Cancelled", "Cancelled"}, h.statuses(ids))
		h.recovers()
		h.pause(20 * time.Minute)
		require.Equal(h, []string{"Cancelled", "Cancelled"}, h.statuses(ids))
	})
}

// TestOutageOfASchedule: a firing waits too, and is neither lost nor doubled. The next one does as the schedule's overlap says.
func TestOutageOfASchedule(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.hourly("load")
		hour := h.now().Truncate(time.Hour).Add(time.Hour)
		h.pauseUntil(hour.Add(-time.Minute))
		h.outage()
		h.pauseUntil(hour.Add(20 * time.Minute))
		require.Empty(h, h.alarmsOf("ScheduleFailed"))
		h.recovers()
		h.pauseUntil(hour.Add(65 * time.Minute))
		require.Equal(h, "Succeeded Succeeded", h.outcomes("load"))
		h.requireOnce("load", 1)
	})
}

// TestOutageOfMany: the same trouble of many tasks is one alarm.
func TestOutageOfMany(t *testing.T) {
	each(t, setup{lanes: 4}, func(h *harness) {
		h.outage()
		for range 20 {
			h.exec(h.task(1, h.say.nothing))
		}
		h.pause(5 * time.Minute)
		require.Len(h, h.alarmsOf("Outage"), 1)
		h.recovers()
		h.drain(15 * time.Minute)
		require.Equal(h, 20, strings.Count(fmt.Sprint(h.tasks()), "Succeeded"))
	})
}
