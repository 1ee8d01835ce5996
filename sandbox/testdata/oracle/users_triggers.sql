-- The classical uses: an id from a sequence, defaults, an audit row.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/CREATE-TRIGGER-statement.html
CREATE TABLE emp (id NUMBER PRIMARY KEY, name VARCHAR2(10) NOT NULL, sal NUMBER(7,2) DEFAULT 100, changed NUMBER);
--> ok
CREATE TABLE audit_log (what VARCHAR2(40), n NUMBER);
--> ok
CREATE SEQUENCE emp_seq;
--> ok
CREATE OR REPLACE TRIGGER emp_id
BEFORE INSERT ON emp
FOR EACH ROW
WHEN (new.id IS NULL)
BEGIN
  SELECT emp_seq.NEXTVAL INTO :new.id FROM dual;
END;
--> ok
INSERT INTO emp (name) VALUES ('Ann');
--> affected: 1
INSERT INTO emp (id, name) SELECT 10, 'Bob' FROM dual UNION ALL SELECT NULL, 'Cat' FROM dual;
--> affected: 2
SELECT id, name, sal FROM emp ORDER BY id;
--> 1 | Ann | 100
--> 2 | Cat | 100
--> 10 | Bob | 100
BEGIN
  FOR i IN 1 .. 2 LOOP INSERT INTO emp (name, sal) VALUES ('x' || i, i); END LOOP;
  DELETE FROM emp WHERE sal < 3;
  dbms_output.put_line(SQL%ROWCOUNT);
END;
--> print: 2
CREATE TRIGGER emp_audit
AFTER INSERT OR UPDATE OF sal, name OR DELETE ON emp
REFERENCING NEW AS new OLD AS old
FOR EACH ROW
DECLARE
  v VARCHAR2(40);
BEGIN
  IF INSERTING THEN v := 'insert ' || :new.name;
  ELSIF DELETING THEN v := 'delete ' || :old.name;
  ELSIF UPDATING('SAL') THEN v := 'sal ' || :old.sal || ' to ' || :new.sal;
  ELSIF UPDATING THEN v := 'update ' || :old.name || ' to ' || :new.name;
  END IF;
  INSERT INTO audit_log VALUES (v, :new.id);
END;
--> ok
INSERT INTO emp (name) VALUES ('Dan');
--> affected: 1
UPDATE emp SET sal = sal + 1 WHERE name = 'Bob';
--> affected: 1
UPDATE emp SET name = 'Bobby' WHERE name = 'Bob';
--> affected: 1
UPDATE emp SET changed = 1;
--> affected: 4
DELETE FROM emp WHERE name = 'Ann';
--> affected: 1
SELECT what, CASE WHEN n = 10 THEN 'ten' WHEN n IS NOT NULL THEN 'some' END FROM audit_log ORDER BY what;
--> delete Ann | NULL
--> insert Dan | some
--> sal 100 to 101 | ten
--> update Bob to Bobby | ten
-- The statement that fails is undone with what its triggers did.
INSERT INTO emp (name) VALUES ('much too long');
--> error: 12899
INSERT INTO emp (id, name) VALUES (10, 'twice');
--> error: 1
SELECT COUNT(*) FROM audit_log;
--> 4

-- :NEW is what the row becomes, also RETURNING sees it; constraints come after it.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-triggers.html
CREATE OR REPLACE TRIGGER emp_upper BEFORE INSERT OR UPDATE ON emp FOR EACH ROW
BEGIN
  :NEW.name := UPPER(:NEW.name);
  IF :NEW.sal IS NULL THEN :NEW.sal := :OLD.sal; END IF;
  :NEW.changed := NVL(:OLD.changed, 0) + 1;
END;
--> ok
DECLARE n emp.name%TYPE; s emp.sal%TYPE;
BEGIN
  UPDATE emp SET sal = NULL, name = 'bo' WHERE id = 10 RETURNING name, sal INTO n, s;
  dbms_output.put_line(n || ' ' || s);
  INSERT INTO emp (id, name, sal) VALUES (50, 'eve', 5) RETURNING name INTO n;
  dbms_output.put_line(n);
END;
--> print: BO 101
--> print: EVE
SELECT name, sal, changed FROM emp WHERE id IN (10, 50) ORDER BY id;
--> BO | 101 | 2
--> EVE | 5 | 1
MERGE INTO emp e USING (SELECT 50 AS id, 'fay' AS name FROM dual UNION ALL SELECT 51, 'gil' FROM dual) s ON (e.id = s.id) WHEN MATCHED THEN UPDATE SET e.name = s.name WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, s.name);
--> affected: 2
SELECT name, changed FROM emp WHERE id IN (50, 51) ORDER BY id;
--> FAY | 2
--> GIL | 1
DROP TRIGGER emp_upper;
--> ok
DROP TRIGGER emp_upper;
--> error: 4080 trigger 'EMP_UPPER' does not exist

