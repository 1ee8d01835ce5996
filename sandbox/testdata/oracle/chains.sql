-- Programs, named schedules and chains of DBMS_SCHEDULER, as the documentation's examples make them. No chain is run.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_SCHEDULER.html
BEGIN
  DBMS_SCHEDULER.CREATE_PROGRAM('my_program1', 'PLSQL_BLOCK', 'BEGIN NULL; END;', enabled => TRUE);
  DBMS_SCHEDULER.CREATE_PROGRAM('my_program2', 'STORED_PROCEDURE', 'steps.two', enabled => TRUE);
  DBMS_SCHEDULER.CREATE_PROGRAM(program_name => 'my_program3', program_type => 'PLSQL_BLOCK', program_action => 'BEGIN NULL; END;', comments => 'the third');
END;
--> ok
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_SCHEDULER_PROGRAMS.html
SELECT program_name, program_type, program_action, number_of_arguments, enabled, comments FROM user_scheduler_programs ORDER BY program_name;
--> MY_PROGRAM1 | PLSQL_BLOCK | BEGIN NULL; END; | 0 | TRUE | NULL
--> MY_PROGRAM2 | STORED_PROCEDURE | steps.two | 0 | TRUE | NULL
--> MY_PROGRAM3 | PLSQL_BLOCK | BEGIN NULL; END; | 0 | FALSE | the third
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_SCHEDULER.html
BEGIN DBMS_SCHEDULER.ENABLE('my_program3'); END;
--> ok
SELECT enabled FROM user_scheduler_programs WHERE program_name = 'MY_PROGRAM3';
--> TRUE
BEGIN DBMS_SCHEDULER.CREATE_PROGRAM('my_program1', 'PLSQL_BLOCK', 'BEGIN NULL; END;'); END;
--> error: 27477
BEGIN DBMS_SCHEDULER.CREATE_PROGRAM('wrong', 'NO_TYPE', 'x'); END;
--> error: 27465
BEGIN DBMS_SCHEDULER.CREATE_PROGRAM('script', 'EXECUTABLE', '/bin/true'); END;
--> refused program type EXECUTABLE
BEGIN DBMS_SCHEDULER.ENABLE('no_program'); END;
--> error: 27476
-- "Examples of Creating Chains".
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/admin/administering-oracle-scheduler.html
BEGIN
DBMS_SCHEDULER.CREATE_CHAIN (
   chain_name            =>  'my_chain1',
   rule_set_name         =>  NULL,
   evaluation_interval   =>  NULL,
   comments              =>  NULL);
END;
--> ok
BEGIN
 DBMS_SCHEDULER.DEFINE_CHAIN_STEP('my_chain1', 'stepA', 'my_program1');
 DBMS_SCHEDULER.DEFINE_CHAIN_STEP('my_chain1', 'stepB', 'my_program2');
 DBMS_SCHEDULER.DEFINE_CHAIN_STEP('my_chain1', 'stepC', 'my_program3');
END;
--> ok
BEGIN
 DBMS_SCHEDULER.DEFINE_CHAIN_RULE('my_chain1', 'TRUE', 'START stepA');
 DBMS_SCHEDULER.DEFINE_CHAIN_RULE (
   'my_chain1', 'stepA COMPLETED', 'Start stepB, stepC');
 DBMS_SCHEDULER.DEFINE_CHAIN_RULE (
   'my_chain1', 'stepB COMPLETED AND stepC COMPLETED', 'END', 'my_chain1_ends', 'the last');
END;
--> ok
SELECT enabled, number_of_steps, number_of_rules, comments FROM user_scheduler_chains WHERE chain_name = 'MY_CHAIN1';
--> FALSE | 3 | 3 | NULL
BEGIN
 DBMS_SCHEDULER.ENABLE('my_chain1');
END;
--> ok
BEGIN
 DBMS_SCHEDULER.CREATE_JOB (
   job_name        => 'chain_job_1',
   job_type        => 'CHAIN',
   job_action      => 'my_chain1',
   repeat_interval => 'freq=daily;byhour=13;byminute=0;bysecond=0',
   enabled         => TRUE);
END;
--> ok
SELECT job_type, job_action, schedule_type, enabled, state FROM user_scheduler_jobs WHERE job_name = 'CHAIN_JOB_1';
--> CHAIN | my_chain1 | CALENDAR | TRUE | SCHEDULED
BEGIN DBMS_SCHEDULER.RUN_JOB('chain_job_1', use_current_session => FALSE); DBMS_SESSION.SLEEP(60); END;
--> ok
SELECT COUNT(*) FROM user_scheduler_job_run_details WHERE job_name = 'CHAIN_JOB_1' AND status = 'FAILED' AND additional_info LIKE '%the sandbox does not model runs of chains%';
--> 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_SCHEDULER_CHAIN_STEPS.html
SELECT step_name, program_name, skip, pause, step_type FROM user_scheduler_chain_steps WHERE chain_name = 'MY_CHAIN1' ORDER BY step_name;
--> STEPA | MY_PROGRAM1 | FALSE | FALSE | PROGRAM
--> STEPB | MY_PROGRAM2 | FALSE | FALSE | PROGRAM
--> STEPC | MY_PROGRAM3 | FALSE | FALSE | PROGRAM
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_SCHEDULER_CHAIN_RULES.html
SELECT condition, action, comments FROM user_scheduler_chain_rules WHERE chain_name = 'MY_CHAIN1' ORDER BY condition;
--> TRUE | START stepA | NULL
--> stepA COMPLETED | Start stepB, stepC | NULL
--> stepB COMPLETED AND stepC COMPLETED | END | the last
SELECT rule_name FROM user_scheduler_chain_rules WHERE comments = 'the last';
--> MY_CHAIN1_ENDS
SELECT COUNT(DISTINCT rule_name) FROM user_scheduler_chain_rules;
--> 3
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_SCHEDULER.html
BEGIN DBMS_SCHEDULER.DEFINE_CHAIN_RULE('no_chain', 'TRUE', 'START stepA'); END;
--> error: 27476
BEGIN
  DBMS_SCHEDULER.CREATE_SCHEDULE(schedule_name => 'nightly', repeat_interval => 'FREQ=DAILY;BYHOUR=2;BYMINUTE=0;BYSECOND=0', comments => 'at night');
  DBMS_SCHEDULER.CREATE_JOB(job_name => 'by_both', program_name => 'my_program1', schedule_name => 'nightly', enabled => TRUE);
  DBMS_SCHEDULER.CREATE_JOB(job_name => 'by_program', program_name => 'my_program1', repeat_interval => 'FREQ=HOURLY');
  DBMS_SCHEDULER.CREATE_JOB(job_name => 'by_schedule', schedule_name => 'nightly', job_type => 'PLSQL_BLOCK', job_action => 'NULL;');
