-- Concepts, "Conflicting Writes in Read Committed Transactions" and "Locks and Data Concurrency": the second writer of a
-- row waits; if the first commits it goes on with the new values, if the first rolls back with the old ones.
create table t (id number primary key, v number, state varchar2(5))
/
insert into t values (1, 10, 'READY')
/
insert into t values (2, 20, 'READY')
/
commit
/
-- A counter loses nothing.
update t set v = v + 1 where id = 1
/
-- @B
update t set v = v + 1 where id = 1
/
commit
/
-- @B
select v from t where id = 1
/
-- @B
commit
/
-- A lost update: both read, both write what they computed.
-- @B
begin update t set v = 100 where id = 1; end;
/
update t set v = 200 where id = 1
/
-- @B
commit
/
commit
/
select v from t where id = 1
/
-- After the rollback of the first the second goes on, too.
update t set v = 0 where id = 1
/
-- @B
update t set v = v + 1 where id = 1
/
rollback
/
-- @B
commit
/
select v from t where id = 1
/
-- The row that no longer fits is left out after the wait: nobody claims twice.
update t set state = 'RUN' where id = 2 and state = 'READY'
/
-- @B
update t set state = 'RUN' where id = 2 and state = 'READY'
/
commit
/
-- @B
select state from t where id = 2
/
-- @B
commit
/
-- A row that fits only since that commit does not make it wait: it is not seen.
update t set state = 'NEW' where id in (1, 2)
/
-- @B
update t set v = -1 where state = 'NEW'
/
commit
/
-- @B
rollback
/
-- But a statement that has waited starts anew and finds it.
update t set v = 77, state = 'X' where id = 1
/
insert into t values (3, 30, 'X')
/
-- @B
update t set state = 'Y' where id = 1 or state = 'X'
/
commit
/
-- @B
select id, v, state from t order by id
/
-- @B
commit
/
-- Deleted meanwhile: 0 rows.
delete from t where id = 1
/
-- @B
update t set v = 5 where id = 1
/
commit
/
-- MERGE and DELETE wait alike.
update t set v = v + 1 where id = 2
/
-- @B
merge into t using (select 2 as id from dual) s on (t.id = s.id) when matched then update set v = v + 1
/
-- @C
delete from t where id = 2 and v < 0
/
commit
/
-- @B
commit
/
-- @C
rollback
/
select id, v from t order by id
/
