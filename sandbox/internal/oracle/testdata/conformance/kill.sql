-- SQL Language Reference, "ALTER SYSTEM", KILL SESSION: the transaction of the session is rolled back, its locks are released.
create table t (id number primary key, v number)
/
insert into t values (1, 0)
/
commit
/
update t set v = 1
/
-- @B
update t set v = v + 10
/
-- @S as system
select sid, username, status from v$session where type = 'USER' and username = 'APP' order by sid
/
-- @S
declare
  v_serial number;
begin
  select serial# into v_serial from v$session where sid = 40;
  execute immediate 'alter system kill session ''40,' || v_serial || '''';
end;
/
-- @B
select v from t
/
-- @B
commit
/
-- The next session of that client begins anew.
select v from t
/
-- A running call.
begin dbms_session.sleep(1000); exception when others then dbms_output.put_line('not here'); end;
/
-- @S
begin
  for s in (select sid, serial# as serial from v$session where username = 'APP' and status = 'ACTIVE') loop
    execute immediate 'alter system kill session ''' || s.sid || ',' || s.serial || '''';
  end loop;
end;
/
-- @S
alter system kill session '999,1'
/
-- @S
declare
  v_sid number := sys_context('userenv', 'sid');
  v_serial number;
begin
  select serial# into v_serial from v$session where sid = v_sid;
  execute immediate 'alter system kill session ''' || v_sid || ',' || v_serial || '''';
end;
/
-- @S
alter system kill session 'x'
/
-- ALTER SYSTEM is needed.
-- @B
alter system kill session '40,1'
/
