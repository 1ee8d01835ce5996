package integration

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleErrorTexts: an error says its number once, then what is wrong, with what the caller passed; with what the server said, where that is the reason.
func TestOracleErrorTexts(t *testing.T) {
	onOracle(t, setup{stopped: true, lanes: 3}, func(h *harness) {
		s := h.session()
		h.resource("crane", 1)
		p := h.process(dialects.NewProcess{Name: "p"})
		require.EqualValues(h, 2, p)
		s.exec(h.say.close(p))
		s.exec("begin dbsched.define_round('r', dbsched.t_names('a'), in_successor_sql => 'begin null; end;'); dbsched.create_schedule('s', '@daily', 'begin null; end;'); end;")
		exec := func(more string) string { return "dbsched.exec_async('begin null; end;', 1, " + more + ")" }
		list := func(tasks string) string { return "dbsched.exec_async_batch('" + tasks + "')" }
		create := func(calendar, zone string) string {
			return "dbsched.create_schedule('n', '" + calendar + "', 'begin null; end;', in_zone => '" + zone + "')"
		}
		for call, text := range sorted(map[string]string{
			"dbsched.exec_async('x', 1.5)":                                                    "20003: in_execution_order must be a whole number from -2147483648 to 2147483647.",
			exec("in_priority => -1000001"):                                                   "20003: in_priority must be a whole number from -1000000 to 1000000.",
			exec("in_max_attempts => 101"):                                                    "20003: in_max_attempts must be a whole number from 1 to 100.",
			exec("in_retry_delay_seconds => 86401"):                                           "20003: in_retry_delay_seconds must be a whole number from 0 to 86400.",
			exec("in_timeout_seconds => 0"):                                                   "20003: in_timeout_seconds must be a whole number from 1 to 2147483647.",
			exec("in_expected_seconds => -1"):                                                 "20003: in_expected_seconds must be a whole number from 0 to 2147483647.",
			exec("in_process_id => 7"):                                                        "20004: there is no process 7.",
			exec("in_process_id => 2"):                                                        "20005: process 2 is closed or finished and accepts no more tasks.",
			exec("in_resource => 'dock'"):                                                     `20040: there is no resource "dock"; an administrator creates it with define_resource.`,
			exec("in_resource => 'crane', in_access => 'x'"):                                  "20008: in_access must be Shared or Exclusive.",
			exec("in_access => 'shared'"):                                                     "20041: in_access needs in_resource, which is NULL.",
			exec("in_on_orphan => 'x'"):                                                       "20008: in_on_orphan must be Retry or Fail.",
			exec("in_parameters => '{\"n 1\": 1}'"):                                           `20033: "n 1" has a type that is not supported. Use number, integer, binary_double, varchar2, clob, raw, date, timestamp or timestamp with time zone.`,
			exec("in_parameters => '{\"n raw\": 1}'"):                                         `20034: "n raw" needs a single value of type raw, or null.`,
			list(`[{"sql": "x", "execution_order": 1}, 1]`):                                   "20036: task 2: it is not a JSON object.",
			list(`[{"sql": "x", "execution_order": 1, "order": 1}]`):                          `20036: task 1: "order" is not a parameter of exec_async, or its value has the wrong type.`,
			list(`[{"sql": "x", "execution_order": 1}, {"sql": "x"}]`):                        "20002: task 2: in_execution_order is NULL; pass the number of a wave.",
			list(`[{"sql": "x", "execution_order": 1, "process_id": 7}]`):                     "20004: task 1: there is no process 7.",
			list(`[{"sql": "x", "execution_order": 1, "process_id": 2}]`):                     "20005: task 1: process 2 is closed or finished and accepts no more tasks.",
			"dbsched.set_workers(4)":                                                          "20009: 4 workers need as many lanes, but 3 are installed. Install again with more lanes.",
			"dbsched.set_workers(10000)":                                                      "20003: in_max_workers must be a whole number from 0 to 9999.",
			"dbsched.cancel_task(7)":                                                          "20024: there is no task 7.",
			"dbsched.cancel_task(null)":                                                       "20024: in_task_id is NULL.",
			"dbsched.retry_task(null)":                                                        "20024: in_task_id is NULL.",
			"dbsched.retry_task(8)":                                                           "20024: there is no task 8.",
			"dbsched.retry_process(1)":                                                        "20027: there is nothing to retry: only Failed, TimedOut, Cancelled and Skipped tasks can be retried.",
			"dbsched.cancel_process(7)":                                                       "20004: there is no process 7.",
			"dbsched.cancel_process(null)":                                                    "20004: there is no process NULL.",
			"dbsched.cancel_process(1)":                                                       "20013: processes 0 (of schedules) and 1 (the default process) never end.",
			"dbsched.close_process(1)":                                                        "20013: processes 0 (of schedules) and 1 (the default process) are always open.",
			"dbsched.define_round('q', dbsched.t_names('a', 'b', 'a'), 'J')":                  `20054: in_members contains "a" twice; each name must occur once.`,
			"dbsched.define_round('q', dbsched.t_names('a'), 'J', in_execution_order => 0.5)": "20003: in_execution_order must be a whole number from -2147483648 to 2147483647.",
			"dbsched.define_round('q', dbsched.t_names('a'), 'J', in_max_age_seconds => 0)":   "20003: in_max_age_seconds must be a whole number from 1 to 31536000.",
			"dbsched.define_round('q', dbsched.t_names('a'), 'J', in_start_seconds => 3601)":  "20003: in_start_seconds must be a whole number from 1 to 3600.",
			"dbsched.report_round('q', 'a')":                                                  `20051: there is no round "q".`,
			"dbsched.report_round('r', 'b')":                                                  `20052: round "r" has no member "b".`,
			"dbsched.report_round('r', null)":                                                 "20050: in_round or in_member is NULL.",
			"dbsched.create_schedule('s', '@daily', 'begin null; end;')":                      `20073: there is a schedule "s". Change it with alter_schedule.`,
			"dbsched.run_schedule('t')":                                                       `20071: there is no schedule "t".`,
			"dbsched.alter_schedule('t', '@daily')":                                           `20071: there is no schedule "t".`,
			"dbsched.set_schedule_enabled('s', null)":                                         "20003: in_enabled is NULL.",
			"dbsched.run_firing(1)":                                                           "20078: run_firing is for the task of a firing. To start a schedule now, call run_schedule.",
			create("60 * * * *", "UTC"):                                                       `20074: the calendar "60 * * * *" cannot be read: field 1 (minute), "60": it must be from 0 to 59; also a range 1-5, or a range or * with a step */2.`,
			create("0 24 * * *", "UTC"):                                                       `20074: the calendar "0 24 * * *" cannot be read: field 2 (hour), "24": it must be from 0 to 23; also a range 1-5, or a range or * with a step */2.`,
			create("0 0 32 * *", "UTC"):                                                       `20074: the calendar "0 0 32 * *" cannot be read: field 3 (day of the month), "32": it must be from 1 to 31 or L; also a range 1-5, or a range or * with a step */2.`,
			create("0 0 1 MAI *", "UTC"):                                                      `20074: the calendar "0 0 1 MAI *" cannot be read: field 4 (month), "MAI": it must be from 1 to 12 or JAN to DEC; also a range 1-5, or a range or * with a step */2.`,
			create("0 0 1 1 SOL", "UTC"):                                                      `20074: the calendar "0 0 1 1 SOL" cannot be read: field 5 (day of the week), "SOL": it must be from 0 to 7, SUN to SAT, or one of these with #1 to #5; also a range 1-5, or a range or * with a step */2.`,
			create("0 0 1 1", "UTC"):                                                          `20074: the calendar "0 0 1 1" cannot be read: field 5 of 5 (day of the week) is missing.`,
			create("0 0 1 1 * 9", "UTC"):                                                      `20074: the calendar "0 0 1 1 * 9" cannot be read: after field 5 comes "9", but there are only five fields.`,
			create("every 0 days", "UTC"):                                                     `20074: the calendar "every 0 days" cannot be read: after every must come a number of minutes, hours or days, from 1 minute to 366 days.`,
			create("@fortnightly", "UTC"):                                                     `20074: the calendar "@fortnightly" cannot be read: of the names with @ there are yearly, annually, monthly, weekly, daily, midnight and hourly.`,
			create("0 0 31 2 *", "UTC"):                                                       `20074: the calendar "0 0 31 2 *" cannot be read: it never fires: no such day exists.`,
			create("@daily", "Here/There"):                                                    `20075: there is no time zone "Here/There": ORA-01882: timezone region not found. See V$TIMEZONE_NAMES.`,
			"dbsched.set_alarm_hook('p@elsewhere')":                                           "20060: in_procedure names a procedure in another database; name a local one.",
			"dbsched.set_alarm_hook('1p')":                                                    "20060: in_procedure must be a procedure that " + h.schema + " may execute and that has a parameter in_alarm_id: ORA-44004: invalid qualified SQL name",
			"dbsched.set_alarm_hook('nothing')":                                               "20060: in_procedure must be a procedure that " + h.schema + " may execute and that has a parameter in_alarm_id: ORA-06550: line 1, column 7:\nPLS-00201: identifier 'NOTHING' must be declared",
			"dbsched.release_resource(7)":                                                     "20044: there is no such request: it was released before, or taken away because its session ended or its lease ran out.",
			"dbsched.drop_resource('dock')":                                                   "20040: there is no such resource; see ds_resource_info.",
			"dbsched.define_resource('crane', 1000001)":                                       "20003: in_capacity must be a whole number from 1 to 1000000.",
			"dbsched.purge(36501)":                                                            "20003: in_days must be a whole number from 0 to 36500.",
			"dbsched.set_options(in_linger_seconds => 3601)":                                  "20003: in_linger_seconds must be a whole number from 0 to 3600.",
			"dbsched.set_options(in_idle_sweep_seconds => 0)":                                 "20003: in_idle_sweep_seconds must be a whole number from 1 to 86400.",
			"dbsched.set_options(in_retention_days => 0)":                                     "20003: in_retention_days must be a whole number from 1 to 36500.",
			"dbsched.set_options(in_max_retry_delay_seconds => 0.5)":                          "20003: in_max_retry_delay_seconds must be a whole number from 0 to 86400.",
			"dbsched.set_options(in_max_orphans => 101)":                                      "20003: in_max_orphans must be a whole number from 0 to 100.",
			"dbsched.set_options(in_outage_seconds => -1)":                                    "20003: in_outage_seconds must be a whole number from 0 to 2592000.",
			"dbsched.task_scheduler(86401)":                                                   "20003: in_waiting_time must be a whole number from 0 to 86400.",
			"dbsched.wait_process(1, 604801)":                                                 "20003: in_timeout_seconds must be a whole number from 0 to 604800.",
			"dbsched.wait_process(7, 1)":                                                      "20004: there is no process 7.",
		}) {
			err := s.try("begin " + call + "; end;")
			require.Error(h, err, call)
			number, _, _ := strings.Cut(text, ":")
			require.Contains(h, err.Error(), "ORA-"+number+": dbsched "+text, call)
			require.Equal(h, 1, strings.Count(err.Error(), "dbsched 2"), "%s: %s", call, err)
		}
	})
}
