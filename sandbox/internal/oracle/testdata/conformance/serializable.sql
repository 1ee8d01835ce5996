-- Concepts, "Serializable Isolation Level"; SQL Language Reference, "SET TRANSACTION".
create table t (id number primary key, v number)
/
insert into t values (1, 10)
/
insert into t values (2, 20)
/
commit
/
set transaction isolation level serializable
/
select sum(v) from t
/
-- @B
update t set v = 21 where id = 2
/
-- @B
commit
/
-- The transaction sees its own snapshot, and its own changes.
select sum(v) from t
/
update t set v = 11 where id = 1
/
select sum(v) from t
/
-- A row changed by a transaction that committed since: ORA-08177. The statement is undone, the transaction goes on.
update t set v = 0 where id = 2
/
select id, v from t order by id
/
commit
/
select id, v from t order by id
/
-- A row that another holds: it waits, fails if that commits, goes on if that rolls back.
set transaction isolation level serializable
/
-- @B
update t set v = 100 where id = 1
/
update t set v = 200 where id = 1
/
-- @B
rollback
/
rollback
/
set transaction isolation level serializable
/
select count(*) from t
/
-- @B
update t set v = 100 where id = 1
/
update t set v = 200 where id = 1
/
-- @B
commit
/
rollback
/
-- It must be the first statement.
insert into t values (3, 30)
/
set transaction isolation level serializable
/
rollback
/
-- For the session.
alter session set isolation_level = serializable
/
select count(*) from t
/
-- @B
delete from t where id = 2
/
-- @B
commit
/
select count(*) from t
/
delete from t where id = 2
/
rollback
/
select count(*) from t
/
