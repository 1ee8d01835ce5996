-- https://learn.microsoft.com/en-us/sql/t-sql/queries/select-over-clause-transact-sql
CREATE TABLE dbo.Laps (Id int NOT NULL PRIMARY KEY, Car char(1) NOT NULL, Secs int NULL); INSERT INTO dbo.Laps VALUES (1, 'x', 10), (2, 'x', 20), (3, 'x', 20), (4, 'y', 15), (5, 'y', 5), (6, 'y', NULL);
--> ok
SELECT Id, ROW_NUMBER() OVER (ORDER BY Id DESC), COUNT(*) OVER (), SUM(Secs) OVER (PARTITION BY Car) FROM dbo.Laps ORDER BY Id;
--> 1 | 6 | 6 | 50
--> 2 | 5 | 6 | 50
--> 3 | 4 | 6 | 50
--> 4 | 3 | 6 | 20
--> 5 | 2 | 6 | 20
--> 6 | 1 | 6 | 20
--> print: Warning: Null value is eliminated by an aggregate or other SET operation.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/rank-transact-sql
SELECT Id, RANK() OVER (ORDER BY Secs), DENSE_RANK() OVER (ORDER BY Secs) FROM dbo.Laps ORDER BY Id;
--> 1 | 3 | 3
--> 2 | 5 | 5
--> 3 | 5 | 5
--> 4 | 4 | 4
--> 5 | 2 | 2
--> 6 | 1 | 1
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/ntile-transact-sql
SELECT Id, NTILE(2) OVER (ORDER BY Id) FROM dbo.Laps ORDER BY Id;
--> refused NTILE
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/lag-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/first-value-transact-sql
-- With ORDER BY and without a frame it is RANGE UNBOUNDED PRECEDING: rows of equal keys are in it together.
SELECT Id FROM dbo.Laps WHERE ROW_NUMBER() OVER (ORDER BY Id) = 1;
--> error: 4108 Windowed functions can only appear in the SELECT or ORDER BY clauses
SELECT ROW_NUMBER() OVER () FROM dbo.Laps;
--> error: 4112 The function 'ROW_NUMBER' must have an OVER clause with ORDER BY
SELECT ROW_NUMBER() FROM dbo.Laps;
--> error: 10753 The function 'ROW_NUMBER' must have an OVER clause
SELECT COUNT(DISTINCT Car) OVER () FROM dbo.Laps;
--> error: 10759 Use of DISTINCT is not allowed with the OVER clause
SELECT SUM(ROW_NUMBER() OVER (ORDER BY Id)) FROM dbo.Laps;
--> error: 4109 Windowed functions cannot be used in the context of another windowed function or aggregate
SELECT ROW_NUMBER() OVER (ORDER BY 1) FROM dbo.Laps;
--> error: 5308 Windowed functions, aggregates and NEXT VALUE FOR functions do not support integer indices as ORDER BY clause expressions
SELECT ROW_NUMBER() OVER (ORDER BY 'a') FROM dbo.Laps;
--> error: 5309 Windowed functions, aggregates and NEXT VALUE FOR functions do not support constants as ORDER BY clause expressions
SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (ORDER BY (SELECT NULL)) AS n FROM dbo.Laps) AS d;
--> 6
-- A column of constants is no constant.
WITH c AS (SELECT 1 AS n UNION ALL SELECT 2), k AS (SELECT 5 AS m) SELECT c.n, ROW_NUMBER() OVER (ORDER BY k.m, c.n) FROM c JOIN k ON c.n < k.m ORDER BY c.n;
--> 1 | 1
--> 2 | 2
SELECT ROW_NUMBER() OVER (ORDER BY d.m) FROM (SELECT 5 AS m) AS d;
--> 1
-- Over groups.
SELECT Car, SUM(Secs), RANK() OVER (ORDER BY SUM(Secs) DESC), SUM(SUM(Secs)) OVER () FROM dbo.Laps GROUP BY Car ORDER BY Car;
--> x | 50 | 1 | 70
--> y | 20 | 2 | 70
--> print: Warning: Null value is eliminated by an aggregate or other SET operation.
SELECT TOP (2) Id FROM dbo.Laps ORDER BY ROW_NUMBER() OVER (PARTITION BY Car ORDER BY Id DESC), Id;
--> 3
--> 6
SELECT Id, MAX(Secs) OVER (PARTITION BY Car) - Secs FROM dbo.Laps WHERE Secs IS NOT NULL ORDER BY Id;
--> 1 | 10
--> 2 | 0
--> 3 | 0
--> 4 | 0
--> 5 | 10
