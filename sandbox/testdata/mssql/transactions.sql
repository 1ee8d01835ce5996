-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/transactions-transact-sql
CREATE TABLE dbo.Acc (Id int NOT NULL PRIMARY KEY, Bal int NOT NULL CHECK (Bal >= 0)); INSERT INTO dbo.Acc VALUES (1, 100), (2, 50);
--> ok
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/trancount-transact-sql
SELECT @@TRANCOUNT; BEGIN TRAN; SELECT @@TRANCOUNT; BEGIN TRAN; SELECT @@TRANCOUNT; COMMIT; SELECT @@TRANCOUNT; ROLLBACK; SELECT @@TRANCOUNT;
--> 0
--> ----
--> 1
--> ----
--> 2
--> ----
--> 1
--> ----
--> 0
COMMIT;
--> error: 3902 The COMMIT TRANSACTION request has no corresponding BEGIN TRANSACTION
ROLLBACK TRAN;
--> error: 3903 The ROLLBACK TRANSACTION request has no corresponding BEGIN TRANSACTION
-- The outermost COMMIT decides; ROLLBACK undoes everything, also what an inner COMMIT seemed to end.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/begin-transaction-transact-sql
BEGIN TRAN outer1; UPDATE dbo.Acc SET Bal = 1 WHERE Id = 1; BEGIN TRAN inner1; UPDATE dbo.Acc SET Bal = 2 WHERE Id = 2; COMMIT TRAN inner1; ROLLBACK TRAN outer1; SELECT Id, Bal FROM dbo.Acc ORDER BY Id;
--> 1 | 100
--> 2 | 50
BEGIN TRAN outer1; BEGIN TRAN inner1; ROLLBACK TRAN inner1;
--> error: 6401 Cannot roll back inner1. No transaction or savepoint of that name was found
SELECT @@TRANCOUNT; ROLLBACK;
--> 2
-- The name of COMMIT is ignored.
BEGIN TRAN a; COMMIT TRAN whatever; SELECT @@TRANCOUNT;
--> 0
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/save-transaction-transact-sql
BEGIN TRAN; UPDATE dbo.Acc SET Bal = 90 WHERE Id = 1; SAVE TRAN s1; UPDATE dbo.Acc SET Bal = 80 WHERE Id = 1; ROLLBACK TRAN s1; SELECT Bal, @@TRANCOUNT FROM dbo.Acc WHERE Id = 1; COMMIT;
--> 90 | 1
BEGIN TRAN; SAVE TRAN s; UPDATE dbo.Acc SET Bal = 1 WHERE Id = 2; SAVE TRAN s; UPDATE dbo.Acc SET Bal = 2 WHERE Id = 2; ROLLBACK TRAN s; SELECT Bal FROM dbo.Acc WHERE Id = 2; ROLLBACK TRAN s; SELECT Bal FROM dbo.Acc WHERE Id = 2; ROLLBACK;
--> 1
--> ----
--> 1
SAVE TRAN lonely;
--> error: 628 Cannot issue SAVE TRANSACTION when there is no active transaction
DECLARE @s varchar(32) = 'byvar'; BEGIN TRAN; SAVE TRAN @s; UPDATE dbo.Acc SET Bal = 3 WHERE Id = 2; ROLLBACK TRAN @s; SELECT Bal, @@TRANCOUNT FROM dbo.Acc WHERE Id = 2; ROLLBACK;
--> 50 | 1
-- A statement that fails ends itself only; with XACT_ABORT the transaction and the batch.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-xact-abort-transact-sql
BEGIN TRAN; UPDATE dbo.Acc SET Bal = 70 WHERE Id = 1; UPDATE dbo.Acc SET Bal = Bal - 1000 WHERE Id = 2; COMMIT; SELECT Bal FROM dbo.Acc ORDER BY Id;
--> error: 547
--> 70
--> 50
SET XACT_ABORT ON; BEGIN TRAN; UPDATE dbo.Acc SET Bal = 60 WHERE Id = 1; UPDATE dbo.Acc SET Bal = Bal - 1000 WHERE Id = 2; SELECT 'not here';
--> error: 547
SELECT @@TRANCOUNT, Bal FROM dbo.Acc WHERE Id = 1;
--> 0 | 70
BEGIN TRAN; RAISERROR ('does not count', 16, 1); SELECT @@TRANCOUNT; ROLLBACK;
--> error: 50000
--> 1
BEGIN TRAN; THROW 50001, 'counts', 1;
--> error: 50001
SELECT @@TRANCOUNT;
--> 0
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/xact-state-transact-sql
SELECT XACT_STATE(); BEGIN TRAN; SELECT XACT_STATE(); BEGIN TRY SELECT 1 / 0; END TRY BEGIN CATCH SELECT XACT_STATE(), @@TRANCOUNT; ROLLBACK; END CATCH; SELECT XACT_STATE();
--> 0
--> ----
--> 1
--> ----
--> rows: 0
--> ----
--> -1 | 1
--> ----
--> 0
BEGIN TRAN; BEGIN TRY SELECT 1 / 0; END TRY BEGIN CATCH UPDATE dbo.Acc SET Bal = 1 WHERE Id = 1; END CATCH;
--> error: 3930 The current transaction cannot be committed and cannot support operations that write to the log file. Roll back the transaction
SELECT @@TRANCOUNT;
--> 0
BEGIN TRAN; BEGIN TRY INSERT INTO dbo.Acc VALUES (1, 1); END TRY BEGIN CATCH PRINT ERROR_NUMBER(); END CATCH;
--> print: 2627
--> error: 3998 Uncommittable transaction is detected at the end of the batch. The transaction is rolled back
SET XACT_ABORT OFF; BEGIN TRAN; BEGIN TRY INSERT INTO dbo.Acc VALUES (1, 1); END TRY BEGIN CATCH SELECT XACT_STATE(); COMMIT; END CATCH; SELECT @@TRANCOUNT;
--> 1
--> ----
--> 0
-- A failed conversion dooms the transaction under TRY, whatever XACT_ABORT is.
BEGIN TRAN; BEGIN TRY SELECT CAST('x' AS int); END TRY BEGIN CATCH SELECT XACT_STATE(); ROLLBACK; END CATCH;
--> rows: 0
--> ----
--> -1
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-implicit-transactions-transact-sql
SET IMPLICIT_TRANSACTIONS ON; SELECT @@TRANCOUNT; UPDATE dbo.Acc SET Bal = 5 WHERE Id = 1; SELECT @@TRANCOUNT; ROLLBACK; SELECT Bal FROM dbo.Acc WHERE Id = 1; SELECT @@TRANCOUNT; COMMIT; SET IMPLICIT_TRANSACTIONS OFF;
--> 0
--> ----
--> 1
--> ----
--> 70
--> ----
--> 1
SELECT @@TRANCOUNT;
--> 0
SET IMPLICIT_TRANSACTIONS ON; BEGIN TRAN; SELECT @@TRANCOUNT; ROLLBACK; SET IMPLICIT_TRANSACTIONS OFF;
--> 2
-- Definitions are undone, too.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/rollback-transaction-transact-sql
BEGIN TRAN; CREATE TABLE dbo.Undone (a int); ALTER TABLE dbo.Acc ADD Note int NULL; ROLLBACK; SELECT OBJECT_ID('dbo.Undone'), COUNT(*) FROM sys.columns WHERE object_id = OBJECT_ID('dbo.Acc');
--> NULL | 2
BEGIN TRAN; TRUNCATE TABLE dbo.Acc; ROLLBACK; SELECT COUNT(*) FROM dbo.Acc;
--> 2
-- A variable keeps what it got.
BEGIN TRAN; DECLARE @n int = 1; SET @n = 2; ROLLBACK; SELECT @n;
--> 2
-- 266 and 201 tell of the procedure that was called.
-- https://learn.microsoft.com/en-us/sql/relational-databases/errors-events/database-engine-events-and-errors
CREATE PROCEDURE dbo.LeavesOpen AS
BEGIN TRANSACTION;
--> ok
EXEC dbo.LeavesOpen; SELECT @@TRANCOUNT; ROLLBACK;
--> error: 266 Transaction count after EXECUTE indicates a mismatching number of BEGIN and COMMIT statements. Previous count = 0, current count = 1
--> 1
BEGIN TRY EXEC dbo.LeavesOpen; END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_PROCEDURE(); END CATCH; ROLLBACK;
--> 266 | dbo.LeavesOpen
CREATE PROCEDURE dbo.Needs @a int AS SELECT @a;
--> ok
BEGIN TRY EXEC dbo.Needs; END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_PROCEDURE(), ERROR_LINE(), ERROR_MESSAGE(); END CATCH;
--> 201 | dbo.Needs | 0 | Procedure or function 'Needs' expects parameter '@a', which was not supplied.
CREATE PROCEDURE dbo.RollsBack AS ROLLBACK;
--> ok
BEGIN TRAN; EXEC dbo.RollsBack; SELECT @@TRANCOUNT;
--> error: 266 Previous count = 1, current count = 0
--> 0
CREATE PROCEDURE dbo.Transfer @from int, @to int, @n int AS SET NOCOUNT ON; BEGIN TRY BEGIN TRAN; UPDATE dbo.Acc SET Bal = Bal + @n WHERE Id = @to; UPDATE dbo.Acc SET Bal = Bal - @n WHERE Id = @from; COMMIT; END TRY BEGIN CATCH IF @@TRANCOUNT > 0 ROLLBACK; THROW; END CATCH;
--> ok
EXEC dbo.Transfer 1, 2, 30; EXEC dbo.Transfer @to = 1, @from = 2, @n = 10; SELECT Bal FROM dbo.Acc ORDER BY Id;
--> 50
--> 70
EXEC dbo.Transfer 1, 2, 500;
--> error: 547 The UPDATE statement conflicted with the CHECK constraint
SELECT Bal, @@TRANCOUNT FROM dbo.Acc ORDER BY Id;
--> 50 | 0
--> 70 | 0
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-transaction-isolation-level-transact-sql
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; SELECT transaction_isolation_level FROM sys.dm_exec_sessions WHERE session_id = @@SPID; SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
--> 4
SET TRANSACTION ISOLATION LEVEL SNAPSHOT; SELECT COUNT(*) FROM dbo.Acc;
--> error: 3952 Snapshot isolation transaction failed accessing database 'sandbox' because snapshot isolation is not allowed in this database
SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SELECT COUNT(*) FROM dbo.Acc WITH (READPAST, UPDLOCK, ROWLOCK);
--> 2
SELECT COUNT(*) FROM dbo.Acc WITH (NOLOCK, HOLDLOCK);
--> error: 1047 Conflicting locking hints specified
BEGIN DISTRIBUTED TRANSACTION;
--> refused
