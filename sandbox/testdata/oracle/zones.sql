-- Regions as session time zones: JDBC sets the JVM's at login.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/ALTER-SESSION.html
ALTER SESSION SET TIME_ZONE = 'Europe/Warsaw';
--> ok
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SESSIONTIMEZONE.html
SELECT SESSIONTIMEZONE FROM dual;
--> Europe/Warsaw
SELECT TO_CHAR(CURRENT_TIMESTAMP, 'TZR') FROM dual;
--> EUROPE/WARSAW
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LOCALTIMESTAMP.html
SELECT CASE WHEN CAST(CURRENT_TIMESTAMP AS TIMESTAMP) - LOCALTIMESTAMP BETWEEN INTERVAL '-1' MINUTE AND INTERVAL '1' MINUTE THEN 'same' END FROM dual;
--> same
-- A local time that comes twice is of standard time, one that never comes an error.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/nlspg/datetime-data-types-and-time-zone-support.html
SELECT TO_CHAR(SYS_EXTRACT_UTC(TIMESTAMP '2026-10-25 02:30:00 Europe/Warsaw'), 'HH24:MI') FROM dual;
--> 01:30
SELECT TO_CHAR(SYS_EXTRACT_UTC(TIMESTAMP '2026-07-01 02:30:00 Europe/Warsaw'), 'HH24:MI') FROM dual;
--> 00:30
SELECT FROM_TZ(TIMESTAMP '2026-03-29 02:30:00', 'Europe/Warsaw') FROM dual;
--> error: 1878 ORA-01878: specified field not found in datetime or interval
SELECT CAST(TIMESTAMP '2026-03-29 02:30:00' AS TIMESTAMP WITH TIME ZONE) FROM dual;
--> error: 1878
-- Computing goes by instants.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/nlspg/datetime-data-types-and-time-zone-support.html
SELECT TO_CHAR(TIMESTAMP '2026-03-29 01:30:00 Europe/Warsaw' + INTERVAL '1' HOUR, 'HH24:MI TZH:TZM TZR') FROM dual;
--> 03:30 +02:00 EUROPE/WARSAW
SELECT TO_CHAR(TIMESTAMP '2026-10-25 03:00:00 Europe/Warsaw' - INTERVAL '90' MINUTE, 'HH24:MI TZH:TZM') FROM dual;
--> 02:30 +02:00
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Datetime-Expressions.html
SELECT TO_CHAR(FROM_TZ(CAST(TO_DATE('1999-12-01 11:00:00', 'YYYY-MM-DD HH24:MI:SS') AS TIMESTAMP), 'America/New_York') AT TIME ZONE 'America/Los_Angeles') FROM dual;
--> 01-DEC-99 08.00.00.000000 AM AMERICA/LOS_ANGELES
SELECT TO_CHAR(TIMESTAMP '2026-07-01 12:00:00 UTC' AT LOCAL, 'HH24:MI TZR') FROM dual;
--> 14:00 EUROPE/WARSAW
SELECT TIMESTAMP '2026-07-01 12:00:00' AT TIME ZONE 'Mars/Olympus' FROM dual;
--> error: 1882 ORA-01882: timezone region
ALTER SESSION SET TIME_ZONE = 'Mars/Olympus';
--> error: 1882
ALTER SESSION SET TIME_ZONE = '-05:30';
--> ok
SELECT SESSIONTIMEZONE, TO_CHAR(TIMESTAMP '2026-07-01 12:00:00 Europe/Warsaw' AT LOCAL, 'HH24:MI TZR') FROM dual;
--> -05:30 | 04:30 -05:30
-- A column keeps its region.
-- https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Data-Types.html
CREATE TABLE events (at TIMESTAMP WITH TIME ZONE);
--> ok
INSERT INTO events VALUES (TIMESTAMP '2026-07-01 12:00:00 Europe/Warsaw');
--> affected: 1
INSERT INTO events VALUES (TIMESTAMP '2026-07-01 10:00:00 UTC');
--> affected: 1
SELECT TO_CHAR(at, 'HH24:MI TZR') FROM events ORDER BY 1;
--> 10:00 UTC
--> 12:00 EUROPE/WARSAW
SELECT COUNT(DISTINCT at) FROM events;
--> 1
