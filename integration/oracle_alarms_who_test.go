package integration

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// alarmNames says what an alarm of a kind on Oracle names in its columns: a process, a task, a lane, a user.
var alarmNames = map[string]string{
	"CannotEnd": "process task lane user", "Copy": "", "DispatchError": "", "LaneHeld": "lane", "LaneNotStarted": "lane", "LateTask": "process", "Moved": "", "Outage": "process task lane user",
	"ProcessFailed": "process task lane user", "RoundFailed": "user", "RoundLate": "user", "RoundStart": "user", "ScheduleSuspended": "user", "WorkerError": "lane",
}

var (
	namedTask = regexp.MustCompile(`^Task (\d+) `)
	namedLane = regexp.MustCompile(`^(?:The worker of lane |The job \S+\.DS_LANE_0?)(\d+) `)
)

// TestOracleWhoCalled: whatever somebody creates says which user that was, of which operating system's user, for which client.
func TestOracleWhoCalled(t *testing.T) {
	onOracle(t, setup{stopped: true, lanes: 1}, func(h *harness) {
		s := h.session()
		h.resource("crane", 2)
		client := strings.Repeat("é", 32) // as long as an identifier can be
		s.exec("begin dbms_session.set_identifier('" + client + "'); end;")
		me := s.rows("select user || '#' || sys_context('USERENV', 'SESSION_USERID'), sys_context('USERENV', 'OS_USER'), sys_context('USERENV', 'CLIENT_IDENTIFIER') from dual")[0]
		require.Equal(h, client, me[2])
		require.NotEqual(h, "NULL", me[1])
		says := func(query string, n int) {
			h.Helper()
			rows := s.rows(query)
			require.Len(h, rows, n, query)
			for _, r := range rows {
				require.Equal(h, me, r, query)
			}
		}
		s.exec("create procedure told (in_alarm_id number) as begin null; end;")
		s.exec(`declare
    l_id number;
    l_tasks dbsched.t_tasks;
begin
    dbsched.exec_async('begin null; end;', 1);
    dbsched.exec_async_batch('[{"sql": "begin null; end;", "execution_order": 1}]');
    l_tasks(1).sql_text := 'begin null; end;';
    l_tasks(1).execution_order := 1;
    dbsched.exec_async_table(l_tasks);
    commit;
    dbsched.create_process('mine', l_id);
    commit;
    dbsched.define_round('mine', dbsched.t_names('m'), in_successor_sql => 'begin null; end;');
    dbsched.acquire_resource('crane', l_id);
    dbsched.set_alarm_hook('told');
end;`)
		says("select t.enqueued_by, t.enqueued_by_os_user, t.enqueued_by_client from ds_tasks t", 3)
		says("select p.created_by, p.created_by_os_user, p.created_by_client from ds_processes p where p.process_id > 1", 2)
		says("select r.defined_by, r.defined_by_os_user, r.defined_by_client from ds_rounds r", 1)
		says("select r.requested_by, r.requested_by_os_user, r.requested_by_client from ds_resource_requests r", 1)
		says("select s.alarm_hook_by, s.alarm_hook_by_os_user, s.alarm_hook_by_client from ds_settings s", 1)

		// Who defines a round anew is its definer, and who waits in a line for a task is who enqueued it; so is who set the hook for its calls.
		s.exec("begin dbms_session.set_identifier('another'); end;")
		s.exec("begin dbsched.define_round('mine', dbsched.t_names('m', 'n'), in_successor_sql => 'begin null; end;'); end;")
		id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 0, Resource: "crane", Access: "Exclusive"})[0]
		s.exec(fmt.Sprintf("update ds_tasks t set t.enqueued_by_client = 'line' where t.task_id = %d", id))
		s.exec("begin dbsched.report_round('mine', 'm', false); end;")
		me[2] = "another"
		says("select r.defined_by, r.defined_by_os_user, r.defined_by_client from ds_rounds r", 1)
		me[2] = client
		says("select t.enqueued_by, t.enqueued_by_os_user, t.enqueued_by_client from ds_tasks t where t.process_id > 1", 1)
		require.NoError(h, h.sched.Start(h.Context()))
		h.untilStatus(id, "Waiting", h.ordered()+h.restart)
		me[2] = "line"
		says(fmt.Sprintf("select r.requested_by, r.requested_by_os_user, r.requested_by_client from ds_resource_requests r where r.task_id = %d", id), 1)
		h.requireAlarmsName()
	})
}
