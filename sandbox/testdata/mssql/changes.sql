-- https://learn.microsoft.com/en-us/sql/t-sql/statements/insert-transact-sql
CREATE TABLE dbo.Stock (Id int NOT NULL PRIMARY KEY, Item varchar(10) NOT NULL, Qty int NOT NULL DEFAULT 1, Note varchar(20) NULL);
--> ok
INSERT INTO dbo.Stock (Id, Item) VALUES (1, 'nut');
--> affected: 1
INSERT dbo.Stock (Item, Id, Qty, Note) VALUES ('bolt', 2, DEFAULT, NULL), ('nail', 3, 30, 'x');
--> affected: 2
SELECT * FROM dbo.Stock ORDER BY Id;
--> 1 | nut | 1 | NULL
--> 2 | bolt | 1 | NULL
--> 3 | nail | 30 | x
INSERT INTO dbo.Stock VALUES (4, 'cog', 7, NULL);
--> affected: 1
INSERT INTO dbo.Stock VALUES (5, 'cam');
--> error: 213 Column name or number of supplied values does not match table definition
INSERT INTO dbo.Stock (Id, Item) VALUES (5, 'cam', 3);
--> error: 110 There are fewer columns in the INSERT statement than values specified in the VALUES clause
INSERT INTO dbo.Stock (Id, Item, Qty) VALUES (5, 'cam');
--> error: 109 There are more columns in the INSERT statement than values specified in the VALUES clause
INSERT INTO dbo.Stock (Id, Item, Id) VALUES (5, 'cam', 5);
--> error: 264 The column name 'Id' is specified more than once in the SET clause or column list of an INSERT
INSERT INTO dbo.Stock (Id, Item, Nope) VALUES (5, 'cam', 2);
--> error: 207 Invalid column name 'Nope'
INSERT INTO dbo.Stock (Id, Item) VALUES (5, 'cam'), (6);
--> error: 10709 The number of columns for each row in a table value constructor must be the same
INSERT INTO dbo.Stock (Id, Item) VALUES (1, 'again');
--> error: 2627 Violation of PRIMARY KEY constraint
INSERT INTO dbo.Stock (Id) VALUES (9);
--> error: 515 Cannot insert the value NULL into column 'Item', table 'sandbox.dbo.Stock'; column does not allow nulls. INSERT fails
-- A statement that fails inserts nothing.
INSERT INTO dbo.Stock (Id, Item) VALUES (7, 'a'), (8, 'b'), (1, 'c');
--> error: 2627
SELECT COUNT(*) FROM dbo.Stock;
--> 4
INSERT INTO dbo.Stock (Id, Item, Qty) SELECT Id + 10, Item, Qty FROM dbo.Stock WHERE Id < 3;
--> affected: 2
INSERT TOP (1) INTO dbo.Stock (Id, Item) SELECT Id + 20, Item FROM dbo.Stock WHERE Id = 11 OR Id = 12;
--> refused TOP
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/update-transact-sql
UPDATE dbo.Stock SET Qty = Qty + 5, Note = 'old ' + CAST(Qty AS varchar(5)) WHERE Id = 1;
--> affected: 1
UPDATE s SET s.Qty = s.Qty + x.Add1 FROM dbo.Stock AS s JOIN (VALUES (1, 100), (2, 200)) AS x (Id, Add1) ON x.Id = s.Id;
--> affected: 2
UPDATE dbo.Stock SET Qty = 0 WHERE Id = 999;
--> affected: 0
UPDATE TOP (1) dbo.Stock SET Note = 'top' WHERE Id > 10;
--> affected: 1
DECLARE @old int, @new int; UPDATE dbo.Stock SET @old = Qty, @new = Qty = Qty + 1 WHERE Id = 3; SELECT @old, @new;
--> 30 | 31
UPDATE dbo.Stock SET Qty += 2, Note = DEFAULT OUTPUT inserted.Id, deleted.Qty, inserted.Qty WHERE Id = 3;
--> 3 | 31 | 33
UPDATE dbo.Stock SET Qty = 1, Qty = 2;
--> error: 264 The column name 'Qty' is specified more than once in the SET clause
UPDATE dbo.Stock SET Item = NULL WHERE Id = 1;
--> error: 515 UPDATE fails
UPDATE dbo.Nope SET a = 1;
--> error: 208 Invalid object name 'dbo.Nope'
-- The expressions of SET see the row as it was.
UPDATE dbo.Stock SET Id = Qty, Qty = Id WHERE Id = 4; SELECT Id, Qty FROM dbo.Stock WHERE Item = 'cog';
--> 7 | 4
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/delete-transact-sql
DELETE FROM dbo.Stock OUTPUT deleted.Id, deleted.Item WHERE Id = 7;
--> 7 | cog
DELETE dbo.Stock WHERE Note = 'top';
--> affected: 1
DELETE s FROM dbo.Stock AS s JOIN (VALUES (11), (12)) AS v (Id) ON v.Id = s.Id;
--> affected: 1
DELETE TOP (1) FROM dbo.Stock WHERE Id < 3;
--> affected: 1
WITH last1 AS (SELECT TOP (1) * FROM dbo.Stock ORDER BY Id DESC) DELETE FROM last1;
--> affected: 1
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/output-clause-transact-sql
DECLARE @done TABLE (Id int, Was varchar(10)); UPDATE dbo.Stock SET Item = 'new' OUTPUT inserted.Id, deleted.Item INTO @done; SELECT COUNT(*), MAX(Was) FROM @done;
--> 1 | bolt
DELETE FROM dbo.Stock OUTPUT inserted.Id;
--> error: 4104
INSERT INTO dbo.Stock (Id, Item) OUTPUT inserted.*, inserted.Id + 1 AS Following VALUES (50, 'gear');
--> 50 | gear | 1 | NULL | 51
-- MERGE ends with a semicolon; a row of the target may change once.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/merge-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/truncate-table-transact-sql
TRUNCATE TABLE dbo.Stock; SELECT COUNT(*) FROM dbo.Stock;
--> 0
TRUNCATE TABLE dbo.Stock WHERE Id = 1;
--> error: 156
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/select-into-clause-transact-sql
SELECT v.a, v.b INTO dbo.Made FROM (VALUES (1, 'x'), (2, 'y')) AS v (a, b); SELECT @@ROWCOUNT;
--> 2
SELECT 1 AS a INTO dbo.Made;
--> error: 2714 There is already an object named 'Made' in the database
SELECT 1 INTO dbo.Unnamed;
--> error: 1038 An object or column name is missing or empty
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/rowcount-transact-sql
UPDATE dbo.Made SET b = 'z'; SELECT @@ROWCOUNT; SELECT @@ROWCOUNT, ROWCOUNT_BIG();
--> 2
--> ----
--> 1 | 1
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-rowcount-transact-sql
SET ROWCOUNT 1; DELETE FROM dbo.Made; SET ROWCOUNT 0; SELECT COUNT(*) FROM dbo.Made;
--> 1
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/table-value-constructor-transact-sql
SELECT v.n, v.s FROM (VALUES (1, 'a'), (2, NULL), (1 + 2, 'c')) AS v (n, s) WHERE v.s IS NOT NULL ORDER BY v.n DESC;
--> 3 | c
--> 1 | a
INSERT INTO dbo.Made (a, b) EXEC (N'SELECT 8, ''p'' UNION ALL SELECT 9, ''q''');
--> affected: 2
