package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleWaitsForLocks: who needs a row that an open transaction has locked waits for some seconds, then gets an error, and has changed nothing; who
// only reads or enqueues does not wait. Afterwards each of them goes on.
func TestOracleWaitsForLocks(t *testing.T) {
	onOracle(t, setup{stopped: true, lanes: 2}, func(h *harness) {
		s, holder := h.session(), h.session()
		p := h.process(dialects.NewProcess{Name: "p"})
		ids := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p}, dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p})
		s.exec(fmt.Sprintf("update ds_tasks t set t.status = 'Failed', t.finished_at = systimestamp at time zone '+00:00' where t.task_id = %d", ids[1]))
		h.resource("crane", 2)
		h.round(dialects.NewRound{Name: "load", Members: []string{"a", "b"}, SuccessorSQL: h.say.nothing})
		h.schedule(dialects.NewSchedule{Name: "nightly", Calendar: "@yearly", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		h.reports("load", "b", true, dialects.RoundWaiting)
		request := s.ask("declare l_id number; begin dbsched.acquire_resource('crane', l_id); :result := l_id; end;")
		calls := []struct {
			table   string
			seconds int
			err     string
			call    string
		}{
			{"settings", 30, "ORA-30006", "start_scheduler"}, {"settings", 30, "ORA-30006", "stop_scheduler"}, {"settings", 30, "ORA-30006", "stop_scheduler('Now')"}, {"settings", 30, "ORA-30006", "set_workers(1)"},
			{"settings", 30, "ORA-30006", "set_options(in_max_orphans => 1)"}, {"settings", 30, "ORA-30006", "set_alarm_hook(null)"},
			{"processes", 5, "ORA-20011", fmt.Sprintf("cancel_task(%d)", ids[0])}, {"processes", 5, "ORA-20011", fmt.Sprintf("retry_task(%d)", ids[1])},
			{"processes", 5, "ORA-20011", fmt.Sprintf("cancel_process(%d)", p)}, {"processes", 5, "ORA-20011", fmt.Sprintf("retry_process(%d)", p)},
			{"rounds", 30, "ORA-30006", "define_round('load', dbsched.t_names('a'), in_successor_sql => 'begin null; end;')"}, {"rounds", 30, "ORA-30006", "report_round('load', 'a')"},
			{"rounds", 30, "ORA-30006", "define_round('load', dbsched.t_names())"}, {"rounds", 10, "ORA-30006", "sweep"},
			{"schedules", 30, "ORA-30006", "alter_schedule('nightly', in_weight => 2)"}, {"schedules", 30, "ORA-30006", "set_schedule_enabled('nightly', false)"}, {"schedules", 30, "ORA-30006", "set_schedule_enabled('nightly', true)"},
			{"schedules", 30, "ORA-30006", "run_schedule('nightly')"}, {"schedules", 30, "ORA-30006", "drop_schedule('nightly')"},
			{"resources", 10, "ORA-30006", "define_resource('crane', 3)"}, {"resources", 10, "ORA-30006", "release_resource(" + request + ")"}, {"resources", 10, "ORA-30006", "drop_resource('crane')"},
			{"resources", 20, "ORA-30006", "acquire_resource('crane', l_id)"}, // once more to withdraw it
		}
		tables := strings.Fields("settings processes tasks rounds round_members schedules schedule_firings resources resource_requests")
		var all []string
		for _, table := range tables {
			all = append(all, fmt.Sprint(h.rowsOf(s, table)))
		}
		lock := func(table string) {
			h.Helper()
			column := map[string]string{"settings": "linger_seconds", "processes": "weight", "rounds": "name", "schedules": "weight", "resources": "capacity"}[table]
			holder.begin()
			holder.exec(fmt.Sprintf("update ds_%[1]s x set x.%[2]s = x.%[2]s", table, column))
		}
		run := func(call string) error { return s.try("declare l_id number; begin dbsched." + call + "; end;") }
		for _, c := range calls {
			lock(c.table)
			began := h.now()
			assert.ErrorContains(h, run(c.call), c.err, c.call)
			assert.InDelta(h, c.seconds, h.now().Sub(began).Seconds(), 0.5, c.call)
			holder.rollback()
		}
		for i, table := range tables {
			assert.Equal(h, all[i], fmt.Sprint(h.rowsOf(s, table)), table)
		}

		// Now all of it is locked, and no one of these cares.
		lock("settings")
		for _, table := range []string{"processes x set x.weight = x.weight", "tasks x set x.priority = x.priority", "rounds x set x.name = x.name", "schedules x set x.weight = x.weight", "resources x set x.capacity = x.capacity",
			"resource_requests x set x.requester = x.requester", "round_members x set x.member = x.member", "lanes x set x.state = x.state"} {
			holder.exec("update ds_" + table)
		}
		began := h.now()
		for _, call := range []string{"exec_async('begin null; end;', 1)", `exec_async_batch('[{"sql": "begin null; end;", "execution_order": 1, "resource": "crane", "dedup_key": "k"}]')`, "create_process('another', l_id)",
			fmt.Sprintf("close_process(%d)", p), fmt.Sprintf("release_process(%d)", p), fmt.Sprintf("wait_process(%d, 0)", p), "define_resource('another')", "define_round('another', dbsched.t_names('a'), in_successor_sql => 'begin null; end;')",
			"create_schedule('another', '@yearly', 'begin null; end;')", "acknowledge_alarms"} {
			require.NoError(h, run(call), call)
		}
		for _, view := range s.rows("select v.view_name from user_views v order by v.view_name") {
			s.rows("select x.* from " + view[0] + " x")
		}
		require.Less(h, h.now().Sub(began), time.Second)
		holder.rollback()
		for _, c := range calls {
			if !strings.Contains(c.call, "retry_") && !strings.HasPrefix(c.call, "drop_r") && c.call != "start_scheduler" {
				require.NoError(h, run(c.call), c.call)
			}
		}
	})
}

// TestOracleWorkerThatFails: an error that is nobody's task's is an alarm that names the lane, and the lane is free afterwards.
func TestOracleWorkerThatFails(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		h.mayFail = true
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.pause(2 * h.restart)
		s.exec(h.say.loseSettings)
		s.exec("begin dbms_scheduler.run_job('DS_LANE_02', use_current_session => false); end;")
		h.pause(2 * h.restart)
		require.NotEmpty(h, h.alarmsOf("WorkerError"), h.report())
		require.Equal(h, [][]string{{"2"}}, s.rows("select distinct a.lane_id from ds_alarms a where a.kind = 'WorkerError'"))
	})
}
