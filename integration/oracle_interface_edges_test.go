package integration

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestOracleEdges is about what TestEdges leaves out: what only Oracle has, the highest numbers that there are, halves, and NULL.
func TestOracleEdges(t *testing.T) {
	onOracle(t, setup{stopped: true, lanes: 1}, func(h *harness) {
		s := h.session()
		const highest = 2147483647
		task, process := "dbsched.exec_async('begin null; end;', 1, %s => ", "declare l_id number; begin dbsched.create_process('p', l_id, %s => "
		round := "dbsched.define_round('r', dbsched.t_names('m'), in_successor_sql => 'begin null; end;', %s => "
		for _, e := range []struct {
			call, parameter string
			lowest, highest int64
			null            bool // it may be
			instead         int  // the error of a good value
		}{
			{"dbsched.exec_async('begin null; end;', %s => ", "in_execution_order", -highest - 1, highest, false, 0},
			{task, "in_priority", -1000000, 1000000, false, 0}, {task, "in_max_attempts", 1, 100, false, 0}, {task, "in_retry_delay_seconds", 0, 86400, false, 0},
			{task, "in_timeout_seconds", 1, highest, true, 0}, {task, "in_expected_seconds", 0, highest, false, 0},
			{process, "in_priority", -1000000, 1000000, false, 0}, {process, "in_weight", 1, 1000, false, 0}, {process, "in_max_parallel", 1, highest, true, 0},
			{"dbsched.wait_process(1, %s => ", "in_timeout_seconds", 0, 604800, false, 0},
			{"dbsched.define_resource('r', %s => ", "in_capacity", 1, 1000000, false, 0},
			{"declare l_id number; begin dbsched.acquire_resource('nothing', l_id, %s => ", "in_timeout_seconds", 0, 604800, false, 40},
			{"declare l_id number; begin dbsched.acquire_resource('nothing', l_id, %s => ", "in_lease_seconds", 1, 604800, true, 40},
			{round, "in_execution_order", -highest - 1, highest, false, 0}, {round, "in_max_age_seconds", 1, 31536000, false, 0}, {round, "in_start_seconds", 1, 3600, false, 0},
			{"declare l_all varchar2(4000); begin l_all := dbsched.next_instants('@daily', %s => ", "in_count", 1, 100, false, 0},
			{"dbsched.set_workers(%s => ", "in_max_workers", 0, 9999, false, 9}, {"dbsched.task_scheduler(%s => ", "in_waiting_time", 0, 86400, false, 14}, {"dbsched.purge(%s => ", "in_days", 0, 36500, true, 0},
			{"dbsched.set_options(%s => ", "in_linger_seconds", 0, 3600, true, 0}, {"dbsched.set_options(%s => ", "in_idle_sweep_seconds", 1, 86400, true, 0}, {"dbsched.set_options(%s => ", "in_retention_days", 1, 36500, true, 0},
			{"dbsched.set_options(%s => ", "in_max_retry_delay_seconds", 0, 86400, true, 0}, {"dbsched.set_options(%s => ", "in_max_orphans", 0, 100, true, 0}, {"dbsched.set_options(%s => ", "in_outage_seconds", 0, 2592000, true, 0},
			{"dbsched.set_options(%s => ", "in_max_tasks_per_user", 0, highest, true, 0}, {"dbsched.set_options(%s => ", "in_default_timeout_seconds", 0, highest, true, 0},
		} {
			pass := func(value string) error {
				call := fmt.Sprintf(e.call, e.parameter) + value + "); end;"
				if !strings.HasPrefix(call, "declare") {
					call = "begin " + call
				}
				err := s.try(call)
				s.exec("delete from ds_tasks")
				return err
			}
			for _, value := range []string{fmt.Sprint(e.lowest - 1), fmt.Sprint(e.highest + 1), fmt.Sprintf("%d.5", e.lowest+1)} {
				assert.ErrorContains(h, pass(value), fmt.Sprintf("ORA-20003: dbsched 20003: %s must be a whole number from %d to %d.", e.parameter, e.lowest, e.highest), value)
			}
			good := []string{fmt.Sprint(e.lowest), fmt.Sprint(e.highest)}
			if e.null && !strings.Contains(e.call, "set_options") { // which needs at least one
				good = append(good, "null")
			} else if e.parameter != "in_execution_order" || e.call == round { // whose error is another
				assert.ErrorContains(h, pass("null"), "ORA-20003: ", e.parameter)
			}
			for _, value := range good {
				if e.instead > 0 && value != "0" {
					assert.ErrorContains(h, pass(value), h.errorText(e.instead), "%s %s", e.parameter, value)
				} else if e.instead == 0 {
					assert.NoError(h, pass(value), "%s %s", e.parameter, value)
				}
			}
		}

		list := func(member, value string) error {
			return s.try(fmt.Sprintf("begin dbsched.exec_async_batch('[{\"sql\": \"begin null; end;\", \"execution_order\": 1, \"%s\": %s}]'); end;", member, value))
		}
		words := func(n int) string { return `"` + strings.Repeat("x", n) + `"` }
		for _, member := range []string{"resource", "access", "on_orphan", "not_before"} {
			longest := map[string]int{"resource": 128, "access": 30, "on_orphan": 30, "not_before": 40}[member]
			instead := map[string]int{"resource": 40, "access": 8, "on_orphan": 8, "not_before": 36}[member]
			assert.ErrorContains(h, list(member, words(longest)), h.errorText(instead))
			assert.ErrorContains(h, list(member, words(longest+1)), fmt.Sprintf(`dbsched 20036: task 1: "%s" is not a parameter`, member))
		}
		members := func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, `, "p%d": 1`, i)
			}
			return "{" + b.String()[2:] + "}"
		}
		const parameters = "begin dbsched.exec_async('begin null; end;', 1, in_parameters => :doc); end;"
		assert.NoError(h, s.withText(parameters, members(1000)))
		assert.ErrorContains(h, s.withText(parameters, members(1001)), "20031")
		s.exec("delete from ds_tasks")
		assert.ErrorContains(h, list("execution_order", "2147483648"), "20036")
		assert.NoError(h, list("execution_order", "-2147483648"))
	})
}

