-- Concepts, "Row Locks (TX)" and "Unique Constraints": who inserts a key that another transaction has inserted and not
-- committed waits for that transaction's end.
create table t (id number constraint t_pk primary key, v varchar2(10))
/
insert into t values (1, 'A')
/
-- @B
insert into t values (1, 'B')
/
commit
/
-- After a rollback of the first the second succeeds.
insert into t values (2, 'A')
/
-- @B
insert into t values (2, 'B')
/
rollback
/
-- @B
commit
/
-- A deleted key is not free before the commit.
delete from t where id = 1
/
-- @B
insert into t values (1, 'B')
/
commit
/
-- @B
commit
/
select id, v from t order by id
/
-- Keys swapped in one statement do not collide: uniqueness is checked at the end of the statement.
update t set id = 3 - id, v = v || id
/
select id, v from t order by id
/
-- Two that wait for each other's keys.
insert into t values (10, 'A')
/
-- @B
insert into t values (20, 'B')
/
insert into t values (20, 'A')
/
-- @B
insert into t values (10, 'B')
/
-- @advance 10s
-- @C
select count(*) from t
/
-- @B
rollback
/
commit
/
select id, v from t order by id
/
