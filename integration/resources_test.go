package integration

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// TestSeedControlTableMutex: one at a time, first come, first served; a release wakes only the next in line.
func TestSeedControlTableMutex(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		var all []*request
		for range 5 {
			all = append(all, h.acquire("db", "Shared", 600, 0))
		}
		for i, r := range all {
			mine := r.granted(time.Second)
			held, waiting := h.line("db")
			require.Equal(h, []int64{mine}, held)
			require.Len(h, waiting, len(all)-i-1)
			h.pause(7 * time.Second)
			stillWait(all[i+1:]...)
			since := h.now()
			r.release()
			if i+1 < len(all) {
				all[i+1].granted(time.Second)
				require.Less(h, h.now().Sub(since), time.Second, "without polling")
				stillWait(all[i+2:]...)
			}
		}
		held, waiting := h.line("db")
		require.Empty(h, held)
		require.Empty(h, waiting)
		h.requireNoAlarms()
	})
}

// TestSeedControlTableLimit: a limit of three, and the first one waiting is let in when any of the three leaves.
func TestSeedControlTableLimit(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 3)
		var all []*request
		for range 6 {
			all = append(all, h.acquire("db", "Shared", 600, 0))
		}
		for _, r := range all[:3] {
			r.granted(time.Second)
		}
		h.pause(3 * time.Second)
		stillWait(all[3:]...)
		all[1].release()
		all[3].granted(time.Second)
		h.pause(time.Second)
		stillWait(all[4:]...)
		h.resource("db", 4)
		all[4].granted(time.Second)
		stillWait(all[5])
		h.resource("db", 1)
		for _, r := range []*request{all[0], all[2], all[3]} {
			r.release()
			h.pause(time.Second)
			stillWait(all[5])
		}
		all[4].release()
		all[5].granted(time.Second)
		h.requireNoAlarms()
	})
}

// TestSeedControlTableSeveralResources: each has its own limit.
func TestSeedControlTableSeveralResources(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		for i, name := range []string{"a", "b", "c d'e"} {
			h.resource(name, i+1)
		}
		for i, name := range []string{"a", "b", "c d'e"} {
			for range i + 1 {
				h.acquire(name, "Shared", 600, 0).granted(time.Second)
			}
			require.Equal(h, "timeout", h.acquire(name, "Shared", 0, 0).within(time.Second))
		}
	})
}

// TestSeedControlTableReadersAndWriters: readers share; a writer waits for all before it and holds back all after it.
func TestSeedControlTableReadersAndWriters(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("list", 1000)
		ask := func(access string) *request { return h.acquire("list", access, 600, 0) }
		r1, r2 := ask("Shared"), ask("shared")
		w3 := ask("Exclusive")
		r4, r5 := ask("Shared"), ask("Shared")
		w6 := ask("EXCLUSIVE")
		r7 := ask("Shared")
		r1.granted(time.Second)
		r2.granted(time.Second)
		stillWait(w3, r4, r5, w6, r7)
		r1.release()
		h.pause(time.Second)
		stillWait(w3, r4, r5, w6, r7)
		r2.release()
		w3.granted(time.Second)
		h.pause(time.Second)
		stillWait(r4, r5, w6, r7)
		w3.release()
		r4.granted(time.Second)
		r5.granted(time.Second)
		stillWait(w6, r7)
		r5.release()
		r4.release()
		w6.granted(time.Second)
		stillWait(r7)
		w6.release()
		r7.granted(time.Second)
	})
}

