create table dbo.t (a int)
insert into dbo.t (a) values (1)
alter database test set allow_snapshot_isolation on
go
set transaction isolation level read committed
begin tran
select a from dbo.t
set transaction isolation level snapshot
select a from dbo.t
go
if @@trancount > 0 rollback
set transaction isolation level snapshot
begin tran
select a from dbo.t
set transaction isolation level read committed
select a from dbo.t
set transaction isolation level snapshot
select a from dbo.t
commit
go
