-- Database Reference, "JOB_QUEUE_PROCESSES"; ORA-27492 in Database Error Messages: no job runs, RUN_JOB says so.
create table log (text varchar2(200))
/
-- @S as system
alter system set job_queue_processes = 0
/
begin
  dbms_scheduler.create_job('J', 'PLSQL_BLOCK', 'begin insert into log values (''ran''); end;', enabled => true);
end;
/
-- @advance 60s
select count(*) from log
/
select state from user_scheduler_jobs
/
begin dbms_scheduler.create_job('K', 'PLSQL_BLOCK', 'null;', auto_drop => false); end;
/
begin dbms_scheduler.run_job('K', use_current_session => false); end;
/
-- In the current session it runs.
alter system set job_queue_processes = 10
/
-- @S
alter system set job_queue_processes = 10
/
-- @advance 60s
select count(*) from log
/
-- A job of another owner, or without CREATE JOB.
-- @S
create user bob identified by bob
/
-- @S
grant create session to bob
/
-- @B as bob
begin dbms_scheduler.create_job('J', 'PLSQL_BLOCK', 'null;'); end;
/
-- @B
begin dbms_scheduler.run_job('APP.K'); end;
/
-- Database Reference, "ALL_SCHEDULER_GLOBAL_ATTRIBUTE": everybody sees the attribute that switches all jobs off.
-- @S
begin dbms_scheduler.set_scheduler_attribute('SCHEDULER_DISABLED', 'TRUE'); end;
/
-- @B
select upper(a.value) from all_scheduler_global_attribute a where a.attribute_name = 'SCHEDULER_DISABLED'
/
-- @S
begin dbms_scheduler.set_scheduler_attribute('SCHEDULER_DISABLED', 'FALSE'); end;
/
