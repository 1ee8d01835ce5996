package integration

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/dbsched/dbsched/dialects/oracle"
	"github.com/dbsched/dbsched/sandbox"
)

// oracleEngine is Oracle Database. A job may take five seconds to start, and one that was requested while its last run was just
// ending is requested again a second later.
func oracleEngine() engine {
	const start = 7 * time.Second
	return engine{
		dialect: oracle.Dialect{}, box: sandbox.Options{Dialect: "oracle"}, newServer: newOracle, say: oracleStatements,
		parts: oracle.Parts, wrecks: oracleWrecks, data: oracleData,
		schema: cmp.Or(os.Getenv("DBSCHED_TEST_ORACLE_SCHEMA"), "app"), odd: []string{"dbsched", "o$d_d#1"},
		refused: []string{"n'ame", "n]ame", "SYS", "somebody_else", "$(x)", " x", "x\n"},
		// The sweep checks once a minute whether a waiting worker is alive.
		errors: 20000, crashStep: 2, autonomous: true, soon: start, restart: 2 * start, replaced: start, freed: 3*time.Second + start,
		// The sandbox counts SQL, but not the PL/SQL in between. 16 of the rows are lanes.
		sweepRows: 30, sweepStatements: 36,
	}
}

// onOracle runs a scenario that is about Oracle itself.
func onOracle(t *testing.T, s setup, scenario func(h *harness)) {
	t.Helper()
	t.Parallel()
	oracleEngine().run(t, s, scenario)
}

