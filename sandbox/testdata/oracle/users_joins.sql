-- The outer join operator: the table of the column that it marks has NULLs where it has no row for the others.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Joins.html
CREATE TABLE c (id NUMBER, name VARCHAR2(10));
--> ok
CREATE TABLE o (id NUMBER, cid NUMBER, kind VARCHAR2(1));
--> ok
CREATE TABLE l (oid NUMBER, item VARCHAR2(10));
--> ok
INSERT INTO c SELECT 1, 'Ann' FROM dual UNION ALL SELECT 2, 'Bob' FROM dual UNION ALL SELECT 3, 'Cat' FROM dual;
--> affected: 3
INSERT INTO o SELECT 10, 1, 'a' FROM dual UNION ALL SELECT 11, 1, 'b' FROM dual UNION ALL SELECT 12, 2, 'b' FROM dual;
--> affected: 3
INSERT INTO l SELECT 10, 'pen' FROM dual UNION ALL SELECT 12, 'cup' FROM dual;
--> affected: 2
SELECT c.name, o.id FROM c, o WHERE c.id = o.cid (+) ORDER BY c.id, o.id;
--> Ann | 10
--> Ann | 11
--> Bob | 12
--> Cat | NULL
SELECT c.name, o.id FROM o, c WHERE o.cid(+) = c.id AND o.kind(+) = 'a' ORDER BY c.id;
--> Ann | 10
--> Bob | NULL
--> Cat | NULL

-- A condition on the table without the operator is an inner one.
SELECT c.name, o.id FROM c, o WHERE c.id = o.cid (+) AND o.kind = 'b' ORDER BY c.id;
--> Ann | 11
--> Bob | 12
SELECT c.name FROM c, o WHERE c.id = o.cid (+) AND o.id IS NULL;
--> Cat
SELECT c.name, o.id, item FROM l, c, o WHERE c.id = o.cid (+) AND o.id = l.oid (+) ORDER BY c.id, o.id;
--> Ann | 10 | pen
--> Ann | 11 | NULL
--> Bob | 12 | cup
--> Cat | NULL | NULL
SELECT * FROM o, c WHERE cid (+) = c.id AND name = 'Cat';
--> NULL | NULL | NULL | 3 | Cat
SELECT c.name, COUNT(x.id) FROM c, (SELECT id, cid FROM o WHERE kind = 'b') x WHERE x.cid (+) = c.id GROUP BY c.name ORDER BY 1;
--> Ann | 1
--> Bob | 1
--> Cat | 0
SELECT c.name, o.id FROM c, o WHERE o.cid (+) = c.id AND UPPER(o.kind (+)) = 'A' AND c.id < 3 ORDER BY 1;
--> Ann | 10
--> Bob | NULL
SELECT a.name, b.name FROM c a, c b WHERE a.id = b.id (+) + 1 ORDER BY 1;
--> Ann | NULL
--> Bob | Ann
--> Cat | Bob
SELECT c.name, o.id FROM c, o WHERE c.id + 1 = o.cid (+) AND o.id (+) BETWEEN 11 AND 12 AND o.kind (+) IS NOT NULL AND o.kind (+) LIKE 'b%' ORDER BY c.id;
--> Ann | 12
--> Bob | NULL
--> Cat | NULL

-- Two tables may give the rows that the third is joined to.
SELECT c.name, l.item, o.kind FROM c, l, o WHERE o.cid (+) = c.id AND o.id (+) = l.oid ORDER BY c.id, l.oid;
--> Ann | pen | a
--> Ann | cup | NULL
--> Bob | pen | NULL
--> Bob | cup | b
--> Cat | pen | NULL
--> Cat | cup | NULL
UPDATE c SET name = (SELECT MAX(o.kind) FROM dual d, o WHERE o.cid (+) = c.id AND d.dummy = 'X') WHERE id = 3;
--> refused (+)

-- Where it may not be.
SELECT c.name FROM c, o WHERE c.id = o.cid (+) OR c.id = 3;
--> error: 1719 outer join operator (+) not allowed in operand of OR or IN
SELECT c.name FROM c, o WHERE c.id = o.cid (+) AND o.kind (+) IN ('a', 'b');
--> error: 1719
SELECT c.name FROM c, o WHERE o.cid (+) = (SELECT MAX(id) FROM c);
--> error: 1799 a column may not be outer-joined to a subquery
SELECT c.name FROM c, o WHERE o.cid (+) IN (SELECT id FROM c);
--> error: 1799
SELECT c.name FROM c JOIN l ON l.oid = c.id, o WHERE c.id = o.cid (+);
--> error: 25156 old style outer join (+) cannot be used with ANSI joins
SELECT o.cid (+) FROM o;
--> error: 30563 outer join operator (+) is not allowed here
SELECT c.name FROM c, o WHERE c.id (+) = o.cid (+);
--> error: 1468 a predicate may reference only one outer-joined table
SELECT c.name FROM c, o WHERE c.id = o.cid (+) AND o.id = c.id (+);
--> error: 1416 two tables cannot be outer-joined to each other
SELECT c.name FROM c, o WHERE o.cid (+) = o.id;
--> refused (+)
