-- PL/SQL Packages and Types Reference, "DBMS_AQ": wait, delay, expiration, priority, DEQUEUE_OPTIONS_T; two consumers that wait.
begin
  dbms_aqadm.create_queue_table('qt', 'RAW', sort_list => 'PRIORITY,ENQ_TIME');
  dbms_aqadm.create_queue('q', 'qt');
  dbms_aqadm.start_queue('q');
end;
/
create or replace procedure put(p_hex varchar2, p_priority number default 1, p_delay number default 0, p_expiration number default dbms_aq.never) is
  o dbms_aq.enqueue_options_t;
  p dbms_aq.message_properties_t;
  id raw(16);
begin
  p.priority := p_priority;
  p.delay := p_delay;
  p.expiration := p_expiration;
  dbms_aq.enqueue('q', o, p, hextoraw(p_hex), id);
  commit;
end;
/
create or replace procedure get(p_wait number, p_mode number default dbms_aq.remove) is
  o dbms_aq.dequeue_options_t;
  p dbms_aq.message_properties_t;
  id raw(16);
  b raw(2000);
  nothing exception;
  pragma exception_init(nothing, -25228);
begin
  o.wait := p_wait;
  o.navigation := dbms_aq.first_message;
  o.dequeue_mode := p_mode;
  dbms_aq.dequeue('q', o, p, b, id);
  dbms_output.put_line('got ' || rawtohex(b));
  commit;
exception
  when nothing then dbms_output.put_line('nothing');
end;
/
-- Two wait: each message goes to one of them.
-- @B
begin get(60); end;
/
-- @C
begin get(dbms_aq.forever); end;
/
begin put('01'); end;
/
begin put('02'); end;
/
-- @join
-- Lower numbers first.
begin put('05', 5); put('03', 3); put('13', 3); end;
/
begin get(0); get(0); get(0); get(0); end;
/
-- BROWSE leaves it.
begin put('01'); get(0, dbms_aq.browse); get(0, dbms_aq.browse); get(0); get(0, dbms_aq.browse); end;
/
-- A delay: WAITING, and then READY for one that waits.
begin put('0D', p_delay => 10); get(0); end;
/
-- @B
begin get(60); end;
/
-- @advance 9s
-- @advance 3s
-- Expired.
begin put('0E', p_expiration => 5); end;
/
-- @advance 8s
begin get(0); end;
/
-- A wait ends with the break, the session goes on.
-- @B
begin get(dbms_aq.forever); end;
/
-- @cancel B
-- @B
begin get(0); end;
/
