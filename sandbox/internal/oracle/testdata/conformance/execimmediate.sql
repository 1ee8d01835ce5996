-- PL/SQL Language Reference, "EXECUTE IMMEDIATE Statement" and "Repeated Placeholder Names in Dynamic SQL Statements".
create table t (id number, v varchar2(10))
/
declare
  n number;
  s varchar2(10) := 'in';
  v varchar2(10);
begin
  execute immediate 'insert into t values (:1, :2)' using 1, 'one';
  dbms_output.put_line(sql%rowcount);
  -- In SQL one bind for each occurrence, in a block one for each different name.
  execute immediate 'select :a + :a from dual' into n using 1, 2;
  dbms_output.put_line(n);
  execute immediate 'begin :o := :i || :i; end;' using out v, s;
  dbms_output.put_line(v);
  execute immediate 'begin :x := :x || ''!''; end;' using in out s;
  dbms_output.put_line(s);
  execute immediate 'select v from t where id = :id' into v using 1;
  dbms_output.put_line(v);
  execute immediate 'update t set v = :1 returning id into :2' using 'upd' returning into n;
  dbms_output.put_line(n);
end;
/
begin
  execute immediate 'insert into t values (:1, :2)' using 1;
end;
/
begin
  execute immediate 'insert into t values (1, ''x'')' using 1;
end;
/
declare
  n number;
begin
  execute immediate 'select id from t where id = 99' into n;
end;
/
-- A query without INTO is parsed, not run.
begin
  execute immediate 'select 1 / 0 from dual';
  dbms_output.put_line('not run');
end;
/
-- Statements have no semicolon at their end, blocks have.
begin
  execute immediate 'delete from t;';
exception
  when others then
    if sqlcode in (-911, -933) then dbms_output.put_line('refused'); end if; -- which of them depends on the release
end;
/
begin
  execute immediate 'begin null; end';
end;
/
-- Local variables are not seen, package variables and procedures are.
declare
  n number := 1;
begin
  execute immediate 'begin n := 2; end;';
end;
/
-- NULL as a bind needs a typed variable.
declare
  n varchar2(1);
begin
  execute immediate 'update t set v = :1' using n;
  dbms_output.put_line(sql%rowcount);
end;
/
-- BULK COLLECT, DDL, transaction control.
declare
  type nums is table of number;
  l nums;
begin
  execute immediate 'select level from dual connect by level <= :n' bulk collect into l using 3;
  dbms_output.put_line(l.count);
  execute immediate 'create table u (a number)';
  execute immediate 'insert into u values (1)';
  execute immediate 'commit';
  execute immediate 'insert into u values (2)';
  execute immediate 'rollback';
end;
/
select a from u
/
-- Names of objects cannot be bound.
begin
  execute immediate 'drop table :1' using 'U';
end;
/
-- USING of OUT in a query's place, wrong number of INTO variables.
declare
  a number;
  b number;
begin
  execute immediate 'select 1 from dual' into a, b;
end;
/
