package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScalar(t *testing.T) {
	s := newEngine().session(t)
	for _, c := range []struct{ sql, want string }{
		{"SELECT 1 + 2 * 3", "7"},
		{"SELECT 7 / 2, 7.0 / 2, 7 % 3, -5 / 2", "3|3.500000|1|-2"},
		{"SELECT 'a' + 'b', N'x' + 'y', 'n' + NULL", "ab|xy|NULL"},
		{"SELECT CASE WHEN 1 = 2 THEN 'a' WHEN 2 = 2 THEN 'bb' ELSE 'c' END", "bb"},
		{"SELECT CASE 3 WHEN 1 THEN 10 WHEN 3 THEN 30 END", "30"},
		{"SELECT COALESCE(NULL, 2, 3), NULLIF(1, 1), ISNULL(NULL, 'x'), IIF(1 > 2, 'y', 'n')", "2|NULL|x|n"},
		{"SELECT CAST('12' AS int) + 1, CONVERT(varchar(5), 12345), TRY_CAST('x' AS int)", "13|12345|NULL"},
		{"SELECT LEN('abc '), UPPER('abc'), LEFT('abc', 2), RIGHT('abc', 2), SUBSTRING('abcd', 2, 2)", "3|ABC|ab|bc|bc"},
		{"SELECT DATEADD(day, 1, CAST('2020-02-28' AS date)), DATEDIFF(second, '2020-01-01', '2020-01-02')", "2020-02-29|86400"},
		{"SELECT @@SPID, USER_NAME()", "51|dbo"},
		{"SELECT 1 WHERE NULL = NULL", ""},
		{"SELECT 1 WHERE NOT (NULL = 1)", ""},
		{"SELECT 1 WHERE 2 IN (1, 2) AND 3 NOT IN (1, 2) AND 'abc' LIKE 'a%' AND 5 BETWEEN 1 AND 9", "1"},
		{"SELECT 1 WHERE 3 NOT IN (1, NULL)", ""},
		{"SELECT 1 WHERE 'ABC' = 'abc'", "1"},
		{"SELECT 1 FROM (SELECT v.x COLLATE Latin1_General_BIN2 AS y FROM (VALUES ('a')) AS v (x)) AS d WHERE d.y = 'A'", ""},
		{"SELECT (SELECT 5), (SELECT TOP (1) x FROM (VALUES (1), (2)) AS v (x) ORDER BY x DESC)", "5|2"},
	} {
		rows := s.run(c.sql)
		if c.want == "" {
			require.Empty(t, rows, c.sql)
			continue
		}
		require.Equal(t, []string{c.want}, rows, c.sql)
	}
	s.fails(8134, "SELECT 1 / 0")
	s.fails(245, "SELECT 1 + 'a'")
	s.fails(195, "SELECT NO_SUCH(1)")
	s.fails(137, "SELECT @nope")
	s.fails(208, "SELECT 1 FROM nope")
	s.fails(512, "SELECT (SELECT x FROM (VALUES (1), (2)) AS v (x))")
}

func tasks(t *testing.T) *session {
	t.Helper()
	s := newEngine().session(t)
	s.run(`CREATE TABLE Tasks (TaskId bigint IDENTITY(1, 1) NOT NULL CONSTRAINT PK_Tasks PRIMARY KEY CLUSTERED,
		ProcessId int NOT NULL, ExecutionOrder int NOT NULL, Priority int NOT NULL, ExpectedSeconds int NOT NULL CONSTRAINT DF_E DEFAULT (0),
		Status varchar(10) COLLATE Latin1_General_BIN2 NOT NULL CONSTRAINT CK_Status CHECK (Status IN ('Pending', 'Running', 'Done')),
		DueAt datetime2(3) NULL, SqlText nvarchar(max) NULL, FinishedAt datetime2(3) NULL)`)
	s.run(`CREATE NONCLUSTERED INDEX IX_Tasks_Claim ON Tasks (ProcessId, ExecutionOrder, Priority DESC, ExpectedSeconds DESC, TaskId) INCLUDE (Status) WHERE Status = 'Pending'`)
	s.run(`CREATE NONCLUSTERED INDEX IX_Tasks_Unfinished ON Tasks (ProcessId, ExecutionOrder, TaskId) INCLUDE (FinishedAt) WHERE FinishedAt IS NULL`)
	s.run(`CREATE NONCLUSTERED INDEX IX_Tasks_Due ON Tasks (DueAt, ProcessId) WHERE DueAt IS NOT NULL`)
	s.run(`INSERT INTO Tasks (ProcessId, ExecutionOrder, Priority, Status, SqlText) VALUES (1, 10, 0, 'Pending', N'a'), (1, 10, 5, 'Pending', N'b'), (1, 20, 0, 'Pending', N'c'), (2, 10, 0, 'Pending', N'd')`)
	return s
}

