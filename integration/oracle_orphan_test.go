package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOracleNextWorkerRecovers: whoever enters the lane of a dead worker looks after its task first, without a sweep.
func TestOracleNextWorkerRecovers(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		id := h.exec(h.sleep(1, 5*time.Second))[0]
		h.untilRunning(1, h.restart)
		h.killWorker(id)
		h.pause(20 * time.Second)
		require.Equal(h, "Running", h.statusOf(id), "nobody has noticed")
		s.exec("begin dbms_scheduler.run_job('DS_LANE_01', use_current_session => false); end;") // as an earlier order that took its time
		h.until(h.soon, "the second attempt", func() bool { return len(h.logsOf(id)) == 2 })
		require.Equal(h, "Orphaned", h.logsOf(id)[0].Outcome)
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
	})
}

// TestOracleLostCompletion: when the end of an attempt cannot be recorded for long, here because a process's row is held, the worker gives up
// with an alarm. The sweep finds the attempt when nobody works in its lane.
func TestOracleLostCompletion(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s, holder := h.session(), h.session()
		s.exec(h.say.options(map[string]int{"IdleSweepSeconds": 86400}))
		id := h.exec(h.sleep(1, 5*time.Second))[0]
		h.untilRunning(1, h.restart)
		holder.begin()
		holder.exec("update ds_processes set name = name where process_id = 1")
		h.until(5*time.Minute, "the worker gives up", func() bool { return len(h.alarmsOf("LostCompletion")) == 1 })
		holder.rollback()
		h.pause(time.Minute)
		require.Zero(h, h.status().Workers)
		require.Equal(h, "Running", h.statusOf(id))
		s.exec(h.say.sweep)
		h.until(h.restart, "the second attempt", func() bool { return len(h.logsOf(id)) == 2 })
		require.Equal(h, "Orphaned", h.logsOf(id)[0].Outcome)
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
	})
}
