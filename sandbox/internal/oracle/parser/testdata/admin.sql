create user runner identified by "Secret 1" default tablespace users quota 10M on users quota unlimited on data account unlock
/
alter user runner identified by MiXed password expire
/
create role ds_admin
/
grant create session, create table, unlimited tablespace to runner
/
grant select, insert, update, execute on owner.ds_task to runner, public with grant option
/
grant "ds_role" to runner
/
revoke execute on dbms_lock from runner
/
revoke create job from runner
/
alter session set nls_date_format = 'YYYY-MM-DD' nls_comp = binary time_zone = '+00:00' current_schema = owner
/
alter session set ddl_lock_timeout = 30
/
alter system set job_queue_processes = 20 scope = both
/
alter system kill session '12,34' immediate
/
alter package ds_worker compile body
