-- Foreign keys: inline and out of line, with and without a column list, which means the primary key.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/constraint.html
CREATE TABLE dept (id NUMBER(4) CONSTRAINT dept_pk PRIMARY KEY, code VARCHAR2(10) CONSTRAINT dept_code UNIQUE, name VARCHAR2(20));
--> ok
CREATE TABLE emp (id NUMBER PRIMARY KEY, dept_id NUMBER CONSTRAINT emp_dept REFERENCES dept, mgr NUMBER, CONSTRAINT emp_mgr FOREIGN KEY (mgr) REFERENCES emp (id));
--> ok
CREATE TABLE badge (no NUMBER, code VARCHAR2(30) REFERENCES dept (code) ON DELETE CASCADE);
--> ok
INSERT INTO dept VALUES (1, 'A', 'one');
--> affected: 1
INSERT INTO dept VALUES (2, 'B', 'two');
--> affected: 1
INSERT INTO emp VALUES (1, 3, NULL);
--> error: 2291 .EMP_DEPT) violated - parent key not found
INSERT INTO emp VALUES (1, 1, NULL);
--> affected: 1
UPDATE emp SET dept_id = 9;
--> error: 2291 EMP_DEPT
UPDATE emp SET dept_id = NULL;
--> affected: 1
UPDATE emp SET dept_id = 2;
--> affected: 1
DELETE FROM dept WHERE id = 2;
--> error: 2292 .EMP_DEPT) violated - child record found
UPDATE dept SET id = 7 WHERE id = 2;
--> error: 2292 EMP_DEPT
UPDATE dept SET name = 'zwei', id = 2 WHERE id = 2;
--> affected: 1
DELETE FROM dept WHERE id = 1;
--> affected: 1
BEGIN
  INSERT INTO emp VALUES (2, 1, NULL);
EXCEPTION WHEN OTHERS THEN dbms_output.put_line(SQLCODE);
END;
--> print: -2291

-- Checked when the statement has done all: a row may refer to itself or to one that the same statement makes.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/cncpt/data-integrity.html
INSERT INTO emp VALUES (10, NULL, 10);
--> affected: 1
INSERT INTO emp SELECT 20 + LEVEL, NULL, 21 + MOD(LEVEL, 3) FROM dual CONNECT BY LEVEL <= 3;
--> affected: 3
UPDATE emp SET id = id + 5000, mgr = mgr + 5000;
--> affected: 5
SELECT id, mgr FROM emp ORDER BY id;
--> 5001 | NULL
--> 5010 | 5010
--> 5021 | 5022
--> 5022 | 5023
--> 5023 | 5021
UPDATE emp SET id = id - 5000;
--> error: 2292 EMP_MGR
DELETE FROM emp WHERE id = 5021;
--> error: 2292 EMP_MGR
DELETE FROM emp WHERE id > 5020;
--> affected: 3
MERGE INTO emp e USING (SELECT 5001 AS id, 4 AS d FROM dual) s ON (e.id = s.id) WHEN MATCHED THEN UPDATE SET e.dept_id = s.d;
--> error: 2291 EMP_DEPT

-- ON DELETE CASCADE and SET NULL.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/constraint.html
CREATE TABLE p (id NUMBER PRIMARY KEY);
--> ok
CREATE TABLE c (id NUMBER PRIMARY KEY, p NUMBER REFERENCES p ON DELETE CASCADE);
--> ok
CREATE TABLE g (c NUMBER CONSTRAINT g_c REFERENCES c ON DELETE SET NULL, note VARCHAR2(5) DEFAULT 'x');
--> ok
INSERT INTO p SELECT LEVEL FROM dual CONNECT BY LEVEL <= 3;
--> affected: 3
INSERT INTO c SELECT id * 10, id FROM p;
--> affected: 3
INSERT INTO g (c) SELECT id FROM c;
--> affected: 3
DELETE FROM p WHERE id < 3;
--> affected: 2
SELECT id FROM c;
--> 30
SELECT c, note FROM g ORDER BY c;
--> 30 | x
--> NULL | x
--> NULL | x
UPDATE p SET id = 4;
--> error: 2292 violated - child record found
CREATE TABLE tree (id NUMBER PRIMARY KEY, up NUMBER REFERENCES tree ON DELETE CASCADE);
--> ok
INSERT INTO tree SELECT LEVEL, NULLIF(LEVEL - 1, 0) FROM dual CONNECT BY LEVEL <= 5;
--> affected: 5
DELETE FROM tree WHERE id = 3;
--> affected: 1
SELECT id FROM tree ORDER BY id;
--> 1
--> 2
CREATE TABLE strict (c NUMBER NOT NULL REFERENCES c ON DELETE SET NULL);
--> ok
INSERT INTO strict VALUES (30);
--> affected: 1
DELETE FROM c;
--> error: 1407

