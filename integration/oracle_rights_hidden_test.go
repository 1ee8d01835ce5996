package integration

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/templates"
)

// everyColumn gives anna's, bert's and carl's rows a value in every column of every view. A user's words begin with the user's name.
func (r *running) everyColumn(s *session) {
	r.h.Helper()
	s.exec("begin dbsched.define_resource('r', 3); end;")
	for _, who := range []string{"anna", "bert", "carl"} {
		r.as(who).exec(strings.ReplaceAll(`declare
    l_process number;
    l_request number;
begin
    dbsched.create_process('# process', l_process, in_max_parallel => 3);
    dbsched.exec_async('begin null; /* # text */ end;', 1, l_process, in_timeout_seconds => 77, in_resource => 'r', in_access => 'Exclusive', in_dedup_key => '# key', in_name => '# task', in_parameters => '{"p": "# parameter"}');
    dbsched.exec_async('begin null; /* # later */ end;', 2, l_process, in_not_before => timestamp '2099-01-01 00:00:00 +00:00');
    commit;
    dbsched.define_round('# round', dbsched.t_names('# member'), in_successor_sql => 'begin null; /* # successor */ end;', in_process_id => l_process, in_execution_order => 5);
    dbsched.define_round('# job', dbsched.t_names('# member'), in_successor_sql => 'begin null; end;');
    dbsched.create_schedule('# schedule', '0 3 * * *', 'begin null; /* # task */ end;', in_max_parallel => 2,
        in_end_at => timestamp '2099-12-31 00:00:00 +00:00');
    dbsched.acquire_resource('r', l_request, in_lease_seconds => 3600, in_requester => '# requester');
end;`, "#", who))
	}
	// What only happens in the course of time is written into the tables. Each owner's first task is a running one that is to end.
	for _, statement := range []string{
		"insert into ds_logs (log_id, task_id, process_id, execution_order, attempt, sql_text, enqueued_by, lane_id, worker_id, session_id, session_key, started_at, ended_at, outcome, error_number, " +
			"error_message, error_backtrace, error_procedure, error_line, rows_affected, task_name) select ds_log_seq.nextval, t.task_id, t.process_id, 1, 1, 'text of ' || t.enqueued_by, t.enqueued_by, 1, 'worker', 55, 'key', " +
			"systimestamp, systimestamp, 'Failed', 20500, t.enqueued_by || ' error', t.enqueued_by || ' backtrace', t.enqueued_by || ' procedure', 7, 8, t.name from ds_tasks t",
		"update ds_tasks t set t.status = 'Stopping', t.wait_reason = null, t.stop_outcome = 'TimedOut', t.log_id = (select max(g.log_id) from ds_logs g where g.task_id = t.task_id), t.started_at = systimestamp, " +
			"t.finished_at = systimestamp, t.duplicate_of = 1, t.enqueued_by_os_user = 'os', t.enqueued_by_client = 'client' where t.execution_order = 1",
		"update ds_processes p set p.last_served_at = p.created_at, p.finished_at = p.created_at where p.process_id > 1",
		"update ds_resource_requests q set q.process_id = 1, q.task_id = 1, q.requested_by_os_user = 'os', q.requested_by_client = 'client', q.session_id = 55, q.lease_until = systimestamp",
		"update ds_round_members m set m.reported_at = systimestamp, m.succeeded = 'Y'",
		"update ds_rounds r set r.job_owner = r.defined_by, r.job_name = 'JOB', r.successor_sql = null where r.name like '% job'",
		"insert into ds_round_firings (firing_id, round_id, generation, fired_at, fired_by, start_seconds, task_id, detail) select ds_firing_seq.nextval, r.round_id, 1, systimestamp, r.name, 1, 1, r.name from ds_rounds r",
		"insert into ds_schedule_firings (firing_id, schedule_id, name, due_at, manual, status, detail, logged_at, task_id, owner) " +
			"select ds_schedule_firing_seq.nextval, s.schedule_id, s.name, sys_extract_utc(systimestamp), 'N', 'Started', s.name, systimestamp, 1, s.owner from ds_schedules s",
		"update ds_schedules s set s.reason = s.name, s.last_firing_id = (select max(f.firing_id) from ds_schedule_firings f where f.schedule_id = s.schedule_id)",
		"update ds_processes p set p.schedule_id = 1, p.firing_id = (select max(f.firing_id) from ds_schedule_firings f where f.owner = p.created_by) where p.process_id > 1",
		// Each user's first task is in a lane.
		"update ds_lanes l set l.worker_id = 'worker', l.state = 'Busy', l.session_id = 55, l.entered_at = systimestamp",
		"update ds_tasks t set t.worker_id = 'worker', t.lane_id = 1 where t.execution_order = 1 and t.enqueued_by like '" + r.names["bert"] + "#%'",
		"insert into ds_alarms (alarm_id, raised_at, kind, process_id, task_id, lane_id, user_name, alarm_text, acknowledged_at, acknowledged_by) " +
			"select ds_alarm_seq.nextval, systimestamp, 'ProcessFailed', t.process_id, t.task_id, 1, t.enqueued_by, t.enqueued_by || ' alarm', systimestamp, t.enqueued_by from ds_tasks t",
	} {
		s.exec(statement)
	}
}

