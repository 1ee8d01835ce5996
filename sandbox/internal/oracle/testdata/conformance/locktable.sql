-- SQL Language Reference, "LOCK TABLE"; Concepts, "Table Locks (TM)".
create table t (id number primary key)
/
insert into t values (1)
/
-- DML has a row exclusive table lock: others may write other rows, not lock the table.
-- @B
lock table t in share mode nowait
/
-- @B
lock table t in row exclusive mode nowait
/
-- @B
lock table t in exclusive mode wait 2
/
-- @advance 3s
-- @B
rollback
/
rollback
/
-- Share locks go together, writers wait.
lock table t in share mode
/
-- @B
lock table t in share mode nowait
/
-- @C
insert into t values (2)
/
-- Queries never wait.
-- @D
select count(*) from t
/
rollback
/
-- @B
rollback
/
-- @C
rollback
/
insert into t values (1)
/
commit
/
-- Exclusive: only queries.
lock table t in exclusive mode
/
-- @B
select id from t for update nowait
/
-- @B
lock table t in row share mode nowait
/
-- A savepoint's rollback does not matter to locks taken before it.
savepoint s
/
insert into t values (3)
/
rollback to s
/
-- @B
lock table t in row share mode nowait
/
commit
/
-- @B
lock table t in row share mode nowait
/
-- @B
lock table nowhere in share mode
/
