-- SQL Language Reference, "SAVEPOINT" and "ROLLBACK"; Concepts, "Rollback to Savepoint".
create table t (id number)
/
savepoint s1
/
insert into t values (1)
/
savepoint s2
/
insert into t values (2)
/
savepoint s3
/
rollback to savepoint s2
/
select id from t
/
-- Savepoints marked after the one are erased, itself is retained.
rollback to s3
/
insert into t values (22)
/
rollback to s2
/
select id from t
/
-- A name used again is moved.
savepoint s1
/
rollback to s1
/
select id from t
/
-- The end of the transaction erases them.
commit
/
rollback to s1
/
-- In PL/SQL the error can be handled; the savepoint's work is undone by name.
begin
  insert into t values (3);
  savepoint p;
  insert into t values (4);
  rollback to p;
  begin
    rollback to nowhere;
  exception
    when others then dbms_output.put_line(sqlerrm);
  end;
end;
/
select id from t order by id
/
commit
/
-- A session that waits for a row locked after a savepoint goes on waiting for the transaction after a rollback to it.
savepoint q
/
update t set id = 10 where id = 1
/
-- @B
update t set id = 11 where id = 1
/
rollback to q
/
commit
/
-- @B
commit
/
select id from t order by id
/
-- Savepoints marked in a call that failed, and before it.
insert into t values (5)
/
savepoint outside
/
begin
  savepoint inside;
  insert into t values (6);
  raise program_error;
end;
/
rollback to inside
/
rollback to outside
/
select id from t order by id
/
