-- PL/SQL Packages and Types Reference, "DBMS_SCHEDULER", "STOP_JOB Procedure"; Database Error Messages, ORA-27365, ORA-27366.
create table t (id number)
/
insert into t values (0)
/
commit
/
-- @S as system
grant manage scheduler to app
/
-- What the job did and had not committed is undone; its locks are released.
begin
  dbms_scheduler.create_job('J', 'PLSQL_BLOCK', 'begin update t set id = 1; dbms_session.sleep(1000); end;', enabled => true, auto_drop => false);
end;
/
-- @advance 10s
update t set id = 2
/
-- @B
begin dbms_scheduler.stop_job('J'); end;
/
-- @join
select id from t
/
commit
/
select status, error# from user_scheduler_job_run_details
/
-- With force its session is killed.
begin
  dbms_scheduler.run_job('J', use_current_session => false);
end;
/
-- @advance 10s
begin dbms_scheduler.stop_job('J', force => true); end;
/
select status from user_scheduler_job_run_details order by log_id
/
select id from t
/
-- Killed by ALTER SYSTEM.
begin
  dbms_scheduler.run_job('J', use_current_session => false);
end;
/
-- @advance 10s
-- @S
begin
  for r in (select session_id, serial# as serial from dba_scheduler_running_jobs j join v$session s on s.sid = j.session_id) loop
    execute immediate 'alter system kill session ''' || r.session_id || ',' || r.serial || '''';
  end loop;
end;
/
-- @advance 5s
select count(*) from user_scheduler_running_jobs
/
select state from user_scheduler_jobs
/
