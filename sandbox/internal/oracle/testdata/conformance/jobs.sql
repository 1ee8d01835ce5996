-- PL/SQL Packages and Types Reference, "DBMS_SCHEDULER"; Administrator's Guide, "Scheduling Jobs with Oracle Scheduler".
create table log (id number generated always as identity, text varchar2(200))
/
create or replace procedure note(p_text varchar2) is
  pragma autonomous_transaction;
begin
  insert into log (text) values (p_text);
  commit;
end;
/
-- An enabled job without schedule runs at once, in the background, as its owner, and is dropped then. CREATE_JOB commits.
insert into log (text) values ('of the caller')
/
begin
  dbms_scheduler.create_job('J1', 'PLSQL_BLOCK', 'begin note(user || '' '' || sys_context(''userenv'', ''module'')); end;', enabled => true);
end;
/
rollback
/
-- @advance 10s
select text from log where text like 'of%' or text like 'APP%' order by id
/
select count(*) from user_scheduler_jobs
/
select job_name, status, error# from user_scheduler_job_run_details
/
-- A disabled job does not run; RUN_JOB in the background starts it, and returns at once.
begin
  dbms_scheduler.create_job('J2', 'PLSQL_BLOCK', 'begin note(''begin''); dbms_session.sleep(20); note(''end''); end;', auto_drop => false);
end;
/
-- @advance 10s
select job_name, enabled, state, run_count from user_scheduler_jobs
/
begin dbms_scheduler.run_job('J2', use_current_session => false); end;
/
-- @advance 10s
select state, run_count from user_scheduler_jobs
/
select job_name from user_scheduler_running_jobs
/
-- Once more while it runs: ORA-27478; so is dropping it.
begin dbms_scheduler.run_job('J2', use_current_session => false); end;
/
begin dbms_scheduler.drop_job('J2'); end;
/
-- @advance 20s
select state, run_count, failure_count from user_scheduler_jobs
/
-- STOP_JOB interrupts it: the run is logged as STOPPED.
begin dbms_scheduler.run_job('J2', use_current_session => false); end;
/
-- @advance 10s
begin dbms_scheduler.stop_job('J2'); end;
/
-- @join
select job_name, status from user_scheduler_job_run_details where job_name = 'J2' order by log_id
/
begin dbms_scheduler.stop_job('J2'); end;
/
-- force needs MANAGE SCHEDULER.
begin dbms_scheduler.run_job('J2', use_current_session => false); end;
/
-- @advance 10s
begin dbms_scheduler.stop_job('J2', force => true); end;
/
begin dbms_scheduler.drop_job('J2', force => true); end;
/
-- @join
select count(*) from user_scheduler_jobs
/
-- An error is logged.
begin
  dbms_scheduler.create_job('J3', 'PLSQL_BLOCK', 'begin raise_application_error(-20001, ''failed''); end;', enabled => true, auto_drop => false);
end;
/
-- @advance 10s
select status, error#, additional_info from user_scheduler_job_run_details where job_name = 'J3'
/
select enabled, state, failure_count from user_scheduler_jobs where job_name = 'J3'
/
-- In the caller's session the error is the caller's, and the job's state does not change.
begin dbms_scheduler.create_job('J3', 'PLSQL_BLOCK', 'null;'); end;
/
begin dbms_scheduler.run_job('NOWHERE', use_current_session => false); end;
/
begin dbms_scheduler.drop_job('NOWHERE'); end;
/
-- What a job leaves open is committed when it ends well, rolled back when it fails.
begin
  dbms_scheduler.create_job('J4', 'PLSQL_BLOCK', 'insert into log (text) values (''kept'');', enabled => true);
  dbms_scheduler.create_job('J5', 'PLSQL_BLOCK', 'insert into log (text) values (''lost''); raise program_error;', enabled => true);
end;
/
-- @advance 10s
select text from log where text in ('kept', 'lost')
/
-- It runs with the NLS settings of the session that created it.
alter session set nls_date_format = 'YYYY'
/
begin
  dbms_scheduler.create_job('J6', 'PLSQL_BLOCK', 'note(to_char(date ''2026-01-01''));', enabled => true);
end;
/
alter session set nls_date_format = 'MM'
/
-- @advance 10s
select text from log where text like '20__'
/
-- What nobody uses is refused, in the words of the language.
begin dbms_scheduler.run_job('J'); end;
/
begin dbms_scheduler.create_job('RARE', 'PLSQL_BLOCK', 'null;'); end;
/
begin dbms_scheduler.set_attribute('RARE', 'max_runs', 3); end;
/
begin dbms_scheduler.purge_log; end;
/
begin dbms_scheduler.drop_job('RARE'); end;
/