func TestAccess(t *testing.T) {
	s := tasks(t)
	s.run("DECLARE @p int = 1, @o int = 10, @id bigint = 2, @now datetime2(3) = '2030-01-01', @st varchar(10) = 'Pending'")
	for _, c := range []struct{ sql, want string }{
		{"SELECT * FROM Tasks WHERE TaskId = 2", "Tasks: seek PK_Tasks (TaskId=)"},
		{"SELECT * FROM Tasks WHERE TaskId = @id", "Tasks: seek PK_Tasks (TaskId=)"},
		{"SELECT * FROM Tasks AS t WHERE t.TaskId IN (1, 2, 3)", "t: seek PK_Tasks (TaskId in)"},
		{"SELECT TOP (1) t.TaskId FROM Tasks AS t WHERE t.ProcessId = @p AND t.ExecutionOrder = @o AND t.Status = 'Pending' ORDER BY t.Priority DESC, t.ExpectedSeconds DESC, t.TaskId", "t: seek IX_Tasks_Claim (ProcessId=, ExecutionOrder=) ordered"},
		{"SELECT TOP (1) t.TaskId FROM Tasks AS t WHERE t.ProcessId = @p AND t.ExecutionOrder = @o AND t.Status = @st ORDER BY t.Priority DESC, t.ExpectedSeconds DESC, t.TaskId", "t: scan PK_Tasks"},
		{"SELECT MIN(t.ExecutionOrder) FROM Tasks AS t WHERE t.ProcessId = @p AND t.FinishedAt IS NULL", "t: seek IX_Tasks_Unfinished (ProcessId=) ordered"},
		{"SELECT TOP (1) t.ExecutionOrder FROM Tasks AS t WHERE t.ProcessId = @p AND t.FinishedAt IS NULL ORDER BY t.ExecutionOrder", "t: seek IX_Tasks_Unfinished (ProcessId=) ordered"},
		{"SELECT t.ProcessId FROM Tasks AS t WHERE t.DueAt <= @now", "t: seek IX_Tasks_Due (DueAt<=)"},
		{"SELECT TOP (1) t.TaskId FROM Tasks AS t ORDER BY t.TaskId DESC", "t: scan PK_Tasks ordered backward"},
		{"SELECT t.SqlText FROM Tasks AS t WITH (FORCESEEK) WHERE t.DueAt <= @now", "t: seek IX_Tasks_Due (DueAt<=) lookup"},
		{"SELECT t.SqlText FROM (VALUES (1), (2)) AS v (id) JOIN Tasks AS t ON t.TaskId = v.id", "v: constant scan; t: seek PK_Tasks (TaskId=)"},
		{"SELECT t.SqlText FROM Tasks AS t JOIN (VALUES (1), (2)) AS v (id) ON t.TaskId = v.id", "v: constant scan; t: seek PK_Tasks (TaskId=)"},
		{"SELECT t.SqlText FROM Tasks AS t WHERE t.TaskId IN (SELECT v.id FROM (VALUES (1), (2)) AS v (id))", "v: constant scan; t: seek PK_Tasks (TaskId in)"},
	} {
		require.Equal(t, c.want, s.access(c.sql), c.sql)
	}
	s.fails(8622, "SELECT * FROM Tasks WITH (FORCESEEK) WHERE SqlText = N'x'")
	s.fails(308, "SELECT * FROM Tasks WITH (INDEX (nope))")
	_, err := s.try("SELECT * FROM Tasks WITH (FORCESEEK (PK_Tasks (TaskId))) WHERE TaskId = 1")
	require.ErrorContains(t, err, "FORCESEEK with an index")
}

