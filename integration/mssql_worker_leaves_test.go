package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLLeavesAfterAHundredTasks: a worker leaves after 99 or 100 tasks, whatever order SQL Server assigns variables in.
func TestMSSQLLeavesAfterAHundredTasks(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		var tasks []dialects.NewTask
		for range 210 {
			tasks = append(tasks, h.task(1, h.say.nothing))
		}
		h.exec(tasks...)
		h.drain(time.Minute)
		runs := h.session().rows("SELECT COUNT(*) FROM dbsched.Logs GROUP BY WorkerId ORDER BY MIN(LogId);")
		require.Len(h, runs, 3)
		for _, r := range runs[:2] {
			require.Contains(h, []string{"99", "100"}, r[0])
		}
	})
}

// TestMSSQLStateOfALane: what a lane is said to do, and since when.
func TestMSSQLStateOfALane(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.many()
		s := h.session()
		is := func(state, call string) {
			s.exec("UPDATE dbsched.Lanes SET StateAt = '19990101';")
			s.exec(call)
			require.Equal(h, state, s.value("SELECT CASE WHEN StateAt > DATEADD(second, -1, SYSUTCDATETIME()) THEN State ELSE 'late' END FROM dbsched.Lanes;"), call)
		}
		const worker = "'00000003-0000-0000-0000-000000000000'"
		is("Busy", "EXEC dbsched.NextTask 1, "+worker+";")
		is("Idle", "EXEC dbsched.LeaveLane 1, "+worker+", 0;")
		is("Assigned", "EXEC dbsched.AssignLanes;")
		s.exec("UPDATE dbsched.Lanes SET WorkerId = " + worker + ", State = 'Busy';")
		is("Assigned", "EXEC dbsched.LeaveLane 1, "+worker+", 1;")
		s.exec("UPDATE dbsched.Lanes SET WorkerId = " + worker + ", State = 'Busy';")
		is("Idle", "EXEC dbsched.FreeDeadLanes;")
	})
}
