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
BEGIN DBMS_SCHEDULER.CREATE_JOB_CLASS('c'); END;
--> refused CREATE_JOB_CLASS
BEGIN DBMS_SCHEDULER.ANALYZE_CHAIN('c', NULL, NULL); END;
--> refused ANALYZE_CHAIN
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_JOB.html
DECLARE j NUMBER; BEGIN DBMS_JOB.SUBMIT(j, 'NULL;'); END;
--> refused DBMS_JOB
BEGIN UTL_FILE.FCLOSE_ALL; END;
--> refused UTL_FILE
BEGIN no_such_package.run; END;
--> error: 6550
SELECT COUNT(*) FROM user_scheduler_running_chains;
--> refused USER_SCHEDULER_RUNNING_CHAINS
SELECT COUNT(*) FROM no_such_view;
--> error: 942
SELECT JSON_OBJECTAGG('a' VALUE 1) FROM dual;
--> refused JSON_OBJECTAGG
SELECT no_such_function(1) FROM dual;
--> error: 904
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/TO_NUMBER.html
SELECT TO_NUMBER('x' DEFAULT 0 ON CONVERSION ERROR) FROM dual;
--> refused DEFAULT 0 ON
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Comparison-Conditions.html
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SET-TRANSACTION.html
SET TRANSACTION READ ONLY;
--> ok
COMMIT;
--> ok

-- What a row count is made of is known before the first row: no column, ROWNUM or analytic function.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SELECT.html
CREATE TABLE numbered (id NUMBER PRIMARY KEY);
--> ok
CREATE SEQUENCE seq;
--> ok
SELECT id FROM numbered ORDER BY id OFFSET 5 ROWS FETCH NEXT id ROWS ONLY;
--> refused row to row
SELECT id FROM numbered FETCH FIRST ROWNUM ROWS ONLY;
--> refused row to row
SELECT id FROM numbered FETCH FIRST ROW_NUMBER() OVER (ORDER BY id) ROWS ONLY;
--> refused row to row
SELECT id FROM numbered WHERE ROW_NUMBER() OVER (ORDER BY id) = 1;
--> error: 30483
-- Words that SQL does not reserve are aliases.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Oracle-SQL-Reserved-Words.html
SELECT seq.NEXTVAL return FROM dual;
--> 1
SELECT 1 join, 2 using, 3 returning, 4 type, 5 name FROM dual;
--> 1 | 2 | 3 | 4 | 5
SELECT 1 table FROM dual;
--> error: 923
-- Reserved words are no names of units.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-reserved-words-keywords.html
CREATE PROCEDURE procedure AS BEGIN NULL; END;
--> ok
SELECT name, SUBSTR(text, 1, 9) FROM user_errors;
--> PROCEDURE | PLS-00103
CREATE FUNCTION select RETURN NUMBER AS BEGIN RETURN 1; END;
--> error: 4050 invalid or missing procedure, function, or package name
CREATE PACKAGE BODY alone IS END;
--> ok
SELECT SUBSTR(text, 1, 9) FROM user_errors WHERE name = 'ALONE';
--> PLS-00201
CREATE PACKAGE empty_one IS END;
--> ok
SELECT status FROM user_objects WHERE object_name = 'EMPTY_ONE';
--> VALID
-- Where a name is missing in a list, the statement is wrong, whatever would have been named.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/INSERT.html
INSERT INTO numbered (id,) VALUES (1);
--> error: 1747
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-error-handling.html
DECLARE n CONSTANT NUMBER 1; BEGIN NULL; END;
--> error: 6550 PLS-00103
DECLARE PRAGMA; BEGIN NULL; END;
--> error: 6550 PLS-00103
BEGIN dbms_output.put_line(select => 'x'); END;
--> error: 6550 PLS-00103
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/block.html
BEGIN NULL; END foo;
--> refused
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Comparison-Conditions.html
SELECT 1 FROM dual WHERE 1 ! = 2;
--> refused
SELECT 1 FROM dual WHERE NOT NOT (1 = 1);
--> 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/JSON_VALUE.html
SELECT JSON_VALUE('{"a": 1}', '$.a') FROM dual;
--> refused JSON_VALUE
SELECT JSON_QUERY('{"a": [1]}', '$.a') FROM dual;
--> refused JSON_QUERY
SELECT x.a FROM JSON_TABLE('{"a": 1}', '$' COLUMNS (a NUMBER PATH '$.a')) x;
--> refused JSON_TABLE
SELECT * FROM TABLE(sys.odcinumberlist(1, 2));
--> refused
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/GOTO-statement.html
BEGIN GOTO a; <<a>> NULL; END;
--> refused GOTO
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/INLINE-pragma.html
DECLARE PROCEDURE p IS BEGIN NULL; END; BEGIN PRAGMA INLINE(p, 'YES'); p; END;
--> refused
CREATE OR REPLACE FUNCTION cached RETURN NUMBER RESULT_CACHE IS BEGIN RETURN 1; END;
--> refused RESULT_CACHE
