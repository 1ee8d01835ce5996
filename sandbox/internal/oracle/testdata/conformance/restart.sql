-- Concepts, "Conflicting Writes in Read Committed Transactions": one statement changes rows as of one point in time; a restarted one takes
-- a new snapshot, also of the subqueries it reads.
create table t (id number primary key, v number)
/
create table total (n number)
/
insert into t select level, level from dual connect by level <= 3
/
insert into total values (0)
/
commit
/
update t set v = 10 where id = 1
/
-- @B
update t set v = (select sum(v) from t) where id in (1, 2)
/
insert into t values (4, 100)
/
commit
/
-- @B
select id, v from t order by id
/
-- @B
commit
/
-- Rows that were changed before the one that is waited for are changed once.
update t set v = 0 where id = 3
/
-- @B
update t set v = v + 1
/
commit
/
-- @B
select id, v from t order by id
/
-- @B
rollback
/
-- A trail of sequence numbers shows the restart: values are taken twice.
create sequence s
/
update t set v = 50 where id = 1
/
-- @B
update t set v = s.nextval where id in (1, 2) and v < 1000
/
commit
/
-- @B
rollback
/
-- SELECT FOR UPDATE returns the values that it has locked.
update t set v = 60 where id = 1
/
-- @B
select v from t where id = 1 for update
/
commit
/
-- @B
commit
/
