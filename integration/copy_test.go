package integration

import (
	"time"

	"github.com/stretchr/testify/require"
)

// runsNothingAsCopy changes the settings to another database's, which is what a copy holds: nothing runs, whoever tries,
// until somebody allows it.
func (h *harness) runsNothingAsCopy(update, number, of string) {
	h.Helper()
	due := h.exec(h.task(1, h.say.nothing))[0]
	h.drain(time.Minute)
	h.pause(time.Minute)
	h.session().exec(update)
	id := h.exec(h.task(1, h.say.nothing))[0]
	h.pause(5 * time.Minute)
	h.session().exec(h.say.worker(0))
	require.Equal(h, "Pending", h.statusOf(id))
	require.Zero(h, h.status().Workers)
	require.NotEmpty(h, h.alarmsOf("Copy"))
	require.Contains(h, h.status().CopyOf, of)
	require.ErrorContains(h, h.sched.Start(h.Context()), number)
	require.Equal(h, "Pending", h.statusOf(id))
	require.EqualValues(h, 1, h.status().Unfinished, "the alarm hook is not called")

	require.NoError(h, h.sched.StartHere(h.Context()))
	h.drain(time.Minute)
	require.Equal(h, "Succeeded", h.statusOf(id))
	require.Equal(h, "Succeeded", h.statusOf(due))
	require.Empty(h, h.status().CopyOf)
	require.NoError(h, h.sched.Start(h.Context()))
}
