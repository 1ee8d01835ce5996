-- SQL Language Reference, "Datetime/Interval Arithmetic", "Datetime Format Models", datetime functions; ORA-01843, ORA-01847, ORA-01861.
alter session set nls_date_format = 'YYYY-MM-DD HH24:MI:SS'
/
alter session set nls_timestamp_format = 'YYYY-MM-DD HH24:MI:SS.FF3'
/
alter session set nls_timestamp_tz_format = 'YYYY-MM-DD HH24:MI:SS.FF3 TZH:TZM'
/
-- DATE has a time; differences are days.
select date '2026-03-01' - date '2026-02-27', date '2026-01-31' + 1.5, date '2026-01-31' - 1/24 from dual
/
select add_months(date '2026-01-31', 1), add_months(date '2026-02-28', 1), last_day(date '2028-02-01'), trunc(to_date('2026-05-17 13:14:15'), 'MM') from dual
/
select extract(day from d) as d, extract(hour from d) as h, extract(minute from d) as m, extract(second from d) as s from (select timestamp '2026-01-01 10:00:00' - timestamp '2025-12-31 09:30:00.5' as d from dual)
/
select timestamp '2026-01-01 10:00:00' + interval '1 02:30' day to minute, date '2026-01-31' + interval '90' minute from dual
/
select interval '90' minute, numtodsinterval(3661, 'SECOND'), extract(hour from numtodsinterval(3661, 'SECOND')) from dual
/
-- Instants with time zones compare as instants.
select case when timestamp '2026-01-01 10:00:00 +02:00' = timestamp '2026-01-01 08:00:00 +00:00' then 'same' end, timestamp '2026-01-01 10:00:00 +02:00' at time zone '-05:00', sys_extract_utc(timestamp '2026-01-01 10:00:00 +02:00') from dual
/
alter session set time_zone = '+03:00'
/
select sessiontimezone, cast(timestamp '2026-01-01 10:00:00 +02:00' as timestamp), from_tz(timestamp '2026-01-01 10:00:00', '+01:00') from dual
/
select case when abs((cast(systimestamp as date) - sysdate)) < 1 then 'server clock' end, case when current_date - cast(systimestamp at time zone '+03:00' as date) between 0 and 1/86400 then 'session zone' end from dual
/
-- Formats.
select to_char(date '2026-11-05', 'DD.MM.YYYY HH24:MI'), to_char(date '2026-11-05', 'Day, DD Month YYYY'), to_char(date '2026-11-05', 'FMDay, Month DD'), to_char(date '2026-11-05', 'DY MON RR Q D DDD') from dual
/
select to_date('05-NOV-26', 'DD-MON-RR'), to_date('2026', 'YYYY') - trunc(to_date('2026', 'YYYY'), 'MM'), to_timestamp('2026-11-05 01:02:03.45', 'YYYY-MM-DD HH24:MI:SS.FF') from dual
/
select to_date('2026-13-01', 'YYYY-MM-DD') from dual
/
select to_date('2026-02-30', 'YYYY-MM-DD') from dual
/
select to_date('x', 'DD') from dual
/
select to_date('2026-01-01 10', 'YYYY-MM-DD') from dual
/
-- TIMESTAMP(n) rounds what is stored; DATE takes whole seconds.
create table t (a timestamp(0), b timestamp(3), c date, d interval day(2) to second(1))
/
insert into t values (timestamp '2026-01-01 00:00:00.6', timestamp '2026-01-01 00:00:00.12345', timestamp '2026-01-01 00:00:00.4', interval '1 00:00:00.26' day to second)
/
select a, b, c, d from t
/
