-- The examples of the character functions' pages.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/INITCAP.html
SELECT INITCAP('the soap') FROM dual;
--> refused INITCAP
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/INSTR.html
SELECT INSTR('CORPORATE FLOOR', 'OR', 3, 2), INSTR('CORPORATE FLOOR', 'OR', -3, 2), INSTR('abc', 'x'), INSTR('abc', '') FROM dual;
--> 14 | 2 | 0 | NULL
SELECT INSTRB('äb', 'b') FROM dual;
--> refused INSTRB
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LPAD.html
SELECT LPAD('Page 1', 15, '*.'), LPAD('abc', 2), LPAD('7', 3, '0'), LPAD('x', 0) FROM dual;
--> *.*.*.*.*Page 1 | ab | 007 | NULL
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/RPAD.html
SELECT RPAD('MORRISON', 12, 'ab'), RPAD(' ', 5, '*') || '|' FROM dual;
--> MORRISONabab |  ****|
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LTRIM.html
SELECT LTRIM('<=====>BROWNING<=====>', '<>='), LTRIM('  x') FROM dual;
--> BROWNING<=====> | x
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/RTRIM.html
SELECT RTRIM('<=====>BROWNING<=====>', '<>=') FROM dual;
--> <=====>BROWNING
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/TRIM.html
SELECT TRIM('  a b  '), INSTR('äb', 'b') FROM dual;
--> a b | 2
SELECT TRIM(LEADING '0' FROM '00700') FROM dual;
--> refused (LEADING '0' FROM
SELECT LENGTH(TRIM('   ')) FROM dual;
--> NULL
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/REPLACE.html
SELECT REPLACE('JACK and JUE', 'J', 'BL'), REPLACE('a-b-c', '-'), REPLACE('abc', NULL, 'x') FROM dual;
--> BLACK and BLUE | abc | abc
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/TRANSLATE.html
SELECT TRANSLATE('SQL*Plus User''s Guide', ' */''', '___'), TRANSLATE('2KRW229', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', '9999999999XXXXXXXXXXXXXXXXXXXXXXXXXX') FROM dual;
--> SQL_Plus_Users_Guide | 9XXX999
SELECT TRANSLATE('abc', 'abc', '') FROM dual;
--> NULL
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SUBSTR.html
SELECT SUBSTR('ABCDEFG', 3, 4), SUBSTR('ABCDEFG', -5, 4), SUBSTR('ABCDEFG', 0, 2), SUBSTR('ABCDEFG', 5), SUBSTR('ABC', 4), SUBSTR('ABC', 1, 0) FROM dual;
--> CDEF | CDEF | AB | EFG | NULL | NULL
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/UPPER.html
SELECT UPPER('Large'), LOWER('MR. SCOTT MCMILLAN'), UPPER('äöü') FROM dual;
--> LARGE | mr. scott mcmillan | ÄÖÜ
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CONCAT.html
SELECT CONCAT(CONCAT('Wright', '''s job category is '), 'SA_REP'), CONCAT('a', NULL) FROM dual;
--> Wright's job category is SA_REP | a
SELECT CONCAT('a', 'b', 'c') FROM dual;
--> error: 909
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CHR.html
SELECT CHR(67) || CHR(65) || CHR(84) FROM dual;
--> CAT
SELECT CHR(196 USING NCHAR_CS) FROM dual;
--> refused
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ASCII.html
SELECT ASCII('A') FROM dual;
--> refused ASCII
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LENGTH.html
SELECT LENGTH('CANDIDE'), LENGTH('äöü'), LENGTHB('äöü'), LENGTH(CAST('a' AS CHAR(10))) FROM dual;
--> 7 | 3 | 6 | 10
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/GREATEST.html
SELECT GREATEST('HARRY', 'HARRIOT', 'HAROLD'), LEAST('HARRY', 'HARRIOT', 'HAROLD'), GREATEST('a', NULL) FROM dual;
--> HARRY | HAROLD | NULL
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/REGEXP_SUBSTR.html
SELECT REGEXP_SUBSTR('500 Oracle Parkway, Redwood Shores, CA', ',[^,]+,') FROM dual;
--> , Redwood Shores,
SELECT REGEXP_SUBSTR('a,b,c', '[^,]+', 1, 2), REGEXP_SUBSTR('a,b,c', '[^,]+', 1, 4), REGEXP_SUBSTR('1234567890', '(123)(4(56)(78))', 1, 1, 'i', 1) FROM dual;
--> b | NULL | 123
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/REGEXP_INSTR.html
SELECT REGEXP_INSTR('500 Oracle Parkway, Redwood Shores, CA', '[^ ]+', 1, 6), REGEXP_INSTR('500 Oracle Parkway, Redwood Shores, CA', '[s|r|p][[:alpha:]]{6}', 3, 2, 1, 'i') FROM dual;
--> 37 | 28
SELECT REGEXP_INSTR('1234567890', '(123)(4(56)(78))', 1, 1, 0, 'i', 1), REGEXP_INSTR('1234567890', '(123)(4(56)(78))', 1, 1, 0, 'i', 2), REGEXP_INSTR('1234567890', '(123)(4(56)(78))', 1, 1, 0, 'i', 4) FROM dual;
--> 1 | 4 | 7
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/REGEXP_COUNT.html
SELECT REGEXP_COUNT('a,b,c', ',') FROM dual;
--> refused REGEXP_COUNT
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/REGEXP_REPLACE.html
SELECT REGEXP_REPLACE('a1b22', '[0-9]') FROM dual;
--> refused REGEXP_REPLACE
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Pattern-matching-Conditions.html
SELECT COUNT(*) FROM dual WHERE 'SMITH' LIKE 'SM%' AND 'SMITH' LIKE '_M%H' AND 'SMITH' NOT LIKE 'sm%' AND 'a_b' LIKE '%A\_B%' ESCAPE '\';
--> 0
SELECT COUNT(*) FROM dual WHERE 'A_B' LIKE '%A\_B%' ESCAPE '\' AND 'AxB' NOT LIKE '%A\_B%' ESCAPE '\' AND REGEXP_LIKE('Steven', '^Ste(v|ph)en$');
--> 1
SELECT COUNT(*) FROM dual WHERE 'a' LIKE '\a' ESCAPE '\';
--> error: 1424
SELECT COUNT(*) FROM dual WHERE 'a' LIKE 'a' ESCAPE 'xx';
--> error: 1425
SELECT COUNT(*) FROM dual WHERE REGEXP_LIKE('a', '(');
--> refused
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Concatenation-Operator.html
SELECT 'Name is ' || 'x' || 1 || DATE '2026-03-05' FROM dual;
--> Name is x105-MAR-26
SELECT LENGTH(RPAD('x', 4000, 'x') || 'y') FROM dual;
--> error: 1489
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SOUNDEX.html
SELECT SOUNDEX('SMYTHE') FROM dual;
--> refused SOUNDEX
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/REGEXP_LIKE-Condition.html
SELECT UPPER('a', 'b') FROM dual;
--> error: 909
SELECT SUBSTR('a') FROM dual;
--> error: 938
SELECT INSTR('a', 'b', 1, 1, 1) FROM dual;
--> error: 939
