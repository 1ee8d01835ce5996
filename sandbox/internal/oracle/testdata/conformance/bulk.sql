-- PL/SQL Language Reference, "Bulk SQL and Bulk Binding": BULK COLLECT, LIMIT, FORALL, SAVE EXCEPTIONS, SQL%BULK_ROWCOUNT.
create table t (id number constraint t_pk primary key, v varchar2(3))
/
declare
  type ids is table of t.id%type;
  type recs is table of t%rowtype index by pls_integer;
  l_ids ids := ids(1, 2, 3, 4, 5);
  l_recs recs;
  cursor c is select * from t order by id;
begin
  forall i in 1 .. l_ids.count
    insert into t values (l_ids(i), 'v' || l_ids(i));
  dbms_output.put_line('inserted ' || sql%rowcount);
  open c;
  loop
    fetch c bulk collect into l_recs limit 2;
    dbms_output.put_line('fetched ' || l_recs.count || case when c%notfound then ' last' end);
    exit when l_recs.count < 2;
  end loop;
  close c;
  select id bulk collect into l_ids from t where id > 99;
  dbms_output.put_line('none ' || l_ids.count);
  select * bulk collect into l_recs from t where rownum <= 2;
  dbms_output.put_line(l_recs(2).v);
  forall i in 1 .. l_recs.count
    update t set v = 'upd' where id <= l_recs(i).id;
  dbms_output.put_line(sql%rowcount || ': ' || sql%bulk_rowcount(1) || ' ' || sql%bulk_rowcount(2));
end;
/
-- The first error ends it: what the iterations before have done stays if it is handled.
declare
  type ids is table of number;
  l_ids ids := ids(6, 1, 7);
begin
  forall i in 1 .. l_ids.count
    insert into t values (l_ids(i), 'new');
exception
  when dup_val_on_index then
    dbms_output.put_line(sqlerrm);
end;
/
select count(*) from t
/
-- SAVE EXCEPTIONS goes on and fails at the end with ORA-24381.
declare
  type ids is table of number;
  l_ids ids := ids(7, 1, 8, 2, null);
  bulk_errors exception;
  pragma exception_init(bulk_errors, -24381);
begin
  forall i in 1 .. l_ids.count save exceptions
    insert into t values (l_ids(i), 'new');
exception
  when bulk_errors then
    dbms_output.put_line(sqlerrm);
    dbms_output.put_line(sql%bulk_exceptions.count);
    for i in 1 .. sql%bulk_exceptions.count loop
      dbms_output.put_line(sql%bulk_exceptions(i).error_index || ' ' || sqlerrm(-sql%bulk_exceptions(i).error_code));
    end loop;
end;
/
select count(*) from t
/
-- RETURNING BULK COLLECT over all iterations; an empty range does nothing.
declare
  type ids is table of number;
  l_ids ids := ids(7, 8);
  l_gone ids;
begin
  forall i in 1 .. l_ids.count
    delete from t where id = l_ids(i) returning id bulk collect into l_gone;
  dbms_output.put_line(l_gone.count);
  l_ids.delete;
  forall i in 1 .. l_ids.count
    delete from t where id = l_ids(i);
  dbms_output.put_line(sql%rowcount);
end;
/
