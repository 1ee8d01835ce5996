package integration

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestProcessesRunBesideEachOther: the waves of different processes are independent.
func TestProcessesRunBesideEachOther(t *testing.T) {
	each(t, setup{lanes: 3}, func(h *harness) {
		var all []int64
		for _, name := range []string{"a", "b", "c"} {
			p := h.process(dialects.NewProcess{Name: name})
			all = append(all, p)
			var tasks []dialects.NewTask
			for order := range 3 {
				tasks = append(tasks, dialects.NewTask{SQL: h.dialect.Sleep(10 * time.Second), Order: order, ProcessID: p})
			}
			h.exec(tasks...)
			require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		}
		for _, p := range all {
			h.waitFor(p, time.Minute)
			require.Equal(h, "Succeeded", h.processOf(p).Status)
			require.NotNil(h, h.processOf(p).FinishedAt)
		}
		logs := h.logs()
		require.Len(h, logs, 9)
		h.requireWaves(logs)
		require.Equal(h, 3, overlap(logs))
		require.Less(h, logs[8].FinishedAt.Sub(logs[0].StartedAt), 32*time.Second+h.soon)
	})
}

// served runs processes of a few tasks on one lane and returns, for each attempt in order, its process.
func (h *harness) served(policy dialects.Policy, processes []dialects.NewProcess, tasks int) []string {
	h.Helper()
	require.NoError(h, h.sched.SetPolicy(h.Context(), policy))
	names := map[int64]string{}
	for _, p := range processes {
		id := h.process(p)
		names[id] = p.Name
		var list []dialects.NewTask
		for range tasks {
			list = append(list, dialects.NewTask{SQL: h.dialect.Sleep(time.Second), Order: 1, ProcessID: id})
		}
		h.exec(list...)
		require.NoError(h, h.sched.CloseProcess(h.Context(), id))
	}
	require.NoError(h, h.sched.Start(h.Context()))
	for id := range sorted(names) {
		h.waitFor(id, 10*time.Minute)
	}
	var out []string
	for _, l := range h.logs() {
		out = append(out, names[l.ProcessID])
	}
	return out
}

// TestPolicyFifo: the oldest process first, as long as it has work.
func TestPolicyFifo(t *testing.T) {
	each(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		require.Equal(h, []string{"a", "a", "a", "b", "b", "b", "c", "c", "c"},
			h.served(dialects.Fifo, []dialects.NewProcess{{Name: "a"}, {Name: "b", Priority: 9}, {Name: "c"}}, 3))
	})
}

// TestPolicyPriority: the highest first, ties by age.
func TestPolicyPriority(t *testing.T) {
	each(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		require.Equal(h, []string{"b", "b", "c", "c", "a", "a", "d", "d"},
			h.served(dialects.Priority, []dialects.NewProcess{{Name: "a"}, {Name: "b", Priority: 5}, {Name: "c", Priority: 5}, {Name: "d", Priority: -1}}, 2))
	})
}

// TestPolicyRoundRobin: processes take turns.
func TestPolicyRoundRobin(t *testing.T) {
	each(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		require.Equal(h, []string{"a", "b", "c", "a", "b", "c", "a", "b", "c"},
			h.served(dialects.RoundRobin, []dialects.NewProcess{{Name: "a"}, {Name: "b"}, {Name: "c", Priority: 9}}, 3))
	})
}

