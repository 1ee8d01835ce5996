-- SQL Language Reference, "Nulls" and "Nulls with Comparison Conditions"; "ORDER BY", nulls last by default when ascending.
create table t (id number primary key, v varchar2(10), n number)
/
-- An empty string is NULL.
insert into t values (1, '', 1)
/
insert into t values (2, 'x', null)
/
insert into t values (3, null, 3)
/
select id from t where v is null order by id
/
select id from t where v = ''
/
select id from t where v <> 'x' or not (v = 'x')
/
select length(''), nvl('', 'null'), 'a' || '' || null || 'b', coalesce(null, '', 'c') from dual
/
-- Three-valued logic: NOT IN of a list with NULL is never true.
select count(*) from t where n not in (1, null)
/
select count(*) from t where id not in (select n from t)
/
select count(*) from t where exists (select null from dual)
/
select decode(null, null, 'equal', 'not'), nullif(1, 1), nvl2(null, 1, 2) from dual
/
-- Aggregates leave NULL out; of nothing they are NULL, COUNT is 0.
select count(*), count(n), count(v), sum(n), avg(n), max(v) from t
/
select sum(n), count(n), max(n) from t where id > 10
/
-- NULL is one group.
select v, count(*) from t group by v order by v
/
-- NULLS LAST when ascending, FIRST when descending.
select id from t order by n, id
/
select id from t order by n desc, id
/
select id from t order by n nulls first, id
/
-- Concatenation with NULL is no NULL, arithmetic is.
select 1 + null, 'a' || null from dual
/
-- PL/SQL: a condition that is NULL is not taken, nor is its negation.
declare
  b boolean;
begin
  if b then dbms_output.put_line('true');
  elsif not b then dbms_output.put_line('false');
  else dbms_output.put_line('null');
  end if;
  if '' is null then dbms_output.put_line('empty is null'); end if;
  if b is null and (b or true) and not (b and false) then dbms_output.put_line('three values'); end if;
end;
/
-- Set operators and DISTINCT count NULLs as equal.
select null as x from dual union select null from dual
/
select count(distinct n) from t
/
-- GREATEST and LEAST with NULL are NULL.
select greatest(1, null), least(1, 2) from dual
/
