create login carol with password = 'x'
create user carol for login carol
create role readers
create table dbo.t (a int, b int)
create table dbo.u (a int)
insert dbo.t values (1, 2)
go
create procedure dbo.reads as select a from dbo.t
go
create procedure dbo.dynamic as exec ('select a from dbo.t')
go
create view dbo.v as select a from dbo.t
go
-- @C as carol
select user_name() as u, suser_sname() as s
select a from dbo.t
exec dbo.reads
go
grant execute on dbo.reads to carol
grant execute on dbo.dynamic to carol
grant select on dbo.v to carol
go
-- The ownership chain: the procedure and the view read for her, dynamic SQL does not.
-- @C
exec dbo.reads
select a from dbo.v
exec dbo.dynamic
go
grant select on dbo.t to readers
alter role readers add member carol
go
-- @C
exec dbo.dynamic
select a from dbo.t
update dbo.t set a = 1
select is_rolemember('readers') as r, has_perms_by_name('dbo.t', 'OBJECT', 'SELECT') as s, has_perms_by_name('dbo.t', 'OBJECT', 'UPDATE') as u
go
-- DENY wins over GRANT.
deny select on dbo.t to carol
go
-- @C
select a from dbo.t
exec dbo.reads
go
revoke select on dbo.t to carol
alter role readers drop member carol
go
-- @C
select a from dbo.t
create table dbo.mine (a int)
create user dave without login
grant select on dbo.t to public
kill 51
drop table dbo.t
go
-- A chain breaks where the owner changes.
create user other without login
go
create schema theirs authorization other
go
create table theirs.t (a int)
go
create procedure dbo.crosses as select a from theirs.t
go
grant execute on dbo.crosses to carol
go
-- @C
exec dbo.crosses
go
grant select on schema::theirs to carol
go
-- @C
exec dbo.crosses
go
-- Fixed roles.
alter role db_datareader add member carol
go
-- @C
select a from dbo.u
insert dbo.u values (1)
go
alter role db_datawriter add member carol
go
-- @C
insert dbo.u values (1)
exec dbo.reads
go
alter role db_owner add member carol
go
-- @C
truncate table dbo.u
create table dbo.mine (a int)
select is_member('db_owner') as o
go
-- A login without a user in the database.
create login mallory with password = 'x'
go
-- @M as mallory
select 1
go
-- @X as nobody
select 1
go
