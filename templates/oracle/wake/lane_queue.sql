declare
    -- The queue of wake-ups for lanes, apart from the dispatcher's: a lane reads only its own messages, and would pass over all of those. The number of
    -- queues in a table does not affect performance (Advanced Queuing User's Guide, "Persistent Messaging Performance Overview").
    e_exists exception; pragma exception_init(e_exists, -24006);
begin
    begin
        dbms_aqadm.create_queue(
            queue_name => '{{.PU}}LANE_Q',
            queue_table => '{{.PU}}WAKE_QT',
            max_retries => 2147483647,
            retry_delay => 0,
            retention_time => 0,
            comment => 'dbsched: wake-ups');
    exception
        when e_exists then
            null;
    end;

    dbms_aqadm.start_queue(queue_name => '{{.PU}}LANE_Q', enqueue => true, dequeue => true);
end;
