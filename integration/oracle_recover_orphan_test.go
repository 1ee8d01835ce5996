package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOracleNextWorkerRecovers: a worker that enters the lane of a dead one first takes care of its task, without a sweep.
func TestOracleNextWorkerRecovers(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		id := h.exec(h.sleep(1, 5*time.Second))[0]
		h.untilRunning(1, h.restart)
		h.killWorker(id)
		h.pause(20 * time.Second)
		require.Equal(h, "Running", h.statusOf(id), "nobody has noticed")
		s.exec("begin dbms_scheduler.run_job('DS_LANE_01', use_current_session => false); end;") // like an earlier order that arrives late
		h.until(h.soon, "the second attempt", func() bool { return len(h.logsOf(id)) == 2 })
		require.Equal(h, "Orphaned", h.logsOf(id)[0].Outcome)
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
	})
}

// TestOracleLostCompletion: a worker that cannot record the end of an attempt, here because a process's row is held, reports it and keeps
// trying, because the work is done and must not be done twice. Only if its session dies meanwhile is the task an orphan: the sweep, too,
// gives up and comes back.
func TestOracleLostCompletion(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		holder := h.session()
		held := func() int64 {
			id := h.exec(h.sleep(1, 5*time.Second))[0]
			h.untilRunning(1, h.restart)
			holder.begin()
			holder.exec("update ds_processes set name = name where process_id = 1")
			h.pause(15 * time.Minute)
			require.Equal(h, "Running", h.statusOf(id))
			return id
		}
		id := held()
		require.NotEmpty(h, h.alarmsOf("LostCompletion"))
		holder.rollback()
		h.pause(10 * time.Second)
		require.Equal(h, "Succeeded", h.statusOf(id))
		require.Len(h, h.logsOf(id), 1, "it ran once")

		id = held()
		h.killWorker(id)
		h.pause(15 * time.Minute)
		require.Equal(h, "Running", h.statusOf(id))
		holder.rollback()
		h.until(3*time.Minute, "the second attempt", func() bool { return len(h.logsOf(id)) == 2 })
		require.Equal(h, "Orphaned", h.logsOf(id)[0].Outcome)
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
	})
}
