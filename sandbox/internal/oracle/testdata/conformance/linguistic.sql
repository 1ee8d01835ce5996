-- Globalization Support Guide, "Performing Linguistic Comparisons"; Database Reference, NLS_COMP, NLS_SORT: text is compared without case in
-- SQL and in PL/SQL, by the session that runs a unit, whoever made it; keys and constraints stay binary.
create table t (id number primary key, name varchar2(20) unique, is_a number generated always as (case when name = 'A' then 1 else 0 end) virtual)
/
insert into t (id, name) select 1, 'a' from dual union all select 2, 'A' from dual union all select 3, 'b' from dual
/
create or replace package p as
  function same(a in varchar2, b in varchar2) return varchar2;
  function found(a in varchar2) return number;
end;
/
create or replace package body p as
  function same(a in varchar2, b in varchar2) return varchar2 is
  begin
    return case when a = b then 'same' else 'different' end || ' ' || case when nlssort(a, 'NLS_SORT=BINARY') = nlssort(b, 'NLS_SORT=BINARY') then 'same' else 'different' end;
  end;
  function found(a in varchar2) return number is
    l_count number;
  begin
    select count(*) into l_count from t where name = a;
    return l_count;
  end;
end;
/
select p.same('x', 'X'), p.found('A') from dual
/
alter session set nls_comp = linguistic nls_sort = binary_ci
/
select p.same('x', 'X'), p.found('A') from dual
/
begin
  dbms_output.put_line(p.same('x', 'X') || ' ' || p.found('A'));
end;
/
select id, is_a from t where name = 'A' order by id
/
select id from t where name in ('B', 'C') or name between 'B' and 'C' order by id
/
select count(*) from t x join t y on x.name = y.name
/
select lower(max(name)), count(*) from t group by name order by name
/
select decode('a', 'A', 'same', 'different'), case 'a' when 'A' then 'same' else 'different' end from dual
/
insert into t (id, name) values (4, 'B')
/
insert into t (id, name) values (5, 'B')
/
select id from t where name like 'A%'
/
select instr('abc', 'B') from dual
/
declare
  type t_names is table of number index by varchar2(10);
  l_names t_names;
begin
  l_names('a') := 1;
end;
/
-- Others are refused, and so is a sort of ORDER BY alone.
alter session set nls_sort = german
/
alter session set nls_comp = binary
/
alter session set nls_sort = binary nls_comp = binary
/
alter session set nls_sort = binary_ci
/
select p.same('x', 'X'), p.found('A') from dual
/
-- @B
select p.same('x', 'X'), p.found('A') from dual
/
