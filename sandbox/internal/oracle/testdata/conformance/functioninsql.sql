-- PL/SQL Language Reference, "PL/SQL Functions that SQL Statements Can Invoke"; a NO_DATA_FOUND that leaves such a function ends
-- it with NULL, other errors end the statement.
create table t (id number, v number)
/
insert into t values (1, 10)
/
commit
/
create or replace function v_of(p_id number) return number is
  n number;
begin
  select v into n from t where id = p_id;
  return n;
end;
/
select nvl(to_char(v_of(1)), 'null') as a, nvl(to_char(v_of(2)), 'null') as b from dual
/
begin
  dbms_output.put_line(v_of(2));
end;
/
create or replace function boom(p number) return number is
begin
  raise_application_error(-20001, 'boom ' || p);
end;
/
select boom(1) from dual
/
select id from t where boom(id) = 1
/
-- It sees the data as of its own statement, not of the query that calls it: a statement inside has a snapshot of its own.
create or replace function count_t return number is
  n number;
begin
  select count(*) into n from t;
  return n;
end;
/
select count_t() from dual
/
-- It must not commit, nor change data in a query: ORA-14551, ORA-14552.
create or replace function commits return number is
begin
  commit;
  return 1;
end;
/
select commits from dual
/
-- BOOLEAN is no SQL type.
create or replace function yes return boolean is
begin
  return true;
end;
/
select yes from dual
/
-- A function without RETURN: ORA-06503.
create or replace function nothing return number is
begin
  null;
end;
/
select nothing from dual
/
-- DETERMINISTIC functions and named notation.
create or replace function plus(a number, b number default 1) return number deterministic is
begin
  return a + b;
end;
/
select plus(1), plus(1, 2), plus(b => 3, a => 4) from dual
/
select plus() from dual
/
select plus(1, 2, 3) from dual
/
