-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/null-and-unknown-transact-sql
SELECT CASE WHEN NULL = NULL THEN 1 ELSE 0 END, CASE WHEN NULL <> NULL THEN 1 ELSE 0 END, CASE WHEN NULL IS NULL THEN 1 ELSE 0 END, CASE WHEN NOT (NULL = 1) THEN 1 ELSE 0 END;
--> 0 | 0 | 1 | 0
SELECT CASE WHEN 1 = 1 OR NULL = 1 THEN 1 ELSE 0 END, CASE WHEN 1 = 1 AND NULL = 1 THEN 1 ELSE 0 END, CASE WHEN 1 = 2 AND NULL = 1 THEN 1 ELSE 0 END, CASE WHEN NOT (1 = 2 AND NULL = 1) THEN 1 ELSE 0 END;
--> 1 | 0 | 0 | 1
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/in-transact-sql
SELECT IIF(1 IN (1, NULL), 'in', 'not'), IIF(2 IN (1, NULL), 'in', 'not'), IIF(2 NOT IN (1, NULL), 'not in', 'unknown'), IIF(2 NOT IN (1, 3), 'not in', 'unknown'), IIF('B' IN ('a', 'b'), 'in', 'not');
--> in | not | unknown | not in | in
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/between-transact-sql
SELECT IIF(5 BETWEEN 1 AND 5, 1, 0), IIF(5 BETWEEN 5 AND 1, 1, 0), IIF(5 NOT BETWEEN 6 AND 9, 1, 0), IIF(5 BETWEEN NULL AND 9, 1, 0), IIF(9 NOT BETWEEN NULL AND 5, 1, 0);
--> 1 | 0 | 1 | 0 | 1
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/is-distinct-from-transact-sql
SELECT IIF(NULL IS DISTINCT FROM NULL, 1, 0);
--> refused DISTINCT
SELECT 1 WHERE 1 IS NOT DISTINCT FROM 1;
--> refused DISTINCT
-- NULL sorts first; groups, DISTINCT and set operators take NULL as one value.
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/select-order-by-clause-transact-sql
CREATE TABLE dbo.Maybe (Id int NOT NULL, V int NULL, S nvarchar(10) NULL); INSERT INTO dbo.Maybe VALUES (1, NULL, NULL), (2, 5, N'b'), (3, NULL, N'A'), (4, 1, N'');
--> ok
SELECT V FROM dbo.Maybe ORDER BY V, Id; SELECT V, COUNT(*) FROM dbo.Maybe GROUP BY V ORDER BY V DESC;
--> NULL
--> NULL
--> 1
--> 5
--> ----
--> 5 | 1
--> 1 | 1
--> NULL | 2
SELECT COUNT(DISTINCT V) FROM dbo.Maybe WHERE V IS NOT NULL; SELECT DISTINCT IIF(V IS NULL, 'none', 'some') FROM dbo.Maybe ORDER BY 1;
--> 2
--> ----
--> none
--> some
SELECT Id FROM dbo.Maybe WHERE V <> 5 ORDER BY Id; SELECT Id FROM dbo.Maybe WHERE NOT (V = 5) ORDER BY Id;
--> 4
--> ----
--> 4
SELECT a.Id, b.Id FROM dbo.Maybe AS a JOIN dbo.Maybe AS b ON a.V = b.V ORDER BY a.Id;
--> 2 | 2
--> 4 | 4
SELECT S FROM dbo.Maybe WHERE S >= N'a' ORDER BY S;
--> A
--> b
SELECT Id FROM dbo.Maybe WHERE S = N'' OR LEN(S) IS NULL ORDER BY Id;
--> 1
--> 4
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-concat-null-yields-null-transact-sql
SELECT 'a' + NULL, 1 + NULL, NULL + 'x', N'a' + S FROM dbo.Maybe WHERE Id = 1;
--> NULL | NULL | NULL | NULL
UPDATE dbo.Maybe SET V = NULL WHERE Id = 4; UPDATE dbo.Maybe SET V = COALESCE(V, 0) + 1; SELECT V FROM dbo.Maybe ORDER BY Id;
--> 1
--> 6
--> 1
--> 1
SELECT MAX(V), MIN(S) FROM dbo.Maybe WHERE Id = 1;
--> 1 | NULL
--> print: Warning: Null value is eliminated by an aggregate or other SET operation.
-- Collations.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/collations
CREATE TABLE dbo.Coll (Id int NOT NULL PRIMARY KEY, Ci varchar(10) COLLATE SQL_Latin1_General_CP1_CS_AS NOT NULL, Bin2 varchar(10) COLLATE Latin1_General_BIN2 NOT NULL); INSERT INTO dbo.Coll VALUES (1, 'abc', 'abc'), (2, 'ABC', 'ABC'), (3, 'abd', 'abd');
--> ok
SELECT Id FROM dbo.Coll WHERE Ci COLLATE SQL_Latin1_General_CP1_CI_AS = 'abc' ORDER BY Id;
--> 1
--> 2
SELECT Id FROM dbo.Coll WHERE Ci = 'abc' ORDER BY Id; SELECT Id FROM dbo.Coll WHERE Bin2 = 'abc' ORDER BY Id;
--> 1
--> ----
--> 1
SELECT Bin2 FROM dbo.Coll ORDER BY Bin2; SELECT COUNT(DISTINCT Ci), COUNT(DISTINCT Bin2) FROM dbo.Coll;
--> ABC
--> abc
--> abd
--> ----
--> 3 | 3
SELECT Id FROM dbo.Coll WHERE Bin2 LIKE 'A%';
--> 2
SELECT 1 FROM dbo.Coll WHERE Ci = 'ABC' COLLATE Latin1_General_BIN2;
--> refused COLLATE
SELECT 1 FROM dbo.Coll WHERE Ci = Bin2;
--> error: 468 Cannot resolve the collation conflict
SELECT name, collation_name FROM sys.columns WHERE object_id = OBJECT_ID('dbo.Coll') ORDER BY column_id;
--> Id | NULL
--> Ci | SQL_Latin1_General_CP1_CS_AS
--> Bin2 | Latin1_General_BIN2
CREATE TABLE dbo.BadColl (a varchar(5) COLLATE Latin1_General_CI_AS);
--> refused collation Latin1_General_CI_AS
SELECT DATABASEPROPERTYEX(DB_NAME(), 'Collation'), SERVERPROPERTY('Collation');
--> SQL_Latin1_General_CP1_CI_AS | SQL_Latin1_General_CP1_CI_AS
-- What a code page lacks becomes a question mark in varchar.
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/char-and-varchar-transact-sql
SELECT CAST(N'aΩb€' AS varchar(10)), CAST(N'Ω' AS nvarchar(5)), 'Ω';
--> a?b€ | Ω | ?
