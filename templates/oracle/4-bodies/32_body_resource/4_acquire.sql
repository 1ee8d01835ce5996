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

    -- Removes a request from its line.
    procedure withdraw (in_resource_id in number, in_request_id in number, out_rows out number) is
        l_capacity number := lock_line(in_resource_id);
    begin
        delete from {{.P}}resource_requests r where r.request_id = in_request_id;
        out_rows := sql%rowcount;
        grant_turns(in_resource_id, l_capacity);
    end withdraw;

    procedure acquire (
        in_name in varchar2,
        in_access in varchar2,
        in_requester in varchar2,
        in_timeout_seconds in number,
        in_lease_seconds in number,
        out_request_id out number)
    is
        pragma autonomous_transaction;
        l_me varchar2(24) := dbms_session.unique_session_id;
        l_until timestamp with time zone := {{.P}}base.utc_now + numtodsinterval(in_timeout_seconds, 'SECOND');
        l_checked timestamp with time zone := {{.P}}base.utc_now;
        l_resource_id number := resource_of(in_name);
        l_capacity number;
        l_task {{.P}}tasks%rowtype := {{.P}}rights.current_task;
        l_request_id number;
        l_status varchar2(8);
        l_met t_met;
        l_polls pls_integer := 0;
        l_rows number;
    begin
        {{.P}}base.begin_transaction;
        l_capacity := lock_line(l_resource_id);
        if l_capacity is null then
            {{.P}}base.fail(20040, 'there is no such resource; an administrator creates it with define_resource.');
        end if;

        -- With its task: acquired inside one, it is released when the task ends, if not before.
        l_request_id := {{.P}}line_seq.nextval;

        insert into {{.P}}resource_requests
            (resource_id, request_id, status, access_mode, requester, process_id, task_id, session_id, session_key, lease_seconds, give_up_at,
             requested_at, requested_by, requested_by_os_user, requested_by_client)
        values
            (l_resource_id, l_request_id, 'Waiting', in_access, in_requester, l_task.process_id, l_task.task_id, to_number(sys_context('USERENV', 'SID')), l_me,
             in_lease_seconds, l_until + interval '30' second, systimestamp at time zone '+00:00', {{.P}}rights.submitter,
             substrb(sys_context('USERENV', 'OS_USER'), 1, 128), substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64));

        grant_turns(l_resource_id, l_capacity, l_request_id);
        commit write immediate wait;

        loop
            {{.P}}base.begin_transaction;
            select max(r.status) into l_status from {{.P}}resource_requests r where r.request_id = l_request_id;

            if l_status is null then
                {{.P}}base.fail(20044, 'the request was removed from the line; an administrator may have ended it.');
            end if;

            exit when l_status = 'Granted';

            if l_status = 'Reserved' or {{.P}}base.utc_now >= l_until then
                l_capacity := lock_line(l_resource_id);

                update {{.P}}resource_requests r
                set r.status = 'Granted', r.lease_until = (systimestamp at time zone '+00:00') + numtodsinterval(r.lease_seconds, 'SECOND')
                where r.request_id = l_request_id and r.status = 'Reserved';

                if sql%rowcount = 0 then
                    -- Nothing is left of the request, and requests that it blocked no longer wait for it.
                    delete from {{.P}}resource_requests r where r.request_id = l_request_id;
                    grant_turns(l_resource_id, l_capacity);
                    commit write immediate wait;
                    return;
                end if;

                commit write immediate wait;
                exit;
            end if;

            if l_polls = 0 and waits_for(l_request_id, owner_of(l_task.task_id, l_me), l_met) then
                select count(*) into l_rows
                from {{.P}}resource_requests r
                where r.resource_id = l_resource_id and r.status in ('Granted', 'Reserved') and (r.session_key = l_me or r.task_id = l_task.task_id);

                if l_rows > 0 then
                    {{.P}}base.fail(20042, 'this session already holds the resource and would wait for itself; release it first.');
                end if;
                {{.P}}base.fail(20043, 'this session and others waited for each other''s resources; its request was withdrawn. Release what it holds, and acquire in the same order everywhere.');
            end if;

            -- The dispatcher may be stopped. A dead session just before this one is noticed at once, others after a while.
            if {{.P}}base.utc_now >= l_checked + interval '5' second or one_before_gone(l_resource_id, l_request_id) then
                free_stale(l_resource_id);
                l_checked := {{.P}}base.utc_now;
            end if;

            l_polls := l_polls + 1;
            dbms_session.sleep(case when l_polls <= 10 then 0.1 else 0.5 end);
        end loop;

        if in_lease_seconds is not null then
            {{.P}}wake.send_now; -- the dispatcher must know when the lease expires
        end if;

        commit write immediate wait;
        out_request_id := l_request_id;
    exception
        when others then
            {{.P}}base.begin_transaction;

            begin
                withdraw(l_resource_id, l_request_id, l_rows);
                commit write immediate wait;
            exception
                -- It then gives up at its timeout.
                when others then
                    rollback;
            end;

            raise;
    end acquire;

    procedure give_back (in_request_id in number) is
        pragma autonomous_transaction;
        l_rows number := 0;
    begin
        {{.P}}base.begin_transaction;

        for r in (select q.* from {{.P}}resource_requests q where q.request_id = in_request_id) loop
            {{.P}}rights.require_owner(r.requested_by, 20045, 'request ' || in_request_id);

            if r.session_key is null then
                {{.P}}base.fail(20046, 'the request belongs to a task, which releases it when it ends; end the task with cancel_task.');
            end if;

            withdraw(r.resource_id, in_request_id, l_rows);
            commit write immediate wait;
        end loop;

        if l_rows = 0 then
            {{.P}}base.fail(20044, 'there is no such request: it was released before, or taken away because its session ended or its lease ran out.');
        end if;
    end give_back;
end {{.P}}resource;
