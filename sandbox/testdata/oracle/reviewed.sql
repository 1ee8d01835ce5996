-- ROWNUM and LEVEL in CONNECT BY count the rows so far: the condition ends the hierarchy.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Hierarchical-Queries.html
SELECT COUNT(*) FROM (SELECT 1 FROM dual CONNECT BY LEVEL <= 5);
--> 5
SELECT 1 FROM dual CONNECT BY ROWNUM <= 2;
--> refused ROWNUM
SELECT LEVEL FROM dual CONNECT BY ROWNUM <= 3;
--> refused ROWNUM

-- SQLERRM knows every message of the database.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/SQLERRM-function.html
BEGIN dbms_output.put_line(SQLERRM(-1)); dbms_output.put_line(SQLERRM(-6511)); END;
--> print: ORA-00001: unique constraint (.) violated
--> print: ORA-06511: PL/SQL: cursor already open
BEGIN dbms_output.put_line(SUBSTR(SQLERRM(-12899), 1, 30)); END;
--> print: ORA-12899: value too large for
BEGIN dbms_output.put_line(SQLERRM(100)); dbms_output.put_line(SQLERRM(0)); END;
--> print: ORA-01403: no data found
--> print: ORA-0000: normal, successful completion

-- NLS_TIMESTAMP_FORMAT of AMERICA is DD-MON-RR HH.MI.SSXFF AM; FF has the precision of the value.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Format-Models.html
SELECT TO_CHAR(TIMESTAMP '2000-03-28 08:00:00') FROM dual;
--> 28-MAR-00 08.00.00.000000000 AM
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/FROM_TZ.html
SELECT TO_CHAR(FROM_TZ(TIMESTAMP '2000-03-28 08:00:00', '3:00')) FROM dual;
--> 28-MAR-00 08.00.00.000000000 AM +03:00

-- A refusal is told apart from what Oracle lacks.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_SCHEDULER.html
BEGIN DBMS_SCHEDULER.CREATE_PROGRAM('p', 'PLSQL_BLOCK', 'NULL;'); END;
--> refused CREATE_PROGRAM
BEGIN DBMS_SCHEDULER.CREATE_CHAIN('c'); END;
--> refused CREATE_CHAIN
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_JOB.html
DECLARE j NUMBER; BEGIN DBMS_JOB.SUBMIT(j, 'NULL;'); END;
--> refused DBMS_JOB
BEGIN UTL_FILE.FCLOSE_ALL; END;
--> refused UTL_FILE
BEGIN no_such_package.run; END;
--> error: 6550
SELECT COUNT(*) FROM user_scheduler_programs;
--> refused USER_SCHEDULER_PROGRAMS
SELECT COUNT(*) FROM no_such_view;
--> error: 942
SELECT JSON_OBJECTAGG('a' VALUE 1) FROM dual;
--> refused JSON_OBJECTAGG
SELECT no_such_function(1) FROM dual;
--> error: 904
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/TO_NUMBER.html
SELECT TO_NUMBER('x' DEFAULT 0 ON CONVERSION ERROR) FROM dual;
--> refused ON CONVERSION ERROR
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Comparison-Conditions.html
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SET-TRANSACTION.html
SET TRANSACTION READ ONLY;
--> ok
COMMIT;
--> ok
