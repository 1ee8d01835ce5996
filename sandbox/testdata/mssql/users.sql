-- What a newcomer's first own statements are made of.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/create-table-transact-sql
CREATE TABLE dbo.Customers (Id int NOT NULL CONSTRAINT PK_Customers PRIMARY KEY CLUSTERED (Id ASC), Name nvarchar(50) NOT NULL, type varchar(10) NULL, [precision] int NULL) ON [PRIMARY];
--> ok
CREATE TABLE dbo.Orders (Id int IDENTITY(1,1) PRIMARY KEY, CustomerId int NOT NULL REFERENCES dbo.Customers (Id) ON DELETE CASCADE, Amount numeric(9,2) NOT NULL, Code nchar(3) NULL, Ratio real NULL, At smalldatetime NULL, Hash binary(2) NULL);
--> ok
INSERT INTO dbo.Customers (Id, Name, [type], [precision]) VALUES (1, N'Ann', 'x', 2), (2, N'Bob', NULL, 3);
--> affected: 2
-- Identity values begin with the seed.
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/output-clause-transact-sql
INSERT INTO dbo.Orders (CustomerId, Amount, Code, Ratio, At, Hash) OUTPUT inserted.Id, inserted.Code VALUES (1, 10.50, N'a', 0.5, '2026-01-02 03:04:29.998', 0x01), (1, 20, N'abc', 1.5, '2026-01-02 03:04:30', 0x0102), (2, 5, NULL, NULL, NULL, NULL);
--> 1 | a  
--> 2 | abc
--> 3 | NULL
-- smalldatetime rounds to the minute: 29.998 seconds and less down, 29.999 and more up.
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/smalldatetime-transact-sql
SELECT Id, Amount, Ratio, CONVERT(varchar(16), At, 120), Hash FROM dbo.Orders ORDER BY Id;
--> 1 | 10.50 | 0.5 | 2026-01-02 03:04 | 0x0100
--> 2 | 20.00 | 1.5 | 2026-01-02 03:05 | 0x0102
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
DELETE FROM dbo.Customers WHERE Id = 1; SELECT COUNT(*) FROM dbo.Orders;
--> 1
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/system-user-transact-sql
SELECT SYSTEM_USER;
--> sa
-- https://learn.microsoft.com/en-us/sql/t-sql/database-console-commands/dbcc-transact-sql
CREATE TABLE dbo.Elsewhere (A int) ON [other];
--> refused filegroup
DBCC CHECKDB;
--> refused DBCC
-- FIRST and NEXT are synonyms.
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/select-order-by-clause-transact-sql
SELECT v.i FROM (VALUES (1), (2), (3)) AS v (i) ORDER BY v.i OFFSET 1 ROWS FETCH FIRST 1 ROWS ONLY;
--> 2
