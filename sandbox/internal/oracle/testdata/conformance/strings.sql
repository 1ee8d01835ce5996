-- SQL Language Reference, "Character Data Types", "Datatype Comparison Rules", "Concatenation Operator", character functions;
-- ORA-12899, ORA-06502 in Database Error Messages.
create table t (v varchar2(5), c char(4), b varchar2(3 byte), u varchar2(3 char))
/
insert into t values ('abc', 'x', 'abc', 'äöü')
/
-- CHAR is padded; two CHARs compare blank-padded, CHAR and VARCHAR2 do not.
select '[' || c || ']', length(c), length(u), lengthb(u) from t
/
select count(*) from t where c = 'x'
/
select count(*) from t where c = rtrim('x')
/
select case when 'a' = 'a ' then 'equal' else 'different' end from dual
/
declare
  v varchar2(5) := 'a ';
  w varchar2(5) := 'a';
begin
  dbms_output.put_line(case when v = w then 'equal' else 'different' end);
end;
/
insert into t (v) values ('abcdef')
/
insert into t (b) values ('äö')
/
insert into t (v) values (12345.6)
/
select count(*) from t
/
declare
  v varchar2(3);
begin
  v := 'abcd';
end;
/
declare
  v varchar2(3);
begin
  select 'abcd' into v from dual;
end;
/
-- Positions count from 1, from the end if negative; 0 is 1.
select substr('abcdef', 2, 3), substr('abcdef', -2), substr('abcdef', 0, 2), substr('abc', 4), substr('abc', 1, 0) from dual
/
select instr('abcabc', 'c'), instr('abcabc', 'c', 1, 2), instr('abcabc', 'c', -1), instr('abc', 'z'), instr('abc', '') from dual
/
select replace('aXbX', 'X'), replace('aXb', 'X', 'yy'), translate('abc', 'ab', 'x'), lpad('7', 3, '0'), rpad('ab', 1), trim('  a '), ltrim('xxa', 'x'), rtrim('abb', 'b') from dual
/
select upper('äb'), chr(65), regexp_substr('a1b22', '[0-9]+', 1, 2) from dual
/
select listagg(column_value, ',') within group (order by column_value desc) from (select level as column_value from dual connect by level <= 3)
/
-- Implicit conversion: the string is converted to the number.
select case when '10' > 9 then 'numbers' else 'strings' end from dual
/
select 1 + 'x' from dual
/
select to_number('1,5') from dual
/
select to_char(1234.5), to_char(0.5), to_char(-0.5), to_char(1234.5, '9,999.00'), to_char(5, '000'), to_char(12345, '999') from dual
/
-- A key by which texts compare as bytes, whatever the session's collation.
select nlssort('Aä', 'NLS_SORT=BINARY'), nlssort(null, 'NLS_SORT=BINARY') from dual
/