// TestRoundRobinSharesByWeight: with five processes and ten lanes every process gets its weighted share while it has work.
func TestRoundRobinSharesByWeight(t *testing.T) {
	each(t, setup{lanes: 10, stopped: true}, func(h *harness) {
		require.NoError(h, h.sched.SetPolicy(h.Context(), dialects.RoundRobin))
		weights := map[int64]int{}
		for i, w := range []int{1, 1, 2, 2, 4} {
			id := h.process(dialects.NewProcess{Name: string(rune('a' + i)), Weight: w})
			weights[id] = w
			var list []dialects.NewTask
			for range 20 * w {
				list = append(list, dialects.NewTask{SQL: h.dialect.Sleep(10 * time.Second), Order: 1, ProcessID: id})
			}
			h.exec(list...)
		}
		require.NoError(h, h.sched.Start(h.Context()))
		for round := range 5 {
			h.untilRunning(10, 4*time.Second+h.restart)
			processes, err := h.sched.Processes(h.Context(), dialects.Filter{})
			require.NoError(h, err)
			for _, p := range processes {
				if w, ok := weights[p.ID]; ok {
					require.InDelta(h, w, p.Running, 1, "round %d, process %s of weight %d: %s", round, p.Name, w, h.report())
				}
			}
			h.pause(9500 * time.Millisecond)
		}
	})
}

// TestMaxParallel: a process may run fewer tasks than there are workers.
func TestMaxParallel(t *testing.T) {
	each(t, setup{lanes: 4}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "narrow", MaxParallel: 2})
		var list []dialects.NewTask
		for range 8 {
			list = append(list, dialects.NewTask{SQL: h.dialect.Sleep(10 * time.Second), Order: 1, ProcessID: p})
		}
		h.exec(list...)
		h.untilRunning(2, 2*h.restart)
		other := h.exec(h.sleep(1, time.Second))[0]
		h.startsWithin(other, h.now(), h.soon)
		h.waitFor(p, time.Minute)
		logs := slices.DeleteFunc(h.logs(), func(l dialects.LogEntry) bool { return l.ProcessID != p })
		require.Len(h, logs, 8)
		require.Equal(h, 2, overlap(logs))
		require.Less(h, logs[7].FinishedAt.Sub(logs[0].StartedAt), 41*time.Second+h.soon)
	})
}

// TestMaxParallelOfTheFirst: workers that start at the same moment all find room in the process whose turn it is, and some of them wait for
// it. They look again when they have it, and move on to the next process.
func TestMaxParallelOfTheFirst(t *testing.T) {
	each(t, setup{lanes: 4}, func(h *harness) {
		h.exec(h.sleep(1, time.Second), h.sleep(1, time.Second), h.sleep(1, time.Second), h.sleep(1, time.Second))
		h.drain(time.Minute) // from now on four workers wait
		narrow, wide := h.process(dialects.NewProcess{Name: "narrow", MaxParallel: 1}), h.process(dialects.NewProcess{Name: "wide"})
		var list []dialects.NewTask
		for range 4 {
			for _, p := range []int64{narrow, wide} {
				list = append(list, dialects.NewTask{SQL: h.dialect.Sleep(10 * time.Second), Order: 1, ProcessID: p})
			}
		}
		h.exec(list...)
		h.untilRunning(4, 2*h.restart)
		for _, p := range []int64{narrow, wide} {
			h.waitFor(p, 2*time.Minute)
		}
		require.Equal(h, 1, overlap(slices.DeleteFunc(h.logs(), func(l dialects.LogEntry) bool { return l.ProcessID != narrow })))
	})
}

// TestHalt: after a failure nothing more of the process starts; running tasks finish; the process has failed.
func TestHalt(t *testing.T) {
	each(t, setup{lanes: 3}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "careful"})
		of := func(order int, sql string) dialects.NewTask {
			return dialects.NewTask{SQL: sql, Order: order, ProcessID: p}
		}
		waiting := of(1, h.say.nothing)
		waiting.NotBefore = h.now().Add(time.Hour)
		ids := h.exec(of(1, h.dialect.Sleep(10*time.Second)), of(1, h.say.failing[0].sql), waiting, of(2, h.say.nothing), of(3, h.say.nothing))
		h.until(4*time.Second+h.restart, "the process fails", func() bool { return h.processOf(p).Status == "Failed" })
		require.Equal(h, []string{"Running", "Failed", "Skipped", "Skipped", "Skipped"}, h.statuses(ids))
		h.pause(15 * time.Second)
		require.Equal(h, []string{"Succeeded", "Failed", "Skipped", "Skipped", "Skipped"}, h.statuses(ids))
		require.Len(h, h.logs(), 2)
		require.EqualValues(h, 0, h.processOf(p).Unfinished)
		_, err := h.sched.Exec(h.Context(), []dialects.NewTask{of(4, h.say.nothing)})
		require.ErrorContains(h, err, h.errorText(5), "an ended process takes no more tasks")
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(id, h.now(), h.soon)
	})
}