-- Statement triggers fire once, also when no row is changed; row triggers around each row.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-triggers.html
CREATE TABLE t (a NUMBER, b NUMBER);
--> ok
INSERT INTO t SELECT LEVEL, LEVEL FROM dual CONNECT BY LEVEL <= 2;
--> affected: 2
CREATE TRIGGER t1 BEFORE UPDATE ON t BEGIN dbms_output.put_line('before'); END;
--> ok
CREATE TRIGGER t2 AFTER UPDATE ON t DECLARE n NUMBER; BEGIN SELECT SUM(a) INTO n FROM t; dbms_output.put_line('after ' || n); END;
--> ok
CREATE TRIGGER t3 BEFORE UPDATE ON t FOR EACH ROW BEGIN dbms_output.put_line('before row ' || :OLD.a || :NEW.a); END;
--> ok
CREATE TRIGGER t4 AFTER UPDATE ON t FOR EACH ROW BEGIN dbms_output.put_line('after row ' || :OLD.a || :NEW.a); END;
--> ok
BEGIN UPDATE t SET a = a + 2; UPDATE t SET a = a WHERE a > 99; END;
--> print: before
--> print: before row 13
--> print: after row 13
--> print: before row 24
--> print: after row 24
--> print: after 7
--> print: before
--> print: after 7
ALTER TRIGGER t3 DISABLE;
--> ok
ALTER TRIGGER t1 DISABLE;
--> ok
BEGIN UPDATE t SET a = a - 2 WHERE a = 3; END;
--> print: after row 31
--> print: after 5
ALTER TRIGGER t3 ENABLE;
--> ok
BEGIN UPDATE t SET b = 0 WHERE a = 1; END;
--> print: before row 11
--> print: after row 11
--> print: after 5
ALTER TRIGGER nothing ENABLE;
--> error: 4080
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_TRIGGERS.html
SELECT trigger_name, trigger_type, triggering_event, table_name, status, when_clause FROM user_triggers ORDER BY 1;
--> EMP_AUDIT | AFTER EACH ROW | INSERT OR UPDATE OR DELETE | EMP | ENABLED | NULL
--> EMP_ID | BEFORE EACH ROW | INSERT | EMP | ENABLED | new.id IS NULL
--> T1 | BEFORE STATEMENT | UPDATE | T | DISABLED | NULL
--> T2 | AFTER STATEMENT | UPDATE | T | ENABLED | NULL
--> T3 | BEFORE EACH ROW | UPDATE | T | ENABLED | NULL
--> T4 | AFTER EACH ROW | UPDATE | T | ENABLED | NULL
SELECT object_type, status FROM user_objects WHERE object_name = 'T4';
--> TRIGGER | VALID

-- Errors: the stack names the trigger, whose lines count from its block on.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-triggers.html
CREATE TABLE acc (id NUMBER, amount NUMBER);
--> ok
CREATE OR REPLACE TRIGGER acc_check
BEFORE INSERT OR UPDATE ON acc
FOR EACH ROW
BEGIN
  IF :NEW.amount < 0 THEN
    RAISE_APPLICATION_ERROR(-20001, 'not below zero');
  END IF;
END;
--> ok
INSERT INTO acc VALUES (1, -1);
--> error: 20001 not below zero ORA-06512: at "APP.ACC_CHECK", line 3 ORA-04088: error during execution of trigger 'APP.ACC_CHECK'
BEGIN
  INSERT INTO acc VALUES (1, -1);
END;
--> error: 20001 not below zero ORA-06512: at "APP.ACC_CHECK", line 3 ORA-04088: error during execution of trigger 'APP.ACC_CHECK' ORA-06512: at line 2
BEGIN
  INSERT INTO acc VALUES (1, -1);
EXCEPTION WHEN OTHERS THEN dbms_output.put_line(SQLCODE);
END;
--> print: -20001
SELECT COUNT(*) FROM acc;
--> 0
CREATE OR REPLACE TRIGGER acc_log AFTER DELETE ON acc FOR EACH ROW
DECLARE
  n INTEGER;
BEGIN
  SELECT COUNT(*) INTO n FROM acc;
END;
--> ok
INSERT INTO acc VALUES (1, 1);
--> affected: 1
DELETE FROM acc;
--> error: 4091 table APP.ACC is mutating, trigger/function may not see it ORA-06512: at "APP.ACC_LOG", line 4 ORA-04088: error during execution of trigger 'APP.ACC_LOG'
CREATE OR REPLACE TRIGGER acc_log AFTER DELETE ON acc FOR EACH ROW
DECLARE
  PRAGMA AUTONOMOUS_TRANSACTION;
