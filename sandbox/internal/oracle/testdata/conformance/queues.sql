-- PL/SQL Packages and Types Reference, "DBMS_AQ" and "DBMS_AQADM"; Advanced Queuing User's Guide, "Basic Components".
begin
  dbms_aqadm.create_queue_table('qt', 'RAW');
  dbms_aqadm.create_queue('q', 'qt', max_retries => 2, retry_delay => 0);
  dbms_aqadm.start_queue('q');
end;
/
create or replace procedure put(p_text varchar2, p_correlation varchar2 default null, p_visibility pls_integer default dbms_aq.on_commit) is
  o dbms_aq.enqueue_options_t;
  p dbms_aq.message_properties_t;
  id raw(16);
begin
  o.visibility := p_visibility;
  p.correlation := p_correlation;
  dbms_aq.enqueue('q', o, p, hextoraw(p_text), id);
end;
/
create or replace procedure get(p_wait number default dbms_aq.no_wait, p_correlation varchar2 default null, p_visibility pls_integer default dbms_aq.on_commit) is
  o dbms_aq.dequeue_options_t;
  p dbms_aq.message_properties_t;
  id raw(16);
  b raw(2000);
begin
  o.wait := p_wait;
  o.navigation := dbms_aq.first_message;
  o.correlation := p_correlation;
  o.visibility := p_visibility;
  dbms_aq.dequeue('q', o, p, b, id);
  dbms_output.put_line(rawtohex(b) || ' ' || p.correlation || ' attempts ' || p.attempts);
end;
/
-- ON_COMMIT: nobody else sees the message before.
begin put('01'); end;
/
-- @B
begin get; end;
/
commit
/
-- @B
begin get; end;
/
-- A message that is dequeued and not committed is passed over by others, a rollback brings it back with its attempt.
-- @C
begin get; end;
/
-- @B
rollback
/
-- @C
begin get; end;
/
-- @C
commit
/
-- A dequeue waits for a commit; which of two consumers is served is the server's choice.
-- @B
begin get(60); end;
/
begin put('02'); end;
/
commit
/
-- @B
commit
/
-- @B
begin get(5); end;
/
-- @advance 4900ms
-- @advance 200ms
-- IMMEDIATE is a transaction of its own: a rollback undoes nothing.
begin put('03', p_visibility => dbms_aq.immediate); end;
/
rollback
/
-- @B
begin get(p_visibility => dbms_aq.immediate); end;
/
-- @B
rollback
/
-- @B
begin get; end;
/
-- Correlation.
begin put('0A', 'X1'); put('0B', 'Y1'); put('0C', 'X2'); commit; end;
/
-- @B
begin get(p_correlation => 'Y1'); end;
/
-- @B
begin get(p_correlation => 'Z1'); end;
/
-- Two consumers get different messages.
-- @C
begin get(p_correlation => 'X1'); end;
/
-- @B
begin get(p_correlation => 'X2'); end;
/
-- @B
commit
/
-- @C
commit
/
-- More rollbacks than max_retries: the message goes to the exception queue.
begin put('DEAD'); commit; end;
/
begin get; rollback; get; rollback; get; rollback; end;
/
begin get; end;
/
-- An error of a call brings its dequeues back, too.
begin put('AA'); commit; end;
/
begin get; raise_application_error(-20001, 'no'); end;
/
begin get; commit; end;
/
-- Errors.
declare
  o dbms_aq.enqueue_options_t;
  p dbms_aq.message_properties_t;
  id raw(16);
begin
  dbms_aq.enqueue('nowhere', o, p, hextoraw('00'), id);
end;
/
-- What nobody uses is refused, in the words of the language.
declare
  o dbms_aq.enqueue_options_t;
  p dbms_aq.message_properties_t;
  id raw(16);
begin
  p.delay := 5;
  dbms_aq.enqueue('q', o, p, hextoraw('FF'), id);
end;
/
begin dbms_aqadm.alter_queue('q', max_retries => 9); end;
/
begin dbms_aqadm.stop_queue('q'); end;
/
begin put('FF'); end;
/
begin get; end;
/
begin dbms_aqadm.drop_queue('q'); end;
/
begin dbms_aqadm.drop_queue_table('qt'); end;
/
begin get; end;
/
