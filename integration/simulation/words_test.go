package simulation

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/templates"
)

// words are a dialect's statements.
type words struct {
	dialect string
	schema  string
	prepare []string // creates what tasks call
	enqueue func(p process) string
	orders  func(o order, n int) string
	calls   []called
	// read queries: each returns texts and integers in the order of its key's fields.
	tasks, logs, processes, marks, alarms, unfinished, blocked, rest, state, firings, second, snapshot, rested string
}

// user returns who gives an order: nobody in particular, or on Oracle the administrator of the database.
func (w words) user(o order) string {
	if w.dialect == "oracle" && (o == jobsOff || o == jobsOn) {
		return "system"
	}
	return ""
}

func sortSteps(steps []step) {
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
}

func mssqlWords() words {
	return words{
		dialect: "mssql", schema: "dbsched", calls: calls("mssql"), snapshot: snapshot("mssql"), rested: snapshot("mssql", "Lanes"),
		prepare: append(killScript(), []string{
			"CREATE TABLE dbo.Marks (Id int IDENTITY NOT NULL PRIMARY KEY, Task int NOT NULL);",
			`CREATE PROCEDURE dbo.Work @Task int, @Milliseconds int, @Fails int AS
SET NOCOUNT ON;
INSERT dbo.Marks (Task) VALUES (@Task);
IF @Milliseconds > 0
BEGIN
    DECLARE @Delay datetime = DATEADD(millisecond, @Milliseconds, CONVERT(datetime, '19000101', 112));
    WAITFOR DELAY @Delay;
END;
IF (SELECT COUNT(*) FROM dbo.Marks WHERE Task = @Task) <= @Fails
    THROW 50001, N'not yet', 1;`,
			fmt.Sprintf("EXEC dbsched.DefineResource N'r', %d;", capacity),
			"EXEC dbsched.SetOptions @LingerSeconds = 2;",
			"CREATE USER Second WITHOUT LOGIN;",
			"ALTER ROLE dbsched_user ADD MEMBER Second;",
			"GRANT EXECUTE ON dbo.Work TO Second;",
			"EXEC dbsched.CreateProcess N'always', @OnError = 'Continue';",
			"CREATE PROCEDURE dbo.OnAlarm @AlarmId bigint AS DECLARE @Told bigint = @AlarmId;",
			"EXEC msdb.dbo.sp_add_job @job_name = N'Job';",
			"EXEC msdb.dbo.sp_add_jobstep @job_name = N'Job', @step_name = N'One', @command = N'DECLARE @Nothing int;';",
			"EXEC msdb.dbo.sp_add_jobserver @job_name = N'Job';",
			"EXEC msdb.dbo.sp_add_job @job_name = N'Slow';",
			"EXEC msdb.dbo.sp_add_jobstep @job_name = N'Slow', @step_name = N'One', @command = N'WAITFOR DELAY ''00:00:05'';';",
			"EXEC msdb.dbo.sp_add_jobserver @job_name = N'Slow';",
			"ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON;",
		}...),
		enqueue: mssqlEnqueue,
		orders: func(o order, n int) string {
			id := fmt.Sprintf("DECLARE @T bigint = (SELECT MAX(TaskId) FROM dbsched.TaskInfo WHERE SqlText LIKE N'EXEC dbo.Work %d,%%'); IF @T IS NOT NULL EXEC dbsched.", n)
			switch o {
			case setWorkers:
				return fmt.Sprintf("EXEC dbsched.SetWorkers %d;", n)
			case stop:
				return "EXEC dbsched.StopScheduler;"
			case stopNow:
				return "EXEC dbsched.StopScheduler 'Now';"
			case start:
				return "EXEC dbsched.StartScheduler;"
			case sweep:
				return "EXEC dbsched.Sweep;"
			case cancelTask:
				return id + "CancelTask @T;"
			case retryTask:
				return id + "RetryTask @T;"
			case cancelAll, closeProcess, releaseProcess, retryProcess:
				procedure := map[order]string{cancelAll: "Cancel", closeProcess: "Close", releaseProcess: "Release", retryProcess: "Retry"}[o] + "Process"
				return fmt.Sprintf("DECLARE @P int = (SELECT MAX(ProcessId) FROM dbsched.ProcessInfo WHERE Name = N'p%d'); IF @P IS NOT NULL EXEC dbsched.%s @P;", n, procedure)
			case queueOff:
				return fmt.Sprintf("ALTER QUEUE dbsched.%s WITH STATUS = OFF;", cmp.Or(lane("Lane_%02d", n), "Dispatch"))
			case brokerOff:
				return "ALTER DATABASE CURRENT SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE;"
			case brokerOn:
				return "ALTER DATABASE CURRENT SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE;"
			case jobsOff, jobsOn, stopJob:
				return ""
			case purge:
				return "EXEC dbsched.Purge 0;"
			case manual:
				return fmt.Sprintf("EXEC dbsched.TaskScheduler %d;", n)
			case hold:
				h := holding(n)
				return fmt.Sprintf(`DECLARE @R bigint; EXEC dbsched.AcquireResource N'r', '%s', 8, %s, @RequestId = @R OUTPUT;
IF @R IS NOT NULL
BEGIN
    EXEC sys.sp_executesql N'EXEC dbo.Work %d, %d, 0';
    EXEC dbsched.ReleaseResource @R;
END;`, access(h.exclusive()), map[bool]string{true: "30", false: "NULL"}[h.leased()], h.number(), h.takes().Milliseconds())
			case defineRound:
				return fmt.Sprintf("EXEC dbsched.DefineRound N'r', N'[%s]', @SuccessorSQL = N'EXEC dbo.Work %d, 0, 0';", members(`"m%d"`, n), ofRound)
			case report:
				return fmt.Sprintf("EXEC dbsched.ReportRound N'r', N'm%d', %d;", max(n, -n), bit(n > 0))
			case schedule:
				f := firingRule(n)
				return fmt.Sprintf("EXEC dbsched.CreateSchedule N'%s', N'%s', @SQL = N'EXEC dbo.Work %d, %d, 0', @Overlap = '%s', @Missed = '%s';",
					f.name(), f.calendar(), f.number(), f.takes().Milliseconds(), f.overlap(), f.missed())
			case enable, disable:
				return fmt.Sprintf(`DECLARE @N nvarchar(128) = N'';
WHILE 1 = 1
BEGIN
    SET @N = (SELECT MIN(s.Name) FROM dbsched.ScheduleInfo AS s WHERE s.Name > @N);
    IF @N IS NULL BREAK;
    EXEC dbsched.SetScheduleEnabled @N, %d;
END;`, bit(o == enable))
			case revoke:
				return "ALTER ROLE dbsched_user DROP MEMBER Second;"
			case grant:
				return "ALTER ROLE dbsched_user ADD MEMBER Second;"
			case newUser:
				return "SET XACT_ABORT ON; BEGIN TRANSACTION; DROP USER Second; CREATE USER Second WITHOUT LOGIN; ALTER ROLE dbsched_user ADD MEMBER Second; GRANT EXECUTE ON dbo.Work TO Second; COMMIT;"
			case killRight:
				return fmt.Sprintf("DECLARE @C nvarchar(max) = N'USE master; %s ALTER ANY CONNECTION %s ' + QUOTENAME(N'dbsched_kill in ' + DB_NAME()) + N';'; EXEC (@C);",
					[]string{"REVOKE", "GRANT"}[n], []string{"FROM", "TO"}[n])
			case longestPause:
				return fmt.Sprintf("EXEC dbsched.SetOptions @MaxRetryDelaySeconds = %d;", n)
			case policy:
				return fmt.Sprintf("EXEC dbsched.SetPolicy '%s';", policies[n])
			}
			panic(o)
		},
		tasks:      "SELECT TaskId, ProcessId, ExecutionOrder, Status, Attempt, MaxAttempts, Orphans, Failures, SqlText FROM dbsched.TaskInfo ORDER BY TaskId;",
		logs:       "SELECT LogId, TaskId, Attempt, COALESCE(LaneId, 0), Outcome, COALESCE(ErrorNumber, 0), COALESCE(ErrorMessage, N'') FROM dbsched.LogInfo ORDER BY LogId;",
		processes:  "SELECT ProcessId, Name, Status, Unfinished, Running FROM dbsched.ProcessInfo ORDER BY ProcessId;",
		marks:      "SELECT Task, COUNT(*) FROM dbo.Marks GROUP BY Task ORDER BY Task;",
		firings:    "SELECT Name, DATEDIFF(second, '20260101', DueAt), Status, COALESCE(Detail, N''), COALESCE(ProcessId, 0), COALESCE(TaskId, 0) FROM dbsched.ScheduleLog WHERE Manual = 0 ORDER BY FiringId;",
		second:     "EXECUTE AS USER = N'Second'; SELECT TaskId FROM dbsched.TaskInfo ORDER BY TaskId; REVERT;",
		alarms:     "SELECT Kind, AlarmText FROM dbsched.AlarmInfo ORDER BY AlarmId;",
		unfinished: "SELECT COUNT(*) FROM dbsched.TaskInfo WHERE FinishedAt IS NULL AND Status NOT IN ('Skipped', 'Cancelled') AND NOT (Status = 'Waiting' AND WaitReason = 'Suspended');",
		blocked:    "SELECT Blocked FROM dbsched.SchedulerInfo WHERE Blocked = 'NoDispatcher';",
		state:      "SELECT q.name + N' ' + CONVERT(nvarchar(10), q.is_receive_enabled) + CONVERT(nvarchar(10), q.is_activation_enabled) + N' ' + COALESCE((SELECT MIN(m.state) FROM sys.dm_broker_queue_monitors AS m WHERE m.queue_id = q.object_id), N'') FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID(N'dbsched');",
		rest: `SELECT e.state + ' ' + e.far_service + ' until ' + CONVERT(varchar(30), e.lifetime, 126) FROM sys.conversation_endpoints AS e WHERE e.state <> 'CD'
UNION ALL SELECT 'transmission queue' FROM sys.transmission_queue
UNION ALL SELECT 'activated ' + CONVERT(varchar(20), a.spid) FROM sys.dm_broker_activated_tasks AS a;`,
	}
}

