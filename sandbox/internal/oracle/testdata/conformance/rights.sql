-- PL/SQL Language Reference, "Invoker's Rights and Definer's Rights (AUTHID Property)"; Security Guide, "How Roles Work in PL/SQL
-- Blocks": roles do not count in definer's rights units.
-- @S as system
create user bob identified by bob
/
-- @S
grant create session, create table, create procedure, unlimited tablespace to bob
/
-- @S
create user eve identified by eve
/
-- @S
grant create session to eve
/
create table t (v varchar2(20))
/
insert into t values ('of APP')
/
commit
/
create or replace procedure definer as
  s varchar2(20);
begin
  select v into s from t;
  dbms_output.put_line(s || ' ' || user || ' ' || sys_context('userenv', 'current_user') || ' ' || sys_context('userenv', 'current_schema'));
end;
/
create or replace procedure invoker authid current_user as
  s varchar2(20);
begin
  execute immediate 'select v from t' into s;
  dbms_output.put_line(s || ' ' || user || ' ' || sys_context('userenv', 'current_user') || ' ' || sys_context('userenv', 'current_schema'));
end;
/
grant execute on definer to bob
/
grant execute on invoker to bob
/
-- @B as bob
create table t (v varchar2(20))
/
-- @B
insert into t values ('of BOB')
/
-- @B
begin app.definer; app.invoker; end;
/
-- Below a definer's rights unit an invoker's rights unit has its rights.
create or replace procedure both as
begin
  invoker;
end;
/
grant execute on both to bob
/
-- @B
begin app.both; end;
/
-- No EXECUTE: as if it were not there.
-- @E as eve
begin app.definer; end;
/
-- @E
select v from app.t
/
-- @E
create table x (a number)
/
-- A role counts for the session and in an invoker's rights unit, not in a definer's.
-- @S
create role readers
/
grant select on t to readers
/
-- @S
grant readers to bob
/
-- @B2 as bob
select v from app.t
/
-- @B2
create or replace procedure by_role as
  s varchar2(20);
begin
  select v into s from app.t;
end;
/
-- @B2
select line, text from user_errors where name = 'BY_ROLE' order by sequence
/
-- @B2
create or replace procedure dynamic_definer as
  s varchar2(20);
begin
  execute immediate 'select v from app.t' into s;
  dbms_output.put_line(s);
end;
/
-- @B2
begin dynamic_definer; end;
/
-- @B2
create or replace procedure dynamic_invoker authid current_user as
  s varchar2(20);
begin
  execute immediate 'select v from app.t' into s;
  dbms_output.put_line(s);
end;
/
-- @B2
begin dynamic_invoker; end;
/
-- Object privileges one by one: ORA-01031 for what is seen but not allowed, ORA-00942 for the rest.
-- @B2
insert into app.t values ('x')
/
-- @E
insert into app.t values ('x')
/
revoke execute on definer from bob
/
-- @B2
begin app.definer; end;
/
-- CURRENT_SCHEMA changes names, not rights.
-- @E
alter session set current_schema = app
/
-- @E
select v from t
/
-- @E
select sys_context('userenv', 'session_user') as u, sys_context('userenv', 'current_schema') as s from dual
/
-- READ is SELECT without FOR UPDATE (SQL Language Reference, GRANT, "Listing of Object Privileges"). Others' rights to a view's tables
-- and functions are its owner's.
create or replace function said(p_v varchar2) return varchar2 is
begin
  return p_v || ', said ' || user;
end;
/
create or replace view v as select said(t.v) as v from t
/
grant read on v to eve
/
-- @E
select v from v
/
-- @E
declare s varchar2(40); begin select v into s from v; dbms_output.put_line(s); end;
/
-- @E
select v from v for update
/
-- @E
select said('x') from dual
/
grant read on t to eve
/
-- @E
select v from t
/
-- @E
select v from t for update
/
-- @E
lock table t in share mode
/
-- Security Guide, "Grants of the INHERIT PRIVILEGES Privilege to Other Users": PUBLIC has it, and a grant of it to one user stands beside that.
-- @S
grant inherit privileges on user bob to app
/
grant inherit privileges on user nobody to app
/
grant inherit privileges on user bob to nobody
/
-- @B
grant inherit privileges on user bob to eve
/
