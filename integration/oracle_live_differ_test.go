package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/differ"
)

// TestOracleKilledLingers: the task of a session that ends late is an orphan when it has ended.
func TestOracleKilledLingers(t *testing.T) {
	onOracle(t, setup{lanes: 1, box: that(differ.KilledLingers)}, func(h *harness) {
		h.different()
		id := h.exec(h.sleep(1, 3*time.Minute))[0]
		h.untilRunning(1, 2*h.restart)
		lanes, err := h.sched.Lanes(h.Context())
		require.NoError(h, err)
		h.admin().exec(h.say.kill(lanes[0].SessionID))
		h.drain(10 * time.Minute)
		require.Equal(h, "Orphaned Succeeded", h.attempts(id))
	})
}

// TestOracleStopsTooLate: force ends what does not end in time.
func TestOracleStopsTooLate(t *testing.T) {
	onOracle(t, setup{lanes: 1, box: that(differ.StopsTooLate)}, func(h *harness) {
		h.different()
		h.mayKill()
		id := h.exec(h.sleep(1, time.Hour))[0]
		next := h.exec(h.task(2, h.say.nothing))[0]
		h.untilRunning(1, 2*h.restart)
		h.cancel(id)
		h.untilStatus(id, "Cancelled", 5*time.Minute)
		h.drain(5 * time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(next))
	})
}

// TestOracleWakesLate: tasks start late.
func TestOracleWakesLate(t *testing.T) {
	onOracle(t, setup{lanes: 2, box: that(differ.WakesLate)}, func(h *harness) {
		h.different()
		h.pause(10 * time.Minute)
		id, since := h.exec(h.task(1, h.say.nothing))[0], h.now()
		h.startsWithin(id, since, time.Minute)
	})
}

// TestOracleRunningJob: a lane whose job still runs is ordered again, with an alarm, also if that cannot be told from other refusals, or from
// success: then by the sweep that comes half a minute later.
func TestOracleRunningJob(t *testing.T) {
	for d, limit := range sorted(map[differ.Difference]time.Duration{differ.RunningJob27477: atOnce, differ.RunningJobIgnored: 90 * time.Second}) {
		t.Run(string(d), func(t *testing.T) {
			onOracle(t, setup{lanes: 1, box: that(d)}, func(h *harness) {
				h.different()
				c := h.session()
				lock := func(call string) {
					h.Helper()
					require.Equal(h, "0", c.ask(fmt.Sprintf("declare l_id integer; begin select s.lock_base + 1 into l_id from ds_settings s; :result := dbms_lock.%s; end;", call)))
				}
				runs := func() bool {
					return c.value("select count(*) from user_scheduler_running_jobs where job_name = 'DS_LANE_01'") == "1"
				}
				h.pause(time.Minute)
				lock("request(id => l_id, lockmode => dbms_lock.x_mode, timeout => 0, release_on_commit => false)")
				c.exec("begin dbms_scheduler.run_job(job_name => 'DS_LANE_01', use_current_session => false); end;")
				h.until(h.ordered(), "it starts", runs)
				id := h.exec(h.task(1, h.say.nothing))[0]
				h.until(time.Minute, "it gives up", func() bool { return !runs() })
				since := h.now()
				lock("release(id => l_id)")
				h.startsWithin(id, since, limit+h.ordered())
				require.Len(h, h.alarmsOf("LaneNotStarted"), 1)
			})
		})
	}
}