// killScript returns what a sysadmin runs so that dbsched may end sessions.
func killScript() (all []string) {
	batches, err := templates.MSSQLKillScript(templates.Params{Schema: "dbsched"})
	if err != nil {
		panic(err)
	}
	for _, b := range batches {
		all = append(all, b.SQL)
	}
	return all
}

var policies = []string{"Fifo", "Priority", "RoundRobin"}

func mssqlEnqueue(p process) string {
	var b strings.Builder
	on := map[bool]string{true: "Halt", false: "Continue"}[p.halt]
	if p.second {
		b.WriteString("EXECUTE AS USER = N'Second'; ")
	}
	b.WriteString("SET XACT_ABORT ON; BEGIN TRY\nBEGIN TRANSACTION; DECLARE @P int; ")
	if p.into > 0 {
		fmt.Fprintf(&b, "SET @P = (SELECT MAX(ProcessId) FROM dbsched.ProcessInfo WHERE Name = N'p%d'); IF @P IS NULL THROW 51004, N'dbsched 51004: none', 1;\n", p.into)
	} else {
		fmt.Fprintf(&b, "EXEC dbsched.CreateProcess N'p%d', @P OUTPUT, @OnError = '%s', @Weight = %d, @Suspended = %d", p.number, on, p.weight, bit(p.suspended))
		if p.maxParallel > 0 {
			fmt.Fprintf(&b, ", @MaxParallel = %d", p.maxParallel)
		}
		b.WriteString(";\n")
	}
	mssqlTasks(&b, p, false)
	if p.hasUndone() {
		b.WriteString("SAVE TRANSACTION Here;\n")
		mssqlTasks(&b, p, true)
		b.WriteString("ROLLBACK TRANSACTION Here;\n")
	}
	if p.into == 0 && !p.suspended && !p.open {
		b.WriteString("EXEC dbsched.CloseProcess @P;\n")
	}
	if p.holds > 0 {
		fmt.Fprintf(&b, "WAITFOR DELAY '00:00:%06.3f';\n", p.holds.Seconds())
	}
	if p.rolledBack {
		b.WriteString("ROLLBACK;")
	} else {
		b.WriteString("COMMIT;")
	}
	b.WriteString("\nEND TRY\nBEGIN CATCH\n    IF XACT_STATE() <> 0 ROLLBACK;\n    THROW;\nEND CATCH;")
	return b.String()
}

