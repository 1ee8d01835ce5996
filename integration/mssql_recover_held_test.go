package integration

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMSSQLDeadWorkerOfHeldProcess: a session holds the row of a process, whose worker has died. The dispatcher waits a second for each of its tasks,
// goes on, and records their ends when the row is free.
func TestMSSQLDeadWorkerOfHeldProcess(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.many()
		s, holder := h.session(), h.session()
		s.exec("UPDATE dbsched.Lanes SET WorkerId = NULL; DELETE FROM dbsched.ResourceRequests;")
		holder.begin()
		require.Len(h, holder.rows("SELECT p.ProcessId FROM dbsched.Processes AS p WITH (UPDLOCK, ROWLOCK) WHERE p.Name = N'runs';"), 1)
		running := func() string { return h.server.value("SELECT COUNT(*) FROM dbsched.Tasks WHERE LaneId = 1;") }
		for _, c := range []struct {
			call  string
			limit time.Duration
		}{{"EXEC dbsched.RecoverLane 1;", 2 * time.Second}, {"DECLARE @N bit; EXEC dbsched.RunSweep 30, @N OUTPUT;", 2 * time.Second}, {"EXEC dbsched.EndAttempts;", 2 * time.Second}} {
			began := h.now()
			ctx, cancel := context.WithTimeout(h.Context(), 10*time.Second)
			_, err := s.conn.ExecContext(ctx, c.call)
			cancel()
			require.NoError(h, err, c.call)
			require.InDelta(h, c.limit, h.now().Sub(began), float64(200*time.Millisecond), c.call)
			require.Equal(h, "2", running(), c.call)
		}
		holder.commit()
		s.exec("EXEC dbsched.RecoverLane 1;")
		require.Equal(h, "0", running())
		require.Equal(h, "2", h.server.value("SELECT COUNT(*) FROM dbsched.Tasks WHERE Orphans = 1;"))
	})
}
