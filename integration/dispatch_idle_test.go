package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestIdleCosts: when idle no worker is busy, and a minute costs a sweep of few rows.
func TestIdleCosts(t *testing.T) {
	each(t, setup{lanes: 16}, func(h *harness) {
		h.exec(h.task(1, h.say.nothing), h.task(2, h.say.nothing))
		h.drain(time.Minute)
		h.pause(45 * time.Minute)
		require.Zero(h, h.status().Workers)
		h.requireNoAlarms()
		if h.server.box == nil {
			return // a real server has no such counters
		}
		before := h.counters()
		h.pause(time.Hour)
		after := h.counters()
		rows := after.RowsSeek + after.RowsScanned - before.RowsSeek - before.RowsScanned
		// 60 sweeps, and the pause itself. One more row or statement in a sweep, or in the turn that it is part of, is 60 more here.
		require.InDelta(h, 60*h.sweepRows, rows, 5, "rows read")
		require.InDelta(h, 60*h.sweepStatements, after.Statements-before.Statements, 5, "statements")
		require.Zero(h, h.status().Workers)
	})
}

// TestStoppedCostsNothing: a stopped scheduler costs nothing at all.
func TestStoppedCostsNothing(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		h.exec(h.task(1, h.say.nothing))
		h.drain(time.Minute)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.pause(2 * time.Minute)
		require.Zero(h, h.status().Workers)
		before := h.counters()
		h.pause(6 * time.Hour)
		after := h.counters()
		require.LessOrEqual(h, after.Statements-before.Statements, int64(12), "the pause itself")
	})
}

// TestRetention: the sweep deletes what ended long enough ago, and nothing that has not ended.
func TestRetention(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		if h.server.box == nil {
			h.Skip("it takes a day")
		}
		h.session().exec(h.say.options(map[string]int{"RetentionDays": 1, "IdleSweepSeconds": 1800}))
		p := h.process(dialects.NewProcess{Name: "old"})
		h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p}, h.task(1, h.say.nothing))
		require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		open := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, NotBefore: h.now().Add(50 * time.Hour)})[0]
		h.pause(10 * time.Hour)
		require.Len(h, h.logs(), 2)
		h.pause(10 * time.Hour)
		h.pause(6 * time.Hour)
		require.Empty(h, h.logs())
		require.Len(h, h.tasks(), 1)
		require.Equal(h, "Waiting", h.statusOf(open))
		list, err := h.sched.Processes(h.Context(), dialects.Filter{})
		require.NoError(h, err)
		require.Len(h, list, 1, "the default process stays")
	})
}

// TestSweepAfterTheClockWasSetBack: a server's clock that is set back by hours delays no sweep: a dead worker's task runs again, and what was
// committed after its process had ended is skipped, as soon as otherwise.
func TestSweepAfterTheClockWasSetBack(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.onSandbox("nobody sets a real server's clock")
		p := h.process(dialects.NewProcess{Name: "ends early"})
		late := h.session()
		late.begin()
		skipped := number(h, late.ask(h.say.enqueueReturn(p, 1, h.say.nothing)))
		id := h.exec(h.sleep(1, 30*time.Minute))[0]
		h.untilRunning(1, 2*h.restart)
		h.pause(time.Minute)
		require.NoError(h, h.sched.CancelProcess(h.Context(), p))
		h.server.box.SetClock(-5 * time.Hour)
		h.killWorker(id)
		late.commit()
		h.until(64*time.Second+h.soon, "the next attempt", func() bool { return len(h.logsOf(id)) == 2 })
		h.untilStatus(skipped, "Skipped", 64*time.Second)
		require.Len(h, h.alarmsOf("LateTask"), 1)
	})
}

// TestOneSweepMendsAll: whatever was left behind, and nobody tells of, is mended by the next sweep that comes by itself.
func TestOneSweepMendsAll(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.resource("db", 1)
		holder := h.acquire("db", "Shared", 600, 0)
		holder.granted(time.Second)
		ended, closing := h.process(dialects.NewProcess{Name: "ended"}), h.process(dialects.NewProcess{Name: "closing"})
		late, gone := h.session(), h.session()
		late.begin()
		skipped := number(h, late.ask(h.say.enqueueReturn(ended, 1, h.say.nothing)))
		gone.begin()
		gone.exec(h.say.enqueue(closing, 1, h.say.nothing))
		id := h.exec(h.sleep(1, 30*time.Minute))[0]
		h.untilRunning(1, 2*h.restart)
		require.NoError(h, h.sched.CancelProcess(h.Context(), ended))
		require.NoError(h, h.sched.CloseProcess(h.Context(), closing))
		h.pause(10 * time.Second)
		late.commit()
		gone.rollback()
		h.killHolder("db")
		h.killWorker(id)
		h.pause(64*time.Second + h.soon)
		require.Len(h, h.logsOf(id), 2, "the dead worker's task: %s", h.report())
		require.Equal(h, "Skipped", h.statusOf(skipped), "the late task")
		require.Equal(h, "Succeeded", h.processOf(closing).Status, "the process that nobody fills")
		require.Empty(h, h.requests("db"), "the dead session's resource")
		require.Len(h, h.alarmsOf("LateTask"), 1)
		require.Len(h, h.alarmsOf("StaleResource"), 1)
	})
}

// TestPurgeLeavesWhatRuns: deleting all history leaves the attempts that run, their tasks, and processes that have not ended.
func TestPurgeLeavesWhatRuns(t *testing.T) {
	each(t, setup{lanes: 2, box: handledBreaks}, func(h *harness) {
		h.exec(h.task(1, h.say.nothing))
		h.drain(time.Minute)
		open, cancelled := h.process(dialects.NewProcess{Name: "open"}), h.process(dialects.NewProcess{Name: "cancelled"})
		ids := h.exec(dialects.NewTask{SQL: h.dialect.Sleep(time.Minute), Order: 1, ProcessID: open},
			dialects.NewTask{SQL: h.say.stubborn(time.Minute, false), Order: 1, ProcessID: cancelled},
			dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: open})
		h.untilRunning(2, 2*h.restart)
		require.NoError(h, h.sched.CancelProcess(h.Context(), cancelled))
		h.pause(10 * time.Second)
		require.Len(h, h.logs(), 3)
		h.session().exec(h.say.purge(0))
		require.Len(h, h.logs(), 2, h.report())
		require.Len(h, h.tasks(), 3)
		h.waitFor(open, 2*time.Minute)
		h.until(2*time.Minute, "all have ended", func() bool { return h.status().Unfinished == 0 && h.running() == 0 })
		require.Equal(h, []string{"Succeeded", "Succeeded", "Succeeded"}, h.statuses(ids))
		h.pause(5 * time.Second)
		h.session().exec(h.say.purge(0))
		require.Empty(h, h.logs())
		require.Empty(h, h.tasks())
		list, err := h.sched.Processes(h.Context(), dialects.Filter{})
		require.NoError(h, err)
		require.Len(h, list, 2, "the default process and the open one")
	})
}
