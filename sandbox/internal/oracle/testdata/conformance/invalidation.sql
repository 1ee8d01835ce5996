-- Database Development Guide, "Understanding Schema Object Dependency"; Database Reference, "USER_ERRORS", "USER_OBJECTS".
create table t (id number, v number)
/
create or replace procedure p is
  n number;
begin
  select v into n from t where id = 1;
  dbms_output.put_line(n);
end;
/
create or replace procedure q is
begin
  p;
end;
/
create or replace view w as select id, v from t
/
insert into t values (1, 5)
/
begin q; end;
/
select object_name, object_type, status from user_objects where object_name in ('P', 'Q', 'T', 'W') order by object_name
/
-- A table that they use goes: they are invalid, and compiled at their next use.
drop table t
/
create table t (id number)
/
insert into t values (1)
/
select object_name, status from user_objects where object_name in ('P', 'Q', 'T', 'W') order by object_name
/
begin q; end;
/
select name, line, position, text from user_errors order by name, sequence
/
select id from w
/
alter table t add (v number default 7)
/
begin q; end;
/
select object_name, status from user_objects where object_name in ('P', 'Q', 'T', 'W') order by object_name
/
select id, v from w
/
select count(*) from user_errors
/
-- A unit with errors is created all the same; what calls it is told.
create or replace procedure p is
begin
  nowhere;
end;
/
select line, position, text, attribute from user_errors where name = 'P' order by sequence
/
begin p; end;
/
begin q; end;
/
create or replace procedure syntax is
begin
  if true the null; end if;
end;
/
select name, status from (select object_name as name, status from user_objects) where name = 'SYNTAX'
/
-- A dropped object.
drop procedure p
/
begin q; end;
/
create or replace procedure p is begin dbms_output.put_line('new'); end;
/
alter procedure q compile
/
select status from user_objects where object_name = 'Q'
/
-- A body is not used for compiling others: a new body leaves them valid, a new specification does not.
create or replace package k as
  c constant number := 1;
  procedure x;
end;
/
create or replace package body k as
  procedure x is begin dbms_output.put_line(c); end;
end;
/
create or replace procedure r is begin k.x; end;
/
create or replace package body k as
  procedure x is begin dbms_output.put_line(c + 1); end;
end;
/
select object_name, object_type, status from user_objects where object_name in ('K', 'R') order by object_name, object_type
/
create or replace package k as
  c constant number := 5;
  procedure x;
end;
/
select object_name, object_type, status from user_objects where object_name in ('K', 'R') order by object_name, object_type
/
begin r; end;
/
select name, referenced_name, referenced_type from user_dependencies where name in ('R', 'Q') and referenced_owner = 'APP' order by 1, 2
/
drop table t
/
select id from w
/
-- A unit goes on running when a table that it uses is changed; its statements are parsed anew when they are executed next.
create table later (id number, v varchar2(5))
/
create or replace package runs as
  procedure x;
end;
/
create or replace package body runs as
  procedure x is
    l_id number;
    cursor c_ids is select id from later order by id;
  begin
    for i in 1 .. 3 loop
      insert into later (id, v) values (i, 'x') returning id into l_id;
      select max(id) into l_id from later;
      for r in c_ids loop
        dbms_output.put_line(i || ': ' || r.id || ' ' || l_id);
      end loop;
      commit;
      if i = 1 then
        execute immediate 'alter table later add (more number default 7)';
      end if;
    end loop;
  end;
end;
/
begin runs.x; end;
/
select * from later order by id
/
select object_type, status from user_objects where object_name = 'RUNS' order by object_type
/
