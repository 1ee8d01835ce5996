package integration

import (
	"github.com/stretchr/testify/require"
)

// killWorker ends the session that runs a task.
func (h *harness) killWorker(task int64) {
	h.Helper()
	lanes, err := h.sched.Lanes(h.Context())
	require.NoError(h, err)
	for _, l := range lanes {
		if l.TaskID == task {
			h.admin().exec(h.say.kill(l.SessionID))
			return
		}
	}
	require.Fail(h, "nobody runs the task", "%d %s", task, h.report())
}
