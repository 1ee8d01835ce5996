-- A user without the privilege for it is refused: ORA-01031.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-USER.html
CREATE USER ann IDENTIFIED BY "secret 1";
--> error: 1031 insufficient privileges
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-ROLE.html
CREATE ROLE reader;
--> error: 1031
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/DROP-USER.html
DROP USER sys;
--> error: 1031
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ALTER-USER.html
ALTER USER nobody ACCOUNT LOCK;
--> error: 1031
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/GRANT.html
CREATE TABLE secrets (id NUMBER PRIMARY KEY, v VARCHAR2(10));
--> ok
GRANT SELECT ON nothing TO PUBLIC;
--> error: 942
GRANT SELECT ON secrets TO nobody;
--> error: 1917 user or role 'NOBODY' does not exist
GRANT NOTHING ON secrets TO PUBLIC;
--> error: 990
GRANT EXECUTE ON secrets TO PUBLIC;
--> error: 2224 EXECUTE privilege not allowed for tables
GRANT SELECT, INSERT ON secrets TO PUBLIC;
--> ok
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/USER_TAB_PRIVS.html
SELECT grantee, table_name, privilege, grantor, grantable FROM user_tab_privs WHERE table_name = 'SECRETS' ORDER BY privilege;
--> PUBLIC | SECRETS | INSERT | APP | NO
--> PUBLIC | SECRETS | SELECT | APP | NO
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/REVOKE.html
REVOKE INSERT ON secrets FROM PUBLIC;
--> ok
SELECT privilege FROM user_tab_privs WHERE table_name = 'SECRETS';
--> SELECT
REVOKE DELETE ON secrets FROM PUBLIC;
--> error: 1927
REVOKE SELECT ON secrets FROM nobody;
--> error: 1917
DROP TABLE secrets;
--> ok
SELECT COUNT(*) FROM user_tab_privs WHERE table_name = 'SECRETS';
--> 0
-- Another's objects: without any right they do not exist.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/errmg/ORA-00910.html
SELECT COUNT(*) FROM sys.obj$;
--> error: 942
INSERT INTO sys.dual VALUES ('Y');
--> error: 1031
CREATE TABLE sys.mine (a NUMBER);
--> error: 1031
DROP TABLE sys.dual;
--> error: 1031
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ALTER-SYSTEM.html
ALTER SYSTEM KILL SESSION '1,1';
--> error: 1031
ALTER SYSTEM SET job_queue_processes = 0;
--> error: 1031
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ALTER-SESSION.html
ALTER SESSION SET CURRENT_SCHEMA = nobody;
--> error: 1435 user does not exist
ALTER SESSION SET CURRENT_SCHEMA = sys;
--> ok
SELECT SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA'), USER FROM dual;
--> SYS | APP
ALTER SESSION SET CURRENT_SCHEMA = app;
--> ok
ALTER SESSION SET nothing = 1;
--> refused
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-SESSION.html
SELECT COUNT(*) FROM v$session;
--> error: 942
SELECT COUNT(*) FROM dba_tables;
--> error: 942
