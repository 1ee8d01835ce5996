-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_TABLES.html
CREATE TABLE books (id NUMBER(6) CONSTRAINT books_pk PRIMARY KEY, title VARCHAR2(40) NOT NULL, price NUMBER(8,2) DEFAULT 1, added DATE, CONSTRAINT books_price CHECK (price > 0));
--> ok
CREATE INDEX books_title ON books (title);
--> ok
CREATE SEQUENCE book_seq CACHE 5;
--> ok
CREATE VIEW cheap AS SELECT id, title FROM books WHERE price < 5;
--> ok
CREATE OR REPLACE FUNCTION one RETURN NUMBER IS
BEGIN
  RETURN 1;
END;
--> ok
SELECT table_name FROM user_tables;
--> BOOKS
SELECT owner, table_name FROM all_tables WHERE table_name = 'BOOKS';
--> APP | BOOKS
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_TAB_COLUMNS.html
SELECT column_id, column_name, data_type, data_length, data_precision, data_scale, nullable FROM user_tab_columns WHERE table_name = 'BOOKS' ORDER BY column_id;
--> 1 | ID | NUMBER | 22 | 6 | 0 | N
--> 2 | TITLE | VARCHAR2 | 40 | NULL | NULL | N
--> 3 | PRICE | NUMBER | 22 | 8 | 2 | Y
--> 4 | ADDED | DATE | 7 | NULL | NULL | Y
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_CONSTRAINTS.html
SELECT constraint_name, constraint_type, status FROM user_constraints WHERE table_name = 'BOOKS' AND constraint_name LIKE 'BOOKS%' ORDER BY constraint_name;
--> BOOKS_PK | P | ENABLED
--> BOOKS_PRICE | C | ENABLED
SELECT COUNT(*) FROM user_constraints WHERE table_name = 'BOOKS' AND generated = 'GENERATED NAME' AND constraint_type = 'C';
--> 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_CONS_COLUMNS.html
SELECT column_name, position FROM user_cons_columns WHERE constraint_name = 'BOOKS_PK';
--> ID | 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_INDEXES.html
SELECT index_name, uniqueness, table_name FROM user_indexes ORDER BY index_name;
--> BOOKS_PK | UNIQUE | BOOKS
--> BOOKS_TITLE | NONUNIQUE | BOOKS
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_IND_COLUMNS.html
SELECT column_name, column_position, descend FROM user_ind_columns WHERE index_name = 'BOOKS_TITLE';
--> TITLE | 1 | ASC
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_SEQUENCES.html
SELECT sequence_name, min_value, max_value, increment_by, cycle_flag, cache_size FROM user_sequences;
--> BOOK_SEQ | 1 | 9999999999999999999999999999 | 1 | N | 5
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_VIEWS.html
SELECT view_name, text_length FROM user_views;
--> CHEAP | 43
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_OBJECTS.html
SELECT object_name, object_type, status FROM user_objects ORDER BY object_name;
--> BOOKS | TABLE | VALID
--> BOOKS_PK | INDEX | VALID
--> BOOKS_TITLE | INDEX | VALID
--> BOOK_SEQ | SEQUENCE | VALID
--> CHEAP | VIEW | VALID
--> ONE | FUNCTION | VALID
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_SOURCE.html
SELECT line, RTRIM(text, CHR(10)) FROM user_source WHERE name = 'ONE' AND line <= 2 ORDER BY line;
--> 1 | FUNCTION one RETURN NUMBER IS
--> 2 | BEGIN
SELECT COUNT(*) FROM user_source WHERE name = 'ONE' AND UPPER(text) LIKE '%RETURN%';
--> 2
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_ERRORS.html
CREATE OR REPLACE VIEW cheap2 AS SELECT id FROM books;
--> ok
ALTER TABLE books ADD (isbn VARCHAR2(20));
--> ok
SELECT COUNT(*) FROM user_errors;
--> 0
DROP VIEW cheap2;
--> ok
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_DEPENDENCIES.html
SELECT name, type, referenced_name, referenced_type FROM user_dependencies WHERE name = 'CHEAP';
--> CHEAP | VIEW | BOOKS | TABLE
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_TAB_COMMENTS.html
COMMENT ON TABLE books IS 'what we sell';
--> ok
SELECT table_name, comments FROM user_tab_comments WHERE comments IS NOT NULL;
--> BOOKS | what we sell
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_USERS.html
SELECT username FROM user_users;
--> APP
SELECT COUNT(*) FROM all_users WHERE username IN ('SYS', 'APP');
--> 2
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Selecting-from-the-DUAL-Table.html
SELECT * FROM dual;
--> X
SELECT COUNT(*) FROM sys.dual;
--> 1
-- Views that Oracle has and the sandbox has not are refused; what does not exist is ORA-00942.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/USER_RECYCLEBIN.html
SELECT COUNT(*) FROM user_recyclebin;
--> refused USER_RECYCLEBIN
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_TRIGGERS.html
SELECT COUNT(*) FROM dba_segments;
--> refused DBA_SEGMENTS
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-LOCK.html
SELECT COUNT(*) FROM gv$lock;
--> refused GV$LOCK
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_PROCEDURES.html
SELECT COUNT(*) FROM user_procedures;
--> refused USER_PROCEDURES
SELECT COUNT(*) FROM user_part_key_columns;
--> refused USER_PART_KEY_COLUMNS
SELECT COUNT(*) FROM user_nothing;
--> error: 942
SELECT COUNT(*) FROM information_schema.tables;
--> error: 942
SELECT COUNT(*) FROM sys.no_such_thing;
--> error: 942
SELECT nothing FROM dual;
--> error: 904
INSERT INTO user_tables (table_name) VALUES ('X');
--> error: 1031
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/CAT.html
SELECT COUNT(*) FROM cat;
--> refused CAT
SELECT COUNT(*) FROM tabs;
--> refused TABS
