-- Concepts, "Temporary Tables"; SQL Language Reference, "CREATE TABLE", on_commit clause; ORA-14450 in Database Error Messages.
create global temporary table g (id number primary key) on commit delete rows
/
create global temporary table p (id number constraint p_pk primary key) on commit preserve rows
/
insert into g values (1)
/
insert into p values (1)
/
-- Each session has its own rows: the same key twice is no conflict.
-- @B
insert into g values (1)
/
-- @B
select (select count(*) from g) as g, (select count(*) from p) as p from dual
/
savepoint s
/
insert into g values (2)
/
insert into p values (2)
/
rollback to s
/
select (select count(*) from g) as g, (select count(*) from p) as p from dual
/
commit
/
select (select count(*) from g) as g, (select count(*) from p) as p from dual
/
insert into p values (3)
/
rollback
/
select id from p
/
-- A unique key holds in the session.
insert into p values (1)
/
-- An autonomous transaction may not use a table ON COMMIT DELETE ROWS that its parent uses.
insert into g values (7)
/
declare
  pragma autonomous_transaction;
begin
  insert into g values (8);
  commit;
end;
/
declare
  pragma autonomous_transaction;
begin
  insert into p values (8);
  commit;
end;
/
select id from p order by id
/
rollback
/
-- DDL while a session has rows: ORA-14452.
drop table p
/
-- @B
drop table p
/
truncate table p
/
drop table p
/
-- The rows go with the session.
create global temporary table q (id number) on commit preserve rows
/
-- @C
insert into q values (1)
/
-- @C
commit
/
-- @close C
-- @C
select count(*) from q
/
