-- National character types and literals.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Data-Types.html
CREATE TABLE n (a NVARCHAR2(10), b NCHAR(3));
--> ok
INSERT INTO n VALUES (N'Zoë', n'x');
--> affected: 1
SELECT a, LENGTH(a), LENGTH(b) FROM n WHERE a = N'Zoë' AND b = 'x';
--> Zoë | 3 | 3
INSERT INTO n (a) VALUES (N'12345678901');
--> error: 12899

-- COMMENT, TRUNCATE, views, synonyms, sequences, temporary tables.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/COMMENT.html
COMMENT ON TABLE n IS 'names';
--> ok
COMMENT ON COLUMN n.a IS 'the name';
--> ok
SELECT comments FROM user_tab_comments WHERE table_name = 'N';
--> names
SELECT comments FROM user_col_comments WHERE table_name = 'N' AND column_name = 'A';
--> the name
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/TRUNCATE-TABLE.html
TRUNCATE TABLE n;
--> ok
SELECT COUNT(*) FROM n;
--> 0
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-VIEW.html
CREATE VIEW v AS SELECT a FROM n;
--> ok
CREATE VIEW v AS SELECT b FROM n;
--> error: 955
CREATE OR REPLACE VIEW v (x) AS SELECT b FROM n;
--> ok
SELECT COUNT(x) FROM v;
--> 0
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-SYNONYM.html
CREATE SYNONYM names FOR n;
--> ok
INSERT INTO names (a) VALUES ('by synonym');
--> affected: 1
SELECT a FROM n;
--> by synonym
DROP SYNONYM names;
--> ok
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Sequence-Pseudocolumns.html
CREATE SEQUENCE s;
--> ok
SELECT s.CURRVAL FROM dual;
--> error: 8002
SELECT s.NEXTVAL FROM dual;
--> 1
SELECT s.CURRVAL FROM dual;
--> 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-TABLE.html
CREATE GLOBAL TEMPORARY TABLE g (a NUMBER) ON COMMIT PRESERVE ROWS;
--> ok
INSERT INTO g VALUES (1);
--> affected: 1
COMMIT;
--> ok
SELECT a FROM g;
--> 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ALTER-INDEX.html
CREATE INDEX i ON n (a);
--> ok
ALTER INDEX i REBUILD ONLINE;
--> refused ONLINE
ALTER INDEX no_index REBUILD;
--> error: 1418

-- ALTER TABLE: ADD, MODIFY, DROP.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ALTER-TABLE.html
CREATE TABLE t (id NUMBER(4) PRIMARY KEY, name VARCHAR2(10), note VARCHAR2(20));
--> ok
INSERT INTO t VALUES (1, 'Ann', NULL);
--> affected: 1
ALTER TABLE t ADD (age NUMBER DEFAULT 7 NOT NULL, born DATE);
--> ok
SELECT id, name, age, born FROM t;
--> 1 | Ann | 7 | NULL
ALTER TABLE t MODIFY name VARCHAR2(30);
--> ok
ALTER TABLE t MODIFY (name VARCHAR2(2));
--> error: 1441 cannot decrease column length because some value is too big
ALTER TABLE t MODIFY (name VARCHAR2(3), age DEFAULT 9);
--> ok
ALTER TABLE t MODIFY age NUMBER(10,2);
--> error: 1440
ALTER TABLE t MODIFY id NUMBER(3);
--> error: 1440 column to be modified must be empty to decrease precision or scale
ALTER TABLE t MODIFY name NUMBER;
--> error: 1439 column to be modified must be empty to change datatype
ALTER TABLE t MODIFY note NUMBER(5);
--> ok
ALTER TABLE t MODIFY name NOT NULL;
--> ok
ALTER TABLE t MODIFY name NOT NULL;
--> error: 1442
ALTER TABLE t MODIFY note NOT NULL;
--> error: 2296
ALTER TABLE t MODIFY name NULL;
--> ok
ALTER TABLE t MODIFY nothing NUMBER;
--> error: 904
INSERT INTO t (id, note) VALUES (2, 12345);
--> affected: 1
SELECT id, name, note, age FROM t ORDER BY id;
--> 1 | Ann | NULL | 7
--> 2 | NULL | 12345 | 9
SELECT column_name, data_type, data_precision, nullable FROM user_tab_columns WHERE table_name = 'T' ORDER BY column_id;
--> ID | NUMBER | 4 | N
--> NAME | VARCHAR2 | NULL | Y
--> NOTE | NUMBER | 5 | Y
--> AGE | NUMBER | NULL | N
--> BORN | DATE | NULL | Y
ALTER TABLE t DROP COLUMN note;
--> ok
ALTER TABLE t DROP (age, born);
--> refused ( in
SELECT * FROM t ORDER BY id;
--> 1 | Ann | 7 | NULL
--> 2 | NULL | 9 | NULL
ALTER TABLE t DROP COLUMN note;
--> error: 904
CREATE TABLE c (id NUMBER, x NUMBER, y NUMBER, CONSTRAINT c_xy CHECK (x < y));
--> ok
ALTER TABLE c DROP COLUMN x;
--> error: 12991 column is referenced in a multi-column constraint
ALTER TABLE c DROP COLUMN x CASCADE CONSTRAINTS;
--> ok
INSERT INTO c VALUES (1, 5);
--> affected: 1
ALTER TABLE c DROP COLUMN id;
--> ok
ALTER TABLE c DROP COLUMN y;
--> error: 12983 cannot drop all columns in a table
ALTER TABLE t RENAME COLUMN name TO title;
--> refused RENAME
ALTER TABLE t RENAME TO u;
--> refused RENAME

-- Statistics: nothing to see, but the table must be there.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_STATS.html
BEGIN DBMS_STATS.GATHER_TABLE_STATS(USER, 'T'); END;
--> ok
BEGIN DBMS_STATS.GATHER_TABLE_STATS(ownname => USER, tabname => 't', estimate_percent => DBMS_STATS.AUTO_SAMPLE_SIZE, method_opt => 'FOR ALL COLUMNS SIZE AUTO', cascade => TRUE); END;
--> ok
BEGIN DBMS_STATS.GATHER_SCHEMA_STATS(USER); END;
--> ok
BEGIN DBMS_STATS.GATHER_TABLE_STATS(USER, 'NO_TABLE'); END;
--> error: 20000 Unable to analyze TABLE "APP"."NO_TABLE", insufficient privileges or does not exist
BEGIN DBMS_STATS.GATHER_DATABASE_STATS; END;
--> refused GATHER_DATABASE_STATS

-- TIMESTAMP WITH LOCAL TIME ZONE: what is stored is shown in the time zone of the session.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Data-Types.html
CREATE TABLE z (at TIMESTAMP WITH LOCAL TIME ZONE);
--> refused WITH LOCAL TIME
