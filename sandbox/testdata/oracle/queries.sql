-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Joins.html
CREATE TABLE depts (id NUMBER PRIMARY KEY, name VARCHAR2(10));
--> ok
CREATE TABLE emps (id NUMBER PRIMARY KEY, name VARCHAR2(10), dept_id NUMBER, boss NUMBER, salary NUMBER);
--> ok
BEGIN
  INSERT INTO depts VALUES (1, 'IT');
  INSERT INTO depts VALUES (2, 'HR');
  INSERT INTO depts VALUES (3, 'Law');
  INSERT INTO emps VALUES (1, 'Ann', 1, NULL, 300);
  INSERT INTO emps VALUES (2, 'Bob', 1, 1, 200);
  INSERT INTO emps VALUES (3, 'Cid', 2, 1, 250);
  INSERT INTO emps VALUES (4, 'Dee', NULL, 2, 100);
  COMMIT;
END;
--> ok
SELECT e.name, d.name FROM emps e JOIN depts d ON d.id = e.dept_id ORDER BY e.id;
--> Ann | IT
--> Bob | IT
--> Cid | HR
SELECT e.name, d.name FROM emps e, depts d WHERE d.id = e.dept_id AND d.name = 'HR';
--> Cid | HR
SELECT e.name, d.name FROM emps e LEFT JOIN depts d ON d.id = e.dept_id ORDER BY e.id;
--> Ann | IT
--> Bob | IT
--> Cid | HR
--> Dee | NULL
SELECT d.name, e.name FROM emps e RIGHT OUTER JOIN depts d ON d.id = e.dept_id ORDER BY d.id, e.id;
--> IT | Ann
--> IT | Bob
--> HR | Cid
--> Law | NULL
SELECT COUNT(*) FROM emps e FULL OUTER JOIN depts d ON d.id = e.dept_id;
--> 5
SELECT COUNT(*) FROM emps CROSS JOIN depts;
--> 12
SELECT d.name FROM depts d LEFT JOIN emps e ON e.dept_id = d.id WHERE e.id IS NULL;
--> Law
SELECT w.name || '<' || b.name FROM emps w JOIN emps b ON b.id = w.boss ORDER BY w.id;
--> Bob<Ann
--> Cid<Ann
--> Dee<Bob
SELECT id FROM depts JOIN (SELECT dept_id AS id, COUNT(*) AS n FROM emps GROUP BY dept_id) USING (id) WHERE n > 1;
--> 1
SELECT COUNT(*) FROM depts NATURAL JOIN (SELECT 1 AS id FROM dual);
--> refused NATURAL
SELECT id FROM emps, depts;
--> error: 918 column ambiguously defined
SELECT e.nothing FROM emps e;
--> error: 904 "E"."NOTHING": invalid identifier
SELECT emps.name FROM emps e;
--> error: 904
SELECT x.* FROM emps e;
--> error: 904
SELECT * FROM nowhere;
--> error: 942 table or view does not exist
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Using-Subqueries.html
SELECT name FROM emps e WHERE salary > (SELECT AVG(salary) FROM emps WHERE dept_id = e.dept_id) ORDER BY id;
--> Ann
SELECT name FROM emps WHERE (dept_id, salary) IN (SELECT dept_id, MAX(salary) FROM emps GROUP BY dept_id) ORDER BY id;
--> Ann
--> Cid
SELECT name, (SELECT d.name FROM depts d WHERE d.id = e.dept_id) FROM emps e WHERE id > 2 ORDER BY id;
--> Cid | HR
--> Dee | NULL
SELECT name FROM emps WHERE id = (SELECT id FROM emps);
--> error: 1427 single-row subquery returns more than one row
SELECT name FROM emps WHERE id IN (SELECT id, name FROM emps);
--> error: 913
SELECT name FROM emps WHERE salary >= ALL (SELECT salary FROM emps);
--> refused >= ALL
SELECT name FROM depts d WHERE EXISTS (SELECT NULL FROM emps WHERE dept_id = d.id AND salary > 275);
--> IT
WITH rich AS (SELECT * FROM emps WHERE salary > 150), n (k) AS (SELECT COUNT(*) FROM rich) SELECT k FROM n;
--> 3
SELECT d.name, x.top FROM depts d CROSS APPLY (SELECT MAX(salary) AS top FROM emps WHERE dept_id = d.id) x WHERE x.top IS NOT NULL ORDER BY d.id;
--> refused CROSS
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/The-UNION-ALL-INTERSECT-MINUS-Operators.html
SELECT dept_id FROM emps WHERE dept_id IS NOT NULL UNION SELECT id FROM depts ORDER BY 1;
--> 1
--> 2
--> 3
SELECT COUNT(*) FROM (SELECT dept_id FROM emps UNION ALL SELECT id FROM depts);
--> 7
SELECT id FROM depts MINUS SELECT dept_id FROM emps;
--> 3
SELECT id FROM depts INTERSECT SELECT dept_id FROM emps ORDER BY id DESC;
--> 2
--> 1
SELECT NULL FROM dual UNION SELECT NULL FROM dual;
--> NULL
SELECT id FROM depts UNION SELECT name FROM depts;
--> error: 1790
SELECT id, name FROM depts UNION SELECT id FROM emps;
--> error: 1789
SELECT 1 FROM dual UNION ALL SELECT 1 FROM dual MINUS SELECT 1 FROM dual;
--> rows: 0
SELECT id FROM depts ORDER BY 2;
--> error: 1785
SELECT id FROM depts UNION SELECT id FROM emps ORDER BY name;
--> error: 904
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Hierarchical-Queries.html
SELECT LEVEL, LPAD(' ', 2 * (LEVEL - 1)) || name FROM emps START WITH boss IS NULL CONNECT BY PRIOR id = boss ORDER SIBLINGS BY name;
--> refused SIBLINGS
SELECT LEVEL, name FROM emps START WITH boss IS NULL CONNECT BY PRIOR id = boss ORDER BY LEVEL, name;
--> 1 | Ann
--> 2 | Bob
--> 2 | Cid
--> 3 | Dee
SELECT name FROM emps WHERE LEVEL > 1;
--> error: 1788
SELECT SYS_CONNECT_BY_PATH(name, '/') FROM emps START WITH boss IS NULL CONNECT BY PRIOR id = boss;
--> refused SYS_CONNECT_BY_PATH
WITH n (i) AS (SELECT 1 FROM dual UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT SUM(i) FROM n;
--> refused a query in WITH that names itself
SELECT DATE '2026-01-01' + LEVEL - 1 FROM dual CONNECT BY LEVEL <= 2;
--> 2026-01-01
--> 2026-01-02
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ROWNUM-Pseudocolumn.html
SELECT COUNT(*) FROM emps WHERE ROWNUM <= 2;
--> 2
SELECT COUNT(*) FROM emps WHERE ROWNUM > 1;
--> 0
SELECT ROWNUM, name FROM (SELECT name FROM emps ORDER BY salary DESC) WHERE ROWNUM < 3;
--> 1 | Ann
--> 2 | Cid
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SELECT.html
SELECT name FROM emps ORDER BY salary DESC FETCH FIRST 1 ROW ONLY;
--> Ann
SELECT name FROM emps ORDER BY id OFFSET 1 ROW FETCH NEXT 2 ROWS ONLY;
--> Bob
--> Cid
SELECT name FROM emps ORDER BY id OFFSET 10 ROWS;
--> rows: 0
SELECT name FROM emps ORDER BY CASE WHEN dept_id = 1 THEN 0 ELSE 1 END, salary FETCH FIRST 2 ROWS WITH TIES;
--> Bob
--> Ann
SELECT name FROM emps ORDER BY id FETCH FIRST 50 PERCENT ROWS ONLY;
--> refused PERCENT
SELECT name AS "Employee name", salary * 12 yearly FROM emps e WHERE e.id = 1;
--> Ann | 3600
SELECT e.*, 1 FROM depts e WHERE id = 1;
--> 1 | IT | 1
SELECT *, 1 FROM depts;
--> error: 923
SELECT salary * 12 AS yearly FROM emps WHERE yearly > 1000;
--> error: 904 "YEARLY"
SELECT salary * 12 AS yearly FROM emps ORDER BY yearly FETCH FIRST ROW ONLY;
--> 1200
SELECT name FROM emps FOR UPDATE NOWAIT;
--> Ann
--> Bob
--> Cid
--> Dee
SELECT DISTINCT name FROM emps FOR UPDATE;
--> error: 1786
SELECT * FROM depts PIVOT (COUNT(*) FOR name IN ('IT'));
--> refused PIVOT
SELECT name FROM emps AS OF TIMESTAMP SYSTIMESTAMP;
--> refused AS OF
SELECT name FROM emps WHERE id IN (1, 3) AND name BETWEEN 'A' AND 'B';
--> Ann
