-- SQL Language Reference, "ROWNUM Pseudocolumn" and "row_limiting_clause".
create table t (id number)
/
insert into t select 6 - level from dual connect by level <= 5
/
-- Numbers are given as rows are selected: greater than 1 is never true, and ORDER BY comes later.
select count(*) from t where rownum > 1
/
select count(*) from t where rownum = 2
/
select id from (select id from t order by id) where rownum <= 2
/
select id, r from (select id, rownum r from (select id from t order by id)) where r between 2 and 3
/
select id, rownum from (select id from t order by id desc) where rownum < 3
/
-- A condition beside it comes first.
select count(*) from t where id > 3 and rownum <= 10
/
update t set id = id + 10 where rownum <= 2
/
select count(*) from t where id > 10
/
rollback
/
insert into t select 6 - level from dual connect by level <= 5
/
select id from t order by id fetch first 2 rows only
/
select id from t order by id offset 3 rows fetch next 1 row only
/
insert into t values (2)
/
select id from t order by id fetch first 2 rows with ties
/
-- Not with FOR UPDATE.
select id from t order by id fetch first 1 rows only for update
/
select id from t where rownum = 1 for update
/