// TestContinue: a failed task counts as finished, and the process, at its end, as failed.
func TestContinue(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "bold", OnError: "Continue"})
		ids := h.exec(
			dialects.NewTask{SQL: h.say.failing[0].sql, Order: 1, ProcessID: p},
			dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p},
		)
		require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		h.waitFor(p, time.Minute)
		require.Equal(h, []string{"Failed", "Succeeded"}, h.statuses(ids))
		got := h.processOf(p)
		require.Equal(h, "Failed", got.Status)
		require.EqualValues(h, 1, got.Failed)
		require.EqualValues(h, 1, got.Succeeded)
	})
}

// TestSuspendedProcess: created suspended, filled, released, step by step or in the transaction that created it.
func TestSuspendedProcess(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		c := h.session()
		p := number(h, c.ask(h.say.createProcess("held", true)))
		c.exec(h.say.enqueue(p, 1, h.say.nothing))
		c.exec(h.say.enqueue(p, 2, h.say.nothing))
		h.pause(2 * time.Minute)
		require.Empty(h, h.logs())
		require.Equal(h, "Suspended", h.processOf(p).Status)
		require.Equal(h, "Waiting", h.tasks()[0].Status)
		require.Equal(h, "Suspended", h.tasks()[0].Reason)

		c.begin()
		c.exec(h.say.release(p))
		h.pause(2 * time.Second)
		require.Empty(h, h.logs(), "the release is not committed")
		c.rollback()
		h.pause(2 * time.Minute)
		require.Empty(h, h.logs(), "the release was rolled back")

		since := h.now()
		c.exec(h.say.release(p))
		c.exec(h.say.close(p))
		h.waitFor(p, time.Minute)
		require.LessOrEqual(h, h.logs()[0].StartedAt.Sub(since), h.soon)
		require.Equal(h, "Succeeded", h.processOf(p).Status)
	})
}

// TestProcessInOneTransaction: created, filled, closed and committed together; nobody waits for it, nothing of it shows before.
func TestProcessInOneTransaction(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		c := h.session()
		c.begin()
		p := number(h, c.ask(h.say.createProcess("whole", false)))
		c.exec(h.say.enqueue(p, 1, h.say.nothing))
		c.exec(h.say.enqueue(p, 2, h.say.nothing))
		c.exec(h.say.close(p))
		other := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(other, h.now(), h.soon)
		h.until(2*time.Second, "the other task ends", func() bool { return h.statusOf(other) == "Succeeded" })
		require.Len(h, h.logs(), 1)
		since := h.now()
		c.commit()
		h.waitFor(p, time.Minute)
		require.Equal(h, "Succeeded", h.processOf(p).Status)
		require.Less(h, h.logs()[1].StartedAt.Sub(since), h.soon)
		require.Len(h, h.logs(), 3)

		c.begin()
		gone := number(h, c.ask(h.say.createProcess("gone", false)))
		c.exec(h.say.enqueue(gone, 1, h.say.nothing))
		c.rollback()
		h.pause(2 * time.Minute)
		require.Len(h, h.logs(), 3)
		list, err := h.sched.Processes(h.Context(), dialects.Filter{ProcessID: gone})
		require.NoError(h, err)
		require.Empty(h, list)
	})
}

