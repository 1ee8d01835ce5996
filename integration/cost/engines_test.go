package cost

import (
	"github.com/dbsched/dbsched/dialects/mssql"
	"github.com/dbsched/dbsched/dialects/oracle"
	"github.com/dbsched/dbsched/sandbox"
)

func mssqlEngine() engine {
	const columns = "INSERT INTO dbsched.Tasks (ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Rank, Status, WaitReason, DueAt, SqlText, MaxAttempts, " +
		"RetryDelaySeconds, OnOrphan, EnqueuedById, EnqueuedBySid, EnqueuedByName, TransactionId, FinishedAt) "
	const rest = "N'DECLARE @Nothing int = 1;', 1, 0, 'Retry', 1, 0x01, N'dbo', 1, "
	const numbers = " FROM dbo.Numbers AS n WHERE n.Number <= @p1;"
	return engine{
		sessions: "SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;", resting: 0,
		dialect: mssql.Dialect{}, box: sandbox.Options{Dialect: "mssql"}, program: "app name", schema: "dbsched", rows: "Processes",
		nothing:    "DECLARE @Nothing int = 1;",
		enqueueing: "EXEC dbsched.ExecAsync N'DECLARE @Nothing int = 1;', 1;",
		rising:     "DECLARE @I int = 0; BEGIN TRANSACTION; WHILE @I < %d BEGIN SET @I += 1; EXEC dbsched.ExecAsync N'DECLARE @Nothing int = 1;', 1, @Priority = @I; END; COMMIT;",
		holding:    "UPDATE dbsched.Settings SET Policy = Policy; UPDATE dbsched.Processes SET Running = Running;",
		numbers: []string{
			"CREATE TABLE dbo.Digits (Digit int NOT NULL PRIMARY KEY); INSERT INTO dbo.Digits (Digit) VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);",
			"CREATE TABLE dbo.Numbers (Number int NOT NULL PRIMARY KEY); INSERT INTO dbo.Numbers (Number) " +
				"SELECT 1 + a.Digit + 10 * b.Digit + 100 * c.Digit + 1000 * d.Digit + 10000 * e.Digit " +
				"FROM dbo.Digits AS a CROSS JOIN dbo.Digits AS b CROSS JOIN dbo.Digits AS c CROSS JOIN dbo.Digits AS d CROSS JOIN dbo.Digits AS e;",
		},
		pending:  columns + "SELECT 1, CASE WHEN n.Number % 2 = 0 THEN 1 ELSE 2 + n.Number % 10 END, 0, 0, (CASE WHEN n.Number % 2 = 0 THEN 1 ELSE 2 + n.Number % 10 END) * CONVERT(decimal(27, 0), 10000000000000000) + (1000000 * CONVERT(bigint, 2147483648) + 2147483647), 'Pending', NULL, NULL, " + rest + "NULL" + numbers,
		delayed:  columns + "SELECT 1, 1, 0, 0, 10000000000000000 + (1000000 * CONVERT(bigint, 2147483648) + 2147483647), 'Waiting', 'Delay', DATEADD(day, 1, SYSUTCDATETIME()), " + rest + "NULL" + numbers,
		finished: columns + "SELECT 1, 1, 0, 0, 10000000000000000 + (1000000 * CONVERT(bigint, 2147483648) + 2147483647), 'Succeeded', NULL, NULL, " + rest + "SYSUTCDATETIME()" + numbers,
		schedules: "INSERT INTO dbsched.Schedules (Name, Calendar, Form, Zone, BeginAt, Tasks, OnError, Weight, Overlap, Missed, Status, NextAt, LookAt, OwnerId, OwnerSid, OwnerName) " +
			"SELECT CONCAT(N'copy ', n.Number, s.Name), s.Calendar, s.Form, s.Zone, s.BeginAt, s.Tasks, s.OnError, s.Weight, s.Overlap, s.Missed, s.Status, DATEADD(day, 2, s.NextAt), " +
			"DATEADD(day, 2, s.LookAt), s.OwnerId, s.OwnerSid, s.OwnerName FROM dbsched.Schedules AS s CROSS JOIN dbo.Numbers AS n WHERE n.Number <= @p1;",
	}
}

func oracleEngine() engine {
	const columns = "insert into ds_tasks (task_id, process_id, execution_order, priority, expected_seconds, status, wait_reason, due_at, sql_text, max_attempts, " +
		"retry_delay_seconds, on_orphan, enqueued_at, enqueued_by, finished_at) select ds_task_seq.nextval, 1, "
	const rest = "'begin null; end;', 1, 0, 'Retry', systimestamp, user, "
	const numbers = " from numbers n where n.n <= :1"
	return engine{
		sessions: "select count(*) from user_scheduler_running_jobs", resting: 1,
		dialect: oracle.Dialect{}, box: sandbox.Options{Dialect: "oracle", User: "app"}, program: "PROGRAM", rows: "APP.DS_PROCESSES",
		nothing:    "begin null; end;",
		enqueueing: "begin dbsched.exec_async('begin null; end;', 1); end;",
		rising:     "begin for i in 1 .. %d loop dbsched.exec_async('begin null; end;', 1, in_priority => i); end loop; commit; end;",
		holding:    "begin update ds_settings set policy = policy; update ds_processes set running = running; end;",
		numbers: []string{
			"create table numbers (n number not null primary key)",
			"insert into numbers (n) select level from dual connect by level <= 100000",
		},
		pending:  columns + "case when mod(n.n, 2) = 0 then 1 else 2 + mod(n.n, 10) end, 0, 0, 'Pending', null, null, " + rest + "null" + numbers,
		delayed:  columns + "1, 0, 0, 'Waiting', 'Delay', systimestamp + interval '1' day, " + rest + "null" + numbers,
		finished: columns + "1, 0, 0, 'Succeeded', null, null, " + rest + "systimestamp" + numbers,
		schedules: "insert into ds_schedules (schedule_id, name, calendar, form, zone, begin_at, tasks, on_error, weight, overlap, missed, status, next_at, look_at, owner) " +
			"select ds_schedule_seq.nextval, 'copy ' || n.n || s.name, s.calendar, s.form, s.zone, s.begin_at, s.tasks, s.on_error, s.weight, s.overlap, s.missed, s.status, " +
			"s.next_at + interval '2' day, s.look_at + interval '2' day, s.owner from ds_schedules s cross join numbers n where n.n <= :1",
	}
}
