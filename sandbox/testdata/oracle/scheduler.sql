-- The life of a job.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_SCHEDULER.html
CREATE TABLE runs (n NUMBER, who VARCHAR2(128), ran TIMESTAMP DEFAULT SYSTIMESTAMP);
--> ok
BEGIN
  DBMS_SCHEDULER.CREATE_JOB(job_name => 'nightly', job_type => 'PLSQL_BLOCK', job_action => 'BEGIN INSERT INTO runs (n, who) VALUES (1, USER); END;',
    start_date => SYSTIMESTAMP + INTERVAL '1' HOUR, repeat_interval => 'FREQ=DAILY', enabled => FALSE, comments => 'at night');
END;
--> ok
SELECT job_name, job_type, enabled, state, run_count, comments, repeat_interval FROM user_scheduler_jobs;
--> NIGHTLY | PLSQL_BLOCK | FALSE | DISABLED | 0 | at night | FREQ=DAILY
BEGIN DBMS_SCHEDULER.CREATE_JOB(job_name => 'nightly', job_type => 'PLSQL_BLOCK', job_action => 'NULL;'); END;
--> error: 27477
BEGIN DBMS_SCHEDULER.ENABLE('nightly'); END;
--> ok
SELECT enabled, state FROM user_scheduler_jobs WHERE job_name = 'NIGHTLY';
--> TRUE | SCHEDULED
BEGIN DBMS_SCHEDULER.DISABLE('nightly'); END;
--> ok
SELECT enabled, state FROM user_scheduler_jobs WHERE job_name = 'NIGHTLY';
--> FALSE | DISABLED
BEGIN DBMS_SCHEDULER.SET_ATTRIBUTE('nightly', 'repeat_interval', 'FREQ=HOURLY'); END;
--> ok
SELECT repeat_interval FROM user_scheduler_jobs WHERE job_name = 'NIGHTLY';
--> FREQ=HOURLY
BEGIN DBMS_SCHEDULER.SET_ATTRIBUTE('nightly', 'repeat_interval', 'FREQ=DAILY; BYHOUR=2'); END;
--> ok
-- RUN_JOB runs in the current session unless it is told otherwise.
BEGIN DBMS_SCHEDULER.RUN_JOB('nightly'); END;
--> refused RUN_JOB in the current session
BEGIN
  DBMS_SCHEDULER.RUN_JOB('nightly', use_current_session => FALSE);
  DBMS_SESSION.SLEEP(30);
END;
--> ok
SELECT n, who FROM runs;
--> 1 | APP
SELECT run_count, failure_count, state FROM user_scheduler_jobs WHERE job_name = 'NIGHTLY';
--> 1 | 0 | DISABLED
SELECT job_name, status, error# FROM user_scheduler_job_run_details;
--> NIGHTLY | SUCCEEDED | 0
BEGIN DBMS_SCHEDULER.DROP_JOB('nightly'); END;
--> ok
SELECT COUNT(*) FROM user_scheduler_jobs;
--> 0
BEGIN DBMS_SCHEDULER.DROP_JOB('nightly'); END;
--> error: 27475
BEGIN DBMS_SCHEDULER.RUN_JOB('nothing', use_current_session => FALSE); END;
--> error: 27475
BEGIN DBMS_SCHEDULER.ENABLE('nothing'); END;
--> error: 27476
BEGIN DBMS_SCHEDULER.DISABLE('nothing'); END;
--> error: 27476
BEGIN DBMS_SCHEDULER.STOP_JOB('nothing'); END;
--> error: 27475
-- A job without a schedule runs at once, and is dropped when it has run.
BEGIN
  DBMS_SCHEDULER.CREATE_JOB(job_name => 'once', job_type => 'PLSQL_BLOCK', job_action => 'BEGIN INSERT INTO runs (n) VALUES (3); END;', enabled => TRUE);
  DBMS_SESSION.SLEEP(30);
END;
--> ok
SELECT COUNT(*) FROM runs WHERE n = 3;
--> 1
SELECT COUNT(*) FROM user_scheduler_jobs;
--> 0
SELECT status FROM user_scheduler_job_run_details WHERE job_name = 'ONCE';
--> SUCCEEDED
BEGIN
  DBMS_SCHEDULER.CREATE_JOB(job_name => 'kept', job_type => 'PLSQL_BLOCK', job_action => 'BEGIN RAISE_APPLICATION_ERROR(-20001, ''no luck''); END;', enabled => TRUE, auto_drop => FALSE);
  DBMS_SESSION.SLEEP(30);
