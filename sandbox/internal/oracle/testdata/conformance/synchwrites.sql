-- Database Reference, "V$MYSTAT", "V$STATNAME", "Statistics Descriptions": redo synch writes; PL/SQL Language Reference, "COMMIT Statement".
-- @S as system
create table marks (n number)
/
-- @S
create procedure waited(in_text varchar2) authid current_user is
  before number; after number;
  procedure read(out_value out number) is
  begin
    execute immediate 'select m.value from v$mystat m join v$statname n on n.statistic# = m.statistic# where n.name = :n' into out_value
      using 'redo synch writes';
  end;
begin
  read(before);
  for i in 1 .. 3 loop
    execute immediate in_text;
  end loop;
  read(after);
  dbms_output.put_line(after - before);
end;
/
-- In PL/SQL a commit does not wait.
-- @S
begin waited('begin insert into marks values (1); commit; end;'); end;
/
-- @S
begin waited('begin insert into marks values (1); commit write immediate wait; end;'); end;
/
-- Nothing to wait for.
-- @S
begin waited('begin commit write immediate wait; end;'); end;
/
-- @S
select count(*) from marks
/
-- It needs a privilege.
select count(*) from v$mystat
/
