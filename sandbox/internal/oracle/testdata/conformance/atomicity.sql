-- PL/SQL Language Reference, "Rollbacks" in "Static SQL"; Concepts, "Statement-Level Rollback": a statement that fails is
-- undone by itself; a client's call that fails is undone as a whole, but for what it has committed; a block whose error
-- is handled keeps what it did.
create table t (id number constraint t_pk primary key, v varchar2(10))
/
-- A statement of several rows: none stays.
insert into t select 2 - mod(level, 2), 'x' from dual connect by level <= 3
/
select count(*) from t
/
-- What the transaction did before the failed statement stays.
insert into t values (1, 'a')
/
insert into t values (1, 'b')
/
select id, v from t
/
rollback
/
-- A call that fails is undone as a whole.
insert into t values (1, 'before')
/
begin
  insert into t values (2, 'in call');
  insert into t values (1, 'again');
end;
/
select id, v from t order by id
/
-- An inner block whose error is handled is not undone: no implicit savepoint but the statement's.
begin
  begin
    insert into t values (3, 'inner');
    insert into t values (3, 'again');
  exception
    when dup_val_on_index then dbms_output.put_line('handled');
  end;
  insert into t values (4, 'after');
end;
/
select id, v from t order by id
/
rollback
/
-- After a COMMIT inside the call only what follows is undone.
begin
  insert into t values (1, 'one');
  commit;
  insert into t values (2, 'two');
  raise_application_error(-20001, 'stop');
end;
/
select id, v from t order by id
/
-- The same with a ROLLBACK inside.
begin
  insert into t values (5, 'five');
  rollback;
  insert into t values (6, 'six');
  raise no_data_found;
end;
/
select id, v from t order by id
/
-- An error handled in the same block keeps what came before the failed statement.
declare
  n number;
begin
  insert into t values (7, 'seven');
  n := 1 / 0;
  insert into t values (8, 'eight');
exception
  when zero_divide then
    insert into t values (9, 'nine');
end;
/
select id, v from t order by id
/
-- A savepoint of the caller is still there after a failed call.
savepoint here
/
begin
  insert into t values (10, 'ten');
  raise program_error;
end;
/
rollback to here
/
select count(*) from t
/