END;
--> ok
SELECT enabled, state, run_count, failure_count FROM user_scheduler_jobs WHERE job_name = 'KEPT';
--> FALSE | FAILED | 1 | 1
SELECT status, error# FROM user_scheduler_job_run_details WHERE job_name = 'KEPT';
--> FAILED | 20001
SELECT CASE WHEN additional_info LIKE '%ORA-20001: no luck%' THEN 'says why' END FROM user_scheduler_job_run_details WHERE job_name = 'KEPT';
--> says why
-- A repeating job goes on until it is stopped or dropped.
BEGIN
  DBMS_SCHEDULER.CREATE_JOB('often', 'PLSQL_BLOCK', 'BEGIN INSERT INTO runs (n) VALUES (4); END;', repeat_interval => 'FREQ=MINUTELY', enabled => TRUE);
  DBMS_SESSION.SLEEP(150);
  DBMS_SCHEDULER.DROP_JOB('often');
END;
--> ok
SELECT CASE WHEN COUNT(*) BETWEEN 2 AND 3 THEN 'each minute' END FROM runs WHERE n = 4;
--> each minute
BEGIN
  DBMS_SCHEDULER.CREATE_JOB(job_name => 'long', job_type => 'PLSQL_BLOCK', job_action => 'BEGIN DBMS_SESSION.SLEEP(600); END;', enabled => TRUE, auto_drop => FALSE);
  DBMS_SESSION.SLEEP(30);
END;
--> ok
SELECT job_name FROM user_scheduler_running_jobs;
--> LONG
BEGIN DBMS_SCHEDULER.DROP_JOB('long'); END;
--> error: 27478
BEGIN DBMS_SCHEDULER.STOP_JOB('long'); END;
--> ok
SELECT state FROM user_scheduler_jobs WHERE job_name = 'LONG';
--> STOPPED
BEGIN DBMS_SCHEDULER.STOP_JOB('long'); END;
--> error: 27366
BEGIN DBMS_SCHEDULER.DROP_JOB('long, kept'); END;
--> refused lists of jobs
BEGIN DBMS_SCHEDULER.CREATE_JOB(job_name => 'x', job_type => 'NO_TYPE', job_action => 'NULL;'); END;
--> error: 27465
BEGIN DBMS_SCHEDULER.CREATE_JOB('x', 'PLSQL_BLOCK', 'NULL;', repeat_interval => 'FREQ=NEVER', enabled => TRUE); END;
--> error: 27412
BEGIN DBMS_SCHEDULER.CREATE_JOB(job_name => 'not a name', job_type => 'PLSQL_BLOCK', job_action => 'NULL;'); END;
--> error: 27452
BEGIN DBMS_SCHEDULER.SET_ATTRIBUTE('x', 'comments', 'y'); END;
--> error: 27476
CREATE OR REPLACE PROCEDURE by_job (p VARCHAR2 DEFAULT 'none') IS BEGIN INSERT INTO runs (n, who) VALUES (5, p); END;
--> ok
BEGIN DBMS_SCHEDULER.CREATE_JOB(job_name => 'stored', job_type => 'STORED_PROCEDURE', job_action => 'by_job', enabled => TRUE); DBMS_SESSION.SLEEP(30); END;
--> ok
SELECT who FROM runs WHERE n = 5;
--> none
BEGIN DBMS_SCHEDULER.CREATE_JOB(job_name => 'script', job_type => 'EXECUTABLE', job_action => '/bin/true'); END;
--> refused
BEGIN DBMS_SCHEDULER.SET_JOB_ARGUMENT_VALUE('stored', 1, 'x'); END;
--> refused SET_JOB_ARGUMENT_VALUE
DECLARE t TIMESTAMP WITH TIME ZONE; BEGIN DBMS_SCHEDULER.EVALUATE_CALENDAR_STRING('FREQ=DAILY', SYSTIMESTAMP, SYSTIMESTAMP, t); END;
--> ok
SELECT COUNT(*) FROM user_scheduler_credentials;
--> refused USER_SCHEDULER_CREDENTIALS
