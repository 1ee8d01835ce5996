-- PL/SQL Packages and Types Reference, "DBMS_LOCK".
create or replace procedure req(p_id number, p_mode number, p_timeout number, p_release boolean default false) is
begin
  dbms_output.put_line('request ' || dbms_lock.request(p_id, p_mode, p_timeout, p_release));
end;
/
create or replace procedure rel(p_id number) is
begin
  dbms_output.put_line('release ' || dbms_lock.release(p_id));
end;
/
-- 0: success, 1: timeout, 4: already owned; release of what is not held: 4.
begin req(1, dbms_lock.x_mode, 0); req(1, dbms_lock.x_mode, 0); end;
/
-- @B
begin req(1, dbms_lock.x_mode, 0); req(1, dbms_lock.ss_mode, 0); rel(1); end;
/
-- @B
begin req(1, dbms_lock.s_mode, 5); end;
/
-- @advance 4900ms
-- @advance 200ms
-- It survives COMMIT and ROLLBACK.
commit
/
rollback
/
-- @B
begin req(1, dbms_lock.x_mode, 0); end;
/
-- Who waits gets it when it is released.
-- @B
begin req(1, dbms_lock.x_mode, 60); end;
/
begin rel(1); end;
/
-- release_on_commit.
begin req(2, dbms_lock.x_mode, 0, true); end;
/
-- @C
begin req(2, dbms_lock.x_mode, 60); end;
/
commit
/
-- Modes: share with share, shared update with shared update.
-- @C
begin rel(2); end;
/
begin req(3, dbms_lock.s_mode, 0); end;
/
-- @C
begin req(3, dbms_lock.s_mode, 0); req(4, dbms_lock.sx_mode, 0); end;
/
begin req(4, dbms_lock.sx_mode, 0); req(4, dbms_lock.s_mode, 0); end;
/
-- Conversion.
begin dbms_output.put_line('convert ' || dbms_lock.convert(3, dbms_lock.x_mode, 0)); end;
/
-- @C
begin rel(3); end;
/
begin dbms_output.put_line('convert ' || dbms_lock.convert(3, dbms_lock.x_mode, 0)); end;
/
-- Parameters: 3; an unknown handle: 5.
begin req(-1, dbms_lock.x_mode, 0); req(1, 7, 0); dbms_output.put_line(dbms_lock.request('nonsense', dbms_lock.x_mode, 0)); end;
/
-- A name is allotted a handle; that commits.
create table t (id number)
/
insert into t values (1)
/
declare
  h varchar2(128);
  k varchar2(128);
begin
  dbms_lock.allocate_unique('MY_LOCK', h);
  dbms_lock.allocate_unique('MY_LOCK', k);
  dbms_output.put_line(case when h = k then 'same' end || ' ' || dbms_lock.request(h, dbms_lock.x_mode, 0));
end;
/
rollback
/
select count(*) from t
/
-- @C
declare
  h varchar2(128);
begin
  dbms_lock.allocate_unique('MY_LOCK', h);
  dbms_output.put_line(dbms_lock.request(h, dbms_lock.x_mode, 0));
end;
/
-- Released at the session's end, however it ends.
-- @close B
-- @C
begin req(1, dbms_lock.x_mode, 0); end;
/
-- @S as system
begin
  for s in (select sid, serial# as serial from v$session where username = 'APP' and sid = 40) loop
    execute immediate 'alter system kill session ''' || s.sid || ',' || s.serial || '''';
  end loop;
end;
/
-- @C
begin req(3, dbms_lock.x_mode, 0); end;
/
-- A deadlock of two sessions: 2 for one of them.
-- @D
begin req(10, dbms_lock.x_mode, 0); end;
/
-- @C
begin req(11, dbms_lock.x_mode, 0); end;
/
-- @D
begin req(11, dbms_lock.x_mode, 60); end;
/
-- @C
begin req(10, dbms_lock.x_mode, 60); end;
/
-- @join
