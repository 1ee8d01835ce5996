-- SQL Language Reference, "SELECT": joins, groups, set operators, subqueries, hierarchical queries, analytic functions.
create table d (id number primary key, name varchar2(10))
/
create table e (id number primary key, d_id number, sal number)
/
insert into d select level, 'D' || level from dual connect by level <= 3
/
insert into e select level, mod(level, 2) + 1, level * 100 from dual connect by level <= 4
/
insert into e values (9, null, null)
/
select d.name, e.id from d left join e on e.d_id = d.id and e.sal > 200 order by d.id, e.id
/
select coalesce(d.name, 'none') as name, count(e.id) as n from d full join e on e.d_id = d.id group by d.name order by d.name
/
select count(*) from d cross join e
/
select d_id, sum(sal), count(*) from e group by d_id having count(*) > 1 order by d_id
/
select d_id, sal from e group by d_id
/
select sum(sal) from e where sum(sal) > 1
/
select id from d minus select d_id from e
/
select id from d intersect select d_id from e union all select 99 from dual order by 1 desc
/
select id from d union select 'x' from dual
/
select id from d union select id, name from d
/
select name from d where exists (select 1 from e where e.d_id = d.id) and id in (select d_id from e where sal >= 400) order by id
/
select name, (select max(sal) from e where e.d_id = d.id) as m from d order by id
/
select (select id from e) from dual
/
with x as (select d_id, sum(sal) as s from e group by d_id), y as (select max(s) as m from x) select x.d_id from x, y where x.s = y.m
/
with r (n) as (select 1 from dual union all select n + 1 from r where n < 4) select n from r
/
select id, row_number() over (partition by d_id order by sal desc) as r, sum(sal) over (partition by d_id order by id) as s, lag(sal) over (order by id) as l, count(*) over () as n from e where d_id is not null order by id
/
select id, rank() over (order by mod(id, 2)) as r, dense_rank() over (order by mod(id, 2)) as dr from e order by r, id
/
select max(sal) keep (dense_rank first order by id) as first_sal, listagg(id, '-') within group (order by id) as ids from e
/
select case when id < 3 then 'low' else 'high' end as c, count(*) from e group by case when id < 3 then 'low' else 'high' end order by c
/
-- Names.
select id from d, e
/
select x.id from d
/
select d.* from d where rownum = 1
/
select id as "Quoted name", id as x from d where id = 1 order by x
/
select id from d where x = 1
/
select id as x from d where x = 1
/
select 1 from nowhere
/