// TestSeedControlTableDeadHolder: what a killed session held is taken from it, with an alarm, and the next gets it at
// once, even while the scheduler is stopped; if nobody waits the sweep does that.
func TestSeedControlTableDeadHolder(t *testing.T) {
	each(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		h.resource("db", 1)
		first, second, third := h.acquire("db", "Shared", 600, 0), h.acquire("db", "Shared", 600, 0), h.acquire("db", "Shared", 600, 0)
		first.granted(time.Second)
		h.killHolder("db")
		second.granted(time.Second)
		stillWait(third)
		alarms := h.session().rows(h.say.alarms)
		require.Len(h, alarms, 1)
		require.Equal(h, "StaleResource", alarms[0][0])

		// A session that dies waiting is no holder: it is removed when its turn would come, or when somebody behind it notices.
		h.killSession(h.requests("db")[1].SessionID)
		fourth := h.acquire("db", "Shared", 600, 0)
		h.until(time.Second, "he is gone", func() bool { return len(h.requests("db")) == 2 })
		stillWait(fourth)
		second.release()
		fourth.granted(time.Second)
		require.Len(h, h.session().rows(h.say.alarms), 1)

		h.killHolder("db")
		require.NoError(h, h.sched.Start(h.Context()))
		h.until(10*time.Second, "the sweep", func() bool { held, _ := h.line("db"); return len(held) == 0 })
		require.Len(h, h.session().rows(h.say.alarms), 2)
	})
}

// TestDeadOneOfSeveral: a session waiting for any of several holders notices after a while that one of them is dead, whichever it is.
func TestDeadOneOfSeveral(t *testing.T) {
	each(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		h.resource("db", 2)
		first, second := h.acquire("db", "Shared", 600, 0), h.acquire("db", "Shared", 600, 0)
		first.granted(time.Second)
		second.granted(time.Second)
		third := h.acquire("db", "Shared", 600, 0)
		h.killHolder("db")
		third.granted(8 * time.Second)
		second.release()
		third.release()
		require.Len(h, h.session().rows(h.say.alarms), 1)
	})
}

// TestDeadBeforeATask: a session that died while it waited is passed over, even if nobody behind it looks because a task is there.
func TestDeadBeforeATask(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		holder := h.acquire("db", "Shared", 600, 0)
		holder.granted(time.Second)
		h.acquire("db", "Shared", 600, 0)
		id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, Resource: "db"})[0]
		h.until(h.soon+slack, "it stands in the line", func() bool { return len(h.requests("db")) == 3 })
		h.pause(2 * time.Second)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.killSession(h.requests("db")[1].SessionID)
		holder.release()
		line := h.requests("db")
		require.Len(h, line, 1)
		require.Equal(h, id, line[0].TaskID)
		require.Equal(h, "Reserved", line[0].Status)
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
		h.requireNoAlarms()
	})
}

// TestSeedControlTableLease: a lease outlives the session and ends when its time is up, with an alarm; its holder is told when
// it releases what it no longer has.
func TestSeedControlTableLease(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		leased := h.acquire("db", "Shared", 600, 20)
		leased.granted(time.Second)
		since := h.now()
		gone := h.acquire("db", "Shared", 600, 15)
		next := h.acquire("db", "Exclusive", 600, 0)
		h.pause(10 * time.Second)
		stillWait(gone, next)
		gone.granted(15 * time.Second)
		require.InDelta(h, 20, h.now().Sub(since).Seconds(), 2)
		require.ErrorContains(h, leased.s.try(h.say.releaseResource(leased.granted(0))), h.errorText(44))

		h.killHolder("db")
		h.pause(8 * time.Second)
		stillWait(next)
		next.granted(10 * time.Second)
		require.InDelta(h, 35, h.now().Sub(since).Seconds(), 4)
		next.release()
		require.Len(h, h.session().rows(h.say.alarms), 2)

		// A task in the line does not watch the clock: the dispatcher's timer does.
		h.acquire("db", "Shared", 600, 10).granted(time.Second)
		id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, Resource: "db"})[0]
		h.pause(h.soon)
		require.Equal(h, "Waiting", h.statusOf(id))
		h.until(10*time.Second-h.soon+h.restart+slack, "the lease is over", func() bool { return h.statusOf(id) == "Succeeded" })

		kept := h.acquire("db", "Shared", 600, 5)
		kept.granted(time.Second)
		kept.release()
		h.pause(2 * time.Minute)
		require.Len(h, h.session().rows(h.say.alarms), 3, "released in time")
	})
}

