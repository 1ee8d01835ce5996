-- Compile errors are not affected by XACT_ABORT: the transaction stays.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-xact-abort-transact-sql
CREATE TABLE dbo.T (Id int NOT NULL PRIMARY KEY);
--> ok
SET XACT_ABORT ON; BEGIN TRANSACTION; INSERT INTO dbo.T (Id) VALUES (1);
--> ok
SELECT 1 FROM;
--> error: 102
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.T;
--> 1 | 1
INSERT INTO dbo.T (Id) VALUES (1);
--> error: 2627
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.T;
--> 0 | 0

-- What SQL Server Agent has and the sandbox does not is refused.
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sql-server-agent-stored-procedures-transact-sql
EXEC msdb.dbo.sp_help_job;
--> refused sp_help_job
EXEC msdb.dbo.sp_nosuchjob;
--> error: 2812

-- The name of an object has at most three prefixes.
-- https://learn.microsoft.com/en-us/sql/relational-databases/errors-events/database-engine-events-and-errors-0-to-999
SELECT * FROM a.b.c.d.e;
--> error: 117 The object name 'a.b.c.d.e' contains more than the maximum number of prefixes. The maximum is 3.
EXEC a.b.c.d.e;
--> error: 117 The object name

-- A value of a (max) type has at most 2 GB; memory is for less.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/replicate-transact-sql
SELECT LEN(REPLICATE(CAST('xxxxxxxxxx' AS varchar(max)), 2000000000));
--> refused values of more than 64 MiB
SELECT LEN(REPLICATE('x', 2000000000));
--> 8000
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/replace-transact-sql
SELECT LEN(REPLACE(REPLICATE(CAST('x' AS varchar(max)), 100000), 'x', REPLICATE('y', 8000)));
--> refused values of more than 64 MiB
