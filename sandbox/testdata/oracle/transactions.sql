-- READ ONLY: the transaction, and with it what all its queries see, begins with SET TRANSACTION.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SET-TRANSACTION.html
CREATE TABLE accounts (id NUMBER PRIMARY KEY, balance NUMBER NOT NULL CONSTRAINT no_debt CHECK (balance >= 0));
--> ok
INSERT INTO accounts VALUES (1, 100);
--> affected: 1
INSERT INTO accounts VALUES (2, 50);
--> affected: 1
COMMIT;
--> ok
CREATE OR REPLACE PROCEDURE elsewhere (p_id NUMBER) AS
  PRAGMA AUTONOMOUS_TRANSACTION;
BEGIN
  INSERT INTO accounts VALUES (p_id, 0);
  COMMIT;
END;
--> ok
SET TRANSACTION READ ONLY;
--> ok
BEGIN elsewhere(10); END;
--> ok
SELECT COUNT(*) FROM accounts;
--> 2
SELECT COUNT(*) FROM accounts;
--> 2
INSERT INTO accounts VALUES (3, 0);
--> error: 1456 inside a READ ONLY transaction
COMMIT;
--> ok
SELECT COUNT(*) FROM accounts;
--> 3
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;
--> ok
SELECT COUNT(*) FROM accounts;
--> 3
BEGIN elsewhere(11); END;
--> ok
SELECT COUNT(*) FROM accounts;
--> 3
INSERT INTO accounts VALUES (12, 0);
--> affected: 1
SELECT COUNT(*) FROM accounts;
--> 4
SET TRANSACTION READ ONLY;
--> error: 1453 SET TRANSACTION must be first statement of transaction
ROLLBACK;
--> ok
SET TRANSACTION READ WRITE;
--> ok
DELETE FROM accounts WHERE id >= 10;
--> affected: 2
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
--> error: 1453
COMMIT WORK;
--> ok

-- A savepoint's rollback undoes what came after it, and keeps the rest.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SAVEPOINT.html
UPDATE accounts SET balance = balance - 30 WHERE id = 1;
--> affected: 1
SAVEPOINT debited;
--> ok
UPDATE accounts SET balance = balance + 30 WHERE id = 2;
--> affected: 1
SAVEPOINT credited;
--> ok
ROLLBACK TO SAVEPOINT debited;
--> ok
SELECT id, balance FROM accounts ORDER BY id;
--> 1 | 70
--> 2 | 50
ROLLBACK TO credited;
--> error: 1086
ROLLBACK TO debited;
--> ok
ROLLBACK;
--> ok
SELECT balance FROM accounts WHERE id = 1;
--> 100
ROLLBACK TO SAVEPOINT debited;
--> error: 1086
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/COMMIT.html
UPDATE accounts SET balance = 99 WHERE id = 1;
--> affected: 1
COMMIT WORK;
--> ok
COMMIT COMMENT 'done';
--> refused COMMIT COMMENT
ROLLBACK;
--> ok
SELECT balance FROM accounts WHERE id = 1;
--> 99

-- A definition commits what is open, before and after it.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Types-of-SQL-Statements.html
UPDATE accounts SET balance = 98 WHERE id = 1;
--> affected: 1
CREATE TABLE anything (a NUMBER);
--> ok
ROLLBACK;
--> ok
SELECT balance FROM accounts WHERE id = 1;
--> 98
UPDATE accounts SET balance = 97 WHERE id = 1;
--> affected: 1
CREATE TABLE accounts (a NUMBER);
--> error: 955
ROLLBACK;
--> ok
SELECT balance FROM accounts WHERE id = 1;
--> 97

-- Deferred constraints are checked by COMMIT, which rolls back when they are violated.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SET-CONSTRAINTS.html
CREATE TABLE later (id NUMBER, balance NUMBER CONSTRAINT paid_at_last CHECK (balance >= 0) INITIALLY DEFERRED DEFERRABLE);
--> ok
INSERT INTO later VALUES (1, -1);
--> affected: 1
SET CONSTRAINTS ALL IMMEDIATE;
--> error: 2290 PAID_AT_LAST
UPDATE later SET balance = 1;
--> affected: 1
COMMIT;
--> ok
UPDATE later SET balance = -5;
--> affected: 1
COMMIT;
--> error: 2091 transaction rolled back
SELECT id, balance FROM later;
--> 1 | 1
SET CONSTRAINTS paid_at_last IMMEDIATE;
--> refused
CREATE TABLE later2 (id NUMBER PRIMARY KEY DEFERRABLE INITIALLY DEFERRED);
--> refused deferrable

-- Statements are atomic, and a block is one: what it does is undone when its error leaves it.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/static-sql.html
BEGIN
  UPDATE accounts SET balance = 1 WHERE id = 1;
  UPDATE accounts SET balance = -1 WHERE id = 2;
