package integration

import (
	"strings"

	"github.com/stretchr/testify/require"
)

// requireAlarmsName requires that the columns of all alarms name what they are about: the program filters by them.
func (h *harness) requireAlarmsName() {
	h.Helper()
	if h.dialect.Name() != "oracle" {
		return
	}
	for _, a := range h.session().rows("select a.kind, case when a.process_id is not null then 'process ' end || case when a.task_id is not null then 'task ' end || case when a.lane_id is not null then 'lane ' end " +
		"|| case when a.user_name is not null then 'user' end, a.process_id, a.task_id, a.lane_id, a.alarm_text from ds_alarms a") {
		want, known := alarmNames[a[0]]
		if !known || a[0] == "WorkerError" && !strings.HasPrefix(a[5], "A worker failed: ") { // a scenario's own
			continue
		}
		if a[0] == "LateTask" && strings.Contains(a[1], "user") { // that of the process, unless it is gone
			want += " user"
		}
		require.Equal(h, want, strings.TrimSpace(strings.TrimPrefix(a[1], "NULL")), "%v", a)
		if m := namedTask.FindStringSubmatch(a[5]); m != nil {
			require.Equal(h, m[1], a[3], "%v", a)
		}
		if m := namedLane.FindStringSubmatch(a[5]); m != nil {
			require.Equal(h, m[1], a[4], "%v", a)
		}
	}
}

// withOracleHook creates a procedure that records what it is passed; more is what else it does.
func (h *harness) withOracleHook(more string) *session {
	h.Helper()
	s := h.session()
	s.exec("create table told (id number generated always as identity primary key, alarm_id number not null, kind varchar2(20) not null)")
	s.exec("create or replace procedure on_alarm (in_alarm_id in number) as\nbegin\n" + more +
		"\n    insert into told (alarm_id, kind) select a.alarm_id, a.kind from ds_alarm_info a where a.alarm_id = in_alarm_id;\nend;")
	s.exec("begin dbsched.set_alarm_hook('on_alarm'); end;")
	return s
}

// oracleHookTasks returns the statuses of the tasks that call the hook.
func (h *harness) oracleHookTasks() []string {
	h.Helper()
	var all []string
	for _, row := range h.session().rows("select t.status from ds_task_info t where t.sql_text like 'begin %in_alarm_id => %' order by t.task_id") {
		all = append(all, row[0])
	}
	return all
}
