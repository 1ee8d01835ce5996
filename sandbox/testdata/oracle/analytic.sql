-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Analytic-Functions.html
CREATE TABLE sales (id NUMBER PRIMARY KEY, region VARCHAR2(5), amount NUMBER);
--> ok
BEGIN
  INSERT INTO sales VALUES (1, 'N', 10);
  INSERT INTO sales VALUES (2, 'N', 20);
  INSERT INTO sales VALUES (3, 'N', 20);
  INSERT INTO sales VALUES (4, 'S', 5);
  INSERT INTO sales VALUES (5, 'S', NULL);
END;
--> ok
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ROW_NUMBER.html
SELECT id, ROW_NUMBER() OVER (PARTITION BY region ORDER BY amount, id) FROM sales ORDER BY id;
--> 1 | 1
--> 2 | 2
--> 3 | 3
--> 4 | 1
--> 5 | 2
SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY region ORDER BY amount DESC NULLS LAST, id) AS rn FROM sales) WHERE rn = 1 ORDER BY id;
--> 2
--> 4
SELECT ROW_NUMBER() FROM sales;
--> error: 30484
SELECT ROW_NUMBER() OVER () FROM sales;
--> error: 30485
SELECT id FROM sales WHERE ROW_NUMBER() OVER (ORDER BY id) = 1;
--> error: 30483
SELECT id FROM sales GROUP BY id HAVING RANK() OVER (ORDER BY id) = 1;
--> error: 30483
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/RANK.html
SELECT id, RANK() OVER (ORDER BY amount), DENSE_RANK() OVER (ORDER BY amount), RANK() OVER (ORDER BY amount DESC) FROM sales ORDER BY id;
--> 1 | 2 | 2 | 4
--> 2 | 3 | 3 | 2
--> 3 | 3 | 3 | 2
--> 4 | 1 | 1 | 5
--> 5 | 5 | 4 | 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LAG.html
SELECT LAG(amount) OVER (ORDER BY id) FROM sales;
--> refused LAG
SELECT RANK() OVER (PARTITION BY region) FROM sales;
--> error: 30485
SELECT LAG(amount) FROM sales;
--> error: 30484
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SUM.html
SELECT id, SUM(amount) OVER (ORDER BY id), SUM(amount) OVER (PARTITION BY region), SUM(amount) OVER () FROM sales ORDER BY id;
--> 1 | 10 | 50 | 55
--> 2 | 30 | 50 | 55
--> 3 | 50 | 50 | 55
--> 4 | 55 | 5 | 55
--> 5 | 55 | 5 | 55
SELECT id, SUM(amount) OVER (ORDER BY amount) FROM sales WHERE region = 'N' ORDER BY id;
--> 1 | 10
--> 2 | 50
--> 3 | 50
SELECT SUM(amount) OVER (ROWS UNBOUNDED PRECEDING) FROM sales;
--> refused ROWS
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/COUNT.html
SELECT id, COUNT(*) OVER (PARTITION BY region), COUNT(amount) OVER (PARTITION BY region) FROM sales ORDER BY id;
--> 1 | 3 | 3
--> 2 | 3 | 3
--> 3 | 3 | 3
--> 4 | 2 | 1
--> 5 | 2 | 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/FIRST_VALUE.html
SELECT FIRST_VALUE(id) OVER (ORDER BY id) FROM sales;
--> refused FIRST_VALUE
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/NTILE.html
SELECT id, NTILE(2) OVER (ORDER BY id) FROM sales ORDER BY id;
--> refused NTILE
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/AVG.html
SELECT id, MAX(amount) OVER (PARTITION BY region) - amount, AVG(amount) OVER (PARTITION BY region) FROM sales WHERE region = 'S' ORDER BY id;
--> 4 | 0 | 5
--> 5 | NULL | 5
SELECT region, SUM(amount), RANK() OVER (ORDER BY SUM(amount) DESC) FROM sales GROUP BY region ORDER BY region;
--> N | 50 | 1
--> S | 5 | 2
SELECT SUM(SUM(amount) OVER ()) OVER () FROM sales;
--> error: 30483
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/RATIO_TO_REPORT.html
SELECT id, RATIO_TO_REPORT(amount) OVER () FROM sales;
--> refused RATIO_TO_REPORT
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/NTH_VALUE.html
SELECT NTH_VALUE(id, 2) OVER (ORDER BY id) FROM sales;
--> refused NTH_VALUE
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LISTAGG.html
SELECT id, LISTAGG(id, ',') WITHIN GROUP (ORDER BY id) OVER (PARTITION BY region) FROM sales ORDER BY id;
--> refused
SELECT COUNT(DISTINCT region) OVER (ORDER BY id) FROM sales;
--> error: 30487
DELETE FROM sales WHERE ROWID IN (SELECT rid FROM (SELECT ROWID AS rid, ROW_NUMBER() OVER (PARTITION BY amount ORDER BY id) AS rn FROM sales) WHERE rn > 1);
--> ok
BEGIN dbms_output.put_line(RANK()); END;
--> error: 6550 PLS-00201
