-- What a newcomer mistypes, and the numbers that it has.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/errmg/ORA-00910.html
CREATE TABLE t (id NUMBER, name VARCHAR2(10), at DATE);
--> ok
SELEC * FROM t;
--> error: 900 invalid SQL statement
SELECT * FORM t;
--> error: 923 FROM keyword not found where expected
SELECT id name at FROM t;
--> error: 923
SELECT id, FROM t;
--> error: 936 missing expression
SELECT FROM t;
--> error: 936
SELECT 1;
--> error: 923
SELECT *, 1 FROM t;
--> error: 923
SELECT * FROM;
--> error: 903
SELECT * FROM t WHERE;
--> error: 936
SELECT * FROM t WHER id = 1;
--> error: 933 SQL command not properly ended
SELECT * FROM t WHERE id == 1;
--> error: 936
SELECT * FROM t WHERE id = 1 AND;
--> error: 936
SELECT * FROM t WHERE id = 1 OR OR id = 2;
--> error: 936
SELECT * FROM t WHERE (id = 1;
--> error: 907 missing right parenthesis
SELECT * FROM t WHERE id = 1);
--> error: 933
SELECT * FROM t WHERE name = 'abc;
--> error: 1756 quoted string not properly terminated
SELECT * FROM t WHERE name LIKE;
--> error: 936
SELECT * FROM t WHERE id IN 1, 2;
--> error: 933
SELECT * FROM t WHERE id IN ();
--> error: 936
SELECT * FROM t WHERE id BETWEEN 1, 2;
--> error: 905 missing keyword
SELECT * FROM t WHERE id IS NOL;
--> error: 908 missing NULL keyword
SELECT * FROM t WHERE name IS 'x';
--> error: 908
SELECT * FROM t WHERE id;
--> error: 920 invalid relational operator
SELECT * FROM t WHERE TRUE;
--> error: 920
SELECT * FROM t LIMIT 5;
--> error: 933
SELECT TOP 5 * FROM t;
--> error: 923
SELECT * FROM t ORDER id;
--> error: 924 missing BY keyword
SELECT id, COUNT(*) FROM t GROUP id;
--> error: 924
SELECT * FROM t ORDER BY;
--> error: 936
SELECT "id" FROM t;
--> error: 904 "id": invalid identifier
SELECT t.id FROM t AS t;
--> error: 933
SELECT `id` FROM t;
--> error: 911 invalid character
SELECT id FROM t;;
--> error: 911
SELECT 1 FROM dual WHERE 1 != 2 AND 1 <> 2 AND 1 ^= 2 AND NOT 1 > 2;
--> 1
SELECT N'x' FROM dual;
--> x
SELECT 'a' + 'b' FROM dual;
--> error: 1722
SELECT CASE WHEN 1 = 1 THEN 1 FROM dual;
--> error: 905
SELECT CASE 1 THEN 1 END FROM dual;
--> error: 905
SELECT id FROM t JOIN t t2;
--> error: 905
SELECT 1 FROM dual UNION;
--> error: 928 missing SELECT keyword
WITH x AS SELECT 1 FROM dual SELECT * FROM x;
--> error: 906 missing left parenthesis
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/INSERT.html
INSERT t VALUES (1, 'a', NULL);
--> error: 925 missing INTO keyword
INSERT INTO t VALUES 1, 'a', NULL;
--> error: 906
INSERT INTO t VALUES (1 'a', NULL);
--> error: 917 missing comma
INSERT INTO t VALUES (1, 'a', NULL;
--> error: 917
INSERT INTO t (id) VALUES (1), (2);
--> error: 933
INSERT INTO t SET id = 1;
--> error: 926 missing VALUES keyword
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/UPDATE.html
UPDATE t id = 1;
--> error: 971 missing SET keyword
UPDATE t SET id 1;
--> error: 927 missing equal sign
UPDATE t SET;
--> error: 1747
UPDATE t SET id = 1 name = 'x';
--> error: 933
UPDATE t SET id = 1, WHERE id = 2;
--> error: 1747
UPDATE t SET id = ;
--> error: 936
UPDATE t SET t.id = 1 FROM dual;
--> error: 933
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/DELETE.html
DELETE * FROM t;
--> error: 903 invalid table name
DELETE FROM t WHERE id;
--> error: 920
DELETE FROM t WHERE id = 1 LIMIT 1;
--> error: 933
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-TABLE.html
CREATE TABLE (a NUMBER);
--> error: 903
CREATE TABLE x a NUMBER;
--> error: 922 missing or invalid option
CREATE TABLE x (a);
--> error: 2263
CREATE TABLE x (a NUMBER b NUMBER);
--> error: 907
CREATE TABLE x (a INT AUTO_INCREMENT);
--> error: 907
CREATE TABLE x (a NUMBER;
--> error: 907
CREATE TABLE x (a TEXT);
--> error: 902 invalid datatype
CREATE TABLE x (a DATETIME);
--> error: 902
CREATE TABLE x (a BIGINT);
--> error: 902
CREATE TABLE 1x (a NUMBER);
--> error: 903
CREATE TABLE x (a NUMBER) x;
--> error: 922
CREATE TABLE IF NOT EXISTS x (a NUMBER);
--> error: 922
DROP TABLE IF EXISTS t;
--> error: 933
CREATE TABEL x (a NUMBER);
--> error: 901 invalid CREATE command
DROP TABEL x;
--> error: 950 invalid DROP option
CREATE INDEX ON t (id);
--> error: 953
CREATE INDEX i t (id);
--> error: 969 missing ON keyword
ALTER TABLE t ADD COLUMN x NUMBER;
--> error: 904
ALTER TABLE t FOO;
--> error: 1735 invalid ALTER TABLE option
CREATE VIEW v SELECT 1 FROM dual;
--> error: 905
TRUNCATE t;
--> error: 3290
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/COMMIT.html
BEGIN TRANSACTION;
--> error: 6550 PLS-00103
ROLLBACK NOW;
--> error: 2181 invalid option to ROLLBACK WORK
COMMIT NOW;
--> error: 2185 a token other than WORK follows COMMIT
SHOW TABLES;
--> error: 900
DESCRIBE t;
--> error: 900
USE app;
--> error: 900
EXEC dbms_output.put_line('x');
--> error: 900
SET SERVEROUTPUT ON;
--> error: 922
GRANT SELECT t TO PUBLIC;
--> error: 990
EXPLAIN PLAN FOR SELECT 1 FROM dual;
--> refused
CALL nothing();
--> error: 6576 not a valid function or procedure name
CREATE TABLE a_name_that_is_much_longer_than_a_hundred_and_twenty_eight_bytes_which_is_the_longest_identifier_that_oracle_takes_from_release_12_2_on (a NUMBER);
--> error: 972 identifier is too long
SELECT 1 FROM dual WHERE (1, 2) = ((1, 2));
--> 1
SELECT 1 FROM dual WHERE (1, 2) IN ((1, 2), (3, 4)) AND (1, 2) <> ((2, 1));
--> 1
