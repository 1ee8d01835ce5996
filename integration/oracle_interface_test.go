package integration

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleExceptions: the package declares an exception for each error, and it is the exception of no other error.
func TestOracleExceptions(t *testing.T) {
	onOracle(t, setup{stopped: true, lanes: 1}, func(h *harness) {
		text, err := os.ReadFile("../docs/interface-oracle.md")
		require.NoError(h, err)
		promised := regexp.MustCompile("(?m)^\\| `(e_[a-z_]+)` \\| ORA-(20\\d{3}) \\|").FindAllStringSubmatch(string(text), -1)
		require.Greater(h, len(promised), 40)
		s := h.session()
		numbers, block := map[string]string{}, ""
		for _, p := range promised {
			require.NotContains(h, numbers, p[2])
			numbers[p[2]] = p[1]
			block += fmt.Sprintf("\n    begin raise_application_error(-%s, 'x'); exception when dbsched.%s then null; end;", p[2], p[1])
		}
		s.exec("begin" + block + "\nend;")
	})
}

// changes returns the columns of a row that have other values than before.
func (r row) changes(before row) row {
	changed := maps.Clone(r)
	for column, value := range before {
		if changed[column] == value {
			delete(changed, column)
		}
	}
	return changed
}

// taskRow returns what the caller has determined of a task.
func (h *harness) taskRow(s *session, id int64) row {
	h.Helper()
	r := maps.Clone(only(h.rowsOf(s, "tasks"), "taskid", fmt.Sprint(id)))
	require.NotNil(h, r, "task %d", id)
	kept := row{}
	for _, c := range strings.Fields("processid executionorder priority expectedseconds status waitreason dueat name sqltext maxattempts retrydelayseconds onorphan resourceid accessmode timeoutseconds transactional dedupkey parameters") {
		require.Contains(h, r, c)
		kept[c] = r[c]
	}
	return kept
}

