-- PL/SQL Language Reference, "Cursors Overview", "Named Cursor Attribute"; ORA-06511, ORA-01001, ORA-01002.
create table t (id number, v varchar2(10))
/
insert into t select level, 'v' || level from dual connect by level <= 3
/
declare
  cursor c(p_from number default 2) is select id, v from t where id >= p_from order by id;
  r c%rowtype;
begin
  dbms_output.put_line(case when c%isopen then 'open' else 'closed' end);
  open c;
  dbms_output.put_line(case when c%found is null then 'not fetched' end || ' ' || c%rowcount);
  loop
    fetch c into r;
    exit when c%notfound;
    dbms_output.put_line(c%rowcount || ': ' || r.id || ' ' || r.v);
  end loop;
  dbms_output.put_line('at the end ' || c%rowcount || ' ' || r.v);
  close c;
  open c(p_from => 3);
  fetch c into r;
  dbms_output.put_line(r.v);
  open c;
exception
  when cursor_already_open then dbms_output.put_line(sqlerrm);
end;
/
declare
  cursor c is select id from t;
  n number;
begin
  fetch c into n;
end;
/
declare
  cursor c is select id from t;
begin
  close c;
exception
  when invalid_cursor then dbms_output.put_line(sqlerrm);
end;
/
declare
  cursor c is select id from t;
begin
  if c%found then null; end if;
end;
/
-- FETCH after the end keeps the variables and finds nothing.
declare
  cursor c is select id from t where id = 1;
  n number;
begin
  open c;
  fetch c into n;
  n := 77;
  fetch c into n;
  dbms_output.put_line(n || ' ' || case when c%notfound then 'not found' end);
  fetch c into n;
  dbms_output.put_line(n);
end;
/
-- SQL%: of the last statement; SELECT INTO sets it, too; before any it is NULL.
begin
  dbms_output.put_line('[' || sql%rowcount || ']');
  update t set v = v where id < 3;
  dbms_output.put_line(sql%rowcount);
  delete from t where 1 = 0;
  dbms_output.put_line(sql%rowcount || case when sql%notfound then ' not found' end || case when not sql%isopen then ' closed' end);
  commit;
  dbms_output.put_line(sql%rowcount);
end;
/
-- Cursor variables.
declare
  type any_cursor is ref cursor;
  c any_cursor;
  d sys_refcursor;
  n number;
  s varchar2(10);
begin
  open c for select id from t order by id;
  fetch c into n;
  d := c;
  fetch d into n;
  dbms_output.put_line(n);
  close d;
  open c for 'select v from t where id = :1' using 3;
  fetch c into s;
  dbms_output.put_line(s);
  close c;
  fetch c into s;
end;
/
-- A fetch into the wrong number or type of variables.
declare
  c sys_refcursor;
  a number;
  b number;
begin
  open c for select id from t;
  fetch c into a, b;
end;
/
-- A FOR loop closes its cursor, also when it is left.
declare
  cursor c is select id from t order by id;
begin
  for r in c loop
    exit when c%rowcount = 2;
    dbms_output.put_line(r.id);
  end loop;
  dbms_output.put_line(case when c%isopen then 'open' else 'closed' end);
  for r in c loop
    r.id := 5;
    dbms_output.put_line(r.id);
    return;
  end loop;
end;
/
