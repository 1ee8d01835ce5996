    -- Grants to the next in line, first come, first served. A request for all units waits until none is held, and blocks all later
    -- ones. Waiting requests of dead sessions are removed. The caller holds the line's lock.
    -- in_own: the caller's own request; the caller checks itself whether it was granted.
    procedure grant_turns (in_resource_id in number, in_capacity in number, in_own in number default null) is
        l_request_id number;
        l_access varchar2(9);
        l_key varchar2(24);
        l_give_up timestamp with time zone;
        l_held pls_integer;
        l_exclusive pls_integer;
        l_now timestamp with time zone := {{.P}}base.utc_now;
        l_wake boolean := false;
    begin
        loop
            select min(r.request_id) into l_request_id
            from {{.P}}resource_requests r
            where r.resource_id = in_resource_id and r.status = 'Waiting';

            exit when l_request_id is null;

            select r.access_mode, r.session_key, r.give_up_at into l_access, l_key, l_give_up
            from {{.P}}resource_requests r
            where r.request_id = l_request_id;

            -- All holders come before the first waiter, so only they count.
            select count(*), count(case when r.access_mode = 'Exclusive' then 1 end) into l_held, l_exclusive
            from {{.P}}resource_requests r
            where r.resource_id = in_resource_id and r.status in ('Granted', 'Reserved');

            exit when l_exclusive > 0 or l_held >= in_capacity or (l_access = 'Exclusive' and l_held > 0);

            if l_key is not null and l_request_id <> nvl(in_own, 0) and (l_give_up <= l_now or not dbms_session.is_session_alive(l_key)) then
                delete from {{.P}}resource_requests r where r.request_id = l_request_id;
            else
                update {{.P}}resource_requests r
                set r.status = case when r.request_id = in_own then 'Granted' else 'Reserved' end,
                    r.granted_at = l_now,
                    -- The lease of a session that has not been told yet does not start here: acquire starts it.
                    r.lease_until = case when r.request_id = in_own then l_now + numtodsinterval(r.lease_seconds, 'SECOND') end
                where r.request_id = l_request_id;

                -- The dispatcher makes the task Pending: this session can no longer lock the task's process.
                l_wake := l_wake or (l_key is null and l_request_id <> nvl(in_own, 0));
            end if;
        end loop;

        if l_wake then
            {{.P}}wake.send_now;
        end if;
    end grant_turns;