func TestSelect(t *testing.T) {
	s := tasks(t)
	require.Equal(t, []string{"2|b", "1|a"}, s.run("SELECT TaskId, SqlText FROM Tasks WHERE ProcessId = 1 AND ExecutionOrder = 10 AND Status = 'Pending' ORDER BY Priority DESC"))
	require.Equal(t, []string{"1|3", "2|1"}, s.run("SELECT ProcessId, COUNT(*) FROM Tasks GROUP BY ProcessId ORDER BY ProcessId"))
	require.Equal(t, []string{"1"}, s.run("SELECT ProcessId FROM Tasks GROUP BY ProcessId HAVING COUNT(*) > 1"))
	require.Equal(t, []string{"4|1|4|10"}, s.run("SELECT COUNT(*), MIN(TaskId), MAX(TaskId), SUM(TaskId) FROM Tasks"))
	require.Equal(t, []string{"0|NULL"}, s.run("SELECT COUNT(*), MAX(TaskId) FROM Tasks WHERE TaskId > 100"))
	require.Equal(t, []string{"1|1", "2|2", "3|3", "4|1"}, s.run("SELECT TaskId, ROW_NUMBER() OVER (PARTITION BY ProcessId ORDER BY TaskId) FROM Tasks ORDER BY TaskId"))
	require.Equal(t, []string{"10", "20"}, s.run("SELECT DISTINCT ExecutionOrder FROM Tasks ORDER BY ExecutionOrder"))
	require.Equal(t, []string{"2", "3"}, s.run("SELECT TaskId FROM Tasks ORDER BY TaskId OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY"))
	require.Equal(t, []string{"1|a", "9|NULL"}, s.run("SELECT v.id, t.SqlText FROM (VALUES (1), (9)) AS v (id) LEFT JOIN Tasks AS t ON t.TaskId = v.id ORDER BY v.id"))
	require.Equal(t, []string{"1", "2", "3"}, s.run("WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n"))
	require.Equal(t, []string{"1|2", "2|4"}, s.run("SELECT p.id, x.m FROM (VALUES (1), (2)) AS p (id) CROSS APPLY (SELECT MAX(TaskId) AS m FROM Tasks AS t WHERE t.ProcessId = p.id AND t.TaskId % 2 = 0) AS x ORDER BY p.id"))
	require.Equal(t, []string{"1", "2", "3"}, s.run("SELECT TaskId FROM Tasks WHERE ProcessId = 1 UNION SELECT TaskId FROM Tasks WHERE TaskId < 3 ORDER BY TaskId"))
	require.Equal(t, []string{"4"}, s.run("SELECT TaskId FROM Tasks AS t WHERE NOT EXISTS (SELECT 1 FROM Tasks AS u WHERE u.ProcessId = t.ProcessId AND u.TaskId <> t.TaskId)"))
	s.run("DECLARE @a bigint, @n int = 0; SELECT @a = TaskId, @n += 1 FROM Tasks ORDER BY TaskId")
	require.Equal(t, []string{"4|4"}, s.run("SELECT @a, @n"))
	s.fails(8120, "SELECT TaskId, COUNT(*) FROM Tasks GROUP BY ProcessId")
	s.fails(207, "SELECT nope FROM Tasks")
	s.fails(4104, "SELECT x.TaskId FROM Tasks AS t")
	s.fails(209, "SELECT TaskId FROM Tasks AS a JOIN Tasks AS b ON a.TaskId = b.TaskId")
}

