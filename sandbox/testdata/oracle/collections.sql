-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-collections-and-records.html
DECLARE
  TYPE population IS TABLE OF NUMBER INDEX BY VARCHAR2(64);
  city population;
  i VARCHAR2(64);
BEGIN
  city('Smallville') := 2000;
  city('Midland') := 750000;
  city('Megalopolis') := 1000000;
  city('Smallville') := 2001;
  i := city.FIRST;
  WHILE i IS NOT NULL LOOP
    dbms_output.put_line(i || ' ' || city(i));
    i := city.NEXT(i);
  END LOOP;
  dbms_output.put_line(city.COUNT || ' ' || city.LAST || ' ' || city.PRIOR('Midland'));
END;
--> print: Megalopolis 1000000
--> print: Midland 750000
--> print: Smallville 2001
--> print: 3 Smallville Megalopolis
DECLARE
  TYPE roster IS TABLE OF VARCHAR2(15);
  names roster := roster('Ann', 'Bob', 'Cid', 'Dee');
BEGIN
  names.DELETE(2);
  dbms_output.put_line(names.COUNT || ' ' || names.FIRST || ' ' || names.LAST || ' ' || names.NEXT(1));
  IF NOT names.EXISTS(2) AND names.EXISTS(3) AND NOT names.EXISTS(99) THEN dbms_output.put_line('gone'); END IF;
  names(2) := 'new';
  dbms_output.put_line(names(2));
  names.EXTEND;
  names(5) := 'Eve';
  names.EXTEND(2, 1);
  dbms_output.put_line(names.COUNT || names(7));
  names.TRIM;
  names.TRIM(2);
  dbms_output.put_line(names.COUNT || names(names.LAST));
  names.DELETE;
  dbms_output.put_line(names.COUNT || CASE WHEN names.FIRST IS NULL THEN ' empty' END);
END;
--> print: 3 1 4 3
--> print: gone
--> print: new
--> print: 7Ann
--> print: 4Dee
--> print: 0 empty
DECLARE
  TYPE numbers IS TABLE OF NUMBER;
  a numbers;
  b numbers := numbers();
BEGIN
  dbms_output.put_line(CASE WHEN a IS NULL THEN 'null ' END || CASE WHEN b IS NOT NULL THEN 'empty ' END || b.COUNT);
  dbms_output.put_line(a.COUNT);
END;
--> print: null empty 0
--> error: 6531
DECLARE TYPE t IS TABLE OF NUMBER; x t := t(1, 2); BEGIN x.DELETE(1); dbms_output.put_line(x(1)); EXCEPTION WHEN NO_DATA_FOUND THEN dbms_output.put_line('deleted'); END;
--> print: deleted
DECLARE TYPE t IS TABLE OF NUMBER; x t := t(1, 2); BEGIN x.TRIM(3); END;
--> error: 6533
DECLARE TYPE t IS TABLE OF NUMBER INDEX BY PLS_INTEGER; x t; BEGIN x(NULL) := 1; END;
--> error: 6502
DECLARE
  TYPE t IS TABLE OF NUMBER INDEX BY PLS_INTEGER;
  x t;
BEGIN
  x(-5) := 1; x(100) := 2; x(0) := 3;
  dbms_output.put_line(x.FIRST || ' ' || x.LAST || ' ' || x.NEXT(-5) || ' ' || x.COUNT);
  x.DELETE(-5, 0);
  dbms_output.put_line(x.COUNT || CASE WHEN x.NEXT(100) IS NULL THEN ' end' END);
END;
--> print: -5 100 0 3
--> print: 1 end
DECLARE TYPE t IS VARRAY(3) OF NUMBER; x t := t(1, 2); BEGIN x.EXTEND; END;
--> refused VARRAY
-- Records.
CREATE TABLE emps (id NUMBER PRIMARY KEY, name VARCHAR2(10) NOT NULL, salary NUMBER DEFAULT 10);
--> ok
BEGIN
  FOR i IN 1..5 LOOP INSERT INTO emps VALUES (i, 'E' || i, i * 100); END LOOP;
END;
--> ok
DECLARE
  TYPE point IS RECORD (x NUMBER := 1, y NUMBER DEFAULT 2, label VARCHAR2(5));
  TYPE line IS RECORD (a point, b point);
  l line;
  p point;
  e emps%ROWTYPE;
