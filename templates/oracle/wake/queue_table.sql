declare
    -- The table of the wake-up queue: classic queue, single consumer, RAW payload. One reader does not need TxEventQ, which is
    -- not complete in 19c.
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