// TestOracleNothingOfOthersShows: no column of a view shows anything of a hidden row, neither in the error of a condition nor to a function in
// one, to users who own nothing and to users who own something.
func TestOracleNothingOfOthersShows(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		s := h.session()
		require.NoError(h, h.sched.Stop(h.Context(), "Now"))
		r.user("nell", "CREATE SESSION", "CREATE PROCEDURE")
		require.NoError(h, h.sched.Grant(h.Context(), r.names["nell"], false))
		r.everyColumn(s)
		nell, anna := r.as("nell"), r.as("anna")
		// Like everybody who may create a procedure, nell writes a function that keeps what it is given.
		own := h.sessionOn(r.dsns["nell"])
		own.exec("create package peek as function look (in_value in varchar2) return number; function seen return varchar2; end peek;")
		own.exec(`create package body peek as
    g_seen varchar2(4000);
    function look (in_value in varchar2) return number is
    begin
        g_seen := nvl(in_value, g_seen);
        return 1;
    end look;
    function seen return varchar2 is
        l_seen varchar2(4000) := g_seen;
    begin
        g_seen := null;
        return l_seen;
    end seen;
end peek;`)
		require.Empty(h, own.rows("select e.line, e.text from user_errors e"))
		own.exec("grant execute on peek to public")
		peek := r.names["nell"] + ".peek"
		w := hiding{
			harness: h, everything: r.as("carl"),
			columns: nell.rows("select lower(c.table_name), lower(c.column_name) from all_tab_columns c where c.owner = '" + h.schema + "' and c.table_name <> 'DS_SCHEDULER_INFO' " +
				"and c.table_name like 'DS\\_%' escape '\\' order by c.table_name, c.column_id"),
			keys: map[string]string{
				"ds_task_info": "task_id", "ds_log_info": "log_id", "ds_process_info": "process_id", "ds_resource_info": "request_id", "ds_round_info": "round_id",
				"ds_round_member_info": "round_id", "ds_schedule_info": "schedule_id", "ds_schedule_log": "firing_id", "ds_alarm_info": "alarm_id", "ds_worker_info": "lane_id",
			},
			public: []string{
				"ds_resource_info.resource_name", "ds_resource_info.capacity", "ds_resource_info.held", "ds_resource_info.waiting", "ds_resource_info.request_id", "ds_resource_info.status",
				"ds_resource_info.access_mode", "ds_resource_info.requested_at", "ds_resource_info.granted_at",
				"ds_worker_info.lane_id", "ds_worker_info.kind", "ds_worker_info.state", "ds_worker_info.state_at", "ds_worker_info.session_id", "ds_worker_info.instance_id", "ds_worker_info.entered_at",
			},
			sought: []string{"ds_task_info.task_id", "ds_log_info.log_id", "ds_process_info.process_id", "ds_schedule_log.firing_id", "ds_alarm_info.alarm_id"},
			rows: func(view, key, column string) string {
				return fmt.Sprintf("select v.%s from %s v where v.%s is not null order by v.%[1]s", key, view, column)
			},
			attacks: func(view, key, column string, rows [][]string) (all []string) {
				value := "to_char(v." + column + ")"
				if len(rows) > 0 {
					value = fmt.Sprintf("case when nvl(v.%s, -1) not in (%s) then %s end", key, listOf(rows), value)
				}
				for _, condition := range []string{
					"1 / case when " + value + " is null then 1 else 0 end = 1", "to_number(nvl2(" + value + ", 'x', null)) = 1", "to_date(nvl2(" + value + ", 'x', null), 'YYYY') > sysdate",
					peek + ".look(" + value + ") = 1",
				} {
					all = append(all, fmt.Sprintf("declare n number; begin select count(*) into n from %s v where %s; end;", view, condition),
						fmt.Sprintf("declare n number; begin select count(*) into n from dual d left outer join %s v on %s; end;", view, condition))
				}
				return all
			},
			heard: func(user *session) string { return user.value("select nvl(" + peek + ".seen, ' ') from dual")[1:] },
		}
		w.requireHidden(nell, anna)

		// All columns have the form, and without it the errors show most of them: not those of a view whose conditions
		// the sandbox evaluates first, because it joins tables in the order that is cheapest.
		views, err := templates.Oracle(templates.Params{Schema: h.schema, Runner: r.names["runner"], Version: "1"})
		require.NoError(h, err)
		noticed := 0
		for _, c := range w.columns {
			if name := c[0] + "." + c[1]; slices.Contains(w.sought, name) || slices.Contains(w.public, name) {
				continue
			}
			text := views[slices.IndexFunc(views, func(b templates.Batch) bool { return strings.EqualFold(b.Object.Name, c[0]) })].SQL
			form := regexp.MustCompile(`\n(select|      ) case when (?:\w\.mine = 1|me\.sees_all = 'Y' or .* = me\.id|\w+\.sees_all = 'Y') then (.*(?:\n {12}.*)?) end as ` + c[1] + `\b`)
			require.Regexp(h, form, text, c)
			s.exec(form.ReplaceAllString(text, "\n$1 $2 as "+c[1]))
			if w.shows(c[0], c[1], nell) != "" {
				noticed++
			}
			s.exec(text)
		}
		require.Greater(h, noticed, 100)
	})
}