// TestOracleParametersOfATask: each has its default, and what is passed arrives, in its place or by its name, alone, in a table and in a list.
func TestOracleParametersOfATask(t *testing.T) {
	onOracle(t, setup{stopped: true, lanes: 1}, func(h *harness) {
		s := h.session()
		h.resource("crane", 2)
		h.resource("dock", 3)
		p := h.process(dialects.NewProcess{Name: "p"})
		const table = "declare l_tasks dbsched.t_tasks; l_ids dbsched.t_task_ids; begin l_tasks(5).sql_text := 'begin null; end;'; l_tasks(5).execution_order := 3; %s dbsched.exec_async_table(l_tasks, l_ids); :result := l_ids(5); end;"
		one := func(more string) int64 {
			return number(h, s.ask("declare l_id number; begin dbsched.exec_async("+more+", out_task_id => l_id); :result := l_id; end;"))
		}
		last := func(call string) int64 { // of those that return no id
			s.exec(call)
			return number(h, s.value("select max(t.task_id) from ds_tasks t"))
		}

		byDefault := row{
			"processid": "1", "executionorder": "3", "priority": "0", "expectedseconds": "0", "status": "Pending", "waitreason": "NULL", "dueat": "NULL", "sqltext": "begin null; end;",
			"maxattempts": "1", "retrydelayseconds": "10", "onorphan": "Retry", "resourceid": "NULL", "accessmode": "NULL", "timeoutseconds": "NULL", "transactional": "N", "dedupkey": "NULL", "parameters": "NULL", "name": "NULL",
		}
		for _, id := range []int64{
			one("'begin null; end;', 3"), number(h, s.ask(fmt.Sprintf(table, ""))), s.ids(`[{"sql": "begin null; end;", "execution_order": 3}]`)[0],
			s.ids(`[{"sql": "begin null; end;", "execution_order": 3, "process_id": null, "priority": null, "max_attempts": null, "retry_delay_seconds": null, "timeout_seconds": null, "not_before": null,
				"expected_seconds": null, "resource": null, "access": null, "transactional": null, "on_orphan": null, "dedup_key": null, "parameters": null, "name": null}]`)[0],
			last("begin dbsched.exec_async('begin null; end;', 3); end;"), last("begin dbsched.exec_async_batch('[{\"sql\": \"begin null; end;\", \"execution_order\": 3}]'); end;"),
			last("declare l_tasks dbsched.t_tasks; begin l_tasks(1).sql_text := 'begin null; end;'; l_tasks(1).execution_order := 3; dbsched.exec_async_table(l_tasks); end;"),
		} {
			require.Equal(h, byDefault, h.taskRow(s, id))
		}

		const at = "timestamp '2199-03-04 05:06:07 +02:00'"
		for i, parameter := range []struct{ name, sql, json, column, value string }{
			{"in_process_id", fmt.Sprint(p), fmt.Sprint(p), "processid", fmt.Sprint(p)},
			{"in_priority", "-7", "-7", "priority", "-7"},
			{"in_max_attempts", "8", "8", "maxattempts", "8"},
			{"in_retry_delay_seconds", "9", "9", "retrydelayseconds", "9"},
			{"in_timeout_seconds", "11", "11", "timeoutseconds", "11"},
			{"in_not_before", at, `"2199-03-04T05:06:07+02:00"`, "dueat", "2199-03-04 03:06:07.000000"},
			{"in_expected_seconds", "12", "12", "expectedseconds", "12"},
			{"in_resource", "'dock'", `"dock"`, "resourceid", "2"},
			{"in_transactional", "true", "true", "transactional", "Y"},
			{"in_on_orphan", "'FAIL'", `"FAIL"`, "onorphan", "Fail"},
			{"in_dedup_key", "'k'", `"k"`, "dedupkey", "k"},
			{"in_parameters", `'{"n": 1}'`, `{"n": 1}`, "parameters", `{"n": 1}`},
			{"in_name", "'Build facts'", `"Build facts"`, "name", "Build facts"},
			{"in_access", "'exclusive', in_resource => 'crane'", `"EXCLUSIVE", "resource": "crane"`, "accessmode", "Exclusive"},
		} {
			want := maps.Clone(byDefault)
			want[parameter.column] = parameter.value
			switch parameter.name {
			case "in_not_before":
				want["status"], want["waitreason"] = "Waiting", "Delay"
			case "in_resource":
				want["accessmode"] = "Shared"
			case "in_access":
				want["resourceid"] = "1"
			}
			field := strings.TrimPrefix(parameter.name, "in_")
			inTable := map[string]string{"resource": "resource_name", "access": "access_mode"}[field]
			if inTable == "" {
				inTable = field
			}
			set := fmt.Sprintf("l_tasks(5).%s := %s;", inTable, parameter.sql)
			if field == "access" {
				set = "l_tasks(5).access_mode := 'exclusive'; l_tasks(5).resource_name := 'crane';"
			}
			for _, id := range []int64{
				one("'begin null; end;', 3, " + parameter.name + " => " + parameter.sql), number(h, s.ask(fmt.Sprintf(table, set))),
				s.ids(fmt.Sprintf(`[{"sql": "begin null; end;", "execution_order": 3, "%s": %s}]`, field, parameter.json))[0],
				last("begin dbsched.exec_async('begin null; end;', 3, " + parameter.name + " => " + parameter.sql + "); end;"),
			} {
				require.Equal(h, want, h.taskRow(s, id), "%d: %s", i, parameter.name)
			}
			s.exec("delete from ds_tasks t where t.dedup_key is not null")
		}

		all := fmt.Sprintf(`'insert into t (n) values (:n)', 4, %d, 5, 6, 7, 8, %s, 9, 'crane', 'Shared', true, 'fail', 'all', '{"n": 2}', 'facts'`, p, at)
		want := row{
			"processid": fmt.Sprint(p), "executionorder": "4", "priority": "5", "maxattempts": "6", "retrydelayseconds": "7", "timeoutseconds": "8", "status": "Waiting", "waitreason": "Delay",
			"dueat": "2199-03-04 03:06:07.000000", "expectedseconds": "9", "resourceid": "1", "accessmode": "Shared", "transactional": "Y", "onorphan": "Fail", "dedupkey": "all", "parameters": `{"n": 2}`, "name": "facts",
			"sqltext": "insert into t (n) values (:n)",
		}
		require.Equal(h, want, h.taskRow(s, number(h, s.ask("declare l_id number; begin dbsched.exec_async("+all+", l_id); :result := l_id; end;"))))
		s.exec("delete from ds_tasks t where t.dedup_key is not null")
		require.Equal(h, want, h.taskRow(s, last("begin dbsched.exec_async("+all+"); end;")))
	})
}

