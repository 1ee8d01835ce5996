create table dbo.t (id int not null primary key, v int not null)
insert dbo.t values (1, 10), (2, 20)
go
-- SNAPSHOT must be allowed: 3952.
set transaction isolation level snapshot
select v from dbo.t
go
set transaction isolation level read committed
alter database test set allow_snapshot_isolation on
go
-- A snapshot transaction sees what was committed when it first read.
-- @B
set transaction isolation level snapshot
begin tran
select v from dbo.t order by id
go
update dbo.t set v = 11 where id = 1
insert dbo.t values (3, 30)
go
-- @B
select v from dbo.t order by id
update dbo.t set v = 21 where id = 2
select v from dbo.t order by id
begin try
    update dbo.t set v = 12 where id = 1
end try
begin catch
    select error_number() as n, xact_state() as xs
    rollback
end catch
select v from dbo.t order by id
go
-- The conflict of a writer that waited.
begin tran
update dbo.t set v = 13 where id = 1
go
-- @B
begin tran
select v from dbo.t where id = 1
update dbo.t set v = 14 where id = 1
select 'not reached'
go
commit
go
-- @B
select @@trancount as tc
set transaction isolation level read committed
go
-- READ_COMMITTED_SNAPSHOT: a reader does not wait, and each statement sees what was committed when it began.
alter database test set read_committed_snapshot on with rollback immediate
go
-- @join
begin tran
update dbo.t set v = 99 where id = 1
go
-- @B
begin tran
select v from dbo.t where id = 1
select v from dbo.t with (readcommittedlock) where id = 2
go
commit
go
-- @B
select v from dbo.t where id = 1
commit
go
-- READCOMMITTEDLOCK and UPDLOCK wait all the same.
begin tran
update dbo.t set v = 100 where id = 1
go
-- @B
select v from dbo.t with (readcommittedlock) where id = 1
go
-- @C
select v from dbo.t with (updlock) where id = 1
go
commit
go
