create user owner_ without login
create user alice without login
create user bob without login
create table dbo.secret (a int)
insert dbo.secret values (1)
go
create schema app authorization owner_
go
create table app.t (a int)
insert app.t values (1), (2)
go
-- In a batch: it lasts beyond the batch, REVERT undoes the last one.
select user_name() as u, original_login() as o
execute as user = 'alice'
select user_name() as u, original_login() as o
go
select user_name() as u
execute as user = 'bob'
go
revert
select user_name() as u
revert
revert
go
execute as user = 'alice'
select a from dbo.secret
insert dbo.secret values (2)
exec ('create table dbo.mine (a int)')
revert
go
execute as user = 'nobody'
select user_name() as u
go
-- IMPERSONATE.
grant impersonate on user::bob to alice
execute as user = 'alice'
execute as user = 'bob'
select user_name() as u
revert
execute as user = 'owner_'
select user_name() as u
revert
go
-- A procedure's EXECUTE AS in its body ends with the procedure; REVERT in a deeper level undoes nothing of its callers.
create procedure dbo.becomes as
begin
    execute as user = 'bob'
    select user_name() as inside
end
go
create procedure dbo.reverts as
begin
    revert
    select user_name() as after_revert
end
go
grant execute on dbo.reverts to alice
exec dbo.becomes
select user_name() as u
execute as user = 'alice'
exec dbo.reverts
exec ('revert; select user_name() as u')
exec sp_executesql N'revert; select user_name() as u'
revert
select user_name() as u
exec ('execute as user = ''bob''; select user_name() as u')
select user_name() as u
exec ('revert; select user_name() as u')
go
-- In dynamic SQL it holds until the module around it ends, and a later REVERT there undoes it.
create procedure dbo.dynamically as
begin
    exec sp_executesql N'execute as user = ''bob'''
    select user_name() as still_bob
    exec sp_executesql N'revert'
    select user_name() as reverted
    exec ('execute as user = ''bob''')
end
go
exec dbo.dynamically
select user_name() as u
exec ('revert; select user_name() as u') as user = 'bob'
go
-- EXECUTE AS CALLER in a module: who called it, until REVERT.
create procedure app.whocalls with execute as owner as
begin
    execute as caller
    select user_name() as the_caller, original_login() as o
    execute as user = 'bob'
    revert
    select user_name() as the_caller_again
    revert
    revert
    select user_name() as the_owner
end
go
create procedure dbo.callercalls as
begin
    execute as user = 'alice'
    execute as caller
    select user_name() as the_caller
    revert
    select user_name() as alice
    exec app.whocalls
end
go
grant execute on app.whocalls to alice
exec app.whocalls
exec dbo.callercalls
execute as caller
select user_name() as u
go
-- WITH EXECUTE AS: REVERT does not undo it; dynamic SQL in it runs as that user, without the ownership chain.
create procedure app.asowner with execute as owner as
begin
    select user_name() as u, original_login() as o
    revert
    select user_name() as u
    exec ('select user_name() as u, count(*) as n from app.t')
end
go
create procedure app.ascaller as select user_name() as u
go
create procedure app.asbob with execute as 'bob' as
begin
    select user_name() as u
    exec app.ascaller
    select count(*) as n from app.t
    exec ('select count(*) as n from app.t')
end
go
create procedure app.asself with execute as self as select user_name() as u
go
grant execute on schema::app to alice
execute as user = 'alice'
exec app.asowner
exec app.ascaller
exec app.asbob
exec app.asself
select user_name() as u
revert
go
-- EXEC (...) AS USER.
exec ('select user_name() as u; select a from dbo.secret') as user = 'alice'
select user_name() as u
go
-- An error inside does not leave the context behind.
create procedure app.fails with execute as owner as throw 50001, 'x', 1;
go
begin try
    exec app.fails
end try
begin catch
    select user_name() as u, error_number() as n
end catch
begin try
    execute as user = 'alice';
    throw 50002, 'y', 1;
end try
begin catch
    select user_name() as u
    revert
end catch
select user_name() as u
go
-- An impersonated user has no rights in other databases.
execute as user = 'alice'
select count(*) from msdb.dbo.sysjobs
use master
select db_name() as d
revert
go
