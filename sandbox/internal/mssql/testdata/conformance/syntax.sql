create table dbo.t (id int not null identity (1, 1) primary key, a int null default (0), b varchar(10) not null constraint df_b default 'x', c as a + 1)
create table dbo.u (id int not null, t int null references dbo.t (id))
create index ix_u on dbo.u (t)
create unique index ux_u on dbo.u (id)
go
insert into dbo.t (a, b) values (1, 'one'), (2, 'two'), (3, default)
insert dbo.t (a) values (4)
insert dbo.u select id, id from dbo.t where id <> 2
insert into dbo.u (id, t) select 9, null
select t.id, t.c, u.id from dbo.t as t join dbo.u as u on u.t = t.id order by t.id
select t.id, u.id from dbo.t t inner join dbo.u u on u.t = t.id and u.id > 1 order by 1 desc
select t.id, u.id from dbo.t t left join dbo.u u on u.t = t.id order by t.id asc
select t.id, u.id from dbo.t t left outer join dbo.u u on u.t = t.id where u.id is null
select t.id, u.id from dbo.u u right join dbo.t t on u.t = t.id order by t.id
select t.id, u.id from dbo.u u full join dbo.t t on u.t = t.id order by t.id, u.id
select t.id, u.id from dbo.u u full outer join dbo.t t on u.t = t.id where t.id is null
select count(*) from dbo.t cross join dbo.u
select count(*) from dbo.t, dbo.u
select count_big(*) as n, sum(a) s, min(b), max(b), avg(a) from dbo.t
select b, count(*) n from dbo.t group by b having count(*) > 0 order by n desc, b
select distinct b from dbo.t order by b
select top 2 id from dbo.t order by id
select top (2) with ties b from dbo.t order by b
select id from dbo.t order by id offset 1 rows fetch next 2 rows only
select id from dbo.t union select id from dbo.u order by id
select id from dbo.t union all select id from dbo.u order by id
select id from dbo.t except select id from dbo.u
select id from dbo.t intersect select id from dbo.u order by id
select * from dbo.u as x where exists (select * from dbo.t where t.id = x.t) and not exists (select 1 from dbo.t where id = x.id and a > 100) order by id
select id from dbo.t where id in (1, 2) or id not in (select id from dbo.u) or id between 7 and 8 or b like 'o%' or b not like '%' escape '!' order by id
select id from dbo.t where not (a = 1 or a != 2) and a >= 0 and a < 9 and a > -1 and a <= 8 and a is not null
select case when a > 1 then 'big' else 'small' end k, case a when 1 then 'one' end, iif(a = 1, 2, 3), coalesce(null, a), nullif(a, 1), isnull(null, 5), choose(2, 'a', 'b') from dbo.t where id = 1
select cast('1' as int), convert(varchar(10), 12), convert(varchar(10), cast('2020-02-03' as date), 112), try_cast('x' as int), try_convert(int, '7'), left('abc', 2), right('abc', 1), 7 % 4, 1 + 2 - 3 * 4 / 2, (1 + 2), -1, 'a' + 'b', N'n', 0x01, 1.5, 1e2
select (select max(id) from dbo.t) as m, x.id from (select id from dbo.t where id < 3) as x order by x.id
select v.a, v.b from (values (1, 'x'), (2, 'y')) as v (a, b) order by v.a
select t.id, y.n from dbo.t t cross apply (select count(*) n from dbo.u where u.t = t.id) y order by t.id
select t.id, y.id from dbo.t t outer apply (select top 1 u.id from dbo.u u where u.t = t.id order by u.id) as y order by t.id
go
with c as (select id from dbo.t), d (x) as (select id + 1 from c) select x from d order by x
select id, row_number() over (order by id desc) rn, row_number() over (partition by b order by id) rb, count(*) over () n, sum(a) over (partition by b) s, rank() over (order by b) r, dense_rank() over (order by b) dr, lag(a) over (order by id) l, lead(a, 1, 0) over (order by id) f from dbo.t order by id
go
update dbo.t set a = 5 where id = 1
update t set a += 1, b = 'z' from dbo.t as t join dbo.u as u on u.t = t.id where u.id = 1
update top (1) dbo.t set a = a - 1
delete from dbo.u where id = 9
delete dbo.u where t = 4
delete u from dbo.u u join dbo.t t on t.id = u.t where t.id = 3
select id, a, b from dbo.t order by id
select id from dbo.u
go
declare @a int = 1, @b varchar(10)
declare @t table (id int primary key, x varchar(5) null)
set @b = 'x'
set @a = @a + 1
set @a += 2
set @a -= 1
select @a = @a * 2, @b = b from dbo.t where id = 1
insert into @t (id, x) values (@a, @b)
insert @t values (2, null)
update @t set x = 'q' where id = 2
delete from @t where id = 99
select * from @t order by id
if @a > 1 print 'then' else print 'else'
if @a > 1
begin
    print 'a'
end
else if @a = 1
    print 'b'
else
begin
    print 'c'
end
while @a > 0 begin set @a = @a - 1; if @a = 2 break; else continue; end
go
select id into #copy from dbo.t where id < 3
select * from #copy order by id
truncate table #copy
drop table #copy
drop table if exists #copy
go
create proc dbo.p1 @a int, @b varchar(max) = null output as select @a, @b
go
alter procedure dbo.p1 (@a int = 1) with recompile as begin set nocount on; select @a end
go
execute dbo.p1
exec p1 @a = 2
drop proc dbo.p1
drop procedure if exists dbo.p1
go
create view dbo.v (x) as select id from dbo.t
go
alter view dbo.v as select id x from dbo.t where id = 1
go
select x from dbo.v
drop view dbo.v
go
create function dbo.f (@a int) returns int as begin declare @r int; set @r = @a * 2; return @r end
go
create function dbo.g (@a int) returns table as return (select id from dbo.t where id <= @a)
go
select dbo.f(21)
select g.id from dbo.g(2) as g order by id
drop function dbo.f
drop function dbo.g
go
alter table dbo.u add d int null
alter table dbo.u add constraint ck_u check (id > 0)
alter table dbo.u drop constraint ck_u
drop index ix_u on dbo.u
drop table dbo.u
drop table dbo.t
go
begin transaction
save transaction s
rollback transaction s
commit transaction
begin tran commit tran
begin tran rollback tran
begin tran rollback
begin tran commit work
set transaction isolation level read committed
set transaction isolation level read uncommitted
set transaction isolation level repeatable read
set transaction isolation level serializable
set transaction isolation level snapshot
set transaction isolation level read committed
set nocount on
set nocount off
set xact_abort on
set xact_abort off
set ansi_nulls, quoted_identifier on
set lock_timeout 100
set lock_timeout -1
set deadlock_priority low
set rowcount 0
use test
go
-- Without a length a cast's type is 30 long.
select cast('1234567890123456789012345678901234567890' as varchar) v, len(cast('a' as char)) c, datalength(cast('a' as char)) d, cast('abc' as sysname) s, cast('abc' as [varchar]) q
select cast(12 as nosuch)