BEGIN
  l.b.x := 9;
  p := l.b;
  dbms_output.put_line(l.a.x || l.a.y || p.x || p.y || '[' || p.label || ']');
  SELECT * INTO e FROM emps WHERE id = 3;
  e.id := 30;
  e.name := 'copy';
  INSERT INTO emps VALUES (e.id, e.name, e.salary);
  SELECT salary INTO p.x FROM emps WHERE id = e.id;
  dbms_output.put_line(e.name || p.x);
  DELETE FROM emps WHERE id = 30;
END;
--> print: 1292[]
--> print: copy300
DECLARE e emps%ROWTYPE; BEGIN e.id := 31; e.name := 'row'; INSERT INTO emps VALUES e; END;
--> refused a record
DECLARE a emps%ROWTYPE; b emps%ROWTYPE; BEGIN IF a = b THEN NULL; END IF; END;
--> error: 6550
DECLARE r emps%ROWTYPE; BEGIN r.name := 'longer than ten'; END;
--> error: 6502
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-optimization-and-tuning.html
DECLARE
  TYPE ids IS TABLE OF emps.id%TYPE;
  TYPE rows_t IS TABLE OF emps%ROWTYPE;
  i ids;
  r rows_t;
BEGIN
  SELECT id BULK COLLECT INTO i FROM emps ORDER BY id DESC;
  dbms_output.put_line(i.COUNT || ' ' || i(1) || ' ' || SQL%ROWCOUNT);
  SELECT * BULK COLLECT INTO r FROM emps WHERE id > 3 ORDER BY id;
  dbms_output.put_line(r.COUNT || ' ' || r(2).name);
  SELECT id BULK COLLECT INTO i FROM emps WHERE id > 99;
  dbms_output.put_line(i.COUNT);
END;
--> print: 5 5 5
--> print: 2 E5
--> print: 0
DECLARE
  CURSOR c IS SELECT id FROM emps ORDER BY id;
  TYPE ids IS TABLE OF NUMBER INDEX BY PLS_INTEGER;
  i ids;
BEGIN
  OPEN c;
  LOOP
    FETCH c BULK COLLECT INTO i LIMIT 2;
    EXIT WHEN i.COUNT = 0;
    dbms_output.put_line(i.COUNT || ' from ' || i(1) || CASE WHEN c%NOTFOUND THEN ' last' END);
  END LOOP;
  CLOSE c;
END;
--> print: 2 from 1
--> print: 2 from 3
--> print: 1 from 5 last
DECLARE
  TYPE ids IS TABLE OF NUMBER;
  i ids := ids(1, 3, 5);
BEGIN
  FORALL k IN 1..i.COUNT UPDATE emps SET salary = salary + 1 WHERE id <= i(k);
  dbms_output.put_line(SQL%ROWCOUNT || ' ' || SQL%BULK_ROWCOUNT(1) || SQL%BULK_ROWCOUNT(2) || SQL%BULK_ROWCOUNT(3));
  ROLLBACK;
END;
--> print: 9 135
SELECT COUNT(*) FROM emps;
--> 0
BEGIN
  FOR i IN 1..5 LOOP INSERT INTO emps VALUES (i, 'E' || i, i * 100); END LOOP;
  COMMIT;
END;
--> ok
DECLARE
  TYPE names IS TABLE OF VARCHAR2(20);
  n names := names('ok', 'much too long for it', NULL, 'fine');
  failed EXCEPTION;
  PRAGMA EXCEPTION_INIT(failed, -24381);
BEGIN
  FORALL k IN n.FIRST..n.LAST SAVE EXCEPTIONS UPDATE emps SET name = n(k) WHERE id = k;
EXCEPTION WHEN failed THEN
  dbms_output.put_line(SQL%BULK_EXCEPTIONS.COUNT);
  FOR k IN 1..SQL%BULK_EXCEPTIONS.COUNT LOOP
    dbms_output.put_line(SQL%BULK_EXCEPTIONS(k).ERROR_INDEX || ': ' || SQL%BULK_EXCEPTIONS(k).ERROR_CODE);
  END LOOP;
END;
--> print: 2
--> print: 2: 12899
--> print: 3: 1407
SELECT id, name FROM emps WHERE id <= 4 ORDER BY id;
--> 1 | ok
--> 2 | E2
--> 3 | E3
--> 4 | fine
DECLARE
  TYPE ids IS TABLE OF NUMBER;
  i ids := ids(10, 1, 11);
BEGIN
  FORALL k IN 1..3 INSERT INTO emps VALUES (i(k), 'new', 0);
