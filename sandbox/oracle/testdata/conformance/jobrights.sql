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
