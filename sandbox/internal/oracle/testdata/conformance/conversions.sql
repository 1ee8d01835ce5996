-- PL/SQL Language Reference, "Implicit Data Conversion" and "Expression Evaluation"; SQL Language Reference, "Data Conversion".
create table t (n number, v varchar2(10), d date, r raw(4))
/
alter session set nls_date_format = 'DD.MM.YYYY'
/
insert into t values ('12', 34, '05.11.2026', '0aFF')
/
select n, v, d, r, n + v as sum, n || v as cat from t
/
select count(*) from t where d = '05.11.2026' and v = 34 and n = '12'
/
insert into t (d) values ('2026-11-05')
/
insert into t (n) values ('1x')
/
insert into t (r) values ('xyz')
/
insert into t (n) values (date '2026-01-01')
/
select cast('12.5' as number(3)), cast(12.345 as number(4,1)), cast('abcdef' as varchar2(3)), cast(5 as varchar2(3)) from dual
/
-- A text column against a number is converted row by row: one that is no number fails the query.
insert into t (v) values ('x')
/
select count(*) from t where v = 34
/
declare
  n number;
  i pls_integer;
  s varchar2(10);
  b boolean;
  d date;
begin
  n := '3.5';
  i := n;
  s := i;
  dbms_output.put_line(n || ' ' || i || ' ' || s);
  s := true and null;
  d := s;
end;
/
declare
  n number;
  s varchar2(10);
  d date;
begin
  s := 10 / 4;
  dbms_output.put_line(s);
  d := '01.02.2026';
  dbms_output.put_line(d + 1);
  dbms_output.put_line('1' + '2');
  n := 'ten';
end;
/
declare
  d date := '2026-02-30';
begin
  null;
end;
/
