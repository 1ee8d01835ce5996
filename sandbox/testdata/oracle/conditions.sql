-- LEVEL is 1 for a root row; CONNECT BY conditions end the hierarchy.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Hierarchical-Queries.html
SELECT LEVEL FROM dual CONNECT BY LEVEL <= 3;
--> 1
--> 2
--> 3

-- A division by zero is predefined as ZERO_DIVIDE, ORA-01476.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-error-handling.html
DECLARE
  n NUMBER := 0;
BEGIN
  dbms_output.put_line('before');
  n := 1 / n;
EXCEPTION
  WHEN ZERO_DIVIDE THEN dbms_output.put_line(SQLCODE);
END;
--> print: before
--> print: -1476
CREATE TABLE t (id NUMBER PRIMARY KEY, at DATE);
--> ok
INSERT INTO t VALUES (1, DATE '2026-01-02');
--> affected: 1
SELECT id, at FROM t;
--> 1 | 2026-01-02
SELECT 1 / 0 FROM t;
--> error: 1476
