-- PL/SQL Packages and Types Reference, "DBMS_SESSION": UNIQUE_SESSION_ID, IS_SESSION_ALIVE; "DBMS_APPLICATION_INFO"; Database
-- Reference, "V$SESSION"; SQL Language Reference, "SYS_CONTEXT".
create table ids (who varchar2(1), id varchar2(24))
/
insert into ids values ('A', dbms_session.unique_session_id)
/
commit
/
-- @B
insert into ids values ('B', dbms_session.unique_session_id)
/
-- @B
commit
/
create or replace procedure alive is
begin
  for r in (select who, id from ids order by who) loop
    dbms_output.put_line(r.who || ' ' || case when dbms_session.is_session_alive(r.id) then 'alive' else 'gone' end);
  end loop;
end;
/
begin alive; end;
/
select count(distinct id) from ids
/
-- The id stays the same.
select who from ids where id = dbms_session.unique_session_id
/
-- @close B
begin alive; end;
/
-- Another session that may have the same SID is not taken for it.
-- @C
begin alive; end;
/
begin
  dbms_application_info.set_module('my module', 'my action');
  dbms_application_info.set_client_info('info');
  dbms_session.set_identifier('me');
end;
/
select sys_context('userenv', 'module') as m, sys_context('userenv', 'action') as a, sys_context('userenv', 'client_info') as i, sys_context('userenv', 'client_identifier') as c from dual
/
select user, sys_context('userenv', 'session_user') as s, case when sys_context('userenv', 'sid') > 0 then 'number' end as sid from dual
/
select case when sys_context('userenv', 'current_userid') = (select user_id from user_users) then 'mine' end as id, nvl2(sys_context('userenv', 'cdb_name'), 'a container', 'none') as cdb from dual
/
-- V$SESSION needs a privilege.
select module from v$session
/
-- @S as system
select username, module, action, client_identifier, status from v$session where module = 'my module'
/
