declare
  type t_names is table of varchar2(30) index by varchar2(10);
  type t_rows is table of ds_task%rowtype;
  l_names   t_names;
  l_rows    t_rows;
  l_cursor  sys_refcursor;
  l_number  number(10, 2) not null default 2 ** 3 mod 5;
  l_flag    boolean := not (1 = 2) and l_number >= -1;
  l_both    boolean := (1 = 1) = true;
  l_name    varchar2(2 * 10);
  l_when    timestamp with time zone := systimestamp at time zone 'UTC';
  l_age     interval day to second := systimestamp - l_when;
  e_bulk    exception;
  pragma exception_init(e_bulk, -24381);
  procedure nested(p in out nocopy varchar2) is begin p := p || 'x'; end nested;
  function later return number;
  function later return number is begin return 1; end;
begin
  l_names('a') := 'x';
  l_names.delete('a');
  if l_names.exists('a') and not l_flag then null; end if;
  open l_cursor for 'select * from ds_task where task_id > :1' using in 5;
  fetch l_cursor bulk collect into l_rows limit 100;
  while l_cursor%found and l_rows.count > 0 loop
    exit when l_cursor%notfound;
    fetch l_cursor into l_rows(1).task_id, l_name;
  end loop;
  close l_cursor;
  open l_cursor for select * from ds_task;
  open c_other(1, p => 2);
  for r in (select task_id, row_number() over (order by task_id) rn from ds_task where name = l_name) loop
    dbms_output.put_line(r.task_id || ': ' || r.type);
  end loop;
  for r in c_other(3) loop null; end loop;
  for i in reverse l_rows.first .. l_rows.last - 1 loop
    l_rows(i).name := nvl(l_rows(i).name, case when i > 1 then 'many' else 'one' end);
  end loop;
  forall i in 1 .. l_rows.count save exceptions
    insert into ds_copy (name) values (l_rows(i).name);
  execute immediate 'begin :1 := f(:2); end;' using out l_number, in out l_name;
  execute immediate 'select count(*), 2 from ds_task' into l_number, l_rows(1).priority;
  execute immediate 'update t set a = 1 returning id into :1' returning bulk collect into l_rows;
  execute immediate l_name || ' x';
  case when l_number > 1 then l_number := 1; else null; end case;
  update ds_task set status = 'x' where task_id = 1;
  delete from ds_task where task_id = 1 returning task_id into l_number;
  :x := :y + 1;
  ds_pkg.call_me; ds_pkg.f(1)(2).go('x');
  savepoint s; rollback to s; set transaction read only; lock table t in exclusive mode;
  <<done>>
  begin
    return;
  exception when e_bulk then
    for i in 1 .. sql%bulk_exceptions.count loop
      dbms_output.put_line(sql%bulk_exceptions(i).error_index || sql%bulk_rowcount(i) || sqlerrm(-sql%bulk_exceptions(i).error_code));
    end loop;
  when pkg.e_other or value_error then raise pkg.e_other;
  when others then null;
  end;
  with a as (select 1 x from dual) select x into l_number from a;
  if l_name like 'a%' or l_name in ('a', 'b') or l_number not between 1 and 2 or l_name is not null then raise; end if;
end;
