create login bob with password = 'x'
create user bob for login bob
grant execute to bob
go
create procedure dbo.look as select has_perms_by_name(null, null, 'ALTER ANY CONNECTION') as may
go
create procedure dbo.asowner with execute as owner as
select has_perms_by_name(null, null, 'ALTER ANY CONNECTION') as may
exec ('select has_perms_by_name(null, null, ''ALTER ANY CONNECTION'') as may_dynamic')
exec dbo.look
go
create procedure dbo.ends @spid int as
declare @c nvarchar(100) = N'kill ' + cast(@spid as nvarchar(10))
exec (@c)
go
-- A password is needed, and a right.
-- @refused
create certificate signer with subject = 'no password'
go
-- @refused
-- @B as bob
create certificate signer encryption by password = 'p' with subject = 'mine'
go
-- @refused
-- @B as bob
exec dbo.ends 50
go
create certificate signer encryption by password = 'p' with subject = 'may end sessions', expiry_date = '20991231'
select name, pvt_key_encryption_type as k, subject, expiry_date from sys.certificates
go
-- @refused
create certificate signer encryption by password = 'p' with subject = 'again'
go
-- @refused
add signature to dbo.ends by certificate signer with password = 'wrong'
go
-- @refused
add signature to dbo.nothing by certificate signer with password = 'p'
go
add signature to object::dbo.ends by certificate signer with password = 'p'
add signature to dbo.asowner by certificate signer with password = 'p'
select object_name(major_id) as signed, crypt_type from sys.crypt_properties order by major_id
go
alter certificate signer remove private key
select name, pvt_key_encryption_type_desc as k from sys.certificates
go
-- @refused
add signature to dbo.look by certificate signer with password = 'p'
go
-- The other database gets what is public.
declare @c nvarchar(max) = N'use master; create certificate signer from binary = ' + convert(nvarchar(max), certencoded(cert_id('signer')), 1)
    + N'; create login signer from certificate signer; grant alter any connection to signer;'
exec (@c)
select name, type_desc from sys.server_principals where name = 'signer'
select count(*) as same from sys.certificates as a inner join master.sys.certificates as b on b.thumbprint = a.thumbprint
go
-- bob himself has nothing; the signed procedure may, its dynamic SQL, too.
-- @B as bob
select has_perms_by_name(null, null, 'ALTER ANY CONNECTION') as may
exec dbo.look
exec dbo.ends 4711
go
-- Who was made by EXECUTE AS is nobody on the server, until the certificate's login may vouch for him; what the procedure calls is not signed.
-- @B as bob
exec dbo.asowner
go
use master
grant authenticate server to signer
use test
go
-- @B as bob
exec dbo.asowner
go
-- Not for a context that somebody else has made.
execute as user = 'bob'
exec dbo.ends 4711
revert
go
-- Another text has no signature.
alter procedure dbo.ends @spid int as exec dbo.look
go
select object_name(major_id) as signed from sys.crypt_properties
go
-- @B as bob
exec dbo.ends 4711
go
-- @refused
drop certificate signer
go
drop signature from dbo.asowner by certificate signer
drop certificate signer
select count(*) as n from sys.certificates
go
use master
drop login signer
drop certificate signer
use test
go
