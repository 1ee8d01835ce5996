package integration

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dbsched/dbsched/dialects/mssql"
	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/templates"
)

// mssqlEngine is SQL Server.
func mssqlEngine() engine {
	return engine{
		dialect: mssql.Dialect{}, box: sandbox.Options{Dialect: "mssql"}, newServer: newMSSQL, say: mssqlStatements,
		parts: mssql.Parts, wrecks: mssqlWrecks, data: mssqlData,
		schema: "dbsched", odd: []string{`we-ird "n,a.me[ $x 100% ünï`, "o'brien's"},
		refused: []string{"", "n]ame", "dbo", "SYS", "$(x)", " x", "x\n"},
		errors:  51000, soon: time.Second, restart: time.Second, replaced: time.Second, freed: 3 * time.Second, keepsLanes: true, crashStep: 20, seesUncommitted: true,
		// The sandbox counts every IF and SET as a statement. 16 of the rows are lanes.
		sweepRows: 41, sweepStatements: 147,
	}
}

// onMSSQL runs a scenario that is about SQL Server itself.
func onMSSQL(t *testing.T, s setup, scenario func(h *harness)) {
	t.Helper()
	t.Parallel()
	mssqlEngine().run(t, s, scenario)
}

func mssqlStatements(schema string) statements {
	q := func(name string) string { return templates.QuoteIdent(schema) + "." + name }
	lit := templates.QuoteString
	exec := func(process int64, order int, task string) string {
		text := fmt.Sprintf("EXEC %s @SQL = %s, @ExecutionOrder = %d", q("ExecAsync"), lit(task), order)
		if process != 0 {
			text += fmt.Sprintf(", @ProcessId = %d", process)
		}
		return text
	}
	return statements{
		now:     "SELECT SYSUTCDATETIME();",
		nothing: "DECLARE @Nothing int = 1;",
		pause:   mssqlPause,
		ask: func(ctx context.Context, c conn, text string) (answer string, err error) {
			return answer, c.QueryRowContext(ctx, text).Scan(&answer)
		},
		wait: func(process int64, seconds int) string {
			return fmt.Sprintf("EXEC %s @ProcessId = %d, @TimeoutSeconds = %d;", q("WaitProcess"), process, seconds)
		},
		waitResult: func(process int64, seconds int) string {
			return fmt.Sprintf("DECLARE @Result int; EXEC @Result = %s @ProcessId = %d, @TimeoutSeconds = %d; SELECT @Result;", q("WaitProcess"), process, seconds)
		},
		enqueue: func(process int64, order int, task string) string { return exec(process, order, task) + ";" },
		enqueueReturn: func(process int64, order int, task string) string {
			return "DECLARE @Id bigint; " + exec(process, order, task) + ", @TaskId = @Id OUTPUT; SELECT @Id;"
		},
		savepoint:  "SAVE TRANSACTION Here;",
		rollbackTo: "ROLLBACK TRANSACTION Here;",
		createProcess: func(name string, suspended bool) string {
			bit := 0
			if suspended {
				bit = 1
			}
			return fmt.Sprintf("DECLARE @Id int; EXEC %s %s, @Id OUTPUT, @Suspended = %d; SELECT @Id;", q("CreateProcess"), lit(name), bit)
		},
		release: func(process int64) string { return fmt.Sprintf("EXEC %s %d;", q("ReleaseProcess"), process) },
		close:   func(process int64) string { return fmt.Sprintf("EXEC %s %d;", q("CloseProcess"), process) },
		worker: func(seconds int) string {
			return fmt.Sprintf("EXEC %s @WaitingTime = %d;", q("TaskScheduler"), seconds)
		},
		mayKill:      killScript(schema),
		kill:         func(session int) string { return fmt.Sprintf("KILL %d;", session) },
		sweep:        fmt.Sprintf("EXEC %s;", q("Sweep")),
		noDispatcher: "CREATE OR ALTER PROCEDURE " + q("DispatchTurn") + " @Woken bit AS RETURN 0;",
		older:        "UPDATE " + q("Settings") + " SET Version = 'older';",
		setWorkers:   func(n int) string { return fmt.Sprintf("EXEC %s %d;", q("SetWorkers"), n) },

		acquire: func(name, access string, timeout, lease int) string {
			text := fmt.Sprintf("DECLARE @Request bigint, @Result int; EXEC @Result = %s %s, @Access = %s, @TimeoutSeconds = %d, @RequestId = @Request OUTPUT",
				q("AcquireResource"), lit(name), lit(access), timeout)
			if lease != 0 {
				text += fmt.Sprintf(", @LeaseSeconds = %d", lease)
			}
			return text + "; SELECT CASE @Result WHEN 0 THEN CONVERT(varchar(20), @Request) WHEN 2 THEN 'timeout' END;"
		},
		releaseResource: func(request int64) string { return fmt.Sprintf("EXEC %s %d;", q("ReleaseResource"), request) },
		holding: func(name string, d time.Duration) string {
			return fmt.Sprintf("EXEC %s %s, @TimeoutSeconds = 600; %s", q("AcquireResource"), lit(name), mssql.Dialect{}.Sleep(d))
		},

		purge:        func(days int) string { return fmt.Sprintf("EXEC %s @Days = %d;", q("Purge"), days) },
		options:      mssqlOptions(schema),
		nextSweep:    "SELECT DATEDIFF(second, SYSUTCDATETIME(), NextSweepAt) FROM " + q("SchedulerInfo") + ";",
		roundFirings: "SELECT COUNT(*) FROM dbsched.RoundFirings;", deleteAlarms: "DELETE FROM dbsched.Alarms;",
		manyAlarms: func(n int) string {
			return fmt.Sprintf("DECLARE @I int = 0; WHILE @I < %d BEGIN SET @I = @I + 1; INSERT INTO dbsched.Alarms (Kind, AlarmText) VALUES ('WorkerError', N'any'); END;", n)
		},
		optionsRead: "SELECT LingerSeconds, IdleSweepSeconds, RetentionDays, MaxRetryDelaySeconds, MaxOrphans, OutageSeconds, MaxTasksPerUser, DefaultTimeoutSeconds FROM " + q("SchedulerInfo") + ";",

		marks: []string{
			"CREATE TABLE dbo.Marks (Id int IDENTITY(1, 1) NOT NULL PRIMARY KEY, N int NOT NULL);",
			"GRANT INSERT, SELECT ON dbo.Marks TO public;",
			"CREATE PROCEDURE dbo.Failing AS\nBEGIN\n    SET NOCOUNT ON;\n    INSERT INTO dbo.Marks (N) VALUES (-1);\n    SELECT 1 / 0;\nEND;",
			"GRANT EXECUTE ON dbo.Failing TO public;",
		},
		mark: func(n int) string { return fmt.Sprintf("INSERT INTO dbo.Marks (N) VALUES (%d);", n) },
		marked: func(n int, d time.Duration) string {
			return fmt.Sprintf("BEGIN TRANSACTION; INSERT INTO dbo.Marks (N) VALUES (%d); %s COMMIT TRANSACTION;", n, mssqlPause(d))
		},
		markRead:   "SELECT N FROM dbo.Marks ORDER BY Id;",
		markDelete: "DELETE FROM dbo.Marks;",

		dispatch:     fmt.Sprintf("EXEC %s;", q("FireSchedules")),
		unknownZone:  fmt.Sprintf("UPDATE %s SET Zone = N'Middle-earth Standard Time';", q("Schedules")),
		loseSettings: "DELETE FROM " + q("Settings") + ";", loseProcesses: "DELETE FROM " + q("Processes") + " WHERE ProcessId IN (0, 1);",
		loseIndex: "DROP INDEX IX_ScheduleFirings_Status ON " + q("ScheduleFirings") + ";",
		violate: []string{
			"ALTER TABLE " + q("Resources") + " DROP CONSTRAINT UQ_Resources_Name;",
			"INSERT INTO " + q("Resources") + " (Name, Capacity) VALUES (N'twice', 1), (N'twice', 2);",
		},
		comply:      "DELETE FROM " + q("Resources") + " WHERE Capacity = 2;",
		copied:      fmt.Sprintf("UPDATE %s SET HomeServer = N'PROD';", q("Settings")),
		outage:      sandbox.Site{Unresolved: map[string]int{"dbo": 15404}},
		outageError: "51022: the user [dbo] cannot be impersonated: Could not obtain information about Windows NT group/user 'dbo'",
		renamed:     fmt.Sprintf("UPDATE %s SET HomeDatabase = N'sales';", q("Settings")),

		jobs: mssqlJobs(schema),

		early:        "INSERT INTO dbo.ComesLater (N) VALUES (1);",
		late:         "CREATE TABLE dbo.ComesLater (N int NOT NULL);",
		fails:        func(d time.Duration) string { return mssqlPause(d) + " SELECT 1 / 0;" },
		failsWith:    func(text string) string { return "RAISERROR (" + lit(text) + ", 16, 1);" },
		longestError: 2047, // RAISERROR
		// Nothing but KILL ends a batch.
		stubborn: func(d time.Duration, fails bool) string {
			if fails {
				return mssqlPause(d) + " SELECT 1 / 0;"
			}
			return mssqlPause(d)
		},

		alarms: fmt.Sprintf("SELECT Kind, AlarmText FROM %s ORDER BY AlarmId;", q("AlarmInfo")),
		inventory: []string{
			"SELECT s.name, o.name, o.type FROM sys.objects AS o INNER JOIN sys.schemas AS s ON s.schema_id = o.schema_id WHERE o.is_ms_shipped = 0 ORDER BY s.name, o.name;",
			"SELECT name FROM sys.schemas ORDER BY name;",
			"SELECT name FROM sys.services ORDER BY name;",
			"SELECT name FROM sys.service_queues ORDER BY name;",
			"SELECT name FROM sys.service_contracts ORDER BY name;",
			"SELECT name FROM sys.service_message_types ORDER BY name;",
			"SELECT conversation_handle, state, far_service FROM sys.conversation_endpoints;",
			"SELECT conversation_handle FROM sys.transmission_queue;",
			"SELECT p.name, p.type FROM sys.database_principals AS p ORDER BY p.name;",
			"SELECT r.name, m.name FROM sys.database_role_members AS x INNER JOIN sys.database_principals AS r ON r.principal_id = x.role_principal_id INNER JOIN sys.database_principals AS m ON m.principal_id = x.member_principal_id ORDER BY r.name, m.name;",
			"SELECT class, OBJECT_NAME(major_id), USER_NAME(grantee_principal_id), permission_name, state FROM sys.database_permissions WHERE major_id >= 0 ORDER BY class, major_id, grantee_principal_id, permission_name;",
			"SELECT name FROM sys.types WHERE is_user_defined = 1 ORDER BY name;",
		},

		enqueueing: mssqlEnqueueing(schema),

		failing: []failing{
			{"divide by zero", "SET NOCOUNT ON;\nSELECT 1 / 0;", 8134, "Divide by zero error encountered.", "", 2},
			{"missing table", "SELECT 1;\n\nSELECT * FROM dbo.NoSuchTable;", 208, "Invalid object name 'dbo.NoSuchTable'.", "", 3},
			{"own error", "RAISERROR (N'no %s today', 16, 3, N'milk');", 50000, "no milk today", "", 1},
			{"thrown error", ";\nTHROW 50123, N'thrown away', 1;", 50123, "thrown away", "", 2},
			{"syntax error", "SELECT FROM WHERE;", 156, "Incorrect syntax near the keyword 'FROM'.", "", 1},
			{"in a procedure", "EXEC dbo.Failing;", 8134, "Divide by zero error encountered.", "Failing", 5},
			{"doomed transaction", "SET XACT_ABORT ON;\nBEGIN TRANSACTION;\nSELECT CONVERT(int, 'x');", 245, "Conversion failed when converting the varchar value 'x' to data type int.", "", 3},
			{"left a transaction open", "BEGIN TRANSACTION; INSERT INTO dbo.Marks (N) VALUES (-2);", 51020, "left a transaction open", "", 0},
			{"missing procedure", "EXEC dbo.NoSuchProcedure;", 2812, "Could not find stored procedure 'dbo.NoSuchProcedure'.", "", 1},
			{"too much reverting", "EXECUTE AS USER = N'nobody such';", 15517, "Cannot execute as the database principal because the principal \"nobody such\" does not exist", "", 1},
		},
		all: func(object string) string { return "SELECT * FROM " + q(strings.ReplaceAll(object, "_", "")) + ";" },
		inList: func(e edge, value int) string {
			return fmt.Sprintf(`EXEC %s N'[{"SQL": "SELECT 1", "ExecutionOrder": 1, "%s": %s}, {"SQL": "SELECT 1", "ExecutionOrder": 1, "Parameters": {"A int": 1}, "DedupKey": "k"}]';`, q("ExecAsyncBatch"), e.parameter, strings.NewReplacer("N'", `"`, "'", `"`).Replace(e.literal(value)))
		},
		passing: func(e edge, value int) string {
			required := map[string][]string{
				"ExecAsync": {"@SQL = N'SELECT 1'", "@ExecutionOrder = 1"}, "CreateProcess": {"@Name = N'p'"}, "WaitProcess": {"@ProcessId = 2"}, "DefineResource": {"@Name = N'r'"},
				"AcquireResource": {"@Name = N'r'"}, "DefineRound": {"@Round = N'x'", `@Members = N'["a"]'`, "@SuccessorSQL = N'SELECT 1'"},
				"CreateSchedule": {"@Calendar = N'@yearly'", "@SQL = N'SELECT 1'"},
			}[e.procedure]
			required = slices.DeleteFunc(required, func(a string) bool { return strings.HasPrefix(a, "@"+e.parameter+" =") })
			return "EXEC " + q(e.procedure) + " " + strings.Join(append(required, "@"+e.parameter+" = "+e.literal(value)), ", ") + ";"
		},
		refusals: []refusal{
			{"empty text", "EXEC " + q("ExecAsync") + " N' \t\r\n', 1;", 51001, "@SQL is NULL or empty", true},
			{"NULL text", "EXEC " + q("ExecAsync") + " NULL, 1;", 51001, "@SQL is NULL or empty", true},
			{"NULL order", "EXEC " + q("ExecAsync") + " N'SELECT 1', NULL;", 51002, "@ExecutionOrder is NULL", true},
			{"priority", "EXEC " + q("ExecAsync") + " N'SELECT 1', 1, @Priority = 1000001;", 51003, "@Priority", true},
			{"no attempts", "EXEC " + q("ExecAsync") + " N'SELECT 1', 1, @MaxAttempts = 0;", 51003, "@MaxAttempts", true},
			{"negative delay", "EXEC " + q("ExecAsync") + " N'SELECT 1', 1, @RetryDelaySeconds = -1;", 51003, "@RetryDelaySeconds", true},
			{"negative expectation", "EXEC " + q("ExecAsync") + " N'SELECT 1', 1, @ExpectedSeconds = -1;", 51003, "@ExpectedSeconds", true},
			{"no time", "EXEC " + q("ExecAsync") + " N'SELECT 1', 1, @TimeoutSeconds = 0;", 51003, "@TimeoutSeconds", true},
			{"unknown process", "EXEC " + q("ExecAsync") + " N'SELECT 1', 1, @ProcessId = 4711;", 51004, "no process 4711", true},
			{"process of schedules", "EXEC " + q("ExecAsync") + " N'SELECT 1', 1, @ProcessId = 0;", 51004, "no process 0", true},
			{"negative process", "EXEC " + q("ExecAsync") + " N'SELECT 1', 1, @ProcessId = -1;", 51004, "no process -1", true},
			{"many for the process of schedules", "EXEC " + q("ExecAsyncBatch") + ` N'[{"SQL": "SELECT 1", "ExecutionOrder": 1}]', 0;`, 51004, "task 1: process 0 does not exist", true},
			{"orphan rule", "EXEC " + q("ExecAsync") + " N'SELECT 1', 1, @OnOrphan = 'Forget';", 51008, "@OnOrphan", true},
			{"unknown resource", "EXEC " + q("ExecAsync") + " N'SELECT 1', 1, @Resource = N'nothing';", 51040, "no resource \"nothing\"", true},
			{"access to nothing", "EXEC " + q("ExecAsync") + " N'SELECT 1', 1, @Access = 'Shared';", 51041, "@Access requires @Resource", true},
			{"access", "EXEC " + q("ExecAsync") + " N'SELECT 1', 1, @Resource = N'r', @Access = 'Total';", 51008, "@Access", true},
			{"drop unknown resource", "EXEC " + q("DropResource") + " N'nothing';", 51040, "no such resource", false},
			{"acquire nothing", "EXEC " + q("AcquireResource") + " NULL;", 51041, "@Name", false},
			{"acquire unknown", "EXEC " + q("AcquireResource") + " N'nothing';", 51040, "no such resource", false},
			{"acquire as nobody", "EXEC " + q("AcquireResource") + " N'r', @Requester = N'';", 51041, "@Requester", false},
			{"acquire totally", "EXEC " + q("AcquireResource") + " N'r', 'Total';", 51008, "@Access", false},
			{"acquire without end", "EXEC " + q("AcquireResource") + " N'r', @TimeoutSeconds = NULL;", 51003, "@TimeoutSeconds", false},
			{"acquire for no time", "EXEC " + q("AcquireResource") + " N'r', @LeaseSeconds = 0;", 51003, "@LeaseSeconds", false},
			{"release nothing", "EXEC " + q("ReleaseResource") + " NULL;", 51044, "no such request", false},
			{"release unknown", "EXEC " + q("ReleaseResource") + " 4711;", 51044, "no such request", false},
			{"nameless resource", "EXEC " + q("DefineResource") + " N'';", 51041, "@Name", false},
			{"long resource", "DECLARE @n nvarchar(200) = REPLICATE(N'x', 129); EXEC " + q("DefineResource") + " @n;", 51041, "@Name", false},
			{"resource without units", "EXEC " + q("DefineResource") + " N'r', 0;", 51003, "@Capacity", false},
			{"nameless process", "EXEC " + q("CreateProcess") + " NULL;", 51012, "@Name", true},
			{"empty name", "EXEC " + q("CreateProcess") + " N'';", 51012, "@Name", true},
			{"long name", "DECLARE @n nvarchar(200) = REPLICATE(N'x', 129); EXEC " + q("CreateProcess") + " @n;", 51012, "@Name", true},
			{"weightless process", "EXEC " + q("CreateProcess") + " N'p', @Weight = 0;", 51003, "@Weight", true},
			{"process without room", "EXEC " + q("CreateProcess") + " N'p', @MaxParallel = 0;", 51003, "@MaxParallel", true},
			{"error rule", "EXEC " + q("CreateProcess") + " N'p', @OnError = 'Shrug';", 51008, "@OnError", true},
			{"close nothing", "EXEC " + q("CloseProcess") + " NULL;", 51004, "NULL", true},
			{"close unknown", "EXEC " + q("CloseProcess") + " 4711;", 51004, "no process 4711", true},
			{"close default", "EXEC " + q("CloseProcess") + " 1;", 51013, "default process", true},
			{"close schedules", "EXEC " + q("CloseProcess") + " 0;", 51013, "processes 0", true},
			{"cancel schedules", "EXEC " + q("CancelProcess") + " 0;", 51013, "processes 0", false},
			{"retry schedules", "EXEC " + q("RetryProcess") + " 0;", 51004, "no such process", false},
			{"retry negative", "EXEC " + q("RetryProcess") + " -1;", 51004, "no such process", false},
			{"release unknown", "EXEC " + q("ReleaseProcess") + " 4711;", 51004, "no process 4711", true},
			{"release default", "EXEC " + q("ReleaseProcess") + " 1;", 51013, "default process", true},
			{"wait without end", "EXEC " + q("WaitProcess") + " 1, NULL;", 51003, "@TimeoutSeconds", false},
			{"wait backwards", "EXEC " + q("WaitProcess") + " 1, -1;", 51003, "@TimeoutSeconds", false},
			{"wait for unknown", "EXEC " + q("WaitProcess") + " 4711, 1;", 51004, "no such process", false},
			{"wait for schedules", "EXEC " + q("WaitProcess") + " 0, 1;", 51004, "no such process", false},
			{"workers", "EXEC " + q("SetWorkers") + " 5;", 51009, "5 workers need as many lanes, but only 4 are installed", false},
			{"negative workers", "EXEC " + q("SetWorkers") + " -1;", 51003, "@MaxWorkers", false},
			{"NULL workers", "EXEC " + q("SetWorkers") + " NULL;", 51003, "@MaxWorkers", false},
			{"policy", "EXEC " + q("SetPolicy") + " 'Random';", 51008, "@Policy", false},
			{"NULL policy", "EXEC " + q("SetPolicy") + " NULL;", 51008, "@Policy", false},
			{"stop mode", "EXEC " + q("StopScheduler") + " 'Later';", 51008, "@Mode", false},
			{"nameless round", "EXEC " + q("DefineRound") + " N'', N'[\"a\"]', N'j';", 51050, "@Round", false},
			{"no list of members", "EXEC " + q("DefineRound") + " N'r', N'\"a\"', N'j';", 51054, "@Members", false},
			{"members that are no names", "EXEC " + q("DefineRound") + " N'r', N'[1]', N'j';", 51054, "@Members", false},
			{"a member longer than names are", "EXEC " + q("DefineRound") + " N'r', N'[\"" + strings.Repeat("a", 5000) + "\"]', N'j';", 51054, "1 to 128 characters", false},
			{"member twice", "EXEC " + q("DefineRound") + " N'r', N'[\"a\", \"a\"]', N'j';", 51054, "must be unique strings", false},
			{"round for nothing", "EXEC " + q("DefineRound") + " N'r', N'[\"a\"]';", 51055, "@SuccessorJob", false},
			{"round for two things", "EXEC " + q("DefineRound") + " N'r', N'[\"a\"]', N'j', N'SELECT 1';", 51055, "@SuccessorSQL", false},
			{"round without time", "EXEC " + q("DefineRound") + " N'r', N'[\"a\"]', N'j', @MaxAgeSeconds = 0;", 51003, "@MaxAgeSeconds", false},
			{"impatient round", "EXEC " + q("DefineRound") + " N'r', N'[\"a\"]', N'j', @StartSeconds = NULL;", 51003, "@StartSeconds", false},
			{"round of no process", "EXEC " + q("DefineRound") + " N'r', N'[\"a\"]', @SuccessorSQL = N'SELECT 1', @ProcessId = 4711;", 51004, "no process 4711", false},
			{"round of the process of schedules", "EXEC " + q("DefineRound") + " N'r', N'[\"a\"]', @SuccessorSQL = N'SELECT 1', @ProcessId = 0;", 51004, "no process 0", false},
			{"unknown round", "EXEC " + q("ReportRound") + " N'nothing', N'a';", 51051, "no round \"nothing\"", false},
			{"report of nothing", "EXEC " + q("ReportRound") + " NULL, N'a';", 51050, "@Round", false},
			{"report of neither", "EXEC " + q("ReportRound") + " N'r', N'a', NULL;", 51003, "@Succeeded", false},
			{"schedule without tasks", "EXEC " + q("CreateSchedule") + " N's', N'@daily', @Tasks = N'[]';", 51076, "at least one", false},
			{"schedule of both", "EXEC " + q("CreateSchedule") + " N's', N'@daily', N'SELECT 1', N'[]';", 51076, "either @SQL, or @Tasks", false},
			{"schedule of a process", "EXEC " + q("CreateSchedule") + ` N's', N'@daily', @Tasks = N'[{"SQL": "SELECT 1", "ExecutionOrder": 1, "ProcessId": 2}]';`, 51076, "no ProcessId", false},
			{"unknown schedule", "EXEC " + q("AlterSchedule") + " N'nothing', @Overlap = 'Skip';", 51071, "no such schedule", false},
			{"calendar of four fields", "EXEC " + q("CreateSchedule") + " N's', N'0 0 1 1', N'SELECT 1';", 51074, "field", false},
			{"worker's patience", "EXEC " + q("TaskScheduler") + " -1;", 51003, "@WaitingTime", false},
		},
	}
}

// killScript returns what a sysadmin runs.
func killScript(schema string) []string {
	batches, err := templates.MSSQLKillScript(templates.Params{Schema: schema})
	if err != nil {
		return nil // a name that is refused wherever it is used
	}
	var all []string
	for _, b := range batches {
		all = append(all, b.SQL)
	}
	return all
}

// mssqlPause returns WAITFOR DELAY, which takes less than 24 hours.
func mssqlPause(d time.Duration) string {
	return mssql.Dialect{}.Sleep(d) + ";"
}

// mssqlOptions returns SetOptions with its parameters in the order of their names.
func mssqlOptions(schema string) func(map[string]int) string {
	return func(values map[string]int) string {
		var list []string
		for _, name := range slices.Sorted(maps.Keys(values)) {
			list = append(list, fmt.Sprintf("@%s = %d", name, values[name]))
		}
		return "EXEC " + templates.QuoteIdent(schema) + ".SetOptions " + strings.Join(list, ", ") + ";"
	}
}
