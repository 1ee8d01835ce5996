-- SQL Language Reference, "ROWID Pseudocolumn", "ROWID Data Type"; PL/SQL Language Reference, "UPDATE" with WHERE CURRENT OF.
create table t (id number primary key, v number)
/
insert into t select level, 0 from dual connect by level <= 3
/
declare
  r rowid;
  n number;
begin
  select rowid into r from t where id = 2;
  update t set v = 7 where rowid = r;
  dbms_output.put_line(sql%rowcount || ' ' || case when length(r) > 0 then 'a rowid' end);
  update t set id = 20 where rowid = r;
  select v into n from t where rowid = r and id = 20;
  dbms_output.put_line(n);
  insert into t values (4, 4) returning rowid into r;
  delete from t where rowid = r;
  dbms_output.put_line(sql%rowcount);
  update t set v = 1 where rowid = r;
  dbms_output.put_line(sql%rowcount);
end;
/
select id, v from t order by id
/
declare
  cursor c is select id, v from t for update;
begin
  for r in c loop
    if r.id = 1 then
      delete from t where current of c;
    else
      update t set v = r.v + 1 where current of c;
    end if;
  end loop;
  dbms_output.put_line(sql%rowcount);
end;
/
select id, v from t order by id
/
declare
  cursor c is select id from t;
begin
  for r in c loop
    delete from t where current of c;
  end loop;
end;
/