EXCEPTION WHEN DUP_VAL_ON_INDEX THEN dbms_output.put_line(SQL%BULK_ROWCOUNT(1));
END;
--> print: 1
SELECT COUNT(*) FROM emps WHERE name = 'new';
--> 1
DECLARE
  TYPE ids IS TABLE OF NUMBER INDEX BY PLS_INTEGER;
  i ids;
BEGIN
  i(1) := 1; i(5) := 5;
  FORALL k IN INDICES OF i DELETE FROM emps WHERE id = i(k);
END;
--> refused INDICES OF
DECLARE
  TYPE ids IS TABLE OF NUMBER INDEX BY PLS_INTEGER;
  i ids;
BEGIN
  i(1) := 1; i(2) := 5;
  FORALL k IN i.FIRST..i.LAST DELETE FROM emps WHERE id = i(k);
  dbms_output.put_line(SQL%ROWCOUNT);
END;
--> print: 2
DECLARE
  TYPE ids IS TABLE OF NUMBER;
  gone ids;
BEGIN
  DELETE FROM emps WHERE id IN (3, 4) RETURNING id BULK COLLECT INTO gone;
  dbms_output.put_line(gone.COUNT);
END;
--> print: 2
DECLARE TYPE ids IS TABLE OF NUMBER; i ids := ids(); BEGIN FORALL k IN 1..i.COUNT DELETE FROM emps WHERE id = i(k); dbms_output.put_line(NVL(TO_CHAR(SQL%ROWCOUNT), 'none')); END;
--> print: 0
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/static-sql.html
DECLARE
  CURSOR c (low NUMBER DEFAULT 0) IS SELECT id, name AS who FROM emps WHERE id > low ORDER BY id;
  r c%ROWTYPE;
BEGIN
  dbms_output.put_line(CASE WHEN c%ISOPEN THEN 'open' ELSE 'closed' END);
  OPEN c(1);
  dbms_output.put_line(c%ROWCOUNT || CASE WHEN c%FOUND IS NULL THEN ' null' END);
  LOOP
    FETCH c INTO r;
    EXIT WHEN c%NOTFOUND;
    dbms_output.put_line(c%ROWCOUNT || ' ' || r.id || ' ' || r.who);
  END LOOP;
  dbms_output.put_line(c%ROWCOUNT);
  CLOSE c;
  FOR x IN c(5) LOOP dbms_output.put_line(x.who); END LOOP;
  CLOSE c;
END;
--> print: closed
--> print: 0 null
--> print: 1 2 E2
--> print: 2 10 new
--> print: 2
--> print: new
--> error: 1001
BEGIN
  FOR r IN (SELECT id, salary * 2 AS twice FROM emps WHERE id = 2) LOOP dbms_output.put_line(r.id || ' ' || r.twice); END LOOP;
  UPDATE emps SET salary = 7 WHERE id = 99;
  dbms_output.put_line(SQL%ROWCOUNT || CASE WHEN SQL%FOUND THEN ' found' ELSE ' not found' END || CASE WHEN SQL%ISOPEN THEN ' open' ELSE ' closed' END);
END;
--> print: 2 400
--> print: 0 not found closed
DECLARE CURSOR c IS SELECT id FROM emps; BEGIN dbms_output.put_line(c%ROWCOUNT); END;
--> error: 1001
DECLARE
  CURSOR c IS SELECT id, salary FROM emps FOR UPDATE OF salary;
BEGIN
  FOR r IN c LOOP
    IF r.id = 2 THEN UPDATE emps SET salary = 222 WHERE CURRENT OF c; END IF;
  END LOOP;
END;
--> refused WHERE CURRENT OF
DECLARE
  TYPE weak IS REF CURSOR;
  c weak;
  s SYS_REFCURSOR;
  n NUMBER;
  FUNCTION below (top NUMBER) RETURN SYS_REFCURSOR IS r SYS_REFCURSOR; BEGIN OPEN r FOR SELECT id FROM emps WHERE id < top ORDER BY id; RETURN r; END;
BEGIN
  s := below(11);
  c := s;
  FETCH c INTO n;
  dbms_output.put_line(n);
  FETCH s INTO n;
  dbms_output.put_line(n || CASE WHEN s%FOUND THEN ' found' END);
  CLOSE s;
  FETCH c INTO n;
END;
--> print: 2
--> print: 10 found
--> error: 1001
DECLARE CURSOR c IS SELECT id FROM emps; n NUMBER; BEGIN OPEN c; CLOSE c; FETCH c INTO n; END;
--> error: 1001
