-- Two databases, and a login in both.
create database staging
create login etl with password = 'x'
create login other with password = 'x'
create user etl for login etl
create user other for login other
grant impersonate on user::other to etl
go
use staging
create user etl for login etl
create user other for login other
create table dbo.t (a int)
create table dbo.mine (a int)
insert dbo.t values (1)
grant select, insert on dbo.t to etl
use test
go
create procedure dbo.look as
select user_name() as u, suser_sname() as l
select a from staging.dbo.t
select a from staging.dbo.mine
go
create procedure dbo.outer_ with execute as 'etl' as
exec dbo.look
go
create procedure dbo.uses with execute as 'etl' as
exec ('use staging; insert dbo.t values (2); select user_name() as u; revert; select a from dbo.t; select a from dbo.mine')
go
create procedure dbo.becomes with execute as 'etl' as
exec ('execute as user = ''other''; select a from staging.dbo.t')
go
-- Who was made in a database is nobody outside.
exec dbo.outer_
go
create certificate signer encryption by password = 'p' with subject = 'vouches', expiry_date = '20991231'
add signature to dbo.outer_ by certificate signer with password = 'p'
add signature to dbo.uses by certificate signer with password = 'p'
add signature to dbo.becomes by certificate signer with password = 'p'
exec dbo.outer_
go
declare @c nvarchar(max) = N'use staging; create certificate signer from binary = ' + convert(nvarchar(max), certencoded(cert_id('signer')), 1)
    + N'; create user signer from certificate signer;'
exec (@c)
select p.name, p.type, p.type_desc, p.authentication_type_desc from staging.sys.database_principals as p where p.name = 'signer'
exec dbo.outer_
go
-- The certificate vouches where it may, in what the module calls, too, and for nobody else.
use staging
grant authenticate to signer
use test
exec dbo.outer_
go
exec dbo.uses
go
exec dbo.becomes
go
execute as user = 'etl'
select a from staging.dbo.t
go
revert
go
-- @refused
use staging
grant select on dbo.mine to signer
go
-- @refused
use staging
drop certificate signer
go
use staging
revoke authenticate to signer
use test
exec dbo.outer_
go
use staging
grant authenticate to signer
use test
go
-- Altered, it is not signed.
alter procedure dbo.outer_ with execute as 'etl' as
exec dbo.look
go
exec dbo.outer_
go
-- The user that a module runs as stays; another login is not his.
drop user etl
go
create procedure dbo.who with execute as 'etl' as
select t.name, t.type, t.usage from sys.login_token as t order by t.principal_id
select p.permission_name from sys.server_permissions as p inner join sys.login_token as t on t.principal_id = p.grantee_principal_id order by 1
go
exec dbo.who
use master
grant control server to etl
use test
exec dbo.who
go
-- @refused
grant impersonate any login to etl
go
alter server role sysadmin add member etl
exec dbo.who
go
-- @refused
exec dbo.uses
go
