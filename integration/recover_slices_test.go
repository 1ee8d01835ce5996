package integration

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// slice is how much the dispatcher does before it lets others have a turn; the rest follows at once.
const slice = 500

// lots is a batch with more tasks than a slice.
func (h *harness) lots(n int, task map[string]any) string {
	h.Helper()
	return batchOf(h, slices.Repeat([]map[string]any{task}, n)...)
}

// TestMoreOrdersThanASlice: none is forgotten, though nothing else would make the dispatcher look again for a day. A day after they end one
// sweep removes all these processes.
func TestMoreOrdersThanASlice(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		s.exec(h.say.options(map[string]int{"IdleSweepSeconds": 86400, "RetentionDays": 1}))
		s.begin()
		const n = 2*slice + 10 // after a wake-up the dispatcher looks twice anyway
		for range n {
			s.exec(h.say.close(number(h, s.ask(h.say.createProcess("p", false)))))
		}
		s.commit()
		h.until(10*time.Second, "all have ended", func() bool {
			list, err := h.sched.Processes(h.Context(), dialects.Filter{})
			require.NoError(h, err)
			return len(list) == n+1 && !slices.ContainsFunc(list, func(p dialects.Process) bool { return p.ID != defaultProcess && p.Status != "Succeeded" })
		})
		if h.server.box == nil {
			h.Skip("the rest takes a day")
		}
		h.pause(25 * time.Hour)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		require.NoError(h, h.sched.Start(h.Context())) // also sweeps
		h.until(10*time.Second+h.restart, "only the default process is left", func() bool {
			list, err := h.sched.Processes(h.Context(), dialects.Filter{})
			require.NoError(h, err)
			return len(list) == 1
		})
		h.requireNoAlarms()
	})
}

// TestMoreLateTasksThanASlice: one sweep skips all tasks that were committed after the end of their process.
func TestMoreLateTasksThanASlice(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "halts"})
		s, c := h.session(), h.session()
		s.exec(h.say.options(map[string]int{"IdleSweepSeconds": 86400}))
		c.begin()
		c.ids(h.lots(slice+10, map[string]any{"SQL": h.say.nothing, "ExecutionOrder": 5, "ProcessId": p}))
		h.exec(dialects.NewTask{SQL: h.say.failing[0].sql, Order: 1, ProcessID: p})
		h.until(4*time.Second+h.restart, "the process fails", func() bool { return h.processOf(p).Status == "Failed" })
		h.pause(time.Second)
		c.commit()
		s.exec(h.say.sweep)
		h.until(10*time.Second, "all are skipped", func() bool { return h.status().Unfinished == 0 })
		require.Len(h, h.alarmsOf("LateTask"), 2)
	})
}

// TestMSSQLSweepHidesNoDeadDispatcher: work that a manual sweep leaves to the dispatcher is late if there is no dispatcher, and that shows.
func TestMSSQLSweepHidesNoDeadDispatcher(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		s := h.session()
		p := h.process(dialects.NewProcess{Name: "ends"})
		s.begin()
		s.ids(h.lots(slice+10, map[string]any{"SQL": h.say.nothing, "ExecutionOrder": 1, "ProcessId": p}))
		h.session().exec(fmt.Sprintf("UPDATE dbsched.Processes SET Status = 'Succeeded', FinishedAt = SYSUTCDATETIME() WHERE ProcessId = %d;", p))
		s.commit()
		s.exec("ALTER QUEUE dbsched.Dispatch WITH ACTIVATION (STATUS = OFF);")
		require.NoError(h, h.sched.Start(h.Context()))
		s.exec(h.say.sweep)
		require.Equal(h, int64(10), h.status().Unfinished, "the rest is the dispatcher's")
		h.pause(10 * time.Minute)
		require.Equal(h, dialects.NoDispatcher, h.status().Blocked)
	})
}

// TestMoreRoundFiringsThanASlice: a day later one sweep removes all firings of a round but the last.
func TestMoreRoundFiringsThanASlice(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.onSandbox("it takes a day")
		h.session().exec(h.say.options(map[string]int{"IdleSweepSeconds": 86400, "RetentionDays": 1}))
		h.round(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorJob: "nobody"})
		const n = 2*slice + 10
		for range n {
			h.reports("r", "a", true, dialects.RoundFailed)
		}
		left := func() string { return h.session().value(h.say.roundFirings) }
		require.Equal(h, fmt.Sprint(n), left())
		h.session().exec(h.say.deleteAlarms) // as much history of another kind would bring more sweeps
		h.pause(25 * time.Hour)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		require.NoError(h, h.sched.Start(h.Context())) // also sweeps
		h.until(10*time.Second+h.restart, "only the last is left", func() bool { return left() == "1" })
		require.Equal(h, "Failed", h.roundOf("r").LastStatus)
	})
}