// TestResourceTimeout: it leaves no trace, and lets in those whom the request held back.
func TestResourceTimeout(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 3)
		holder := h.acquire("db", "Shared", 600, 0)
		since := h.now()
		writer := h.acquire("db", "Exclusive", 7, 0)
		reader := h.acquire("db", "Shared", 600, 0)
		require.Equal(h, "timeout", writer.within(10*time.Second))
		require.InDelta(h, 7, h.now().Sub(since).Seconds(), 1)
		reader.granted(time.Second)
		held, waiting := h.line("db")
		require.Equal(h, []int64{holder.granted(0), reader.granted(0)}, held)
		require.Empty(h, waiting)
		holder.release()
		reader.release()
		require.Empty(h, h.requests("db"))
		h.requireNoAlarms()
	})
}

// TestResourceOfOnesOwn: a session that would wait for itself, and two that wait for each other, get an error at once.
func TestResourceOfOnesOwn(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("a", 1)
		h.resource("b", 1)
		x, y := h.acquire("a", "Shared", 600, 0), h.acquire("b", "Shared", 600, 0)
		a, b := x.granted(time.Second), y.granted(time.Second)
		x.again("a", "Exclusive", 600, 0)
		require.Contains(h, x.within(time.Second), h.errorText(42))

		x.again("b", "Shared", 600, 0)
		h.pause(time.Second)
		y.again("a", "Shared", 600, 0)
		h.until(10*time.Second, "one gives up", func() bool { return x.answered() || y.answered() })
		victim, other, own := x, y, a
		if y.answered() {
			victim, other, own = y, x, b
		}
		require.Contains(h, victim.got, h.errorText(43))
		victim.s.exec(h.say.releaseResource(own))
		other.granted(time.Second)
		require.Len(h, h.requests("a"), 1+boolInt(other == y)-boolInt(victim == x))
		h.requireNoAlarms()
	})
}

// TestCircleThroughAWriter: a reader still waits for all the other readers if a writer is between them.
func TestCircleThroughAWriter(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("list", 2)
		h.resource("b", 1)
		x, y := h.acquire("list", "Shared", 600, 0), h.acquire("b", "Shared", 600, 0)
		x.granted(time.Second)
		y.granted(time.Second)
		writer := h.acquire("list", "Exclusive", 600, 0)
		y.again("list", "Shared", 600, 0)
		h.pause(time.Second)
		stillWait(writer, y)
		x.again("b", "Shared", 600, 0)
		all := []*request{x, y, writer}
		// The engine chooses which one gives up; that lets another one in.
		gaveUp := func(r *request) bool { return r.answered() && strings.Contains(r.got, h.errorText(43)) }
		h.until(10*time.Second, "one gives up", func() bool { return slices.ContainsFunc(all, gaveUp) })
		require.Len(h, slices.DeleteFunc(all, func(r *request) bool { return !gaveUp(r) }), 1)
		h.requireNoAlarms()
	})
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestTasksInLine: tasks whose resource is taken wait in the line and not in a worker, in the order in which they would have
// started; the release that reaches one starts it, whatever else the scheduler is doing.
func TestTasksInLine(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.resource("db", 1)
		outside := h.acquire("db", "Shared", 600, 0)
		var tasks []dialects.NewTask
		for i := range 3 {
			tasks = append(tasks, dialects.NewTask{SQL: h.dialect.Sleep(2 * time.Second), Order: 1, Priority: i, Resource: "db"})
		}
		ids := h.exec(tasks...)
		h.until(5*time.Second, "all three stand in the line", func() bool { _, waiting := h.line("db"); return len(waiting) == 3 })
		for _, task := range h.tasks() {
			require.Equal(h, "Waiting", task.Status)
			require.Equal(h, "Resource", task.Reason)
		}
		p := h.process(dialects.NewProcess{Name: "others"})
		others := h.exec(dialects.NewTask{SQL: h.dialect.Sleep(time.Second), Order: 1, ProcessID: p}, dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p})
		h.startsWithin(others[0], h.now(), h.soon)
		h.until(5*time.Second, "workers are free for others", func() bool { return h.statusOf(others[1]) == "Succeeded" })
		require.Empty(h, h.logsOf(ids[0]))

		last := h.acquire("db", "Shared", 600, 0)
		since := h.now()
		outside.release()
		h.until(10*time.Second, "the tasks are done", func() bool { return h.statusOf(ids[0]) == "Succeeded" })
		last.granted(time.Second)
		logs := h.logsOf(ids[2])
		require.Less(h, logs[0].StartedAt.Sub(since), h.soon+slack)
		for i, id := range []int64{ids[1], ids[0]} {
			next := h.logsOf(id)
			require.Equal(h, 1, len(next))
			require.False(h, next[0].StartedAt.Before(*logs[0].FinishedAt), "%d", i)
			require.Less(h, next[0].StartedAt.Sub(*logs[0].FinishedAt), h.soon+slack)
			logs = next
		}
		last.release()
		require.Empty(h, h.requests("db"))
		h.requireNoAlarms()
	})
}

