-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/INSERT.html
CREATE TABLE items (id NUMBER(5) CONSTRAINT items_pk PRIMARY KEY, code VARCHAR2(5) NOT NULL, price NUMBER(6,2) DEFAULT 9.99, qty NUMBER, CONSTRAINT items_qty CHECK (qty >= 0));
--> ok
INSERT INTO items (id, code) VALUES (1, 'a');
--> affected: 1
INSERT INTO items VALUES (2, 'b', DEFAULT, 5);
--> affected: 1
INSERT INTO items SELECT id + 10, code || 'x', price * 2, 0 FROM items;
--> affected: 2
SELECT id, code, TO_CHAR(price), qty FROM items ORDER BY id;
--> 1 | a | 9.99 | NULL
--> 2 | b | 9.99 | 5
--> 11 | ax | 19.98 | 0
--> 12 | bx | 19.98 | 0
INSERT INTO items (id, code) VALUES (1, 'again');
--> error: 1 unique constraint
INSERT INTO items (id) VALUES (3);
--> error: 1400 cannot insert NULL into
INSERT INTO items (code) VALUES ('x');
--> error: 1400 "ID")
INSERT INTO items (id, code) VALUES (3, '');
--> error: 1400
INSERT INTO items (id, code, qty) VALUES (3, 'x', -1);
--> error: 2290 check constraint
INSERT INTO items (id, code) VALUES (3, 'too long');
--> error: 12899 "CODE" (actual: 8, maximum: 5)
INSERT INTO items (id, code) VALUES (123456, 'x');
--> error: 1438
INSERT INTO items (id, code) VALUES ('one', 'x');
--> error: 1722
INSERT INTO items (id, code) VALUES (3, 'x', 1);
--> error: 913 too many values
INSERT INTO items (id, code, qty) VALUES (3, 'x');
--> error: 947 not enough values
INSERT INTO items VALUES (3, 'x');
--> error: 947
INSERT INTO items (id, code, id) VALUES (3, 'x', 4);
--> error: 957 duplicate column name
INSERT INTO items (id, nothing) VALUES (3, 'x');
--> error: 904 "NOTHING": invalid identifier
INSERT INTO nothing VALUES (1);
--> error: 942
INSERT INTO items (id, code) SELECT id, code, qty FROM items;
--> error: 913
INSERT INTO items (id, code) VALUES (3, "x");
--> error: 984 column not allowed here
INSERT INTO items (id, code) VALUES ('4', 5);
--> affected: 1
INSERT INTO items (id, code) SELECT 1, 'dup' FROM dual WHERE 1 = 2;
--> affected: 0

-- A statement that fails is undone whole.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/cncpt/transactions.html
INSERT INTO items (id, code) SELECT LEVEL + 1000, CASE WHEN LEVEL < 4 THEN 'ok' END FROM dual CONNECT BY LEVEL <= 4;
--> error: 1400
SELECT COUNT(*) FROM items WHERE id > 1000;
--> 0
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/UPDATE.html
UPDATE items SET price = price + 1, qty = NVL(qty, 0) + 1 WHERE id < 10;
--> affected: 3
SELECT id, TO_CHAR(price), qty FROM items WHERE id < 10 ORDER BY id;
--> 1 | 10.99 | 1
--> 2 | 10.99 | 6
--> 4 | 10.99 | 1
UPDATE items SET (code, price) = (SELECT 'new', 1 FROM dual) WHERE id = 4;
--> refused ( in
UPDATE items i SET qty = (SELECT COUNT(*) FROM items WHERE id < i.id) WHERE id > 10;
--> affected: 2
UPDATE items SET price = DEFAULT WHERE id = 4;
--> affected: 1
SELECT id, TO_CHAR(price), qty FROM items WHERE id IN (4, 12) ORDER BY id;
--> 4 | 9.99 | 1
--> 12 | 19.98 | 4
UPDATE items SET id = id + 1;
--> affected: 5
UPDATE items SET id = 5;
--> error: 1
UPDATE items SET code = NULL WHERE id = 5;
--> error: 1407 cannot update
UPDATE items SET qty = -1 WHERE id = 5;
--> error: 2290
UPDATE items SET price = 12345.67 WHERE id = 5;
--> error: 1438
UPDATE items SET qty = (SELECT id FROM items);
--> error: 1427
UPDATE items SET qty = 0 WHERE id = 999;
--> affected: 0
UPDATE items SET nothing = 0;
--> error: 904
UPDATE items SET qty = 1, qty = 2;
--> error: 957
UPDATE items SET price = qty, qty = id WHERE id = 5;
--> affected: 1
SELECT price, qty FROM items WHERE id = 5;
--> 1 | 5
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/DELETE.html
DELETE FROM items WHERE id = 999;
--> affected: 0
DELETE items WHERE code LIKE '_x';
--> affected: 2
DELETE FROM items i WHERE EXISTS (SELECT 1 FROM dual WHERE i.id = 5);
--> affected: 1
DELETE FROM (SELECT * FROM items WHERE id = 3);
--> refused DELETE FROM (
DELETE FROM items;
--> affected: 2
SELECT COUNT(*) FROM items;
--> 0
ROLLBACK;
--> ok
SELECT COUNT(*) FROM items;
--> 0
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/MERGE.html
CREATE TABLE bonuses (employee_id NUMBER PRIMARY KEY, bonus NUMBER DEFAULT 100);
--> ok
BEGIN
  INSERT INTO bonuses (employee_id) VALUES (1);
  INSERT INTO bonuses (employee_id) VALUES (2);
END;
--> ok
MERGE INTO bonuses b USING dual ON (b.employee_id = 1) WHEN MATCHED THEN UPDATE SET bonus = 0;
--> refused MERGE
INSERT INTO bonuses VALUES (3, 70);
--> affected: 1
UPDATE bonuses SET bonus = 150 WHERE employee_id = 2;
--> affected: 1
DELETE FROM bonuses WHERE employee_id = 1;
--> affected: 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/static-sql.html
DECLARE
  v_id bonuses.employee_id%TYPE;
  v_bonus NUMBER;
BEGIN
  INSERT INTO bonuses (employee_id) VALUES (50) RETURNING employee_id, bonus INTO v_id, v_bonus;
  dbms_output.put_line(v_id || ' ' || v_bonus || ' ' || SQL%ROWCOUNT);
  UPDATE bonuses SET bonus = bonus * 2 WHERE employee_id = 50 RETURNING bonus INTO v_bonus;
  dbms_output.put_line(v_bonus);
  DELETE FROM bonuses WHERE employee_id = 50 RETURNING bonus INTO v_bonus;
  dbms_output.put_line(v_bonus);
  DELETE FROM bonuses WHERE employee_id = 51;
  IF SQL%NOTFOUND THEN dbms_output.put_line('none, ' || SQL%ROWCOUNT); END IF;
END;
--> print: 50 100 1
--> print: 200
--> print: 200
--> print: none, 0
DECLARE v NUMBER; BEGIN UPDATE bonuses SET bonus = 1 RETURNING bonus INTO v; END;
--> error: 1422
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/TRUNCATE-TABLE.html
TRUNCATE TABLE bonuses;
--> ok
ROLLBACK;
--> ok
SELECT COUNT(*) FROM bonuses;
--> 0
TRUNCATE TABLE nothing;
--> error: 942
