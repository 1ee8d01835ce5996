create table dbo.t (id int not null primary key, grp int not null, v int null, s varchar(20) null)
insert dbo.t values (1, 1, 10, 'a'), (2, 1, 20, 'b'), (3, 2, 30, 'c'), (4, 2, null, null)
create table dbo.log (action nvarchar(10), id int, before int null, after int null)
go
update dbo.t set v = isnull(v, 0) + 1 output 'update', inserted.id, deleted.v, inserted.v into dbo.log where grp = 2
select id, before, after from dbo.log order by id
go
declare @total int = 0, @last int
update dbo.t set @last = v, @total = @total + v, v = v + 1 where id = 1
select @last as last, @total as total, @@rowcount as n
go
-- A CTE can be updated; TOP with ORDER BY needs one.
with c as (select top (2) id, v from dbo.t order by id desc)
update c set v = -id output inserted.id, inserted.v;
with d as (select *, row_number() over (partition by grp order by id) as rn from dbo.t)
delete from d where rn = 2
select id, v from dbo.t order by id
go
create table dbo.src (id int not null, s varchar(20) null)
insert dbo.src values (1, 'merged'), (9, 'new')
go
merge dbo.t as t
using dbo.src as s on t.id = s.id
when matched then update set s = s.s
when not matched by target then insert (id, grp, s) values (s.id, 3, s.s)
when not matched by source and t.grp = 2 then delete
output $action, inserted.id, deleted.id;
select id, grp, v, s from dbo.t order by id
select @@rowcount as n
go
insert dbo.src values (1, 'twice')
merge dbo.t as t using dbo.src as s on t.id = s.id when matched then update set v = 1;
go
delete from dbo.t
insert dbo.t (id, grp, v) values (1, 1, 5), (2, 1, 5), (3, 1, 7), (4, 2, 1)
select id, row_number() over (order by v, id) as rn, rank() over (order by v) as r, dense_rank() over (order by v) as d, ntile(2) over (order by id) as t,
    sum(v) over (partition by grp order by id rows between unbounded preceding and current row) as running, lag(v, 1, -1) over (partition by grp order by id) as l,
    first_value(id) over (partition by grp order by id desc) as f
from dbo.t order by id
go
select value from string_split('a,b,,c', ',') order by value
select j.[key], j.value, j.type from openjson('{"a":1,"b":"x","c":null,"d":[1,2],"e":true}') as j order by j.[key]
select id, name from openjson('[{"id":1,"name":"a"},{"id":2}]') with (id int, name nvarchar(10)) order by id
select isjson('{') as bad, isjson('[]') as good
go
select grp, sum(v) as s, count(*) as n, count(s) as ns, max(s) as m from dbo.t group by grp order by grp
select sum(s1) as nothing from (select 1 as s1 where 1 = 0) as x
select count(*) as n, sum(v) as s from dbo.t where 1 = 0
select grp, count(*) as n from dbo.t where 1 = 0 group by grp
go
-- NULL in aggregates: a warning, when ANSI_WARNINGS is on.
insert dbo.t (id, grp) values (5, 2)
select sum(v) as s from dbo.t
go
insert dbo.t (id, grp) select id + 10, grp from dbo.t
select count(*) as n from dbo.t
go
select v as id from dbo.t order by id
go
select x from dbo.t
go
select id, id from dbo.t where grp = 1 and nope.id = 1
go
select sum(v) from dbo.t where sum(v) > 1
go
select t.id from dbo.t t join dbo.t u on t.id = u.id where id = 1
go
insert dbo.t (id) values (100)
go
select * from (select 1 as a, 2 as a) as x
go
select id from dbo.t order by 2
go
select 1 union select 1, 2
go
select (select id from dbo.t) as many
go
select 7 / 2 as i, 7 / 2.0 as d, 7 % -3 as m, 1.0 / 3 as third, cast(1 as bigint) * 3000000000 as b, '5' + 3 as plus, 'a' + cast(null as varchar(5)) as n, 2 + null as nn
select len('ab  ') as l, datalength(N'ab') as d, substring('abcdef', 2, 3) as s, charindex('c', 'abc') as c, replace('aXbX', 'x', '-') as r, stuff('abc', 2, 1, 'ZZ') as st, upper('a') + lower('B') as ul, ltrim('  a') + rtrim('b  ') + 'c' as t, replicate('ab', 2) as rp, concat('a', null, 1) as cc, quotename('a]b') as q
go
