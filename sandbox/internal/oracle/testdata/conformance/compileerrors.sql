-- PL/SQL Language Reference, "Compile-Time Warnings" and errors; Database Reference, "USER_ERRORS"; Database Error Messages, PLS.
create or replace package p as
  procedure a(x number);
  procedure missing;
end;
/
create or replace package body p as
  procedure a(x number) is
    y number;
  begin
    y := z;
    w(1);
    select nothing into y from dual;
    insert into no_table values (1);
    y := 'a' + ;
  end;
end;
/
select name, type, line, position, text from user_errors order by name, type, sequence
/
create or replace package body p as
  procedure a(x number) is
    y number;
  begin
    y := z;
    w(1);
    select nothing into y from dual;
    insert into no_table values (1);
  end;
end;
/
select line, position, text from user_errors where name = 'P' and type = 'PACKAGE BODY' order by sequence
/
begin p.a(1); end;
/
begin p.b; end;
/
create or replace package body p as
  procedure a(x number) is begin null; end;
  procedure missing is begin null; end;
end;
/
select count(*) from user_errors
/
begin p.a(1); end;
/
begin p.a; end;
/
begin p.a(1, 2); end;
/
begin p.a('x'); end;
/
begin p.b; end;
/
begin
  undeclared := 1;
  raise unknown_exception;
end;
/
declare
  n numbr;
begin
  null;
end;
/
begin
  return 1;
end;
/
declare
  b boolean := 1;
begin
  if 1 then null; end if;
end;
/
