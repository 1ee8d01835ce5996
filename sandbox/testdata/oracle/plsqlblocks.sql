-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-control-statements.html
DECLARE
  total NUMBER := 0;
BEGIN
  FOR i IN 1..4 LOOP
    CONTINUE WHEN i = 2;
    total := total + i;
  END LOOP;
  FOR i IN REVERSE 1..3 LOOP dbms_output.put_line(i); END LOOP;
  dbms_output.put_line('total ' || total);
END;
--> print: 3
--> print: 2
--> print: 1
--> print: total 8
DECLARE
  n PLS_INTEGER := 0;
BEGIN
  WHILE n < 10 LOOP n := n + 3; END LOOP;
  LOOP
    n := n - 5;
    EXIT WHEN n < 0;
  END LOOP;
  dbms_output.put_line(n);
END;
--> print: -3
BEGIN
  <<outer_loop>>
  FOR i IN 1..3 LOOP
    FOR j IN 1..3 LOOP
      EXIT outer_loop WHEN i * j = 4;
      CONTINUE outer_loop WHEN j > i;
      dbms_output.put_line(i || j);
    END LOOP;
  END LOOP outer_loop;
END;
--> print: 11
--> print: 21
BEGIN FOR i IN 5..1 LOOP dbms_output.put_line('never'); END LOOP; END;
--> ok
DECLARE
  PROCEDURE grade (score NUMBER) IS
  BEGIN
    IF score >= 90 THEN dbms_output.put_line('A');
    ELSIF score >= 80 THEN dbms_output.put_line('B');
    ELSIF score IS NULL THEN dbms_output.put_line('none');
    ELSE dbms_output.put_line('C');
    END IF;
  END;
BEGIN
  grade(95); grade(80); grade(NULL); grade(1);
END;
--> print: A
--> print: B
--> print: none
--> print: C
DECLARE
  b BOOLEAN;
BEGIN
  IF b THEN dbms_output.put_line('true'); ELSIF NOT b THEN dbms_output.put_line('false'); ELSE dbms_output.put_line('null'); END IF;
  b := 1 < 2 AND NOT (1 > 2);
  dbms_output.put_line(CASE b WHEN TRUE THEN 'yes' ELSE 'no' END);
  CASE WHEN b IS NULL THEN NULL; WHEN b THEN dbms_output.put_line('searched'); END CASE;
END;
--> print: null
--> print: yes
--> print: searched
DECLARE
  n NUMBER := 1;
BEGIN
  GOTO done;
  n := 2;
  <<done>>
  dbms_output.put_line(n);
END;
--> refused GOTO
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-language-fundamentals.html
DECLARE
  v VARCHAR2(10) DEFAULT 'outer';
BEGIN
  <<b>>
  DECLARE
    v VARCHAR2(10) := 'inner';
  BEGIN
    dbms_output.put_line(v || ' ' || b.v);
  END b;
  dbms_output.put_line(v);
END;
--> print: inner inner
--> print: outer
DECLARE
  a NUMBER;
  s VARCHAR2(20);
BEGIN
  dbms_output.put_line('[' || a || s || ']');
  IF s IS NULL AND LENGTH(s) IS NULL AND a || '' IS NULL THEN dbms_output.put_line('all null'); END IF;
  s := q'!it's!' || CHR(33);
  dbms_output.put_line(s); -- a comment
  /* and another */
  dbms_output.put_line(3 ** 2 + 10 MOD 4);
END;
--> print: []
--> print: all null
--> print: it's!
--> print: 11
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-data-types.html
DECLARE
  SUBTYPE percentage IS PLS_INTEGER RANGE 0..100;
  p percentage := 100;
BEGIN
  p := p + 1;
END;
--> refused SUBTYPE
DECLARE
  i PLS_INTEGER := 2.5;
  n NUMBER(5,1) := 2.25;
BEGIN
  dbms_output.put_line(i || ' ' || n);
  n := 12345;
END;
--> print: 3 2.3
--> error: 6502
DECLARE
  c CHAR(5) := 'ab';
  v VARCHAR2(5) := 'ab';
BEGIN
  dbms_output.put_line(LENGTH(c) || CASE WHEN c = 'ab' THEN ' padded' END || CASE WHEN c = v THEN ' same' ELSE ' differs' END);
END;
--> print: 5 padded differs
DECLARE
  d DATE := DATE '2026-03-05';
BEGIN
  d := d + 1;
  dbms_output.put_line(d || ' ' || TO_CHAR(d, 'YYYY-MM-DD') || ' ' || (d - DATE '2026-03-01'));
  d := 'nonsense';
END;
--> print: 06-MAR-26 2026-03-06 5
--> error: 1858
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-subprograms.html
DECLARE
  PROCEDURE greet (who VARCHAR2, greeting VARCHAR2 := 'Hello', mark VARCHAR2 DEFAULT '!') IS
  BEGIN dbms_output.put_line(greeting || ' ' || who || mark); END;
BEGIN
  greet('Ann');
  greet('Bob', 'Hi');
  greet(mark => '?', who => 'Cid');
  greet('Dee', mark => '.');
