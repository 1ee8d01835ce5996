-- PL/SQL Language Reference, "Package State" and "Package Instantiation and Initialization"; ORA-04068 in Database Error Messages.
create or replace package counter as
  n number := 10;
  function next return number;
end;
/
create or replace package body counter as
  hidden number := 0;
  function next return number is
  begin
    hidden := hidden + 1;
    return n * 100 + hidden;
  end;
begin
  dbms_output.put_line('initialised');
  hidden := 5;
end;
/
-- Each session has its own state; it is initialised at the first use.
begin dbms_output.put_line(counter.next); end;
/
begin counter.n := 20; dbms_output.put_line(counter.next); end;
/
-- @B
begin dbms_output.put_line(counter.next); end;
/
-- State is not transactional.
rollback
/
begin dbms_output.put_line(counter.next); end;
/
-- The body is compiled anew: who has state gets ORA-04068 once, then a new one. The session that compiled it, too.
create or replace package body counter as
  hidden number := 0;
  function next return number is
  begin
    hidden := hidden + 1;
    return n * 1000 + hidden;
  end;
end;
/
-- @B
begin dbms_output.put_line(counter.next); end;
/
-- @B
begin dbms_output.put_line(counter.next); end;
/
begin dbms_output.put_line(counter.next); end;
/
begin dbms_output.put_line(counter.next); end;
/
-- A session without state notices nothing.
-- @C
begin dbms_output.put_line(counter.next); end;
/
-- A package without variables, cursors and constants has no state.
create or replace package plain as
  procedure p;
end;
/
create or replace package body plain as
  procedure p is begin dbms_output.put_line('one'); end;
end;
/
begin plain.p; end;
/
-- @B
begin plain.p; end;
/
create or replace package body plain as
  procedure p is begin dbms_output.put_line('two'); end;
end;
/
begin plain.p; end;
/
-- @B
begin plain.p; end;
/
-- An error in the initialisation: the package is not initialised, the next call tries again.
create or replace package body counter as
  function next return number is begin return 1; end;
begin
  raise_application_error(-20001, 'no');
end;
/
-- @D
begin dbms_output.put_line(counter.next); end;
/
