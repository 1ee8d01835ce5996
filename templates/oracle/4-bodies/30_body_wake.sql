create or replace package body {{.P}}wake as
    procedure enqueue (in_correlation in varchar2) is
        l_options dbms_aq.enqueue_options_t;
        l_properties dbms_aq.message_properties_t;
        l_message_id raw(16);
    begin
        l_options.visibility := dbms_aq.on_commit;
        l_properties.correlation := in_correlation;

        dbms_aq.enqueue(
            queue_name => '{{.Owner}}.{{.PU}}WAKE_Q',
            enqueue_options => l_options,
            message_properties => l_properties,
            payload => hextoraw('01'),
            msgid => l_message_id);
    end enqueue;

    -- The marker only saves messages, and an extra one is harmless, so a failure here must not reach the caller. Known failures:
    -- ORA-14450 in an autonomous transaction inside one that has enqueued (the table is locked by the outer one until it ends);
    -- temporary tables cannot be part of distributed transactions. 1013: the caller was interrupted.
    function sent return boolean is
        l_sent pls_integer;
    begin
        select count(*) into l_sent from {{.P}}wake_sent;
        return l_sent > 0;
    exception
        when others then
            if sqlcode = -1013 then
                raise;
            end if;
            return false;
    end sent;

    procedure mark_sent is
    begin
        insert into {{.P}}wake_sent (sent_at) values (systimestamp at time zone '+00:00');
    exception
        when others then
            if sqlcode = -1013 then
                raise;
            end if;
    end mark_sent;

    procedure send is
    begin
        if not sent then
            -- In this order: a message that cannot be sent leaves no marker behind.
            enqueue('D');
            mark_sent;
        end if;
    end send;

    procedure send_now is
    begin
        enqueue('D');
    end send_now;

    procedure send_lane (in_lane_id in number) is
    begin
        enqueue('L' || to_char(in_lane_id));
    end send_lane;
end {{.P}}wake;
