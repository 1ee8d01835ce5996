create table dbo.t (id int not null constraint pk_t primary key, v int not null)
insert dbo.t values (1, 10), (2, 20), (3, 30)
go
-- A locking READ COMMITTED reader waits for a writer; NOLOCK and READPAST do not.
begin tran
update dbo.t set v = 11 where id = 1
go
-- @B
select v from dbo.t with (nolock) where id = 1
select id, v from dbo.t with (readpast) order by id
set transaction isolation level read uncommitted
select v from dbo.t where id = 1
set transaction isolation level read committed
select v from dbo.t where id = 2
select v from dbo.t where id = 1
go
commit
go
-- A reader of READ COMMITTED keeps no lock, REPEATABLE READ does, but not against new rows.
-- @B
begin tran
select v from dbo.t where id = 2
go
update dbo.t set v = 21 where id = 2
go
-- @B
set transaction isolation level repeatable read
select count(*) as n from dbo.t where id between 1 and 9
go
insert dbo.t values (4, 40)
go
-- @C
update dbo.t set v = 22 where id = 2
go
-- @B
select count(*) as n from dbo.t where id between 1 and 9
commit
set transaction isolation level read committed
go
-- @join
-- SERIALIZABLE and HOLDLOCK lock the range: no phantoms.
-- @B
begin tran
select count(*) as n from dbo.t with (holdlock) where id between 5 and 8
go
insert dbo.t values (6, 60)
go
-- @C
insert dbo.t values (100, 1)
go
-- @B
select count(*) as n from dbo.t where id between 5 and 8
commit
go
-- @join
-- UPDLOCK: two readers that want to write do not both get it; a plain reader does.
begin tran
select v from dbo.t with (updlock) where id = 3
go
-- @B
select v from dbo.t where id = 3
select v from dbo.t with (updlock, readpast) where id = 3
begin tran
select v from dbo.t with (updlock) where id = 3
go
commit
go
-- @B
commit
go
-- LOCK_TIMEOUT: 1222 ends the statement, not the batch or the transaction; CATCH sees it.
begin tran
update dbo.t set v = 31 where id = 3
go
-- @B
set lock_timeout 500
begin tran
update dbo.t set v = 12 where id = 1
begin try
    update dbo.t set v = 32 where id = 3
end try
begin catch
    select error_number() as n, xact_state() as xs
end catch
update dbo.t set v = 33 where id = 3
select @@trancount as tc, @@error as e
rollback
set lock_timeout 0
select v from dbo.t where id = 3
set lock_timeout -1
go
-- @join
rollback
go
-- A deadlock is found after five seconds; the victim loses its transaction.
begin tran
update dbo.t set v = v + 1 where id = 1
go
-- @B
set deadlock_priority low
begin tran
update dbo.t set v = v + 1 where id = 2
go
update dbo.t set v = v + 1 where id = 2
go
-- @B
update dbo.t set v = v + 1 where id = 1
select 'not reached'
go
-- @advance 4s
-- @advance 2s
select @@trancount as tc
rollback
go
-- @B
select @@trancount as tc
set deadlock_priority normal
go
-- The victim's TRY sees 1205, with the transaction doomed.
begin tran
update dbo.t set v = v + 1 where id = 1
go
-- @B
set deadlock_priority low
begin tran
update dbo.t set v = v + 1 where id = 2
go
update dbo.t set v = v + 1 where id = 2
go
-- @B
begin try
    update dbo.t set v = v + 1 where id = 1
end try
begin catch
    select error_number() as n, xact_state() as xs, @@trancount as tc
    rollback
end catch
set deadlock_priority normal
go
-- @join
rollback
go
-- A scan without an index on the column waits for a row that a seek would not touch.
begin tran
update dbo.t set v = v + 1 where id = 1
go
-- @B
select v from dbo.t where id = 2
select id from dbo.t where v = 20
go
rollback
go
-- @join
-- Dirty read of a row that is rolled back.
begin tran
delete dbo.t where id = 3
go
-- @B
select count(*) as n from dbo.t with (nolock) where id = 3
go
rollback
go
