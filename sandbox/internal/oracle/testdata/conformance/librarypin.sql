-- Database Error Messages, ORA-04020, ORA-04021; a unit that runs is pinned in the library cache: who replaces it waits.
create or replace package work as
  procedure run;
end;
/
create or replace package body work as
  procedure run is
  begin
    dbms_session.sleep(10);
    dbms_output.put_line('old');
  end;
end;
/
-- @B
begin work.run; end;
/
create or replace package body work as
  procedure run is
  begin
    dbms_output.put_line('new');
  end;
end;
/
-- @join
-- @B
begin work.run; end;
/
-- One that runs for long: ORA-04021 after five minutes.
create or replace procedure long_run is
begin
  dbms_session.sleep(1000);
end;
/
-- @B
begin long_run; end;
/
create or replace procedure long_run is
begin
  null;
end;
/
-- @advance 290s
-- @advance 20s
-- @cancel B
-- A unit that replaces itself.
create or replace procedure myself is
begin
  execute immediate 'create or replace procedure myself is begin null; end;';
end;
/
begin myself; end;
/
-- A unit that does not run is replaced at once; so is another one than runs.
create or replace procedure other is begin null; end;
/
-- @B
begin other; dbms_session.sleep(5); end;
/
create or replace procedure other2 is begin null; end;
/
-- @join
-- ALTER PACKAGE COMPILE waits, too, and for a block that has called the package and goes on.
-- @B
begin work.run; dbms_session.sleep(60); end;
/
alter package work compile body
/
-- @join
-- A call that comes after them waits behind them: a waiter that is cancelled lets it by. GRANT waits like ALTER.
-- @B
begin work.run; dbms_session.sleep(60); end;
/
-- @C
alter package work compile body
/
-- @D
begin work.run; end;
/
-- @cancel C
-- @C
grant execute on work to public
/
-- @D
begin work.run; end;
/
-- @join