// mssqlTasks enqueues the tasks that will be undone, or the others.
func mssqlTasks(b *strings.Builder, p process, undone bool) {
	var batch []map[string]any
	for _, t := range p.tasks {
		if t.undone != undone {
			continue
		}
		m := map[string]any{
			"SQL": fmt.Sprintf("EXEC dbo.Work %d, %d, %d", t.number, t.takes.Milliseconds(), t.fails), "ExecutionOrder": t.wave,
			"MaxAttempts": t.attempts, "RetryDelaySeconds": t.retryDelay, "Priority": t.priority, "Transactional": t.transactional,
		}
		if t.timeout > 0 {
			m["TimeoutSeconds"] = t.timeout
		}
		if t.resource {
			m["Resource"], m["Access"] = "r", access(t.exclusive)
		}
		if t.failOrphan {
			m["OnOrphan"] = "Fail"
		}
		if t.key > 0 {
			m["DedupKey"] = fmt.Sprintf("k%d", t.key)
		}
		if t.delay > 0 {
			m["NotBefore"] = start0.Add(time.Duration(t.delay) * time.Second).Format("2006-01-02T15:04:05")
		}
		batch = append(batch, m)
	}
	if p.batch && len(batch) > 0 {
		fmt.Fprintf(b, "EXEC dbsched.ExecAsyncBatch N'%s', @P;\n", jsonText(batch))
		return
	}
	for _, m := range batch {
		b.WriteString("EXEC dbsched.ExecAsync @ProcessId = @P")
		for _, name := range slices.Sorted(maps.Keys(m)) {
			switch v := m[name].(type) {
			case string:
				fmt.Fprintf(b, ", @%s = N'%s'", name, v)
			case bool:
				fmt.Fprintf(b, ", @%s = %d", name, bit(v))
			default:
				fmt.Fprintf(b, ", @%s = %v", name, v)
			}
		}
		b.WriteString(";\n")
	}
}

