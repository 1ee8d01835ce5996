    procedure enqueue (in_queue in varchar2, in_correlation in varchar2) is
        l_options dbms_aq.enqueue_options_t;
        l_properties dbms_aq.message_properties_t;
        l_message_id raw(16);
    begin
        l_options.visibility := dbms_aq.on_commit;
        l_properties.correlation := in_correlation;

        dbms_aq.enqueue(
            queue_name => '{{.Owner}}.{{.PU}}' || in_queue,
            enqueue_options => l_options,
            message_properties => l_properties,
            payload => hextoraw('01'),
            msgid => l_message_id);
    end enqueue;
