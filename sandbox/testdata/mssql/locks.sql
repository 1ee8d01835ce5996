-- Application locks belong to the transaction or the session.
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-getapplock-transact-sql
DECLARE @r int; EXEC @r = sp_getapplock @Resource = 'form', @LockMode = 'Exclusive', @LockOwner = 'Session'; SELECT @r, APPLOCK_MODE('public', 'form', 'Session'), APPLOCK_TEST('public', 'form', 'Shared', 'Session');
--> 0 | Exclusive | 1
DECLARE @r int; EXEC @r = sp_getapplock 'form', 'Shared', 'Session', 0; SELECT @r, APPLOCK_MODE('public', 'form', 'Session');
--> 0 | Exclusive
-- It is released as often as it was taken.
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-releaseapplock-transact-sql
DECLARE @r int; EXEC @r = sp_releaseapplock 'form', 'Session'; SELECT @r, APPLOCK_MODE('public', 'form', 'Session'); EXEC @r = sp_releaseapplock 'form', 'Session'; SELECT @r, APPLOCK_MODE('public', 'form', 'Session');
--> 0 | Exclusive
--> ----
--> 0 | NoLock
EXEC sp_releaseapplock 'form', 'Session';
--> error: 1223 Cannot release the application lock (Database Principal: 'public', Resource: 'form') because it is not currently held
DECLARE @r int; EXEC @r = sp_getapplock 'form', 'Exclusive'; SELECT @r;
--> error: 1225 The application lock request 'sp_getapplock' needs to either specify session as the owner or run within an user transaction
--> -999
BEGIN TRAN; DECLARE @r int; EXEC @r = sp_getapplock 'form', 'Update'; SELECT @r, APPLOCK_MODE('public', 'form', 'Transaction'); COMMIT; BEGIN TRAN; SELECT APPLOCK_MODE('public', 'form', 'Transaction'); COMMIT;
--> 0 | Update
--> ----
--> NoLock
DECLARE @r int; EXEC @r = sp_getapplock 'form', 'Wrong', 'Session'; SELECT @r;
--> error: 1228 An invalid parameter "@LockMode" was passed to the application lock function or procedure
--> -999
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-lock-timeout-transact-sql
SELECT @@LOCK_TIMEOUT; SET LOCK_TIMEOUT 1800; SELECT @@LOCK_TIMEOUT; SET LOCK_TIMEOUT -1;
--> -1
--> ----
--> 1800
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-deadlock-priority-transact-sql
SET DEADLOCK_PRIORITY LOW; SET DEADLOCK_PRIORITY 10; SET DEADLOCK_PRIORITY NORMAL;
--> ok
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-dynamic-management-views/sys-dm-tran-locks-transact-sql
CREATE TABLE dbo.Lk (Id int NOT NULL PRIMARY KEY, V int NULL); INSERT INTO dbo.Lk VALUES (1, 1), (2, 2);
--> ok
BEGIN TRAN; UPDATE dbo.Lk SET V = 5 WHERE Id = 1; SELECT resource_type, request_mode, request_status, COUNT(*) FROM sys.dm_tran_locks WHERE request_session_id = @@SPID AND resource_type IN ('KEY', 'OBJECT') GROUP BY resource_type, request_mode, request_status ORDER BY resource_type; ROLLBACK;
--> KEY | X | GRANT | 1
--> OBJECT | IX | GRANT | 1
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-context-info-transact-sql
SELECT CONTEXT_INFO(); SET CONTEXT_INFO 0x0102; SELECT CAST(CONTEXT_INFO() AS binary(3));
--> NULL
--> ----
--> 0x010200
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-set-session-context-transact-sql
EXEC sp_set_session_context N'who', N'me'; SELECT CAST(SESSION_CONTEXT(N'who') AS nvarchar(10)), SESSION_CONTEXT(N'nope'); EXEC sp_set_session_context 'fixed', 5, 1; SELECT CAST(SESSION_CONTEXT(N'fixed') AS int);
--> me | NULL
--> ----
--> 5
EXEC sp_set_session_context 'fixed', 6;
--> error: 15664 Cannot set key 'fixed' in the session context. The key has been set as read_only for this session
KILL 9999;
--> error: 6106 Process ID 9999 is not an active process ID
-- A variable has no place in KILL.
-- https://learn.microsoft.com/en-us/sql/t-sql/language-elements/kill-transact-sql
DECLARE @me int = @@SPID; KILL @me;
--> error: 102 Incorrect syntax near '@me'
DECLARE @me varchar(20) = 'KILL ' + CAST(@@SPID AS varchar(10)); EXEC (@me);
--> error: 6104 Cannot use KILL to kill your own process