BEGIN
  INSERT INTO audit_log SELECT 'left', COUNT(*) FROM acc;
  COMMIT;
END;
--> ok
BEGIN DELETE FROM acc; ROLLBACK; END;
--> ok
SELECT n FROM audit_log WHERE what = 'left';
--> 1
CREATE OR REPLACE TRIGGER acc_log AFTER DELETE ON acc BEGIN COMMIT; END;
--> ok
DELETE FROM acc;
--> error: 4092 cannot COMMIT in a trigger

-- A trigger with errors is created; the statement that would fire it fails until it is mended.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/CREATE-TRIGGER-statement.html
CREATE OR REPLACE TRIGGER acc_log AFTER DELETE ON acc
BEGIN
  nothing_of_that_name;
END;
--> ok
SELECT line, text FROM user_errors WHERE name = 'ACC_LOG' AND type = 'TRIGGER' ORDER BY sequence;
--> 2 | PLS-00201: identifier 'NOTHING_OF_THAT_NAME' must be declared
--> 2 | PL/SQL: Statement ignored
DELETE FROM acc;
--> error: 4098 trigger 'APP.ACC_LOG' is invalid and failed re-validation
CREATE PROCEDURE nothing_of_that_name IS BEGIN NULL; END;
--> ok
DELETE FROM acc;
--> affected: 1
ALTER TABLE acc ADD (more NUMBER DEFAULT 7);
--> ok
INSERT INTO acc VALUES (2, 2, 2);
--> affected: 1
INSERT INTO acc (amount) VALUES (-2);
--> error: 20001

-- What cannot be.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/errmg/ORA-02140.html
CREATE TRIGGER bad BEFORE UPDATE ON acc BEGIN :NEW.amount := 1; END;
--> error: 4082 NEW or OLD references not allowed in table level triggers
CREATE TRIGGER bad AFTER UPDATE ON acc FOR EACH ROW BEGIN :NEW.amount := 1; END;
--> error: 4084 cannot change NEW values for this trigger type
CREATE TRIGGER bad BEFORE UPDATE ON acc FOR EACH ROW BEGIN :OLD.amount := 1; END;
--> error: 4085 cannot change the value of an OLD reference variable
CREATE TRIGGER bad BEFORE UPDATE ON acc WHEN (new.amount > 1) BEGIN NULL; END;
--> error: 4077 WHEN clause cannot be used with table level triggers
CREATE TRIGGER acc_check BEFORE UPDATE ON acc BEGIN NULL; END;
--> error: 4081 trigger 'ACC_CHECK' already exists
CREATE OR REPLACE TRIGGER acc_check BEFORE UPDATE ON emp BEGIN NULL; END;
--> error: 4095 trigger 'ACC_CHECK' already exists on another table, cannot replace it
CREATE TRIGGER bad BEFORE UPDATE ON nowhere BEGIN NULL; END;
--> error: 942
CREATE TRIGGER bad BEFORE UPDATE OF nothing ON acc BEGIN NULL; END;
--> error: 904
CREATE TRIGGER bad INSTEAD OF INSERT ON acc BEGIN NULL; END;
--> refused INSTEAD OF
CREATE TRIGGER bad FOR UPDATE ON acc COMPOUND TRIGGER BEFORE STATEMENT IS BEGIN NULL; END BEFORE STATEMENT; END;
--> refused TRIGGER bad FOR
CREATE TRIGGER bad AFTER LOGON ON SCHEMA BEGIN NULL; END;
--> refused LOGON
CREATE TRIGGER bad BEFORE UPDATE ON acc FOLLOWS acc_check BEGIN NULL; END;
--> refused FOLLOWS

-- A table's triggers go with it.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/DROP-TABLE.html
DROP TABLE acc;
--> ok
SELECT COUNT(*) FROM user_triggers WHERE table_name = 'ACC';
--> 0
CREATE TABLE c (id NUMBER);
--> ok
-- What commits may not be called, whoever commits; DISABLE of a replaced trigger.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/CREATE-TRIGGER-statement.html
CREATE OR REPLACE TRIGGER c_gone BEFORE DELETE ON c BEGIN DBMS_STATS.GATHER_SCHEMA_STATS(USER); END;
--> ok
DELETE FROM c;
--> error: 4092
CREATE OR REPLACE TRIGGER c_gone BEFORE DELETE ON c DISABLE BEGIN DBMS_STATS.GATHER_SCHEMA_STATS(USER); END;
--> ok
DELETE FROM c;
--> affected: 0
