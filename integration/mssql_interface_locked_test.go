package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMSSQLLockedForFiveSeconds: who needs a process or task that an open transaction has locked waits for five seconds, then learns of it, and can go on.
func TestMSSQLLockedForFiveSeconds(t *testing.T) {
	onMSSQL(t, setup{stopped: true}, func(h *harness) {
		s, holder := h.session(), h.session()
		failed := s.ask(h.say.enqueueReturn(0, 1, h.say.nothing))
		s.exec("UPDATE dbsched.Tasks SET Status = 'Failed', FinishedAt = SYSUTCDATETIME();")
		pending := s.ask(h.say.enqueueReturn(0, 1, h.say.nothing))
		holder.begin()
		p := holder.ask(h.say.createProcess("uncommitted", false))
		holder.exec("UPDATE dbsched.Tasks SET Priority = 1;")
		before := h.now()
		for _, text := range []string{
			"ExecAsync N'SELECT 1;', 1, " + p, `ExecAsyncBatch N'[{"SQL": "SELECT 1", "ExecutionOrder": 1}]', ` + p, `ExecAsyncBatch N'[{"SQL": "SELECT 1", "ExecutionOrder": 1, "ProcessId": ` + p + `}]', 1`,
			"CloseProcess " + p, "ReleaseProcess " + p, "CancelProcess " + p, "RetryProcess " + p, "CancelTask " + pending, "RetryTask " + failed,
		} {
			began := h.now()
			require.ErrorContains(h, s.try("EXEC dbsched."+text+";"), "dbsched 51011: ", text)
			require.InDelta(h, 5*time.Second, h.now().Sub(began), float64(300*time.Millisecond), text)
			require.Equal(h, "0", s.value("SELECT @@TRANCOUNT;"), text)
		}
		require.ErrorContains(h, s.try("DECLARE @T dbsched.TaskTable; INSERT INTO @T (TaskNo, SQL, ExecutionOrder, ProcessId) VALUES (4, N'SELECT 1', 1, 1), (9, N'SELECT 1', 1, "+p+"); EXEC dbsched.ExecAsyncTable @T;"), "dbsched 51011: task ")
		require.Less(h, h.now().Sub(before), time.Minute)
		holder.commit()
		s.exec("EXEC dbsched.ExecAsync N'SELECT 1;', 1, " + p + "; EXEC dbsched.CloseProcess " + p + "; EXEC dbsched.CancelTask " + pending + "; EXEC dbsched.RetryTask " + failed + ";")
		require.Equal(h, []string{"Pending", "Cancelled", "Pending"}, h.statuses([]int64{number(h, failed), number(h, pending), number(h, pending) + 1}))
	})
}
