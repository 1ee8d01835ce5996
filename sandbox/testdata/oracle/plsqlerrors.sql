-- The predefined exceptions, their numbers and their texts.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-error-handling.html
CREATE TABLE people (id NUMBER PRIMARY KEY, name VARCHAR2(5));
--> ok
BEGIN
  INSERT INTO people VALUES (1, 'Ann');
  INSERT INTO people VALUES (2, 'Bob');
END;
--> ok
DECLARE v people.name%TYPE; BEGIN SELECT name INTO v FROM people WHERE id = 99; EXCEPTION WHEN NO_DATA_FOUND THEN dbms_output.put_line(SQLCODE || ' ' || SQLERRM); END;
--> print: 100 ORA-01403: no data found
DECLARE v people.name%TYPE; BEGIN SELECT name INTO v FROM people; EXCEPTION WHEN TOO_MANY_ROWS THEN dbms_output.put_line(SQLCODE || ' ' || SQLERRM); END;
--> print: -1422 ORA-01422: exact fetch returns more than requested number of rows
BEGIN INSERT INTO people VALUES (1, 'Ann'); EXCEPTION WHEN DUP_VAL_ON_INDEX THEN dbms_output.put_line(SQLCODE); END;
--> print: -1
DECLARE n NUMBER; BEGIN n := 'x'; EXCEPTION WHEN VALUE_ERROR THEN dbms_output.put_line(SQLERRM); END;
--> print: ORA-06502: PL/SQL: numeric or value error: character to number conversion error
DECLARE v VARCHAR2(2); BEGIN v := 'abc'; EXCEPTION WHEN VALUE_ERROR THEN dbms_output.put_line(SQLERRM); END;
--> print: ORA-06502: PL/SQL: numeric or value error: character string buffer too small
DECLARE n NUMBER(2); BEGIN n := 100; EXCEPTION WHEN VALUE_ERROR THEN dbms_output.put_line(SQLERRM); END;
--> print: ORA-06502: PL/SQL: numeric or value error: number precision too large
DECLARE n NUMBER; BEGIN SELECT TO_NUMBER(name) INTO n FROM people WHERE id = 1; EXCEPTION WHEN INVALID_NUMBER THEN dbms_output.put_line(SQLERRM); END;
--> print: ORA-01722: invalid number
DECLARE n NUMBER := 0; BEGIN n := 1 / n; EXCEPTION WHEN ZERO_DIVIDE THEN dbms_output.put_line(SQLERRM); END;
--> print: ORA-01476: divisor is equal to zero
DECLARE CURSOR c IS SELECT id FROM people; n NUMBER; BEGIN FETCH c INTO n; EXCEPTION WHEN INVALID_CURSOR THEN dbms_output.put_line(SQLERRM); END;
--> print: ORA-01001: invalid cursor
DECLARE CURSOR c IS SELECT id FROM people; BEGIN OPEN c; OPEN c; EXCEPTION WHEN CURSOR_ALREADY_OPEN THEN dbms_output.put_line(SQLERRM); END;
--> print: ORA-06511: PL/SQL: cursor already open
DECLARE n NUMBER := 3; BEGIN CASE n WHEN 1 THEN NULL; WHEN 2 THEN NULL; END CASE; EXCEPTION WHEN CASE_NOT_FOUND THEN dbms_output.put_line(SQLCODE); END;
--> print: -6592
DECLARE TYPE t IS TABLE OF NUMBER; x t; BEGIN x.EXTEND; EXCEPTION WHEN COLLECTION_IS_NULL THEN dbms_output.put_line(SQLERRM); END;
--> print: ORA-06531: Reference to uninitialized collection
DECLARE TYPE t IS TABLE OF NUMBER; x t := t(1); BEGIN x(2) := 1; EXCEPTION WHEN SUBSCRIPT_BEYOND_COUNT THEN dbms_output.put_line(SQLERRM); END;
--> print: ORA-06533: Subscript beyond count
DECLARE TYPE t IS TABLE OF NUMBER; x t := t(1); BEGIN x(-1) := 1; EXCEPTION WHEN SUBSCRIPT_OUTSIDE_LIMIT THEN dbms_output.put_line(SQLERRM); END;
--> print: ORA-06532: Subscript outside of limit
DECLARE TYPE t IS TABLE OF NUMBER INDEX BY PLS_INTEGER; x t; BEGIN dbms_output.put_line(x(1)); EXCEPTION WHEN NO_DATA_FOUND THEN dbms_output.put_line(SQLERRM); END;
--> print: ORA-01403: no data found
DECLARE c SYS_REFCURSOR; n NUMBER; v VARCHAR2(9); BEGIN OPEN c FOR SELECT id, name FROM people; FETCH c INTO n; EXCEPTION WHEN ROWTYPE_MISMATCH THEN dbms_output.put_line(SQLCODE); END;
--> print: -6504
DECLARE n PLS_INTEGER := 2147483647; BEGIN n := n + 1; EXCEPTION WHEN OTHERS THEN dbms_output.put_line(SQLCODE); END;
--> print: -1426

-- What leaves the block unhandled comes to the caller with the line where it was raised.
DECLARE v people.name%TYPE; BEGIN SELECT name INTO v FROM people; END;
--> error: 1422 ORA-06512: at line 1
BEGIN
  NULL;
  RAISE VALUE_ERROR;
