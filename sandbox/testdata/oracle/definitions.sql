-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/constraint.html
CREATE TABLE c1 (id NUMBER PRIMARY KEY, email VARCHAR2(30) UNIQUE, age NUMBER CHECK (age BETWEEN 0 AND 150), name VARCHAR2(10) CONSTRAINT c1_name_nn NOT NULL, CONSTRAINT c1_two UNIQUE (name, age));
--> ok
INSERT INTO c1 VALUES (1, 'a@x', 30, 'Ann');
--> affected: 1
INSERT INTO c1 VALUES (2, 'a@x', 31, 'Bob');
--> error: 1
INSERT INTO c1 VALUES (2, NULL, 31, 'Bob');
--> affected: 1
INSERT INTO c1 VALUES (3, NULL, NULL, 'Bob');
--> affected: 1
INSERT INTO c1 VALUES (4, 'd@x', NULL, 'Bob');
--> error: 1 C1_TWO
INSERT INTO c1 VALUES (4, 'd@x', 151, 'Dee');
--> error: 2290
INSERT INTO c1 VALUES (4, 'd@x', 1, NULL);
--> error: 1400
CREATE TABLE c2 (id NUMBER PRIMARY KEY, a NUMBER PRIMARY KEY);
--> error: 2260 table can have only one primary key
CREATE TABLE c2 (a NUMBER, b NUMBER, a NUMBER);
--> error: 957
CREATE TABLE c2 (a NUMBER, CONSTRAINT c1_two CHECK (a > 0));
--> error: 2264 name already used by an existing constraint
CREATE TABLE c2 (a NUMBER, UNIQUE (a), PRIMARY KEY (a));
--> error: 2261
CREATE TABLE c2 (a NUMBER, CHECK (b > 0));
--> error: 904
CREATE TABLE c2 (a NUMBER CHECK (a > SYSDATE - SYSDATE));
--> error: 2436
CREATE TABLE c2 (a NUMBER CHECK (a IN (SELECT 1 FROM dual)));
--> error: 2251
CREATE TABLE c1 (a NUMBER);
--> error: 955 name is already used by an existing object
CREATE TABLE c2 ();
--> error: 904
CREATE TABLE c2 (a NUMBER,);
--> error: 904
CREATE TABLE select (a NUMBER);
--> error: 903 invalid table name
CREATE TABLE c2 (number NUMBER);
--> error: 904
CREATE TABLE c2 AS SELECT id, name, age * 2 AS twice FROM c1 WHERE id < 3;
--> ok
SELECT * FROM c2 ORDER BY id;
--> 1 | Ann | 60
--> 2 | Bob | 62
CREATE TABLE c3 AS SELECT age * 2 FROM c1;
--> error: 998 must name this expression with a column alias
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ALTER-TABLE.html
ALTER TABLE c1 ADD (note VARCHAR2(10) DEFAULT 'none', extra NUMBER);
--> ok
SELECT id, note, extra FROM c1 WHERE id = 1;
--> 1 | none | NULL
ALTER TABLE c1 ADD note NUMBER;
--> error: 1430 column being added already exists in table
ALTER TABLE c1 ADD must NUMBER NOT NULL;
--> error: 1758 table must be empty to add mandatory (NOT NULL) column
ALTER TABLE c1 MODIFY note VARCHAR2(20);
--> ok
ALTER TABLE c1 RENAME COLUMN note TO remark;
--> refused RENAME
ALTER TABLE c1 DROP COLUMN extra;
--> ok
ALTER TABLE c1 ADD CONSTRAINT c1_age CHECK (age > 30);
--> error: 2293
ALTER TABLE c1 ADD CONSTRAINT c1_note UNIQUE (note);
--> error: 2299
ALTER TABLE c1 ADD PRIMARY KEY (name);
--> error: 2260
ALTER TABLE c1 DROP CONSTRAINT c1_nothing;
--> error: 2443 Cannot drop constraint  - nonexistent constraint
ALTER TABLE c1 DROP CONSTRAINT c1_two;
--> ok
INSERT INTO c1 (id, name) VALUES (10, 'Bob');
--> affected: 1
ALTER TABLE nothing ADD a NUMBER;
--> error: 942
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-INDEX.html
CREATE INDEX c1_name_ix ON c1 (name);
--> ok
CREATE INDEX c1_name_ix2 ON c1 (name);
--> error: 1408 such column list already indexed
CREATE INDEX c1_name_ix ON c1 (age);
--> error: 955
CREATE UNIQUE INDEX c1_u ON c1 (note);
--> error: 1452
CREATE INDEX c1_fn ON c1 (UPPER(name), age DESC);
--> ok
CREATE INDEX c1_bad ON c1 (nothing);
--> error: 904
DROP INDEX c1_name_ix;
--> ok
DROP INDEX c1_name_ix;
--> error: 1418 specified index does not exist
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-SEQUENCE.html
CREATE SEQUENCE seq1;
--> ok
SELECT seq1.CURRVAL FROM dual;
--> error: 8002
SELECT seq1.NEXTVAL FROM dual;
--> 1
SELECT seq1.NEXTVAL, seq1.CURRVAL FROM dual;
--> 2 | 2
CREATE SEQUENCE seq1;
--> error: 955
CREATE SEQUENCE seq2 START WITH 10 INCREMENT BY -5 MAXVALUE 10 MINVALUE 1 NOCACHE CYCLE;
--> ok
SELECT seq2.NEXTVAL FROM dual;
--> 10
SELECT seq2.NEXTVAL FROM dual;
--> 5
SELECT seq2.NEXTVAL FROM dual;
--> 10
CREATE SEQUENCE seq3 MAXVALUE 2 NOCACHE;
--> ok
DECLARE n NUMBER; BEGIN n := seq3.NEXTVAL; n := seq3.NEXTVAL; dbms_output.put_line(seq3.CURRVAL); n := seq3.NEXTVAL; END;
--> print: 2
--> error: 8004
CREATE SEQUENCE seq4 INCREMENT BY 0;
--> error: 4002
CREATE SEQUENCE seq4 START WITH 5 MINVALUE 6;
--> error: 4006
CREATE SEQUENCE seq4 MINVALUE 10 MAXVALUE 5;
--> error: 4004
SELECT nothing.NEXTVAL FROM dual;
--> error: 2289 sequence does not exist
SELECT id FROM c1 WHERE id = seq1.NEXTVAL;
--> error: 2287 sequence number not allowed here
SELECT DISTINCT seq1.NEXTVAL FROM dual;
--> error: 2287
DROP SEQUENCE seq1;
--> ok
DROP SEQUENCE seq1;
--> error: 2289
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-TABLE.html
CREATE TABLE auto (id NUMBER GENERATED ALWAYS AS IDENTITY, byd NUMBER DEFAULT seq3.CURRVAL, v VARCHAR2(5), twice NUMBER GENERATED ALWAYS AS (LENGTH(v) * 2) VIRTUAL);
--> ok
INSERT INTO auto (v) VALUES ('abc');
--> affected: 1
SELECT id, byd, twice FROM auto;
--> 1 | 2 | 6
INSERT INTO auto (id, v) VALUES (5, 'x');
--> error: 32795 cannot insert into a generated always identity column
UPDATE auto SET id = 5;
--> error: 32796
INSERT INTO auto (twice) VALUES (1);
--> error: 54013
CREATE TABLE def (id NUMBER GENERATED BY DEFAULT ON NULL AS IDENTITY (START WITH 100), n NUMBER DEFAULT ON NULL 7);
--> ok
INSERT INTO def VALUES (NULL, NULL);
--> affected: 1
INSERT INTO def (id) VALUES (5);
--> affected: 1
SELECT * FROM def ORDER BY id;
--> 5 | 7
--> 100 | 7
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-VIEW.html
CREATE OR REPLACE VIEW v1 AS SELECT id, UPPER(name) AS name FROM c1 WHERE age > 10;
--> ok
SELECT * FROM v1 ORDER BY id;
--> 1 | ANN
--> 2 | BOB
CREATE VIEW v1 AS SELECT 1 AS a FROM dual;
--> error: 955
CREATE VIEW v2 AS SELECT * FROM nothing;
--> error: 942
CREATE VIEW v2 AS SELECT 1 + 1 FROM dual;
--> error: 998
CREATE VIEW v2 (a, b) AS SELECT 1 FROM dual;
--> error: 1730
INSERT INTO v1 (id, name) VALUES (1, 'x');
--> refused INSERT through view
CREATE VIEW v3 AS SELECT COUNT(*) AS n FROM c1;
--> ok
DELETE FROM v3;
--> error: 1732 data manipulation operation not legal on this view
DROP VIEW v1;
--> ok
DROP VIEW v1;
--> error: 942
DROP TABLE v3;
--> error: 942
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-SYNONYM.html
CREATE SYNONYM s1 FOR c1;
--> ok
SELECT COUNT(*) FROM s1 WHERE id = 1;
--> 1
CREATE SYNONYM s2 FOR nothing;
--> ok
SELECT * FROM s2;
--> error: 980 synonym translation is no longer valid
DROP SYNONYM s9;
--> error: 1434
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/DROP-TABLE.html
DROP TABLE c1;
--> ok
DROP TABLE c1 PURGE;
--> error: 942
SELECT * FROM v1;
--> error: 942
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/COMMENT.html
COMMENT ON COLUMN def.n IS 'seven, unless told';
--> ok
SELECT comments FROM user_col_comments WHERE table_name = 'DEF' AND column_name = 'N';
--> seven, unless told
