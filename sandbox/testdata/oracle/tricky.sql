-- What surprises those who come from other engines.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Data-Type-Comparison-Rules.html
CREATE TABLE t (id NUMBER PRIMARY KEY, g VARCHAR2(5), n NUMBER, d DATE, c CHAR(3));
--> ok
BEGIN
  INSERT INTO t VALUES (1, 'a', 10, DATE '2026-01-01', 'x');
  INSERT INTO t VALUES (2, 'a', 20, DATE '2026-01-02', 'xy');
  INSERT INTO t VALUES (3, 'B', NULL, NULL, NULL);
  INSERT INTO t VALUES (4, 'b', 5, DATE '2026-02-01', 'xyz');
  COMMIT;
END;
--> ok
SELECT g FROM t WHERE g > 'A' AND g < 'a';
--> B
SELECT id FROM t WHERE c = 'x';
--> 1
SELECT '[' || c || ']', LENGTH(c) FROM t ORDER BY id;
--> [x  ] | 3
--> [xy ] | 3
--> [] | NULL
--> [xyz] | 3
SELECT id FROM t WHERE c LIKE 'x';
--> rows: 0
SELECT id FROM t WHERE TRIM(c) = 'xy';
--> 2
SELECT id FROM t WHERE c IN ('x', 'xyz') ORDER BY id;
--> 1
--> 4
SELECT COUNT(*) FROM t WHERE g = 'A' OR UPPER(g) = 'A';
--> 2
SELECT MIN(g), MAX(g) FROM t;
--> B | b
SELECT id FROM t ORDER BY g, id;
--> 3
--> 1
--> 2
--> 4
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SELECT.html
SELECT g, SUM(n) FROM t GROUP BY g ORDER BY 2 NULLS FIRST;
--> B | NULL
--> b | 5
--> a | 30
SELECT UPPER(g), COUNT(n), COUNT(*) FROM t GROUP BY UPPER(g) ORDER BY 1;
--> A | 2 | 2
--> B | 1 | 2
SELECT id AS g FROM t ORDER BY g DESC FETCH FIRST 1 ROW ONLY;
--> 4
SELECT n, id FROM t ORDER BY n;
--> 5 | 4
--> 10 | 1
--> 20 | 2
--> NULL | 3
SELECT 1 AS a FROM dual UNION ALL SELECT 3 FROM dual UNION ALL SELECT 2 FROM dual ORDER BY a;
--> 1
--> 2
--> 3
SELECT 1 FROM dual UNION ALL SELECT 1 FROM dual INTERSECT SELECT 2 FROM dual;
--> rows: 0
SELECT 2 FROM dual UNION (SELECT 1 FROM dual UNION ALL SELECT 1 FROM dual) ORDER BY 1;
--> 1
--> 2
SELECT COUNT(*), COUNT(DISTINCT g), SUM(DISTINCT n) FROM t, (SELECT 1 FROM dual UNION ALL SELECT 2 FROM dual);
--> 8 | 3 | 35
SELECT x.id, y.id FROM t x LEFT JOIN t y ON y.id = x.id + 2 AND y.n IS NOT NULL ORDER BY x.id;
--> 1 | NULL
--> 2 | 4
--> 3 | NULL
--> 4 | NULL
SELECT x.id FROM t x LEFT JOIN t y ON y.id = x.id + 2 WHERE y.n IS NOT NULL;
--> 2
SELECT COUNT(*) FROM t x FULL JOIN t y ON x.n = y.n;
--> 5
SELECT id FROM t WHERE id > 4 AND n = ANY (SELECT n FROM t);
--> refused = ANY
SELECT (SELECT n FROM t WHERE id = 99) FROM dual;
--> NULL
SELECT id FROM t WHERE ROWNUM <= 2 ORDER BY id DESC;
--> 2
--> 1
SELECT ROWNUM, id FROM t WHERE id > 2 ORDER BY id;
--> 1 | 3
--> 2 | 4
SELECT DISTINCT g FROM t WHERE ROWNUM < 3;
--> a
SELECT id, n FROM t WHERE (g, n) IN (('a', 10), ('b', 5)) ORDER BY id;
--> 1 | 10
--> 4 | 5
SELECT CASE WHEN n > 5 THEN 'big' WHEN n <= 5 THEN 'small' ELSE 'unknown' END, COUNT(*) FROM t GROUP BY CASE WHEN n > 5 THEN 'big' WHEN n <= 5 THEN 'small' ELSE 'unknown' END ORDER BY 1;
--> big | 2
--> small | 1
--> unknown | 1
SELECT g, n, SUM(n) OVER (PARTITION BY g ORDER BY id) FROM t WHERE g = 'a' ORDER BY id;
--> a | 10 | 10
--> a | 20 | 30
SELECT id, RANK() OVER (ORDER BY n DESC NULLS LAST), ROW_NUMBER() OVER (ORDER BY id DESC) FROM t ORDER BY id;
--> 1 | 2 | 4
--> 2 | 1 | 3
--> 3 | 4 | 2
--> 4 | 3 | 1
SELECT g FROM t GROUP BY g HAVING SUM(n) IS NULL;
--> B
SELECT AVG(n), AVG(NVL(n, 0)) * 4, SUM(n) / COUNT(*) * 4 FROM t WHERE id IN (1, 2, 3);
--> 15 | 40 | 40
WITH x AS (SELECT id, n FROM t) SELECT a.id FROM x a WHERE NOT EXISTS (SELECT 1 FROM x b WHERE b.n > a.n) ORDER BY id;
--> 2
--> 3
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Data-Types.html
SELECT d + 1.5 FROM t WHERE id = 1;
--> 2026-01-02 12:00:00
SELECT MAX(d) - MIN(d) FROM t;
--> 31
SELECT TO_CHAR(d, 'MON') m, COUNT(*) FROM t WHERE d IS NOT NULL GROUP BY TO_CHAR(d, 'MON') ORDER BY MIN(d);
--> JAN | 2
--> FEB | 1
SELECT TRUNC(d, 'MM'), SUM(n) FROM t GROUP BY TRUNC(d, 'MM') ORDER BY 1;
--> 2026-01-01 | 30
--> 2026-02-01 | 5
--> NULL | NULL
SELECT TO_NUMBER(TO_CHAR(d, 'DD')) + 1 FROM t WHERE id = 2;
--> 3
SELECT TO_CHAR(n / 3, 'FM990.00'), ROUND(n / 3), TO_CHAR(ROUND(n / 3, 2)) FROM t WHERE id = 1;
--> 3.33 | 3 | 3.33
SELECT id || g || n || TO_CHAR(d, 'DD') FROM t ORDER BY id;
--> 1a1001
--> 2a2002
--> 3B
--> 4b501
SELECT NVL(n, 0) + 1, COALESCE(n, id, 0), NULLIF(n, 10) FROM t ORDER BY id;
--> 11 | 10 | NULL
--> 21 | 20 | 20
--> 1 | 3 | NULL
--> 6 | 5 | 5
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/UPDATE.html
UPDATE t SET n = n + 1, g = n WHERE id = 1;
--> affected: 1
SELECT n, g FROM t WHERE id = 1;
--> 11 | 10
UPDATE t SET n = NULL WHERE n IS NULL;
--> affected: 1
UPDATE t x SET n = (SELECT MAX(n) FROM t y WHERE y.id < x.id);
--> affected: 4
SELECT id, n FROM t ORDER BY id;
--> 1 | NULL
--> 2 | 11
--> 3 | 20
--> 4 | 20
UPDATE t SET d = DATE '2026-03-15', n = '7' WHERE id = 4;
--> affected: 1
UPDATE t SET d = '2026-03-15' WHERE id = 4;
--> error: 1861
UPDATE t SET id = CASE id WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE id END;
--> affected: 4
DELETE FROM t WHERE id IN (SELECT id FROM t WHERE n IS NULL);
--> affected: 1
INSERT INTO t (id, n) SELECT id + 100, n FROM t WHERE n > 10;
--> affected: 2
SELECT COUNT(*) FROM t;
--> 5
DELETE FROM t WHERE ROWNUM <= 2;
--> affected: 2
ROLLBACK;
--> ok
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-SEQUENCE.html
CREATE SEQUENCE s;
--> ok
INSERT INTO t (id) SELECT s.NEXTVAL + 10 FROM (SELECT 1 FROM dual CONNECT BY LEVEL <= 3);
--> affected: 3
SELECT s.CURRVAL, COUNT(*), MAX(id) FROM t GROUP BY s.CURRVAL;
--> error: 2287
SELECT MAX(id) FROM t;
--> 13
ROLLBACK;
--> ok
SELECT s.NEXTVAL FROM dual;
--> 4
SELECT s.NEXTVAL FROM dual WHERE 1 = 2;
--> rows: 0
SELECT s.CURRVAL FROM dual;
--> 4
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-language-fundamentals.html
DECLARE
  id NUMBER := 2;
  n NUMBER;
