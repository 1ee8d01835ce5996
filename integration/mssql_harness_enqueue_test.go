package integration

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

func mssqlEnqueueing(schema string) enqueueing {
	q := func(name string) string { return templates.QuoteIdent(schema) + "." + name }
	lit := templates.QuoteString
	values := func(member, value string) string { return fmt.Sprintf(`{"%s": %s}`, member, value) }
	task := func(more string) string {
		return `[{"SQL": "SELECT 1", "ExecutionOrder": 1}, {"SQL": "SELECT 1", "ExecutionOrder": 1` + more + `}, {"SQL": "SELECT 1", "ExecutionOrder": 1, "Parameters": {"A int": 1}}]`
	}
	return enqueueing{
		keyed: func(order int, task, key string) string {
			return fmt.Sprintf("DECLARE @Id bigint; EXEC %s %s, %d, @DedupKey = %s, @TaskId = @Id OUTPUT; SELECT @Id;", q("ExecAsync"), lit(task), order, lit(key))
		},
		batch: func(ctx context.Context, c conn, tasks string) ([]int64, error) {
			rows, err := c.QueryContext(ctx, fmt.Sprintf("EXEC %s %s;", q("ExecAsyncBatch"), lit(tasks)))
			if err != nil {
				return nil, err
			}
			defer rows.Close()
			var ids []int64
			for rows.Next() {
				var task, id int64
				if err := rows.Scan(&task, &id); err != nil {
					return nil, err
				}
				ids = append(ids, id)
			}
			return ids, rows.Err()
		},
		member: func(name string) string { return name },
		duplicateOf: func(task int64) string {
			return fmt.Sprintf("SELECT t.DuplicateOf FROM %s AS t WHERE t.TaskId = %d;", q("TaskInfo"), task)
		},
		bound: "INSERT INTO dbo.Marks (N) VALUES (@N);",
		allBound: `IF NOT (@Bit = 1 AND @Tiny = 255 AND @Small = -7 AND @Big = 9223372036854775807 AND @Dec = 12.50 AND @Most = 9999999999999999.99 AND @Least = -99.99 AND @Part = 0.99 AND @Rounded = 10.00 AND @Money = 1.5 AND @Float = 1e3
    AND @Date = '20260131' AND @Time = '23:59:00' AND @Stamp = CONVERT(datetime2, '2026-01-31T04:05:06.7') AND @Zone = CONVERT(datetimeoffset, '2026-01-31T04:00:00+02:00')
    AND @Id = CONVERT(uniqueidentifier, '6F9619FF-8B86-D011-B42D-00C04FC964FF') AND @Text = N'it''s; DROP TABLE dbo.Marks --' AND @Ansi = 'x' AND @Bytes = 0x0A0B
    AND LEN(@Long) = 5000 AND LEN(@Max) = 9 AND @Nothing IS NULL AND @_n1 = 1.5 AND @Thousand = 1000 AND @Half = -0.5 AND @Yes = 1 AND @p_Text = N'y' AND @SqlText = N'z')
    THROW 50001, N'not what was given', 1;`,
		allValues: `{"Bit bit": true, "Tiny tinyint": 255, "Small smallint": -7, "Big bigint": 9223372036854775807, "Dec decimal(9, 2)": 12.50, "Most decimal(18,2)": 9999999999999999.99, "Least decimal(4,2)": -99.994, "Part decimal(2,2)": 0.994, "Rounded decimal(4,2)": 9.995,
			"Money money": 1.5,
			"Float float": 1e3, "Date DATE": "2026-01-31", "Time time": "23:59", "Stamp datetime2": "2026-01-31T04:05:06.7", "Zone datetimeoffset": "2026-01-31T04:00:00+02:00",
			"Id uniqueidentifier": "6F9619FF-8B86-D011-B42D-00C04FC964FF", "Text nvarchar": "it's; DROP TABLE dbo.Marks --", "Ansi varchar": "x", "Bytes varbinary": "0x0A0B",
			"Max nvarchar(max)": "max value", "Nothing int": null, "_n1": 1.5, "Thousand": 1e3, "Half": -5E-1, "Yes": true, "p_Text": "y", "SqlText": "z", "Long": "` + strings.Repeat("x", 5000) + `"}`,
		ends: []string{
			"INSERT INTO dbo.Marks (N) VALUES (-1); COMMIT;",
			"INSERT INTO dbo.Marks (N) VALUES (-1); ROLLBACK;",
			"INSERT INTO dbo.Marks (N) VALUES (-1); COMMIT; BEGIN TRANSACTION;",
			"INSERT INTO dbo.Marks (N) VALUES (-1); ROLLBACK; BEGIN TRANSACTION; INSERT INTO dbo.Marks (N) VALUES (-1);",
			"BEGIN TRY INSERT INTO dbo.Marks (N) VALUES (-1); SELECT 1 / 0; END TRY BEGIN CATCH ROLLBACK; THROW; END CATCH;",
			"INSERT INTO dbo.Marks (N) VALUES (-1); COMMIT; THROW 50001, N'after all', 1;",
		},
		slowly: func(n int, d time.Duration) string {
			return fmt.Sprintf("INSERT INTO dbo.Marks (N) VALUES (%d); %s", n, mssqlPause(d))
		},
		enqueuesAndFails: fmt.Sprintf("EXEC %s N'SELECT 1;', 2; THROW 50001, N'no', 1;", q("ExecAsync")),
		leavesOpen:       "INSERT INTO dbo.Marks (N) VALUES (-1); BEGIN TRANSACTION;",
		badValues: map[string]int{
			"x": 31, "[]": 31, "[1]": 31, `"x"`: 31, `{"a": 1`: 31,
			values("", "1"): 32, values("1a", "1"): 32, values("@a", "1"): 32, values("a-b", "1"): 32, values("a;b int", "1"): 32, values(" a", "1"): 32,
			values(strings.Repeat("x", 101), "1"): 32, `{"a": 1, "A int": 2}`: 32, values("ä", "1"): 32,
			values("a xml", `"<a/>"`): 33, values("a sysname", `"x"`): 33, values("a int = 1", "1"): 33, values("a int, @b int", "1"): 33, values("a decimal", "1"): 33,
			values("a decimal(39,1)", "1"): 33, values("a decimal(5,6)", "1"): 33, values("a dbo.MyType", "1"): 33, values("a nvarchar(10)", `"x"`): 33, values("a int output", "1"): 33,
			values("a", "[1]"): 34, values("a", `{"b": 1}`): 34, values("a int", `"1"`): 34, values("a int", "1.5"): 34, values("a tinyint", "256"): 34, values("a bit", "1"): 34,
			values("a date", `"31.01.2026"`): 34, values("a date", `"2026-02-30"`): 34, values("a datetime2", `"2026-01-31 04:00"`): 34, values("a uniqueidentifier", `"x"`): 34,
			values("a varbinary", `"0A"`): 34, values("a nvarchar", `"`+strings.Repeat("x", 4001)+`"`): 34, values("a decimal(4,2)", "100"): 34, values("a decimal(4,2)", "-99.995"): 34, values("a decimal(2,2)", "0.995"): 34, values("a decimal(4,2)", "1e1"): 34, values("a bigint", "9223372036854775808"): 34,
			values("a nvarchar", "1"): 34, values("a int", "true"): 34, values("a datetime2", `"2026-01-31T04:00:00+02:00"`): 34,
			values("a"+strings.Repeat(" ", 200), "1"): 32,
		},
		badBatches: map[string]int{
			"": 36, "{}": 36, "x": 36, "[1]": 36, "[[]]": 36,
			task(`, "Prioritty": 1`): 36, task(`, "priority": 1`): 36, task(`, "Priority": "1"`): 36, task(`, "Priority": 1.5`): 36, task(`, "NotBefore": "tomorrow"`): 36, task(`, "NotBefore": "2026-01-31T04:00:00-02:00"`): 36,
			task(`, "Parameters": "x"`): 36, task(`, "Transactional": 1`): 36, task(`, "OnOrphan": "` + strings.Repeat("x", 31) + `"`): 36,
			task(`, "OnOrphan": "` + strings.Repeat("x", 30) + `"`): 8, task(`, "Resource": "r", "Access": "` + strings.Repeat("x", 30) + `"`): 8, task(`, "Access": "` + strings.Repeat("x", 31) + `"`): 36,
			task(`, "Resource": "` + strings.Repeat("x", 128) + `"`): 40, task(`, "Resource": "` + strings.Repeat("x", 129) + `"`): 36, task(`, "DedupKey": "` + strings.Repeat("x", 4000) + `"`): 30,
			task(`, "DedupKey": "` + strings.Repeat("x", 4001) + `"`): 36, task(`, "NotBefore": "2026-01-31"`): 36, task(`, "NotBefore": "2026-01-31T"`): 36,
			task(`, "NotBefore": "2026-01-31T04:00:00+02:00"`): 36, task(`, "NotBefore": 5`): 36, task(`, "ProcessId": "1"`): 36, task(`, "MaxAttempts": 2147483648`): 36, task(`, "Transactional": "true"`): 36, task(`, "SQL": 5`): 36,
			task(`, "DedupKey": 5`): 36, task(`, "Name": 5`): 36, task(`, "Name": "` + strings.Repeat("x", 129) + `"`): 59, task(`, "Resource": 5`): 36, task(`, "Access": true`): 36, task(`, "OnOrphan": []`): 36, task(`, "Parameters": []`): 36, task(`, "NotBefore": "31-01-2026T04:00:00"`): 36,
			task(`, "MaxAttempts": 0`): 3, task(`, "OnOrphan": "forget"`): 8, task(`, "ProcessId": 4711`): 4, task(`, "DedupKey": ""`): 30,
			task(`, "Parameters": {"a xml": "x"}`): 33, task(`, "TimeoutSeconds": 0`): 3, task(`, "Resource": "nothing"`): 40, task(`, "Access": "Shared"`): 41,
			`[{"SQL": " ", "ExecutionOrder": 1}]`: 1, `[{"SQL": "SELECT 1"}]`: 2, `[{"SQL": null, "ExecutionOrder": 1}]`: 1,
		},
	}
}

