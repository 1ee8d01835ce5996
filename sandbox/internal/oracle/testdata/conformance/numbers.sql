-- SQL Language Reference, "NUMBER Data Type", "Numeric Precedence", numeric functions; ORA-01438, ORA-01476, ORA-01426.
create table t (a number(3), b number(3,1), c number(3,-1), d number, e integer)
/
insert into t values (1.5, 1.25, 125, 1/3, 2.5)
/
insert into t values (-1.5, -1.25, -125, -1/3, -2.5)
/
select a, b, c, d, e from t order by a
/
insert into t (a) values (999.5)
/
insert into t (b) values (99.95)
/
insert into t (c) values (9995)
/
select 1 / 0 from dual
/
select 7 / 2, mod(7, 2), mod(-7, 2), trunc(-1.7), round(2.5), round(-2.5), floor(-1.1), ceil(1.1), power(2, 10), sign(-3), abs(-2) from dual
/
select round(1234.567, 2), round(1234.567, -2), trunc(1234.567, 1), mod(5, 0) from dual
/
-- 38 digits and more; results are rounded to 40.
select 12345678901234567890123456789012345678 + 1, 2/3, 1e124 * 10 from dual
/
select 1e125 * 10 from dual
/
-- PLS_INTEGER overflows, NUMBER does not.
declare
  i pls_integer := 2147483647;
  n number := 2147483647;
begin
  n := n + 1;
  dbms_output.put_line(n);
  i := i + 1;
end;
/
declare
  n number(2);
begin
  n := 99.4;
  dbms_output.put_line(n);
  n := 99.5;
end;
/
declare
  i pls_integer;
begin
  i := 2.5;
  dbms_output.put_line(i);
  i := '7';
  dbms_output.put_line(i / 2);
end;
/
