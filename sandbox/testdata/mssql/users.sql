-- What a newcomer's first own statements are made of.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-table-transact-sql
CREATE TABLE dbo.Customers (Id int NOT NULL CONSTRAINT PK_Customers PRIMARY KEY CLUSTERED (Id ASC), Name nvarchar(50) NOT NULL, type varchar(10) NULL, [precision] int NULL) ON [PRIMARY];
--> ok
CREATE TABLE dbo.Orders (Id int IDENTITY(1,1) PRIMARY KEY, CustomerId int NOT NULL, Amount numeric(9,2) NOT NULL, Code nchar(3) NULL, Ratio real NULL, At datetime2(0) NULL, Hash binary(2) NULL);
--> ok
INSERT INTO dbo.Customers (Id, Name, [type], [precision]) VALUES (1, N'Ann', 'x', 2), (2, N'Bob', NULL, 3);
--> affected: 2
-- Identity values begin with the seed.
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/output-clause-transact-sql
INSERT INTO dbo.Orders (CustomerId, Amount, Code, Ratio, At, Hash) OUTPUT inserted.Id, inserted.Code VALUES (1, 10.50, N'a', 0.5, '2026-01-02 03:04:29.998', 0x01), (1, 20, N'abc', 1.5, '2026-01-02 03:04:30', 0x0102), (2, 5, NULL, NULL, NULL, NULL);
--> 1 | a  
--> 2 | abc
--> 3 | NULL
SELECT Id, Amount, Ratio, CONVERT(varchar(16), At, 120), Hash FROM dbo.Orders ORDER BY Id;
--> 1 | 10.50 | 0.5 | 2026-01-02 03:04 | 0x0100
--> 2 | 20.00 | 1.5 | 2026-01-02 03:04 | 0x0102
--> 3 | 5.00 | NULL | NULL | NULL
-- A column alias may stand before its expression with =.
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/select-clause-transact-sql
SELECT x = 1, c.type, c.[precision] FROM dbo.Customers AS c WHERE Id = 1;
--> 1 | x | 2
SELECT o.* FROM dbo.Orders AS o WHERE o.Id = 3;
--> 3 | 2 | 5.00 | NULL | NULL | NULL | NULL
SELECT COUNT(DISTINCT CustomerId), COUNT(*) FROM dbo.Orders;
--> 2 | 3
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/select-local-variable-transact-sql
DECLARE @x int = 1; SELECT @x += 1; SELECT @x, (@x & 2), (@x | 1), (@x ^ 3);
--> 2 | 2 | 3 | 1
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/while-transact-sql
WHILE EXISTS (SELECT 1 FROM dbo.Orders WHERE Amount < 6) UPDATE dbo.Orders SET Amount = Amount + 1 OUTPUT deleted.*, inserted.Amount WHERE Amount < 6;
--> 3 | 2 | 5.00 | NULL | NULL | NULL | NULL | 6.00
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/case-transact-sql
SELECT CASE WHEN EXISTS (SELECT 1 FROM dbo.Orders WHERE CustomerId = 9) THEN 'yes' ELSE 'no' END;
--> no
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-index-transact-sql
CREATE NONCLUSTERED INDEX IX_Orders ON dbo.Orders (CustomerId ASC, Amount DESC) INCLUDE (Code);
--> ok
CREATE TABLE dbo.Heap (A int NOT NULL, B int NULL); CREATE CLUSTERED INDEX CX_Heap ON dbo.Heap (A);
--> ok
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/alter-index-transact-sql
ALTER INDEX IX_Orders ON dbo.Orders REBUILD;
--> ok
ALTER INDEX ALL ON dbo.Orders REORGANIZE;
--> ok
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/update-statistics-transact-sql
UPDATE STATISTICS dbo.Orders;
--> ok
UPDATE STATISTICS dbo.Orders IX_Orders WITH FULLSCAN, NORECOMPUTE; UPDATE STATISTICS dbo.Orders (IX_Orders) WITH SAMPLE 50 PERCENT;
--> ok
UPDATE STATISTICS dbo.Orders WITH RESAMPLE; EXEC sp_updatestats;
--> print: Statistics for all tables have been updated.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/alter-index-transact-sql
ALTER INDEX ALL ON dbo.Orders REBUILD WITH (FILLFACTOR = 80, SORT_IN_TEMPDB = ON, STATISTICS_NORECOMPUTE = ON);
--> ok
SELECT fill_factor FROM sys.indexes WHERE name = 'IX_Orders';
--> 80
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/backup-transact-sql
BACKUP DATABASE sandbox TO DISK = N'X:\test.bak' WITH FORMAT, MEDIANAME = 'test', NAME = 'Full backup';
--> ok
BACKUP LOG sandbox TO DISK = N'X:\test.trn' WITH INIT, COMPRESSION;
--> ok
BEGIN TRAN; BACKUP DATABASE sandbox TO DISK = N'NUL';
--> error: 3021 within a transaction
--> error: 3013 terminating abnormally
ROLLBACK;
--> ok
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-procedure-transact-sql
CREATE PROC dbo.Total @Customer int, @Sum numeric(9,2) = 0 OUTPUT AS SELECT @Sum = SUM(Amount) FROM dbo.Orders WHERE CustomerId = @Customer;
--> ok
DECLARE @s numeric(9,2); EXEC dbo.Total 1, @s OUTPUT; SELECT @s;
--> 30.50
ALTER PROC dbo.Total @Customer int AS SELECT COUNT(*) FROM dbo.Orders WHERE CustomerId = @Customer;
--> ok
EXEC dbo.Total @Customer = 1;
--> 2
CREATE OR ALTER PROC dbo.Total @Customer int WITH EXECUTE AS SELF AS SELECT MAX(Amount) FROM dbo.Orders WHERE CustomerId = @Customer OPTION (RECOMPILE);
--> ok
EXEC dbo.Total 1;
--> 20.00
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/commit-transaction-transact-sql
BEGIN TRAN load1; SELECT COUNT(*) FROM dbo.Orders WITH (TABLOCKX); COMMIT TRAN load1;
--> 3
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/hints-transact-sql-table
SELECT COUNT(*) FROM dbo.Orders WITH (NOWAIT);
--> 3
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/with-common-table-expression-transact-sql
WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 150) SELECT MAX(i) FROM n OPTION (MAXRECURSION 200);
--> 150
WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 150) SELECT MAX(i) FROM n;
--> error: 530 The maximum recursion 100 has been exhausted
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/delete-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/system-user-transact-sql
SELECT SYSTEM_USER;
--> sa
-- https://learn.microsoft.com/en-us/sql/t-sql/database-console-commands/dbcc-transact-sql
CREATE TABLE dbo.Elsewhere (A int) ON [other];
--> refused filegroup
-- DBCC is a no-op where that is all a task needs of it.
-- https://learn.microsoft.com/en-us/sql/t-sql/database-console-commands/dbcc-checkdb-transact-sql
DBCC CHECKDB WITH NO_INFOMSGS;
--> ok
DBCC CHECKDB (sandbox, NOINDEX) WITH NO_INFOMSGS, ALL_ERRORMSGS, PHYSICAL_ONLY;
--> ok
-- https://learn.microsoft.com/en-us/sql/t-sql/database-console-commands/dbcc-checktable-transact-sql
DBCC CHECKTABLE ('dbo.Orders') WITH NO_INFOMSGS;
--> ok
DBCC CHECKDB;
--> refused DBCC
-- https://learn.microsoft.com/en-us/sql/t-sql/database-console-commands/dbcc-freeproccache-transact-sql
DBCC FREEPROCCACHE WITH NO_INFOMSGS;
--> ok
DBCC DROPCLEANBUFFERS WITH NO_INFOMSGS;
--> ok
DBCC SHRINKDATABASE (0);
--> refused DBCC
-- FIRST and NEXT are synonyms.
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/select-order-by-clause-transact-sql
SELECT v.i FROM (VALUES (1), (2), (3)) AS v (i) ORDER BY v.i OFFSET 1 ROWS FETCH FIRST 1 ROWS ONLY;
--> 2
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/current-user-transact-sql
SELECT CURRENT_USER, SESSION_USER, USER, IIF(CURRENT_TIMESTAMP > '1999-01-01', 1, 0);
--> dbo | dbo | dbo | 1
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-table-transact-sql
CREATE TABLE dbo.Visits (Id int IDENTITY NOT NULL PRIMARY KEY NONCLUSTERED, At datetime NOT NULL DEFAULT CURRENT_TIMESTAMP, Who nvarchar(50) NOT NULL DEFAULT SUSER_SNAME(), Page varchar(20) NULL UNIQUE);
--> ok
INSERT INTO dbo.Visits DEFAULT VALUES; INSERT INTO dbo.Visits (Page) VALUES ('home'); SELECT Id, Who, Page, IIF(At > '1999-01-01', 1, 0) FROM dbo.Visits ORDER BY Id;
--> 1 | sa | NULL | 1
--> 2 | sa | home | 1
CREATE TABLE dbo.Lines (OrderId int NOT NULL, No tinyint NOT NULL, Price decimal(9,2) NOT NULL CHECK (Price >= 0), Qty int NOT NULL DEFAULT (1), CONSTRAINT PK_Lines PRIMARY KEY (OrderId, No DESC));
--> ok
INSERT INTO dbo.Lines (OrderId, No, Price, Qty) VALUES (1, 1, 2.50, 4), (1, 2, 10, 1), (2, 1, 1, 3); SELECT OrderId, SUM(Price * Qty), COUNT(*) FROM dbo.Lines GROUP BY OrderId, OrderId + 1 ORDER BY 1;
--> 1 | 20.00 | 2
--> 2 | 3.00 | 1
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/hints-transact-sql-table
SELECT COUNT(*) FROM dbo.Lines WITH (TABLOCK); SELECT COUNT(*) FROM dbo.Lines WITH (READUNCOMMITTED); SELECT COUNT(*) FROM dbo.Lines (NOLOCK);
--> 3
--> ----
--> 3
--> ----
--> 3
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/hints-transact-sql-query
SELECT a.No FROM dbo.Lines AS a INNER LOOP JOIN dbo.Visits AS b ON b.Id = a.OrderId WHERE a.OrderId = 2 OPTION (FORCE ORDER, MAXDOP 1);
--> refused
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/select-order-by-clause-transact-sql
SELECT No, Qty FROM dbo.Lines ORDER BY CASE WHEN Qty > 3 THEN 0 ELSE 1 END, Qty DESC;
--> 1 | 4
--> 1 | 3
--> 2 | 1
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/drop-view-transact-sql
CREATE VIEW dbo.Totals AS SELECT OrderId, SUM(Price * Qty) AS Total FROM dbo.Lines GROUP BY OrderId;
--> ok
ALTER VIEW dbo.Totals AS SELECT OrderId, SUM(Price * Qty) AS Total, COUNT(*) AS N FROM dbo.Lines GROUP BY OrderId;
--> ok
SELECT t.Total / t.N FROM dbo.Totals AS t WHERE t.OrderId = 1;
--> 10.000000
DROP VIEW IF EXISTS dbo.Totals, dbo.NeverThere;
--> ok
CREATE OR ALTER FUNCTION dbo.Half (@n int) RETURNS int AS BEGIN RETURN @n / 2; END;
--> ok
SELECT dbo.Half(9), SUM(dbo.Half(Qty)) FROM dbo.Lines;
--> 4 | 3
DROP FUNCTION IF EXISTS dbo.Half;
--> ok
SELECT dbo.Half(2);
--> error: 4121
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/alter-table-transact-sql
ALTER TABLE dbo.Lines ADD Note varchar(20) NULL, Flag bit NOT NULL DEFAULT 0 WITH VALUES; SELECT TOP (1) Note, Flag FROM dbo.Lines;
--> NULL | 0
ALTER TABLE dbo.Lines NOCHECK CONSTRAINT FK_Visit;
--> refused
ALTER TABLE dbo.Visits ADD CONSTRAINT UQ_Who UNIQUE (Who);
--> error: 1505 The CREATE UNIQUE INDEX statement terminated because a duplicate key was found
--> error: 1750
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/declare-cursor-transact-sql
DECLARE @p decimal(9,2), @sum decimal(9,2) = 0; DECLARE lines CURSOR FAST_FORWARD FOR SELECT Price FROM dbo.Lines; OPEN lines; FETCH NEXT FROM lines INTO @p; WHILE @@FETCH_STATUS = 0 BEGIN SET @sum = @sum + @p; FETCH NEXT FROM lines INTO @p; END; CLOSE lines; DEALLOCATE lines; SELECT @sum;
--> 13.50
DECLARE once CURSOR LOCAL FORWARD_ONLY READ_ONLY FOR SELECT MAX(Price) FROM dbo.Lines; OPEN once; FETCH NEXT FROM once;
--> 10.00
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/revoke-transact-sql
CREATE ROLE clerks; GRANT SELECT, INSERT ON OBJECT::dbo.Lines TO clerks; REVOKE INSERT ON dbo.Lines FROM clerks; SELECT permission_name FROM sys.database_permissions WHERE grantee_principal_id = DATABASE_PRINCIPAL_ID('clerks');
--> SELECT
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/update-transact-sql
UPDATE l SET l.Qty = l.Qty * 2, l.Note = v.Page FROM dbo.Lines AS l INNER JOIN dbo.Visits AS v ON v.Id = l.OrderId WHERE v.Page IS NOT NULL; SELECT Qty, Note FROM dbo.Lines WHERE Note IS NOT NULL;
--> 6 | home
-- What has no place here is refused by its name.
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/system-stored-procedures-transact-sql
EXEC sp_who;
--> refused the procedure sp_who
EXEC sp_helptext 'dbo.Total';
--> refused the procedure sp_helptext
SELECT TOP (1) text FROM sys.dm_exec_requests AS r CROSS APPLY sys.dm_exec_sql_text(r.sql_handle) AS t;
--> refused
SELECT * FROM sys.messages;
--> refused sys.messages
CREATE TABLE dbo.Ids (Id uniqueidentifier NOT NULL DEFAULT NEWSEQUENTIALID());
--> refused the function NEWSEQUENTIALID
CREATE DATABASE elsewhere ON (NAME = elsewhere_data, FILENAME = 'C:\data\elsewhere.mdf');
--> refused
GRANT SEND ON SERVICE::[//x] TO public;
--> refused
