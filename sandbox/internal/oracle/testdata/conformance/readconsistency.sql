-- Concepts, "Multiversion Read Consistency" and "Read Committed Isolation Level".
create table t (id number primary key, v number)
/
insert into t select level, level * 10 from dual connect by level <= 3
/
commit
/
-- Writers do not block readers; readers see what was committed when their statement began.
update t set v = 11 where id = 1
/
-- @B
select id, v from t order by id
/
-- One's own changes are seen.
select id, v from t order by id
/
commit
/
-- @B
select v from t where id = 1
/
-- A cursor sees the data as of its OPEN: not later commits of others, not later changes of its own session.
-- @B
declare
  cursor c is select id, v from t order by id;
  r c%rowtype;
begin
  open c;
  update t set v = v + 1000;
  insert into t values (4, 40);
  commit;
  loop
    fetch c into r;
    exit when c%notfound;
    dbms_output.put_line(r.id || ' ' || r.v);
  end loop;
  close c;
  for r in (select id, v from t order by id) loop
    dbms_output.put_line(r.id || ' ' || r.v);
  end loop;
end;
/
-- Two queries of one READ COMMITTED block may differ; of a READ ONLY transaction they do not.
-- @C
set transaction read only
/
-- @C
select sum(v) from t
/
update t set v = 0
/
commit
/
-- @C
select sum(v) from t
/
-- @C
insert into t values (9, 9)
/
-- @C
delete from t where 1 = 0
/
-- @C
select v from t where id = 1 for update
/
-- @C
begin update t set v = 1; end;
/
-- @C
commit
/
-- @C
select sum(v) from t
/
-- A statement does not see its own changes: each row is read as it was.
insert into t select id + 100, v from t
/
update t set v = (select count(*) from t where v = 0)
/
select distinct v from t
/
rollback
/
