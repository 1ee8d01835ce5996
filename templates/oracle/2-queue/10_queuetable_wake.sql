declare
    -- The table behind the queue of wake-ups: classic queue, one consumer, RAW payload. TxEventQ is not needed for one
    -- reader, and not everything about it is in 19c.
    e_exists exception; pragma exception_init(e_exists, -24001);
begin
    dbms_aqadm.create_queue_table(
        queue_table => '{{.PU}}WAKE_QT',
        queue_payload_type => 'RAW',
        multiple_consumers => false,
        comment => 'dbsched: wake-ups');
exception
    when e_exists then
        null;
end;
