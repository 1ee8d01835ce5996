-- @2025
create table dbo.t (id int not null primary key, v int not null, u int not null)
create unique index ux on dbo.t (u)
insert dbo.t values (1, 10, 1), (2, 20, 2), (3, 30, 3)
create table dbo.h (a int not null, b int null)
insert dbo.h values (1, 10), (2, 20), (3, 30)
go
-- Off to begin with.
select databasepropertyex(db_name(), 'IsOptimizedLockingOn') as p, is_optimized_locking_on as o, is_accelerated_database_recovery_on as a
from sys.databases where name = db_name()
go
-- It needs accelerated database recovery, which cannot be turned off before it.
-- @refused
alter database test set optimized_locking = on
go
alter database test set accelerated_database_recovery = on with rollback immediate
alter database test set optimized_locking = on with rollback immediate
go
-- @join
-- @refused
alter database test set accelerated_database_recovery = off
go
select databasepropertyex(db_name(), 'IsOptimizedLockingOn') as p, is_optimized_locking_on as o, is_accelerated_database_recovery_on as a
from sys.databases where name = db_name()
go
-- Of changed rows only the transaction is locked.
begin tran
update dbo.t set v = v + 10
select resource_type, request_mode, request_status from sys.dm_tran_locks
where request_session_id = @@spid and resource_type in ('PAGE', 'RID', 'KEY', 'XACT')
go
-- Whoever wants such a row waits for the transaction, with no lock on the row.
-- @B
update dbo.t set v = v + 1 where id = 2
go
-- @C
select v from dbo.t with (readcommittedlock) where id = 3
go
-- @D
select resource_type, request_mode, request_status from sys.dm_tran_locks
where resource_type in ('RID', 'KEY', 'XACT') order by request_status
select count(*) as n from dbo.t with (readpast)
set lock_timeout 0
select v from dbo.t where id = 1
go
-- The transaction may change them again; then all go on.
update dbo.t set v = v + 100 where id = 2
commit
go
-- @join
select id, v from dbo.t order by id
go
-- A lock that a hint asks for stays, and so does one of a stricter level.
begin tran
select v from dbo.t with (updlock) where id = 1
update dbo.t with (holdlock) set v = 0 where id = 3
select resource_type, request_mode from sys.dm_tran_locks
where request_session_id = @@spid and resource_type in ('RID', 'KEY', 'XACT') order by resource_type, request_mode
commit
go
-- A key that is not committed, or whose deletion is not, is waited for.
begin tran
insert dbo.t values (4, 40, 4)
delete dbo.t where id = 3
go
-- @B
insert dbo.t values (5, 50, 4)
go
-- @C
insert dbo.t values (3, 31, 3)
go
rollback
go
-- @join
select id, v, u from dbo.t order by id
go
-- What a savepoint takes back is not locked any more.
begin tran
save tran s
update dbo.t set v = -1 where id = 1
rollback tran s
go
-- @B
update dbo.t set v = 1 where id = 1
go
commit
go
-- Without READ_COMMITTED_SNAPSHOT rows are locked before they qualify: this waits.
begin tran
update dbo.h set b = b + 10 where a = 1
go
-- @B
update dbo.h set b = b + 10 where a = 2
go
commit
go
-- @join
alter database test set read_committed_snapshot on with rollback immediate
go
-- @join
-- With it they are locked after qualification: this does not wait.
begin tran
update dbo.h set b = b + 10 where a = 1
go
-- @B2
update dbo.h set b = b + 10 where a = 2
go
-- What qualifies waits, and is tested again: one row still qualifies, one does not.
-- @C2
update dbo.h set b = b + 10 where a = 1
select @@rowcount as n
go
-- @D2
delete dbo.h where b = 20
select @@rowcount as n
go
commit
go
-- @join
select a, b from dbo.h order by a
go
-- What qualifies only when the other one has committed is not seen (the documented difference) ...
begin tran
update dbo.h set b = 2 where a = 1
go
-- @B2
update dbo.h set b = 3 where b = 2
select @@rowcount as n
go
-- ... but with READCOMMITTEDLOCK, with a variable, with OUTPUT to the client, in MERGE, and at a stricter level it is waited for.
-- @B2
update dbo.h with (readcommittedlock) set b = 3 where b = 2
select @@rowcount as n
go
-- @C2
declare @x int
update dbo.h set @x = b, b = 4 where b = 3
select @@rowcount as n, @x as x
go
-- @D2
delete dbo.h output deleted.b where b = 4
go
-- @E2
merge dbo.h as t using (select 4 as b) as s on t.b = s.b when matched then update set b = 5;
select @@rowcount as n
go
-- @F2
set transaction isolation level repeatable read
update dbo.h set b = 6 where b = 5
select @@rowcount as n
go
commit
go
-- @join
select a, b from dbo.h order by a
go
-- A statement of several tables starts again without it.
begin tran
update dbo.t set v = 7 where id = 2
go
-- @B2
update t set v = t.v + h.b from dbo.t as t join dbo.h as h on h.a = t.id where h.a = 2
select @@rowcount as n
go
commit
go
-- @join
select id, v from dbo.t order by id
alter database test set optimized_locking = off with rollback immediate
alter database test set accelerated_database_recovery = off with rollback immediate
go
-- @join
select databasepropertyex(db_name(), 'IsOptimizedLockingOn') as p
go