// TestTasksShareAndExclude: tasks read and write like sessions.
func TestTasksShareAndExclude(t *testing.T) {
	each(t, setup{lanes: 4}, func(h *harness) {
		h.resource("list", 1000)
		read := dialects.NewTask{SQL: h.dialect.Sleep(2 * time.Second), Order: 1, Resource: "list"}
		write := read
		write.Access = "Exclusive"
		ids := h.exec(read, read, write, read, read)
		h.drain(time.Minute)
		first, writer, last := h.logsOf(ids[1])[0], h.logsOf(ids[2])[0], h.logsOf(ids[3])[0]
		require.False(h, writer.StartedAt.Before(*first.FinishedAt))
		require.False(h, last.StartedAt.Before(*writer.FinishedAt))
		require.Equal(h, 2, overlap(h.logs()))
		require.Empty(h, h.requests("list"))
	})
}

// TestResourceOfRetriesAndOrphans: a task that is retried has released its resource meanwhile, and gets in line again; the
// resource of a task whose worker died is held until the death is noticed.
func TestResourceOfRetriesAndOrphans(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.resource("db", 1)
		ids := h.exec(dialects.NewTask{SQL: h.say.fails(2 * time.Second), Order: 1, Resource: "db", MaxAttempts: 2, RetryDelay: time.Second},
			dialects.NewTask{SQL: h.dialect.Sleep(5 * time.Second), Order: 1, Resource: "db"})
		h.drain(time.Minute)
		require.Equal(h, []string{"Failed", "Succeeded"}, h.statuses(ids))
		failed, other := h.logsOf(ids[0]), h.logsOf(ids[1])
		require.Len(h, failed, 2)
		require.False(h, other[0].StartedAt.Before(*failed[0].FinishedAt))
		require.False(h, failed[1].StartedAt.Before(*other[0].FinishedAt))
		require.Equal(h, 1, overlap(h.logs()))
		require.Empty(h, h.requests("db"))

		ids = h.exec(dialects.NewTask{SQL: h.dialect.Sleep(20 * time.Second), Order: 2, Resource: "db"},
			dialects.NewTask{SQL: h.dialect.Sleep(5 * time.Second), Order: 2, Resource: "db"})
		h.untilRunning(1, h.soon+slack)
		h.killWorker(ids[0])
		h.drain(3 * time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded"}, h.statuses(ids))
		orphan := h.logsOf(ids[0])
		require.Len(h, orphan, 2)
		require.False(h, h.logsOf(ids[1])[0].StartedAt.Before(*orphan[0].FinishedAt), "not before the death was known")
		require.Empty(h, h.requests("db"))
	})
}

