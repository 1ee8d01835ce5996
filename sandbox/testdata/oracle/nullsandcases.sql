-- NULL is neither equal nor unequal to anything.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Nulls.html
CREATE TABLE people (id NUMBER, name VARCHAR2(20), boss NUMBER, bonus NUMBER);
--> ok
INSERT INTO people VALUES (1, 'Ann', NULL, 10);
--> affected: 1
INSERT INTO people VALUES (2, 'Bob', 1, NULL);
--> affected: 1
INSERT INTO people VALUES (3, 'Cid', 1, 0);
--> affected: 1
SELECT COUNT(*) FROM people WHERE bonus = NULL OR bonus <> NULL OR NULL = NULL;
--> 0
SELECT name FROM people WHERE bonus IS NULL;
--> Bob
SELECT name FROM people WHERE bonus IS NOT NULL AND bonus <> 10;
--> Cid
SELECT COUNT(*) FROM people WHERE NOT (bonus > 5);
--> 1
SELECT name FROM people WHERE id NOT IN (SELECT boss FROM people);
--> rows: 0
SELECT name FROM people WHERE id IN (1, NULL);
--> Ann
SELECT name FROM people WHERE id NOT IN (1, NULL);
--> rows: 0
SELECT name FROM people p WHERE NOT EXISTS (SELECT 1 FROM people o WHERE o.boss = p.id) ORDER BY id;
--> Bob
--> Cid
SELECT name FROM people ORDER BY bonus;
--> Cid
--> Ann
--> Bob
SELECT name FROM people ORDER BY bonus DESC;
--> Bob
--> Ann
--> Cid
SELECT name FROM people ORDER BY bonus DESC NULLS LAST;
--> Ann
--> Cid
--> Bob
SELECT COUNT(*), COUNT(bonus), SUM(bonus), AVG(bonus), COUNT(DISTINCT boss) FROM people;
--> 3 | 2 | 10 | 5 | 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Logical-Conditions.html
SELECT COUNT(*) FROM dual WHERE (1 = 1 OR NULL = 1) AND NOT (1 = 2 AND NULL = 1);
--> 1
SELECT COUNT(*) FROM dual WHERE NOT (NULL = 1) OR (NULL = 1 AND 1 = 1);
--> 0
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/NVL.html
SELECT NVL(bonus, -1), NVL(TO_CHAR(boss), 'none') FROM people ORDER BY id;
--> 10 | none
--> -1 | 1
--> 0 | 1
SELECT NVL(1, 'x') FROM dual;
--> error: 1722
SELECT NVL('x', 1), NVL(NULL, 'y') FROM dual;
--> x | y
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/NVL2.html
SELECT NVL2(boss, 'has', 'has none'), NVL2(NULL, 1, 2) FROM people ORDER BY id;
--> has none | 2
--> has | 2
--> has | 2
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/COALESCE.html
SELECT COALESCE(NULL, NULL, 3, 1 / 0), COALESCE('', 'a') FROM dual;
--> 3 | a
SELECT COALESCE(NULL, 1, 'x') FROM dual;
--> error: 932
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/NULLIF.html
SELECT NULLIF(1, 1), NULLIF(1, 2), NULLIF('a', NULL) FROM dual;
--> NULL | 1 | a
SELECT NULLIF(NULL, 1) FROM dual;
--> error: 932
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/DECODE.html
SELECT name, DECODE(id, 1, 'one', 2, 'two', 'many'), DECODE(boss, NULL, 'top'), DECODE(NULL, NULL, 'equal', 'different') FROM people ORDER BY id;
--> Ann | one | top | equal
--> Bob | two | NULL | equal
--> Cid | many | NULL | equal
SELECT DECODE(1, 1) FROM dual;
--> error: 938
SELECT DECODE(1, 1, 'a', 2, 1 / 0) FROM dual;
--> a
-- All are converted to the type of the first search value: here, text.
SELECT DECODE(1, 'x', 2), DECODE(10, '9', 'equal', 'not equal') FROM dual;
--> NULL | not equal
SELECT DECODE('x', 1, 2) FROM dual;
--> error: 1722
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CASE-Expressions.html
SELECT CASE id WHEN 1 THEN 'first' WHEN 2 THEN 'second' ELSE 'other' END FROM people ORDER BY id;
--> first
--> second
--> other
SELECT CASE WHEN bonus > 5 THEN 'high' WHEN bonus IS NULL THEN 'none' END FROM people ORDER BY id;
--> high
--> none
--> NULL
SELECT CASE NULL WHEN NULL THEN 'same' ELSE 'not the same' END FROM dual;
--> not the same
SELECT CASE WHEN 1 = 1 THEN 1 ELSE 'x' END FROM dual;
--> error: 932
SELECT CASE WHEN 1 = 1 THEN 2 ELSE 1 / 0 END FROM dual;
--> 2
SELECT SUM(CASE WHEN boss = 1 THEN 1 ELSE 0 END), TO_CHAR(AVG(CASE WHEN id > 1 THEN id END)) FROM people;
--> 2 | 2.5
SELECT CASE 1 WHEN 'x' THEN 1 END FROM dual;
--> error: 932
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LEAST.html
SELECT LEAST(1, NULL), GREATEST(2, 1) FROM dual;
--> NULL | 2
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LNNVL.html
SELECT COUNT(*) FROM people WHERE LNNVL(bonus >= 5);
--> refused
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/NANVL.html
SELECT NANVL(1, 2) FROM dual;
--> refused NANVL
