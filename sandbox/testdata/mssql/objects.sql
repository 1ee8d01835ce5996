-- Options of indexes, views and functions that change nothing that a statement sees, or what they say.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-index-transact-sql
CREATE TABLE dbo.Opt (a int NOT NULL CONSTRAINT PK_Opt PRIMARY KEY, b int NULL, c varchar(10) NULL);
--> ok
CREATE INDEX ixo ON dbo.Opt (b) WITH (FILLFACTOR = 70);
--> refused WITH
CREATE INDEX ixo ON dbo.Opt (b);
--> ok
SELECT name, fill_factor, is_padded, ignore_dup_key, allow_row_locks FROM sys.indexes WHERE object_id = OBJECT_ID('dbo.Opt') ORDER BY index_id;
--> PK_Opt | 0 | 0 | 0 | 1
--> ixo | 0 | 0 | 0 | 1
DROP INDEX IF EXISTS ixo ON dbo.Opt;
--> ok
DROP INDEX IF EXISTS ixo ON dbo.Opt;
--> ok
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-table-transact-sql
CREATE TABLE dbo.Kid (Id int NOT NULL PRIMARY KEY, P int NULL); INSERT INTO dbo.Opt VALUES (1, 5, 'x'), (2, 6, 'y'); INSERT INTO dbo.Kid VALUES (10, 1), (11, NULL);
--> ok
UPDATE dbo.Opt SET b -= 2, c = 'z' WHERE a = 2; UPDATE dbo.Opt SET b *= 3 WHERE a = 2; UPDATE dbo.Opt SET b /= 5; UPDATE dbo.Opt SET b %= 2; SELECT a, b, c FROM dbo.Opt ORDER BY a;
--> 1 | 1 | x
--> 2 | 0 | z
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/from-transact-sql
CREATE TABLE dbo.Toy (Id int NOT NULL PRIMARY KEY, KidId int NOT NULL); INSERT INTO dbo.Toy VALUES (100, 10);
--> ok
SELECT o.a, t.Id FROM dbo.Opt AS o LEFT JOIN (dbo.Kid AS k JOIN dbo.Toy AS t ON t.KidId = k.Id) ON k.P = o.a ORDER BY o.a;
--> 1 | 100
--> 2 | NULL
SELECT o.a, t.Id FROM dbo.Opt AS o LEFT JOIN dbo.Kid AS k INNER JOIN dbo.Toy AS t ON t.KidId = k.Id ON k.P = o.a ORDER BY o.a;
--> 1 | 100
--> 2 | NULL
SELECT o.a, k.Id FROM dbo.Opt AS o LEFT JOIN dbo.Kid AS k ON k.P = o.a LEFT JOIN dbo.Toy AS t ON t.KidId = k.Id WHERE t.Id IS NULL;
--> 2 | NULL
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/select-clause-transact-sql
SELECT ALL c FROM dbo.Opt ORDER BY c; SELECT COUNT(ALL b), AVG(ALL a) FROM dbo.Opt;
--> x
--> z
--> ----
--> 2 | 1
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/hints-transact-sql-query
SELECT o.a FROM dbo.Opt AS o JOIN dbo.Kid AS k ON k.P = o.a OPTION (LOOP JOIN, KEEP PLAN);
--> 1
DECLARE @a int = 2; SELECT c FROM dbo.Opt WHERE a = @a OPTION (OPTIMIZE FOR UNKNOWN);
--> z
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-view-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-function-transact-sql
CREATE FUNCTION dbo.Plus1 (@n int) RETURNS int AS BEGIN RETURN ISNULL(@n, 0) + 1; END;
--> ok
SELECT dbo.Plus1(1), dbo.Plus1(NULL);
--> 2 | 1
ALTER FUNCTION dbo.Plus1 (@n int) RETURNS int AS BEGIN RETURN ISNULL(@n, 0) + 2; END;
--> ok
SELECT dbo.Plus1(1), dbo.Plus1(NULL);
--> 3 | 2
CREATE FUNCTION dbo.From1 (@n int) RETURNS TABLE AS RETURN (SELECT a FROM dbo.Opt WHERE a >= @n);
--> ok
ALTER FUNCTION dbo.From1 (@n int) RETURNS TABLE AS RETURN (SELECT a FROM dbo.Opt WHERE a < @n);
--> ok
SELECT a FROM dbo.From1(2);
--> 1
ALTER FUNCTION dbo.Plus1 (@n int) RETURNS TABLE AS RETURN (SELECT @n AS n);
--> error: 2010
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/table-transact-sql
DECLARE @t TABLE (a int, b int); INSERT @t SELECT 5, 6; UPDATE @t SET b += 1 WHERE a = 5; SELECT b FROM @t; DELETE @t; SELECT COUNT(*) FROM @t;
--> 7
--> ----
--> 0

-- What no page of ours asks for is refused by name: views that few read, old forms of DROP INDEX, options of pages.
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/catalog-views-transact-sql
SELECT * FROM sys.system_views;
--> refused the
CREATE TABLE dbo.Narrow (a int NOT NULL, b int NULL); CREATE INDEX IX_Narrow ON dbo.Narrow (a);
--> ok
DROP INDEX Narrow.IX_Narrow;
--> refused
ALTER INDEX IX_Narrow ON dbo.Narrow REBUILD WITH (PAD_INDEX = ON);
--> refused index option PadIndex = ON
ALTER INDEX IX_Narrow ON dbo.Narrow REBUILD WITH (ALLOW_PAGE_LOCKS = OFF);
--> refused index option AllowPageLocks = OFF
UPDATE dbo.Narrow WITH (ROWLOCK) SET b = 1 FROM dbo.Narrow AS x;
--> refused hints of a target that FROM names, too
WAITFOR TIME '23:00';
--> refused TIME
SELECT SUSER_SID();
--> refused the function SUSER_SID
DROP TABLE dbo.Narrow;
--> ok
