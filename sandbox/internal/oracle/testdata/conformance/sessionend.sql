-- Concepts, "Structure of a Transaction": a session that ends without COMMIT is rolled back; its locks, messages and temporary rows are
-- given back. PL/SQL Packages and Types Reference, "DBMS_AQADM", CREATE_QUEUE: the kill of a session counts no attempt.
create table t (id number primary key, v number)
/
insert into t values (1, 0)
/
commit
/
begin
  dbms_aqadm.create_queue_table('qt', 'RAW');
  dbms_aqadm.create_queue('q', 'qt', max_retries => 1);
  dbms_aqadm.start_queue('q');
end;
/
create or replace procedure put(p_hex varchar2) is
  o dbms_aq.enqueue_options_t;
  p dbms_aq.message_properties_t;
  id raw(16);
begin
  dbms_aq.enqueue('q', o, p, hextoraw(p_hex), id);
end;
/
create or replace procedure get is
  o dbms_aq.dequeue_options_t;
  p dbms_aq.message_properties_t;
  id raw(16);
  b raw(2000);
begin
  o.wait := 30;
  dbms_aq.dequeue('q', o, p, b, id);
  dbms_output.put_line(rawtohex(b) || ' attempts ' || p.attempts);
end;
/
begin put('01'); commit; end;
/
-- @B
begin update t set v = 1; put('02'); get; end;
/
-- @C
update t set v = v + 10
/
-- @D
begin get; end;
/
-- @close B
-- @C
commit
/
-- @D
commit
/
select v from t
/
-- A session that is killed while it runs.
begin put('03'); commit; end;
/
-- @E
begin get; dbms_session.sleep(1000); end;
/
-- @S as system
begin
  for s in (select sid, serial# as serial from v$session where username = 'APP' and status = 'ACTIVE') loop
    execute immediate 'alter system kill session ''' || s.sid || ',' || s.serial || ''' immediate';
  end loop;
end;
/
-- @D
begin get; end;
/
