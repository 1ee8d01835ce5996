declare
  l_options    dbms_aq.enqueue_options_t;
  l_properties dbms_aq.message_properties_t;
  l_id         raw(16);
begin
  l_options.visibility := dbms_aq.on_commit;
  l_properties.correlation := 'LANE_' || :lane;
  l_properties.delay := dbms_aq.no_delay;
  dbms_aq.enqueue(queue_name => 'DS_WAKE_Q', enqueue_options => l_options, message_properties => l_properties,
                  payload => utl_raw.cast_to_raw('W'), msgid => l_id);
end;
/
<<dequeue>>
declare
  l_options    dbms_aq.dequeue_options_t;
  l_properties dbms_aq.message_properties_t;
  l_payload    raw(2000);
  l_id         raw(16);
  e_timeout    exception;
  pragma exception_init(e_timeout, -25228);
begin
  l_options.dequeue_mode := dbms_aq.remove;
  l_options.navigation := dbms_aq.first_message;
  l_options.wait := least(60, greatest(1, :seconds));
  <<drain>>
  loop
    begin
      dbms_aq.dequeue('DS_WAKE_Q', l_options, l_properties, l_payload, l_id);
    exception
      when e_timeout then
        exit drain;
    end;
    l_options.wait := dbms_aq.no_wait;
    continue drain when l_payload is null;
  end loop drain;
  :messages := sql%rowcount;
end dequeue;
/
begin
  dbms_aqadm.create_queue_table(queue_table => 'DS_WAKE_QT', queue_payload_type => 'RAW', multiple_consumers => false);
  dbms_aqadm.create_queue('DS_WAKE_Q', 'DS_WAKE_QT', max_retries => 2147483647, retention_time => 0);
  dbms_aqadm.start_queue('DS_WAKE_Q');
end;
/
begin
  dbms_scheduler.create_job(
    job_name        => 'DS_DISPATCHER',
    job_type        => 'PLSQL_BLOCK',
    job_action      => q'[begin execute immediate 'begin ds_dispatch.run; end;'; end;]',
    start_date      => systimestamp,
    repeat_interval => 'FREQ=SECONDLY;INTERVAL=60',
    enabled         => true,
    auto_drop       => false);
  for i in 1..16 loop
    dbms_scheduler.create_job('DS_LANE_' || to_char(i, 'FM00'), 'STORED_PROCEDURE', 'ds_run_lane', enabled => false, auto_drop => false);
    dbms_scheduler.set_attribute('DS_LANE_' || to_char(i, 'FM00'), 'restartable', false);
  end loop;
exception
  when others then
    if sqlcode != -27477 then
      raise;
    end if;
end;
/
begin
  dbms_scheduler.run_job('DS_LANE_01', use_current_session => false);
end;
/
declare
  l_status number := dbms_lock.request(id => 1000, lockmode => dbms_lock.x_mode, timeout => 5, release_on_commit => false);
begin
  case l_status
    when 0 then null;
    when 4 then null;
    else raise_application_error(-20001, 'no lock: ' || l_status);
  end case;
  l_status := dbms_lock.release(1000);
end;
