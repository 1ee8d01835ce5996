package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// TestScheduler is the task queue that the idea of the product comes from: a table with two plain indexes.
func TestScheduler(t *testing.T) {
	a := newEngine().session(t)
	a.run(`create table Tasks (TaskID int identity(1,1) primary key, ExecutionOrder int null, TaskBody varchar(max) not null, Status varchar(20) not null default('Pending'))`)
	a.run(`create index IX_ExecutionOrder on Tasks(ExecutionOrder)`)
	a.run(`create index IX_Status on Tasks(Status)`)
	a.run(`create table Logs (LogId bigint identity(1,1) primary key, TaskID int not null, ExecutionOrder int not null, TaskBody varchar(max), SPID int not null default(@@SPID), StartTime datetime not null default(getdate()), Endtime datetime)`)
	for range 2 {
		a.run(`insert into Tasks(TaskBody, ExecutionOrder) values('first', 100)`)
	}
	a.run(`insert into Tasks(TaskBody, ExecutionOrder) values('later', 200)`)
	const take = `update top (1) t set @TaskID = TaskID, @TaskBody = TaskBody, @ExecutionOrder = ExecutionOrder, Status = 'Running'
		from Tasks t with (readpast)
		where t.Status = 'Pending' and not exists (select * from Tasks t1 with (nolock) where t1.ExecutionOrder < t.ExecutionOrder)`
	b, c := a.e.session(t), a.e.session(t)
	for _, s := range []*session{a, b, c} {
		s.run("declare @TaskID int, @TaskBody nvarchar(max), @ExecutionOrder int")
	}
	a.run("begin transaction; " + take)
	require.Equal(t, []string{"1|first|100"}, a.run("select @TaskID, @TaskBody, @ExecutionOrder"))
	b.run("begin transaction; " + take)
	require.Equal(t, []string{"2"}, b.run("select @TaskID"))
	c.run(take) // the third belongs to a later order
	require.Equal(t, []string{"NULL"}, c.run("select @TaskID"))
	a.run("insert into Logs(TaskID, TaskBody, ExecutionOrder) values(@TaskID, @TaskBody, @ExecutionOrder); declare @LogID bigint; select @LogID = scope_identity()")
	a.run("update Logs set EndTime = getdate() where LogID = @LogID")
	require.Equal(t, []string{"1|1|51"}, a.run("select LogId, TaskID, SPID from Logs where Endtime is not null"))
	a.run("delete from Tasks where TaskID = @TaskID; commit transaction")
	b.run("delete from Tasks where TaskID = @TaskID; commit transaction")
	c.run(take)
	require.Equal(t, []string{"3"}, c.run("select @TaskID"))
}

func TestModules(t *testing.T) {
	s := tasks(t)
	s.run("CREATE VIEW Open_ AS SELECT t.TaskId AS Id, t.ProcessId, ISNULL(t.SqlText, N'none') AS Body FROM dbo.Tasks AS t WHERE t.Status = 'Pending'")
	require.Equal(t, "t: seek PK_Tasks (TaskId=)", s.access("SELECT o.Body FROM Open_ AS o WHERE o.Id = 3"))
	require.Equal(t, []string{"c"}, s.run("SELECT o.Body FROM Open_ AS o WHERE o.Id = 3"))
	require.Equal(t, []string{"3|c", "9|NULL"}, s.run("SELECT v.i, o.Body FROM (VALUES (3), (9)) AS v (i) LEFT JOIN Open_ AS o ON o.Id = v.i ORDER BY v.i"))
	s.run("CREATE FUNCTION dbo.Later (@id bigint, @p int) RETURNS TABLE AS RETURN (SELECT t.TaskId, t.Priority + @p AS P FROM dbo.Tasks AS t WHERE t.TaskId > @id AND t.ProcessId = @p)")
	require.Equal(t, []string{"2|6", "3|1"}, s.run("SELECT * FROM dbo.Later(1, 1) ORDER BY TaskId"))
	require.Equal(t, []string{"1|2", "1|3", "2|3"}, s.run("SELECT t.TaskId, l.TaskId FROM Tasks AS t CROSS APPLY dbo.Later(t.TaskId, t.ProcessId) AS l ORDER BY t.TaskId, l.TaskId"))
	s.run("UPDATE Open_ SET ProcessId = 7 WHERE Id = 4")
	require.Equal(t, []string{"7"}, s.run("SELECT ProcessId FROM Tasks WHERE TaskId = 4"))
	s.fails(4406, "UPDATE Open_ SET Body = N'x'")
}

func TestWindows(t *testing.T) {
	s := newEngine().session(t)
	const v = " FROM (VALUES (1, 10), (2, 10), (3, 20), (4, 30)) AS v (i, x) ORDER BY i"
	for sql, want := range map[string][]string{
		"SELECT RANK() OVER (ORDER BY x), DENSE_RANK() OVER (ORDER BY x)" + v:                        {"1|1", "1|1", "3|2", "4|3"},
		"SELECT SUM(x) OVER (ORDER BY x), COUNT(*) OVER ()" + v:                                      {"20|4", "20|4", "40|4", "70|4"},
		"SELECT x, SUM(COUNT(*)) OVER () FROM (VALUES (1), (1), (2)) AS v (x) GROUP BY x ORDER BY x": {"1|3", "2|3"},
	} {
		require.Equal(t, want, s.run(sql), sql)
	}
	s.fails(4108, "SELECT 1 FROM (VALUES (1)) AS v (x) WHERE ROW_NUMBER() OVER (ORDER BY x) = 1")
}

