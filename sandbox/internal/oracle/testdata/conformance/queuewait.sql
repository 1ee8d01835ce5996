-- PL/SQL Packages and Types Reference, "DBMS_AQ": wait, DEQUEUE_OPTIONS_T; two consumers that wait.
begin
  dbms_aqadm.create_queue_table('qt', 'RAW');
  dbms_aqadm.create_queue('q', 'qt');
  dbms_aqadm.start_queue('q');
end;
/
create or replace procedure put(p_hex varchar2) is
  o dbms_aq.enqueue_options_t;
  p dbms_aq.message_properties_t;
  id raw(16);
begin
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
-- BROWSE leaves it.
begin put('01'); get(0, dbms_aq.browse); get(0, dbms_aq.browse); get(0); get(0, dbms_aq.browse); end;
/
-- A wait ends with the break, the session goes on.
-- @B
begin get(dbms_aq.forever); end;
/
-- @cancel B
-- @B
begin get(0); end;
/
