-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/dynamic-sql.html
BEGIN
  EXECUTE IMMEDIATE 'CREATE TABLE dyn (id NUMBER PRIMARY KEY, name VARCHAR2(20))';
  EXECUTE IMMEDIATE 'INSERT INTO dyn VALUES (:1, :2)' USING 1, 'one';
  EXECUTE IMMEDIATE 'INSERT INTO dyn VALUES (:id, :name)' USING 2, 'two';
  dbms_output.put_line(SQL%ROWCOUNT);
END;
--> print: 1
DECLARE
  n NUMBER;
  v VARCHAR2(20);
  r dyn%ROWTYPE;
BEGIN
  EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM dyn' INTO n;
  EXECUTE IMMEDIATE 'SELECT name FROM dyn WHERE id = :x' INTO v USING 2;
  EXECUTE IMMEDIATE 'SELECT * FROM dyn WHERE id = :x' INTO r USING 1;
  dbms_output.put_line(n || ' ' || v || ' ' || r.name);
END;
--> print: 2 two one
DECLARE n NUMBER; BEGIN EXECUTE IMMEDIATE 'BEGIN :x := :y * 2; END;' USING OUT n, IN 21; dbms_output.put_line(n); END;
--> print: 42
DECLARE n NUMBER := 5; BEGIN EXECUTE IMMEDIATE 'BEGIN :x := :x + :y; END;' USING IN OUT n, 3; dbms_output.put_line(n); END;
--> print: 8
DECLARE v VARCHAR2(20); BEGIN EXECUTE IMMEDIATE 'UPDATE dyn SET name = UPPER(name) WHERE id = :1 RETURNING name INTO :2' USING 1 RETURNING INTO v; dbms_output.put_line(v); END;
--> print: ONE
DECLARE TYPE t IS TABLE OF VARCHAR2(20); x t; BEGIN EXECUTE IMMEDIATE 'SELECT name FROM dyn ORDER BY id' BULK COLLECT INTO x; dbms_output.put_line(x(1) || x(2)); END;
--> print: ONEtwo
DECLARE v VARCHAR2(20); BEGIN EXECUTE IMMEDIATE 'SELECT name FROM dyn WHERE id = 99' INTO v; EXCEPTION WHEN NO_DATA_FOUND THEN dbms_output.put_line('none'); END;
--> print: none
DECLARE v VARCHAR2(20); BEGIN EXECUTE IMMEDIATE 'SELECT name FROM dyn' INTO v; END;
--> error: 1422
DECLARE v VARCHAR2(20); BEGIN EXECUTE IMMEDIATE 'SELECT id, name FROM dyn WHERE id = 1' INTO v; END;
--> error: 1007
BEGIN EXECUTE IMMEDIATE 'SELECT name FROM dyn'; dbms_output.put_line('not fetched'); END;
--> print: not fetched
BEGIN EXECUTE IMMEDIATE 'INSERT INTO dyn VALUES (:1, :2)' USING 3; END;
--> error: 1008 not all variables bound
BEGIN EXECUTE IMMEDIATE 'INSERT INTO dyn VALUES (:1, :2)' USING 3, 'x', 4; END;
--> error: 1006 bind variable does not exist
BEGIN EXECUTE IMMEDIATE 'SELEC 1 FROM dual'; END;
--> error: 900 invalid SQL statement
BEGIN EXECUTE IMMEDIATE 'SELECT 1 FROM no_such_table'; END;
--> error: 942
BEGIN EXECUTE IMMEDIATE 'INSERT INTO dyn VALUES (5, ''five'');'; END;
--> error: 911 invalid character
BEGIN EXECUTE IMMEDIATE 'BEGIN nothing; END;'; END;
--> error: 6550 PLS-00201
BEGIN EXECUTE IMMEDIATE 'BEGIN NULL; END'; END;
--> error: 6550 PLS-00103
DECLARE t VARCHAR2(100) := 'dyn'; n NUMBER; BEGIN EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM ' || DBMS_ASSERT.SIMPLE_SQL_NAME(t) INTO n; dbms_output.put_line(n); END;
--> print: 2
BEGIN dbms_output.put_line(DBMS_ASSERT.SIMPLE_SQL_NAME('dyn; DROP TABLE dyn')); END;
--> error: 44003
BEGIN dbms_output.put_line(DBMS_ASSERT.ENQUOTE_LITERAL('it is') || DBMS_ASSERT.ENQUOTE_NAME('dyn')); END;
--> print: 'it is'"DYN"
BEGIN EXECUTE IMMEDIATE 'SELECT 1 FROM :t' USING 'dyn'; END;
--> error: 903
DECLARE
  c SYS_REFCURSOR;
  v VARCHAR2(20);
