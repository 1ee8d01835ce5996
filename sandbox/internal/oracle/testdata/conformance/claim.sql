-- SQL Language Reference, "SELECT", SKIP LOCKED; PL/SQL Language Reference, "Cursors": workers that each take the first free row
-- of a queue table; a condition on ROWNUM comes before the locks and may find nothing.
create table task (id number primary key, state varchar2(5) default 'READY' not null)
/
insert into task (id) select level from dual connect by level <= 3
/
commit
/
create or replace procedure claim is
  cursor c is select id from task where state = 'READY' order by id for update skip locked;
  n number;
begin
  open c;
  fetch c into n;
  if c%notfound then
    dbms_output.put_line('none');
  else
    update task set state = 'RUN' where id = n;
    dbms_output.put_line('claimed ' || n);
  end if;
  close c;
end;
/
begin claim; end;
/
-- @B
begin claim; end;
/
-- @C
begin claim; end;
/
-- @D
begin claim; end;
/
-- @B
rollback
/
-- @D
begin claim; end;
/
commit
/
-- @C
commit
/
begin claim; end;
/
-- @D
rollback
/
select id, state from task order by id
/
-- A mutex row: who comes second waits, and its next statement sees what the first committed.
create table mutex (id number primary key)
/
insert into mutex values (1)
/
commit
/
create or replace procedure next_task is
  m number;
  n number;
begin
  select id into m from mutex where id = 1 for update;
  select min(id) into n from task where state = 'READY';
  update task set state = 'RUN' where id = n;
  dbms_output.put_line('next ' || nvl(to_char(n), 'none'));
end;
/
begin next_task; end;
/
-- @B
begin next_task; end;
/
commit
/
-- @B
commit
/