BEGIN
  SELECT COUNT(*) INTO n FROM t WHERE id = id;
  dbms_output.put_line(n);
END;
--> print: 4
DECLARE
  v VARCHAR2(10);
BEGIN
  v := '';
  IF v = '' THEN dbms_output.put_line('equal'); ELSIF v IS NULL THEN dbms_output.put_line('null'); END IF;
  IF NOT (v = 'x') THEN dbms_output.put_line('not x'); ELSE dbms_output.put_line('unknown'); END IF;
  v := 'a' || 1 + 2 || 'b';
EXCEPTION WHEN VALUE_ERROR THEN dbms_output.put_line('a1 is no number');
END;
--> print: null
--> print: unknown
--> print: a1 is no number
DECLARE
  n NUMBER := 5;
  v VARCHAR2(10) := '10';
BEGIN
  IF n < v THEN dbms_output.put_line('as numbers'); END IF;
  IF '5' < v THEN dbms_output.put_line('as text'); ELSE dbms_output.put_line('5 is behind 10'); END IF;
  dbms_output.put_line(n || v + 1);
END;
--> print: as numbers
--> print: 5 is behind 10
--> print: 511
DECLARE
  x PLS_INTEGER := 7;
  y PLS_INTEGER := 2;
BEGIN
  dbms_output.put_line(x / y);
  x := x / y;
  dbms_output.put_line(x);
  dbms_output.put_line(TRUNC(7 / 2) || MOD(-7, 2));
