-- PL/SQL Language Reference, "PL/SQL Collections and Records"; ORA-06531, 06532, 06533.
declare
  type by_name is table of number index by varchar2(10);
  a by_name;
  k varchar2(10);
begin
  a('b') := 2; a('a') := 1; a('c') := 3;
  k := a.first;
  while k is not null loop
    dbms_output.put_line(k || ' ' || a(k));
    k := a.next(k);
  end loop;
  a.delete('b');
  dbms_output.put_line(a.count || ' ' || case when a.exists('b') then 'there' else 'gone' end || ' ' || a.prior('c'));
  dbms_output.put_line(a('b'));
end;
/
declare
  type nums is table of number;
  n nums := nums(10, 20, 30);
  m nums;
begin
  n.extend;
  n(4) := 40;
  n.extend(2, 1);
  dbms_output.put_line(n.count || ' ' || n.last || ' ' || n(6));
  n.delete(2);
  dbms_output.put_line(n.count || ' ' || n.last || ' ' || n.next(1));
  n.trim(2);
  dbms_output.put_line(n.count || ' ' || n.last);
  begin
    dbms_output.put_line(n(2));
  exception
    when no_data_found then dbms_output.put_line('deleted element');
  end;
  begin
    n(9) := 1;
  exception
    when subscript_beyond_count then dbms_output.put_line(sqlerrm);
  end;
  begin
    n(0) := 1;
  exception
    when subscript_outside_limit then dbms_output.put_line(sqlerrm);
  end;
  if m is null then dbms_output.put_line('atomically null'); end if;
  dbms_output.put_line(m.count);
exception
  when collection_is_null then dbms_output.put_line(sqlerrm);
end;
/
-- Assignment copies.
declare
  type nums is table of number index by pls_integer;
  type rec is record (id number := 7, list nums);
  r rec;
  s rec;
begin
  r.list(1) := 1;
  s := r;
  s.list(1) := 2;
  s.id := 8;
  dbms_output.put_line(r.id || r.list(1) || ' ' || s.id || s.list(1));
  r.list.delete;
  dbms_output.put_line(r.list.count || ' ' || s.list.count || nvl(to_char(r.list.first), ' none'));
end;
/
-- A sparse collection.
declare
  type nums is table of number index by pls_integer;
  n nums;
begin
  n(-5) := 1; n(1000000) := 2;
  dbms_output.put_line(n.first || ' ' || n.last || ' ' || n.count);
  for i in n.first .. n.last loop
    exit when i > -4;
    dbms_output.put_line(case when n.exists(i) then 'yes' else 'no' end);
  end loop;
end;
/
