    procedure serve is
        l_last number := 0;
        l_request_id number;
        l_resource_id number;
        l_process_id number;
        l_task_id number;
        l_capacity number;
        l_held varchar2(1);
        l_passed number := 0;
        l_lease timestamp(6);
    begin
        select min(r.lease_utc) into l_lease from {{.P}}resource_requests r;
        if l_lease <= sys_extract_utc(systimestamp) then
            free_stale;
        end if;

        for i in 1 .. 500 loop
            select min(r.reserved_request_id) into l_request_id
            from {{.P}}resource_requests r
            where r.reserved_request_id > l_last;

            exit when l_request_id is null;
            l_last := l_request_id;

            select max(r.resource_id), max(r.process_id), max(r.task_id) into l_resource_id, l_process_id, l_task_id
            from {{.P}}resource_requests r
            where r.request_id = l_request_id;

            continue when l_process_id is null or l_process_id = l_passed;

            -- A session that halts or cancels very many tasks holds their process for long: other tasks do not wait for it.
            {{.P}}base.lock_process(l_process_id, l_held);
            if l_held = 'Y' then
                l_passed := l_process_id;
                continue;
            end if;

            update {{.P}}tasks t
            set t.status = 'Pending', t.wait_reason = null
            where t.task_id = l_task_id and t.status = 'Waiting' and t.wait_reason = 'Resource';

            if sql%rowcount = 1 then
                update {{.P}}processes p set p.has_work = 'Y', p.wave_order = null where p.process_id = l_process_id and p.finished_at is null;

                -- Under the line's lock, like every change of a line: a count of holders must not miss one that changes.
                l_capacity := lock_line(l_resource_id);
                update {{.P}}resource_requests r set r.status = 'Granted' where r.request_id = l_request_id and r.status = 'Reserved';
            end if;

            commit write immediate wait;
        end loop;

        -- A full slice, or a locked process: the rest follows in the next turn, at once.
        if l_request_id is not null or l_passed > 0 then
            {{.P}}wake.send_now;
            commit write immediate wait;
        end if;
    end serve;
