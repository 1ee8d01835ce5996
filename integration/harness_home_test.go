package integration

import (
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
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

// site changes what surrounds the sandbox.
func (h *harness) site(x sandbox.Site) {
	h.Helper()
	h.onSandbox("a real server does not move")
	h.server.box.SetSite(x)
}

// hourly makes a schedule that fires each hour.
func (h *harness) hourly(name string) {
	h.Helper()
	h.schedule(dialects.NewSchedule{Name: name, Calendar: "0 * * * *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
}

// goesOn requires that a task runs, without anybody's help.
func (h *harness) goesOn() {
	h.Helper()
	h.exec(h.task(1, h.say.nothing))
	h.drain(2 * time.Minute)
	require.Empty(h, h.status().CopyOf)
	require.Empty(h, h.status().Blocked)
}

// isCopy requires that nothing runs, and that the view says why.
func (h *harness) isCopy() {
	h.Helper()
	id := h.exec(h.task(1, h.say.nothing))[0]
	h.pause(5 * time.Minute)
	require.Equal(h, "Pending", h.statusOf(id))
	require.Equal(h, dialects.Copied, h.status().Blocked)
	require.ErrorContains(h, h.sched.Start(h.Context()), h.errorText(19))
	require.NoError(h, h.sched.CancelTask(h.Context(), id))
}
