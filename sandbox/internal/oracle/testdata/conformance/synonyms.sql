-- Concepts, "Synonyms"; SQL Language Reference, "Database Object Names and Qualifiers": namespaces and name resolution.
-- @S as system
create user bob identified by bob
/
-- @S
grant create session, create synonym, create table, create view, unlimited tablespace to bob
/
create table t (id number)
/
insert into t values (1)
/
commit
/
create or replace package pk as
  c constant number := 42;
end;
/
grant select, insert on t to bob
/
grant execute on pk to bob
/
-- @B as bob
create synonym s for app.t
/
-- @B
create synonym pk for app.pk
/
-- @B
select id from s
/
-- @B
begin dbms_output.put_line(pk.c); end;
/
-- @B
insert into s values (2)
/
-- @B
update s set id = 3
/
-- @B
commit
/
-- A table has the name that a synonym has.
-- @B
create table s (id number)
/
-- A synonym may be of nothing.
-- @B
create synonym n for app.nothing
/
-- @B
select * from n
/
-- An index has a namespace of its own, a constraint too.
create table i (id number constraint i primary key)
/
create index t on t (id)
/
create view v as select id from t where id > 1 with read only
/
select id from v
/
create or replace view v as select id, id * 2 as twice from t
/
select twice from v order by 1
/
drop table t
/
-- @B
select id from s
/
-- @B
drop synonym s
/
-- @B
drop synonym s
/