// oracleLiteral quotes a text for SQL.
func oracleLiteral(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func oracleStatements(schema string) statements {
	call := func(format string, args ...any) string {
		return "begin dbsched." + fmt.Sprintf(format, args...) + "; end;"
	}
	exec := func(process int64, order int, task, more string) string {
		text := fmt.Sprintf("dbsched.exec_async(%s, %d", oracleLiteral(task), order)
		if process != 0 {
			text += fmt.Sprintf(", in_process_id => %d", process)
		}
		return text + more + ");"
	}
	wait := func(process int64, seconds int, more string) string {
		return fmt.Sprintf("declare l_result number; l_status varchar2(30); begin dbsched.wait_process(%d, %d, l_result, l_status);%s end;", process, seconds, more)
	}
	return statements{
		ask: func(ctx context.Context, c conn, text string) (answer string, err error) {
			_, err = c.ExecContext(ctx, text, sql.Named("result", go_ora.Out{Dest: &answer, Size: 100}))
			return answer, err
		},
		isolate: map[sql.IsolationLevel]string{
			sql.LevelReadCommitted: "set transaction isolation level read committed",
			sql.LevelSerializable:  "set transaction isolation level serializable",
		},
		now:     "select sys_extract_utc(systimestamp) from dual",
		nothing: "begin null; end;",
		pause:   oracle.Dialect{}.Sleep,
		wait:    func(process int64, seconds int) string { return wait(process, seconds, "") },
		waitResult: func(process int64, seconds int) string {
			return wait(process, seconds, " :result := l_result;")
		},
		enqueue: func(process int64, order int, task string) string {
			return "begin " + exec(process, order, task, "") + " end;"
		},
		enqueueReturn: func(process int64, order int, task string) string {
			return "declare l_id number; begin " + exec(process, order, task, ", out_task_id => l_id") + " :result := l_id; end;"
		},
		savepoint:  "savepoint here",
		rollbackTo: "rollback to savepoint here",
		createProcess: func(name string, suspended bool) string {
			return fmt.Sprintf("declare l_id number; begin dbsched.create_process(%s, l_id, in_suspended => %t); :result := l_id; end;", oracleLiteral(name), suspended)
		},
		release: func(process int64) string { return call("release_process(%d)", process) },
		close:   func(process int64) string { return call("close_process(%d)", process) },
		worker:  func(seconds int) string { return call("task_scheduler(%d)", seconds) },
		// ORA-00031: it ends when it has rolled back its work.
		kill: func(session int) string {
			return fmt.Sprintf(`declare
    e_marked exception;
    pragma exception_init(e_marked, -31);
begin
    for r in (select sid || ',' || serial# id from v$session where sid = %d) loop
        execute immediate 'alter system kill session ''' || r.id || ''' immediate';
    end loop;
exception
    when e_marked then null;
end;`, session)
		},
		// dbsched may always interrupt its own jobs, but not end them by force.
		mayKill:      []string{"grant manage scheduler to " + schema},
		sweep:        call("sweep"),
		noDispatcher: "begin dbms_scheduler.disable('DS_DISPATCHER', force => true); dbms_scheduler.stop_job('DS_DISPATCHER', force => false); end;",
		older:        "create or replace view ds_alarm_info as select a.*, 1 as nothing from ds_alarms a",
		setWorkers:   func(n int) string { return call("set_workers(%d)", n) },

		acquire: func(name, access string, timeout, lease int) string {
			text := fmt.Sprintf("declare l_id number; begin dbsched.acquire_resource(%s, l_id, in_access => %s, in_timeout_seconds => %d",
				oracleLiteral(name), oracleLiteral(access), timeout)
			if lease != 0 {
				text += fmt.Sprintf(", in_lease_seconds => %d", lease)
			}
			return text + "); :result := nvl(to_char(l_id), 'timeout'); end;"
		},
		releaseResource: func(request int64) string { return call("release_resource(%d)", request) },
		holding: func(name string, d time.Duration) string {
			return fmt.Sprintf("declare l_id number; begin dbsched.acquire_resource(%s, l_id, in_timeout_seconds => 600); %s end;", oracleLiteral(name), oracle.Dialect{}.Sleep(d))
		},

		purge:        func(days int) string { return call("purge(%d)", days) },
		options:      oracleOptions,
		nextSweep:    "select round((cast(v.next_sweep_at as date) - cast(sys_extract_utc(systimestamp) as date)) * 86400) from ds_scheduler_info v",
		roundFirings: "select count(*) from ds_round_firings", deleteAlarms: "delete from ds_alarms",
		manyAlarms: func(n int) string {
			return fmt.Sprintf("begin for i in 1 .. %d loop insert into ds_alarms (alarm_id, raised_at, kind, alarm_text) values (ds_alarm_seq.nextval, systimestamp at time zone '+00:00', 'WorkerError', 'any'); end loop; commit; end;", n)
		},
		optionsRead: "select v.linger_seconds, v.idle_sweep_seconds, v.retention_days, v.max_retry_delay_seconds, v.max_orphans, v.outage_seconds, v.max_tasks_per_user, v.default_timeout_seconds from ds_scheduler_info v",

		marks: []string{
			"create table marks (id number generated always as identity primary key, n number not null)",
			"create procedure failing as\nbegin\n    insert into marks (n) values (-1);\n    raise zero_divide;\nend;",
		},
		mark: func(n int) string { return fmt.Sprintf("insert into marks (n) values (%d)", n) },
		marked: func(n int, d time.Duration) string {
			return fmt.Sprintf("begin insert into marks (n) values (%d); %s end;", n, oracle.Dialect{}.Sleep(d))
		},
		markRead:   "select n from marks order by id",
		markDelete: "delete from marks",

		dispatch:     "begin ds_schedule.fire; end;",
		unknownZone:  "update ds_schedules s set s.zone = 'Middle/Earth'",
		loseSettings: "delete from ds_settings", loseProcesses: "delete from ds_processes where process_id in (0, 1)",
		loseIndex: "drop index ds_schedule_firings_ix",
		violate: []string{
			"alter table ds_resources drop constraint ds_resources_name_uk",
			"insert into ds_resources (resource_id, name, capacity, created_at, changed_at) values (7, 'twice', 1, systimestamp, systimestamp)",
			"insert into ds_resources (resource_id, name, capacity, created_at, changed_at) values (8, 'twice', 2, systimestamp, systimestamp)",
		},
		comply:      "delete from ds_resources where capacity = 2",
		copied:      "update ds_settings s set s.home = 'PROD, ' || s.home",
		outage:      sandbox.Site{Refused: "alter session set nls_calendar"},
		outageError: "ORA-00018: maximum number of sessions exceeded",
		renamed:     "update ds_settings s set s.home = replace(s.home, '/SANDBOX', '/SALES')",

		jobs: oracleJobs(schema),

		early: "insert into comes_later (n) values (1)",
		late:  "create table comes_later (n number not null)",
		fails: func(d time.Duration) string {
			return "begin " + oracle.Dialect{}.Sleep(d) + " raise zero_divide; end;"
		},
		failsWith: func(text string) string {
			return "begin raise_application_error(-20500, " + oracleLiteral(text) + "); end;"
		},
		longestError: 2000 - len("ORA-20500: "), // DBMS_UTILITY.FORMAT_ERROR_STACK
		stubborn:     oracleStubborn,

		alarms: "select kind, alarm_text from ds_alarm_info order by alarm_id",
		inventory: []string{
			"select object_type, object_name, status from user_objects order by object_type, object_name",
			"select job_name from user_scheduler_jobs order by job_name",
			"select name, queue_type from user_queues order by name",
			"select queue_table from user_queue_tables order by queue_table",
			"select table_name from user_tables order by table_name",
			"select name, type from user_errors order by name, type",
		},

		enqueueing: oracleEnqueueing(),

		failing: oracleFailing(),
		all:     func(object string) string { return "select * from ds_" + object },
		passing: oraclePassing,
		inList: func(e edge, value int) string {
			return fmt.Sprintf(`begin dbsched.exec_async_batch('[{"sql": "begin null; end;", "execution_order": 1, "%s": %s}, {"sql": "begin null; end;", "execution_order": 1, "parameters": {"a int": 1}, "dedup_key": "k"}]'); end;`, underscored(e.parameter),
				strings.NewReplacer("N'", `"`, "'", `"`).Replace(e.literal(value)))
		},
		refusals: oracleRefusals(call),
	}
}

// oracleOptions sets options, whose names are SQL Server's.
func oracleOptions(values map[string]int) string {
	names := map[string]string{"LingerSeconds": "in_linger_seconds", "IdleSweepSeconds": "in_idle_sweep_seconds", "RetentionDays": "in_retention_days",
		"MaxRetryDelaySeconds": "in_max_retry_delay_seconds", "MaxOrphans": "in_max_orphans",
		"OutageSeconds": "in_outage_seconds", "MaxTasksPerUser": "in_max_tasks_per_user", "DefaultTimeoutSeconds": "in_default_timeout_seconds"}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		list = append(list, fmt.Sprintf("%s => %d", names[name], values[name]))
	}
	if list == nil {
		return "begin dbsched.set_options; end;"
	}
	return "begin dbsched.set_options(" + strings.Join(list, ", ") + "); end;"
}