func TestNulls(t *testing.T) {
	s := newEngine().session(t)
	const v = "SELECT i FROM (VALUES (1, NULL), (2, 5), (3, 6)) AS v (i, x) WHERE "
	for cond, want := range map[string][]string{
		"x = 5": {"2"}, "x <> 5": {"3"}, "NOT (x = 5)": {"3"}, "x IS NULL": {"1"}, "x IN (5, NULL)": {"2"}, "x NOT IN (5, NULL)": nil,
		"x NOT IN (SELECT 5)": {"3"}, "NOT EXISTS (SELECT 1 WHERE x = 5)": {"1", "3"}, "x = 5 OR x IS NULL": {"1", "2"},
		"x NOT IN (SELECT y FROM (VALUES (7)) AS w (y) WHERE w.y > x)": {"1", "2", "3"},
		"NULLIF(x, 5) IS NULL": {"1", "2"}, "CASE WHEN x = 5 THEN 1 ELSE 0 END = 0": {"1", "3"},
	} {
		require.Equal(t, want, s.run(v+cond), cond)
	}
	s.run("DECLARE @n int; SELECT @n = MAX(x) FROM (VALUES (1), (NULL)) AS v (x)")
	require.Len(t, s.warnings, 1)
	require.EqualValues(t, 8153, s.warnings[0].Number)
}

func TestErrors(t *testing.T) {
	s := tasks(t)
	s.run("CREATE TABLE Parent (Id int NOT NULL CONSTRAINT PK_Parent PRIMARY KEY)")
	s.run("CREATE TABLE Child (Id int NOT NULL CONSTRAINT PK_Child PRIMARY KEY, ParentId int NULL, Code varchar(3) NULL)")
	s.run("CREATE UNIQUE INDEX IX_Code ON Child (Code) WHERE Code IS NOT NULL")
	s.run("INSERT INTO Parent VALUES (1); INSERT INTO Child VALUES (1, 1, 'a'), (2, NULL, NULL), (3, NULL, NULL)")
	for _, c := range []struct {
		number    int32
		sql, text string
	}{
		{2601, "UPDATE Child SET Code = 'A' WHERE Id = 2", `Cannot insert duplicate key row in object 'dbo.Child' with unique index 'IX_Code'. The duplicate key value is (A).`},
		{2628, "INSERT INTO Child (Id, Code) VALUES (5, 'long')", `String or binary data would be truncated in table 'test.dbo.Child', column 'Code'. Truncated value: 'lon'.`},
		{8102, "UPDATE Tasks SET TaskId = 1", "Cannot update identity column 'TaskId'."},
		{207, "UPDATE Tasks SET Nope = 1", "Invalid column name 'Nope'."},
		{213, "INSERT INTO Parent VALUES (1, 2)", "Column name or number of supplied values does not match table definition."},
		{8101, "INSERT INTO Tasks VALUES (1, 1, 1, 1, 1, 'Pending', NULL, NULL, NULL)", "An explicit value for the identity column in table 'dbo.Tasks' can only be specified when a column list is used and IDENTITY_INSERT is ON."},
		{264, "UPDATE Child SET Code = 'x', Code = 'y'", ""},
		{116, "SELECT 1 WHERE 1 IN (SELECT 1, 2)", ""},
		{205, "SELECT 1 UNION SELECT 1, 2", ""},
		{8155, "SELECT * FROM (SELECT 1) AS x", "No column name was specified for column 1 of 'x'."},
		{206, "SELECT CASE WHEN 1 = 1 THEN CAST('2020-01-01' AS date) ELSE 1 END", ""},
		{530, "WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n", "The statement terminated. The maximum recursion 100 has been exhausted before statement completion."},
		{1033, "SELECT * FROM (SELECT TaskId FROM Tasks ORDER BY TaskId) AS x", ""},
		{147, "SELECT 1 FROM Tasks WHERE COUNT(*) > 1", ""},
		{8115, "SELECT 2147483647 + 1", ""},
		{241, "SELECT CAST('x' AS datetime2)", ""},
	} {
		text := s.fails(c.number, c.sql)
		if c.text != "" {
			require.Equal(t, c.text, text, c.sql)
		}
	}
	require.Equal(t, []string{"1|1|a"}, s.run("SELECT * FROM Child WHERE Code IS NOT NULL"))
	s.run("WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT MAX(i) FROM n OPTION (MAXRECURSION 0)")
}

// TestOnce: a function of the session has one value for a statement, however often it is named.
func TestOnce(t *testing.T) {
	s := newEngine().session(t)
	n := int64(0)
	s.functions["GETDATE"] = &plan.SessionFunc{Name: "getdate", Result: datatype.Of(datatype.BigInt), Eval: func(plan.Env, []value.Value) value.Value {
		n++
		return value.NewInt(n)
	}}
	require.Equal(t, []string{"1|1", "1|1"}, s.run("SELECT GETDATE(), (SELECT GETDATE()) FROM (VALUES (1), (2)) AS v (x)"))
	require.Equal(t, []string{"2"}, s.run("SELECT COUNT(DISTINCT NEWID()) FROM (VALUES (1), (2)) AS v (x)"))
}
