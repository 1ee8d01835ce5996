    procedure join_line (
        in_process_id in number,
        in_task_id in number,
        in_resource_id in number,
        in_access in varchar2,
        out_state out varchar2)
    is
        l_capacity number := lock_line(in_resource_id);
        l_request_id number;
    begin
        if l_capacity is null then
            out_state := 'Gone';
            return;
        end if;

        select max(r.request_id), max(r.status) into l_request_id, out_state
        from {{.P}}resource_requests r
        where r.process_id = in_process_id and r.task_id = in_task_id and r.session_key is null;

        if l_request_id is null then
            l_request_id := {{.P}}line_seq.nextval;

            insert into {{.P}}resource_requests
                (resource_id, request_id, status, access_mode, requester, process_id, task_id, requested_at, requested_by, requested_by_os_user, requested_by_client)
            select in_resource_id, l_request_id, 'Waiting', in_access, 'task ' || t.task_id, t.process_id, t.task_id,
                systimestamp at time zone '+00:00',
                   t.enqueued_by, t.enqueued_by_os_user, t.enqueued_by_client
            from {{.P}}tasks t
            where t.task_id = in_task_id;

            grant_turns(in_resource_id, l_capacity, l_request_id);

            select max(r.status) into out_state from {{.P}}resource_requests r where r.request_id = l_request_id;
        end if;
    end join_line;
