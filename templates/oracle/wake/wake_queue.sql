declare
    -- The dispatcher's queue of wake-ups. It stays started until uninstall, so that transactions can enqueue tasks while the scheduler is
    -- stopped. max_retries is the maximum, so that rollbacks of the reader never move a message to the exception queue.
    e_exists exception; pragma exception_init(e_exists, -24006);
begin
    begin
        dbms_aqadm.create_queue(
            queue_name => '{{.PU}}WAKE_Q',
            queue_table => '{{.PU}}WAKE_QT',
            max_retries => 2147483647,
            retry_delay => 0,
            retention_time => 0,
            comment => 'dbsched: wake-ups');
    exception
        when e_exists then
            null;
    end;

    dbms_aqadm.start_queue(queue_name => '{{.PU}}WAKE_Q', enqueue => true, dequeue => true);
end;
