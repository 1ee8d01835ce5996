-- PL/SQL Language Reference, "Autonomous Transactions".
create table t (id number primary key, v number)
/
create table log (text varchar2(100))
/
insert into t values (1, 10)
/
commit
/
create or replace procedure note(p_text varchar2) is
  pragma autonomous_transaction;
begin
  insert into log values (p_text);
  commit;
end;
/
-- What an autonomous transaction commits is visible to others at once and stays when the main one is rolled back.
insert into t values (2, 20)
/
begin note('kept'); end;
/
rollback
/
select (select count(*) from t) as t, (select count(*) from log) as log from dual
/
-- It does not see the main transaction's changes.
create or replace function rows_seen return number is
  pragma autonomous_transaction;
  n number;
begin
  select count(*) into n from t;
  return n;
end;
/
insert into t values (2, 20)
/
begin dbms_output.put_line('autonomous ' || rows_seen); end;
/
select count(*) as main from t
/
-- Neither committed nor rolled back at its end: ORA-06519, its work is undone.
create or replace procedure careless is
  pragma autonomous_transaction;
begin
  insert into log values ('lost');
end;
/
begin careless; end;
/
select count(*) from log
/
-- The call has failed as a whole; the main transaction goes on.
select count(*) from t
/
-- It shares no locks with the main transaction: a row that this has locked is a deadlock.
create or replace procedure touch is
  pragma autonomous_transaction;
begin
  update t set v = v + 1 where id = 1;
  commit;
end;
/
update t set v = 11 where id = 1
/
begin touch; end;
/
-- @join
select v from t where id = 1
/
rollback
/
-- An autonomous block: only the top level of an anonymous block may be one. An exception that leaves it rolls it back.
declare
  pragma autonomous_transaction;
begin
  insert into log values ('gone');
  raise_application_error(-20001, 'out');
end;
/
select text from log
/
-- Savepoints of the main transaction are not its own.
savepoint s
/
declare
  pragma autonomous_transaction;
begin
  rollback to s;
end;
/
-- Several transactions in one: each COMMIT ends one, the next statement begins another.
declare
  pragma autonomous_transaction;
begin
  insert into log values ('a');
  commit;
  insert into log values ('b');
  rollback;
  insert into log values ('c');
  commit;
end;
/
select text from log order by text
/