// many are rows of all kinds that the dispatcher looks for: two of each, with an odd and an even number.
func (h *harness) many() {
	h.Helper()
	process := func(name, set string) int64 {
		p := h.process(dialects.NewProcess{Name: name})
		h.session().exec(fmt.Sprintf("UPDATE dbsched.Processes SET %s WHERE ProcessId = %d;", set, p))
		return p
	}
	tasks := func(p int64, order int, set string) {
		t := h.task(order, h.say.nothing)
		t.ProcessID = p
		for _, id := range h.exec(t, t) {
			h.session().exec(fmt.Sprintf("UPDATE dbsched.Tasks SET %s WHERE TaskId = %d;", set, id))
		}
	}
	for _, queue := range []string{"Dispatch", "Lane_01"} {
		h.session().exec("ALTER QUEUE dbsched." + queue + " WITH ACTIVATION (STATUS = OFF);")
	}
	h.pause(10 * time.Second) // a dispatcher that still runs would begin with the rows
	p := process("works", "HasWork = 1")
	tasks(p, 1, "Priority = 0")
	tasks(p, 1, "DedupKey = 'key'")
	tasks(p, 2, "Priority = 0")
	tasks(p, 3, "Status = 'Waiting', WaitReason = 'Delay', DueAt = SYSUTCDATETIME()")
	marked := process("marked", "HasWork = 1")
	tasks(marked, 1, "Priority = 0")
	h.session().exec(fmt.Sprintf("UPDATE dbsched.Processes SET WaveOrder = 1, WaveTaskId = 0, WaveRank = (SELECT MIN(t.Rank) FROM dbsched.Tasks AS t WHERE t.ProcessId = %[1]d) WHERE ProcessId = %[1]d;", marked))
	tasks(process("runs", "Running = 2"), 1, "Status = 'Running', Attempt = 1, LaneId = 1, WorkerId = 0x01, LogId = TaskId, StartedAt = SYSUTCDATETIME(), StopAt = SYSUTCDATETIME()")
	tasks(p, 1, "Status = 'Succeeded', FinishedAt = '19990101'")
	for range 2 {
		late := process("late", "Priority = 0")
		tasks(late, 1, "Priority = 0")
		h.session().exec(fmt.Sprintf("UPDATE dbsched.Processes SET Status = 'Failed', FinishedAt = SYSUTCDATETIME() WHERE ProcessId = %d;", late))
		process("old", "Status = 'Succeeded', FinishedAt = '19990101'")
		suspended := process("suspended", "Status = 'Suspended'")
		h.session().exec(fmt.Sprintf("INSERT INTO dbsched.ProcessRequests (ProcessId, Action) VALUES (%d, 'Release'), (%d, 'Close'), (%d, 'Look'), (%d, 'Look');", suspended, suspended, p, p))
	}
	for n := range 2 {
		name := fmt.Sprintf("schedule %d", n)
		h.schedule(dialects.NewSchedule{Name: name, Calendar: "0 12 * * *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		h.session().exec("UPDATE dbsched.Schedules SET LookAt = SYSUTCDATETIME() WHERE Name = N'" + name + "';" +
			"INSERT INTO dbsched.ScheduleFirings (ScheduleId, Name, DueAt, Manual, Status, LoggedAt, OwnerSid) VALUES (1, N'old', '19990101', 1, 'Started', '19990101', 0x01);")
	}
	h.round(dialects.NewRound{Name: "round", Members: []string{"a", "bb", "c"}, SuccessorSQL: h.say.nothing, MaxAge: time.Hour})
	s := h.session()
	s.exec("UPDATE dbsched.RoundMembers SET ReportedAt = SYSUTCDATETIME(), Succeeded = 1 WHERE Member <> N'c';")
	for n := range 6 {
		s.exec(fmt.Sprintf("INSERT INTO dbsched.RoundFirings (RoundId, Generation, Status, FiredAt, FiredBy, SuccessorJob) VALUES (1, %d, '%s', '19990101', N'a', N'job');", n, []string{"Started", "Starting"}[n/2%2]))
		s.exec("INSERT INTO dbsched.Alarms (RaisedAt, Kind, AlarmText) VALUES ('19990101', 'Outage', N'old');")
		s.exec(fmt.Sprintf("INSERT INTO dbsched.WakeSent (TransactionId) VALUES (%d);", n))
		s.exec("INSERT INTO dbsched.Logs (TaskId, ProcessId, ExecutionOrder, Attempt, SqlText, EnqueuedBySid, EnqueuedByName, LaneId, WorkerId, SessionId, StartedAt, EndedAt, Outcome)" +
			" VALUES (0, 1, 1, 1, N'', 0x01, N'dbo', 1, 0x02, 50, '19990101', '19990101', 'Succeeded');")
	}
	s.exec("EXEC dbsched.DefineResource N'resource', 1;")
	s.exec("INSERT INTO dbsched.ResourceRequests (ResourceId, Status, Access, Requester, ProcessId, TaskId, RequestedByName)" +
		" SELECT 1, 'Waiting', 'Shared', N'', t.ProcessId, t.TaskId, N'dbo' FROM dbsched.Tasks AS t WHERE t.ExecutionOrder = 2;")
	for range 2 {
		s.exec("INSERT INTO dbsched.ResourceRequests (ResourceId, Status, Access, Requester, LeaseSeconds, LeaseUntil, RequestedByName) VALUES (1, 'Granted', 'Shared', N'', 100, '20990101', N'dbo');")
	}
	s.exec("UPDATE dbsched.Lanes SET WorkerId = 0x03 WHERE LaneId = 1; UPDATE dbsched.Settings SET NextSweepAt = NULL, RetentionDays = 30;")
}
