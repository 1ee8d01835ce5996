-- SQL Language Reference, "CLOB Data Type"; PL/SQL Packages and Types Reference, "DBMS_LOB"; SecureFiles and Large Objects
-- Developer's Guide, "SQL Semantics and LOBs".
create table t (id number primary key, c clob)
/
insert into t values (1, 'short')
/
insert into t values (2, null)
/
insert into t values (3, empty_clob())
/
select id, length(c), case when c is null then 'null' else 'value' end as n from t order by id
/
-- More than 32767 characters.
declare
  c clob;
begin
  for i in 1 .. 5 loop
    c := c || rpad('x', 10000, 'x');
  end loop;
  dbms_output.put_line(dbms_lob.getlength(c) || ' ' || length(c));
  c := c || 'end';
  dbms_output.put_line(substr(c, 49999));
end;
/
declare
  l_c clob;
  v varchar2(32767);
begin
  for i in 1 .. 5 loop
    l_c := l_c || rpad('x', 10000, 'x');
  end loop;
  update t set c = l_c || 'end' where id = 1;
  select c into l_c from t where id = 1;
  dbms_output.put_line(length(l_c) || ' ' || substr(l_c, -3) || ' ' || instr(l_c, 'end') || ' ' || dbms_lob.substr(l_c, 4, 50000));
  v := substr(l_c, 1, 100);
  dbms_output.put_line(length(v));
  v := l_c;
exception
  when value_error then dbms_output.put_line('too long for a VARCHAR2');
end;
/
-- A CLOB is no key of comparison, grouping or order.
select id from t where c = 'short'
/
select c from t order by c
/
select distinct c from t
/
select id from t where c like 'x%'
/
-- EXECUTE IMMEDIATE takes a CLOB.
declare
  c clob := 'begin dbms_output.put_line(''from a clob''); end;';
begin
  execute immediate c;
end;
/
