-- PL/SQL Packages and Types Reference, "DBMS_SQL".
create table t (id number, v varchar2(10))
/
declare
  c integer := dbms_sql.open_cursor;
  n number;
  id number;
  v varchar2(10);
begin
  dbms_sql.parse(c, 'insert into t values (:id, :v)', dbms_sql.native);
  for i in 1 .. 3 loop
    dbms_sql.bind_variable(c, ':id', i);
    dbms_sql.bind_variable(c, 'v', 'v' || i);
    n := dbms_sql.execute(c);
  end loop;
  dbms_output.put_line('rows ' || n);
  dbms_sql.parse(c, 'select id, v from t where id > :x order by id', dbms_sql.native);
  dbms_sql.bind_variable(c, 'x', 1);
  dbms_sql.define_column(c, 1, id);
  dbms_sql.define_column(c, 2, v, 10);
  n := dbms_sql.execute(c);
  while dbms_sql.fetch_rows(c) > 0 loop
    dbms_output.put_line('row');
  end loop;
  dbms_sql.close_cursor(c);
  dbms_output.put_line(case when dbms_sql.is_open(c) then 'open' else 'closed' end);
end;
/
-- Errors come where they arise: of syntax and names at PARSE, of data at EXECUTE.
declare
  c integer := dbms_sql.open_cursor;
begin
  dbms_sql.parse(c, 'select nothing from t', dbms_sql.native);
exception
  when others then
    dbms_output.put_line(sqlerrm);
    dbms_sql.close_cursor(c);
end;
/
declare
  c integer := dbms_sql.open_cursor;
  n integer;
begin
  dbms_sql.parse(c, 'select :x from dual', dbms_sql.native);
  n := dbms_sql.execute(c);
end;
/
declare
  c integer := dbms_sql.open_cursor;
  n integer;
  v varchar2(10);
begin
  dbms_sql.parse(c, 'begin :v := upper(:v); end;', dbms_sql.native);
  dbms_sql.bind_variable(c, 'v', 'abc', 10);
  n := dbms_sql.execute(c);
  dbms_sql.parse(c, 'create table u (a number)', dbms_sql.native);
  execute immediate 'insert into u values (1)';
  dbms_sql.close_cursor(c);
end;
/
select a from u
/
-- Columns that are not known before.
declare
  c integer := dbms_sql.open_cursor;
  n integer;
  d dbms_sql.desc_tab3;
begin
  dbms_sql.parse(c, 'select id, v as name, sysdate from t', dbms_sql.native);
  dbms_sql.describe_columns3(c, n, d);
  for i in 1 .. n loop
    dbms_output.put_line(d(i).col_name || ' ' || d(i).col_type);
  end loop;
  dbms_sql.close_cursor(c);
  n := dbms_sql.execute(c);
exception
  when others then dbms_output.put_line(sqlerrm);
end;
/