// oracleFailing lists tasks that fail. A statement that does not compile inside a block has the number ORA-06550; a statement
// on its own has no line.
func oracleFailing() []failing {
	return []failing{
		{"divide by zero", "declare\n    l_n number := 0;\nbegin\n    l_n := 1 / l_n;\nend;", 1476, "divisor is equal to zero", "", 4},
		{"in a query", "select 1 / (rownum - 1) from dual", 1476, "divisor is equal to zero", "", 0},
		{"missing table", "select *\n\nfrom no_such_table", 942, "table or view does not exist", "", 0},
		{"missing table in a block", "begin\n    null;\n    insert into no_such_table (n) values (1);\nend;", 6550, "ORA-00942", "", 3},
		{"own error", "begin raise_application_error(-20500, 'no ' || 'milk' || ' today'); end;", 20500, "no milk today", "", 1},
		{"own exception", "declare\n    e_mine exception;\nbegin\n    raise e_mine;\nend;", 6510, "unhandled user-defined exception", "", 4},
		{"syntax error", "select from where", 936, "missing expression", "", 0},
		{"syntax error in a block", "begin\n    l_n := ;\nend;", 6550, "PLS-00103", "", 2},
		{"in a procedure", "begin failing; end;", 1476, "divisor is equal to zero", "FAILING", 4},
		{"after work", "begin\n    insert into marks (n) values (-2);\n    raise no_data_found;\nend;", 1403, "no data found", "", 3},
		{"after rows", "select to_number(decode(level, 3, 'x', '1')) from dual connect by level <= 5", 1722, "invalid number", "", 0},
		{"missing procedure", "begin no_such_procedure; end;", 6550, "PLS-00201: identifier 'NO_SUCH_PROCEDURE' must be declared", "", 1},
	}
}

