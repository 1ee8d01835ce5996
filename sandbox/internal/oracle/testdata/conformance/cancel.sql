-- Oracle Call Interface, "OCIBreak()"; Database Error Messages, ORA-01013: the call ends, its work is undone, the transaction stays.
create table t (id number)
/
insert into t values (1)
/
begin
  insert into t values (2);
  dbms_session.sleep(100);
end;
/
-- @cancel A
select id from t
/
-- WHEN OTHERS does not get in its way.
begin
  begin
    dbms_session.sleep(100);
  exception
    when others then dbms_output.put_line('not here');
  end;
  dbms_output.put_line('nor here');
end;
/
-- @cancel A
-- A wait for a row ends, too.
-- @B
insert into t values (5)
/
-- @B
lock table t in exclusive mode
/
-- @cancel B
-- @B
select id from t
/
commit
/
-- @B
lock table t in exclusive mode
/
update t set id = 9
/
-- @cancel A
-- @B
commit
/
select id from t order by id
/
