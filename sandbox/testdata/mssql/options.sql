-- Options at their defaults are taken; one that is refused does not take the others of its batch with it.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-statements-transact-sql
SET ANSI_NULL_DFLT_ON ON; SET CURSOR_CLOSE_ON_COMMIT OFF; SET TEXTSIZE 2147483647; SET XACT_ABORT ON;
--> ok
SELECT (@@OPTIONS & 16384);
--> 16384
SET QUOTED_IDENTIFIER ON; SET ANSI_WARNINGS ON; SET ANSI_PADDING ON; SET ANSI_NULLS ON; SET CONCAT_NULL_YIELDS_NULL ON;
--> ok
SET TEXTSIZE 64512;
--> refused SET TEXTSIZE
SET NUMERIC_ROUNDABORT ON; SELECT 1.25 * 1.5;
--> refused SET NUMERIC_ROUNDABORT ON
SET NUMERIC_ROUNDABORT OFF;
--> ok
SET FORCEPLAN ON; SELECT 1;
--> refused SET FORCEPLAN ON
--> 1
SET XACT_ABORT OFF;
--> ok

-- SET DATEFIRST 1 makes Monday the first day of the week; DATEPART with weekday and week depends on it. The default of us_english is 7.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-datefirst-transact-sql
SELECT @@DATEFIRST, DATEPART(weekday, '2026-11-23');
--> 7 | 2
SET DATEFIRST 1;
--> ok
SELECT @@DATEFIRST, DATEPART(weekday, '2026-11-23'), DATEPART(weekday, '2026-11-22'), DATEPART(week, '2026-01-05');
--> 1 | 1 | 7 | 2
SET DATEFIRST 7;
--> ok

-- With ANSI_NULLS OFF, = compares NULL with NULL as equal, where an operand is a variable that is NULL or a literal NULL.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-ansi-nulls-transact-sql
SET ANSI_NULLS OFF;
--> ok
DECLARE @a int, @b int; SELECT IIF(@a = @b, 'equal', 'not');
--> refused comparison with NULL or a variable
SET ANSI_NULLS ON;
--> ok
SET ANSI_NULLS OFF; SELECT 1 WHERE 1 IN (1, NULL);
--> refused comparison with NULL or a variable
SET ANSI_NULLS ON;
--> ok

-- Division by zero ends the batch where ARITHABORT is ON and ANSI_WARNINGS is OFF, and gives NULL where both are OFF.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-arithabort-transact-sql
SET ANSI_WARNINGS OFF; SET ARITHABORT ON;
--> ok
SELECT 1 / 0; SELECT 2;
--> error: 8134
SET ARITHABORT OFF; SELECT 1 / 0;
--> refused an arithmetic error under
SET ARITHABORT ON; SET ANSI_WARNINGS ON;
--> ok
SELECT 1 / 0; SELECT 2;
--> error: 8134
--> ----
--> 2

-- A refused statement leaves the transaction as it was.
BEGIN TRANSACTION; SET XACT_ABORT ON;
--> ok
SET TEXTSIZE 100;
--> refused TEXTSIZE
SELECT @@TRANCOUNT; SET XACT_ABORT OFF; COMMIT;
--> 1

-- With CURSOR_CLOSE_ON_COMMIT ON, open cursors are closed on commit and rollback.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-cursor-close-on-commit-transact-sql
SET CURSOR_CLOSE_ON_COMMIT ON; DECLARE c CURSOR GLOBAL FOR SELECT name FROM sys.schemas; OPEN c; BEGIN TRANSACTION; COMMIT; FETCH NEXT FROM c;
--> error: 16917
SET CURSOR_CLOSE_ON_COMMIT OFF; DEALLOCATE c;
--> ok
