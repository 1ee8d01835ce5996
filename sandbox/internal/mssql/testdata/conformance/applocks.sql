-- Transaction-owned locks need a transaction.
declare @rc int
exec @rc = sp_getapplock @Resource = 'r', @LockMode = 'Exclusive'
select @rc as rc
go
begin tran
declare @rc int
exec @rc = sp_getapplock @Resource = 'r', @LockMode = 'Exclusive'
select @rc as rc, applock_mode('public', 'r', 'Transaction') as mine, applock_mode('public', 'r', 'Session') as session_
exec @rc = sp_getapplock @Resource = 'r', @LockMode = 'Shared'
select @rc as rc, applock_mode('public', 'r', 'Transaction') as mine
go
-- @B
declare @rc int
select applock_test('public', 'r', 'Shared', 'Session') as test, applock_test('public', 'R', 'Shared', 'Session') as other_name
exec @rc = sp_getapplock @Resource = 'r', @LockMode = 'Shared', @LockOwner = 'Session', @LockTimeout = 0
select @rc as rc
exec @rc = sp_getapplock @Resource = 'r', @LockMode = 'Shared', @LockOwner = 'Session', @LockTimeout = 1000
select @rc as rc
go
-- @advance 2s
-- @B
declare @rc int
exec @rc = sp_getapplock @Resource = 'r', @LockMode = 'Shared', @LockOwner = 'Session'
select @rc as rc, applock_mode('public', 'r', 'Session') as mine
go
commit
go
-- Session-owned locks outlive transactions and are counted.
-- @B
begin tran
declare @rc int
exec @rc = sp_getapplock @Resource = 'r', @LockMode = 'Exclusive', @LockOwner = 'Session'
select @rc as rc, applock_mode('public', 'r', 'Session') as mine
rollback
select applock_mode('public', 'r', 'Session') as mine
go
select applock_test('public', 'r', 'Shared', 'Session') as test
go
-- @B
declare @rc int
exec @rc = sp_releaseapplock @Resource = 'r', @LockOwner = 'Session'
select @rc as rc
exec @rc = sp_releaseapplock @Resource = 'r', @LockOwner = 'Session'
select @rc as rc, applock_mode('public', 'r', 'Session') as mine
exec @rc = sp_releaseapplock @Resource = 'r', @LockOwner = 'Session'
select @rc as rc
go
-- The session's end frees them.
-- @B
exec sp_getapplock @Resource = 'gone', @LockMode = 'Exclusive', @LockOwner = 'Session'
go
-- @close B
select applock_test('public', 'gone', 'Exclusive', 'Session') as test
go
-- A rollback frees the transaction's; a savepoint's does not.
begin tran
save tran s
exec sp_getapplock @Resource = 'r2', @LockMode = 'Exclusive'
rollback tran s
go
-- @D
select applock_test('public', 'r2', 'Shared', 'Session') as test
go
rollback
go
-- @D
select applock_test('public', 'r2', 'Shared', 'Session') as test
go
-- Principals: the same name under another principal is another lock.
create role lockers
go
exec sp_getapplock @Resource = 'p', @LockMode = 'Exclusive', @LockOwner = 'Session', @DbPrincipal = 'lockers'
select applock_mode('lockers', 'p', 'Session') as mine, applock_mode('public', 'p', 'Session') as other
go
create user eve without login
execute as user = 'eve'
declare @rc int
exec @rc = sp_getapplock @Resource = 'p', @LockMode = 'Exclusive', @LockOwner = 'Session', @DbPrincipal = 'lockers'
revert
go
exec sp_getapplock @Resource = 'x', @LockMode = 'Bad', @LockOwner = 'Session'
exec sp_getapplock @Resource = 'x', @LockMode = 'Shared', @LockOwner = 'Bad'
exec sp_releaseapplock @Resource = 'x', @LockOwner = 'Session'
go
