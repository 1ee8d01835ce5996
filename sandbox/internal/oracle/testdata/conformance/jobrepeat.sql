-- PL/SQL Packages and Types Reference, "DBMS_SCHEDULER": repeat_interval, SET_ATTRIBUTE, ENABLE, DISABLE.
create table log (text varchar2(20), at timestamp)
/
begin
  dbms_scheduler.create_job('R', 'PLSQL_BLOCK', 'begin insert into log values (''run'', systimestamp); end;', repeat_interval => 'FREQ=SECONDLY;INTERVAL=30', enabled => true);
end;
/
-- @advance 100s
select case when count(*) between 3 and 4 then 'ran' end as r from log
/
select state, case when run_count between 3 and 4 then 'counted' end as c from user_scheduler_jobs
/
begin dbms_scheduler.disable('R'); end;
/
delete from log
/
commit
/
-- @advance 100s
select count(*) from log
/
select enabled, state from user_scheduler_jobs
/
-- An error does not end a repeating job.
begin
  dbms_scheduler.create_job('F', 'PLSQL_BLOCK', 'begin raise program_error; end;', repeat_interval => 'FREQ=MINUTELY', auto_drop => false);
  dbms_scheduler.enable('F');
end;
/
-- @advance 5m
select enabled, state from user_scheduler_jobs where job_name = 'F'
/
select distinct status, error# from user_scheduler_job_run_details where job_name = 'F'
/
begin dbms_scheduler.create_job('X', 'PLSQL_BLOCK', 'null;', repeat_interval => 'FREQ=NEVER'); end;
/
begin dbms_scheduler.create_job('X', 'NOTHING', 'null;'); end;
/
begin dbms_scheduler.set_attribute('F', 'no_such', 'x'); end;
/
begin dbms_scheduler.enable('NOWHERE'); end;
/
-- start_date in the future.
begin
  dbms_scheduler.create_job('L', 'PLSQL_BLOCK', 'begin insert into log values (''late'', systimestamp); end;', start_date => systimestamp + interval '60' second, enabled => true);
end;
/
-- @advance 55s
select count(*) from log where text = 'late'
/
-- @advance 15s
select count(*) from log where text = 'late'
/