var wordStart = regexp.MustCompile(`([a-z])([A-Z])`)

func underscored(name string) string {
	return strings.ToLower(wordStart.ReplaceAllString(name, "${1}_${2}"))
}

// oraclePassing is `passing`: the names are those of T-SQL, with underscores.
func oraclePassing(e edge, value int) string {
	required := map[string][]string{
		"ExecAsync": {"in_sql => 'begin null; end;'", "in_execution_order => 1"}, "CreateProcess": {"in_name => 'p'", "out_process_id => l_id"}, "WaitProcess": {"in_process_id => 2"},
		"DefineResource": {"in_name => 'r'"}, "AcquireResource": {"in_name => 'r'", "out_request_id => l_id"},
		"DefineRound":    {"in_round => 'x'", "in_members => dbsched.t_names('a')", "in_successor_sql => 'begin null; end;'"},
		"CreateSchedule": {"in_calendar => '@yearly'", "in_sql => 'begin null; end;'"},
	}[e.procedure]
	required = slices.DeleteFunc(required, func(a string) bool { return strings.HasPrefix(a, "in_"+underscored(e.parameter)+" =>") })
	return fmt.Sprintf("declare l_id number; begin dbsched.%s(%s); end;", underscored(e.procedure), strings.Join(append(required, "in_"+underscored(e.parameter)+" => "+e.literal(value)), ", "))
}

