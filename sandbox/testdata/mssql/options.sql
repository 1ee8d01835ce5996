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

-- What a procedure or dynamic SQL sets holds until it ends.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-statements-transact-sql
CREATE PROCEDURE dbo.SetsMuch AS SET ROWCOUNT 1; SET LOCK_TIMEOUT 5; SET NOCOUNT ON; SET XACT_ABORT ON; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; SET ANSI_WARNINGS OFF; SET IMPLICIT_TRANSACTIONS OFF; SELECT @@LOCK_TIMEOUT;
--> ok
SET NOCOUNT OFF; EXEC dbo.SetsMuch; SELECT @@LOCK_TIMEOUT, @@OPTIONS & 512, @@OPTIONS & 16384, @@OPTIONS & 8;
--> 5
--> ----
--> -1 | 0 | 0 | 8
SELECT v.n FROM (VALUES (1), (2)) AS v (n) ORDER BY v.n;
--> 1
--> 2
SELECT transaction_isolation_level FROM sys.dm_exec_sessions WHERE session_id = @@SPID;
--> 2
EXEC (N'SET ROWCOUNT 1; SELECT v.n FROM (VALUES (1), (2)) AS v (n)'); SELECT v.n FROM (VALUES (1), (2)) AS v (n);
--> 1
--> ----
--> 1
--> 2
SET LANGUAGE German;
--> refused SET LANGUAGE German
SET DATEFORMAT dmy;
--> refused SET DATEFORMAT dmy
SET ROWCOUNT 2; EXEC (N'SELECT v.n FROM (VALUES (1), (2), (3)) AS v (n)'); SET ROWCOUNT 0;
--> 1
--> 2
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-rowcount-transact-sql
DECLARE @n int = 1; SET ROWCOUNT @n; SELECT v.n FROM (VALUES (1), (2)) AS v (n); SET ROWCOUNT 0;
--> 1
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-nocount-transact-sql
SET NOCOUNT ON; SELECT 1 AS a; SELECT @@ROWCOUNT; SET NOCOUNT OFF;
--> 1
--> ----
--> 1
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/options-transact-sql
SET XACT_ABORT ON; SELECT IIF(@@OPTIONS & 16384 = 16384, 'on', 'off'), IIF(@@OPTIONS & 2 = 2, 'on', 'off'); SET XACT_ABORT OFF;
--> on | off
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-quoted-identifier-transact-sql
SELECT "a" FROM (SELECT 1 AS "a") AS "t x";
--> 1
SET QUOTED_IDENTIFIER OFF; SELECT 1;
--> 1
SELECT "a string";
--> refused double quotation marks with QUOTED_IDENTIFIER OFF
SET QUOTED_IDENTIFIER ON; SELECT "n" FROM (SELECT 5 AS n) AS t;
--> 5
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-ansi-padding-transact-sql
SET ANSI_PADDING OFF; CREATE TABLE dbo.Unpadded (a varchar(5) NULL);
--> refused ANSI_PADDING OFF
SET ANSI_PADDING ON;
--> ok
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-parseonly-transact-sql
SET PARSEONLY ON;
--> refused PARSEONLY
SET STATISTICS IO ON;
--> refused STATISTICS
SET SHOWPLAN_TEXT ON;
--> refused SET
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-datefirst-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/use-transact-sql
USE nosuchdb;
--> error: 911 Database 'nosuchdb' does not exist. Make sure that the name is entered correctly

-- DATEFIRST shows in @@DATEFIRST; no week of a date is modeled.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-datefirst-transact-sql
SET DATEFIRST 1; SELECT @@DATEFIRST;
--> 1
SET DATEFIRST 8;
--> error: 2742 SET DATEFIRST 8 is out of range
SET DATEFIRST 7;
--> ok
SET DATEFORMAT ymd;
--> refused SET DATEFORMAT ymd
SELECT CAST('02/03/2026' AS date), CAST('2/3/2026 04:05' AS datetime);
--> 2026-02-03 | 2026-02-03 04:05:00
