-- Advanced Queuing User's Guide, "AQ$Queue_Table_Name: Messages in Queue Table": whose the queue table is reads its messages in a view.
begin
  dbms_aqadm.create_queue_table('qt', 'RAW');
  dbms_aqadm.create_queue('q', 'qt', max_retries => 0);
  dbms_aqadm.start_queue('q');
end;
/
create or replace procedure put is
  o dbms_aq.enqueue_options_t;
  p dbms_aq.message_properties_t;
  id raw(16);
begin
  p.correlation := 'C';
  dbms_aq.enqueue('q', o, p, hextoraw('01'), id);
end;
/
begin put; end;
/
-- @B as app
select count(*) from aq$qt
/
select m.queue, m.msg_state, m.corr_id, m.retry_count from aq$qt m
/
commit
/
-- @B
select count(*) from aq$qt
/
-- A message whose attempts are used up is moved to the exception queue.
-- @B
declare
  o dbms_aq.dequeue_options_t;
  p dbms_aq.message_properties_t;
  id raw(16);
  b raw(2000);
begin
  o.wait := dbms_aq.no_wait;
  dbms_aq.dequeue('q', o, p, b, id);
end;
/
-- @B
rollback
/
select m.queue, m.msg_state from aq$qt m
/
-- Nobody else's.
-- @S as system
create user bob identified by bob
/
-- @S
grant create session to bob
/
-- @O as bob
select count(*) from app.aq$qt
/
begin dbms_aqadm.drop_queue_table('qt', force => true); end;
/
select count(*) from aq$qt
/