END;
--> print: Hello Ann!
--> print: Hi Bob!
--> print: Hello Cid?
--> print: Hello Dee.
DECLARE
  a NUMBER := 1;
  b NUMBER := 2;
  PROCEDURE swap (x IN OUT NUMBER, y IN OUT NUMBER) IS t NUMBER := x; BEGIN x := y; y := t; END;
  PROCEDURE give (x OUT NUMBER) IS BEGIN IF x IS NULL THEN x := 9; END IF; END;
BEGIN
  swap(a, b);
  dbms_output.put_line(a || b);
  give(a);
  dbms_output.put_line(a);
END;
--> print: 21
--> print: 9
DECLARE
  n NUMBER := 1;
  PROCEDURE fails (x IN OUT NUMBER) IS BEGIN x := 5; RAISE ZERO_DIVIDE; END;
BEGIN
  BEGIN fails(n); EXCEPTION WHEN ZERO_DIVIDE THEN NULL; END;
  dbms_output.put_line(n);
END;
--> print: 1
DECLARE
  FUNCTION fac (n PLS_INTEGER) RETURN NUMBER IS BEGIN RETURN CASE WHEN n <= 1 THEN 1 ELSE n * fac(n - 1) END; END;
BEGIN dbms_output.put_line(fac(10) || ' ' || fac(30)); END;
--> print: 3628800 265252859812191058636308480000000
DECLARE
  PROCEDURE show (n NUMBER) IS BEGIN dbms_output.put_line('number ' || n); END;
  PROCEDURE show (s VARCHAR2) IS BEGIN dbms_output.put_line('text ' || s); END;
  PROCEDURE show (d DATE) IS BEGIN dbms_output.put_line('date ' || TO_CHAR(d, 'YYYY')); END;
BEGIN show(1); show('1'); show(DATE '2026-01-01'); END;
--> print: number 1
--> print: text 1
--> print: date 2026
DECLARE
  PROCEDURE b; -- forward
  PROCEDURE a IS BEGIN b; END;
  PROCEDURE b IS BEGIN dbms_output.put_line('b'); END;
BEGIN a; END;
--> print: b
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-packages.html
CREATE OR REPLACE PACKAGE counter IS
  step CONSTANT PLS_INTEGER := 2;
  calls PLS_INTEGER := 0;
  too_many EXCEPTION;
  PROCEDURE tick;
  FUNCTION value RETURN PLS_INTEGER;
END counter;
--> ok
CREATE OR REPLACE PACKAGE BODY counter IS
  n PLS_INTEGER;
  PROCEDURE tick IS
  BEGIN
    n := n + step;
    calls := calls + 1;
    IF calls > 3 THEN RAISE too_many; END IF;
  END;
  FUNCTION value RETURN PLS_INTEGER IS BEGIN RETURN n; END;
BEGIN
  n := 100;
END counter;
--> ok
BEGIN counter.tick; counter.tick; dbms_output.put_line(counter.value || ' ' || counter.calls); END;
--> print: 104 2
BEGIN counter.tick; dbms_output.put_line(counter.value || ' ' || counter.calls); END;
--> print: 106 3
BEGIN counter.tick; EXCEPTION WHEN counter.too_many THEN dbms_output.put_line('too many'); END;
--> print: too many
BEGIN counter.n := 1; END;
--> error: 6550 PLS-00302: component 'N' must be declared
SELECT counter.value, counter.value() FROM dual;
--> 108 | 108
SELECT counter.step FROM dual;
--> error: 6553 is not a procedure or is undefined
CREATE OR REPLACE PACKAGE BODY counter IS
  PROCEDURE tick IS BEGIN calls := calls + 1; END;
  FUNCTION value RETURN PLS_INTEGER IS BEGIN RETURN calls; END;
END;
--> ok
BEGIN counter.tick; dbms_output.put_line(counter.value); END;
--> error: 4068 existing state of packages has been discarded
BEGIN counter.tick; dbms_output.put_line(counter.value); END;
--> print: 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/CREATE-FUNCTION-statement.html
CREATE OR REPLACE FUNCTION tax (amount NUMBER, rate NUMBER DEFAULT 0.2) RETURN NUMBER DETERMINISTIC IS BEGIN RETURN amount * rate; END tax;
--> ok
SELECT tax(100), tax(100, 0.1), tax(amount => 50) FROM dual;
--> 20 | 10 | 10
SELECT tax FROM dual;
--> error: 6553 PLS-306: wrong number or types of arguments in call to 'TAX'
CREATE OR REPLACE PROCEDURE add_one (n IN OUT NUMBER) AS BEGIN n := n + 1; END;
--> ok
DECLARE n NUMBER := 1; BEGIN add_one(n); add_one(n => n); dbms_output.put_line(n); END;
--> print: 3
CREATE OR REPLACE FUNCTION writes RETURN NUMBER IS BEGIN INSERT INTO counted VALUES (1); RETURN 1; END;
--> ok
CREATE TABLE counted (n NUMBER);
--> ok
SELECT writes FROM dual;
--> refused DML in a function
DECLARE n NUMBER; BEGIN n := writes; dbms_output.put_line(SQL%ROWCOUNT); END;
--> print: 1
DROP FUNCTION tax;
--> ok
DROP FUNCTION tax;
--> error: 4043