func TestWrite(t *testing.T) {
	s := tasks(t)
	s.run("DECLARE @id bigint, @t nvarchar(max)")
	require.Equal(t, []string{"2|Pending|Running"}, s.run(`
		WITH c AS (SELECT TOP (1) t.TaskId, t.Status, t.SqlText FROM Tasks AS t WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK)
			WHERE t.ProcessId = 1 AND t.ExecutionOrder = 10 AND t.Status = 'Pending' ORDER BY t.Priority DESC, t.ExpectedSeconds DESC, t.TaskId)
		UPDATE c SET @id = TaskId, @t = SqlText, Status = 'Running' OUTPUT inserted.TaskId, deleted.Status, inserted.Status`))
	require.Equal(t, []string{"2|b"}, s.run("SELECT @id, @t"))
	require.Equal(t, []string{"3"}, s.run("DELETE FROM Tasks OUTPUT deleted.TaskId WHERE TaskId = 3"))
	require.Equal(t, []string{"5|0"}, s.run("INSERT INTO Tasks (ProcessId, ExecutionOrder, Priority, Status) OUTPUT inserted.TaskId, inserted.ExpectedSeconds VALUES (3, 1, 1, 'Pending')"))
	require.Equal(t, "The INSERT statement conflicted with the CHECK constraint \"CK_Status\". The conflict occurred in database \"test\", table \"dbo.Tasks\", column 'Status'.",
		s.fails(547, "INSERT INTO Tasks (ProcessId, ExecutionOrder, Priority, Status) VALUES (3, 1, 1, 'X')"))
	require.Equal(t, "Cannot insert the value NULL into column 'Priority', table 'test.dbo.Tasks'; column does not allow nulls. INSERT fails.",
		s.fails(515, "INSERT INTO Tasks (ProcessId, ExecutionOrder, Status) VALUES (3, 1, 'Pending')"))
	s.fails(2628, "UPDATE Tasks SET Status = 'PendingPending' WHERE TaskId = 1")
	s.fails(544, "INSERT INTO Tasks (TaskId, ProcessId, ExecutionOrder, Priority, Status) VALUES (1, 3, 1, 1, 'Pending')")
	require.Equal(t, "Violation of PRIMARY KEY constraint 'PK_Tasks'. Cannot insert duplicate key in object 'dbo.Tasks'. The duplicate key value is (1).",
		s.fails(2627, "SET IDENTITY_INSERT Tasks ON; INSERT INTO Tasks (TaskId, ProcessId, ExecutionOrder, Priority, Status) VALUES (1, 3, 1, 1, 'Pending')"))
	s.run("SET IDENTITY_INSERT Tasks OFF")
	require.Equal(t, []string{"1|7", "4|7"}, s.run("UPDATE t SET t.Priority += v.p + t.Priority OUTPUT inserted.TaskId, inserted.Priority FROM Tasks AS t JOIN (VALUES (1, 7), (4, 7)) AS v (id, p) ON v.id = t.TaskId"))
	s.tableVariable("@ids", "id bigint NOT NULL PRIMARY KEY, n int NULL")
	s.run("INSERT INTO @ids (id) SELECT TaskId FROM Tasks")
	require.Equal(t, []string{"1", "2", "4", "5"}, s.run("SELECT id FROM @ids ORDER BY id"))
	s.run("DELETE FROM Tasks OUTPUT deleted.TaskId * 10, 1 INTO @ids (id, n) WHERE TaskId IN (1, 2)")
	require.Equal(t, []string{"10", "20"}, s.run("SELECT id FROM @ids WHERE n = 1 ORDER BY id"))
	s.run("SELECT TaskId, Status INTO #copy FROM Tasks")
	require.Equal(t, []string{"4|Pending", "5|Pending"}, s.run("SELECT * FROM #copy ORDER BY TaskId"))
}
