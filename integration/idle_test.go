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