-- What a cascade would delete may be held by another key: the statement is undone.
CREATE TABLE held (c NUMBER CONSTRAINT held_c REFERENCES c);
--> ok
DELETE FROM strict;
--> affected: 1
INSERT INTO held VALUES (30);
--> affected: 1
DELETE FROM p;
--> error: 2292 HELD_C
SELECT COUNT(*) FROM p;
--> 1

-- Composite keys: a row with a NULL in its foreign key refers to nothing.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/constraint.html
CREATE TABLE k2 (a NUMBER, b VARCHAR2(5), x DATE UNIQUE, CONSTRAINT k2_pk PRIMARY KEY (a, b));
--> ok
CREATE TABLE r2 (a NUMBER, b VARCHAR2(5), CONSTRAINT r2_k2 FOREIGN KEY (a, b) REFERENCES k2 (a, b));
--> ok
INSERT INTO k2 (a, b) VALUES (1, 'x');
--> affected: 1
INSERT INTO r2 VALUES (1, 'x');
--> affected: 1
INSERT INTO r2 VALUES (7, NULL);
--> affected: 1
INSERT INTO r2 VALUES (1, 'y');
--> error: 2291 R2_K2
UPDATE k2 SET b = 'y';
--> error: 2292 R2_K2

-- What does not go together.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/errmg/ORA-02140.html
CREATE TABLE bad (a NUMBER REFERENCES k2);
--> error: 2256 number of referencing columns must match referenced columns
CREATE TABLE bad (a NUMBER REFERENCES k2 (a));
--> error: 2270 no matching unique or primary key for this column-list
CREATE TABLE bad (a NUMBER REFERENCES r2);
--> error: 2268 referenced table does not have a primary key
CREATE TABLE bad (a NUMBER REFERENCES k2 (x));
--> error: 2267 column type incompatible with referenced column type
CREATE TABLE bad (a NUMBER REFERENCES nowhere (x));
--> error: 942
CREATE TABLE bad (a NUMBER REFERENCES dept (nothing));
--> error: 904
CREATE TABLE bad (a NUMBER, FOREIGN KEY (a) REFERENCES dept, FOREIGN KEY (a) REFERENCES dept (id));
--> error: 2274 duplicate referential constraint specifications
ALTER TABLE emp ADD FOREIGN KEY (dept_id) REFERENCES dept;
--> error: 2275 such a referential constraint already exists in the table
CREATE TABLE bad (a, FOREIGN KEY (a) REFERENCES dept) AS SELECT 1 FROM dual;
--> error: 2440 Create as select with referential constraints not allowed
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/errmg/ORA-12700.html
CREATE GLOBAL TEMPORARY TABLE bad (a NUMBER REFERENCES dept);
--> error: 14455 attempt to create referential integrity constraint on temporary table
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/constraint.html
CREATE TABLE late (a NUMBER REFERENCES dept DEFERRABLE);
--> refused deferrable constraints
CREATE TABLE late (a NUMBER CONSTRAINT late_dept REFERENCES dept DEFERRABLE INITIALLY DEFERRED);
--> ok
SELECT deferrable, deferred FROM user_constraints WHERE table_name = 'LATE';
--> DEFERRABLE | DEFERRED
BEGIN INSERT INTO late VALUES (80); INSERT INTO dept (id) VALUES (80); COMMIT; END;
--> ok
BEGIN INSERT INTO late VALUES (81); COMMIT; END;
--> error: 2091 transaction rolled back ORA-02291: integrity constraint (APP.LATE_DEPT) violated - parent key not found
BEGIN DELETE FROM dept WHERE id = 80; DELETE FROM late; COMMIT; END;
--> ok
BEGIN INSERT INTO dept (id) VALUES (80); INSERT INTO late VALUES (80); COMMIT; END;
--> ok
BEGIN DELETE FROM dept WHERE id = 80; COMMIT; END;
--> error: 2091 transaction rolled back ORA-02292
SELECT a FROM late;
--> 80
DROP TABLE late;
--> ok
DELETE FROM dept WHERE id = 80;
--> affected: 1

