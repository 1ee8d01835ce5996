-- Concepts, "Locks and Deadlocks": one statement of the deadlock is rolled back with ORA-00060; its transaction keeps the
-- other locks and goes on. Which session it is, is not documented.
create table t (id number primary key, v number)
/
insert into t select level, 0 from dual connect by level <= 3
/
commit
/
update t set v = 1 where id = 1
/
-- @B
update t set v = 2 where id = 2
/
update t set v = 1 where id = 2
/
-- @B
update t set v = 2 where id = 1
/
-- @advance 10s
-- Who got the error still has its first row: the other waits until it ends its transaction.
-- @C
select id from t for update skip locked
/
-- @C
rollback
/
-- @B
select id, v from t order by id
/
-- @B
rollback
/
select id, v from t order by id
/
commit
/
-- A handler sees ORA-00060 like any other error of a statement.
update t set v = 5 where id = 1
/
-- @B
update t set v = 6 where id = 2
/
-- @B
begin
  update t set v = 6 where id = 1;
exception
  when others then dbms_output.put_line('B: ' || sqlerrm);
end;
/
begin
  update t set v = 5 where id = 2;
exception
  when others then dbms_output.put_line('A: ' || sqlerrm);
end;
/
-- @advance 10s
commit
/
-- @B
rollback
/
select id, v from t order by id
/
