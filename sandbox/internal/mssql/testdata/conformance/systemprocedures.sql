create table dbo.t (a int)
create role r
create user u without login
go
exec sp_addextendedproperty @name = N'Note', @value = N'first', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N't'
exec sp_updateextendedproperty @name = N'Note', @value = N'second', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N't'
select name, cast(value as nvarchar(20)) as value from sys.extended_properties
exec sp_dropextendedproperty @name = N'Note', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N't'
select count(*) as n from sys.extended_properties
go
exec sp_addrolemember 'r', 'u'
select is_rolemember('r', 'u') as member
exec sp_droprolemember 'r', 'u'
select is_rolemember('r', 'u') as member
exec sp_addrolemember 'none', 'u'
go