// TestTasksLeaveTheLine: cancelled tasks, and those of a process that is halted or cancelled, hold nobody up.
func TestTasksLeaveTheLine(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.resource("a", 1)
		h.resource("b", 1)
		holdA, holdB := h.acquire("a", "Shared", 600, 0), h.acquire("b", "Shared", 600, 0)
		waits := func(p int64, resource string) dialects.NewTask {
			return dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p, Resource: resource}
		}
		both := func(n int) {
			h.Helper()
			h.until(5*time.Second, "in line", func() bool {
				_, a := h.line("a")
				_, b := h.line("b")
				return len(a) == n && len(b) == n
			})
		}
		halted, cancelled := h.process(dialects.NewProcess{Name: "halted"}), h.process(dialects.NewProcess{Name: "cancelled"})
		one := h.exec(waits(0, "a"), waits(0, "b"))
		h.exec(waits(halted, "a"), waits(halted, "b"))
		h.exec(waits(cancelled, "b"), waits(cancelled, "a"))
		both(3)
		lastA, lastB := h.acquire("a", "Shared", 600, 0), h.acquire("b", "Shared", 600, 0)
		both(4)
		for _, id := range one {
			require.NoError(h, h.sched.CancelTask(h.Context(), id))
		}
		both(3)
		require.NoError(h, h.sched.CancelProcess(h.Context(), cancelled))
		both(2)
		h.exec(dialects.NewTask{SQL: h.say.failing[0].sql, Order: 1, ProcessID: halted})
		both(1)
		require.Equal(h, "Failed", h.processOf(halted).Status)
		holdA.release()
		holdB.release()
		lastA.granted(time.Second)
		lastB.granted(time.Second)
		require.Equal(h, []string{"Cancelled", "Cancelled"}, h.statuses(one))
	})
}

// TestTaskThatAcquires: what a task acquires itself is released at its end, whether the task does so or not.
func TestTaskThatAcquires(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		h.exec(h.task(1, h.say.holding("db", 5*time.Second)))
		h.until(h.soon+3*time.Second, "the task holds it", func() bool { held, _ := h.line("db"); return len(held) == 1 })
		next := h.acquire("db", "Shared", 600, 0)
		h.pause(time.Second)
		stillWait(next)
		next.granted(10 * time.Second)
		require.Len(h, h.logs(), 1)
		require.Equal(h, "Succeeded", h.logs()[0].Outcome)
		h.requireNoAlarms()
	})
}

// TestSixteenLanesShareTwoUnits: never more than two tasks hold a resource of two units, and all get it.
func TestSixteenLanesShareTwoUnits(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			each(t, setup{lanes: 16, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				h.resource("db", 2)
				p := h.process(dialects.NewProcess{Name: "p"})
				var tasks, free []dialects.NewTask
				for i := range 20 {
					d := time.Duration(200+37*(i*7%13)) * time.Millisecond
					tasks = append(tasks, dialects.NewTask{SQL: h.dialect.Sleep(d), Order: 1 + i/10, ProcessID: int64(i%2) * p, Resource: "db"})
					free = append(free, dialects.NewTask{SQL: h.dialect.Sleep(d), Order: 1, ProcessID: p})
				}
				ids := h.exec(tasks...)
				h.exec(free...)
				for _, id := range []int64{defaultProcess, p} {
					h.waitFor(id, 2*time.Minute)
				}
				var logs []dialects.LogEntry
				for _, id := range ids {
					one := h.logsOf(id)
					require.Len(h, one, 1)
					require.Equal(h, "Succeeded", one[0].Outcome)
					logs = append(logs, one...)
				}
				require.Equal(h, 2, overlap(logs))
				require.Empty(h, h.requests("db"))
				h.requireWaves(h.logs())
				h.requireNoAlarms()
			})
		})
	}
}

// TestAcquireBrokenOff: a call that its client abandons holds nobody up longer than it would have waited.
func TestAcquireBrokenOff(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		holder := h.acquire("db", "Shared", 600, 0)
		holder.granted(time.Second)
		ctx, breakOff := context.WithCancel(h.Context())
		gone, answer := h.session(), make(chan error)
		go func() {
			_, err := h.say.ask(ctx, gone.conn, h.say.acquire("db", "Shared", 10, 0))
			answer <- err
		}()
		h.until(5*time.Second, "it waits", func() bool { _, waiting := h.line("db"); return len(waiting) == 1 })
		next := h.acquire("db", "Exclusive", 600, 0)
		breakOff()
		require.Error(h, <-answer)
		holder.release()
		mine := next.granted(50 * time.Second)
		held, waiting := h.line("db")
		require.Equal(h, []int64{mine}, held)
		require.Empty(h, waiting)
		h.requireNoAlarms()
	})
}

