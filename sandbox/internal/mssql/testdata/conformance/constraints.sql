create table dbo.parent (id int not null constraint pk_parent primary key, code char(2) not null constraint uq_code unique)
create table dbo.child (id int not null constraint pk_child primary key, parent int null constraint fk_parent references dbo.parent (id), n int null constraint ck_n check (n > 0), v varchar(3) null, d decimal(4, 2) null, t tinyint null)
create unique index ux_v on dbo.child (v) where v is not null
insert dbo.parent values (1, 'a'), (2, 'b')
go
insert dbo.parent values (1, 'c')
insert dbo.parent values (3, 'a')
insert dbo.parent values (null, 'd')
insert dbo.parent (code) values ('e')
insert dbo.child (id, parent) values (1, 9)
insert dbo.child (id, n) values (1, 0)
insert dbo.child (id, n) values (1, null)
insert dbo.child (id, parent, v) values (2, 1, 'abc')
insert dbo.child (id, v) values (3, 'abc')
insert dbo.child (id, v) values (4, 'abcd')
insert dbo.child (id, d) values (5, 100.5)
insert dbo.child (id, t) values (6, 256)
insert dbo.child (id, d) values (7, 1.005)
insert dbo.child (id, t) values (6, 'x')
print 'not reached: a failed conversion ends the batch'
go
select id, parent, n, v, d, t from dbo.child order by id
go
update dbo.child set parent = 9 where id = 2
go
update dbo.child set v = 'abcd' where id = 2
go
update dbo.parent set code = 'b' where id = 1
go
delete dbo.parent where id = 1
go
update dbo.child set id = id + 1
select id from dbo.child order by id
go
-- Trailing blanks and case do not make strings of the default collation different.
insert dbo.child (id, v) values (20, 'ABC')
go
insert dbo.child (id, v) values (20, 'z')
insert dbo.child (id, v) values (21, 'z  ')
go
insert dbo.parent values (1)
go
insert dbo.parent (id, nope) values (1, 2)
go
insert dbo.parent (id, code, id) values (1, 'x', 2)
go
select 1 / 0 as a
select cast(300 as tinyint) as a
select cast(99999999999 as int) as a
select 2147483647 + 1 as a
select cast('abc' as date) as a
print 'not reached'
go
select convert(uniqueidentifier, 'nope') as a
print 'not reached'
go
select try_cast('abc' as int) as a, try_convert(tinyint, 300) as b
go
alter table dbo.child add constraint ck_id check (id < 5)
go
alter table dbo.child add w int not null
go
alter table dbo.child add w int not null constraint df_w default 7
select top 1 w from dbo.child
go
drop table dbo.parent
go
