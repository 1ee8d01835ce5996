-- Arithmetic of dates: a number counts days, two dates differ by a number of days.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Data-Types.html
SELECT DATE '2026-02-28' + 1, DATE '2026-03-01' - 1, DATE '2026-03-05' + 1 / 24, DATE '2026-03-05' + 90 / 1440 FROM dual;
--> 2026-03-01 | 2026-02-28 | 2026-03-05 01:00:00 | 2026-03-05 01:30:00
SELECT DATE '2026-03-05' - DATE '2026-01-01', TO_CHAR(TO_DATE('2026-03-05 12:00', 'YYYY-MM-DD HH24:MI') - DATE '2026-03-05') FROM dual;
--> 63 | .5
SELECT DATE '2026-03-05' + DATE '2026-01-01' FROM dual;
--> error: 975 date + date not allowed
SELECT TO_CHAR(TIMESTAMP '2026-03-05 10:00:00' - TIMESTAMP '2026-03-04 09:30:00') FROM dual;
--> +000000001 00:30:00.000000000
SELECT DATE '2026-03-05' + INTERVAL '1' DAY, DATE '2026-03-05' - INTERVAL '2' HOUR, DATE '2026-03-05' + INTERVAL '1 01:01:01' DAY TO SECOND FROM dual;
--> 2026-03-06 | 2026-03-04 22:00:00 | 2026-03-06 01:01:01
SELECT DATE '2026-01-15' + INTERVAL '1' MONTH FROM dual;
--> refused
SELECT COUNT(*) FROM dual WHERE DATE '2026-03-05' BETWEEN DATE '2026-03-05' AND DATE '2026-03-06' AND DATE '2026-03-05' < TIMESTAMP '2026-03-05 00:00:01';
--> 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Literals.html
SELECT EXTRACT(DAY FROM INTERVAL '20' DAY - INTERVAL '240' HOUR(3)) FROM dual;
--> 10
SELECT EXTRACT(MINUTE FROM INTERVAL '4 5:12:10.222' DAY TO SECOND(3)), TO_CHAR(EXTRACT(SECOND FROM INTERVAL '30.12345' SECOND(2,4))) FROM dual;
--> 12 | 30.1235
SELECT INTERVAL '400' DAY FROM dual;
--> error: 1873
SELECT COUNT(*) FROM dual WHERE TIMESTAMP '1999-04-15 8:00:00 -8:00' = TIMESTAMP '1999-04-15 11:00:00 -5:00';
--> 1
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ADD_MONTHS.html
SELECT ADD_MONTHS(DATE '2026-01-31', 1), ADD_MONTHS(DATE '2026-02-28', 1), ADD_MONTHS(DATE '2026-03-15', -13), ADD_MONTHS(DATE '2024-02-29', 12) FROM dual;
--> 2026-02-28 | 2026-03-31 | 2025-02-15 | 2025-02-28
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LAST_DAY.html
SELECT LAST_DAY(DATE '2024-02-01'), LAST_DAY(DATE '2026-02-28') - DATE '2026-02-01' FROM dual;
--> 2024-02-29 | 27
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/MONTHS_BETWEEN.html
SELECT MONTHS_BETWEEN(DATE '2026-03-31', DATE '2026-02-28') FROM dual;
--> refused MONTHS_BETWEEN
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/NEXT_DAY.html
SELECT NEXT_DAY(DATE '2009-10-15', 'TUESDAY') FROM dual;
--> refused NEXT_DAY
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ROUND-date.html
SELECT ROUND(DATE '2000-10-27', 'YEAR'), ROUND(TO_DATE('2026-03-05 12:00', 'YYYY-MM-DD HH24:MI')), ROUND(DATE '2026-03-16', 'MONTH'), ROUND(DATE '2026-03-15', 'MM') FROM dual;
--> 2001-01-01 | 2026-03-06 | 2026-04-01 | 2026-03-01
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/TRUNC-date.html
SELECT TRUNC(DATE '1992-10-27', 'YEAR'), TRUNC(DATE '2026-03-05', 'MM') FROM dual;
--> 1992-01-01 | 2026-03-01
SELECT TRUNC(TO_DATE('2026-03-05 17:08:09', 'YYYY-MM-DD HH24:MI:SS')), TRUNC(TO_DATE('2026-03-05 17:08:09', 'YYYY-MM-DD HH24:MI:SS'), 'HH24'), TRUNC(TIMESTAMP '2026-03-05 17:08:09.5', 'MI') FROM dual;
--> 2026-03-05 | 2026-03-05 17:00:00 | 2026-03-05 17:08:00
SELECT TRUNC(DATE '2026-03-05', 'FORTNIGHT') FROM dual;
--> error: 1898
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/EXTRACT-datetime.html
SELECT EXTRACT(YEAR FROM DATE '1998-03-07'), EXTRACT(MONTH FROM DATE '1998-03-07'), EXTRACT(HOUR FROM TIMESTAMP '1998-03-07 11:22:33') FROM dual;
--> 1998 | 3 | 11
SELECT EXTRACT(TIMEZONE_HOUR FROM TIMESTAMP '1998-03-07 11:22:33 -07:00') FROM dual;
--> refused TIMEZONE_HOUR
SELECT EXTRACT(HOUR FROM DATE '1998-03-07') FROM dual;
--> error: 30076
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/NUMTODSINTERVAL.html
SELECT DATE '2026-03-05' + NUMTODSINTERVAL(36, 'HOUR'), EXTRACT(HOUR FROM NUMTODSINTERVAL(90, 'MINUTE')) FROM dual;
--> 2026-03-06 12:00:00 | 1
SELECT NUMTODSINTERVAL(1, 'MONTH') FROM dual;
--> error: 1760
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/NUMTOYMINTERVAL.html
SELECT DATE '2026-03-05' + NUMTOYMINTERVAL(1, 'YEAR') FROM dual;
--> refused NUMTOYMINTERVAL
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/TO_DSINTERVAL.html
SELECT TO_DSINTERVAL('100 00:00:00') FROM dual;
--> refused TO_DSINTERVAL
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SYS_EXTRACT_UTC.html
SELECT SYS_EXTRACT_UTC(TIMESTAMP '2000-03-28 11:30:00.00 -08:00') FROM dual;
--> 2000-03-28 19:30:00
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Datetime-Expressions.html
SELECT TO_CHAR(TIMESTAMP '2026-03-05 12:00:00 +00:00' AT TIME ZONE '-05:00', 'HH24:MI TZH:TZM') FROM dual;
--> 07:00 -05:00
SELECT TIMESTAMP '2026-03-05 12:00:00 +00:00' AT TIME ZONE 'America/New_York' FROM dual;
--> 2026-03-05 07:00:00
SELECT FROM_TZ(TIMESTAMP '2026-03-05 12:00:00', 'Europe/Berlin') FROM dual;
--> 2026-03-05 12:00:00
SELECT TIMESTAMP '2026-03-05 12:00:00 US/Pacific' FROM dual;
--> 2026-03-05 12:00:00
SELECT TZ_OFFSET('US/Eastern') FROM dual;
--> refused TZ_OFFSET
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ALTER-SESSION.html
ALTER SESSION SET TIME_ZONE = 'Europe/Berlin';
--> ok
ALTER SESSION SET TIME_ZONE = '+02:00';
--> ok
SELECT SESSIONTIMEZONE, TO_CHAR(TIMESTAMP '2026-03-05 12:00:00 +00:00' AT LOCAL, 'HH24:MI') FROM dual;
--> +02:00 | 14:00
ALTER SESSION SET NLS_DATE_FORMAT = 'YYYY-MM-DD HH24:MI:SS';
--> ok
SELECT TO_CHAR(DATE '2026-03-05'), 'at ' || DATE '2026-03-05' FROM dual;
--> 2026-03-05 00:00:00 | at 2026-03-05 00:00:00
SELECT COUNT(*) FROM dual WHERE SYSDATE = TO_DATE(TO_CHAR(SYSDATE)) AND TRUNC(SYSDATE) <= SYSDATE;
--> 1
ALTER SESSION SET NLS_DATE_FORMAT = 'not a format';
--> error: 1821