// TestMoreHistoryThanASlice: a day later one sweep removes all of one kind, though there is little of the others.
func TestMoreHistoryThanASlice(t *testing.T) {
	const n = 2*slice + 100
	kinds := map[string]struct {
		make func(h *harness)
		left func(h *harness) int
	}{
		"tasks": {
			make: func(h *harness) {
				h.session().exec(h.say.options(map[string]int{"IdleSweepSeconds": 86400, "RetentionDays": 1}))
				p := h.process(dialects.NewProcess{Name: "never begins"})
				require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
				h.session().ids(h.lots(n, map[string]any{"SQL": h.say.nothing, "ExecutionOrder": 1, "ProcessId": p}))
				require.NoError(h, h.sched.CancelProcess(h.Context(), p))
				h.until(10*time.Second, "all are cancelled", func() bool { return h.status().Unfinished == 0 })
				require.Len(h, h.tasks(), n)
				require.Empty(h, h.logs())
			},
			left: func(h *harness) int { return len(h.tasks()) },
		},
		"attempts": {
			make: func(h *harness) {
				h.session().exec(h.say.options(map[string]int{"IdleSweepSeconds": 86400, "RetentionDays": 1}))
				const attempts = 100
				h.session().ids(h.lots(n/attempts, map[string]any{"SQL": h.say.failing[0].sql, "ExecutionOrder": 1, "MaxAttempts": attempts, "RetryDelaySeconds": 0}))
				h.drain(10 * time.Minute)
				require.Len(h, h.tasks(), n/attempts)
				require.Len(h, h.logs(), n)
			},
			left: func(h *harness) int { return len(h.logs()) },
		},
		"alarms": {
			make: func(h *harness) {
				h.session().exec(h.say.options(map[string]int{"IdleSweepSeconds": 86400, "RetentionDays": 1}))
				h.session().exec(h.say.manyAlarms(n))
				require.Len(h, h.session().rows(h.say.alarms), n)
			},
			left: func(h *harness) int { return len(h.session().rows(h.say.alarms)) },
		},
		"firings": {
			make: func(h *harness) {
				h.session().exec(h.say.options(map[string]int{"IdleSweepSeconds": 86400, "RetentionDays": 1}))
				require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
				h.schedule(dialects.NewSchedule{Name: "s", Calendar: "@yearly", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
				for range n {
					require.NoError(h, h.sched.RunSchedule(h.Context(), "s"))
				}
				require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), "s", false)) // skips them
				require.NoError(h, h.sched.Start(h.Context()))
				require.Len(h, h.firings("s"), n)
			},
			left: func(h *harness) int { return len(h.firings("s")) },
		},
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		t.Run(kind, func(t *testing.T) {
			each(t, setup{lanes: 1}, func(h *harness) {
				h.onSandbox("it takes a day")
				kinds[kind].make(h)
				if kind != "alarms" {
					h.session().exec(h.say.deleteAlarms)
				}
				h.pause(25 * time.Hour)
				require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
				require.NoError(h, h.sched.Start(h.Context())) // also sweeps
				h.until(10*time.Second+h.restart, "nothing is left", func() bool { return kinds[kind].left(h) == 0 })
			})
		})
	}
}

// TestMoreWaitersThanASlice: everyone who waits for a resource gets it when it is free, however many wait.
func TestMoreWaitersThanASlice(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.session().exec(h.say.options(map[string]int{"IdleSweepSeconds": 86400}))
		h.resource("db", slice+10)
		holder := h.acquire("db", "Exclusive", 600, 0)
		holder.granted(time.Second)
		h.session().ids(h.lots(slice+10, map[string]any{"SQL": h.dialect.Sleep(time.Minute), "ExecutionOrder": 1, "Resource": "db"}))
		h.until(5*time.Minute, "all wait", func() bool { _, waiting := h.line("db"); return len(waiting) == slice+10 })
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0)) // no worker wakes the dispatcher
		h.pause(5 * time.Second)
		holder.release()
		h.until(5*time.Second, "all may run", func() bool {
			return !slices.ContainsFunc(h.tasks(), func(t dialects.Task) bool { return t.Status == "Waiting" })
		})
		h.requireNoAlarms()
	})
}

// TestMoreManualWorkersThanLanes: the 65th session gets an error.
func TestMoreManualWorkersThanLanes(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		const most = 64
		ended := make(chan error, most)
		for range most {
			s := h.session()
			go func() { ended <- s.try(h.say.worker(30)) }()
		}
		h.until(20*time.Second, "all are there", func() bool {
			lanes, err := h.sched.Lanes(h.Context())
			require.NoError(h, err)
			return len(lanes) >= most
		})
		require.ErrorContains(h, h.session().try(h.say.worker(0)), h.errorText(18))
		for range most {
			require.NoError(h, <-ended)
		}
	})
}

// TestLongBatch: the list of its ids is longer than a string of the engine, and is complete.
func TestLongBatch(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		const n = 6500 // 31,393 characters with the commas
		ids := h.session().ids(h.lots(n, map[string]any{"SQL": h.say.nothing, "ExecutionOrder": 1}))
		require.Len(h, ids, n)
		require.IsIncreasing(h, ids)
		require.EqualValues(h, n, h.status().Unfinished)
	})
}

// TestMoreSchedulesThanASlice: schedules due at the same moment all fire at once, though the dispatcher looks at other work after each hundred.
func TestMoreSchedulesThanASlice(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.session().exec(h.say.options(map[string]int{"IdleSweepSeconds": 86400}))
		const n = 410
		soon := fmt.Sprintf("%d * * * *", h.now().Add(5*time.Minute).Minute())
		for i := range n {
			h.schedule(dialects.NewSchedule{Name: fmt.Sprintf("s%03d", i), Calendar: soon, Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		}
		h.pauseUntil(*h.scheduleOf("s000").NextAt)
		h.pause(6 * time.Second)
		all, err := h.sched.Firings(h.Context(), "", 0)
		require.NoError(h, err)
		require.Len(h, all, n)
		h.requireNoAlarms()
	})
}
