package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOraclePurgeLeavesWhatIsRetried: what another transaction holds is deleted another time. To wait for one task while holding
// others would deadlock with retry_process, which takes a process's tasks in an order of its own.
func TestOraclePurgeLeavesWhatIsRetried(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.resource("warehouse", 2)
		ids := h.exec(h.task(1, h.say.fails(0)), dialects.NewTask{SQL: h.say.nothing, Order: 1, Resource: "warehouse", Access: "Exclusive"}, h.task(1, h.say.nothing))
		h.drain(time.Minute)
		h.pause(time.Second)
		s, holder := h.session(), h.session()
		require.Equal(h, [][]string{{"warehouse", "Exclusive"}}, s.rows("select t.resource_name, t.access_mode from ds_task_info t where t.resource_name is not null"))
		holder.begin()
		holder.exec(fmt.Sprintf("update ds_tasks t set t.priority = t.priority where t.task_id = %d", ids[1]))
		s.exec(h.say.purge(0))
		left := h.tasks()
		require.Len(h, left, 1)
		require.Equal(h, ids[1], left[0].ID)
		holder.commit()
		s.exec(h.say.purge(0))
		require.Empty(h, h.tasks())
	})
}

// TestOracleSessionOfATask: what a task sets in its session, whether it succeeds or fails, is not visible to the next.
func TestOracleSessionOfATask(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		const german = "alter session set nls_numeric_characters = ',.'"
		h.exec(h.task(1, german), h.task(2, "insert into marks (n) values ('1.5' * 2)"),
			h.task(3, "begin execute immediate '"+strings.ReplaceAll(german, "'", "''")+"'; insert into marks (n) values ('1,5' * 4); end;"), h.task(4, "insert into marks (n) values ('2.5' * 2)"),
			h.task(5, "begin execute immediate '"+strings.ReplaceAll(german, "'", "''")+"'; raise zero_divide; end;"), h.task(6, "insert into marks (n) values ('3.5' * 2)"))
		h.drain(time.Minute)
		require.Equal(h, [][]string{{"3"}, {"6"}, {"5"}, {"7"}}, s.rows(h.say.markRead), h.report())
	})
}

// TestOracleSessionOfACaller: numbers in a task's parameters are JSON's, whatever the session's own look like.
func TestOracleSessionOfACaller(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		s.exec("alter session set nls_numeric_characters = ',.'")
		s.exec(`begin dbsched.exec_async('insert into marks (n) values (:n * 2)', 1, in_parameters => '{"n number": 1.5}'); end;`)
		require.ErrorContains(h, s.try(`begin dbsched.exec_async('begin null; end;', 1, in_parameters => '{"n int": 1.5}'); end;`), h.errorText(34))
		h.drain(time.Minute)
		require.Equal(h, [][]string{{"3"}}, h.session().rows(h.say.markRead), h.report())
	})
}

// TestOracleLeftovers: what a task turns on in its session reaches no later task: output that nobody reads (DBMS_OUTPUT, ORU-10027), and
// constraints that are no longer deferred.
func TestOracleLeftovers(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		s.exec("create table later (n number check (n > 0) initially deferred)")
		printing := "for i in 1 .. 10 loop dbms_output.put_line(rpad('x', 100, 'x')); end loop;"
		var ids []int64
		for range 30 {
			ids = append(ids, h.exec(h.task(1, "begin dbms_output.enable; "+printing+" end;"), h.task(1, "begin "+printing+" end;"))...)
		}
		ids = append(ids, h.exec(h.task(2, "alter session set constraints = immediate"), h.task(3, "begin insert into later (n) values (-1); update later set n = 1; end;"),
			h.task(4, "begin execute immediate 'alter session set constraints = immediate'; raise zero_divide; end;"),
			h.task(5, "begin insert into later (n) values (-2); update later set n = 2; end;"))...)
		h.drain(5 * time.Minute)
		for i, id := range ids {
			require.Equal(h, i != len(ids)-2, h.statusOf(id) == "Succeeded", h.logsOf(id))
		}
	})
}

// TestOracleTaskSchedulerRestores: a session that was a worker for a while has its own settings again, whether it ends well or is refused.
func TestOracleTaskSchedulerRestores(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		for _, set := range []string{
			"alter session set nls_date_format = 'DD.MM.YYYY'", "alter session set nls_timestamp_format = 'HH24'", "alter session set nls_numeric_characters = ',.'",
			"alter session set nls_comp = LINGUISTIC", "alter session set nls_sort = BINARY_CI", "alter session set time_zone = 'Europe/Warsaw'",
			"begin dbms_session.set_identifier('me'); dbms_application_info.set_module('mine', 'work'); dbms_application_info.set_client_info('it''s'); end;",
		} {
			s.exec(set)
		}
		state := func() [][]string {
			return append(s.rows("select n.parameter, n.value from nls_session_parameters n order by n.parameter"), s.rows("select sessiontimezone, sys_context('USERENV', 'CLIENT_IDENTIFIER'), "+
				"sys_context('USERENV', 'MODULE'), sys_context('USERENV', 'ACTION'), sys_context('USERENV', 'CLIENT_INFO') from dual")...)
		}
		before := state()
		require.Equal(h, []string{"Europe/Warsaw", "me", "mine", "work", "it's"}, before[len(before)-1])
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		id := h.exec(h.task(1, "begin dbms_session.set_identifier('task'); execute immediate 'alter session set nls_date_format = ''YYYY'''; end;"))[0]
		s.exec(h.say.worker(0))
		require.Equal(h, "Succeeded", h.statusOf(id))
		require.Equal(h, before, state())
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		require.ErrorContains(h, s.try(h.say.worker(0)), h.errorText(14))
		require.Equal(h, before, state())
	})
}
