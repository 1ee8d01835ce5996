-- SQL Language Reference, "constraint" (INITIALLY DEFERRED), SET CONSTRAINT[S]; Database Error Messages, ORA-02091, ORA-02290.
create table t (id number, n number constraint t_n check (n > 0) initially deferred)
/
insert into t values (1, -1)
/
set constraints all immediate
/
update t set n = 1
/
set constraints all immediate
/
insert into t values (2, -1)
/
commit
/
-- Of a commit that fails nothing stays; what was mended or taken back before does not count.
insert into t values (3, -1)
/
savepoint s
/
insert into t values (4, 4)
/
commit
/
select id, n from t order by id
/
insert into t values (5, 5)
/
savepoint s
/
insert into t values (6, -1)
/
rollback to savepoint s
/
commit
/
select id, n from t order by id
/
-- DDL commits before it does anything.
insert into t values (7, -1)
/
create table u (n number)
/
select id, n from t order by id
/
begin
  insert into t values (8, -1);
  commit;
exception
  when others then
    dbms_output.put_line(sqlcode || ' ' || nvl(dbms_transaction.local_transaction_id, 'none'));
end;
/