END;
--> error: 6502 ORA-06512: at line 3
DECLARE mine EXCEPTION; BEGIN RAISE mine; END;
--> error: 6510 PL/SQL: unhandled user-defined exception
DECLARE mine EXCEPTION; BEGIN RAISE mine; EXCEPTION WHEN mine THEN dbms_output.put_line(SQLCODE || ': ' || SQLERRM); END;
--> print: 1: User-Defined Exception
DECLARE
  gone EXCEPTION;
  PRAGMA EXCEPTION_INIT(gone, -942);
BEGIN
  EXECUTE IMMEDIATE 'DROP TABLE no_such_table';
EXCEPTION
  WHEN gone THEN dbms_output.put_line('not there: ' || SQLCODE);
END;
--> print: not there: -942
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-error-handling.html
BEGIN RAISE_APPLICATION_ERROR(-20001, 'No such person'); END;
--> error: 20001 ORA-20001: No such person ORA-06512: at line 1
BEGIN RAISE_APPLICATION_ERROR(-20000 - 999, 'still ours'); EXCEPTION WHEN OTHERS THEN dbms_output.put_line(SQLCODE || '|' || SQLERRM); END;
--> print: -20999|ORA-20999: still ours
BEGIN RAISE_APPLICATION_ERROR(-19999, 'not ours'); END;
--> error: 21000
BEGIN
  BEGIN
    RAISE NO_DATA_FOUND;
  EXCEPTION WHEN NO_DATA_FOUND THEN RAISE_APPLICATION_ERROR(-20002, 'outer', TRUE);
  END;
EXCEPTION WHEN OTHERS THEN dbms_output.put_line(SUBSTR(DBMS_UTILITY.FORMAT_ERROR_STACK, 1, 16)); dbms_output.put_line(CASE WHEN DBMS_UTILITY.FORMAT_ERROR_STACK LIKE '%ORA-01403: no data found%' THEN 'keeps the cause' END);
END;
--> print: ORA-20002: outer
--> print: keeps the cause
DECLARE
  PROCEDURE inner_one IS BEGIN RAISE ZERO_DIVIDE; END;
BEGIN
  inner_one;
EXCEPTION WHEN OTHERS THEN dbms_output.put_line(REPLACE(DBMS_UTILITY.FORMAT_ERROR_BACKTRACE, CHR(10), ' '));
END;
--> print: ORA-06512: at line 2 ORA-06512: at line 4
BEGIN
  BEGIN RAISE VALUE_ERROR; EXCEPTION WHEN NO_DATA_FOUND THEN dbms_output.put_line('wrong'); END;
  dbms_output.put_line('not reached');
EXCEPTION
  WHEN ZERO_DIVIDE OR VALUE_ERROR THEN dbms_output.put_line('outer handler');
END;
--> print: outer handler
BEGIN
  BEGIN RAISE ZERO_DIVIDE; EXCEPTION WHEN OTHERS THEN dbms_output.put_line('once'); RAISE; END;
EXCEPTION WHEN ZERO_DIVIDE THEN dbms_output.put_line('again ' || SQLCODE);
END;
--> print: once
--> print: again -1476
DECLARE
  n NUMBER(1) := 10;
BEGIN
  NULL;
EXCEPTION WHEN OTHERS THEN dbms_output.put_line('a declaration is not covered by its own block');
END;
--> error: 6502
BEGIN
  RAISE NO_DATA_FOUND;
EXCEPTION WHEN NO_DATA_FOUND THEN RAISE ZERO_DIVIDE;
  WHEN ZERO_DIVIDE THEN dbms_output.put_line('not its own');
END;
--> error: 1476
BEGIN dbms_output.put_line(SQLCODE || SQLERRM); END;
--> print: 0ORA-0000: normal, successful completion
BEGIN
  BEGIN RAISE ZERO_DIVIDE; EXCEPTION WHEN OTHERS THEN NULL; END;
  dbms_output.put_line(SQLCODE);
END;
--> print: 0
DECLARE
  FUNCTION half (n NUMBER) RETURN NUMBER IS BEGIN IF n > 0 THEN RETURN n / 2; END IF; END;
BEGIN
  dbms_output.put_line(half(4));
  dbms_output.put_line(half(-1));
END;
--> print: 2
--> error: 6503 PL/SQL: Function returned without value
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/SQLERRM-function.html
BEGIN dbms_output.put_line(SQLERRM(-1)); dbms_output.put_line(SQLERRM(-20123)); dbms_output.put_line(SQLERRM(1)); END;
--> print: ORA-00001: unique constraint (.) violated
--> print: ORA-20123:
--> print: User-Defined Exception
CREATE OR REPLACE PROCEDURE fails (p NUMBER) IS
BEGIN
  IF p = 0 THEN
    RAISE_APPLICATION_ERROR(-20010, 'zero');
  END IF;
  fails(p - 1);
END;
--> ok
BEGIN fails(1); END;
--> error: 20010 ORA-20010: zero ORA-06512: at "APP.FAILS", line 4 ORA-06512: at "APP.FAILS", line 6 ORA-06512: at line 1
CALL fails(0);
--> error: 20010
-- In SQL, a function's NO_DATA_FOUND is no error: the statement gets NULL.
CREATE OR REPLACE FUNCTION name_of (p NUMBER) RETURN VARCHAR2 IS
  v people.name%TYPE;
BEGIN
  SELECT name INTO v FROM people WHERE id = p;
  RETURN v;
END;
--> ok
SELECT name_of(1), name_of(99) FROM dual;
--> Ann | NULL
SELECT name_of('x') FROM dual;
--> error: 6502
