create table dbo.t (a int)
create role r
create user u without login
go
exec sp_addrolemember 'r', 'u'
select is_rolemember('r', 'u') as member
exec sp_droprolemember 'r', 'u'
select is_rolemember('r', 'u') as member
exec sp_addrolemember 'none', 'u'
go
