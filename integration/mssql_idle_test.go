package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// untilWaiting waits until so many sessions wait for others.
func (h *harness) untilWaiting(n int, what string) {
	h.Helper()
	h.until(10*time.Second, what, func() bool {
		return h.server.value("SELECT COUNT(*) FROM sys.dm_exec_requests WHERE blocking_session_id <> 0;") == fmt.Sprint(n)
	})
}

// TestMSSQLLooksAgainWhenIdle: a task may come after a worker has found none, and the dispatcher may look at the lanes before the worker
// says Idle, and so not wake it. The worker looks once more. Locks make the moment between the two last.
func TestMSSQLLooksAgainWhenIdle(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "empty"})
		h.exec(h.sleep(1, 5*time.Second))
		h.untilRunning(1, h.soon)
		process, lane, s := h.session(), h.session(), h.session()
		// HasWork may be 1 for nothing.
		s.exec(fmt.Sprintf("UPDATE dbsched.Processes SET HasWork = 1 WHERE ProcessId = %d;", p))
		process.begin()
		process.rows(fmt.Sprintf("SELECT p.Status FROM dbsched.Processes AS p WITH (UPDLOCK, ROWLOCK) WHERE p.ProcessId = %d;", p))
		h.untilWaiting(1, "the worker looks for a task")
		lane.begin()
		lane.rows("SELECT l.State FROM dbsched.Lanes AS l WITH (UPDLOCK, ROWLOCK) WHERE l.LaneId = 1;")
		process.commit()
		h.untilWaiting(1, "the worker is about to say Idle")

		// What the dispatcher does when it finds no lane idle.
		s.exec("ALTER QUEUE dbsched.Dispatch WITH ACTIVATION (STATUS = OFF);")
		id := h.exec(h.task(1, h.say.nothing))[0]
		s.exec("EXEC dbsched.MarkWork;")
		h.pause(time.Second)
		require.Empty(h, h.logsOf(id))
		since := h.now()
		lane.commit()
		h.startsWithin(id, since, h.soon)
	})
}