func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (p process) hasUndone() bool {
	return slices.ContainsFunc(p.tasks, func(t task) bool { return t.undone })
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// lane formats a name that belongs to a lane; empty for 0.
func lane(format string, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(format, n)
}

// members returns the names of a round's members.
func members(format string, n int) string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf(format, i+1))
	}
	return strings.Join(names, ", ")
}

func access(exclusive bool) string {
	if exclusive {
		return "Exclusive"
	}
	return "Shared"
}

// start0 is about when histories begin: only the delays of tasks depend on it.
var start0 = time.Date(2026, 1, 5, 9, 0, 2, 0, time.UTC)

func oracleWords() words {
	return words{
		dialect: "oracle", schema: "app", calls: calls("oracle"), snapshot: snapshot("oracle"), rested: snapshot("oracle", "Lanes"),
		prepare: []string{
			"create table marks (id number generated always as identity primary key, task number not null)",
			`create or replace procedure work (in_task in number, in_milliseconds in number, in_fails in number, in_commit in number) as
    l_marks number;
begin
    insert into marks (task) values (in_task);
    if in_commit = 1 then
        commit write immediate wait;
    end if;
    if in_milliseconds > 0 then
        dbms_session.sleep(in_milliseconds / 1000);
    end if;
    select count(*) into l_marks from marks where task = in_task;
    if l_marks <= in_fails then
        raise_application_error(-20999, 'not yet');
    end if;
end;`,
			fmt.Sprintf("begin dbsched.define_resource('r', %d); end;", capacity),
			"begin dbsched.set_options(in_linger_seconds => 2); end;",
			"declare p number; begin dbsched.create_process('always', p, in_on_error => 'Continue'); commit; end;",
			"create table empty_e (n number)",
			"create or replace procedure on_alarm (in_alarm_id in number) as begin null; end;",
			"begin dbms_scheduler.create_job(job_name => 'JOB', job_type => 'PLSQL_BLOCK', job_action => 'begin null; end;'); end;",
			"begin dbms_scheduler.create_job(job_name => 'SLOW', job_type => 'PLSQL_BLOCK', job_action => 'begin dbms_session.sleep(5); end;'); end;",
		},
		enqueue: oracleEnqueue,
		orders: func(o order, n int) string {
			id := fmt.Sprintf("declare t number; begin select max(task_id) into t from ds_task_info where sql_text like 'begin work(%d,%%'; if t is not null then dbsched.", n)
			switch o {
			case setWorkers:
				return fmt.Sprintf("begin dbsched.set_workers(%d); end;", n)
			case stop:
				return "begin dbsched.stop_scheduler; end;"
			case stopNow:
				return "begin dbsched.stop_scheduler('Now'); end;"
			case start:
				return "begin dbsched.start_scheduler; end;"
			case sweep:
				return "begin dbsched.sweep; end;"
			case cancelTask:
				return id + "cancel_task(t); end if; end;"
			case retryTask:
				return id + "retry_task(t); end if; end;"
			case cancelAll, closeProcess, releaseProcess, retryProcess:
				procedure := map[order]string{cancelAll: "cancel", closeProcess: "close", releaseProcess: "release", retryProcess: "retry"}[o] + "_process"
				return fmt.Sprintf("declare p number; begin select max(process_id) into p from ds_process_info where name = 'p%d'; if p is not null then dbsched.%s(p); commit write immediate wait; end if; end;", n, procedure)
			case queueOff, brokerOff, brokerOn, killRight, revoke, grant, newUser:
				return ""
			case jobsOff:
				return "alter system set job_queue_processes = 0"
			case jobsOn:
				return "alter system set job_queue_processes = 100"
			case stopJob:
				return fmt.Sprintf("begin dbms_scheduler.stop_job('%s'); end;", cmp.Or(lane("DS_LANE_%02d", n), "DS_DISPATCHER"))
			case purge:
				return "begin dbsched.purge(0); end;"
			case manual:
				return fmt.Sprintf("begin dbsched.task_scheduler(%d); end;", n)
			case hold:
				h := holding(n)
				return fmt.Sprintf(`declare r number; begin dbsched.acquire_resource('r', r, '%s', 8, %s);
    if r is not null then
        execute immediate 'begin work(%d, %d, 0, 1); end;';
        dbsched.release_resource(r);
    end if;
end;`, access(h.exclusive()), map[bool]string{true: "30", false: "null"}[h.leased()], h.number(), h.takes().Milliseconds())
			case defineRound:
				return fmt.Sprintf("begin dbsched.define_round('r', dbsched.t_names(%s), in_successor_sql => 'begin work(%d, 0, 0, 1); end;'); end;", members("'m%d'", n), ofRound)
			case report:
				return fmt.Sprintf("begin dbsched.report_round('r', 'm%d', %t); end;", max(n, -n), n > 0)
			case schedule:
				f := firingRule(n)
				return fmt.Sprintf("begin dbsched.create_schedule('%s', '%s', in_sql => 'begin work(%d, %d, 0, 1); end;', in_overlap => '%s', in_missed => '%s'); end;",
					f.name(), f.calendar(), f.number(), f.takes().Milliseconds(), f.overlap(), f.missed())
			case enable, disable:
				return fmt.Sprintf("begin for s in (select name from ds_schedule_info order by name) loop dbsched.set_schedule_enabled(s.name, %t); end loop; end;", o == enable)
			case longestPause:
				return fmt.Sprintf("begin dbsched.set_options(in_max_retry_delay_seconds => %d); end;", n)
			case policy:
				return fmt.Sprintf("begin dbsched.set_policy('%s'); end;", policies[n])
			}
			panic(o)
		},
		tasks:      "select task_id, process_id, execution_order, status, attempt, max_attempts, orphans, failures, dbms_lob.substr(sql_text, 1000, 1) from ds_task_info order by task_id",
		logs:       "select log_id, task_id, attempt, nvl(lane_id, 0), outcome, nvl(error_number, 0), error_message from ds_log_info order by log_id",
		processes:  "select process_id, name, status, unfinished, running from ds_process_info order by process_id",
		marks:      "select task, count(*) from marks group by task order by task",
		firings:    "select name, round((cast(due_at as date) - date '2026-01-01') * 86400), status, nvl(detail, '-'), nvl(process_id, 0), nvl(task_id, 0) from ds_schedule_log where manual = 'N' order by firing_id",
		alarms:     "select kind, alarm_text from ds_alarm_info order by alarm_id",
		unfinished: "select count(*) from ds_task_info where finished_at is null and status not in ('Skipped', 'Cancelled') and not (status = 'Waiting' and wait_reason = 'Suspended')",
		blocked:    "select blocked from ds_scheduler_info where blocked = 'NoDispatcher'",
		state:      "select job_name || ' ' || state || ' ' || enabled from user_scheduler_jobs",
		rest:       "select 'running job ' || job_name from user_scheduler_running_jobs",
	}
}

