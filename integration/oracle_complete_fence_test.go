package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOracleCompletionIsFenced: a completion by another worker, or of another attempt, changes nothing, whether it reports success or not.
// The session that reports it here is no worker, but may call the steps of a lane: any task that creates a job can have such a session.
func TestOracleCompletionIsFenced(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		id := h.exec(h.sleep(1, 20*time.Second))[0]
		h.untilRunning(1, h.restart)
		s := h.session()
		for _, outcome := range []string{"Succeeded", "Failed", "Orphaned"} {
			for what, who := range sorted(map[string][2]string{"worker": {"t.log_id", "rawtohex(sys_guid())"}, "attempt": {"t.log_id - 1", "t.worker_id"}}) {
				lost := s.ask(fmt.Sprintf(`declare
    l_log number;
    l_worker varchar2(32);
begin
    select %s, %s into l_log, l_worker from ds_tasks t where t.task_id = %[3]d;
    ds_lane.complete(1, l_worker, %[3]d, l_log, '%[4]s', null, null, null, null, :result);
end;`, who[0], who[1], id, outcome))
				require.Equal(h, "Y", lost, "%s by another %s", outcome, what)
				require.Equal(h, "Running", h.statusOf(id), "%s by another %s", outcome, what)
			}
		}
		// A claim records a success only in the session of its attempt, whatever else is right.
		result := s.ask(fmt.Sprintf(`declare
    l_task number := %d;
    l_log number;
    l_worker varchar2(32);
    l_counted number := 1;
    l_sql clob;
    l_values clob;
    l_transactional varchar2(1);
begin
    select t.log_id, t.worker_id into l_log, l_worker
    from ds_tasks t where t.task_id = l_task;
    ds_lane.claim(1, l_worker, '1', 'N', null, l_counted, l_task, l_log, :result, l_sql, l_values, l_transactional);
end;`, id))
		require.Equal(h, "Succeeded", result, "call complete, which knows the worker of a session")
		require.Equal(h, "Running", h.statusOf(id), "claimed by another session")
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
		logs := h.logsOf(id)
		require.Len(h, logs, 1)
		require.Equal(h, "Succeeded", logs[0].Outcome)
		require.EqualValues(h, 1, h.processOf(defaultProcess).Succeeded)
		h.requireNoAlarms()
	})
}

// TestOracleLaneLockIsGivenBack: a session that has worked and stays connected keeps no lane. The next one gets the same lane.
func TestOracleLaneLockIsGivenBack(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		for range 3 {
			h.exec(h.task(1, h.say.nothing))
			h.session().exec(h.say.worker(0))
		}
		logs := h.logs()
		require.Len(h, logs, 3)
		for _, l := range logs {
			require.Equal(h, 1001, l.Lane)
		}
	})
}

// TestOracleLaneOfALivingSession: a task that releases its lane's lock by number does not lose the lane: as long as its session lives,
// nobody else takes the lane, and nobody treats the task as orphaned.
func TestOracleLaneOfALivingSession(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		id := h.exec(h.task(1, `declare
    l_id integer;
begin
    select s.lock_base + 1001 into l_id from ds_settings s;
    if dbms_lock.release(id => l_id) <> 0 then
        raise_application_error(-20500, 'it had no lock');
    end if;
    dbms_session.sleep(90);
end;`))[0]
		done := make(chan error, 1)
		first, second := h.session(), h.session()
		go func() { done <- first.try(h.say.worker(0)) }()
		h.untilRunning(1, h.soon)
		other := h.exec(h.task(1, h.say.nothing))[0]
		second.exec(h.say.worker(0))
		require.Equal(h, "Succeeded", h.statusOf(other))
		require.Equal(h, 1002, h.logsOf(other)[0].Lane)
		require.Equal(h, "Running", h.statusOf(id))
		alarms := h.alarmsOf("LaneHeld")
		require.Len(h, alarms, 1)
		require.Contains(h, alarms[0], "lane 1001")
		h.pause(95 * time.Second) // a sweep does not treat it as dead, either
		require.NoError(h, <-done)
		require.Equal(h, "Succeeded", h.statusOf(id))
		require.Len(h, h.logsOf(id), 1)

		h.exec(h.task(1, h.say.nothing))
		second.exec(h.say.worker(0))
		logs := h.logs()
		require.Equal(h, 1001, logs[len(logs)-1].Lane, "it is free again")
	})
}
