package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleJobsAndQueues: what a DBA sees of dbsched's jobs and queues is what docs/design-oracle.md says: jobs that stay when they have run and are not
// restarted by the engine, lanes without a schedule, a dispatcher that runs each minute, and queues that lose no message to an exception queue.
func TestOracleJobsAndQueues(t *testing.T) {
	onOracle(t, setup{stopped: true, lanes: 2}, func(h *harness) {
		s := h.session()
		const jobs = "select j.job_name, j.job_type, j.enabled, j.auto_drop, j.restartable, j.repeat_interval, j.comments, j.state from user_scheduler_jobs j order by j.job_name"
		want := func(enabled, state string) [][]string {
			return [][]string{
				{"DS_DISPATCHER", "PLSQL_BLOCK", enabled, "FALSE", "FALSE", "FREQ=MINUTELY", "dbsched: reads wake-ups and gives lanes to runnable tasks", state},
				{"DS_LANE_01", "PLSQL_BLOCK", "FALSE", "FALSE", "FALSE", "NULL", "dbsched: worker slot 1", "DISABLED"},
				{"DS_LANE_02", "PLSQL_BLOCK", "FALSE", "FALSE", "FALSE", "NULL", "dbsched: worker slot 2", "DISABLED"},
			}
		}
		require.Equal(h, want("FALSE", "DISABLED"), s.rows(jobs))
		queues := s.rows("select q.name, q.queue_table, q.max_retries, q.retry_delay, trim(q.enqueue_enabled), trim(q.dequeue_enabled), q.retention, q.user_comment from user_queues q where trim(q.queue_type) = 'NORMAL_QUEUE' order by q.name")
		require.Equal(h, [][]string{
			{"DS_LANE_Q", "DS_WAKE_QT", "2147483647", "0", "YES", "YES", "0", "dbsched: wake-ups"}, {"DS_WAKE_Q", "DS_WAKE_QT", "2147483647", "0", "YES", "YES", "0", "dbsched: wake-ups"},
		}, queues)
		require.Equal(h, [][]string{{"DS_WAKE_QT", "RAW", "SINGLE", "dbsched: wake-ups"}}, s.rows("select t.queue_table, t.type, t.recipients, t.user_comment from user_queue_tables t"))

		require.NoError(h, h.sched.Start(h.Context()))
		h.exec(h.task(1, h.say.nothing))
		h.drain(time.Minute)
		require.Equal(h, "TRUE", s.rows(jobs)[0][2])
		s.exec("begin dbms_aqadm.stop_queue('DS_LANE_Q'); end;")
		require.ErrorContains(h, s.try("begin dbsched.start_scheduler; end;"), "DS_WAKE_Q or DS_LANE_Q is missing or stopped")
		s.exec("begin dbms_aqadm.start_queue('DS_LANE_Q', enqueue => true, dequeue => false); end;")
		require.ErrorContains(h, s.try("begin dbsched.start_scheduler; end;"), "20015")
		s.exec("begin dbms_aqadm.stop_queue('DS_WAKE_Q'); end;")
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 2})
		require.NoError(h, err)
		s.exec("begin dbsched.stop_scheduler; end;")
		h.pause(time.Minute)
		require.Equal(h, want("FALSE", "DISABLED"), s.rows(jobs))
		require.Equal(h, "0", s.value("select count(*) from user_scheduler_running_jobs"))
	})
}

// TestOracleWhatATaskStartsWith: docs/concepts.md promises it, whoever installed, and whatever the task before has set. V$SESSION names process,
// task and submitter, and only while it runs.
func TestOracleWhatATaskStartsWith(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		s.exec("create table seen (n number, parameter varchar2(64), value varchar2(200))")
		look := func(n int) string {
			return fmt.Sprintf(`begin
    insert into seen (n, parameter, value) select %[1]d, p.parameter, p.value from nls_session_parameters p;
    insert into seen (n, parameter, value)
    select %[1]d, 'session', sessiontimezone || ' ' || sys_context('USERENV', 'MODULE') || ' ' || sys_context('USERENV', 'ACTION') || ' ' || nvl(sys_context('USERENV', 'CLIENT_INFO'), '-')
        || ' ' || nvl(sys_context('USERENV', 'CLIENT_IDENTIFIER'), '-') || ' ' || sys_context('USERENV', 'CURRENT_SCHEMA') from dual;
end;`, n)
		}
		spoils := `begin
    dbms_session.set_identifier('me'); dbms_application_info.set_module('mine', 'work'); dbms_application_info.set_client_info('spoiled');
    execute immediate 'alter session set current_schema = sys';
    execute immediate 'alter session set nls_language = ''GERMAN''';
    execute immediate 'alter session set nls_territory = ''GERMANY''';
    execute immediate 'alter session set nls_sort = ''BINARY_CI'' nls_comp = ''LINGUISTIC'' nls_numeric_characters = '',.'' nls_date_format = ''DD.MM.YY'' nls_timestamp_format = ''HH24''';
    execute immediate 'alter session set nls_timestamp_tz_format = ''HH24 TZR'' nls_length_semantics = ''CHAR'' nls_nchar_conv_excp = ''TRUE'' ddl_lock_timeout = 7';
    execute immediate 'alter session set time_zone = ''Europe/Warsaw''';
end;`
		ids := h.exec(h.task(1, look(1)), h.task(2, spoils), h.task(3, look(2)), h.task(4, strings.Replace(spoils, "end;", "raise zero_divide; end;", 1)), h.task(5, look(3)))
		h.drain(time.Minute)
		for i, n := range []int{1, 2, 3} {
			seen := map[string]string{}
			for _, r := range s.rows(fmt.Sprintf("select parameter, value from seen where n = %d", n)) {
				seen[r[0]] = r[1]
			}
			for parameter, want := range sorted(map[string]string{
				"session": fmt.Sprintf("+00:00 dbsched P1 T%[1]d - %[2]s T%[1]d %[2]s", ids[2*i], h.schema), "NLS_LANGUAGE": "AMERICAN", "NLS_TERRITORY": "AMERICA", "NLS_SORT": "BINARY", "NLS_COMP": "BINARY", "NLS_NUMERIC_CHARACTERS": ".,",
				"NLS_LENGTH_SEMANTICS": "BYTE", "NLS_DATE_FORMAT": "YYYY-MM-DD HH24:MI:SS", "NLS_TIMESTAMP_FORMAT": "YYYY-MM-DD HH24:MI:SS.FF", "NLS_TIMESTAMP_TZ_FORMAT": "YYYY-MM-DD HH24:MI:SS.FF TZH:TZM",
				"NLS_CALENDAR": "GREGORIAN", "NLS_NCHAR_CONV_EXCP": "FALSE",
			}) {
				require.Equal(h, want, seen[parameter], "%s of the task %d", parameter, n)
			}
		}
		// Between tasks the session says that it is dbsched's, and no task of its.
		sid := s.value("select w.session_id from ds_worker_info w where w.kind = 'Lane'")
		require.Equal(h, [][]string{{"dbsched", "NULL", "NULL", "NULL"}}, h.admin().rows("select x.module, x.action, x.client_info, x.client_identifier from v$session x where x.sid = "+sid))
	})
}
