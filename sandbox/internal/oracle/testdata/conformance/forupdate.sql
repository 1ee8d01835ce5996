-- SQL Language Reference, "SELECT", for_update_clause; PL/SQL Language Reference, "SELECT FOR UPDATE and FOR UPDATE Cursors".
create table t (id number primary key, v number)
/
insert into t select level, level * 10 from dual connect by level <= 4
/
commit
/
select v from t where id = 1 for update
/
-- NOWAIT fails at once, WAIT n after n seconds, readers are not disturbed.
-- @B
select v from t where id = 1 for update nowait
/
-- @B
select v from t where id = 1
/
-- @B
select v from t where id = 1 for update wait 3
/
-- @advance 2900ms
-- @advance 200ms
-- WAIT that is over in time.
-- @B
select v from t where id = 1 for update wait 30
/
update t set v = 15 where id = 1
/
commit
/
-- @B
commit
/
-- SKIP LOCKED leaves out what others hold.
update t set v = 0 where id in (1, 3)
/
-- @B
select id from t order by id for update skip locked
/
-- @B
commit
/
-- A cursor locks when it is opened, not when rows are fetched.
-- @B
declare
  cursor c is select id from t where id > 3 for update;
begin
  open c;
end;
/
-- @C
select id from t where id = 4 for update nowait
/
-- With SKIP LOCKED it locks what it fetches: a second session gets the next row.
-- @B
commit
/
rollback
/
-- @B
declare
  cursor c is select id from t order by id for update skip locked;
  n number;
begin
  open c;
  fetch c into n;
  close c;
  dbms_output.put_line('claimed ' || n);
end;
/
-- @C
declare
  cursor c is select id from t order by id for update skip locked;
  n number;
begin
  open c;
  fetch c into n;
  close c;
  dbms_output.put_line('claimed ' || n);
end;
/
-- @B
rollback
/
-- @C
rollback
/
-- A fetch after the commit is out of sequence.
declare
  cursor c is select id, v from t order by id for update of v;
begin
  for r in c loop
    update t set v = r.v + r.id where id = r.id;
  end loop;
end;
/
select id, v from t order by id
/
declare
  cursor c is select id from t order by id for update;
  n number;
begin
  open c;
  fetch c into n;
  commit;
  fetch c into n;
end;
/
-- Not with DISTINCT, GROUP BY, set operators, aggregates.
select distinct v from t for update
/
select count(*) from t for update
/
select id from t union select id from t for update
/
-- OF names the table whose rows are locked.
create table u (id number primary key)
/
insert into u values (1)
/
commit
/
select t.v from t join u on u.id = t.id for update of u.id
/
-- @B
update t set v = 1 where id = 1
/
-- @B
select id from u for update nowait
/
-- @B
rollback
/
