    -- Records a request to release or close a process, which applies when the caller's transaction commits.
    procedure request_process (in_process_id in number, in_action in varchar2) is
        l_process {{.P}}processes%rowtype;
    begin
        if in_process_id in (0, 1) then
            {{.P}}base.fail(20013, 'processes 0 (of schedules) and 1 (the default process) are always open.');
        end if;

        l_process := {{.P}}rights.process_of(in_process_id);

        -- Already so, or ended: nothing to request. A failed or canceled process may be retried, and closes then.
        if l_process.status = 'Succeeded'
           or (in_action = 'Release' and l_process.status <> 'Suspended')
           or (in_action = 'Close' and l_process.status = 'Closing')
        then
            return;
        end if;

        {{.P}}wake.send(in_process_id);

        insert into {{.P}}process_requests (request_id, process_id, action, requested_at)
        values ({{.P}}request_seq.nextval, in_process_id, in_action, systimestamp at time zone '+00:00');
    end request_process;