func oracleRefusals(call func(string, ...any) string) []refusal {
	exec := func(args string) string { return call("exec_async(%s)", args) }
	acquire := func(args string) string {
		return "declare l_id number; begin dbsched.acquire_resource(" + args + "); end;"
	}
	create := func(args string) string {
		return "declare l_id number; begin dbsched.create_process(" + args + "); end;"
	}
	wait := func(args string) string {
		return "declare l_result number; l_status varchar2(30); begin dbsched.wait_process(" + args + ", l_result, l_status); end;"
	}
	return []refusal{
		{"schedule without tasks", call("create_schedule('s', '@daily', in_tasks => '[]')"), 20076, "at least one", true},
		{"schedule of both", call("create_schedule('s', '@daily', 'begin null; end;', '[]')"), 20076, "in_sql", true},
		{"unknown schedule", call("alter_schedule('nothing', in_overlap => 'Skip')"), 20071, "no schedule", true},
		{"calendar of four fields", call("create_schedule('s', '0 0 1 1', 'begin null; end;')"), 20074, "field", true},
		{"hook elsewhere", call("set_alarm_hook('p@elsewhere')"), 20060, "another database", true},
		{"empty text", exec("' ' || chr(9) || chr(13) || chr(10), 1"), 20001, "in_sql is NULL or empty", true},
		{"NULL text", exec("null, 1"), 20001, "in_sql is NULL or empty", true},
		{"SQL*Plus's EXEC", exec("chr(10) || 'Exec load_orders', 1"), 20001, "begins with EXEC", true},
		{"SQL*Plus's EXECUTE", exec("'EXECUTE load_orders;', 1"), 20001, "begins with EXEC", true},
		{"COMMIT after a statement", exec("'insert into t values (1); commit;', 1"), 20001, "COMMIT after a statement", true},
		{"COMMIT in its own line", exec("'insert into t values (1);' || chr(10) || 'COMMIT' || chr(10) || '/', 1"), 20001, "COMMIT after a statement", true},
		{"many, one with EXEC", call(`exec_async_batch('[{"sql": "begin null; end;", "execution_order": 1}, {"sql": "exec p", "execution_order": 1}]')`), 20001, "task 2: in_sql begins with EXEC", true},
		{"NULL order", exec("'begin null; end;', null"), 20002, "in_execution_order is NULL", true},
		{"broken order", exec("'begin null; end;', 1.5"), 20003, "in_execution_order", true},
		{"priority", exec("'begin null; end;', 1, in_priority => 1000001"), 20003, "in_priority", true},
		{"no attempts", exec("'begin null; end;', 1, in_max_attempts => 0"), 20003, "in_max_attempts", true},
		{"negative delay", exec("'begin null; end;', 1, in_retry_delay_seconds => -1"), 20003, "in_retry_delay_seconds", true},
		{"negative expectation", exec("'begin null; end;', 1, in_expected_seconds => -1"), 20003, "in_expected_seconds", true},
		{"no time", exec("'begin null; end;', 1, in_timeout_seconds => 0"), 20003, "in_timeout_seconds", true},
		{"unknown process", exec("'begin null; end;', 1, in_process_id => 4711"), 20004, "no process 4711", true},
		{"process of schedules", exec("'begin null; end;', 1, in_process_id => 0"), 20004, "no process 0", true},
		{"negative process", exec("'begin null; end;', 1, in_process_id => -1"), 20004, "no process -1", true},
		{"many for the process of schedules", call(`exec_async_batch('[{"sql": "begin null; end;", "execution_order": 1, "process_id": 0}]')`), 20004, "no process 0", true},
		{"orphan rule", exec("'begin null; end;', 1, in_on_orphan => 'Forget'"), 20008, "in_on_orphan", true},
		{"blank key", exec("'begin null; end;', 1, in_dedup_key => ' '"), 20030, "in_dedup_key", true},
		{"no parameters", exec("'begin null; end;', 1, in_parameters => '[]'"), 20031, "not a JSON object", true},
		{"no batch", call("exec_async_batch(null)"), 20036, "not a JSON array", true},
		{"access without resource", exec("'begin null; end;', 1, in_access => 'Shared'"), 20041, "in_access", true},
		{"unknown access", exec("'begin null; end;', 1, in_resource => 'r', in_access => 'Total'"), 20008, "in_access", true},
		{"unknown resource", exec("'begin null; end;', 1, in_resource => 'r'"), 20040, "no resource", true},
		{"acquire nothing", acquire("null, l_id"), 20041, "in_name", true},
		{"acquire unknown", acquire("'nothing', l_id"), 20040, "no such resource", true},
		{"acquire as nobody", acquire("'r', l_id, in_requester => rpad('x', 129, 'x')"), 20041, "in_requester", true},
		{"acquire totally", acquire("'r', l_id, 'Total'"), 20008, "in_access", true},
		{"acquire without end", acquire("'r', l_id, in_timeout_seconds => null"), 20003, "in_timeout_seconds", true},
		{"acquire for no time", acquire("'r', l_id, in_lease_seconds => 0"), 20003, "in_lease_seconds", true},
		{"release nothing", call("release_resource(null)"), 20044, "no such request", true},
		{"release unknown", call("release_resource(4711)"), 20044, "no such request", true},
		{"nameless resource", call("define_resource('')"), 20041, "in_name", true},
		{"long resource", call("define_resource(rpad('x', 129, 'x'))"), 20041, "in_name", true},
		{"resource without units", call("define_resource('r', 0)"), 20003, "in_capacity", true},
		{"drop unknown resource", call("drop_resource('nothing')"), 20040, "no such resource", true},
		{"nameless process", create("null, l_id"), 20012, "in_name", true},
		{"empty name", create("'', l_id"), 20012, "in_name", true},
		{"long name", create("rpad('x', 129, 'x'), l_id"), 20012, "in_name", true},
		{"weightless process", create("'p', l_id, in_weight => 0"), 20003, "in_weight", true},
		{"process without room", create("'p', l_id, in_max_parallel => 0"), 20003, "in_max_parallel", true},
		{"error rule", create("'p', l_id, in_on_error => 'Shrug'"), 20008, "in_on_error", true},
		{"close nothing", call("close_process(null)"), 20004, "NULL", true},
		{"close unknown", call("close_process(4711)"), 20004, "no process 4711", true},
		{"close default", call("close_process(1)"), 20013, "default process", true},
		{"close schedules", call("close_process(0)"), 20013, "processes 0", true},
		{"cancel schedules", call("cancel_process(0)"), 20013, "processes 0", true},
		{"retry schedules", call("retry_process(0)"), 20004, "no process 0", true},
		{"retry negative", call("retry_process(-1)"), 20004, "no process -1", true},
		{"release unknown", call("release_process(4711)"), 20004, "no process 4711", true},
		{"release default", call("release_process(1)"), 20013, "default process", true},
		{"wait without end", wait("1, null"), 20003, "in_timeout_seconds", false},
		{"wait backwards", wait("1, -1"), 20003, "in_timeout_seconds", false},
		{"wait for unknown", wait("4711, 1"), 20004, "no process 4711", false},
		{"wait for schedules", wait("0, 1"), 20004, "no process 0", false},
		// These are autonomous transactions and do not touch the caller's.
		{"workers", call("set_workers(5)"), 20009, "5 workers need as many lanes, but 4 are installed", true},
		{"negative workers", call("set_workers(-1)"), 20003, "in_max_workers", true},
		{"NULL workers", call("set_workers(null)"), 20003, "in_max_workers", true},
		{"policy", call("set_policy('Random')"), 20008, "in_policy", true},
		{"NULL policy", call("set_policy(null)"), 20008, "in_policy", true},
		{"stop mode", call("stop_scheduler('Later')"), 20008, "in_mode", true},
		{"nameless round", call("define_round('', dbsched.t_names('a'), 'J')"), 20050, "in_round", true},
		{"no members", call("define_round('r', null, 'J')"), 20054, "in_members", true},
		{"member without name", call("define_round('r', dbsched.t_names('a', ''), 'J')"), 20054, "in_members", true},
		{"member twice", call("define_round('r', dbsched.t_names('a', 'a'), 'J')"), 20054, "each name must occur once", true},
		{"round for nothing", call("define_round('r', dbsched.t_names('a'))"), 20055, "in_successor_job", true},
		{"round for two things", call("define_round('r', dbsched.t_names('a'), 'J', 'begin null; end;')"), 20055, "in_successor_sql", true},
		{"no name of a job", call("define_round('r', dbsched.t_names('a'), 'no name')"), 20055, "is not a job name", true},
		{"name of three parts", call("define_round('r', dbsched.t_names('a'), 'a.b.c')"), 20055, "is not a job name", true},
		{"round without time", call("define_round('r', dbsched.t_names('a'), 'J', in_max_age_seconds => 0)"), 20003, "in_max_age_seconds", true},
		{"impatient round", call("define_round('r', dbsched.t_names('a'), 'J', in_start_seconds => null)"), 20003, "in_start_seconds", true},
		{"round of no process", call("define_round('r', dbsched.t_names('a'), in_successor_sql => 'begin null; end;', in_process_id => 4711)"), 20004, "no process 4711", true},
		{"round of the process of schedules", call("define_round('r', dbsched.t_names('a'), in_successor_sql => 'begin null; end;', in_process_id => 0)"), 20004, "no process 0", true},
		{"unknown round", call("report_round('nothing', 'a')"), 20051, "no round \"nothing\"", true},
		{"report of nothing", call("report_round(null, 'a')"), 20050, "in_round", true},
		{"report of neither", call("report_round('r', 'a', null)"), 20003, "in_succeeded", true},
		{"worker's patience", call("task_scheduler(-1)"), 20003, "in_waiting_time", false},
	}
}

// oracleStubborn handles interrupts, where handlers get them (differ.BreaksAreHandled).
func oracleStubborn(d time.Duration, fails bool) string {
	end := ""
	if fails {
		end = " raise zero_divide;"
	}
	return fmt.Sprintf(`declare
    l_until timestamp with time zone := systimestamp + numtodsinterval(%d, 'SECOND');
begin
    while systimestamp < l_until loop
        begin
            dbms_session.sleep(1);
        exception
            when others then null;
        end;
    end loop;%s
end;`, int(d.Seconds()), end)
}