END;
--> error: 2290
SELECT balance FROM accounts WHERE id = 1;
--> 97
BEGIN
  UPDATE accounts SET balance = 1 WHERE id = 1;
  BEGIN
    UPDATE accounts SET balance = -1 WHERE id = 2;
  EXCEPTION WHEN OTHERS THEN dbms_output.put_line(SQLCODE);
  END;
END;
--> print: -2290
SELECT balance FROM accounts WHERE id = 1;
--> 1
ROLLBACK;
--> ok
BEGIN
  UPDATE accounts SET balance = 2 WHERE id = 1;
  SAVEPOINT s;
  UPDATE accounts SET balance = 3 WHERE id = 1;
  ROLLBACK TO s;
  COMMIT;
  UPDATE accounts SET balance = 4 WHERE id = 1;
  ROLLBACK;
END;
--> ok
SELECT balance FROM accounts WHERE id = 1;
--> 2

-- An autonomous transaction commits for itself, does not see what is uncommitted, and must end.
DECLARE
  PROCEDURE log_it IS
    PRAGMA AUTONOMOUS_TRANSACTION;
    n NUMBER;
  BEGIN
    SELECT COUNT(*) INTO n FROM accounts;
    dbms_output.put_line('sees ' || n);
    INSERT INTO accounts VALUES (100, n);
    COMMIT;
  END;
BEGIN
  DELETE FROM accounts WHERE id = 2;
  log_it;
  ROLLBACK;
END;
--> print: sees 2
SELECT id, balance FROM accounts ORDER BY id;
--> 1 | 2
--> 2 | 50
--> 100 | 2
DECLARE
  PROCEDURE forgets IS
    PRAGMA AUTONOMOUS_TRANSACTION;
  BEGIN
    INSERT INTO accounts VALUES (101, 0);
  END;
BEGIN
  forgets;
END;
--> error: 6519 active autonomous transaction detected and rolled back
DECLARE
  PROCEDURE waits IS
    PRAGMA AUTONOMOUS_TRANSACTION;
  BEGIN
    UPDATE accounts SET balance = 9 WHERE id = 1;
    COMMIT;
  END;
BEGIN
  UPDATE accounts SET balance = 8 WHERE id = 1;
  waits;
END;
--> error: 60 deadlock detected while waiting for resource
DECLARE
  PROCEDURE no_wait IS
    PRAGMA AUTONOMOUS_TRANSACTION;
    n NUMBER;
  BEGIN
    SELECT balance INTO n FROM accounts WHERE id = 1 FOR UPDATE NOWAIT;
  END;
BEGIN
  UPDATE accounts SET balance = 8 WHERE id = 1;
  no_wait;
END;
--> error: 54 resource busy and acquire with NOWAIT specified or timeout expired
DECLARE
  PROCEDURE waits_a_while IS
    PRAGMA AUTONOMOUS_TRANSACTION;
    n NUMBER;
  BEGIN
    SELECT balance INTO n FROM accounts WHERE id = 1 FOR UPDATE WAIT 2;
  END;
BEGIN
  UPDATE accounts SET balance = 8 WHERE id = 1;
  waits_a_while;
END;
--> error: 30006
DECLARE
  PROCEDURE skips IS
    PRAGMA AUTONOMOUS_TRANSACTION;
  BEGIN
    FOR r IN (SELECT id FROM accounts ORDER BY id FOR UPDATE SKIP LOCKED) LOOP
      dbms_output.put_line('got ' || r.id);
    END LOOP;
    ROLLBACK;
  END;
BEGIN
  UPDATE accounts SET balance = 8 WHERE id = 1;
  skips;
  ROLLBACK;
END;
--> print: got 2
--> print: got 100
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LOCK-TABLE.html
LOCK TABLE accounts IN EXCLUSIVE MODE NOWAIT;
--> ok
LOCK TABLE nothing IN SHARE MODE;
--> error: 942
ROLLBACK;
--> ok
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-TABLE.html
CREATE GLOBAL TEMPORARY TABLE scratch (n NUMBER) ON COMMIT DELETE ROWS;
--> ok
INSERT INTO scratch SELECT LEVEL FROM dual CONNECT BY LEVEL <= 3;
--> affected: 3
SELECT COUNT(*) FROM scratch;
--> 3
COMMIT;
--> ok
SELECT COUNT(*) FROM scratch;
--> 0
-- Read consistency: a cursor sees the data as of its OPEN.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/cncpt/data-concurrency-and-consistency.html
DECLARE
  CURSOR c IS SELECT id FROM accounts ORDER BY id;
BEGIN
  FOR r IN c LOOP
    INSERT INTO accounts VALUES (r.id + 1000, 0);
  END LOOP;
  FOR r IN c LOOP dbms_output.put_line(r.id); END LOOP;
END;
--> print: 1
--> print: 2
--> print: 100
--> print: 1001
--> print: 1002
--> print: 1100
INSERT INTO accounts SELECT id + 5000, balance FROM accounts;
--> affected: 6
ROLLBACK;
--> ok