-- ALTER TABLE ADD CONSTRAINT checks the rows, unless it is NOVALIDATE or DISABLE.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ALTER-TABLE.html
CREATE TABLE later (id NUMBER, d NUMBER, up NUMBER);
--> ok
INSERT INTO later VALUES (1, 99, 1);
--> affected: 1
ALTER TABLE later ADD CONSTRAINT later_d FOREIGN KEY (d) REFERENCES dept;
--> error: 2298 .LATER_D) - parent keys not found
ALTER TABLE later ADD CONSTRAINT later_off FOREIGN KEY (d) REFERENCES dept DISABLE;
--> ok
INSERT INTO later VALUES (2, 98, 1);
--> affected: 1
ALTER TABLE later DROP CONSTRAINT later_off;
--> ok
ALTER TABLE later ADD CONSTRAINT later_d FOREIGN KEY (d) REFERENCES dept ENABLE NOVALIDATE;
--> ok
INSERT INTO later VALUES (3, 98, 1);
--> error: 2291 LATER_D
ALTER TABLE later ADD CONSTRAINT later_pk PRIMARY KEY (id) ADD CONSTRAINT later_up FOREIGN KEY (up) REFERENCES later;
--> ok
ALTER TABLE later ADD CONSTRAINT later_up FOREIGN KEY (d) REFERENCES dept;
--> error: 2264

-- The dictionary.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_CONSTRAINTS.html
SELECT constraint_name, constraint_type, table_name, CASE WHEN r_constraint_name LIKE 'SYS%' THEN 'SYS' ELSE r_constraint_name END, delete_rule, status, validated FROM user_constraints WHERE constraint_type = 'R' AND constraint_name NOT LIKE 'SYS%' ORDER BY 1;
--> EMP_DEPT | R | EMP | DEPT_PK | NO ACTION | ENABLED | VALIDATED
--> EMP_MGR | R | EMP | SYS | NO ACTION | ENABLED | VALIDATED
--> G_C | R | G | SYS | SET NULL | ENABLED | VALIDATED
--> HELD_C | R | HELD | SYS | NO ACTION | ENABLED | VALIDATED
--> LATER_D | R | LATER | DEPT_PK | NO ACTION | ENABLED | NOT VALIDATED
--> LATER_UP | R | LATER | LATER_PK | NO ACTION | ENABLED | VALIDATED
--> R2_K2 | R | R2 | K2_PK | NO ACTION | ENABLED | VALIDATED
SELECT r_constraint_name, delete_rule, CASE r_owner WHEN USER THEN 'mine' END FROM all_constraints WHERE table_name = 'BADGE';
--> DEPT_CODE | CASCADE | mine
SELECT delete_rule FROM user_constraints WHERE constraint_name = 'DEPT_PK';
--> NULL
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_CONS_COLUMNS.html
SELECT column_name, position FROM user_cons_columns WHERE constraint_name = 'R2_K2' ORDER BY position;
--> A | 1
--> B | 2

-- A table or key that is referred to goes only with its foreign keys.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/DROP-TABLE.html
DROP TABLE k2;
--> error: 2449 unique/primary keys in table referenced by foreign keys
DROP TABLE k2 CASCADE CONSTRAINTS;
--> ok
INSERT INTO r2 VALUES (1, 'y');
--> affected: 1
SELECT COUNT(*) FROM user_constraints WHERE table_name = 'R2';
--> 0
DROP TABLE tree;
--> ok
DROP TABLE badge;
--> ok
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ALTER-TABLE.html
ALTER TABLE dept DROP PRIMARY KEY;
--> error: 2273 this unique/primary key is referenced by some foreign keys
ALTER TABLE dept DROP UNIQUE (code);
--> ok
ALTER TABLE dept DROP PRIMARY KEY CASCADE;
--> ok
SELECT constraint_name FROM user_constraints WHERE constraint_type = 'R' AND table_name IN ('EMP', 'LATER') ORDER BY 1;
--> EMP_MGR
--> LATER_UP
DELETE FROM dept;
--> affected: 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/TRUNCATE-TABLE.html
TRUNCATE TABLE c;
--> error: 2266 unique/primary keys in table referenced by enabled foreign keys
TRUNCATE TABLE g;
--> ok
DROP TABLE emp;
--> ok
-- A unit that was compiled before keeps to a key that came later.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/cncpt/data-integrity.html
CREATE TABLE top (id NUMBER PRIMARY KEY);
--> ok
CREATE PROCEDURE clear IS BEGIN DELETE FROM top; END;
--> ok
INSERT INTO top VALUES (1);
--> affected: 1
CREATE TABLE below (id NUMBER CONSTRAINT below_top REFERENCES top);
--> ok
INSERT INTO below VALUES (1);
--> affected: 1
BEGIN clear; END;
--> error: 2292 BELOW_TOP
DROP TABLE below;
--> ok
BEGIN clear; dbms_output.put_line(SQL%ROWCOUNT); END;
--> print: 1
