-- SQL Language Reference, "MERGE".
create table t (id number primary key, v number, note varchar2(10))
/
insert into t values (1, 10, 'old')
/
insert into t values (2, 20, 'old')
/
merge into t using (select level as id, level * 100 as v from dual connect by level <= 3) s on (t.id = s.id)
when matched then update set t.v = s.v, note = 'upd' where s.id > 1
when not matched then insert (id, v, note) values (s.id, s.v, 'new')
/
select id, v, note from t order by id
/
-- The columns of ON may not be updated.
merge into t using (select 1 as id from dual) s on (t.id = s.id) when matched then update set t.id = 9
/
-- A row may be updated once only: ORA-30926.
merge into t using (select 1 as id, level as v from dual connect by level <= 2) s on (t.id = s.id) when matched then update set t.v = s.v
/
-- DELETE removes what the update has left fit.
merge into t using (select 2 as id from dual union all select 3 from dual) s on (t.id = s.id)
when matched then update set t.v = t.v + 1 delete where t.v > 300
/
select id, v from t order by id
/
merge into t using dual on (t.id = 5) when not matched then insert (id, v) values (5, 50) where 1 = 0
/
begin
  merge into t using dual on (t.id = 5) when not matched then insert (id, v) values (5, 50);
  dbms_output.put_line(sql%rowcount);
end;
/
-- Two sessions merge the same missing key: the second waits and then meets the unique key.
merge into t using dual on (t.id = 6) when matched then update set v = v + 1 when not matched then insert (id, v) values (6, 60)
/
-- @B
merge into t using dual on (t.id = 6) when matched then update set v = v + 1 when not matched then insert (id, v) values (6, 61)
/
commit
/
-- @B
rollback
/
select id, v from t where id = 6
/
