-- Temporary tables belong to the session, or to the procedure or dynamic batch that makes them.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-table-transact-sql
CREATE TABLE #work (Id int IDENTITY PRIMARY KEY, Name varchar(10) NULL DEFAULT 'none'); INSERT INTO #work (Name) VALUES ('a'), (DEFAULT); SELECT Id, Name FROM #work ORDER BY Id;
--> 1 | a
--> 2 | none
SELECT COUNT(*) FROM #work;
--> 2
CREATE TABLE #work (Id int);
--> error: 2714 There is already an object named '#work' in the database
SELECT COUNT(*) FROM tempdb.sys.tables WHERE name LIKE '#work%';
--> 1
SELECT COUNT(*) FROM sys.tables WHERE name LIKE '#work%';
--> 0
SELECT type, type_desc FROM tempdb.sys.objects WHERE object_id = OBJECT_ID('tempdb..#work');
--> U  | USER_TABLE
SELECT name, column_id, max_length, is_identity FROM tempdb.sys.columns WHERE object_id = OBJECT_ID('tempdb..#work') ORDER BY column_id;
--> Id | 1 | 4 | 1
--> Name | 2 | 10 | 0
-- Its name is filled with underscores and a number to 128 characters.
SELECT LEN(name), LEFT(name, 8) FROM tempdb.sys.tables WHERE object_id = OBJECT_ID('tempdb..#work');
--> 128 | #work___
IF OBJECT_ID('tempdb..#work') IS NOT NULL DROP TABLE #work; SELECT OBJECT_ID('tempdb..#work');
--> NULL
DROP TABLE #work;
--> error: 3701 Cannot drop the table '#work', because it does not exist or you do not have permission
DROP TABLE IF EXISTS #work;
--> ok
SELECT * FROM #work;
--> error: 208 Invalid object name '#work'
EXEC (N'CREATE TABLE #inner1 (a int); INSERT INTO #inner1 VALUES (1); SELECT a FROM #inner1'); SELECT OBJECT_ID('tempdb..#inner1');
--> 1
--> ----
--> NULL
CREATE PROCEDURE dbo.MakesTemp AS CREATE TABLE #p (a int); INSERT INTO #p VALUES (5); SELECT a FROM #p;
--> ok
EXEC dbo.MakesTemp; SELECT * FROM #p;
--> 5
--> error: 208 Invalid object name '#p'
CREATE PROCEDURE dbo.FillsTemp AS INSERT INTO #outer1 VALUES (7);
--> ok
CREATE TABLE #outer1 (a int); EXEC dbo.FillsTemp; EXEC sp_executesql N'INSERT INTO #outer1 VALUES (8)'; SELECT a FROM #outer1 ORDER BY a;
--> 7
--> 8
DROP TABLE #outer1; EXEC dbo.FillsTemp;
--> error: 208 Invalid object name '#outer1'
SELECT v.n, v.n * v.n AS sq INTO #squares FROM (VALUES (1), (2), (3)) AS v (n); SELECT SUM(sq) FROM #squares;
--> 14
ALTER TABLE #squares ADD note varchar(5) NULL; CREATE INDEX ix ON #squares (n);
--> ok
UPDATE #squares SET note = 'odd' WHERE n % 2 = 1; SELECT note, COUNT(*) FROM #squares GROUP BY note ORDER BY note;
--> NULL | 1
--> odd | 2
-- A rollback undoes them, too.
BEGIN TRANSACTION; CREATE TABLE #gone (a int); DELETE FROM #squares; ROLLBACK; SELECT COUNT(*), OBJECT_ID('tempdb..#gone') FROM #squares;
--> 3 | NULL
CREATE TABLE ##everyone (a int);
--> refused global temporary
SELECT 1 AS a INTO tempdb..#named; SELECT a FROM tempdb..#named; DROP TABLE tempdb..#named;
--> 1
CREATE TABLE #fk (a int PRIMARY KEY, b int);
--> ok
-- Table variables: no rollback, no statistics, the scope of a variable.
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/table-transact-sql
DECLARE @t TABLE (Id int PRIMARY KEY, Name varchar(10) NOT NULL DEFAULT 'x', CHECK (Id > 0)); INSERT INTO @t (Id) VALUES (1), (2); BEGIN TRANSACTION; DELETE FROM @t WHERE Id = 1; ROLLBACK; SELECT Id, Name FROM @t;
--> 2 | x
DECLARE @t TABLE (Id int PRIMARY KEY, CHECK (Id > 0)); INSERT INTO @t VALUES (0);
--> error: 547 The INSERT statement conflicted with the CHECK constraint
DECLARE @t TABLE (Id int); SELECT * FROM @u;
--> error: 1087 Must declare the table variable "@u"
DECLARE @t TABLE (Id int IDENTITY(5, 5), A varchar(3)); INSERT @t (A) VALUES ('p'), ('q'); UPDATE t SET A = UPPER(A) FROM @t AS t; SELECT t.Id, t.A FROM @t AS t ORDER BY t.Id DESC;
--> 10 | Q
--> 5 | P
DECLARE @t TABLE (Id int); EXEC ('SELECT * FROM @t');
--> error: 1087 Must declare the table variable "@t"
DECLARE @t TABLE (Id int); SET @t = 5;
--> error: 137
DECLARE @a TABLE (Id int); DECLARE @a TABLE (Id int);
--> error: 134 The variable name '@a' has already been declared
DECLARE @t TABLE (Id int); TRUNCATE TABLE @t;
--> error: 102 Incorrect syntax near '@t'
SELECT * INTO @new FROM sys.schemas;
--> error: 102 Incorrect syntax near '@new'
WHILE 1 = 1 BEGIN DECLARE @loop TABLE (n int); INSERT INTO @loop VALUES (1); IF (SELECT COUNT(*) FROM @loop) = 3 BREAK; END; SELECT COUNT(*) FROM @loop;
--> 3
-- Table-valued parameters are read-only.
-- https://learn.microsoft.com/en-us/sql/relational-databases/tables/use-table-valued-parameters-database-engine
CREATE TYPE dbo.IdList AS TABLE (Id int NOT NULL PRIMARY KEY, Note varchar(10) NULL);
--> ok
CREATE PROCEDURE dbo.TakesList @ids dbo.IdList READONLY, @plus int = 0 AS SELECT SUM(Id) + @plus, COUNT(*) FROM @ids;
--> ok
DECLARE @l dbo.IdList; INSERT INTO @l (Id) VALUES (3), (4); EXEC dbo.TakesList @l, 10; EXEC dbo.TakesList @ids = @l;
--> 17 | 2
--> ----
--> 7 | 2
EXEC dbo.TakesList;
--> NULL | 0
DECLARE @empty dbo.IdList; EXEC dbo.TakesList @empty;
--> NULL | 0
EXEC dbo.TakesList 5;
--> error: 206 Operand type clash: int is incompatible
CREATE PROCEDURE dbo.TakesBad @ids dbo.IdList AS SELECT 1;
--> error: 352 The table-valued parameter "@ids" must be declared with the READONLY option
CREATE PROCEDURE dbo.ChangesList @ids dbo.IdList READONLY AS DELETE FROM @ids;
--> error: 10700 The table-valued parameter "@ids" is READONLY and cannot be modified
DECLARE @t TABLE (Id int NOT NULL PRIMARY KEY, Note varchar(10) NULL); EXEC dbo.TakesList @t;
--> error: 206 Operand type clash
DECLARE @l dbo.IdList; INSERT INTO @l (Id) VALUES (1), (1);
--> error: 2627 Violation of PRIMARY KEY constraint
DECLARE @l dbo.IdList; INSERT INTO @l (Id) VALUES (9); EXEC sp_executesql N'SELECT Id FROM @p', N'@p dbo.IdList READONLY', @p = @l;
--> 9
DROP TYPE dbo.IdList;
--> error: 3732 Cannot drop type 'dbo.IdList' because it is being referenced by object 'TakesList'
SELECT name, is_table_type, is_user_defined FROM sys.types WHERE name = 'IdList';
--> IdList | 1 | 1
