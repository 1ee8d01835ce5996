-- A statement that fails ends; the batch goes on.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-xact-abort-transact-sql
PRINT 'before'; SELECT 1 / 0; PRINT 'after';
--> print: before
--> error: 8134 Divide by zero
--> print: after
CREATE TABLE dbo.t (id int NOT NULL PRIMARY KEY, at date NULL);
--> ok
INSERT INTO dbo.t (id, at) VALUES (1, '2026-01-02'), (2, NULL);
--> affected: 2
SELECT id, at FROM dbo.t ORDER BY id; SELECT COUNT(*) FROM dbo.t WHERE id > 7;
--> 1 | 2026-01-02
--> 2 | NULL
--> ----
--> 0
SELECT id FROM dbo.t WHERE id > 7;
--> rows: 0
