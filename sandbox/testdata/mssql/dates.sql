-- https://learn.microsoft.com/en-us/sql/t-sql/functions/datepart-transact-sql
SELECT DATEPART(iso_week, '2026-01-01');
--> refused date part iso_week
SELECT DATEPART(hour, CAST('2026-01-01' AS date));
--> error: 9810 The datepart hour is not supported by date function datepart for data type date
SELECT DATEPART(decade, '2026-01-01');
--> error: 155 'decade' is not a recognized datepart option
SELECT DATEPART('year', '2026-01-01');
--> error: 1023 Invalid parameter 1 specified for datepart
-- A year without a date: parts that are missing are those of 1900-01-01.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/datename-transact-sql
-- The number is cut to an integer; a month without that day ends on its last day.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/dateadd-transact-sql
SELECT DATEADD(month, 1, CAST('2026-01-31' AS date)), DATEADD(month, -1, CAST('2028-03-31' AS date)), DATEADD(year, 1, CAST('2028-02-29' AS date)), DATEADD(day, 1.9, CAST('2026-01-01' AS date)), DATEADD(quarter, 1, CAST('2026-11-30' AS date));
--> 2026-02-28 | 2028-02-29 | 2029-02-28 | 2026-01-02 | 2027-02-28
SELECT DATEADD(year, 8000, CAST('2026-01-01' AS datetime));
--> error: 517 Adding a value to a 'datetime' column caused an overflow
SELECT DATEADD(hour, 1, CAST('2026-01-01' AS date));
--> error: 9810 The datepart hour is not supported by date function dateadd for data type date
SELECT DATEADD(day, 2147483648, '2026-01-01');
--> error: 8115 Arithmetic overflow error converting expression to data type int
SELECT DATEADD(day, NULL, '2026-01-01'), DATEADD(day, 1, NULL);
--> NULL | NULL
-- A string literal is a datetime.
SELECT DATEADD(day, 1, '2026-01-31'), CONVERT(varchar(30), DATEADD(day, 1, '20260131 10:00'), 121);
--> 2026-02-01 | 2026-02-01 10:00:00.000
-- DATEDIFF counts the boundaries that are crossed.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/datediff-transact-sql
SELECT DATEDIFF(year, '2025-12-31 23:59:59', '2026-01-01'), DATEDIFF(month, '2026-01-31', '2026-02-01'), DATEDIFF(day, '2026-01-01 23:59', '2026-01-02'), DATEDIFF(hour, '10:59', '11:00'), DATEDIFF(day, '2026-01-02', '2026-01-01'), DATEDIFF(minute, '2026-01-01', '2026-01-02'), DATEDIFF(quarter, '2026-01-01', '2026-12-31'), DATEDIFF(second, NULL, '2026-01-01');
--> 1 | 1 | 1 | 1 | -1 | 1440 | 3 | NULL
-- The week begins on Sunday for DATEDIFF, whatever DATEFIRST says.
SELECT DATEDIFF(millisecond, '2026-01-01', '2026-03-01');
--> error: 535 The datediff function resulted in an overflow
SELECT DATEDIFF_BIG(millisecond, '2026-01-01', '2026-03-01');
--> refused the function DATEDIFF_BIG
SELECT DATEDIFF(second, CAST('2026-01-01 10:00 +02:00' AS datetimeoffset), CAST('2026-01-01 10:00 +01:00' AS datetimeoffset));
--> 3600
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/eomonth-transact-sql
SELECT EOMONTH('2026-02-10');
--> refused the function EOMONTH
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/getdate-transact-sql
SELECT DATEDIFF(minute, GETDATE(), CURRENT_TIMESTAMP), DATEDIFF(minute, GETUTCDATE(), SYSUTCDATETIME()), DATEDIFF(minute, SYSDATETIME(), SYSDATETIMEOFFSET());
--> 0 | 0 | 0
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/datefromparts-transact-sql
SELECT DATEFROMPARTS(2026, 2, 28);
--> refused the function DATEFROMPARTS
-- https://learn.microsoft.com/en-us/sql/t-sql/queries/at-time-zone-transact-sql
SELECT CAST('2026-01-01' AS datetime2(0)) AT TIME ZONE 'UTC';
--> 2026-01-01 00:00:00 +00:00
-- The order of day, month and year that a string of numbers is read in.
-- https://learn.microsoft.com/en-us/sql/t-sql/statements/set-dateformat-transact-sql
SET DATEFORMAT mdy;
--> ok
-- Two digits of a year below 50 belong to this century.
-- https://learn.microsoft.com/en-us/sql/database-engine/configure-windows/configure-the-two-digit-year-cutoff-server-configuration-option
-- Formats of strings: ISO 8601 is read the same with any setting.
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/datetime-transact-sql
SELECT CAST('2026-02-03T04:05:06' AS datetime), CAST('2026-02-03T04:05:06Z' AS datetime), CAST('20260203 04:05' AS datetime), CAST('2026-02-03 04:05:06.78' AS datetime), CAST('04:05' AS datetime), CAST('' AS datetime);
--> 2026-02-03 04:05:06 | 2026-02-03 04:05:06 | 2026-02-03 04:05:00 | 2026-02-03 04:05:06.78 | 1900-01-01 04:05:00 | 1900-01-01
SELECT CAST('2026-02-03T04:05' AS datetime);
--> error: 241
SELECT CAST('2026-02-03 04:05:06.12345' AS datetime);
--> error: 241
SELECT CAST('2026-02-03 24:00' AS datetime2);
--> error: 241
SELECT CAST(CAST('1900-01-02 12:00' AS datetime) AS int);
--> refused conversion of datetime to int
SELECT CAST(CAST('2026-01-01' AS date) AS int);
--> error: 529 Explicit conversion from data type date to int is not allowed
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/smalldatetime-transact-sql
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/isdate-transact-sql
SELECT ISDATE('2026-02-30');
--> refused the function ISDATE
-- Comparisons between types of dates.
-- https://learn.microsoft.com/en-us/sql/t-sql/data-types/data-type-precedence-transact-sql
SELECT IIF(CAST('2026-01-01' AS date) = CAST('2026-01-01 00:00' AS datetime), 1, 0), IIF(CAST('2026-01-01' AS date) < '2026-01-01 00:01', 1, 0), IIF(CAST('2026-01-01 00:01' AS datetime2) > CAST('2026-01-01' AS date), 1, 0), IIF('2026-1-5' = CAST('2026-01-05' AS date), 1, 0);
--> 1 | 0 | 1 | 1
SELECT IIF(CAST('10:00' AS time) = CAST('2026-01-01' AS date), 1, 0);
--> error: 402 The data types time and date are incompatible in the equal to operator
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/date-and-time-data-types-and-functions-transact-sql

-- Weeks, days of the week and nanoseconds are refused, and so is arithmetic with a time of day or an offset.
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/datepart-transact-sql
SELECT DATEPART(week, '2026-05-06');
--> refused date part week
SELECT DATEDIFF(ns, '2026-05-06', '2026-05-06');
--> refused date part ns
SELECT DATEADD(hour, 1, CAST('10:00' AS time));
--> refused DATEADD with a time(7)
