-- https://learn.microsoft.com/en-us/sql/t-sql/queries/select-transact-sql
CREATE TABLE dbo.Staff (Id int NOT NULL PRIMARY KEY, Name varchar(20) NOT NULL, Boss int NULL, Team char(1) NULL, Pay int NULL);
--> ok
INSERT INTO dbo.Staff (Id, Name, Boss, Team, Pay) VALUES (1, 'Ada', NULL, 'A', 90), (2, 'Bo', 1, 'A', 50), (3, 'Cy', 1, 'B', 50), (4, 'Di', 3, 'B', NULL), (5, 'Ed', 3, NULL, 30);
--> affected: 5
CREATE TABLE dbo.Teams (Team char(1) NOT NULL PRIMARY KEY, City varchar(20) NULL); INSERT INTO dbo.Teams VALUES ('A', 'Ulm'), ('B', NULL), ('C', 'Graz');
--> ok
-- Aggregates leave NULL out, but COUNT(*), and a warning says so once.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/aggregate-functions-transact-sql
SELECT COUNT(*), COUNT(Pay), COUNT(DISTINCT Pay), SUM(Pay), AVG(Pay), MIN(Pay), MAX(Name), COUNT_BIG(*) FROM dbo.Staff;
--> 5 | 4 | 3 | 220 | 55 | 30 | Ed | 5
--> print: Warning: Null value is eliminated by an aggregate or other SET operation.
SELECT COUNT(*), SUM(Pay), AVG(Pay), MIN(Pay) FROM dbo.Staff WHERE Id > 99;
--> 0 | NULL | NULL | NULL
-- AVG of integers is an integer; of decimals it has a scale of at least 6.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/avg-transact-sql
SELECT AVG(v.i), AVG(v.i * 1.0), AVG(CAST(v.i AS float)), AVG(CAST(v.i AS decimal(5,2))) FROM (VALUES (1), (2), (2)) AS v (i);
--> 1 | 1.666666 | 1.6666666666666667 | 1.666666
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/sum-transact-sql
SELECT SUM(v.i) FROM (VALUES (2147483647), (1)) AS v (i);
--> error: 8115 Arithmetic overflow error converting expression to data type int
SELECT SUM(CAST(v.i AS bigint)), SUM(DISTINCT v.i) FROM (VALUES (2), (2), (3)) AS v (i);
--> 7 | 5
SELECT SUM(Name) FROM dbo.Staff;
--> error: 8117 Operand data type varchar is invalid for sum operator
SELECT SUM(COUNT(*)) FROM dbo.Staff;
--> error: 130 Cannot perform an aggregate function on an expression containing an aggregate or a subquery
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/select-group-by-transact-sql
SELECT Team, COUNT(*), SUM(Pay) FROM dbo.Staff GROUP BY Team ORDER BY Team;
--> NULL | 1 | 30
--> A | 2 | 140
--> B | 2 | 50
--> print: Warning: Null value is eliminated by an aggregate or other SET operation.
SELECT Team, Name FROM dbo.Staff GROUP BY Team;
--> error: 8120 Column 'dbo.Staff.Name' is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause
SELECT Team, COUNT(*) FROM dbo.Staff GROUP BY Team HAVING COUNT(*) > 1 AND MAX(Pay) > 60;
--> A | 2
--> print: Warning: Null value is eliminated by an aggregate or other SET operation.
SELECT Team FROM dbo.Staff HAVING COUNT(*) > 1;
--> error: 8120
SELECT COUNT(*) FROM dbo.Staff HAVING COUNT(*) > 99;
--> rows: 0
SELECT Team FROM dbo.Staff WHERE COUNT(*) > 1 GROUP BY Team;
--> error: 147 An aggregate may not appear in the WHERE clause
SELECT Pay / 20, COUNT(*) FROM dbo.Staff WHERE Pay IS NOT NULL GROUP BY Pay / 20 ORDER BY 1;
--> 1 | 1
--> 2 | 2
--> 4 | 1
SELECT Team AS t, COUNT(*) FROM dbo.Staff GROUP BY t;
--> error: 207 Invalid column name 't'
SELECT COUNT(*) FROM dbo.Staff GROUP BY 1;
--> error: 164 Each GROUP BY expression must contain at least one column that is not an outer reference
SELECT Team, SUM(Pay) FROM dbo.Staff GROUP BY ROLLUP (Team);
--> refused ROLLUP
SELECT Team, COUNT(*) FROM dbo.Staff GROUP BY ALL Team;
--> refused ALL
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/select-clause-transact-sql
SELECT DISTINCT Pay FROM dbo.Staff ORDER BY Pay DESC;
--> 90
--> 50
--> 30
--> NULL
SELECT DISTINCT Team FROM dbo.Staff ORDER BY Pay;
--> error: 145 ORDER BY items must appear in the select list if SELECT DISTINCT is specified
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/select-order-by-clause-transact-sql
SELECT Id AS k, Pay * 2 AS p FROM dbo.Staff ORDER BY p DESC, k;
--> 1 | 180
--> 2 | 100
--> 3 | 100
--> 5 | 60
--> 4 | NULL
SELECT Name FROM dbo.Staff ORDER BY 2;
--> error: 108 The ORDER BY position number 2 is out of range of the number of items in the select list
SELECT Name FROM dbo.Staff ORDER BY Id OFFSET 3 ROWS;
--> Di
--> Ed
SELECT Name FROM dbo.Staff ORDER BY Id OFFSET 1 ROW FETCH NEXT 2 ROWS ONLY;
--> Bo
--> Cy
SELECT TOP (1) Name FROM dbo.Staff ORDER BY Id OFFSET 1 ROWS;
--> error: 10741 A TOP can not be used in the same query or sub-query as an OFFSET
SELECT Name FROM dbo.Staff ORDER BY Id OFFSET -1 ROWS;
--> error: 10742 The offset specified in a OFFSET clause may not be negative
SELECT Name FROM dbo.Staff ORDER BY Id OFFSET 0 ROWS FETCH NEXT 0 ROWS ONLY;
--> error: 10744 The number of rows provided for a FETCH clause must be greater then zero
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/top-transact-sql
SELECT TOP (2) WITH TIES Pay FROM dbo.Staff ORDER BY Pay DESC;
--> 90
--> 50
--> 50
SELECT TOP 1 WITH TIES Pay FROM dbo.Staff;
--> error: 1062 The TOP N WITH TIES clause is not allowed without a corresponding ORDER BY clause
SELECT TOP 0 Name FROM dbo.Staff;
--> rows: 0
DECLARE @n int = 2; SELECT TOP (@n) Id FROM dbo.Staff ORDER BY Id;
--> 1
--> 2
SELECT TOP (-1) Id FROM dbo.Staff;
--> error: 127 A TOP N or FETCH rowcount value may not be negative
SELECT TOP (50) PERCENT Id FROM dbo.Staff ORDER BY Id;
--> refused PERCENT
-- Joins.
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/from-transact-sql
SELECT s.Name, t.City FROM dbo.Staff AS s INNER JOIN dbo.Teams AS t ON t.Team = s.Team ORDER BY s.Id;
--> Ada | Ulm
--> Bo | Ulm
--> Cy | NULL
--> Di | NULL
SELECT s.Name, t.Team FROM dbo.Staff s LEFT JOIN dbo.Teams t ON t.Team = s.Team AND t.City IS NOT NULL WHERE s.Id IN (1, 4, 5) ORDER BY s.Id;
--> Ada | A
--> Di | NULL
--> Ed | NULL
SELECT s.Name, t.Team FROM dbo.Staff AS s RIGHT OUTER JOIN dbo.Teams AS t ON t.Team = s.Team WHERE s.Id IS NULL;
--> NULL | C
SELECT s.Id, t.Team FROM dbo.Staff AS s FULL JOIN dbo.Teams AS t ON t.Team = s.Team WHERE s.Id IS NULL OR t.Team IS NULL ORDER BY s.Id;
--> NULL | C
--> 5 | NULL
SELECT COUNT(*) FROM dbo.Staff CROSS JOIN dbo.Teams;
--> 15
SELECT COUNT(*) FROM dbo.Staff, dbo.Teams WHERE dbo.Staff.Team = dbo.Teams.Team;
--> 4
SELECT a.Name, b.Name FROM dbo.Staff AS a JOIN dbo.Staff AS b ON a.Boss = b.Id ORDER BY a.Id;
--> Bo | Ada
--> Cy | Ada
--> Di | Cy
--> Ed | Cy
SELECT Team FROM dbo.Staff JOIN dbo.Teams ON Staff.Team = Teams.Team;
--> error: 209 Ambiguous column name 'Team'
SELECT x.Name FROM dbo.Staff AS s;
--> error: 4104 The multi-part identifier "x.Name" could not be bound
SELECT Staff.Name FROM dbo.Staff AS s;
--> error: 4104
SELECT 1 FROM dbo.Staff, dbo.Staff;
--> error: 1013
SELECT t.Team, a.Name FROM dbo.Teams AS t CROSS APPLY (SELECT TOP (1) s.Name FROM dbo.Staff AS s WHERE s.Team = t.Team ORDER BY s.Pay DESC) AS a ORDER BY t.Team;
--> A | Ada
--> B | Cy
SELECT t.Team, a.n FROM dbo.Teams AS t OUTER APPLY (SELECT s.Pay AS n FROM dbo.Staff AS s WHERE s.Team = t.Team AND s.Pay > 60) AS a ORDER BY t.Team;
--> A | 90
--> B | NULL
--> C | NULL
-- Set operators: duplicates go, and NULL is equal to NULL.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/set-operators-union-transact-sql
SELECT Team FROM dbo.Staff UNION SELECT Team FROM dbo.Teams ORDER BY Team;
--> NULL
--> A
--> B
--> C
SELECT 1 AS a UNION ALL SELECT 1 UNION ALL SELECT 2.5 ORDER BY a DESC;
--> 2.5
--> 1.0
--> 1.0
SELECT 1, 2 UNION SELECT 1;
--> error: 205 All queries combined using a UNION, INTERSECT or EXCEPT operator must have an equal number of expressions in their target lists
SELECT 'x' UNION ALL SELECT 1;
--> error: 245
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/set-operators-except-and-intersect-transact-sql
-- INTERSECT comes before EXCEPT and UNION.
-- Subqueries.
-- https://learn.microsoft.com/en-us/sql/relational-databases/performance/subqueries
SELECT Name, (SELECT COUNT(*) FROM dbo.Staff AS x WHERE x.Boss = s.Id) FROM dbo.Staff AS s WHERE Id <= 3 ORDER BY Id;
--> Ada | 2
--> Bo | 0
--> Cy | 2
SELECT Name FROM dbo.Staff WHERE Pay = (SELECT MAX(Pay) FROM dbo.Staff);
--> Ada
--> print: Warning: Null value is eliminated by an aggregate or other SET operation.
SELECT (SELECT Id FROM dbo.Staff);
--> error: 512 Subquery returned more than 1 value
SELECT 1 WHERE 1 IN (SELECT Id, Pay FROM dbo.Staff);
--> error: 116 Only one expression can be specified in the select list when the subquery is not introduced with EXISTS
SELECT Name FROM dbo.Staff WHERE Id NOT IN (SELECT Boss FROM dbo.Staff);
--> rows: 0
SELECT Name FROM dbo.Staff AS s WHERE NOT EXISTS (SELECT * FROM dbo.Staff AS x WHERE x.Boss = s.Id) ORDER BY Id;
--> Bo
--> Di
--> Ed
SELECT Name FROM dbo.Staff WHERE Pay >= ALL (SELECT Pay FROM dbo.Staff WHERE Pay IS NOT NULL);
--> refused
SELECT d.n FROM (SELECT Name FROM dbo.Staff WHERE Id = 2) AS d (n);
--> Bo
SELECT v.b, v.a FROM (SELECT 1, 2 UNION ALL SELECT 3, 4) AS v (a, b) ORDER BY v.a DESC;
--> 4 | 3
--> 2 | 1
SELECT * FROM (SELECT Name FROM dbo.Staff);
--> error: 102
SELECT d.Id FROM (SELECT Id, Id FROM dbo.Staff) AS d;
--> error: 8156 The column 'Id' was specified multiple times for 'd'
SELECT * FROM (SELECT Id + 1 FROM dbo.Staff) AS d;
--> error: 8155 No column name was specified for column 1 of 'd'
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/with-common-table-expression-transact-sql
WITH tree AS (SELECT Id, Name, 0 AS Depth FROM dbo.Staff WHERE Boss IS NULL UNION ALL SELECT s.Id, s.Name, t.Depth + 1 FROM dbo.Staff AS s JOIN tree AS t ON s.Boss = t.Id) SELECT Depth, COUNT(*) FROM tree GROUP BY Depth ORDER BY Depth;
--> 0 | 1
--> 1 | 2
--> 2 | 2
WITH a (n) AS (SELECT 1), b AS (SELECT n + 1 AS m FROM a) SELECT n, m FROM a CROSS JOIN b;
--> 1 | 2
WITH a AS (SELECT 1 AS n ORDER BY n) SELECT n FROM a;
--> error: 1033 The ORDER BY clause is invalid in views, inline functions, derived tables, subqueries, and common table expressions, unless TOP, OFFSET or FOR XML is also specified
WITH a (x, y) AS (SELECT 1, 2) SELECT y, x FROM a;
--> 2 | 1
WITH a (x, y) AS (SELECT 1) SELECT x FROM a;
--> error: 8159 'a' has fewer columns than were specified in the column list
WITH d AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY Pay ORDER BY Id) AS n FROM dbo.Staff WHERE Pay IS NOT NULL) SELECT Id FROM d WHERE n > 1;
--> 3
-- Pivot and table sampling.
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/from-using-pivot-and-unpivot
SELECT * FROM (SELECT Team, Pay FROM dbo.Staff) AS s PIVOT (SUM(Pay) FOR Team IN ([A], [B])) AS p;
--> refused
