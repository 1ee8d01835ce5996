-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Aggregate-Functions.html
CREATE TABLE staff (id NUMBER PRIMARY KEY, dept VARCHAR2(10), name VARCHAR2(10), salary NUMBER, hired DATE);
--> ok
BEGIN
  INSERT INTO staff VALUES (1, 'IT', 'Ann', 100, DATE '2020-01-01');
  INSERT INTO staff VALUES (2, 'IT', 'Bob', 200, DATE '2021-01-01');
  INSERT INTO staff VALUES (3, 'HR', 'Cid', 150, DATE '2019-01-01');
  INSERT INTO staff VALUES (4, 'HR', 'Dee', NULL, DATE '2022-01-01');
  INSERT INTO staff VALUES (5, NULL, 'Eve', 300, NULL);
  COMMIT;
END;
--> ok
SELECT COUNT(*), COUNT(salary), COUNT(DISTINCT dept), SUM(salary), MIN(salary), MAX(name), TO_CHAR(AVG(salary)) FROM staff;
--> 5 | 4 | 2 | 750 | 100 | Eve | 187.5
SELECT COUNT(*), SUM(salary), MAX(salary) FROM staff WHERE id > 99;
--> 0 | NULL | NULL
SELECT dept, COUNT(*) FROM staff WHERE id > 99 GROUP BY dept;
--> rows: 0
SELECT dept, COUNT(*), SUM(salary) FROM staff GROUP BY dept ORDER BY dept;
--> HR | 2 | 150
--> IT | 2 | 300
--> NULL | 1 | 300
SELECT dept, AVG(NVL(salary, 0)), AVG(salary) FROM staff WHERE dept = 'HR' GROUP BY dept;
--> HR | 75 | 150
SELECT dept, MAX(salary) FROM staff GROUP BY dept HAVING COUNT(*) > 1 AND MAX(salary) >= 200;
--> IT | 200
SELECT COUNT(*) FROM staff HAVING COUNT(*) > 100;
--> rows: 0
SELECT EXTRACT(YEAR FROM hired), COUNT(*) FROM staff WHERE hired > DATE '2020-06-01' GROUP BY EXTRACT(YEAR FROM hired) ORDER BY 1 DESC;
--> 2022 | 1
--> 2021 | 1
SELECT UPPER(dept) || '!', COUNT(*) FROM staff WHERE dept = 'IT' GROUP BY UPPER(dept);
--> IT! | 2
SELECT SUM(DISTINCT salary), COUNT(DISTINCT salary) FROM (SELECT 1 AS salary FROM dual UNION ALL SELECT 1 FROM dual UNION ALL SELECT 5 FROM dual);
--> 6 | 2
SELECT MIN(hired), MAX(hired) FROM staff;
--> 2019-01-01 | 2022-01-01
SELECT dept, name FROM staff GROUP BY dept;
--> error: 979 not a GROUP BY expression
SELECT dept, COUNT(*) FROM staff;
--> error: 937 not a single-group group function
SELECT name FROM staff WHERE salary > AVG(salary);
--> error: 934 group function is not allowed here
SELECT dept d, COUNT(*) FROM staff GROUP BY d;
--> error: 904 "D"
SELECT dept FROM staff GROUP BY COUNT(*);
--> error: 934
UPDATE staff SET salary = MAX(salary);
--> error: 934
SELECT SUM(name) FROM staff;
--> error: 1722
SELECT SUM(hired) FROM staff;
--> error: 932
SELECT MAX(COUNT(*)) FROM staff;
--> error: 978
SELECT COUNT() FROM staff;
--> error: 909
SELECT name FROM staff WHERE salary = (SELECT MAX(salary) FROM staff);
--> Eve
SELECT dept, COUNT(*) FROM staff GROUP BY dept ORDER BY COUNT(*) DESC, dept NULLS FIRST FETCH FIRST ROW ONLY;
--> HR | 2
SELECT dept, salary FROM staff WHERE dept = 'IT' GROUP BY dept, salary ORDER BY salary;
--> IT | 100
--> IT | 200
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LISTAGG.html
SELECT LISTAGG(name, '; ') WITHIN GROUP (ORDER BY hired, name) FROM staff WHERE dept IS NOT NULL;
--> Cid; Ann; Bob; Dee
SELECT dept, LISTAGG(name, ',') WITHIN GROUP (ORDER BY name DESC) FROM staff GROUP BY dept ORDER BY dept;
--> HR | Dee,Cid
--> IT | Bob,Ann
--> NULL | Eve
SELECT LISTAGG(salary) WITHIN GROUP (ORDER BY id) FROM staff WHERE dept = 'IT';
--> 100200
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/FIRST.html
SELECT MIN(name) KEEP (DENSE_RANK FIRST ORDER BY salary) AS poorest, MAX(name) KEEP (DENSE_RANK LAST ORDER BY salary NULLS FIRST) AS richest FROM staff;
--> Ann | Eve
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/MEDIAN.html
SELECT MEDIAN(salary) FROM staff;
--> refused MEDIAN
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/STDDEV.html
SELECT STDDEV(salary) FROM staff;
--> refused STDDEV
-- A hypothetical rank is an aggregate.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/RANK.html
SELECT RANK(150) WITHIN GROUP (ORDER BY salary) FROM staff;
--> refused RANK
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/AVG.html
SELECT AVG(MAX(salary)) FROM staff GROUP BY dept;
--> refused nested aggregates
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SELECT.html
SELECT dept, COUNT(*) FROM staff GROUP BY ROLLUP (dept);
--> refused ROLLUP
SELECT DISTINCT dept FROM staff ORDER BY dept;
--> HR
--> IT
--> NULL
SELECT DISTINCT dept FROM staff ORDER BY name;
--> error: 1791
