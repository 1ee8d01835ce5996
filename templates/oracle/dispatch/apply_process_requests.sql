    -- Applies committed requests of release_process and close_process. out_later: Y = some are left.
    procedure apply_requests (out_later out varchar2) is
        l_last number := 0;
        l_request_id number;
        l_process_id number;
        l_action varchar2(7);
        l_passed number := 0;
        l_held varchar2(1);
    begin
        out_later := 'N';

        for i in 1 .. 500 loop
            select min(r.request_id) into l_request_id
            from {{.P}}process_requests r
            where r.request_id > l_last;

            exit when l_request_id is null;

            select max(r.process_id), max(r.action) into l_process_id, l_action
            from {{.P}}process_requests r
            where r.request_id = l_request_id;

            l_last := l_request_id;
            continue when l_process_id = l_passed;
            {{.P}}base.lock_process(l_process_id, l_held);

            if l_held = 'Y' then
                l_passed := l_process_id;
                out_later := 'Y';
                continue;
            end if;

            update {{.P}}processes p
            set p.status = case
                    when l_action = 'Release' and p.status = 'Suspended' then case when p.close_requested = 'Y' then 'Closing' else 'Open' end
                    when l_action = 'Close' and p.status = 'Open' then 'Closing'
                    else p.status
                end,
                p.close_requested = case when l_action = 'Close' then 'Y' else p.close_requested end,
                p.has_work = case when p.finished_at is null then 'Y' else p.has_work end
            -- A process that failed before its close was applied closes when it is retried.
            where p.process_id = l_process_id and (p.finished_at is null or l_action = 'Close');

            delete from {{.P}}process_requests r where r.request_id = l_request_id;
            {{.P}}worker.close_if_done(l_process_id);

            commit write immediate wait;
        end loop;

        -- A full slice: the next turn follows at once and takes the rest.
        if l_request_id is not null then
            {{.P}}wake.send_now;
            commit write immediate wait;
        end if;
    end apply_requests;
