-- PL/SQL Packages and Types Reference, "DBMS_LOCK" and "DBMS_SCHEDULER" together: a job waits for the lock of a session; that goes
-- away, the job goes on.
create table log (id number generated always as identity, text varchar2(50))
/
create or replace procedure work(p_name varchar2) is
  n number;
begin
  n := dbms_lock.request(7, dbms_lock.x_mode, 600, release_on_commit => true);
  insert into log (text) values (p_name || ' ' || n);
  commit;
end;
/
declare
  n number;
begin
  n := dbms_lock.request(7, dbms_lock.x_mode, 0);
  dbms_output.put_line(n);
end;
/
-- @B
begin
  dbms_scheduler.create_job('J', 'PLSQL_BLOCK', 'begin work(''job''); end;', enabled => true);
end;
/
-- @advance 10s
-- @B
select count(*) from log
/
-- @B
select job_name from user_scheduler_running_jobs
/
-- @close A
-- @B
select text from log
/
-- @B
select count(*) from user_scheduler_running_jobs
/