func oracleEnqueue(p process) string {
	var b strings.Builder
	on := map[bool]string{true: "Halt", false: "Continue"}[p.halt]
	b.WriteString("declare p number; begin ")
	if p.into > 0 {
		fmt.Fprintf(&b, "select max(process_id) into p from ds_process_info where name = 'p%d'; if p is null then raise_application_error(-20004, 'dbsched 20004: none'); end if;\n", p.into)
	} else {
		fmt.Fprintf(&b, "dbsched.create_process('p%d', p, in_on_error => '%s', in_weight => %d, in_suspended => %t", p.number, on, p.weight, p.suspended)
		if p.maxParallel > 0 {
			fmt.Fprintf(&b, ", in_max_parallel => %d", p.maxParallel)
		}
		b.WriteString(");\n")
	}
	oracleTasks(&b, p, false)
	if p.hasUndone() {
		b.WriteString("savepoint here;\n")
		oracleTasks(&b, p, true)
		b.WriteString("rollback to here;\n")
	}
	if p.into == 0 && !p.suspended && !p.open {
		b.WriteString("dbsched.close_process(p);\n")
	}
	if p.holds > 0 {
		fmt.Fprintf(&b, "dbms_session.sleep(%.3f);\n", p.holds.Seconds())
	}
	if p.rolledBack {
		b.WriteString("rollback; end;")
	} else {
		b.WriteString("commit write immediate wait; end;")
	}
	return b.String()
}

