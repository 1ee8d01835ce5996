-- What frameworks read of the dictionary; who creates none of a kind sees none.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/GLOBAL_NAME.html
SELECT COUNT(*) FROM GLOBAL_NAME WHERE GLOBAL_NAME IS NOT NULL;
--> 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_TAB_COLUMNS.html
CREATE TABLE dt (id NUMBER(5, 2) NOT NULL, name VARCHAR2(10 CHAR), n NVARCHAR2(5));
--> ok
SELECT column_name, data_length, char_length, char_used, character_set_name, char_col_decl_length, num_buckets, histogram FROM all_tab_columns
WHERE owner = USER AND table_name = 'DT' ORDER BY column_id;
--> ID | 22 | 0 | NULL | NULL | NULL | NULL | NONE
--> NAME | 40 | 10 | C | CHAR_CS | 40 | NULL | NONE
--> N | 10 | 5 | C | NCHAR_CS | 10 | NULL | NONE
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_VIEWS.html
CREATE VIEW dtv AS SELECT id FROM dt;
--> ok
SELECT editioning_view, read_only FROM user_views WHERE view_name = 'DTV';
--> N | N
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_TYPES.html
SELECT COUNT(*) FROM all_types WHERE owner = USER;
--> 0
SELECT COUNT(*) FROM user_mview_logs;
--> 0
SELECT COUNT(*) FROM all_db_links;
--> 0
SELECT COUNT(*) FROM all_triggers;
--> 0
SELECT bequeathed FROM all_views;
--> refused the column BEQUEATHED of ALL_VIEWS
SELECT v.superview_name FROM all_views v;
--> refused the column SUPERVIEW_NAME of ALL_VIEWS
-- SQLAlchemy reads these.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_MVIEW_COMMENTS.html
SELECT COUNT(*) FROM all_mview_comments;
--> 0
SELECT compression, compress_for, secondary, blocks FROM user_tables WHERE table_name = 'DT';
--> DISABLED | NULL | N | NULL
-- A row may be compared with one in two pairs of parentheses.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Comparison-Conditions.html
SELECT 'same' FROM dual WHERE (1, 2) = ((1, 2));
--> same
SELECT 'other' FROM dual WHERE (1, 2) != ((1, 3));
--> other
