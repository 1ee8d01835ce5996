package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleAlarmHook: the procedure is called for every alarm, until it is removed; an installation keeps it.
func TestOracleAlarmHook(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		s := h.withOracleHook("")
		told := func(n int) {
			h.Helper()
			h.until(time.Minute, fmt.Sprint(n, " alarms told"), func() bool { return s.value("select count(*) from told") == fmt.Sprint(n) })
		}
		h.raises()
		told(1)
		require.Equal(h, [][]string{{"1", "ProcessFailed"}}, s.rows("select alarm_id, kind from told"))
		require.Equal(h, [][]string{{"on_alarm", h.schema}}, s.rows("select alarm_hook, alarm_hook_by from ds_scheduler_info"))
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 3})
		require.NoError(h, err)
		h.raises()
		told(2)
		s.exec("begin dbsched.set_alarm_hook('on_alarm'); end;")
		require.Equal(h, [][]string{{"Open"}}, s.rows("select status from ds_process_info where name = 'alarm hook'"), "the same again")

		// Its own tasks never cause a call.
		s.exec("declare l_process number; begin select max(p.process_id) into l_process from ds_process_info p where p.name = 'alarm hook'; " +
			"ds_worker.alarm('WorkerError', 'about the hook', in_process_id => l_process); commit; end;")
		h.pause(time.Minute)
		require.Len(h, h.oracleHookTasks(), 2)

		s.exec("begin dbsched.set_alarm_hook; end;")
		h.raises()
		h.pause(5 * time.Minute)
		require.Equal(h, "2", s.value("select count(*) from told"))
		require.Equal(h, [][]string{{"Succeeded"}}, s.rows("select status from ds_process_info where name = 'alarm hook'"))
		require.Equal(h, "4", s.value("select count(*) from ds_alarm_info"))
	})
}

// TestOracleAlarmsInTurn is TestMSSQLAlarmsInTurn: with a hook, the dispatcher of a server whose jobs were off called it without a pause.
func TestOracleAlarmsInTurn(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		h.alarmsInTurn("begin ds_worker.alarm('WorkerError', '%s'); commit; end;")
	})
}

// TestOracleAlarmHookThatFails: it is tried three times, and nothing else suffers; nor is its failure an alarm.
func TestOracleAlarmHookThatFails(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		s := h.withOracleHook("    insert into told (alarm_id, kind) values (0, '?');\n    raise_application_error(-20500, 'no pager');")
		h.raises()
		h.pause(10 * time.Minute)
		require.Equal(h, []string{"Failed"}, h.oracleHookTasks())
		require.Equal(h, "3", s.value("select count(*) from ds_log_info where error_number = 20500"))
		require.Equal(h, "1", s.value("select count(*) from ds_alarm_info"))
		require.Equal(h, "0", s.value("select count(*) from told"))
	})
}

// TestOracleAlarmHookThatCannotBeEnqueued: the alarm stays, and so does what raised it. A missing user simulates whatever may keep
// the hook's task from being stored.
func TestOracleAlarmHookThatCannotBeEnqueued(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		s := h.withOracleHook("")
		s.exec("update ds_settings set alarm_hook_by = null")
		h.raises()
		require.Len(h, h.alarmsOf("ProcessFailed"), 1)
		require.Len(h, h.logs(), 1)
		require.Empty(h, h.oracleHookTasks())
		s.exec("begin dbsched.set_alarm_hook('on_alarm'); end;")
		h.raises()
		h.until(time.Minute, "it is told of the next one", func() bool { return s.value("select count(*) from told") == "1" })
		require.Len(h, s.rows(h.say.alarms), 2)
	})
}

// TestOracleAlarmHookThatHangs: it holds one worker, however many alarms there are, and nobody else.
func TestOracleAlarmHookThatHangs(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		h.withOracleHook("    dbms_session.sleep(3600);")
		for range 3 {
			h.raises()
		}
		h.until(time.Minute, "the hook runs", func() bool { return h.running() == 1 })
		h.pause(time.Minute)
		require.Equal(h, []string{"Running", "Pending", "Pending"}, h.oracleHookTasks())
		h.startsWithin(h.exec(h.task(1, h.say.nothing))[0], h.now(), h.soon)
	})
}

// TestOracleAlarmHookRefused: anything but a procedure that can be called with an alarm.
func TestOracleAlarmHookRefused(t *testing.T) {
	onOracle(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		s := h.withOracleHook("")
		s.exec("create or replace procedure deaf as begin null; end;")
		for _, name := range []string{"missing", "deaf", "told", "on_alarm; delete from told", "on_alarm(1); --", "on_alarm@elsewhere", "1"} {
			require.ErrorContains(h, s.try("begin dbsched.set_alarm_hook('"+name+"'); end;"), "20060", name)
		}
		require.Equal(h, "on_alarm", s.value("select alarm_hook from ds_scheduler_info"))
		require.Equal(h, "0", s.value("select count(*) from told"))
	})
}
