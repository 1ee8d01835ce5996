-- Triggers are created and shown, but none fires: rows of a table that has an enabled one do not change.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/CREATE-TRIGGER-statement.html
CREATE TABLE acc (id NUMBER, amount NUMBER);
--> ok
CREATE TABLE t (a NUMBER);
--> ok
CREATE TRIGGER t1 BEFORE UPDATE OR DELETE ON acc BEGIN NULL; END;
--> ok
INSERT INTO acc VALUES (1, 1);
--> refused a trigger, as the sandbox fires none: T1
ALTER TRIGGER t1 DISABLE;
--> ok
INSERT INTO acc VALUES (1, 1);
--> affected: 1
ALTER TRIGGER nothing ENABLE;
--> error: 4080
CREATE TRIGGER t1 BEFORE UPDATE ON acc BEGIN NULL; END;
--> error: 4081 trigger 'T1' already exists
CREATE OR REPLACE TRIGGER t1 BEFORE UPDATE ON t BEGIN NULL; END;
--> error: 4095 trigger 'T1' already exists on another table, cannot replace it
CREATE TRIGGER bad BEFORE UPDATE ON nowhere BEGIN NULL; END;
--> error: 942
CREATE TRIGGER bad BEFORE UPDATE OF nothing ON acc BEGIN NULL; END;
--> error: 904
CREATE TRIGGER bad BEFORE UPDATE ON acc FOR EACH ROW BEGIN :NEW.amount := 1; END;
--> refused :NEW
CREATE TRIGGER bad BEFORE UPDATE ON acc FOR EACH ROW WHEN (new.amount > 1) BEGIN NULL; END;
--> refused WHEN
CREATE TRIGGER bad BEFORE UPDATE ON acc REFERENCING NEW AS NEW BEGIN NULL; END;
--> refused REFERENCING
CREATE TRIGGER bad INSTEAD OF INSERT ON acc BEGIN NULL; END;
--> refused INSTEAD OF
CREATE TRIGGER bad FOR UPDATE ON acc COMPOUND TRIGGER BEFORE STATEMENT IS BEGIN NULL; END BEFORE STATEMENT; END;
--> refused TRIGGER bad FOR
CREATE TRIGGER bad AFTER LOGON ON SCHEMA BEGIN NULL; END;
--> refused LOGON
CREATE TRIGGER bad BEFORE UPDATE ON acc FOLLOWS acc_check BEGIN NULL; END;
--> refused FOLLOWS
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/ALL_TRIGGERS.html
SELECT trigger_name, trigger_type, triggering_event, table_name, status, when_clause FROM user_triggers ORDER BY 1;
--> T1 | BEFORE STATEMENT | UPDATE OR DELETE | ACC | DISABLED | NULL

-- A table's triggers go with it.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/DROP-TABLE.html
DROP TABLE acc;
--> ok
SELECT COUNT(*) FROM user_triggers WHERE table_name = 'ACC';
--> 0