// TestResourceDropped: a resource that nobody wants can be dropped; a task that still names it fails, and says why.
func TestResourceDropped(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		refused := func() {
			h.Helper()
			require.ErrorContains(h, h.sched.DropResource(h.Context(), "db"), h.errorText(47))
		}
		holder := h.acquire("db", "Shared", 600, 0)
		holder.granted(time.Second)
		refused()
		late := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, Resource: "db", NotBefore: h.now().Add(time.Hour)})[0]
		holder.release()
		refused()
		require.NoError(h, h.sched.CancelTask(h.Context(), late))
		failed := h.exec(dialects.NewTask{SQL: h.say.failing[0].sql, Order: 1, Resource: "db"})[0]
		h.drain(time.Minute)

		require.NoError(h, h.sched.DropResource(h.Context(), "db"))
		all, err := h.sched.Resources(h.Context())
		require.NoError(h, err)
		require.Empty(h, all)
		require.ErrorContains(h, h.sched.DropResource(h.Context(), "db"), h.errorText(40))
		require.Contains(h, h.acquire("db", "Shared", 0, 0).within(time.Second), h.errorText(40))

		require.NoError(h, h.sched.RetryTask(h.Context(), failed))
		h.drain(time.Minute)
		logs := h.logsOf(failed)
		require.Len(h, logs, 2)
		require.Equal(h, h.say.failing[0].number, logs[0].ErrorNumber)
		require.Equal(h, h.errorNumber(40), logs[1].ErrorNumber)
		require.Contains(h, logs[1].ErrorMessage, "was dropped")
		h.resource("db", 2)
		h.acquire("db", "Exclusive", 0, 0).granted(time.Second)
	})
}

// TestLeaseEndsBeforeOthersAreDue: the dispatcher's timer is set for what is due first, here a lease that ends before a delayed task's time
// and the next sweep.
func TestLeaseEndsBeforeOthersAreDue(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.session().exec(h.say.options(map[string]int{"IdleSweepSeconds": 86400}))
		h.resource("db", 1)
		h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, NotBefore: h.now().Add(time.Hour)})
		h.acquire("db", "Shared", 600, 20).granted(time.Second)
		since := h.now()
		id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, Resource: "db"})[0]
		h.pause(15 * time.Second)
		require.Equal(h, "Waiting", h.statusOf(id))
		h.until(5*time.Second+h.restart+slack, "the lease is over", func() bool { return h.statusOf(id) == "Succeeded" })
		require.GreaterOrEqual(h, h.now().Sub(since), 20*time.Second-slack)
	})
}

// TestResourceLeaseBeginsWhenItIsKnown: a session that was granted what it waits for, and has not noticed yet, loses none of its lease.
func TestResourceLeaseBeginsWhenItIsKnown(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		first := h.acquire("db", "Shared", 600, 0)
		first.granted(time.Second)
		second := h.acquire("db", "Shared", 600, 1)
		stillWait(second)
		h.resource("db", 2)
		h.pause(2 * time.Second)
		h.exec(h.task(1, h.say.nothing))
		h.drain(10 * time.Second)
		second.granted(10 * time.Second)
	})
}

// TestManyProcessesShareOneUnit: workers that ask for a resource at the same moment, from different processes, get it one after the other.
func TestManyProcessesShareOneUnit(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			each(t, setup{lanes: 8, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				h.resource("db", 1)
				var tasks []dialects.NewTask
				for i := range 8 {
					tasks = append(tasks, h.sleep(1, time.Second))
					p := h.process(dialects.NewProcess{Name: fmt.Sprint(i)})
					for j := range 4 {
						tasks = append(tasks, dialects.NewTask{SQL: h.dialect.Sleep(100 * time.Millisecond), Order: 1 + j, ProcessID: p, Resource: "db"})
					}
				}
				for _, id := range h.exec(tasks...) {
					h.untilStatus(id, "Succeeded", 2*time.Minute)
				}
				var logs []dialects.LogEntry
				for _, l := range h.logs() {
					if l.ProcessID != defaultProcess {
						logs = append(logs, l)
					}
				}
				require.Len(h, logs, 32)
				require.Equal(h, 1, overlap(logs))
				require.Empty(h, h.requests("db"))
			})
		})
	}
}
