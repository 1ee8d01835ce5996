-- PL/SQL Packages and Types Reference: "DBMS_OUTPUT", "DBMS_ASSERT", "DBMS_UTILITY", "DBMS_TRANSACTION"; PL/SQL Language
-- Reference, "Predefined Inquiry Directives".
begin
  dbms_output.put('a');
  dbms_output.put('b');
  dbms_output.new_line;
  dbms_output.put_line(null);
  dbms_output.put_line(dbms_assert.simple_sql_name('abc') || ' ' || dbms_assert.enquote_name('abc') || ' ' || dbms_assert.enquote_literal('it') || ' ' || dbms_assert.schema_name('APP'));
end;
/
begin dbms_output.put_line(dbms_assert.simple_sql_name('a b')); end;
/
begin dbms_output.put_line(dbms_assert.enquote_literal('it''s')); end;
/
begin dbms_output.put_line(dbms_assert.sql_object_name('no_such_thing')); end;
/
-- A transaction has an id as long as it has changed something.
create table t (id number)
/
begin
  dbms_output.put_line(nvl(dbms_transaction.local_transaction_id, 'none'));
  insert into t values (1);
  dbms_output.put_line(case when dbms_transaction.local_transaction_id is not null then 'some' end);
  commit;
  dbms_output.put_line(nvl(dbms_transaction.local_transaction_id, 'none'));
end;
/
-- SLEEP.
begin dbms_session.sleep(-1); end;
/
begin dbms_session.sleep(3601); end;
/
declare
  t timestamp := systimestamp;
begin
  dbms_session.sleep(1.5);
  if systimestamp - t between interval '1.5' second and interval '1.6' second then dbms_output.put_line('slept'); end if;
end;
/
-- @join
-- NAME_TOKENIZE takes a name apart, in capitals unless it is quoted.
declare
  l_a varchar2(200);
  l_b varchar2(200);
  l_c varchar2(200);
  l_link varchar2(200);
  l_end binary_integer;
begin
  dbms_utility.name_tokenize('app."Load A"', l_a, l_b, l_c, l_link, l_end);
  dbms_output.put_line(l_a || ' ' || l_b || ' ' || nvl(l_c, 'none') || ' ' || nvl(l_link, 'none') || ' ' || l_end);
  dbms_utility.name_tokenize('1a', l_a, l_b, l_c, l_link, l_end);
exception
  when others then
    dbms_output.put_line('refused');
end;
/
