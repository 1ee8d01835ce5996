-- PL/SQL Language Reference, "PL/SQL Name Resolution" and "Scope and Visibility of Identifiers": in SQL a column hides a variable of
-- the same name; inner names hide outer ones; a label or a unit's name qualifies.
create table t (id number, v varchar2(10))
/
insert into t values (1, 'one')
/
insert into t values (2, 'two')
/
declare
  id number := 1;
  l_id number := 1;
  n number;
begin
  select count(*) into n from t where id = id;
  dbms_output.put_line('both rows ' || n);
  select count(*) into n from t where id = l_id;
  dbms_output.put_line('one row ' || n);
end;
/
<<main>>
declare
  id number := 2;
  s varchar2(10);
begin
  select v into s from t where id = main.id;
  dbms_output.put_line(s);
  declare
    id varchar2(5) := 'inner';
  begin
    dbms_output.put_line(id || ' ' || main.id);
  end;
  dbms_output.put_line(id);
end main;
/
create or replace procedure p(v varchar2) is
  n number;
begin
  select count(*) into n from t where t.v = p.v;
  dbms_output.put_line(n);
end;
/
begin p('two'); end;
/
-- A package's private parts are not seen from outside; the specification's are, by its name.
create or replace package k as
  shown number := 1;
  procedure q;
end;
/
create or replace package body k as
  hidden number := 2;
  procedure inside is begin dbms_output.put_line(shown + hidden + k.hidden); end;
  procedure q is begin inside; end;
end;
/
begin k.q; dbms_output.put_line(k.shown); end;
/
begin k.inside; end;
/
begin dbms_output.put_line(k.hidden); end;
/
-- Variables are binds of static SQL: their value at the execution counts.
declare
  l_v varchar2(10) := 'two';
  cursor c is select id from t where v = l_v;
  n number;
begin
  l_v := 'one';
  open c;
  l_v := 'none';
  fetch c into n;
  dbms_output.put_line(n);
end;
/
