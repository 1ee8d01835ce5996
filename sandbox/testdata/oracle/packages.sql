-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_OUTPUT.html
BEGIN
  dbms_output.put('a');
  dbms_output.put('b');
  dbms_output.new_line;
  dbms_output.put_line(NULL);
  dbms_output.put_line('c');
END;
--> print: ab
--> print: 
--> print: c
DECLARE
  line VARCHAR2(100);
  status INTEGER;
BEGIN
  dbms_output.put_line('one');
  dbms_output.put_line('two');
  dbms_output.get_line(line, status);
  dbms_output.put_line(line || status);
  dbms_output.get_line(line, status);
  dbms_output.get_line(line, status);
  dbms_output.put_line('[' || line || ']' || status);
END;
--> print: []1
DECLARE
  lines DBMS_OUTPUT.CHARARR;
  n INTEGER := 10;
BEGIN
  FOR i IN 1..3 LOOP dbms_output.put_line(i); END LOOP;
  dbms_output.get_lines(lines, n);
  dbms_output.put_line(n || lines(3));
END;
--> print: 33
BEGIN dbms_output.disable; dbms_output.put_line('lost'); dbms_output.enable; dbms_output.put_line('kept'); END;
--> print: kept
BEGIN dbms_output.enable(2000); FOR i IN 1..100 LOOP dbms_output.put_line(RPAD('x', 100)); END LOOP; EXCEPTION WHEN OTHERS THEN dbms_output.disable; dbms_output.enable(NULL); dbms_output.put_line(SUBSTR(SQLERRM, 1, 20)); END;
--> print: ORA-20000: ORU-10027
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_LOCK.html
DECLARE
  handle VARCHAR2(128);
BEGIN
  DBMS_LOCK.ALLOCATE_UNIQUE('my lock', handle);
  dbms_output.put_line(DBMS_LOCK.REQUEST(handle, DBMS_LOCK.X_MODE, 0));
END;
--> refused DBMS_LOCK.ALLOCATE_UNIQUE
BEGIN dbms_output.put_line(DBMS_LOCK.CONVERT(5, DBMS_LOCK.S_MODE, 0)); END;
--> refused DBMS_LOCK.CONVERT
BEGIN dbms_output.put_line(DBMS_LOCK.REQUEST(5, 99, 0)); END;
--> print: 3
BEGIN dbms_output.put_line(DBMS_LOCK.REQUEST(id => 5, timeout => 0, release_on_commit => TRUE)); COMMIT; dbms_output.put_line(DBMS_LOCK.RELEASE(5)); END;
--> print: 0
--> print: 4
DECLARE t TIMESTAMP := SYSTIMESTAMP; BEGIN DBMS_LOCK.SLEEP(1.5); DBMS_SESSION.SLEEP(0.5); dbms_output.put_line(EXTRACT(SECOND FROM SYSTIMESTAMP - t) >= 2 AND TRUE); END;
--> error: 6550 PLS-00306
DECLARE t DATE := SYSDATE; BEGIN DBMS_SESSION.SLEEP(60); dbms_output.put_line(ROUND((SYSDATE - t) * 86400)); END;
--> print: 60
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_SESSION.html
BEGIN DBMS_SESSION.SET_IDENTIFIER('me'); dbms_output.put_line(SYS_CONTEXT('USERENV', 'CLIENT_IDENTIFIER')); DBMS_SESSION.CLEAR_IDENTIFIER; dbms_output.put_line('[' || SYS_CONTEXT('USERENV', 'CLIENT_IDENTIFIER') || ']'); END;
--> print: me
--> print: []
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_APPLICATION_INFO.html
DECLARE m VARCHAR2(64); a VARCHAR2(64); BEGIN DBMS_APPLICATION_INFO.SET_MODULE('billing', 'start'); DBMS_APPLICATION_INFO.SET_ACTION('run'); DBMS_APPLICATION_INFO.READ_MODULE(m, a); dbms_output.put_line(m || ' ' || a || ' ' || SYS_CONTEXT('USERENV', 'MODULE')); END;
--> print: billing run billing
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SYS_CONTEXT.html
SELECT SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA'), SYS_CONTEXT('USERENV', 'SESSION_USER'), USER FROM dual;
--> APP | APP | APP
SELECT SYS_CONTEXT('no_context', 'x') FROM dual;
--> NULL
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_UTILITY.html
DECLARE t NUMBER := DBMS_UTILITY.GET_TIME; BEGIN DBMS_SESSION.SLEEP(1); dbms_output.put_line(CASE WHEN DBMS_UTILITY.GET_TIME - t BETWEEN 100 AND 110 THEN 'hundredths' END); END;
--> print: hundredths
DECLARE PROCEDURE p IS BEGIN dbms_output.put_line(DBMS_UTILITY.FORMAT_CALL_STACK); END; BEGIN p; END;
--> refused FORMAT_CALL_STACK
BEGIN dbms_output.put_line('[' || DBMS_UTILITY.FORMAT_ERROR_STACK || DBMS_UTILITY.FORMAT_ERROR_BACKTRACE || ']'); END;
--> print: []
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_LOB.html
DECLARE
  c CLOB := 'Hello';
  b VARCHAR2(10);
