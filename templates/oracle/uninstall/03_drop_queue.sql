declare
    -- Drops the wake-up queue and its messages. DROP TABLE does not work on a queue table (ORA-24005).
    l_count pls_integer;

    e_in_use exception; pragma exception_init(e_in_use, -24018);
begin
    execute immediate 'alter session set ddl_lock_timeout = 30';

    select count(*) into l_count from user_queues q where q.name = '{{.PU}}WAKE_Q';
    if l_count > 0 then
        -- Waits for uncommitted enqueuers, as the next steps do, but not forever, as STOP_QUEUE would.
        for i in 1 .. 60 loop
            begin
                dbms_aqadm.stop_queue(queue_name => '{{.PU}}WAKE_Q', enqueue => true, dequeue => true, wait => false);
                exit;
            exception
                when e_in_use then
                    if i = 60 then
                        raise;
                    end if;
                    dbms_session.sleep(0.5);
            end;
        end loop;
        dbms_aqadm.drop_queue(queue_name => '{{.PU}}WAKE_Q');
    end if;

    select count(*) into l_count from user_queue_tables t where t.queue_table = '{{.PU}}WAKE_QT';
    if l_count > 0 then
        dbms_aqadm.drop_queue_table(queue_table => '{{.PU}}WAKE_QT', force => true);
    end if;
end;
