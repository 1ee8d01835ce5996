-- Each row has an address, by which it is found again.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ROWID-Pseudocolumn.html
CREATE TABLE r (id NUMBER PRIMARY KEY, name VARCHAR2(10));
--> ok
INSERT INTO r SELECT LEVEL, 'n' || MOD(LEVEL, 2) FROM dual CONNECT BY LEVEL <= 6;
--> affected: 6
SELECT LENGTH(ROWID), COUNT(*) FROM r GROUP BY LENGTH(ROWID);
--> 18 | 6
SELECT b.id FROM r a JOIN r b ON a.ROWID = b.ROWID WHERE a.id = 3;
--> 3
SELECT COUNT(DISTINCT ROWID) FROM r;
--> 6
UPDATE r SET name = 'x' WHERE ROWID = (SELECT ROWID FROM r WHERE id = 2);
--> affected: 1
SELECT id FROM r WHERE name = 'x';
--> 2
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CHARTOROWID.html
SELECT id FROM r WHERE ROWID = CHARTOROWID((SELECT ROWIDTOCHAR(ROWID) FROM r WHERE id = 4));
--> refused CHARTOROWID
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/errmg/ORA-01000.html
SELECT id FROM r WHERE ROWID = 'nonsense';
--> error: 1410 ORA-01410: invalid ROWID
SELECT ROWID FROM r a, r b;
--> error: 918
-- The usual way to delete duplicates keeps a row of each.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ROWID-Pseudocolumn.html
DELETE FROM r WHERE ROWID NOT IN (SELECT MIN(ROWID) FROM r GROUP BY name);
--> affected: 3
SELECT id, name FROM r ORDER BY id;
--> 1 | n1
--> 2 | x
--> 4 | n0
SELECT a.id, NVL2(b.ROWID, 'some', 'none') FROM r a LEFT JOIN r b ON b.id = a.id AND b.id < 2 ORDER BY a.id;
--> 1 | some
--> 2 | none
--> 4 | none
CREATE VIEW rv AS SELECT id FROM r;
--> ok
SELECT ROWID FROM rv;
--> refused ROWID
