package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleVerifySound: of a sound installation nothing is said, and the probe leaves nothing.
func TestOracleVerifySound(t *testing.T) {
	sound := func(h *harness) {
		all, bad := h.verify(30 * time.Second)
		require.Empty(h, bad)
		last := all[len(all)-1]
		require.Equal(h, "probe", last.Name)
		require.Equal(h, dialects.OK, last.Level, last.Text)
		for _, table := range []string{"tasks", "logs", "alarms"} {
			require.Equal(h, "0", h.session().value("select count(*) from ds_"+table), table)
		}
		require.Equal(h, "1", h.session().value("select count(*) from ds_processes"))
	}
	t.Run("owner", func(t *testing.T) {
		onOracle(t, setup{lanes: 2}, func(h *harness) {
			sound(h)
			h.exec(h.sleep(1, time.Hour), h.sleep(1, time.Hour))
			h.untilRunning(2, h.soon)
			_, bad := h.verify(30 * time.Second)
			require.Len(h, bad, 1)
			require.Equal(h, dialects.Warn, bad["probe"].Level, "all workers are busy")
			require.NoError(h, h.sched.Stop(h.Context(), dialects.StopNow))
			_, bad = h.verify(30 * time.Second)
			require.Empty(h, bad, "stopped is no fault")
			require.False(h, h.status().Started, "and it is not started")
		})
	})
	t.Run("runner", func(t *testing.T) {
		withRunner(t, func(h *harness, r *running) {
			sound(h)
			anna, err := h.dialect.Open(h.Context(), dialects.Target{Dial: h.server.dial(), DSN: r.dsns["anna"], Schema: h.schema})
			require.NoError(h, err)
			defer anna.Close()
			checks, err := anna.Verify(h.Context(), dialects.VerifyOptions{ProbeTimeout: 30 * time.Second})
			require.NoError(h, err)
			for _, c := range checks {
				require.Contains(h, []dialects.Level{dialects.OK, dialects.Info}, c.Level, c.Text)
			}
		})
	})
}

// byHand adds a line to a package body.
const byHand = `declare
    l_text clob := 'create or replace ';
begin
    for r in (select s.text from user_source s where s.name = 'DS_WAKE' and s.type = 'PACKAGE BODY' order by s.line) loop
        l_text := l_text || r.text;
    end loop;
    execute immediate l_text || chr(10) || '-- by hand';
end;`

// oracleDamage are ways to damage an installation: what is done, the check that names it, and what mends it, where that is not
// its remedy: a statement, or a command of the program.
var oracleDamage = map[string]struct {
	damage, check, mend string
	level               dialects.Level
}{
	"dispatcher's job disabled": {"begin dbms_scheduler.disable('DS_DISPATCHER', force => true); end;", "dispatcher", "", dialects.Fail},
	"dispatcher's job dropped":  {"begin dbms_scheduler.drop_job('DS_DISPATCHER', force => true); end;", "dispatcher", "dbsched install, then dbsched start", dialects.Fail},
	"lane's job dropped":        {"begin dbms_scheduler.drop_job('DS_LANE_02', force => true); end;", "lane 2", "dbsched install", dialects.Fail},
	"package body altered":      {byHand, "package body DS_WAKE", "dbsched install", dialects.Fail},
	"package invalidated":       {"alter table ds_rounds add (by_hand number)", "", "", ""},
	"view altered":              {"create or replace view ds_alarm_info as select a.alarm_id, a.raised_at, a.kind, a.process_id, a.task_id, a.lane_id, a.alarm_text, a.acknowledged_at, a.acknowledged_by from ds_alarms a where 1 = 1", "view DS_ALARM_INFO", "dbsched install", dialects.Fail},
	"view dropped":              {"drop view ds_round_info", "view DS_ROUND_INFO", "dbsched install", dialects.Fail},
	"package body dropped":      {"drop package body ds_json", "package body DS_JSON", "dbsched install", dialects.Fail},
	"index dropped":             {"drop index ds_tasks_stop_ix", "index ds_tasks_stop_ix", "", dialects.Fail},
	"queue takes nothing":       {"begin dbms_aqadm.stop_queue(queue_name => 'DS_WAKE_Q', enqueue => true, dequeue => false, wait => false); end;", "queue", "", dialects.Fail},
	"queue gives nothing":       {"begin dbms_aqadm.stop_queue(queue_name => 'DS_WAKE_Q', enqueue => false, dequeue => true, wait => false); end;", "queue", "", dialects.Fail},
	"copy":                      {"update ds_settings s set s.home = replace(s.home, '/', '/X')", "scheduler", "here", dialects.Fail},
	"no worker allowed":         {"begin dbsched.set_workers(0); end;", "scheduler", "begin dbsched.set_workers(2); end;", dialects.Warn},
	"unacknowledged alarm":      {"begin ds_worker.alarm('LateTask', 'It is late.'); commit; end;", "alarms", "begin dbsched.acknowledge_alarms; end;", dialects.Warn},
}

