-- Administrator's Guide, "Administering Oracle Scheduler": a job runs with the privileges that its owner has directly or through
-- default roles, in the owner's schema; PL/SQL Packages and Types Reference, "DBMS_SCHEDULER", CREATE_JOB: CREATE ANY JOB.
-- @S as system
create user bob identified by bob
/
-- @S
grant create session, create table, create procedure, create job, unlimited tablespace to bob
/
-- @S
create role readers
/
-- @S
grant readers to bob
/
create table t (v varchar2(20))
/
insert into t values ('of APP')
/
commit
/
grant select on t to readers
/
-- @B as bob
create table log (text varchar2(100))
/
-- @B
begin
  dbms_scheduler.create_job('BY_ROLE', 'PLSQL_BLOCK',
    'declare s varchar2(20); begin select v into s from app.t; insert into log values (s || '' as '' || user || '' in '' || sys_context(''userenv'', ''current_schema'')); end;',
    enabled => true);
end;
/
-- @advance 10s
-- @B
select text from log
/
-- CURRENT_SCHEMA of the session that creates the job is where it is created, if that is allowed.
-- @B
alter session set current_schema = app
/
-- @B
begin dbms_scheduler.create_job('X', 'PLSQL_BLOCK', 'null;'); end;
/
-- @S
begin
  dbms_scheduler.create_job('BOB.Y', 'PLSQL_BLOCK', 'insert into log values (''made by SYSTEM, runs as '' || user);', enabled => true);
end;
/
-- @advance 10s
-- @S
select text from bob.log order by text
/
-- Others do not see the job or its runs.
select count(*) from all_scheduler_jobs where owner = 'BOB'
/
-- @S
select owner, job_name, status from dba_scheduler_job_run_details order by log_id
/
-- ALTER on a job lets others enable, disable, run, stop, change and drop it; it still runs with its owner's rights (Database
-- Administrator's Guide, "Scheduler Object Privileges"). The views show it to them.
-- @B
begin
  dbms_scheduler.create_job('BOB.LENT', 'PLSQL_BLOCK', 'insert into bob.log values (''lent, runs as '' || user);', auto_drop => false);
end;
/
begin dbms_scheduler.run_job('BOB.LENT', use_current_session => false); end;
/
grant alter on bob.lent to public
/
-- @B
grant alter on bob.lent to app
/
-- @B
alter session set current_schema = bob
/
-- @B
grant alter on log to app
/
begin dbms_scheduler.run_job('BOB.LENT', use_current_session => false); end;
/
-- @advance 10s
-- @S
select text from bob.log where text like 'lent%'
/
select owner, job_name, state from all_scheduler_jobs where owner = 'BOB'
/
select table_schema, table_name, privilege from all_tab_privs where grantee = 'APP' and privilege = 'ALTER' order by table_name
/
begin dbms_scheduler.set_attribute('BOB.LENT', 'job_action', 'insert into bob.log values (''lent, changed, as '' || user);'); end;
/
begin dbms_scheduler.run_job('BOB.LENT', use_current_session => false); end;
/
-- @advance 10s
-- @S
select text from bob.log where text like 'lent%' order by text
/
-- In a definer's rights unit it must be granted to the owner itself.
create or replace procedure run_lent as
begin
  dbms_scheduler.run_job('BOB.LENT', use_current_session => false);
end;
/
begin run_lent; end;
/
-- @advance 10s
-- @B
revoke alter on lent from app
/
begin run_lent; end;
/
select count(*) from all_scheduler_jobs where owner = 'BOB'
/
-- @B
grant alter on lent to app
/
begin dbms_scheduler.drop_job('BOB.LENT'); end;
/
-- Another job of the same name is another object.
-- @B
begin dbms_scheduler.create_job('BOB.LENT', 'PLSQL_BLOCK', 'null;'); end;
/
begin dbms_scheduler.drop_job('BOB.LENT'); end;
/
