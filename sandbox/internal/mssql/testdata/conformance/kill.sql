create table dbo.t (a int)
go
-- @B
begin tran
insert dbo.t values (1)
waitfor delay '01:00'
go
begin tran
kill 52
rollback
go
kill 51
kill 9
kill 999
go
kill 52
go
select a from dbo.t
select count(*) as n from sys.dm_exec_sessions where session_id = 52
go
-- Attention ends the batch; the transaction stays open unless XACT_ABORT is on; CATCH does not see it.
-- @D
begin tran
insert dbo.t values (2)
begin try
    waitfor delay '01:00'
end try
begin catch
    select 'not reached'
end catch
select 'not reached'
go
-- @cancel D
-- @D
select @@trancount as tc
set xact_abort on
waitfor delay '01:00'
go
-- @cancel D
-- @D
select @@trancount as tc
go
-- @D
begin tran
exec sp_getapplock @Resource = 'r', @LockMode = 'Exclusive'
go
declare @rc int
exec @rc = sp_getapplock @Resource = 'r', @LockMode = 'Exclusive', @LockOwner = 'Session'
select 'not reached'
go
-- @cancel A
select applock_mode('public', 'r', 'Session') as mine
go
