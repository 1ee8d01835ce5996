package simulation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// words are a dialect's statements.
type words struct {
	dialect string
	schema  string
	prepare []string // makes what tasks call
	enqueue func(p process) string
	orders  func(o order, n int) string
	// read are queries: each answers with texts and whole numbers in the order of its key's fields.
	tasks, logs, processes, marks, alarms, unfinished, blocked, rest, state string
}

func sortSteps(steps []step) {
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
}

func mssqlWords() words {
	return words{
		dialect: "mssql", schema: "dbsched",
		prepare: []string{
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
		},
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
			case cancelAll:
				return fmt.Sprintf("DECLARE @P int = (SELECT MAX(ProcessId) FROM dbsched.ProcessInfo WHERE Name = N'p%d'); IF @P IS NOT NULL EXEC dbsched.CancelProcess @P;", n)
			case policy:
				return fmt.Sprintf("EXEC dbsched.SetPolicy '%s';", policies[n])
			}
			panic(o)
		},
		tasks:      "SELECT TaskId, ProcessId, ExecutionOrder, Status, Attempt, MaxAttempts, Orphans, Failures, SqlText FROM dbsched.TaskInfo ORDER BY TaskId;",
		logs:       "SELECT LogId, TaskId, Attempt, COALESCE(LaneId, 0), Outcome, COALESCE(ErrorNumber, 0), COALESCE(ErrorMessage, N'') FROM dbsched.LogInfo ORDER BY LogId;",
		processes:  "SELECT ProcessId, Name, Status, Unfinished, Running FROM dbsched.ProcessInfo ORDER BY ProcessId;",
		marks:      "SELECT Task, COUNT(*) FROM dbo.Marks GROUP BY Task ORDER BY Task;",
		alarms:     "SELECT Kind, AlarmText FROM dbsched.AlarmInfo ORDER BY AlarmId;",
		unfinished: "SELECT COUNT(*) FROM dbsched.TaskInfo WHERE FinishedAt IS NULL AND Status NOT IN ('Skipped', 'Cancelled') AND NOT (Status = 'Waiting' AND WaitReason = 'Suspended');",
		blocked:    "SELECT Blocked FROM dbsched.SchedulerInfo WHERE Blocked = 'NoDispatcher';",
		state:      "SELECT q.name + N' ' + CONVERT(nvarchar(10), q.is_receive_enabled) + CONVERT(nvarchar(10), q.is_activation_enabled) + N' ' + COALESCE((SELECT m.state FROM sys.dm_broker_queue_monitors AS m WHERE m.queue_id = q.object_id), N'') FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID(N'dbsched');",
		rest: `SELECT e.state + ' ' + e.far_service FROM sys.conversation_endpoints AS e WHERE e.state <> 'CD'
UNION ALL SELECT 'transmission queue' FROM sys.transmission_queue
UNION ALL SELECT 'activated ' + CONVERT(varchar(20), a.spid) FROM sys.dm_broker_activated_tasks AS a;`,
	}
}

var policies = []string{"Fifo", "Priority", "RoundRobin"}

func mssqlEnqueue(p process) string {
	var b strings.Builder
	on := map[bool]string{true: "Halt", false: "Continue"}[p.halt]
	fmt.Fprintf(&b, "SET XACT_ABORT ON; BEGIN TRANSACTION; DECLARE @P int; EXEC dbsched.CreateProcess N'p%d', @P OUTPUT, @OnError = '%s', @Weight = %d, @Suspended = %d", p.number, on, p.weight, bit(p.suspended))
	if p.maxParallel > 0 {
		fmt.Fprintf(&b, ", @MaxParallel = %d", p.maxParallel)
	}
	b.WriteString(";\n")
	for _, t := range p.tasks {
		fmt.Fprintf(&b, "EXEC dbsched.ExecAsync N'EXEC dbo.Work %d, %d, %d', %d, @ProcessId = @P, @MaxAttempts = %d, @RetryDelaySeconds = %d, @Priority = %d, @Transactional = %d",
			t.number, t.takes.Milliseconds(), t.fails, t.wave, t.attempts, t.retryDelay, t.priority, bit(t.transactional))
		if t.timeout > 0 {
			fmt.Fprintf(&b, ", @TimeoutSeconds = %d", t.timeout)
		}
		if t.resource {
			fmt.Fprintf(&b, ", @Resource = N'r', @Access = '%s'", access(t))
		}
		if t.failOrphan {
			b.WriteString(", @OnOrphan = 'Fail'")
		}
		if t.key > 0 {
			fmt.Fprintf(&b, ", @DedupKey = N'k%d'", t.key)
		}
		if t.delay > 0 {
			fmt.Fprintf(&b, ", @NotBefore = '%s'", start0.Add(time.Duration(t.delay)*time.Second).Format("2006-01-02T15:04:05"))
		}
		b.WriteString(";\n")
	}
	if !p.suspended {
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
	return b.String()
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func access(t task) string {
	if t.exclusive {
		return "Exclusive"
	}
	return "Shared"
}

// start0 is about when histories begin: only how long tasks are delayed hangs on it.
var start0 = time.Date(2026, 1, 5, 9, 1, 0, 0, time.UTC)

func oracleWords() words {
	return words{
		dialect: "oracle", schema: "app",
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
			case cancelAll:
				return fmt.Sprintf("declare p number; begin select max(process_id) into p from ds_process_info where name = 'p%d'; if p is not null then dbsched.cancel_process(p); end if; end;", n)
			case policy:
				return fmt.Sprintf("begin dbsched.set_policy('%s'); end;", policies[n])
			}
			panic(o)
		},
		tasks:      "select task_id, process_id, execution_order, status, attempt, max_attempts, orphans, failures, to_char(sql_text) from ds_task_info order by task_id",
		logs:       "select log_id, task_id, attempt, nvl(lane_id, 0), outcome, nvl(error_number, 0), error_message from ds_log_info order by log_id",
		processes:  "select process_id, name, status, unfinished, running from ds_process_info order by process_id",
		marks:      "select task, count(*) from marks group by task order by task",
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
	fmt.Fprintf(&b, "declare p number; begin dbsched.create_process('p%d', p, in_on_error => '%s', in_weight => %d, in_suspended => %t", p.number, on, p.weight, p.suspended)
	if p.maxParallel > 0 {
		fmt.Fprintf(&b, ", in_max_parallel => %d", p.maxParallel)
	}
	b.WriteString(");\n")
	for _, t := range p.tasks {
		fmt.Fprintf(&b, "dbsched.exec_async('begin work(%d, %d, %d, %d); end;', %d, in_process_id => p, in_max_attempts => %d, in_retry_delay_seconds => %d, in_priority => %d, in_transactional => %t",
			t.number, t.takes.Milliseconds(), t.fails, bit(!t.transactional), t.wave, t.attempts, t.retryDelay, t.priority, t.transactional)
		if t.timeout > 0 {
			fmt.Fprintf(&b, ", in_timeout_seconds => %d", t.timeout)
		}
		if t.resource {
			fmt.Fprintf(&b, ", in_resource => 'r', in_access => '%s'", access(t))
		}
		if t.failOrphan {
			b.WriteString(", in_on_orphan => 'Fail'")
		}
		if t.key > 0 {
			fmt.Fprintf(&b, ", in_dedup_key => 'k%d'", t.key)
		}
		if t.delay > 0 {
			fmt.Fprintf(&b, ", in_not_before => timestamp '%s UTC'", start0.Add(time.Duration(t.delay)*time.Second).Format("2006-01-02 15:04:05"))
		}
		b.WriteString(");\n")
	}
	if !p.suspended {
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
