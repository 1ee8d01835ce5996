-- SQL Language Reference, "INSERT", "UPDATE", "DELETE", returning_clause; PL/SQL Language Reference, "RETURNING INTO Clause".
create table t (id number generated always as identity, v number default 7, w number generated always as (v * 2) virtual)
/
declare
  l_id number;
  l_v number;
  l_w number;
  type nums is table of number;
  l_all nums;
begin
  insert into t (v) values (default) returning id, v, w into l_id, l_v, l_w;
  dbms_output.put_line(l_id || ' ' || l_v || ' ' || l_w);
  insert into t (v) values (null) returning id, v into l_id, l_v;
  dbms_output.put_line(l_id || ' ' || nvl(to_char(l_v), 'null'));
  update t set v = nvl(v, 0) + 1 where id = 1 returning v into l_v;
  dbms_output.put_line('new value ' || l_v);
  update t set v = 0 where id = 99 returning v into l_v;
  dbms_output.put_line('no row: ' || sql%rowcount || ' ' || l_v);
  update t set v = id returning v bulk collect into l_all;
  dbms_output.put_line(l_all.count || ' of ' || sql%rowcount);
  delete from t where id = 1 returning v into l_v;
  dbms_output.put_line('old value ' || l_v);
end;
/
-- Several rows into single variables: ORA-01422, and the statement is undone.
insert into t (v) select level from dual connect by level <= 2
/
declare
  n number;
begin
  update t set v = 100 returning id into n;
end;
/
select count(*) from t where v = 100
/
declare
  n number;
begin
  update t set v = 100 returning id into n;
exception
  when too_many_rows then dbms_output.put_line(sqlerrm);
end;
/
select count(*) from t where v = 100
/
-- By EXECUTE IMMEDIATE.
declare
  n number;
begin
  execute immediate 'insert into t (v) values (:v) returning id into :id' using 55 returning into n;
  dbms_output.put_line(n);
end;
/
