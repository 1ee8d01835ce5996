-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/execute-transact-sql
DECLARE @sql nvarchar(200) = N'SELECT ' + CAST(6 * 7 AS nvarchar(5)); EXEC (@sql); EXECUTE ('SELECT ''a''' + ' AS x');
--> 42
--> ----
--> a
DECLARE @n int = 5; EXEC (N'SELECT @n');
--> error: 137 Must declare the scalar variable "@n"
EXEC (N'USE master; SELECT DB_NAME()'); SELECT DB_NAME();
--> master
--> ----
--> sandbox
EXEC (N'SET ROWCOUNT 1; SELECT v.n FROM (VALUES (1), (2)) AS v (n)'); SELECT COUNT(*) FROM (VALUES (1), (2)) AS v (n);
--> 1
--> ----
--> 2
EXEC (N'SELECT 1 FROM FROM'); SELECT 'goes on';
--> error: 156 Incorrect syntax near the keyword 'FROM'
--> goes on
EXEC (N'GetStarted 1'); SELECT 'goes on';
--> error: 2812 Could not find stored procedure 'GetStarted'
--> goes on
DECLARE @none nvarchar(10); EXEC (@none); EXEC (N'');
--> ok
EXEC (N'DECLARE @d int = 3; RETURN; SELECT 1'); SELECT 'after';
--> after
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-executesql-transact-sql
EXEC sp_executesql N'SELECT @a + @b, @c', N'@a int, @b int, @c varchar(5) = ''dflt''', @a = 2, @b = 3;
--> 5 | dflt
DECLARE @out int; EXEC sp_executesql N'SET @o = @i * 2', N'@i int, @o int OUTPUT', 21, @out OUTPUT; SELECT @out;
--> 42
DECLARE @out int = 1; EXEC sp_executesql N'SET @o = 9', N'@o int OUTPUT', @o = @out; SELECT @out;
--> 1
DECLARE @rc int; EXEC @rc = sp_executesql N'SELECT 1 / 0'; SELECT IIF(@rc = 0, 'success', 'failure');
--> error: 8134
--> ----
--> failure
EXEC sp_executesql N'SELECT @a', N'@a int';
--> error: 8178 The parameterized query '(@a int)SELECT @a' expects the parameter '@a', which was not supplied
EXEC sp_executesql 'SELECT 1';
--> error: 214 Procedure expects parameter '@statement' of type 'ntext/nchar/nvarchar'
DECLARE @t sysname = N'odd]name', @s nvarchar(200); SET @s = N'CREATE TABLE dbo.' + QUOTENAME(@t) + N' (a int); INSERT dbo.' + QUOTENAME(@t) + N' VALUES (1); SELECT a FROM dbo.' + QUOTENAME(@t); EXEC sp_executesql @s;
--> 1
SELECT name FROM sys.tables WHERE name LIKE 'odd%';
--> odd]name
-- @@ROWCOUNT and a transaction go through dynamic SQL.
EXEC (N'BEGIN TRAN'); SELECT @@TRANCOUNT; ROLLBACK;
--> error: 266 Previous count = 0, current count = 1
--> 1
EXEC sp_executesql N'SELECT v.n FROM (VALUES (1), (2)) AS v (n)'; SELECT @@ROWCOUNT;
--> 1
--> 2
--> ----
--> 2
BEGIN TRY EXEC (N'SELECT CAST(''x'' AS int)'); END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_LINE(); END CATCH;
--> rows: 0
--> ----
--> 245 | 1
BEGIN TRY EXEC (N'SELECT 1 +'' x'); END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_SEVERITY(); END CATCH;
--> 105 | 15
INSERT INTO dbo.[odd]]name] (a) EXEC sp_executesql N'SELECT @x UNION ALL SELECT @x + 1', N'@x int', @x = 5; SELECT SUM(a) FROM dbo.[odd]]name];
--> 12
DECLARE @p sysname = N'sp_executesql'; EXEC @p N'SELECT 7';
--> 7
EXEC ('SELECT 1') AT elsewhere1;
--> refused AT
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/nestlevel-transact-sql
SELECT @@NESTLEVEL; EXEC (N'SELECT @@NESTLEVEL'); EXEC sp_executesql N'SELECT @@NESTLEVEL';
--> 0
--> ----
--> 1
--> ----
--> 2