// TestOracleVerifyNamesDamage: each damage is named, it alone, and mended.
func TestOracleVerifyNamesDamage(t *testing.T) {
	for name, c := range sorted(oracleDamage) {
		t.Run(name, func(t *testing.T) {
			onOracle(t, setup{lanes: 2}, func(h *harness) {
				h.pause(30 * time.Second)
				s := h.session()
				s.exec(c.damage)
				_, bad := h.verify(0)
				if c.check == "" { // what heals by itself is no fault
					require.Empty(h, bad)
					return
				}
				require.Len(h, bad, 1, "%+v", bad)
				require.Contains(h, bad, c.check)
				found := bad[c.check]
				require.Equal(h, c.level, found.Level, found.Text)
				switch {
				case found.Safe:
					require.NoError(h, h.sched.Mend(h.Context(), found))
				case c.mend == "here":
					require.NoError(h, h.sched.StartHere(h.Context()))
				case strings.HasPrefix(c.mend, "dbsched install"):
					require.Equal(h, c.mend, found.Remedy)
					_, err := h.sched.Install(h.Context(), dialects.InstallOptions{DrainTimeout: time.Minute})
					require.NoError(h, err)
					if strings.HasSuffix(c.mend, "dbsched start") {
						require.NoError(h, h.sched.Start(h.Context()))
					}
				case c.mend != "":
					s.exec(c.mend)
				default:
					s.exec(found.Remedy)
				}
				h.pause(time.Minute)
				require.NoError(h, h.sched.AcknowledgeAlarms(h.Context(), 0))
				_, bad = h.verify(30 * time.Second)
				require.Empty(h, bad)
			})
		})
	}
}

// TestOracleVerifyJobProcesses: a DBA has set job_queue_processes too low.
func TestOracleVerifyJobProcesses(t *testing.T) {
	onOracle(t, setup{lanes: 8}, func(h *harness) {
		h.server.administrate("grant select on sys.v_$parameter to " + h.schema)
		for value, level := range map[string]dialects.Level{"0": dialects.Fail, "3": dialects.Warn} {
			h.server.administrate("alter system set job_queue_processes = " + value)
			_, bad := h.verify(0)
			require.Len(h, bad, 1, "%+v", bad)
			require.Equal(h, level, bad["job_queue_processes"].Level)
		}
		h.server.administrate("alter system set job_queue_processes = 40")
		_, bad := h.verify(0)
		require.Empty(h, bad)
	})
}

// TestOracleVerifyOrphan: a worker's session was killed.
func TestOracleVerifyOrphan(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		task := h.exec(h.sleep(1, time.Hour))[0]
		h.untilRunning(1, h.restart)
		h.killWorker(task)
		_, bad := h.verify(0)
		require.Len(h, bad, 1, "%+v", bad)
		found := bad[fmt.Sprint("task ", task)]
		require.Equal(h, dialects.Warn, found.Level)
		require.NoError(h, h.sched.Mend(h.Context(), found))
		h.pause(10 * time.Second)
		_, bad = h.verify(0)
		require.Empty(h, bad)
	})
}
