declare
    -- Drops the queues of wake-ups and their messages. DROP TABLE does not work on a queue table (ORA-24005).
    l_count pls_integer;

    e_in_use exception; pragma exception_init(e_in_use, -24018);
begin
    execute immediate 'alter session set ddl_lock_timeout = 30';

    for q in (select u.name from user_queues u where u.queue_table = '{{.PU}}WAKE_QT' and trim(u.queue_type) = 'NORMAL_QUEUE') loop
        -- Waits for uncommitted enqueuers, as the next steps do, but not forever, as STOP_QUEUE would.
        for i in 1 .. 60 loop
            begin
                dbms_aqadm.stop_queue(queue_name => q.name, enqueue => true, dequeue => true, wait => false);
                exit;
            exception
                when e_in_use then
                    if i = 60 then
                        raise;
                    end if;
                    dbms_session.sleep(0.5);
            end;
        end loop;
        dbms_aqadm.drop_queue(queue_name => q.name);
    end loop;

    select count(*) into l_count from user_queue_tables t where t.queue_table = '{{.PU}}WAKE_QT';
    if l_count > 0 then
        dbms_aqadm.drop_queue_table(queue_table => '{{.PU}}WAKE_QT', force => true);
    end if;
end;