END;
--> print: 3.5
--> print: 4
--> print: 3-1
DECLARE
  i NUMBER := 100;
BEGIN
  FOR i IN 1..2 LOOP NULL; END LOOP;
  dbms_output.put_line(i);
  FOR j IN 2.4..3.6 LOOP dbms_output.put_line(j); END LOOP;
END;
--> print: 100
--> print: 2
--> print: 3
--> print: 4
BEGIN
  FOR r IN (SELECT id, n FROM t WHERE id <= 2 ORDER BY id) LOOP
    UPDATE t SET n = r.n + 1 WHERE id = r.id;
    IF SQL%ROWCOUNT = 1 THEN dbms_output.put_line(r.id || '->' || (r.n + 1)); END IF;
  END LOOP;
  ROLLBACK;
  dbms_output.put_line(SQL%ROWCOUNT);
END;
--> print: 1->11
--> print: 2->21
--> print: 0
DECLARE
  TYPE r IS RECORD (a NUMBER, b VARCHAR2(10));
  x r;
  y r;
BEGIN
  x.a := 1;
  y := x;
  y.a := 2;
  dbms_output.put_line(x.a || y.a || NVL(y.b, '-'));
END;
--> print: 12-
DECLARE
  TYPE l IS TABLE OF NUMBER;
  a l := l(1, 2, 3);
  b l;
BEGIN
  b := a;
  b(1) := 99;
  a.DELETE(3);
  dbms_output.put_line(a(1) || ' ' || b(1) || ' ' || a.COUNT || ' ' || b.COUNT || ' ' || a.LAST);
  a.EXTEND;
  dbms_output.put_line(a.LAST || ' ' || a.COUNT);
END;
--> print: 1 99 2 3 2
--> print: 4 3
DECLARE
  FUNCTION f RETURN NUMBER IS BEGIN dbms_output.put_line('called'); RETURN 1; END;
BEGIN
  IF 1 = 2 AND f = 1 THEN NULL; END IF;
  IF 1 = 1 OR f = 1 THEN dbms_output.put_line('short'); END IF;
END;
--> print: short