// TestOracleNamesOfARound: what a round's members and its job may be called.
func TestOracleNamesOfARound(t *testing.T) {
	onOracle(t, setup{stopped: true, lanes: 1}, func(h *harness) {
		s := h.session()
		define := func(members, job string) error {
			return s.try(fmt.Sprintf("begin dbsched.define_round('r', dbsched.t_names(%s), %s); end;", members, oracleLiteral(job)))
		}
		long := strings.Repeat("x", 128)
		for job, want := range sorted(map[string][2]string{
			"report": {h.schema, "REPORT"}, " app . report ": {"APP", "REPORT"}, `"Report"`: {h.schema, "Report"}, `app."My report"`: {"APP", "My report"}, `"My app".report`: {"My app", "REPORT"},
			long: {h.schema, strings.ToUpper(long)}, `"` + long + `"."` + long + `"`: {long, long}, "a$b_1#": {h.schema, "A$B_1#"},
		}) {
			assert.NoError(h, define("'m'", job), job)
			assert.Equal(h, [][]string{want[:]}, s.rows("select r.job_owner, r.job_name from ds_rounds r"), job)
		}
		for _, job := range []string{"a.b.c", "a b", "1a", "a.", ".a", "a;b", `"a`, `""`, "a--b", "a'b", long + "x", long + "x.a", `"` + long + `x"`, `a."` + long + `x"`, `"` + long + `x".a`} {
			assert.ErrorContains(h, define("'m'", job), "dbsched 20055: ", job)
		}
		for _, members := range []string{"null", "'a', null", "'" + long + "x'", "'a', '" + long + "x', 'b'", "'a', 'a'", "'a', 'b', 'a'", "'b', 'a', 'a'", "'" + long + "', '" + long + "'"} {
			assert.ErrorContains(h, define(members, "report"), "dbsched 20054: ", members)
		}
		assert.NoError(h, define("'a', 'A', 'b ', 'b', '"+long+"'", "report"))
		assert.Equal(h, "5", s.value("select count(*) from ds_round_members"))
		assert.ErrorContains(h, s.try("begin dbsched.define_round('r', null, 'report'); end;"), "20054")
		assert.NoError(h, s.try("begin dbsched.define_round('r', dbsched.t_names()); end;"))
		assert.Equal(h, "0", s.value("select (select count(*) from ds_rounds) + (select count(*) from ds_round_members) from dual"))
	})
}
