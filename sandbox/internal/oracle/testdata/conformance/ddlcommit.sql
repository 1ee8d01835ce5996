-- SQL Language Reference, "Types of SQL Statements": a DDL statement commits the transaction before it, also if it then
-- fails, and itself when it succeeds.
create table t (id number primary key)
/
insert into t values (1)
/
create table u (id number)
/
rollback
/
select id from t
/
-- It fails: what came before is committed.
insert into t values (2)
/
create table u (id number)
/
rollback
/
select id from t order by id
/
-- It does not parse: nothing is committed.
insert into t values (3)
/
-- @refused
create tabel x (id number)
/
rollback
/
select id from t order by id
/
-- DDL of a locked table fails with ORA-00054, and has committed its own transaction.
insert into t values (4)
/
-- @B
insert into u values (1)
/
-- @B
truncate table t
/
-- @B
rollback
/
-- @B
select count(*) from u
/
-- DDL_LOCK_TIMEOUT waits.
-- @B
alter session set ddl_lock_timeout = 5
/
-- @B
truncate table t
/
-- @advance 4s
-- @advance 2s
-- @B
drop table t
/
commit
/
select id from t
/
-- In PL/SQL by EXECUTE IMMEDIATE, with the same effect on the transaction.
begin
  insert into u values (2);
  execute immediate 'create table w (id number)';
  insert into u values (3);
  raise_application_error(-20001, 'x');
end;
/
select id from u order by id
/
-- TRUNCATE cannot be rolled back.
truncate table u
/
rollback
/
select count(*) from u
/
drop table u
/
select count(*) from u
/
drop table u
/
create index w_i on w (nothing)
/
create index w_i on w (id)
/
create unique index w_i on w (id)
/
create index w_j on w (id)
/