// TestOracleParametersInTheirPlaces: those of the other procedures, each with a value of its own, and the defaults of those that have one.
func TestOracleParametersInTheirPlaces(t *testing.T) {
	onOracle(t, setup{stopped: true, lanes: 4}, func(h *harness) {
		s := h.session()
		inRow := func(table, key, value string, columns string) []string {
			h.Helper()
			r := only(h.rowsOf(s, table), key, value)
			require.NotNil(h, r, "%s %s", table, value)
			var all []string
			for _, c := range strings.Fields(columns) {
				require.Contains(h, r, c)
				all = append(all, r[c])
			}
			return all
		}

		const process = "status onerror priority weight maxparallel createdby"
		me := s.value("select user || '#' || sys_context('USERENV', 'SESSION_USERID') from dual")
		s.exec("declare l_id number; begin dbsched.create_process('plain', l_id); dbsched.create_process('all', l_id, true, 'CONTINUE', 2, 3, 4); end;")
		require.Equal(h, []string{"Open", "Halt", "0", "1", "NULL", me}, inRow("processes", "name", "plain", process))
		require.Equal(h, []string{"Suspended", "Continue", "2", "3", "4", me}, inRow("processes", "name", "all", process))
		p := inRow("processes", "name", "plain", "processid")[0]

		const round = "successorsql successororder successorprocessid maxageseconds startseconds jobowner jobname"
		s.exec("begin dbsched.define_round('plain', dbsched.t_names('b', 'a'), in_successor_sql => 'begin null; end;'); " +
			"dbsched.define_round('all', dbsched.t_names('c'), null, 'begin 1; end;', 5, " + p + ", 6, 7); dbsched.define_round('job', dbsched.t_names('c'), 'some_job'); " +
			"dbsched.define_round('elsewhere', dbsched.t_names('c'), '\"Other\".\"A job\"', in_start_seconds => 8); end;")
		require.Equal(h, []string{"begin null; end;", "1", "1", "43200", "60", "NULL", "NULL"}, inRow("rounds", "name", "plain", round))
		require.Equal(h, []string{"begin 1; end;", "5", p, "6", "7", "NULL", "NULL"}, inRow("rounds", "name", "all", round))
		require.Equal(h, []string{"NULL", "1", "1", "43200", "60", h.schema, "SOME_JOB"}, inRow("rounds", "name", "job", round))
		require.Equal(h, []string{"NULL", "1", "1", "43200", "8", "Other", "A job"}, inRow("rounds", "name", "elsewhere", round))
		require.Equal(h, [][]string{{"all", "c"}, {"elsewhere", "c"}, {"job", "c"}, {"plain", "a"}, {"plain", "b"}}, s.rows("select m.round, m.member from ds_round_member_info m order by 1, 2"))

		s.exec("begin dbsched.define_resource('plain'); dbsched.define_resource('all', 5); end;")
		require.Equal(h, "1", inRow("resources", "name", "plain", "capacity")[0])
		require.Equal(h, "5", inRow("resources", "name", "all", "capacity")[0])
		const request = "accessmode requester leaseseconds requestedby processid taskid status"
		wait := func(id string) time.Duration { // until the session would be taken for dead
			r := only(h.rowsOf(s, "resource_requests"), "requestid", id)
			return must(time.Parse(instantForm, r["giveupat"])).Sub(must(time.Parse(instantForm, r["requestedat"]))).Round(time.Second)
		}
		id := s.ask("declare l_id number; begin dbsched.acquire_resource('plain', l_id); :result := l_id; end;")
		require.Equal(h, []string{"Shared", h.schema, "NULL", me, "NULL", "NULL", "Granted"}, inRow("resource_requests", "requestid", id, request))
		require.Equal(h, 90*time.Second, wait(id))
		id = s.ask("declare l_id number; begin dbsched.acquire_resource('all', l_id, 'EXCLUSIVE', 7, 8, 'it'); :result := l_id; end;")
		require.Equal(h, []string{"Exclusive", "it", "8", me, "NULL", "NULL", "Granted"}, inRow("resource_requests", "requestid", id, request))
		require.Equal(h, 37*time.Second, wait(id))

		const schedule = "calendar zone tasks overlap missed onerror weight maxparallel status beginat endat owner"
		s.exec("begin dbsched.create_schedule('plain', '@yearly', 'it''s \"\\' || chr(9) || chr(10) || chr(13)); dbsched.create_schedule('all', '@hourly', null, '[{\"sql\": \"begin null; end;\", \"execution_order\": 2}]', 'Europe/Warsaw', 'QUEUE', " +
			"'all', 'Continue', 2, 3, false, timestamp '2199-01-01 00:00:00 +01:00', timestamp '2299-01-01 00:00:00 UTC'); end;")
		plain, all := inRow("schedules", "name", "plain", schedule), inRow("schedules", "name", "all", schedule)
		plain[9] = "" // now
		require.Equal(h, []string{"@yearly", "UTC", `[{"sql":"it's \"\\\t\n\r","execution_order":1}]`, "Skip", "Once", "Halt", "1", "NULL", "Enabled", "", "NULL", me}, plain)
		require.Equal(h, []string{"@hourly", "Europe/Warsaw", `[{"sql": "begin null; end;", "execution_order": 2}]`, "Queue", "All", "Continue", "2", "3", "Disabled",
			"2198-12-31 23:00:00.000000", "2299-01-01 00:00:00.000000", me}, all)

		// What is NULL stays.
		for _, a := range []struct{ parameter, column, value string }{
			{"in_calendar => '@daily'", "calendar", "@daily"}, {"in_sql => 'x'", "tasks", `[{"sql":"x","execution_order":1}]`}, {"in_zone => 'UTC'", "zone", "UTC"}, {"in_overlap => 'allow'", "overlap", "Allow"},
			{"in_missed => 'NONE'", "missed", "None"}, {"in_on_error => 'Halt'", "onerror", "Halt"}, {"in_weight => 7", "weight", "7"}, {"in_max_parallel => 8", "maxparallel", "8"}, {"in_max_parallel => 0", "maxparallel", "NULL"},
			{"in_begin_at => timestamp '2200-01-01 00:00:00 UTC'", "beginat", "2200-01-01 00:00:00.000000"}, {"in_end_at => timestamp '2300-01-01 00:00:00 UTC'", "endat", "2300-01-01 00:00:00.000000"},
		} {
			before := only(h.rowsOf(s, "schedules"), "name", "all")
			s.exec("begin dbsched.alter_schedule('all', " + a.parameter + "); end;")
			changed := only(h.rowsOf(s, "schedules"), "name", "all").changes(before)
			delete(changed, "form")
			delete(changed, "nextat")
			require.Equal(h, row{a.column: a.value}, changed, a.parameter)
		}

		next := func(arguments string) string {
			return s.value("select dbsched.next_instants(" + arguments + ") from dual")
		}
		require.Equal(h, `["2030-01-01T23:00:00","2030-01-02T23:00:00","2030-01-03T23:00:00"]`,
			next("'@daily', 'Europe/Warsaw', timestamp '2030-01-01 12:00:00', 3, timestamp '2029-01-01 00:00:00 UTC', timestamp '2030-02-01 00:00:00 UTC'"))
		require.Equal(h, `["2030-01-05T00:00:00","2030-01-06T00:00:00"]`,
			next("'@daily', 'UTC', timestamp '2030-01-01 12:00:00', 9, timestamp '2030-01-05 00:00:00 UTC', timestamp '2030-01-06 00:00:00 UTC'"))
		require.Equal(h, 9, strings.Count(next("'@daily'"), ","))
		require.Regexp(h, `^\["\d{4}-\d\d-\d\dT00:00:00"`, next("'@daily'"))

		// Each option alone leaves the others.
		for i, option := range []string{"linger_seconds", "idle_sweep_seconds", "retention_days", "max_retry_delay_seconds", "max_orphans", "outage_seconds", "max_tasks_per_user", "default_timeout_seconds"} {
			before := h.rowsOf(s, "settings")[0]
			h.pause(time.Second)
			s.exec(fmt.Sprintf("begin dbsched.set_options(in_%s => %d); end;", option, 21+i))
			changed := h.rowsOf(s, "settings")[0].changes(before)
			require.Contains(h, changed, "changedat")
			delete(changed, "changedat")
			delete(changed, "nextsweepat")
			require.Equal(h, row{strings.ReplaceAll(option, "_", ""): fmt.Sprint(21 + i)}, changed)
		}
		s.exec("begin dbsched.set_options(1, 2, 3, 4, 5, 6, 7, 8); end;")
		require.Equal(h, [][]string{{"1", "2", "3", "4", "5", "6", "7", "8"}}, s.rows(h.say.optionsRead))
	})
}
