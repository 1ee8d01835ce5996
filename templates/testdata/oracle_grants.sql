-- What APP needs for dbsched. Grant it to the user itself: rights that come by roles do not count inside packages.
-- Rights on packages of SYS are granted by SYS, or by who has GRANT ANY OBJECT PRIVILEGE; managed services have a procedure
-- of their own for them (Amazon RDS: rdsadmin.rdsadmin_util.grant_sys_object).
-- to connect
grant create session to APP;
-- tables, queue table; for installing, upgrading and uninstalling only
grant create table to APP;
-- numbers of tasks, processes and logs; for installing, upgrading and uninstalling only
grant create sequence to APP;
-- views for people and monitors; for installing, upgrading and uninstalling only
grant create view to APP;
-- packages; for installing, upgrading and uninstalling only
grant create procedure to APP;
-- jobs of dispatcher and workers; to run, enable and disable them
grant create job to APP;
-- to make and drop the queue of wake-ups; for installing, upgrading and uninstalling only
grant execute on sys.dbms_aqadm to APP;
-- to send and receive wake-ups
grant execute on sys.dbms_aq to APP;
-- locks that tell living workers from dead ones
grant execute on sys.dbms_lock to APP;
-- Everybody has these, unless they were revoked from PUBLIC.
-- grant execute on sys.dbms_scheduler to APP;  (jobs)
-- grant execute on sys.dbms_sql to APP;  (to run the text of tasks)
-- grant execute on sys.dbms_lob to APP;  (to read JSON)
-- grant execute on sys.dbms_session to APP;  (identity and life of sessions, waiting)
-- grant execute on sys.dbms_output to APP;  (to discard what tasks print)
-- grant execute on sys.dbms_utility to APP;  (error stack and backtrace)
-- grant execute on sys.dbms_transaction to APP;  (to tell whether a transaction is open)
-- grant execute on sys.dbms_application_info to APP;  (to show tasks in V$SESSION)
-- grant execute on sys.dbms_assert to APP;  (to quote names)
-- grant execute on sys.dbms_db_version to APP;  (to check the release)
-- To end cancelled or timed-out tasks even if they handle every error:
-- grant manage scheduler to APP;
-- Space in the user's default tablespace:
-- alter user APP quota unlimited on users;