// TestCloseProcess: an empty one ends at once, a closed one accepts no more tasks, a busy one ends with its last task.
func TestCloseProcess(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		empty := h.process(dialects.NewProcess{Name: "empty"})
		require.NoError(h, h.sched.CloseProcess(h.Context(), empty))
		h.waitFor(empty, 30*time.Second)
		require.Equal(h, "Succeeded", h.processOf(empty).Status)
		require.NoError(h, h.sched.CloseProcess(h.Context(), empty), "closing again does nothing")

		busy := h.process(dialects.NewProcess{Name: "busy"})
		h.exec(dialects.NewTask{SQL: h.dialect.Sleep(30 * time.Second), Order: 1, ProcessID: busy})
		require.NoError(h, h.sched.CloseProcess(h.Context(), busy))
		_, err := h.sched.Exec(h.Context(), []dialects.NewTask{{SQL: h.say.nothing, Order: 2, ProcessID: busy}})
		require.ErrorContains(h, err, h.errorText(5))
		h.until(2*time.Second, "closing", func() bool { return h.processOf(busy).Status == "Closing" })
		since := h.now()
		h.waitFor(busy, time.Minute)
		require.GreaterOrEqual(h, h.now().Sub(since), 25*time.Second)
		require.Equal(h, "Succeeded", h.processOf(busy).Status)
	})
}

// TestCloseWhileStopped: a close that nobody carries out yet counts as soon as it is stored, and is carried out when there is a dispatcher.
func TestCloseWhileStopped(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		c := h.session()
		closed, kept := h.process(dialects.NewProcess{Name: "closed"}), h.process(dialects.NewProcess{Name: "kept"})
		id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: closed})[0]
		c.exec(h.say.close(closed))
		require.ErrorContains(h, c.try(h.say.enqueue(closed, 2, h.say.nothing)), h.errorText(5))

		c.begin()
		c.exec(h.say.close(kept))
		c.rollback()
		c.exec(h.say.enqueue(kept, 1, h.say.nothing))
		require.Len(h, h.tasks(), 2)

		require.NoError(h, h.sched.Start(h.Context()))
		h.waitFor(closed, time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
		require.Equal(h, "Succeeded", h.processOf(closed).Status)
		h.waitFor(kept, time.Minute)
		require.Equal(h, "Open", h.processOf(kept).Status)
	})
}

// TestWaitProcess: what the program's own wait returns, timeout included, and where waiting is refused.
func TestWaitProcess(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "slow"})
		for limit, want := range sorted(map[time.Duration]bool{time.Second: false, time.Minute: true}) {
			h.exec(dialects.NewTask{SQL: h.dialect.Sleep(10 * time.Second), Order: 1, ProcessID: p})
			since := h.now()
			done, err := h.sched.WaitProcess(h.Context(), p, limit)
			require.NoError(h, err)
			require.Equal(h, want, done)
			require.Less(h, h.now().Sub(since), 20*time.Second+h.restart)
		}

		c := h.session()
		c.begin()
		c.enqueue(1, h.say.nothing)
		require.ErrorContains(h, c.try(h.say.wait(p, 1)), h.errorText(10))
		c.rollback()

		own := h.process(dialects.NewProcess{Name: "itself"})
		id := h.exec(dialects.NewTask{SQL: h.say.wait(own, 5), Order: 1, ProcessID: own})[0]
		other := h.exec(dialects.NewTask{SQL: h.say.wait(p, 5), Order: 1})[0]
		h.waitFor(own, time.Minute)
		h.drain(time.Minute)
		require.Equal(h, h.errorNumber(17), h.logsOf(id)[0].ErrorNumber, h.report())
		require.Equal(h, "Succeeded", h.statusOf(other), "a task may wait for another process: %s", h.report())
	})
}

// TestClosedBeforeItsRelease: a process that was closed while suspended ends once it is released and its tasks have ended.
func TestClosedBeforeItsRelease(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		c := h.session()
		p := number(h, c.ask(h.say.createProcess("held", true)))
		c.exec(h.say.enqueue(p, 1, h.say.nothing))
		c.exec(h.say.close(p))
		h.pause(2 * time.Minute)
		require.Equal(h, "Suspended", h.processOf(p).Status)
		c.exec(h.say.release(p))
		h.until(h.restart, "its end", func() bool { return h.processOf(p).Status == "Succeeded" })
		require.Len(h, h.logs(), 1)
	})
}