BEGIN
  OPEN c FOR 'SELECT name FROM dyn WHERE id >= :low ORDER BY id' USING 1;
  LOOP FETCH c INTO v; EXIT WHEN c%NOTFOUND; dbms_output.put_line(v); END LOOP;
  CLOSE c;
END;
--> print: ONE
--> print: two
DECLARE stmt VARCHAR2(200) := 'BEGIN IF :b > 1 THEN :r := ''big''; ELSE :r := ''small''; END IF; END;'; r VARCHAR2(10); BEGIN EXECUTE IMMEDIATE stmt USING 5, OUT r; dbms_output.put_line(r); END;
--> print: big
BEGIN EXECUTE IMMEDIATE 'ALTER SESSION SET NLS_DATE_FORMAT = ''YYYY'''; dbms_output.put_line(DATE '2026-01-01'); END;
--> print: 2026
BEGIN EXECUTE IMMEDIATE 'BEGIN RAISE_APPLICATION_ERROR(-20005, ''from within''); END;'; EXCEPTION WHEN OTHERS THEN dbms_output.put_line(SQLCODE); END;
--> print: -20005
DECLARE n NUMBER := NULL; BEGIN EXECUTE IMMEDIATE 'INSERT INTO dyn VALUES (7, :1)' USING n; EXECUTE IMMEDIATE 'DELETE FROM dyn WHERE id = 7 AND name IS NULL'; dbms_output.put_line(SQL%ROWCOUNT); END;
--> print: 1
BEGIN EXECUTE IMMEDIATE 'INSERT INTO dyn VALUES (8, :1)' USING NULL; END;
--> error: 6550 PLS-00457
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_SQL.html
DECLARE
  c INTEGER := DBMS_SQL.OPEN_CURSOR;
  n INTEGER;
  id NUMBER;
  name VARCHAR2(20);
BEGIN
  DBMS_SQL.PARSE(c, 'SELECT id, name FROM dyn WHERE id > :low ORDER BY id', DBMS_SQL.NATIVE);
  DBMS_SQL.BIND_VARIABLE(c, ':low', 0);
  DBMS_SQL.DEFINE_COLUMN(c, 1, id);
  DBMS_SQL.DEFINE_COLUMN(c, 2, name, 20);
  n := DBMS_SQL.EXECUTE(c);
  WHILE DBMS_SQL.FETCH_ROWS(c) > 0 LOOP
    dbms_output.put_line('a row');
  END LOOP;
  DBMS_SQL.CLOSE_CURSOR(c);
  dbms_output.put_line(CASE WHEN c IS NULL THEN 'closed' END);
END;
--> print: a row
--> print: a row
--> print: closed
DECLARE c INTEGER := 1; n NUMBER; BEGIN DBMS_SQL.COLUMN_VALUE(c, 1, n); END;
--> refused DBMS_SQL.COLUMN_VALUE
DECLARE
  c INTEGER := DBMS_SQL.OPEN_CURSOR;
BEGIN
  DBMS_SQL.PARSE(c, 'UPDATE dyn SET name = :n WHERE id = :i', DBMS_SQL.NATIVE);
  DBMS_SQL.BIND_VARIABLE(c, 'n', 'uno');
  DBMS_SQL.BIND_VARIABLE(c, 'i', 1);
  dbms_output.put_line(DBMS_SQL.EXECUTE(c));
  DBMS_SQL.BIND_VARIABLE(c, 'i', 99);
  dbms_output.put_line(DBMS_SQL.EXECUTE(c));
  DBMS_SQL.CLOSE_CURSOR(c);
END;
--> print: 1
--> print: 0
DECLARE c INTEGER := DBMS_SQL.OPEN_CURSOR; BEGIN DBMS_SQL.PARSE(c, 'CREATE TABLE by_parse (a NUMBER)', DBMS_SQL.NATIVE); DBMS_SQL.CLOSE_CURSOR(c); END;
--> ok
SELECT COUNT(*) FROM by_parse;
--> 0
DECLARE c INTEGER := DBMS_SQL.OPEN_CURSOR; BEGIN DBMS_SQL.PARSE(c, 'SELECT nothing FROM dyn', DBMS_SQL.NATIVE); END;
--> error: 904
DECLARE c INTEGER; n INTEGER; d DBMS_SQL.DESC_TAB3; BEGIN
  c := DBMS_SQL.OPEN_CURSOR;
  DBMS_SQL.PARSE(c, 'SELECT id, name AS who FROM dyn', DBMS_SQL.NATIVE);
  DBMS_SQL.DESCRIBE_COLUMNS3(c, n, d);
  dbms_output.put_line(n || ' ' || d(1).col_name || ' ' || d(1).col_type || ' ' || d(2).col_name || ' ' || d(2).col_max_len);
  DBMS_SQL.CLOSE_CURSOR(c);
END;
--> print: 2 ID 2 WHO 20
