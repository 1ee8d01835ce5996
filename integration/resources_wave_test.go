package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestEarlierWaveNeedsTheResource: a task that holds its resource, and has not started when an earlier wave gets a task that needs it, lines
// up again with the next sweep.
func TestEarlierWaveNeedsTheResource(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		outside := h.acquire("db", "Shared", 600, 0)
		late := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 3, Resource: "db"})[0]
		h.until(5*time.Second, "it stands in the line", func() bool { return h.statusOf(late) == "Waiting" })
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		outside.release()
		h.until(5*time.Second, "it may start", func() bool { return h.statusOf(late) == "Pending" })
		early := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, Resource: "db"})[0]
		require.NoError(h, h.sched.SetWorkers(h.Context(), 1))
		h.drain(2 * time.Minute)
		require.False(h, h.logsOf(late)[0].StartedAt.Before(*h.logsOf(early)[0].FinishedAt))
		require.Empty(h, h.requests("db"))
		h.requireNoAlarms()
	})
}
