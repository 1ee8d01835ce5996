    procedure free_stale (in_resource_id in number default null) is
        l_last number := 0;
        l_request_id number;
        l_capacity number;
        l_name varchar2(128 char);
        l_why varchar2(100);
    begin
        loop
            select min(r.session_request_id) into l_request_id
            from {{.P}}resource_requests r
            where r.session_request_id > l_last and (in_resource_id is null or r.resource_id = in_resource_id);

            exit when l_request_id is null;
            l_last := l_request_id;
            {{.P}}base.begin_transaction;

            -- No row: released a moment ago.
            for l_row in (select r.* from {{.P}}resource_requests r where r.request_id = l_request_id) loop
                -- With a lease, the session no longer matters once it knows of the grant.
                l_why := case
                    when l_row.lease_until <= {{.P}}base.utc_now then 'its lease ran out'
                    when l_row.status <> 'Granted' and l_row.give_up_at <= {{.P}}base.utc_now then 'it gave up'
                    when (l_row.status <> 'Granted' or l_row.lease_seconds is null) and not dbms_session.is_session_alive(l_row.session_key)
                        then 'its session ' || l_row.session_id || ' ended'
                end;

                if l_why is not null then
                    l_capacity := lock_line(l_row.resource_id);

                    delete from {{.P}}resource_requests r where r.request_id = l_request_id and r.status = l_row.status;

                    if sql%rowcount = 1 then
                        grant_turns(l_row.resource_id, l_capacity);

                        if l_row.status = 'Granted' then
                            select s.name into l_name from {{.P}}resources s where s.resource_id = l_row.resource_id;
                            {{.P}}worker.alarm('StaleResource', 'The resource "' || l_name || '" was taken from "' || l_row.requester
                                || '" (request ' || l_request_id || '), which had not released it: ' || l_why || '.',
                                l_row.process_id, l_row.task_id);
                        end if;
                    end if;

                    commit write immediate wait;
                end if;
            end loop;
        end loop;
    end free_stale;

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

    procedure sweep is
        l_last number := 0;
        l_process_id number;
        l_held varchar2(1);
    begin
        free_stale;

        -- Requests of tasks that have ended; normally there are none. And of tasks that hold their resource, but cannot start because an
        -- earlier wave got tasks meanwhile, which may need it: they line up again.
        loop
            select min(r.process_id) into l_process_id
            from {{.P}}resource_requests r
            inner join {{.P}}tasks t on t.task_id = r.task_id
            where r.process_id > l_last
              and (t.finished_at is not null
                   or (t.status = 'Pending'
                       and t.execution_order > (select min(e.unfinished_order) from {{.P}}tasks e where e.unfinished_process_id = r.process_id)));

            exit when l_process_id is null;
            l_last := l_process_id;

            {{.P}}base.begin_transaction;
            {{.P}}base.lock_process(l_process_id, l_held);
            if l_held = 'N' then
                leave_line(l_process_id);
            end if;
            commit write immediate wait;
        end loop;
    end sweep;