// oracleTasks enqueues the tasks that will be undone, or the others.
func oracleTasks(b *strings.Builder, p process, undone bool) {
	var batch []map[string]any
	for _, t := range p.tasks {
		if t.undone != undone {
			continue
		}
		m := map[string]any{
			"sql": fmt.Sprintf("begin work(%d, %d, %d, %d); end;", t.number, t.takes.Milliseconds(), t.fails, bit(!t.transactional)), "execution_order": t.wave,
			"max_attempts": t.attempts, "retry_delay_seconds": t.retryDelay, "priority": t.priority, "transactional": t.transactional,
		}
		if t.timeout > 0 {
			m["timeout_seconds"] = t.timeout
		}
		if t.resource {
			m["resource"], m["access"] = "r", access(t.exclusive)
		}
		if t.failOrphan {
			m["on_orphan"] = "Fail"
		}
		if t.key > 0 {
			m["dedup_key"] = fmt.Sprintf("k%d", t.key)
		}
		if t.delay > 0 {
			m["not_before"] = start0.Add(time.Duration(t.delay) * time.Second).Format("2006-01-02T15:04:05")
		}
		batch = append(batch, m)
	}
	if p.batch && len(batch) > 0 {
		fmt.Fprintf(b, "dbsched.exec_async_batch(replace('%s', '\"P\"', to_char(p)));\n", jsonText(withProcess(batch)))
		return
	}
	for _, m := range batch {
		b.WriteString("dbsched.exec_async(in_process_id => p")
		for _, name := range slices.Sorted(maps.Keys(m)) {
			switch v := m[name].(type) {
			case string:
				if name == "not_before" {
					fmt.Fprintf(b, ", in_not_before => timestamp '%s UTC'", strings.Replace(v, "T", " ", 1))
					continue
				}
				fmt.Fprintf(b, ", in_%s => '%s'", name, v)
			default:
				fmt.Fprintf(b, ", in_%s => %v", name, v)
			}
		}
		b.WriteString(");\n")
	}
}

// withProcess names the process of each task of a batch by a placeholder.
func withProcess(batch []map[string]any) []map[string]any {
	for _, m := range batch {
		m["process_id"] = "P"
	}
	return batch
}
