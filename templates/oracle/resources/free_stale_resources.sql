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
