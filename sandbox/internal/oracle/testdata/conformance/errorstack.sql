-- PL/SQL Packages and Types Reference, "DBMS_UTILITY": FORMAT_ERROR_STACK, FORMAT_ERROR_BACKTRACE, FORMAT_CALL_STACK;
-- PL/SQL Language Reference, "SQLERRM Function".
create or replace package deep is
  procedure a;
  procedure b;
end;
/
create or replace package body deep is
  procedure c is
    n number;
  begin
    n := 1 / 0;
  end;
  procedure b is
  begin
    c;
  end;
  procedure a is
  begin
    b;
  exception
    when others then
      raise_application_error(-20100, 'a failed', true);
  end;
end;
/
-- The client gets the stack with the lines where the error went through.
begin
  deep.b;
end;
/
begin
  deep.a;
end;
/
begin
  deep.b;
exception
  when others then
    dbms_output.put_line(sqlerrm);
    dbms_output.put_line(dbms_utility.format_error_stack);
    dbms_output.put_line(dbms_utility.format_error_backtrace);
end;
/
-- Outside a handler there is none.
begin
  dbms_output.put_line('[' || dbms_utility.format_error_backtrace || ']');
  dbms_output.put_line('[' || dbms_utility.format_error_stack || ']');
end;
/
-- RAISE in a handler begins the backtrace anew at its line.
create or replace procedure again is
begin
  deep.b;
exception
  when others then
    raise;
end;
/
begin
  again;
exception
  when others then dbms_output.put_line(dbms_utility.format_error_backtrace);
end;
/
-- An error in dynamic SQL.
begin
  execute immediate 'begin deep.b; end;';
end;
/
begin
  execute immediate 'select nothing from dual';
end;
/
begin
  execute immediate 'begin nowhere; end;';
end;
/
create table t (id number constraint t_pk primary key)
/
create or replace procedure twice is
begin
  insert into t values (1);
  insert into t values (1);
end;
/
begin
  twice;
exception
  when dup_val_on_index then
    dbms_output.put_line(sqlerrm);
    dbms_output.put_line(dbms_utility.format_error_backtrace);
end;
/
