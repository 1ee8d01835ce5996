-- Globalization Support Guide, NLS_NUMERIC_CHARACTERS; SQL Language Reference, Number Format Models: D and G are the session's characters.
create table t (n number, s varchar2(20))
/
create index t_n on t (n)
/
alter session set nls_numeric_characters = ',.'
/
select to_char(1234.5), 1234.5 || '', to_char(1234.5, 'FM9G999D00'), to_char(1234.5, 'FM9,999.00'), to_char(0.5, 'FM0D0') from dual
/
select to_number('1,5'), to_number('1.234,5', '9G999D9'), to_number('1,234.5', '9,999.9'), '1,5' * '2', '1,5' + 1 from dual
/
select to_number('1.5') from dual
/
select '2.5' + 1 from dual
/
select to_number('1,5', '9.9') from dual
/
select to_char(1, '9D9,9') from dual
/
-- Literals have a point, whatever the session says; text is converted as it says.
insert into t (n, s) values ('2,5', 4.5)
/
select n * 2, s, s * 2 from t where n = '2,5' and n = 2.5
/
select to_char(timestamp '2026-01-31 04:05:06.7', 'SSXFF1') from dual
/
declare
  l_n number := '1,25';
  l_s varchar2(20) := l_n * 2;
begin
  dbms_output.put_line(l_n || ' ' || l_s || ' ' || to_number(l_s) || ' ' || to_char(7));
  l_n := '1.25';
end;
/
-- Two characters that are different and no part of a number otherwise; the setting is the session's own, and stays after an error.
alter session set nls_numeric_characters = ',,'
/
alter session set nls_numeric_characters = '1,'
/
alter session set nls_numeric_characters = '+,'
/
alter session set nls_numeric_characters = ','
/
select 1.5 || '' from dual
/
-- @B
select 1.5 || '' from dual
/
alter session set nls_numeric_characters = '. '
/
select to_char(1234.5, 'FM9G999D0'), 1.5 || '' from dual
/