BEGIN
  c := c || ' world' || TO_CLOB('!');
  b := DBMS_LOB.SUBSTR(c, 5, 7);
  dbms_output.put_line(c || ' ' || DBMS_LOB.GETLENGTH(c) || ' ' || INSTR(c, 'world') || ' ' || b);
END;
--> print: Hello world! 12 7 world
DECLARE c CLOB := 'a'; BEGIN DBMS_LOB.WRITEAPPEND(c, 1, 'b'); END;
--> refused DBMS_LOB.WRITEAPPEND
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_TRANSACTION.html
CREATE TABLE work (n NUMBER);
--> ok
BEGIN
  dbms_output.put_line(CASE WHEN DBMS_TRANSACTION.LOCAL_TRANSACTION_ID IS NULL THEN 'none' END);
  INSERT INTO work VALUES (1);
  dbms_output.put_line(CASE WHEN DBMS_TRANSACTION.LOCAL_TRANSACTION_ID IS NOT NULL THEN 'one' END);
  ROLLBACK;
END;
--> print: none
--> print: one
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_DB_VERSION.html
BEGIN dbms_output.put_line(DBMS_DB_VERSION.VERSION); END;
--> print: 19
-- Packages that Oracle has and the sandbox has not are refused by their names; others do not exist.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_RANDOM.html
BEGIN dbms_output.put_line(DBMS_RANDOM.VALUE(1, 10)); END;
--> refused DBMS_RANDOM
SELECT DBMS_RANDOM.VALUE FROM dual;
--> refused DBMS_RANDOM
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_METADATA.html
SELECT DBMS_METADATA.GET_DDL('TABLE', 'WORK') FROM dual;
--> refused DBMS_METADATA
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_CRYPTO.html
DECLARE r RAW(20); BEGIN r := DBMS_CRYPTO.HASH(HEXTORAW('00'), DBMS_CRYPTO.HASH_SH1); END;
--> refused DBMS_CRYPTO
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/UTL_RAW.html
DECLARE r RAW(20) := UTL_RAW.CAST_TO_RAW('x'); BEGIN NULL; END;
--> refused UTL_RAW
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/UTL_HTTP.html
DECLARE r UTL_HTTP.REQ; BEGIN NULL; END;
--> refused UTL_HTTP
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_XPLAN.html
SELECT * FROM TABLE(DBMS_XPLAN.DISPLAY);
--> refused
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_ALERT.html
BEGIN DBMS_ALERT.REGISTER('x'); END;
--> refused DBMS_ALERT
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_PIPE.html
DECLARE n INTEGER; BEGIN n := DBMS_PIPE.SEND_MESSAGE('x'); END;
--> refused DBMS_PIPE
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/introduction-to-oracle-supplied-plsql-packages-and-types.html
BEGIN DBMS_NOTHING.RUN; END;
--> error: 6550 PLS-00201: identifier 'DBMS_NOTHING.RUN' must be declared
DECLARE x DBMS_NOTHING.T; BEGIN NULL; END;
--> error: 6550 PLS-00201
SELECT DBMS_NOTHING.F FROM dual;
--> error: 904
DECLARE x XMLTYPE; BEGIN NULL; END;
--> refused XMLTYPE
DECLARE x JSON_OBJECT_T; BEGIN NULL; END;
--> refused JSON_OBJECT_T
DECLARE x SYS.ANYDATA; BEGIN NULL; END;
--> refused ANYDATA
