create table dbo.t (id int identity (10, 5) primary key, v int not null unique)
go
insert dbo.t (v) values (1), (2)
select scope_identity() as s, @@identity as i
insert dbo.t (v) values (1)
insert dbo.t (v) values (3)
select id, v from dbo.t order by id
begin tran
insert dbo.t (v) values (4)
rollback
insert dbo.t (v) values (5)
select id, v from dbo.t order by id
go
insert dbo.t (id, v) values (1, 6)
go
set identity_insert dbo.t on
insert dbo.t (id, v) values (100, 6)
insert dbo.t (v) values (7)
set identity_insert dbo.t off
insert dbo.t (v) values (8)
select id, v from dbo.t where v > 5 order by id
go
create procedure dbo.inner_insert as insert dbo.t (v) values (90)
go
insert dbo.t (v) values (80)
declare @s int = scope_identity()
exec dbo.inner_insert
select case when scope_identity() = @s then 'own' end as scope, case when @@identity > @s then 'any' end as identity_
exec ('insert dbo.t (v) values (95)')
select case when scope_identity() = @s then 'own' end as scope
go
declare @out table (id int, v int)
insert dbo.t (v) output inserted.id, inserted.v into @out values (200), (201)
select count(*) as n, max(v) as v from @out
update dbo.t set v = v + 1000 output deleted.v as before, inserted.v as after where v = 200
delete dbo.t output deleted.v where v in (201, 1200)
go
update dbo.t set id = 5 where v = 1
go
truncate table dbo.t
insert dbo.t (v) values (1)
select id from dbo.t
go
create sequence dbo.s as int start with 5 increment by 2
go
select next value for dbo.s as n
begin tran
select next value for dbo.s as n
rollback
select next value for dbo.s as n
go
