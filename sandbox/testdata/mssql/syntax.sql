-- A word that is not in the list of reserved keywords is a name without quotes; PRECISION, which is, names a column of sys.columns.
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-catalog-views/sys-columns-transact-sql
CREATE TABLE dbo.Words (type int NOT NULL, precision int NOT NULL, try int NOT NULL, catch int NOT NULL, timeout int NOT NULL, value int NOT NULL);
--> ok
INSERT INTO dbo.Words (type, precision, try, catch, timeout, value) VALUES (1, 2, 3, 4, 5, 6);
--> ok
SELECT w.type, w.precision, try, catch AS throw, timeout, w.value FROM dbo.Words AS w WHERE w.try = 3 AND type < > 2 AND precision ! = 3 AND catch > = 4;
--> 1 | 2 | 3 | 4 | 5 | 6
-- A name has no empty part, but for a schema or database left out.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/transact-sql-syntax-conventions-transact-sql
SELECT type FROM dbo. AS w;
--> error: 156
CREATE PROCEDURE dbo.Short AS IF 1 = 1 BEGIN BEGIN SELECT 1; END;
--> error: 102
CREATE OR ALTER VIEW dbo.Bad AS SELECT SELECT 1 AS a;
--> error: 156
CREATE OR ALTER VIEW VIEW dbo.Bad AS SELECT 1 AS a;
--> error: 156
CREATE VIEW dbo.Bad AS SELECT FROM dbo.Words;
--> error: 156
SELECT type FROM dbo.Words WHERE type NOT IS NULL;
--> error: 156
DENY SELECT ON.Words TO public x;
--> error: 102
SELECT 1 AS stands;
--> 1
