    -- The owner of a request in the search for a circle: its task, otherwise its session.
    function owner_of (in_task_id in number, in_session_key in varchar2) return varchar2 is
    begin
        return case when in_task_id is not null then 'task ' || in_task_id else in_session_key end;
    end owner_of;

    -- True if an owner that must release before this request's turn is in_owner, or waits for it. The session that closes a circle
    -- commits last, and so sees all of it. Leases expire and form no circle.
    function waits_for (in_request_id in number, in_owner in varchar2, io_met in out nocopy t_met) return boolean is
        l_owner varchar2(64);
        l_next number;
    begin
        -- With one unit, or if one of the two requests or one between them is exclusive, every holder must release.
        for r in (
            select h.task_id, h.session_key
            from {{.P}}resource_requests w
            inner join {{.P}}resources s on s.resource_id = w.resource_id
            inner join {{.P}}resource_requests h on h.resource_id = w.resource_id
            where w.request_id = in_request_id
              and h.status in ('Granted', 'Reserved')
              and (h.session_key is null or h.lease_seconds is null)
              and (s.capacity = 1 or w.access_mode = 'Exclusive' or h.access_mode = 'Exclusive'
                   or exists (select 1 from {{.P}}resource_requests x
                              where x.resource_id = w.resource_id and x.status = 'Waiting' and x.access_mode = 'Exclusive' and x.request_id < w.request_id))
        ) loop
            l_owner := owner_of(r.task_id, r.session_key);

            if l_owner = in_owner then
                return true;
            elsif not io_met.exists(l_owner) then
                io_met(l_owner) := 1;

                select min(x.request_id) into l_next
                from {{.P}}resource_requests x
                where x.status = 'Waiting' and x.session_key is not null and (x.task_id = r.task_id or (r.task_id is null and x.session_key = r.session_key));

                if l_next is not null and waits_for(l_next, in_owner, io_met) then
                    return true;
                end if;
            end if;
        end loop;

        return false;
    end waits_for;

    -- True if the nearest session before a request is gone: it may have held the resource.
    function one_before_gone (in_resource_id in number, in_request_id in number) return boolean is
        l_before number;
        l_key varchar2(24);
    begin
        select max(r.session_request_id) into l_before
        from {{.P}}resource_requests r
        where r.resource_id = in_resource_id and r.session_request_id < in_request_id
          and (r.lease_seconds is null or r.status <> 'Granted');

        select max(r.session_key) into l_key from {{.P}}resource_requests r where r.request_id = l_before;
        return l_key is not null and not dbms_session.is_session_alive(l_key);
    end one_before_gone;
