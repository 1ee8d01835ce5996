-- The examples of the numeric functions' pages.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ABS.html
SELECT ABS(-15), ABS(0), ABS(NULL) FROM dual;
--> 15 | 0 | NULL
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CEIL.html
SELECT CEIL(268651.8), CEIL(-2.1), FLOOR(15.7), FLOOR(-15.7) FROM dual;
--> 268652 | -2 | 15 | -16
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/MOD.html
SELECT MOD(11, 4), MOD(11, -4), MOD(-11, 4), MOD(-11, -4), MOD(11, 0), TO_CHAR(MOD(5.5, 2)) FROM dual;
--> 3 | 3 | -3 | -3 | 11 | 1.5
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/REMAINDER.html
SELECT REMAINDER(11, 4) FROM dual;
--> refused REMAINDER
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/POWER.html
SELECT POWER(3, 2), POWER(2, 10), POWER(-2, 3), POWER(5, 0) FROM dual;
--> 9 | 1024 | -8 | 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SQRT.html
SELECT SQRT(16) FROM dual;
--> refused SQRT
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ROUND-number.html
SELECT TO_CHAR(ROUND(15.193, 1)), ROUND(15.193, -1), ROUND(15.5), ROUND(-2.5), ROUND(1250, -2), ROUND(0.4) FROM dual;
--> 15.2 | 20 | 16 | -3 | 1300 | 0
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/TRUNC-number.html
SELECT TO_CHAR(TRUNC(15.79, 1)), TRUNC(15.79, -1), TRUNC(15.79), TRUNC(-15.79) FROM dual;
--> 15.7 | 10 | 15 | -15
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SIGN.html
SELECT SIGN(-15), SIGN(0), SIGN(0.1) FROM dual;
--> -1 | 0 | 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/BITAND.html
SELECT BITAND(6, 3), BITAND(5, 2), BITAND(7, 12) FROM dual;
--> 2 | 0 | 4
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/GREATEST.html
SELECT TO_CHAR(GREATEST(1, '3.925', '2.4')), LEAST(3, 1, 2) FROM dual;
--> 3.925 | 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Arithmetic-Operators.html
SELECT 7 / 2 * 2, 2 + 3 * 4, (2 + 3) * 4, -(-3), 10 - 4 - 3, TO_CHAR(7 / 4) FROM dual;
--> 7 | 14 | 20 | 3 | 3 | 1.75
SELECT 1 / 0 FROM dual;
--> error: 1476 divisor is equal to zero
SELECT +5, 3 - -2, - 5 + + 6 FROM dual;
--> 5 | 5 | 1
-- A function that the sandbox does not model is refused by its name; only what Oracle lacks is unknown.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LN.html
SELECT LN(95) FROM dual;
--> refused LN
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Single-Row-Functions.html
SELECT COSINE(1) FROM dual;
--> error: 904 "COSINE": invalid identifier
SELECT CEILING(1.5) FROM dual;
--> error: 904
SELECT LEN('abc') FROM dual;
--> error: 904
SELECT ISNULL(NULL, 1) FROM dual;
--> error: 904
SELECT GETDATE() FROM dual;
--> error: 904
SELECT IIF(1, 2, 3) FROM dual;
--> error: 904
SELECT LEFT('abc', 1) FROM dual;
--> error: 904
BEGIN dbms_output.put_line(LEN('abc')); END;
--> error: 6550 PLS-00201: identifier 'LEN' must be declared
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/lnpls/plsql-language-fundamentals.html
BEGIN dbms_output.put_line(DECODE(1, 1, 'one')); END;
--> error: 6550 PLS-00204: function or pseudo-column 'DECODE' may be used inside a SQL statement only
BEGIN dbms_output.put_line(NVL2(1, 'a', 'b')); END;
--> error: 6550 PLS-00201
BEGIN dbms_output.put_line(POWER(2, 3) || MOD(7, 3) || ROUND(2.5) || TRUNC(2.9) || GREATEST(1, 2)); END;
--> print: 81322
BEGIN dbms_output.put_line(10 / 4); dbms_output.put_line(2 ** 5); dbms_output.put_line(-7 MOD 4); END;
--> print: 2.5
--> print: 32
--> print: -3
