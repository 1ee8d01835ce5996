-- PL/SQL Language Reference, "Cursor FOR LOOP Statement" and "Processing Query Result Sets": a cursor stays open over a COMMIT
-- and goes on with its snapshot; one FOR UPDATE does not (ORA-01002). A ROLLBACK to before its OPEN closes nothing either.
create table t (id number, done varchar2(1))
/
insert into t select level, 'N' from dual connect by level <= 3
/
commit
/
begin
  for r in (select id from t where done = 'N' order by id) loop
    update t set done = 'Y' where id = r.id;
    insert into t values (r.id + 100, 'N');
    commit;
    dbms_output.put_line(r.id);
  end loop;
end;
/
select count(*), sum(case done when 'Y' then 1 end) from t
/
-- Another session's commits do not show either.
begin
  for r in (select id from t order by id) loop
    dbms_output.put_line(r.id);
    dbms_session.sleep(1);
  end loop;
end;
/
-- @B
delete from t where id > 100
/
-- @B
commit
/
-- @join
select count(*) from t
/
begin
  for r in (select id from t order by id for update) loop
    commit;
  end loop;
end;
/
begin
  for r in (select id from t order by id) loop
    update t set done = 'X' where id = r.id;
    rollback;
    dbms_output.put_line(r.id);
  end loop;
end;
/
