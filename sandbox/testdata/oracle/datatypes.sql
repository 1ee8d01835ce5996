-- NUMBER(p,s) rounds to its scale, and refuses what its precision does not hold: the documentation's table.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Data-Types.html
SELECT TO_CHAR(CAST(123.89 AS NUMBER)), TO_CHAR(CAST(123.89 AS NUMBER(3))), TO_CHAR(CAST(123.89 AS NUMBER(6,1))), TO_CHAR(CAST(123.89 AS NUMBER(6,-2))) FROM dual;
--> 123.89 | 124 | 123.9 | 100
SELECT CAST(123.89 AS NUMBER(3,2)) FROM dual;
--> error: 1438
SELECT TO_CHAR(CAST(.01234 AS NUMBER(4,5))), TO_CHAR(CAST(.000127 AS NUMBER(4,5))), TO_CHAR(CAST(.00000123 AS NUMBER(2,7))), TO_CHAR(CAST(1.2e-5 AS NUMBER(2,5))) FROM dual;
--> .01234 | .00013 | .0000012 | .00001
CREATE TABLE nums (id NUMBER(3), price NUMBER(5,2), thousands NUMBER(6,-3), any_number NUMBER, f FLOAT(10));
--> ok
INSERT INTO nums (id, price, thousands) VALUES (7.5, 123.455, 123499);
--> affected: 1
SELECT id, TO_CHAR(price), thousands FROM nums;
--> 8 | 123.46 | 123000
INSERT INTO nums (id) VALUES (1000);
--> error: 1438 value larger than specified precision allowed for this column
INSERT INTO nums (price) VALUES (1000);
--> error: 1438
SELECT TO_CHAR(1 / 3) FROM dual;
--> .3333333333333333333333333333333333333333
SELECT 1e126 FROM dual;
--> error: 1426
CREATE TABLE bad (n NUMBER(39));
--> error: 1727
CREATE TABLE bad (n NUMBER(5,128));
--> error: 1728

-- Lengths of character types.
CREATE TABLE bad (v VARCHAR2(0));
--> error: 1723
CREATE TABLE bad (v VARCHAR2(4001));
--> error: 910
CREATE TABLE bad (v VARCHAR2);
--> error: 906
CREATE TABLE bad (c CHAR(2001));
--> error: 910
CREATE TABLE bad (b BOOLEAN);
--> error: 902
CREATE TABLE bad (t TIMESTAMP(10));
--> error: 30088
CREATE TABLE texts (v VARCHAR2(5), c CHAR(5), n NVARCHAR2(5), u VARCHAR2(4 CHAR), r RAW(4), l CLOB);
--> ok
INSERT INTO texts (v) VALUES ('abcdef');
--> error: 12899 (actual: 6, maximum: 5)
INSERT INTO texts (v, c, u, r, l) VALUES ('ab ', 'ab', 'äöüß', 'DEADBEEF', 'long text');
--> affected: 1
SELECT LENGTH(v), LENGTH(c), LENGTH(u), LENGTHB(u), r FROM texts;
--> 3 | 5 | 4 | 8 | 0xDEADBEEF
INSERT INTO texts (r) VALUES ('XY');
--> error: 1465
INSERT INTO texts (r) VALUES ('0102030405');
--> error: 12899

-- Blank-padded comparison where both are CHAR or literals, without padding where one is VARCHAR2.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Data-Type-Comparison-Rules.html
SELECT COUNT(*) FROM texts WHERE c = 'ab';
--> 1
SELECT COUNT(*) FROM texts WHERE v = 'ab';
--> 0
SELECT COUNT(*) FROM texts WHERE c = v;
--> 0
SELECT COUNT(*) FROM dual WHERE 'a ' = 'a';
--> 1
SELECT COUNT(*) FROM dual WHERE 'ab' > 'aa' AND 'a' < 'b' AND 'a' > 'A';
--> 1
SELECT COUNT(*) FROM texts WHERE l = 'long text';
--> error: 932
SELECT DISTINCT l FROM texts;
--> error: 932

-- Implicit conversion: text becomes a number beside a number, a number becomes text beside ||.
SELECT '10' + 5, 10 || '5', '3' * '4' FROM dual;
--> 15 | 105 | 12
SELECT COUNT(*) FROM dual WHERE '010' = 10;
--> 1
SELECT 'x' + 1 FROM dual;
--> error: 1722
SELECT COUNT(*) FROM texts WHERE v = 1;
--> error: 1722 invalid number
SELECT COUNT(*) FROM dual WHERE DATE '2026-03-05' = '05-MAR-26';
--> 1
SELECT COUNT(*) FROM dual WHERE DATE '2026-03-05' = '2026-03-05';
--> error: 1861
SELECT SUBSTR(12345, 2, 3), LENGTH(-1.5), UPPER(1) FROM dual;
--> 234 | 4 | 1
SELECT 1 + DATE '2026-01-01' - DATE '2026-01-02' FROM dual;
--> 0
SELECT DATE '2026-01-01' * 2 FROM dual;
--> error: 932

-- A character value of length zero is NULL.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Nulls.html
SELECT LENGTH(''), NVL('', 'null'), 'a' || '' || NULL || 'b' FROM dual;
--> NULL | null | ab
SELECT COUNT(*) FROM dual WHERE '' = '' OR '' <> 'a' OR NOT ('' = 'a');
--> 0
INSERT INTO texts (v) VALUES ('');
--> affected: 1
SELECT COUNT(*) FROM texts WHERE v IS NULL;
--> 1
SELECT 1 + NULL, NULL * 0 FROM dual;
--> NULL | NULL

-- BINARY_FLOAT and BINARY_DOUBLE never raise: they have an infinity and a NaN.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Floating-Point-Conditions.html
SELECT COUNT(*) FROM dual WHERE 1d / 0 IS INFINITE AND 0f / 0 IS NAN AND 1.5d IS NOT NAN;
--> refused BINARY_FLOAT and BINARY_DOUBLE
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Literals.html
SELECT q'[it's]' || q'{ {nested} }' || 'it''s', 25, +6.34 * 100, 5e2, .5 * 10 FROM dual;
--> it's {nested} it's | 25 | 634 | 500 | 5