END;
--> ok
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_SCHEDULER_JOBS.html
SELECT job_name, job_type, program_name, schedule_name, schedule_type, repeat_interval FROM user_scheduler_jobs WHERE job_name LIKE 'BY%' ORDER BY job_name;
--> BY_BOTH | NULL | MY_PROGRAM1 | NIGHTLY | NAMED | NULL
--> BY_PROGRAM | NULL | MY_PROGRAM1 | NULL | CALENDAR | FREQ=HOURLY
--> BY_SCHEDULE | PLSQL_BLOCK | NULL | NIGHTLY | NAMED | NULL
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_SCHEDULER_SCHEDULES.html
SELECT schedule_name, schedule_type, repeat_interval, comments FROM user_scheduler_schedules;
--> NIGHTLY | CALENDAR | FREQ=DAILY;BYHOUR=2;BYMINUTE=0;BYSECOND=0 | at night
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_OBJECTS.html
SELECT object_type FROM user_objects WHERE object_name IN ('MY_PROGRAM1', 'NIGHTLY', 'MY_CHAIN1', 'CHAIN_JOB_1') ORDER BY 1;
--> CHAIN
--> JOB
--> PROGRAM
--> SCHEDULE
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/USER_JOBS.html
SELECT COUNT(*) FROM user_jobs WHERE what IS NOT NULL AND interval IS NOT NULL;
--> 0
-- Overloads that differ only in the names of parameters need named notation; those whose types differ do not.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/overloaded-subprograms.html
BEGIN DBMS_SCHEDULER.CREATE_JOB('x', 'PLSQL_BLOCK', 'NULL;'); END;
--> error: 6550 PLS-00307
BEGIN DBMS_SCHEDULER.CREATE_JOB('x1', 'PLSQL_BLOCK', 'NULL;', repeat_interval => 'FREQ=DAILY'); END;
--> ok
BEGIN DBMS_SCHEDULER.CREATE_JOB('x2', 'PLSQL_BLOCK', 'NULL;', start_date => SYSTIMESTAMP + 1); END;
--> ok
BEGIN DBMS_SCHEDULER.CREATE_JOB('x3', 'PLSQL_BLOCK', 'NULL;', 0); END;
--> ok
SELECT job_name, job_type, program_name FROM user_scheduler_jobs WHERE job_name IN ('X1', 'X2', 'X3') ORDER BY 1;
--> X1 | PLSQL_BLOCK | NULL
--> X2 | PLSQL_BLOCK | NULL
--> X3 | PLSQL_BLOCK | NULL
-- The start date's time zone is that of its calendar, "Start Dates and Repeat Intervals".
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/admin/scheduling-jobs-with-oracle-scheduler.html
BEGIN
  DBMS_SCHEDULER.CREATE_JOB(job_name => 'by_region', job_type => 'PLSQL_BLOCK', job_action => 'NULL;', enabled => TRUE,
    start_date => TIMESTAMP '2099-07-01 02:00:00 Europe/Warsaw', repeat_interval => 'FREQ=DAILY');
  DBMS_SCHEDULER.CREATE_JOB(job_name => 'by_offset', job_type => 'PLSQL_BLOCK', job_action => 'NULL;', enabled => TRUE,
    start_date => TIMESTAMP '2099-07-01 02:00:00 +05:30', repeat_interval => 'FREQ=DAILY');
  DBMS_SCHEDULER.CREATE_SCHEDULE(schedule_name => 'in_region', start_date => TIMESTAMP '2099-01-01 02:00:00 Europe/Warsaw', repeat_interval => 'FREQ=DAILY');
END;
--> ok
SELECT job_name, TO_CHAR(start_date, 'YYYY-MM-DD HH24:MI TZR'), TO_CHAR(next_run_date, 'YYYY-MM-DD HH24:MI TZR') FROM user_scheduler_jobs WHERE job_name IN ('BY_REGION', 'BY_OFFSET') ORDER BY 1;
--> BY_OFFSET | 2099-07-01 02:00 +05:30 | 2099-07-01 02:00 +05:30
--> BY_REGION | 2099-07-01 02:00 EUROPE/WARSAW | 2099-07-01 02:00 EUROPE/WARSAW
SELECT TO_CHAR(start_date, 'YYYY-MM-DD HH24:MI TZR') FROM user_scheduler_schedules WHERE schedule_name = 'IN_REGION';
--> 2099-01-01 02:00 EUROPE/WARSAW
